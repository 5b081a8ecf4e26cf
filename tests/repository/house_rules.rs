//! The house rules about sizes and names; `CONTRIBUTING.md` states them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::repository_is_tidy::{files_below, is_output};
use crate::support::repository;

/// The largest number of lines in a source file.
const MOST_LINES: usize = 400;
/// The largest number of files directly in a folder.
const MOST_FILES: usize = 25;
/// The largest number of modules that `host/src/lib.rs` names.
const MOST_MODULES: usize = 12;

fn shown(path: &Path) -> String {
    let below = path.strip_prefix(repository()).unwrap_or(path);
    below.display().to_string()
}

/// Every folder of the repository with its files, without build output and run folders.
fn folders() -> BTreeMap<PathBuf, usize> {
    let mut n_files = BTreeMap::new();
    let mut pending = vec![repository().to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                *n_files.entry(folder.clone()).or_default() += 1;
            } else if !is_output(&path) {
                pending.push(path);
            }
        }
    }
    n_files
}

#[test]
fn every_source_file_is_short() {
    for extension in [
        "rs", "js", "mjs", "ts", "c", "cpp", "h", "css", "py", "java", "go",
    ] {
        for file in files_below(repository(), extension) {
            let text = fs::read_to_string(&file).expect("a source file");
            let n_lines = text.lines().count();
            assert!(
                n_lines <= MOST_LINES,
                "{} has {n_lines} lines; the limit is {MOST_LINES}: split it",
                shown(&file)
            );
        }
    }
}

#[test]
fn every_folder_is_small() {
    for (folder, n_files) in folders() {
        assert!(
            n_files <= MOST_FILES,
            "{} has {n_files} files directly in it; the limit is {MOST_FILES}: group them",
            shown(&folder)
        );
    }
}

#[test]
fn the_host_crate_has_few_modules() {
    let root = fs::read_to_string(repository().join("host/src/lib.rs")).expect("the crate root");
    let modules: Vec<&str> = root
        .lines()
        .filter(|line| line.starts_with("mod ") || line.contains(" mod "))
        .filter(|line| !line.starts_with("//"))
        .collect();
    assert!(!modules.is_empty());
    assert!(modules.len() <= MOST_MODULES, "{modules:#?}");
}

/// The types that a source file defines at item level. Associated types are indented, and
/// types inside functions and test modules too, so that only unindented lines count.
fn types_of(source: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    source
        .lines()
        .filter_map(|line| {
            let line = match line.strip_prefix("pub") {
                Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
                Some(rest) => rest.strip_prefix(' ')?,
                None => line,
            };
            let (keyword, rest) = line.split_once(' ')?;
            let is_type = ["struct", "enum", "trait", "type", "union"].contains(&keyword);
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            (is_type && end > 0).then_some(&rest[..end])
        })
        .collect()
}

#[test]
fn types_are_found_at_item_level_only() {
    let source = "pub struct Board;\nenum Kind {\n}\npub(crate) trait Player: Sized {\n    type \
                  Error;\n}\ntype Rows<'a> = &'a [u8];\n// struct Gone;\nstructure\n";
    assert_eq!(types_of(source), ["Board", "Kind", "Player", "Rows"]);
}

#[test]
fn no_two_types_of_the_host_crate_share_a_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files_below(&repository().join("host/src"), "rs") {
        let source = fs::read_to_string(&file).expect("a source file");
        for name in types_of(&source) {
            places
                .entry(name.to_owned())
                .or_default()
                .push(shown(&file));
        }
    }
    assert!(places.len() > 100, "only {} types were found", places.len());
    for (name, files) in places {
        assert!(
            files.len() == 1,
            "`{name}` is defined in {}; give each type a name of its own",
            files.join(" and ")
        );
    }
}
