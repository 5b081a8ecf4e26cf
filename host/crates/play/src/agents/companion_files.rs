//! Files that a plugin names and that lie beside it: weights or tables.
//!
//! They belong to the plugin: its agents may read them without a key in the tournament file,
//! and they are hashed with it. A plugin may be hostile and share its folder with others, so
//! it cannot name just any file there: only files of its own name with one ending, no links,
//! and no more than every worker's room can hold. With a second ending, `max.mueller.weights`
//! would be a file of `max.py` as well as of `max.mueller.py`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use plugin_api::PluginInfo;

use text::plugin_words::name_as_code;
use tournament::{AgentEntry, PROGRAM_EXTENSIONS};
use worker::open_regular;

/// The most bytes that all files of a plugin may have. They are copied into memory.
const MOST_BYTES: u64 = 1 << 30;

/// Why a plugin cannot have the files that it names.
#[derive(Debug, thiserror::Error)]
pub enum CompanionError {
    #[error(
        "names the file {}; its files are called {} and one ending that is not that of a plugin",
        name_as_code(name),
        name_as_code(&format!("{plugin}."))
    )]
    ForeignName { name: String, plugin: String },
    #[error("needs the file {}: {source}", name_as_code(&path.to_string_lossy()))]
    Missing { path: PathBuf, source: io::Error },
    #[error("needs the file {}, which is not a file but a link, folder or device", name_as_code(&path.to_string_lossy()))]
    NotAFile { path: PathBuf },
    #[error("needs files of more than {} MiB", MOST_BYTES >> 20)]
    TooLarge,
}

/// The files that the plugin at an absolute path names in its description.
///
/// # Errors
/// If it may not have one of them, or there is none.
pub fn companion_files(plugin: &Path, info: &PluginInfo) -> Result<Vec<PathBuf>, CompanionError> {
    let folder = plugin.parent().unwrap_or(Path::new("/"));
    let plugin = AgentEntry::default_name(&plugin.to_string_lossy()).to_owned();
    let mut n_bytes = 0_u64;
    let mut files = Vec::new();
    for name in &info.files {
        let ending = name
            .strip_prefix(&plugin)
            .and_then(|rest| rest.strip_prefix('.'))
            .filter(|ending| {
                !ending.is_empty() && !is_code(ending) && !ending.contains(['/', '\0', '.'])
            });
        if ending.is_none() {
            let name = name.clone();
            return Err(CompanionError::ForeignName { name, plugin });
        }
        let path = folder.join(name);
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(source) => return Err(CompanionError::Missing { path, source }),
        };
        if !metadata.is_file() {
            return Err(CompanionError::NotAFile { path });
        }
        if let Err(source) = open_regular(&path) {
            return Err(CompanionError::Missing { path, source });
        }
        n_bytes = n_bytes.saturating_add(metadata.len());
        files.push(path);
    }
    if n_bytes > MOST_BYTES {
        return Err(CompanionError::TooLarge);
    }
    Ok(files)
}

/// Whether this is the ending of a plugin. It may be another agent's of the same name.
fn is_code(ending: &str) -> bool {
    ending == "so" || PROGRAM_EXTENSIONS.contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> PluginInfo {
        let info = serde_json::json!({"name": "x", "files": names}).to_string();
        PluginInfo::from_json(&info).unwrap()
    }

    #[test]
    fn a_plugin_has_files_of_its_own_name_only() {
        let folder = tempfile::tempdir().unwrap();
        let plugin = folder.path().join("libx.so");
        for name in ["x.weights", "y.weights", "x.y.weights", "x.y.py"] {
            fs::write(folder.path().join(name), "1").unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("x.link")).unwrap();
        let files = |name| companion_files(&plugin, &named(&[name]));
        assert_eq!(
            files("x.weights").unwrap(),
            [folder.path().join("x.weights")]
        );
        for foreign in [
            "x.so",
            "x.y.weights",
            "x.y.py",
            "y.weights",
            "x./../y.weights",
            "../x.weights",
            "x",
            "x.",
            "",
        ] {
            let error = files(foreign).unwrap_err();
            assert!(
                matches!(error, CompanionError::ForeignName { .. }),
                "{error}"
            );
        }
        let error = files("x.link").unwrap_err().to_string();
        assert!(
            error.ends_with("which is not a file but a link, folder or device"),
            "{error}"
        );
        let error = files("x.table").unwrap_err().to_string();
        assert!(error.contains("x.table`: No such file"), "{error}");
    }

    #[test]
    fn files_that_no_room_could_hold_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let file = fs::File::create(folder.path().join("x.huge")).unwrap();
        file.set_len(MOST_BYTES + 1).unwrap();
        let error = companion_files(&folder.path().join("x.so"), &named(&["x.huge"])).unwrap_err();
        assert_eq!(error.to_string(), "needs files of more than 1024 MiB");
    }
}
