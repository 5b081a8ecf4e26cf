//! The order of the folders of `host/src`: every import points to a folder earlier in it.
//!
//! The sources are read as text: each `crate::…` path outside comments names a folder. Test
//! code counts too, so that the tests of a folder stand on nothing below it.

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
    ("statistics", &["text", "tournament", "run"]),
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

/// Paths that a source names behind `crate::`, such as `run::game_log::GameLog`.
fn crate_paths(source: &str) -> Vec<String> {
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut paths = Vec::new();
    for (start, _) in code.match_indices("crate::") {
        let before = code[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        paths.extend(expanded(&code[start + "crate::".len()..]));
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
fn violation(folder: &str, source: &str) -> Option<String> {
    let (_, allowed) = LAYERS.iter().find(|(name, _)| *name == folder)?;
    crate_paths(source).into_iter().find(|path| {
        let target = path.split("::").next().unwrap_or_default();
        target != folder && !allowed.contains(&target)
    })
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
            if let Some(path) = violation(folder, &source) {
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
    for (folder, source, expected) in [
        (
            "run",
            "use crate::{\n    run::x,\n    report::{A, b::C},\n};",
            "report::A",
        ),
        (
            "statistics",
            "fn f() { crate::play::bank::f() }",
            "play::bank::f",
        ),
        (
            "report",
            "mod tests {\n    use crate::worker::Abi;\n}",
            "worker::Abi",
        ),
        ("text", "use crate::{hex, tournament};", "hex"),
    ] {
        assert_eq!(
            violation(folder, source).as_deref(),
            Some(expected),
            "{source}"
        );
    }
    for (folder, source) in [
        (
            "report",
            "use crate::{run::{a::B, c}, text::d};\n// crate::play\n",
        ),
        ("run", "use super::super::x; // crate in a sentence"),
    ] {
        assert_eq!(violation(folder, source), None, "{source}");
    }
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
        // A module and the files of its folder are one unit: a parent lists its children.
        let own = file
            .strip_prefix(&sources)
            .expect("below")
            .with_extension("");
        let own: Vec<&str> = own.iter().filter_map(|part| part.to_str()).collect();
        let product = source
            .split("\n#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        let mut targets = crate_paths(product);
        targets.extend(relative_paths(product, &own));
        let targets = targets.iter().map(|path| target_file(&sources, path));
        imports.insert(shown(&file), targets.collect());
    }
    for (file, targets) in &imports {
        for target in targets {
            let is_family = |a: &str, b: &str| b.starts_with(a.trim_end_matches(".rs"));
            let is_mutual = imports.get(target).is_some_and(|back| back.contains(file));
            assert!(
                target == file || is_family(file, target) || is_family(target, file) || !is_mutual,
                "{file} and {target} import each other"
            );
        }
    }
}

/// What a file names behind `super::`, as paths of the crate.
fn relative_paths(source: &str, own: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    for line in source.split(';') {
        let Some(start) = line.find("use super::") else {
            continue;
        };
        let mut rest = &line[start + "use ".len()..];
        let mut parents = own.len();
        while let Some(stripped) = rest.strip_prefix("super::") {
            rest = stripped;
            parents = parents.saturating_sub(1);
        }
        let prefix = own[..parents].join("::");
        let named = expanded(rest).into_iter();
        paths.extend(named.map(|path| format!("{prefix}::{path}")));
    }
    paths
}
