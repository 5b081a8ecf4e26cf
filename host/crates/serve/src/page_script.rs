//! The modules of the page as one script, so that a browser makes one request for all of them.

use std::{collections::BTreeSet, fmt::Write};

/// The modules that `entry` needs, each in a scope of its own, after those that it imports.
/// Modules import and export as those of the page do: one line for each module, and only
/// `export const` and `export class`.
pub(super) fn one_script(modules: &[(String, &str)], entry: &str) -> String {
    let mut bundle = Bundle {
        modules,
        written: BTreeSet::new(),
        script: String::new(),
    };
    bundle.write(entry);
    bundle.script
}

struct Bundle<'m> {
    modules: &'m [(String, &'m str)],
    written: BTreeSet<String>,
    script: String,
}

impl Bundle<'_> {
    fn write(&mut self, path: &str) {
        if !self.written.insert(path.to_owned()) {
            return;
        }
        let known = self.modules.iter().find(|(known, _)| known == path);
        let (_, text) = known.unwrap_or_else(|| panic!("{path} is not a module of the page"));
        let (mut body, mut exported) = (String::new(), Vec::new());
        for line in text.lines().filter(|line| !is_comment(line)) {
            if let Some((names, other)) = imported(line) {
                let other = resolved(path, other);
                self.write(&other);
                let names = names.replace(" as ", ": ");
                let _ = writeln!(body, "const {names} = {};", scope_of(&other));
            } else if let Some(declaration) = line.strip_prefix("export ") {
                let name = declaration.split([' ', '(', ';']).nth(1);
                exported.extend(name.map(str::to_owned));
                body.push_str(declaration);
                body.push('\n');
            } else {
                body.push_str(line);
                body.push('\n');
            }
        }
        let exported = exported.join(", ");
        let scope = scope_of(path);
        let _ = writeln!(
            self.script,
            "const {scope} = (() => {{\n{body}return {{ {exported} }};\n}})();"
        );
    }
}

/// The names and the module of `import { a, b as c } from "./other.js";`.
fn imported(line: &str) -> Option<(&str, &str)> {
    let (names, other) = line.strip_prefix("import ")?.split_once(" from \"")?;
    Some((names, other.strip_suffix("\";")?))
}

/// The path of a module that the one at `path` imports.
fn resolved(path: &str, other: &str) -> String {
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    for part in other.split('/') {
        match part {
            "." => {}
            ".." => {
                folders.pop();
            }
            name => folders.push(name),
        }
    }
    folders.join("/")
}

fn scope_of(path: &str) -> String {
    format!("${}", path.replace(['/', '.'], "$"))
}

/// Whether the whole line is part of a comment. Code may follow a type in a comment.
fn is_comment(line: &str) -> bool {
    let text = line.trim_start();
    let has_code = || {
        text.split_once("*/")
            .is_some_and(|(_, rest)| !rest.is_empty())
    };
    match text.get(..2) {
        Some("/*") => !has_code(),
        Some(start) => ["//", "* ", "*/"].contains(&start),
        None => text == "*",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_follows_those_that_it_imports() {
        let modules = [
            (
                "app.js",
                "import { two as b } from \"./in/b.js\";\nexport const one = b;\n",
            ),
            (
                "in/b.js",
                "// A comment.\nimport { C } from \"../c.js\";\nexport const two = new C();\n/** @type {C} */ (two).go();\n",
            ),
            ("c.js", "export class C {\n}\n"),
            ("d.js", "unused"),
        ];
        let modules = modules.map(|(path, text)| (path.to_owned(), text));
        assert_eq!(
            one_script(&modules, "app.js"),
            "const $c$js = (() => {\nclass C {\n}\nreturn { C };\n})();\n\
             const $in$b$js = (() => {\nconst { C } = $c$js;\nconst two = new C();\n/** @type {C} */ (two).go();\nreturn { two };\n})();\n\
             const $app$js = (() => {\nconst { two: b } = $in$b$js;\nconst one = b;\nreturn { one };\n})();\n"
        );
    }
}
