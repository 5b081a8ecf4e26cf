//! What a program sees of its folder, to explain why it misses a file that lies there.

use std::path::{Path, PathBuf};

use crate::text::printable::printable;

/// The program's file and what it may read besides.
#[derive(Debug)]
pub struct FolderView {
    file: PathBuf,
    readable: Vec<PathBuf>,
    way_out: &'static str,
}

/// How much of a name is shown.
const LONGEST_NAME: usize = 100;

impl FolderView {
    /// While the program is asked for its description; it sees its own files only.
    #[must_use]
    pub fn while_loading(file: &Path, own_files: Vec<PathBuf>) -> Self {
        Self {
            file: file.to_path_buf(),
            readable: own_files,
            way_out: "put both into a folder of their own, with the program as the `main` file \
                      (docs/text-protocol.md)",
        }
    }

    pub(super) fn in_a_game(file: &Path, readable: &[PathBuf]) -> Self {
        Self {
            file: file.to_path_buf(),
            readable: readable.to_vec(),
            way_out: "put both into a folder of their own, with the program as the `main` file, \
                      or use `files` or `allow_read` (docs/text-protocol.md)",
        }
    }

    /// The words, with an explanation if they name something that lies beside the program.
    #[must_use]
    pub fn explained(&self, words: String) -> String {
        match self.hidden(&words) {
            Some(name) => format!(
                "{words}; `{}` lies beside it, but a program in a single file sees only that file: {}",
                printable(&name, LONGEST_NAME),
                self.way_out
            ),
            None => words,
        }
    }

    /// The name of a file or folder beside the program that the words quote and that the program
    /// cannot read. Names in the words may have folders, and modules have no ending.
    fn hidden(&self, words: &str) -> Option<String> {
        const ENDINGS: [&str; 5] = ["", ".py", ".js", ".mjs", ".cjs"];
        // Without a room of its own, a worker sees that the file exists but cannot read it.
        const ERRORS: [&str; 4] = [
            "no module named",
            "cannot find module",
            "no such file",
            "permission denied",
        ];
        let error = words.to_lowercase();
        if !ERRORS.iter().any(|known| error.contains(known)) {
            return None;
        }
        let folder = self.file.parent()?;
        // Every second part is within quotes.
        words.split('\'').skip(1).step_by(2).find_map(|quoted| {
            let name = Path::new(quoted).file_name()?.to_str()?;
            let name = if words.contains("No module named") {
                name.split('.').next()?
            } else {
                name
            };
            ENDINGS.iter().find_map(|ending| {
                let name = format!("{name}{ending}");
                let path = folder.join(&name);
                let is_readable = path == self.file
                    || self
                        .readable
                        .iter()
                        .any(|readable| path.starts_with(readable));
                (!is_readable && path.exists()).then_some(name)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

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
        let view = FolderView::in_a_game(&at("anna.py"), &[at("anna.weights")]);
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
        ] {
            assert_eq!(view.hidden(words).as_deref(), name, "{words}");
        }
        let whole_folder = FolderView::while_loading(&at("main.py"), vec![folder.path().into()]);
        let words = "ModuleNotFoundError: No module named 'helper'";
        assert_eq!(whole_folder.explained(words.to_owned()), words);
    }
}
