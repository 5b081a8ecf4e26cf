//! The order of the folders of `host/src`: every import points to a folder earlier in it.
//!
//! The sources are read as text: each `crate::…` and `super::…` path outside comments is
//! resolved. Test code counts too, so that the tests of a folder stand on nothing below it.

use std::{collections::BTreeMap, fs, path::Path};

use super::repository_is_tidy::files_below;
use crate::support::repository;

/// The folders in the order of the data flow, each with the folders it may import.
pub(super) const LAYERS: [(&str, &[&str]); 12] = [
    ("text", &[]),
    ("tournament", &["text"]),
    ("worker", &["text", "tournament"]),
    ("agents", &["text", "tournament", "worker"]),
    ("run", &["text", "tournament", "worker", "agents"]),
    ("play", &["text", "tournament", "worker", "agents", "run"]),
    ("statistics", &[]),
    ("report", &["text", "tournament", "run", "statistics"]),
    (
        "cluster",
        &["text", "tournament", "run", "statistics", "report"],
    ),
    (
        "author",
        &["text", "tournament", "worker", "agents", "run", "play"],
    ),
    (
        "serve",
        &[
            "text",
            "tournament",
            "worker",
            "agents",
            "run",
            "play",
            "statistics",
            "report",
        ],
    ),
    (
        "command",
        &[
            "text",
            "tournament",
            "worker",
            "agents",
            "run",
            "play",
            "statistics",
            "report",
            "cluster",
            "author",
            "serve",
        ],
    ),
];

/// What begins the tests of a file, which are a module of their own.
const TESTS: &str = "\n#[cfg(test)]\nmod tests {";

/// The paths that a file of the crate names, such as `run::game_log::GameLog`; `own` is the
/// path of the file's module.
fn named_paths(source: &str, own: &[&str]) -> Vec<String> {
    let (product, tests) = source.split_once(TESTS).unwrap_or((source, ""));
    let mut paths = paths_of_module(product, own);
    paths.extend(paths_of_module(tests, &[own, &["tests"]].concat()));
    paths
}

fn paths_of_module(source: &str, own: &[&str]) -> Vec<String> {
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut paths = Vec::new();
    for root in ["crate::", "super::"] {
        for (start, _) in code.match_indices(root) {
            let before = code[..start].chars().next_back();
            // Behind a colon it is the rest of a chain such as `super::super::`.
            if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | ':')) {
                continue;
            }
            let mut parents = if root == "crate::" { 0 } else { own.len() };
            let mut rest = code[start..].trim_start_matches("crate::");
            while let Some(stripped) = rest.strip_prefix("super::") {
                rest = stripped;
                parents = parents.saturating_sub(1);
            }
            let named = expanded(rest).into_iter();
            paths.extend(named.map(|path| [&own[..parents], &[&path]].concat().join("::")));
        }
    }
    paths
}

/// The paths of a use tree: `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn expanded(tree: &str) -> Vec<String> {
    let end = tree
        .find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
        .unwrap_or(tree.len());
    let (prefix, rest) = tree.split_at(end);
    let Some(list) = rest.strip_prefix('{') else {
        return vec![prefix.to_owned()];
    };
    let (mut depth, mut start, mut paths) = (0, 0, Vec::new());
    for (position, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                let item = list[start..position].trim();
                if !item.is_empty() {
                    let items = expanded(item).into_iter();
                    paths.extend(items.map(|path| format!("{prefix}{path}")));
                }
                start = position + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    paths
}

/// The first import of a source file that its folder may not have.
fn violation(own: &[&str], source: &str) -> Option<String> {
    let (folder, allowed) = LAYERS.iter().find(|(name, _)| *name == own[0])?;
    named_paths(source, own).into_iter().find(|path| {
        let target = path.split("::").next().unwrap_or_default();
        target != *folder && !allowed.contains(&target)
    })
}

/// The module that a source file is, such as `run`, `game_log`.
fn module_of<'f>(sources: &Path, file: &'f Path) -> Vec<&'f str> {
    let below = file
        .strip_prefix(sources)
        .expect("a file below the sources");
    let parts = below.iter().filter_map(|part| part.to_str());
    parts.map(|part| part.trim_end_matches(".rs")).collect()
}

