//! What no compiler sees: tournament files, fields of records, manifests, versions.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use run::game_record::GameRecord;
use tournament::file::{TournamentSource, parse};

use crate::support::repository;

/// Whether a folder holds build output, downloaded packages, or the runs of this checkout.
fn is_output(folder: &Path) -> bool {
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

/// The text of a file of the repository.
fn read(path: &str) -> String {
    let file = repository().join(path);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"))
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
    for field in fields {
        assert!(
            page.contains(&format!("`{field}`")),
            "docs/records.md: {field}"
        );
    }
}

/// What the workspace offers to its crates, one of them uses.
#[test]
fn every_dependency_of_the_workspace_is_used_by_a_crate() {
    let workspace: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let mut used = BTreeSet::new();
    for file in files_below(repository(), "toml") {
        if !file.ends_with("Cargo.toml") {
            continue;
        }
        let manifest: toml::Table = fs::read_to_string(&file)
            .expect("a manifest")
            .parse()
            .expect("TOML");
        for key in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let dependencies = manifest.get(key).and_then(toml::Value::as_table);
            used.extend(
                dependencies
                    .into_iter()
                    .flat_map(|table| table.keys().cloned()),
            );
        }
    }
    let offered = workspace["workspace"]["dependencies"].as_table();
    for name in offered.expect("a table").keys() {
        assert!(used.contains(name), "Cargo.toml: no crate uses {name}");
    }
}

#[test]
fn the_citation_and_the_changelog_name_the_version() {
    let workspace: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let version = workspace["workspace"]["package"]["version"].as_str();
    let version = version.expect("a version");
    let citation = read("CITATION.cff");
    assert!(citation.contains("cff-version: 1.2.0\n"));
    assert!(citation.contains(&format!("\nversion: {version}\n")));
    let changelog = read("CHANGELOG.md");
    let heading = format!("\n## [{version}] - ");
    let (_, rest) = changelog.split_once(&heading).expect("the version");
    let date = rest.lines().next().expect("a date");
    assert!(
        citation.contains(&format!("\ndate-released: {date}\n")),
        "{date}"
    );
}

#[test]
fn a_plain_build_makes_every_plugin() {
    let workspace: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let built = workspace["workspace"]["default-members"].as_array();
    let built: Vec<&str> = built
        .expect("a list")
        .iter()
        .filter_map(toml::Value::as_str)
        .collect();
    for folder in fs::read_dir(repository().join("plugins")).expect("the plugins") {
        let name = folder.expect("a folder").file_name();
        let folder = format!("plugins/{}", name.to_str().expect("a plain name"));
        if read(&format!("{folder}/Cargo.toml")).contains("\"cdylib\"") {
            assert!(
                built.contains(&folder.as_str()),
                "Cargo.toml: default-members lack {folder}"
            );
        }
    }
}
