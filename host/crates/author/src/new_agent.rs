//! Creates a new agent that builds and plays without an edit, in one of several languages.
//!
//! The files are in `host/crates/author/templates`; `{{name}}` and similar placeholders are filled
//! in. Existing files are never changed.

mod language;
mod plugin_api_copy;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

pub use language::Language;
use run::agent::SHIPPED;

/// The agent to create.
#[derive(Clone, Debug)]
pub struct NewAgent<'a> {
    pub name: &'a str,
    pub language: Language,
    /// The name under which the host program was called.
    pub host: &'a str,
    /// The path of `plugin-api` for a crate; without it, the crate gets a copy of its own and can
    /// be moved.
    pub plugin_api: Option<&'a Path>,
}

/// Why no agent was created.
#[derive(Debug, thiserror::Error)]
pub enum NewAgentError {
    #[error("`{name}` cannot be the name of an agent: {reason}")]
    BadName { name: String, reason: String },
    #[error("`{}` already exists; choose a different name or move it away", .0.display())]
    Exists(PathBuf),
    #[error("`{}` cannot be written: {error}", path.display())]
    Unwritable { path: PathBuf, error: io::Error },
}

/// Checks whether an agent may have this name.
///
/// # Errors
/// If it may not, with the reason and a name that may be used.
///
/// ```
/// # use author::new_agent::check_name;
/// use author::new_agent::Language;
///
/// assert!(check_name("corner_2", Language::Rust).is_ok());
/// let error = check_name("my-agent", Language::C).unwrap_err().to_string();
/// assert!(error.ends_with("use `my_agent`"), "{error}");
/// ```
pub fn check_name(name: &str, language: Language) -> Result<(), NewAgentError> {
    const MOST_LETTERS: usize = 64;
    let bad = |reason: String| {
        Err(NewAgentError::BadName {
            name: name.to_owned(),
            reason,
        })
    };
    if name.is_empty() {
        return bad("it is empty".to_owned());
    }
    if name.contains('/') {
        return bad("it is a path; change to the folder first and use a plain name".to_owned());
    }
    let is_known = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    if let Some(letter) = name
        .chars()
        .find(|&letter| !is_known(letter) && letter != '_')
    {
        let better: String = name
            .to_lowercase()
            .chars()
            .map(|letter| if is_known(letter) { letter } else { '_' })
            .collect();
        let better = match check_name(&better, language) {
            Ok(()) => better,
            // Reached if the name has two errors.
            Err(_) => format!("agent_{}", better.trim_start_matches('_')),
        };
        let reason = format!(
            "`{letter}` is not a lower-case letter, a digit or `_`, which file and module names require; use `{better}`"
        );
        return bad(reason);
    }
    if !name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        return bad(format!(
            "it does not start with a letter; use `agent_{name}`"
        ));
    }
    if name.len() > MOST_LETTERS {
        return bad(format!("it has more than {MOST_LETTERS} letters"));
    }
    if language.reserved_words().contains(&name) {
        return bad(format!(
            "it has a meaning in {}; use `{name}_agent`",
            language.name()
        ));
    }
    if SHIPPED.contains(&name) {
        return bad(format!(
            "the host comes with an agent of this name; use `my_{name}`"
        ));
    }
    Ok(())
}

impl NewAgent<'_> {
    /// Creates the agent in a new folder of its name and returns the files.
    ///
    /// # Errors
    /// If the name is not allowed, or the folder exists or cannot be written.
    pub fn write(&self, parent: &Path) -> Result<Vec<PathBuf>, NewAgentError> {
        check_name(self.name, self.language)?;
        let folder = parent.join(self.name);
        let unwritable = |path: &Path, error| match error {
            error if io::Error::kind(&error) == io::ErrorKind::AlreadyExists => {
                NewAgentError::Exists(path.to_path_buf())
            }
            error => NewAgentError::Unwritable {
                path: path.to_path_buf(),
                error,
            },
        };
        fs::create_dir(&folder).map_err(|error| unwritable(&folder, error))?;
        let mut written = Vec::new();
        for (name, text) in self.files() {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|error| unwritable(parent, error))?;
            }
            let mut file = fs::File::create_new(&path).map_err(|error| unwritable(&path, error))?;
            file.write_all(text.as_bytes())
                .map_err(|error| unwritable(&path, error))?;
            written.push(path);
        }
        Ok(written)
    }

    fn files(&self) -> Vec<(String, String)> {
        let templates = self.language.templates().iter();
        let mut files: Vec<(String, String)> = templates
            .map(|(name, text)| (self.filled(name), self.filled(text)))
            .collect();
        match self.language {
            Language::C | Language::Cpp => {
                let header = plugin_api::c_abi::HEADER.to_owned();
                files.push(("agent2048.h".to_owned(), header));
            }
            Language::Rust => {
                // The versions that the host was built with: they work together.
                files.push(("Cargo.lock".to_owned(), plugin_api_copy::LOCK.to_owned()));
                if self.plugin_api.is_none() {
                    files.extend(plugin_api_copy::files());
                }
            }
            Language::Go | Language::Java | Language::Js | Language::Python => {}
        }
        files
    }

    fn filled(&self, text: &str) -> String {
        let plugin_api = match self.plugin_api {
            Some(path) => path.display().to_string(),
            None => plugin_api_copy::FOLDER.to_owned(),
        };
        text.replace("{{name}}", self.name)
            .replace("{{host}}", self.host)
            .replace("{{plugin_api}}", &format!("{plugin_api:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, reason: &str) {
        let error = check_name(name, Language::Rust).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }

    #[test]
    fn invalid_names_are_rejected_with_a_valid_one() {
        check("", "it is empty");
        check("a/b", "it is a path");
        check("My Agent", "use `my_agent`");
        check("2048", "use `agent_2048`");
        check("match", "it has a meaning in Rust; use `match_agent`");
        assert!(check_name("match", Language::Python).is_ok());
        assert!(check_name("json", Language::Python).is_err());
        check("greedy", "use `my_greedy`");
        check("é", "`é` is not a lower-case letter");
        check(&"a".repeat(65), "more than 64");
    }

    #[test]
    fn existing_files_are_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let new = NewAgent {
            name: "corner",
            language: Language::C,
            host: "host",
            plugin_api: None,
        };
        assert_eq!(new.write(folder.path()).unwrap().len(), 6);
        fs::write(folder.path().join("corner/corner.c"), "mine").unwrap();
        let error = new.write(folder.path()).unwrap_err();
        assert!(error.to_string().contains("already exists"), "{error}");
        let text = fs::read_to_string(folder.path().join("corner/corner.c")).unwrap();
        assert_eq!(text, "mine");
    }

    #[test]
    fn no_placeholder_is_left() {
        for language in Language::ALL {
            let new = NewAgent {
                name: "corner",
                language,
                host: "host",
                plugin_api: None,
            };
            for (name, text) in new.files() {
                // The code of plugin-api has braces of its own.
                let is_template = !name.starts_with("plugin-api/") && name != "agent2048.h";
                let mut braces = text.match_indices("{{").map(|(at, _)| &text[at + 2..]);
                let has_placeholder = braces.any(|rest| rest.starts_with(char::is_alphabetic));
                assert!(!is_template || !has_placeholder, "{name}: {text}");
            }
        }
    }
}
