//! What a program sees of its folder and of the machine, to explain why it misses a file.

use std::path::{Component, Path, PathBuf};

use super::sandbox::SandboxRules;
use crate::{
    text::plugin_words::{PluginWords, name_as_code},
    tournament::Sandbox,
};

/// The program's file and what it may read besides.
#[derive(Debug)]
pub struct FolderView {
    file: PathBuf,
    readable: Vec<PathBuf>,
    mode: Sandbox,
    /// How a program can read what lies beside it.
    beside: &'static str,
    /// How it can read any other file.
    elsewhere: &'static str,
}

/// How much is shown of the words.
const LONGEST_WORDS: usize = 300;

/// Folders of the system, of which a program sees what its interpreter needs. A file that
/// it misses there is not one of its own.
const SYSTEM: [&str; 7] = ["/usr", "/lib", "/lib64", "/proc", "/sys", "/dev", "/bin"];

impl FolderView {
    /// While the program is asked for its description; it sees its own files only.
    #[must_use]
    pub fn while_loading(file: &Path, sandbox: &SandboxRules) -> Self {
        Self {
            file: file.to_path_buf(),
            readable: sandbox.allow_read.clone(),
            mode: sandbox.mode,
            beside: "put both into a folder of their own, with the program as the `main` file \
                     (docs/text-protocol.md)",
            elsewhere: "read it after the line `new`, and name it in `allow_read`",
        }
    }

    pub(super) fn in_a_game(file: &Path, sandbox: &SandboxRules) -> Self {
        Self {
            file: file.to_path_buf(),
            readable: sandbox.allow_read.clone(),
            mode: sandbox.mode,
            beside: "put both into a folder of their own, with the program as the `main` file, \
                     or use `files` or `allow_read` (docs/text-protocol.md)",
            elsewhere: "name it in `allow_read`",
        }
    }

    /// A quotation of the words, with an explanation if they name a file that the sandbox hides.
    #[must_use]
    pub fn explained(&self, words: &str) -> String {
        let quoted = PluginWords::cut(words, LONGEST_WORDS);
        if self.mode == Sandbox::Off || !is_about_a_missing_file(words) {
            return quoted.to_string();
        }
        if let Some(name) = self.hidden_beside(words) {
            return format!(
                "{quoted}; {} lies beside it, but a program in a single file sees only that file: {}",
                name_as_code(&name),
                self.beside
            );
        }
        match self.hidden_elsewhere(words) {
            Some(path) => format!(
                "{quoted}; the sandbox hides {} if it exists: {} (reading only; no agent can write files)",
                name_as_code(&path),
                self.elsewhere
            ),
            None => quoted.to_string(),
        }
    }

    /// The name of a file or folder beside the program that the words quote and that the program
    /// cannot read. Names in the words may have folders, and modules have no ending.
    fn hidden_beside(&self, words: &str) -> Option<String> {
        const ENDINGS: [&str; 5] = ["", ".py", ".js", ".mjs", ".cjs"];
        let folder = self.file.parent()?;
        named_files(words).find_map(|named| {
            let name = Path::new(named).file_name()?.to_str()?;
            let name = if words.contains("No module named") {
                name.split('.').next().filter(|name| !name.is_empty())?
            } else {
                name
            };
            ENDINGS.iter().find_map(|ending| {
                let name = format!("{name}{ending}");
                let path = folder.join(&name);
                (!self.is_readable(&path) && path.exists()).then_some(name)
            })
        })
    }

    /// A path that the words name and that is outside of what the program may read. Whether
    /// there is such a file is not looked at: an agent could ask for any path in this way.
    fn hidden_elsewhere(&self, words: &str) -> Option<String> {
        let folder = self.file.parent()?;
        named_files(words)
            .filter(|named| named.contains('/') && !words.contains("No module named"))
            .find(|named| {
                let path = without_dots(&folder.join(named));
                let is_of_system = SYSTEM.iter().any(|system| path.starts_with(system));
                !is_of_system && !self.is_readable(&path)
            })
            .map(str::to_owned)
    }

    fn is_readable(&self, path: &Path) -> bool {
        let mut readable = self.readable.iter();
        path == self.file || readable.any(|readable| path.starts_with(readable))
    }
}

fn is_about_a_missing_file(words: &str) -> bool {
    // Without a room of its own, a worker sees that the file exists but cannot read it.
    const ERRORS: [&str; 5] = [
        "no module named",
        "cannot find module",
        "no such file",
        "nosuchfileexception",
        "permission denied",
    ];
    let error = words.to_lowercase();
    ERRORS.iter().any(|known| error.contains(known))
}

/// What may be the names of files: every part in quotes, and what Java writes between the name of
/// an exception and a bracket. A name with a backtick is not shown as it is, so it would explain
/// nothing.
fn named_files(words: &str) -> impl Iterator<Item = &str> {
    let in_java = words
        .split_once("FileNotFoundException: ")
        .or_else(|| words.split_once("NoSuchFileException: "))
        .and_then(|(_, rest)| rest.split(" (").next());
    let parts: Vec<&str> = words.split('\'').collect();
    // Every second part is within quotes, except for the last one, whose quote is not closed.
    let n_closed = parts.len().saturating_sub(1);
    let quoted = parts.into_iter().take(n_closed).skip(1).step_by(2);
    quoted.chain(in_java).filter(|name| !name.contains('`'))
}

