//! The repository itself: documents, tournaments, module docs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use run::game_record::GameRecord;
use tournament::file::{TournamentSource, parse};

use super::stated_facts::{read, section};
use crate::support::repository;

/// Whether a folder holds build output, downloaded packages, or the runs of this checkout.
pub(super) fn is_output(folder: &Path) -> bool {
    let name = folder.file_name().expect("a name").to_string_lossy();
    ["target", "node_modules"].contains(&&*name)
        || name.starts_with('.')
        || folder == repository().join("runs")
}

/// The files of the repository below a folder that have this extension.
pub(crate) fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !is_output(&path) {
            found.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_tournament_of_the_repository_is_valid() {
    let files = files_below(&repository().join("tournaments"), "yaml");
    assert!(files.len() >= 2);
    for file in files {
        let source = TournamentSource::read(&file).expect("a readable file");
        if let Err(diagnostics) = parse(&source) {
            panic!("{diagnostics}");
        }
    }
}

#[test]
fn every_field_of_a_record_is_documented() {
    let record = fs::read_to_string(repository().join("tests/fixtures/three-seeds.jsonl"))
        .expect("a fixture");
    let line = record.lines().next().expect("a record");
    let mut record: GameRecord = serde_json::from_str(line).expect("a record");
    record.budget = Some("1ms cpu".to_owned());
    let record = serde_json::to_value(record).expect("JSON");
    let fields = record.as_object().expect("an object").keys();
    let page = fs::read_to_string(repository().join("docs/records.md")).expect("a page");
    let table = page.split("## Fields").nth(1).expect("the table of fields");
    for field in fields {
        assert!(
            table.contains(&format!("`{field}`")),
            "docs/records.md: {field}"
        );
    }
}

#[test]
fn every_module_says_what_it_is() {
    for file in files_below(repository(), "rs") {
        let text = fs::read_to_string(&file).expect("a source file");
        let first = text.lines().next().unwrap_or_default();
        let is_documented = first.starts_with("//! ") || first.starts_with("#![doc = include_str!");
        assert!(is_documented, "{} has no module docs", file.display());
    }
}

/// Unsafe code stands only in the files that docs/architecture.md lists.
#[test]
fn unsafe_code_stands_where_the_documents_say() {
    let page = read("docs/architecture.md");
    let listed: Vec<&str> = section(&page, "## Unsafe code")
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split('`').next())
        .collect();
    let mut found: Vec<String> = Vec::new();
    for file in files_below(repository(), "rs") {
        let name = file
            .strip_prefix(repository())
            .expect("below the root")
            .display()
            .to_string();
        let text = fs::read_to_string(&file).expect("a source file");
        let is_exception = |line: &&str| line.contains("unsafe_code") && !line.contains("fn ");
        if text.lines().any(|line| is_exception(&line))
            && name != "tests/repository/repository_is_tidy.rs"
        {
            found.push(name);
        }
    }
    assert_eq!(found, listed);
}