/// The file that a path of the crate leads to, as far as the path names modules.
fn target_file(sources: &Path, path: &str) -> String {
    let mut file = sources.to_path_buf();
    for module in path.split("::") {
        if !file.join(format!("{module}.rs")).is_file() {
            break;
        }
        file.push(module);
    }
    file.set_extension("rs");
    shown(&file)
}

fn shown(file: &Path) -> String {
    let below = file.strip_prefix(repository()).unwrap_or(file);
    below.display().to_string()
}

#[test]
fn every_import_points_up_the_order_of_the_folders() {
    let sources = repository().join("host/src");
    for (folder, _) in LAYERS {
        let mut files = files_below(&sources.join(folder), "rs");
        files.push(sources.join(format!("{folder}.rs")));
        for file in files {
            let source = fs::read_to_string(&file).expect("a source file");
            if let Some(path) = violation(&module_of(&sources, &file), &source) {
                panic!(
                    "{} imports {} (`crate::{path}`), but `{folder}` may not import that folder; \
                     the order of the folders is in docs/architecture.md",
                    shown(&file),
                    target_file(&sources, &path),
                );
            }
        }
    }
}

#[test]
fn an_import_against_the_order_is_found() {
    let check = |own: &[&str], source: &str, expected: Option<&str>| {
        assert_eq!(violation(own, source).as_deref(), expected, "{source}");
    };
    check(
        &["run"],
        "use crate::{\n    run::x,\n    report::{A, b::C},\n};",
        Some("report::A"),
    );
    check(
        &["statistics", "ranks"],
        "fn f() { crate::play::bank::f() }",
        Some("play::bank::f"),
    );
    check(
        &["report"],
        "\n#[cfg(test)]\nmod tests {\n    use crate::worker::Abi;\n}",
        Some("worker::Abi"),
    );
    check(&["text"], "use crate::{hex, tournament};", Some("hex"));
    check(
        &["report", "tables"],
        "fn f() { super::super::play::bank::f() }",
        Some("play::bank::f"),
    );
    check(
        &["report"],
        "\n#[cfg(test)]\nmod tests {\n    use super::super::worker::Abi;\n}",
        Some("worker::Abi"),
    );
    check(
        &["report"],
        "use crate::{run::{a::B, c}, text::d};\n// crate::play\n",
        None,
    );
    check(
        &["run", "plan"],
        "use super::x; // crate in a sentence\n#[cfg(test)]\nmod tests {\n    use super::super::y;\n}",
        None,
    );
}

/// The order above, the modules of the crate and the import lines of the module docs agree.
#[test]
fn every_folder_states_its_imports() {
    let sources = repository().join("host/src");
    let library = fs::read_to_string(sources.join("lib.rs")).expect("lib.rs");
    let modules: Vec<&str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    assert_eq!(modules, LAYERS.map(|(name, _)| name));
    for (folder, allowed) in LAYERS {
        let source = fs::read_to_string(sources.join(format!("{folder}.rs"))).expect("a module");
        let statement = match allowed {
            [] => "//! Imports no other folder.".to_owned(),
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("//! Imports {}.", names.join(", "))
            }
        };
        let stated: Vec<&str> = source
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .skip_while(|line| !line.starts_with("//! Imports "))
            .map(|line| line.trim_start_matches("//! "))
            .collect();
        let stated = format!("//! {}", stated.join(" "));
        assert!(
            stated.starts_with(&statement),
            "host/src/{folder}.rs: expected the line `{statement}` in its module docs"
        );
    }
}

/// Two files of one folder that import each other are one idea, or a third is missing.
#[test]
fn no_two_files_import_each_other() {
    let sources = repository().join("host/src");
    let mut imports: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files_below(&sources, "rs") {
        let source = fs::read_to_string(&file).expect("a source file");
        let product = source.split(TESTS).next().unwrap_or_default();
        let targets = named_paths(product, &module_of(&sources, &file));
        let targets = targets.iter().map(|path| target_file(&sources, path));
        imports.insert(shown(&file), targets.collect());
    }
    for (file, targets) in &imports {
        for target in targets {
            // A module and the files of its folder are one unit: a parent lists its children.
            let is_family = |a: &str, b: &str| b.starts_with(a.trim_end_matches(".rs"));
            let is_mutual = imports.get(target).is_some_and(|back| back.contains(file));
            assert!(
                target == file || is_family(file, target) || is_family(target, file) || !is_mutual,
                "{file} and {target} import each other"
            );
        }
    }
}