/// The path without `.` and `..`.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn rules(allow_read: Vec<PathBuf>) -> SandboxRules {
        SandboxRules {
            mode: Sandbox::On,
            memory: 0,
            cpu: None,
            allow_read,
            allow_read_sha256: None,
        }
    }

    #[test]
    fn what_lies_beside_a_program_of_one_file_is_named_if_the_program_misses_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [
            "anna.py",
            "helper.py",
            "weights.txt",
            "anna.weights",
            "tool.js",
        ] {
            fs::write(at(name), "").unwrap();
        }
        let view = FolderView::in_a_game(&at("anna.py"), &rules(vec![at("anna.weights")]));
        for (words, name) in [
            (
                "ModuleNotFoundError: No module named 'helper' (anna.py, line 1)",
                Some("helper.py"),
            ),
            (
                "ModuleNotFoundError: No module named 'helper.inner'",
                Some("helper.py"),
            ),
            (
                "FileNotFoundError: [Errno 2] No such file or directory: 'weights.txt'",
                Some("weights.txt"),
            ),
            (
                "FileNotFoundError: [Errno 2] No such file or directory: './x/../weights.txt'",
                Some("weights.txt"),
            ),
            (
                "PermissionError: [Errno 13] Permission denied: 'weights.txt'",
                Some("weights.txt"),
            ),
            ("Error: Cannot find module './tool'", Some("tool.js")),
            (
                "Error: ENOENT: no such file or directory, open 'weights.txt'",
                Some("weights.txt"),
            ),
            // What it can read is not hidden, and what is not there is only missing.
            (
                "FileNotFoundError: [Errno 2] No such file or directory: 'anna.weights'",
                None,
            ),
            ("ModuleNotFoundError: No module named 'anna'", None),
            ("ModuleNotFoundError: No module named 'numpy'", None),
            (
                "FileNotFoundError: [Errno 2] No such file or directory: '..'",
                None,
            ),
            ("ValueError: 'helper'", None),
            ("No such file '", None),
            ("No module named '.x'", None),
        ] {
            let hidden = Some(words).filter(|words| is_about_a_missing_file(words));
            let hidden = hidden.and_then(|words| view.hidden_beside(words));
            assert_eq!(hidden.as_deref(), name, "{words}");
        }
        let whole = rules(vec![folder.path().into()]);
        let whole_folder = FolderView::while_loading(&at("main.py"), &whole);
        let words = "ModuleNotFoundError: No module named 'helper'";
        assert_eq!(whole_folder.explained(words), format!("“{words}”"));
    }

    #[test]
    fn a_file_elsewhere_is_hidden_and_the_key_that_opens_it_is_named() {
        let allowed = rules(vec!["/data/allowed".into(), "/s/bert".into()]);
        let view = FolderView::in_a_game(Path::new("/s/anna.py"), &allowed);
        let python = "FileNotFoundError: [Errno 2] No such file or directory: ";
        for (words, path) in [
            (format!("{python}'/data/w.bin'"), Some("/data/w.bin")),
            (format!("{python}'../w.bin'"), Some("../w.bin")),
            (format!("{python}'weights/w.bin'"), Some("weights/w.bin")),
            (
                "Exception in thread \"main\" java.nio.file.NoSuchFileException: /data/w.bin"
                    .to_owned(),
                Some("/data/w.bin"),
            ),
            (
                "java.io.FileNotFoundException: /data/w.bin (No such file or directory)".to_owned(),
                Some("/data/w.bin"),
            ),
            // It may read these, if they are there.
            (format!("{python}'/data/allowed/w.bin'"), None),
            (format!("{python}'./bert/w.bin'"), None),
            (format!("{python}'w.bin'"), None),
            (format!("{python}'/usr/lib/w.bin'"), None),
            (
                "ModuleNotFoundError: No module named 'a/b'".to_owned(),
                None,
            ),
            ("ValueError: '/data/w.bin'".to_owned(), None),
            // Words of an agent that would rather have them taken for ours.
            (format!("{python}'/w`: all is well; `x'"), None),
            (format!("{python}'/data/w.bin (anna.py, line 7)"), None),
        ] {
            let explained = view.explained(&words);
            let quoted = words.replace('"', "'");
            let expected = path.map_or(format!("“{quoted}”"), |path| {
                format!(
                    "“{quoted}”; the sandbox hides `{path}` if it exists: name it in `allow_read` (reading only; \
                     no agent can write files)"
                )
            });
            assert_eq!(explained, expected);
        }
        let off = SandboxRules {
            mode: Sandbox::Off,
            ..allowed
        };
        let words = format!("{python}'/data/w.bin'");
        let view = FolderView::in_a_game(Path::new("/s/anna.py"), &off);
        assert_eq!(view.explained(&words), format!("“{words}”"));
    }
}
