//! The copy of `plugin-api` that a new crate gets.
//!
//! `plugin-api` is not on crates.io, where a crate of a similar name belongs to another project,
//! and a path into this checkout would break when either folder is moved. So the files are part of
//! this program, and the crate keeps them beside its own code.

/// The folder of the copy in the new crate.
pub(super) const FOLDER: &str = "plugin-api";

/// The versions of all dependencies.
pub(super) const LOCK: &str = include_str!("../../../../../Cargo.lock");

const MANIFEST: &str = include_str!("../../templates/rust/plugin-api.toml.template");

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../../plugin-api/", $path)))),*]
    };
}

const FILES: &[(&str, &str)] = files![
    "README.md",
    "build.rs",
    "include/agent2048.h",
    "src/boundary.rs",
    "src/boundary/abi.rs",
    "src/boundary/abi/exported.rs",
    "src/boundary/abi/layout_differences.rs",
    "src/boundary/abi/module.rs",
    "src/boundary/c_abi.rs",
    "src/boundary/c_abi/host_functions.rs",
    "src/boundary/c_abi/last_frame.rs",
    "src/boundary/loaded_plugin.rs",
    "src/boundary/wire.rs",
    "src/contract.rs",
    "src/contract/agent.rs",
    "src/contract/budget.rs",
    "src/contract/choice.rs",
    "src/contract/clock.rs",
    "src/contract/explain.rs",
    "src/contract/export_agent.rs",
    "src/contract/extension.rs",
    "src/contract/game_setup.rs",
    "src/contract/info.rs",
    "src/contract/notes.rs",
    "src/contract/parameter_mistake.rs",
    "src/contract/parameters.rs",
    "src/contract/solve.rs",
    "src/contract/stop_flag.rs",
    "src/contract/turn.rs",
    "src/lib.rs",
    "src/rules.rs",
    "src/rules/board.rs",
    "src/rules/cell_mask.rs",
    "src/rules/dice.rs",
    "src/rules/direction.rs",
    "src/rules/empty_cells.rs",
    "src/rules/four_share.rs",
    "src/rules/game.rs",
    "src/rules/lanes.rs",
    "src/rules/packed_board.rs",
    "src/rules/play_out.rs",
    "src/rules/row_tables.rs",
    "src/rules/salt.rs",
    "src/rules/side.rs",
    "src/rules/slide.rs",
    "src/rules/tile_sequence.rs",
];

/// The files, with their paths in the new crate.
pub(super) fn files() -> impl Iterator<Item = (String, String)> {
    let manifest = MANIFEST.replace("{{version}}", env!("CARGO_PKG_VERSION"));
    let files = FILES.iter().map(|&(path, text)| (path, text.to_owned()));
    files
        .chain([("Cargo.toml", manifest)])
        .map(|(path, text)| (format!("{FOLDER}/{path}"), text))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    fn repository() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
    }

    fn sources_below(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources_below(&path, found);
            } else {
                let path = path.strip_prefix(repository()).unwrap();
                found.insert(path.display().to_string());
            }
        }
    }

    #[test]
    fn the_copy_has_every_source_file() {
        let mut expected = BTreeSet::new();
        sources_below(&repository().join("plugin-api/src"), &mut expected);
        let copied = files().map(|(path, _)| path);
        let copied: BTreeSet<String> = copied.filter(|path| path.contains("/src/")).collect();
        assert_eq!(copied, expected);
    }

    /// It has the dependencies of the original, with the versions of the workspace.
    #[test]
    fn the_manifest_of_the_copy_says_what_the_original_says() {
        let table = |path: &str| -> toml::Table {
            let text = fs::read_to_string(repository().join(path)).unwrap();
            text.parse().unwrap()
        };
        let (workspace, original) = (table("Cargo.toml"), table("plugin-api/Cargo.toml"));
        let copy: toml::Table = MANIFEST.replace("{{version}}", "0.0.0").parse().unwrap();
        let versions = workspace["workspace"]["dependencies"].as_table().unwrap();
        let dependencies = copy["dependencies"].as_table().unwrap();
        let names = |table: &toml::Table| table.keys().cloned().collect::<Vec<_>>();
        assert_eq!(
            names(dependencies),
            names(original["dependencies"].as_table().unwrap())
        );
        for (name, dependency) in dependencies {
            let part = |table: &toml::Value, key: &str| table.get(key).cloned();
            let version = |it: &toml::Value| part(it, "version").unwrap_or_else(|| it.clone());
            assert_eq!(version(dependency), version(&versions[name]), "{name}");
            let features = |it: &toml::Value| part(it, "features");
            let wanted =
                features(&versions[name]).or_else(|| features(&original["dependencies"][name]));
            assert_eq!(features(dependency), wanted, "{name}");
            let plain = |it: &toml::Value| part(it, "default-features");
            assert_eq!(plain(dependency), plain(&versions[name]), "{name}");
        }
        let package = |key: &str| workspace["workspace"]["package"][key].clone();
        for key in ["edition", "rust-version", "license"] {
            assert_eq!(copy["package"][key], package(key), "{key}");
        }
    }
}
