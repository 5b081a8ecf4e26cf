//! What the documents state about the repository is compared with the repository.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use super::{layers::LAYERS, repository_is_tidy::files_below};
use crate::support::repository;

/// The text of a file of the repository.
pub(super) fn read(path: &str) -> String {
    let file = repository().join(path);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What follows a heading, up to the next heading of any level.
pub(super) fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, rest) = page
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no heading `{heading}`"));
    rest.split("\n#").next().unwrap_or_default()
}

/// The rows of the first table, cell by cell, without its header.
fn rows(section: &str) -> Vec<Vec<&str>> {
    section
        .lines()
        .skip_while(|line| !line.starts_with("| "))
        .take_while(|line| line.starts_with("| "))
        .skip(2)
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect()
}

/// What stands between single back quotes, outside fenced blocks.
pub(super) fn quoted(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2);
    prose
        .flat_map(|text| text.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn every_path_in_the_documents_for_contributors_exists() {
    let everything: Vec<String> = ["rs", "js", "md", "yaml", "h", "c", "toml", "json"]
        .iter()
        .flat_map(|extension| files_below(repository(), extension))
        .map(|file| shown(&file))
        .collect();
    for page in ["CONTRIBUTING.md", "docs/README.md", "docs/architecture.md"] {
        let text = read(page);
        let mut n_paths = 0;
        for name in quoted(&text) {
            let first = name.split('/').next().unwrap_or_default();
            let is_path = name.contains('/') && repository().join(first).is_dir();
            let has_extension = Path::new(name).extension().is_some_and(|extension| {
                ["rs", "js", "md"].contains(&extension.to_str().unwrap_or_default())
            });
            if name.contains("NAME") || name.contains(' ') {
                continue;
            }
            let exists = match name.split_once('*') {
                Some((start, end)) => everything
                    .iter()
                    .any(|file| file.starts_with(start) && file.ends_with(end)),
                None if is_path => repository().join(name).exists(),
                None => everything
                    .iter()
                    .any(|file| file.ends_with(&format!("/{name}")) || file == name),
            };
            if is_path || has_extension {
                assert!(exists, "{page} names `{name}`, which does not exist");
                n_paths += 1;
            }
        }
        let is_index = page == "docs/README.md";
        assert!(n_paths > 0 || is_index, "{page} names no path");
    }
}

fn shown(file: &Path) -> String {
    let below = file.strip_prefix(repository()).expect("below the root");
    below.display().to_string()
}

#[test]
fn the_index_lists_every_document() {
    let index = read("docs/README.md");
    for file in files_below(&repository().join("docs"), "md") {
        let name = file.file_name().expect("a name").to_string_lossy();
        let is_listed = index.contains(&format!("]({name})"));
        assert!(is_listed || name == "README.md", "docs/README.md: {name}");
    }
    for reader in ["play", "agent", "class", "research", "contribute"] {
        let mut headings = index.lines().filter(|line| line.starts_with("## "));
        assert!(headings.any(|line| line.contains(reader)), "{reader}");
    }
}

#[test]
fn the_table_of_folders_agrees_with_the_layers() {
    let page = read("docs/architecture.md");
    let rows = rows(section(&page, "## The folders of `host/src`"));
    let picture = page.split("```").nth(1).expect("a picture");
    let folders: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(folders, LAYERS.map(|(folder, _)| folder));
    for (number, (row, (folder, allowed))) in rows.iter().zip(LAYERS).enumerate() {
        let imports: Vec<&str> = match row[3] {
            "nothing" => Vec::new(),
            "all folders above" => folders[..number].to_vec(),
            names => quoted(names),
        };
        assert_eq!(imports, allowed, "{folder}");
        let in_picture = format!("{} {folder}", number + 1);
        assert!(picture.contains(&in_picture), "no `{in_picture}`");
        check_entry_points(row[4]);
    }
}

/// `NAME in FILE`, or a file alone.
#[track_caller]
fn check_entry_points(cell: &str) {
    let mut name: Option<&str> = None;
    for word in quoted(cell) {
        if !word.contains('/') {
            name = Some(word);
            continue;
        }
        let source = read(word);
        if let Some(name) = name.take() {
            let kinds = ["fn", "struct", "enum", "trait"];
            let is_there = kinds
                .iter()
                .any(|kind| source.contains(&format!("pub {kind} {name}")));
            assert!(is_there, "{word} has no `{name}`");
        }
    }
}

#[test]
fn the_glossary_has_every_ending_and_terms_that_are_used() {
    use run::game_record::Ending;
    let glossary = read("docs/glossary.md");
    let (records, faults) = (read("docs/records.md"), read("docs/fairness.md"));
    let source = read("host/src/run/game_record.rs");
    let variants = source
        .split_once("pub enum Ending {")
        .and_then(|(_, rest)| rest.split_once("\n}"))
        .expect("the endings")
        .0;
    let mut n_endings = 0;
    for variant in variants
        .lines()
        .map(|line| line.trim().trim_end_matches(','))
    {
        if !variant.is_empty() && variant.chars().all(char::is_alphanumeric) {
            let name = kebab_case(variant);
            let ending: Ending = serde_json::from_value(Value::from(name.as_str()))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let quoted = format!("`{}`", ending.name());
            assert!(glossary.contains(&quoted), "docs/glossary.md: no {quoted}");
            assert!(records.contains(&quoted), "docs/records.md: no {quoted}");
            let is_handled = !ending.is_fault() || faults.contains(&format!("| {quoted} |"));
            assert!(is_handled, "docs/fairness.md: no {quoted}");
            n_endings += 1;
        }
    }
    assert!(n_endings >= 10, "{n_endings}");

    let mut texts = vec![read("README.md"), read("plugin-api/include/agent2048.h")];
    for (folder, extension) in [("docs", "md"), ("host/src", "rs"), ("plugin-api/src", "rs")] {
        let files = files_below(&repository().join(folder), extension);
        let others = files.iter().filter(|file| !file.ends_with("glossary.md"));
        texts.extend(others.map(|file| fs::read_to_string(file).expect("a text")));
    }
    let texts = texts.join("\n").to_lowercase();
    let mut terms = Vec::new();
    for part in glossary.split("\n## ").skip(1) {
        for row in rows(part) {
            let term = row[0].trim_matches('`').to_lowercase();
            let used = ["`", " ", "*", "("]
                .iter()
                .any(|before| texts.contains(&format!("{before}{term}")));
            assert!(used, "`{term}` is defined, but nobody uses it");
            assert!(!terms.contains(&term), "`{term}` is defined twice");
            terms.push(term);
        }
    }
    assert!(terms.len() > 50, "{}", terms.len());
}

fn kebab_case(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// By dependency, the packages that name it under this key of their manifests.
fn manifests(key: &str) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let is_manifest = |file: &&std::path::PathBuf| file.ends_with("Cargo.toml");
    let files = files_below(repository(), "toml");
    for file in files.iter().filter(is_manifest) {
        let text = fs::read_to_string(file).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("TOML");
        let Some(package) = manifest.get("package") else {
            continue;
        };
        let name = package["name"].as_str().expect("a name").to_owned();
        let dependencies = manifest.get(key).and_then(toml::Value::as_table);
        for dependency in dependencies.into_iter().flat_map(toml::Table::keys) {
            found
                .entry(dependency.clone())
                .or_default()
                .push(name.clone());
        }
    }
    for packages in found.values_mut() {
        packages.sort();
    }
    found
}

/// What the workspace offers to its crates, one of them uses.
#[test]
fn every_dependency_of_the_workspace_is_used_by_a_crate() {
    let workspace: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let mut used = manifests("dependencies");
    used.extend(manifests("dev-dependencies"));
    let offered = workspace["workspace"]["dependencies"].as_table();
    for name in offered.expect("a table").keys() {
        assert!(used.contains_key(name), "Cargo.toml: nobody uses {name}");
    }
}

/// The messages that docs/abi.md explains are messages of the code, up to their third word.
#[test]
fn the_explained_messages_of_rejected_plugins_exist() {
    let mut sources = read("host/src/worker/plugin_library.rs");
    for file in files_below(&repository().join("plugin-api/src/boundary"), "rs") {
        sources += &fs::read_to_string(file).expect("a source file");
    }
    let page = read("docs/abi.md");
    let rows = rows(section(&page, "## When a plugin is rejected"));
    assert!(rows.len() > 5);
    for row in rows {
        let words: Vec<&str> = row[0].split(' ').take(3).collect();
        let start = words.join(" ");
        assert!(sources.contains(&start), "nobody says `{start} …`");
    }
}

/// The table of the README has the columns that the report has.
#[test]
fn the_table_of_the_readme_has_the_columns_of_the_report() {
    let readme = read("README.md");
    let header = readme
        .lines()
        .find(|line| line.starts_with("#  ") && line.contains("  Agent  "))
        .expect("a ranking");
    let sources = files_below(&repository().join("host/src/report"), "rs");
    let table = sources
        .iter()
        .find(|file| file.ends_with("ranked_table.rs"));
    let source = read(&shown(table.expect("the ranking")));
    for column in header.split("  ").map(str::trim) {
        let name = column.split('[').next().unwrap_or_default().trim();
        let is_tile = name.chars().all(|c| c.is_ascii_digit());
        let is_there = source.contains(&format!("\"{name}"));
        assert!(is_tile || is_there, "the report has no column `{name}`");
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
