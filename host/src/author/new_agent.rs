//! Creates a new agent that builds and plays without an edit: a crate, or a C file with
//! a Makefile.
//!
//! The files are in `host/templates`; `{{name}}` and similar placeholders are filled
//! in. Existing files are never changed.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The language of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Rust,
    C,
}

/// The agent to create.
#[derive(Clone, Debug)]
pub struct NewAgent<'a> {
    pub name: &'a str,
    pub language: Language,
    /// The name under which the host program was called.
    pub host: &'a str,
    /// The path of `plugin-api`; without it, a version from the registry is used.
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

/// Reserved words of Rust, and crates that a plugin depends on.
const TAKEN: [&str; 46] = [
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "plugin_api",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "type",
    "use",
    "while",
];
/// The agents that come with the host: a new one of the same name would hide it.
pub const SHIPPED: [&str; 8] = [
    "backtracking",
    "expectimax",
    "greedy",
    "mcts",
    "minimax",
    "ntuple",
    "random",
    "snake",
];

/// Checks whether an agent may have this name.
///
/// # Errors
/// If it may not, with the reason and a name that may be used.
///
/// ```
/// # use arena2048::author::new_agent::check_name;
/// assert!(check_name("corner_2").is_ok());
/// let error = check_name("my-agent").unwrap_err().to_string();
/// assert!(error.ends_with("use `my_agent`"), "{error}");
/// ```
pub fn check_name(name: &str) -> Result<(), NewAgentError> {
    const LONGEST: usize = 64;
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
        let better = match check_name(&better) {
            Ok(()) => better,
            // Reached if the name has two errors.
            Err(_) => format!("agent_{}", better.trim_start_matches('_')),
        };
        let reason = format!(
            "`{letter}` is not a lower-case letter, a digit or `_`, which the library name lib{better}.so requires; use `{better}`"
        );
        return bad(reason);
    }
    if !name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        return bad(format!(
            "it does not start with a letter; use `agent_{name}`"
        ));
    }
    if name.len() > LONGEST {
        return bad(format!("it has more than {LONGEST} letters"));
    }
    if TAKEN.contains(&name) {
        return bad(format!("it is a reserved word in Rust; use `{name}_agent`"));
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
        check_name(self.name)?;
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
        let files: Vec<(&str, &str)> = match self.language {
            Language::Rust => vec![
                (
                    "Cargo.toml",
                    include_str!("../../templates/rust/Cargo.toml.template"),
                ),
                (
                    "src/lib.rs",
                    include_str!("../../templates/rust/lib.rs.template"),
                ),
                (
                    "tournament.yaml",
                    include_str!("../../templates/rust/tournament.yaml.template"),
                ),
                (
                    "README.md",
                    include_str!("../../templates/rust/README.md.template"),
                ),
                (
                    ".gitignore",
                    include_str!("../../templates/rust/gitignore.template"),
                ),
            ],
            Language::C => vec![
                (
                    "{{name}}.c",
                    include_str!("../../templates/c/agent.c.template"),
                ),
                (
                    "Makefile",
                    include_str!("../../templates/c/Makefile.template"),
                ),
                (
                    "tournament.yaml",
                    include_str!("../../templates/c/tournament.yaml.template"),
                ),
                (
                    "README.md",
                    include_str!("../../templates/c/README.md.template"),
                ),
                (
                    ".gitignore",
                    include_str!("../../templates/c/gitignore.template"),
                ),
            ],
        };
        let mut files: Vec<(String, String)> = files
            .into_iter()
            .map(|(name, text)| (self.filled(name), self.filled(text)))
            .collect();
        if self.language == Language::C {
            files.push((
                "agent2048.h".to_owned(),
                plugin_api::c_abi::HEADER.to_owned(),
            ));
        }
        files.extend(self.lock_file());
        files
    }

    /// The versions that the host was built with: they work together and have already
    /// been downloaded to this machine.
    fn lock_file(&self) -> Option<(String, String)> {
        let checkout = self
            .plugin_api
            .filter(|_| self.language == Language::Rust)?
            .parent()?;
        let text = fs::read_to_string(checkout.join("Cargo.lock")).ok()?;
        Some(("Cargo.lock".to_owned(), text))
    }

    fn filled(&self, text: &str) -> String {
        let plugin_api = match self.plugin_api {
            Some(path) => format!("{{ path = {:?} }}", path.display().to_string()),
            None => format!("{:?}", env!("CARGO_PKG_VERSION")),
        };
        text.replace("{{name}}", self.name)
            .replace("{{host}}", self.host)
            .replace("{{plugin_api}}", &plugin_api)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, reason: &str) {
        let error = check_name(name).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }

    #[test]
    fn invalid_names_are_rejected_with_a_valid_one() {
        check("", "it is empty");
        check("a/b", "it is a path");
        check("My Agent", "use `my_agent`");
        check("2048", "use `agent_2048`");
        check("match", "use `match_agent`");
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
        for language in [Language::Rust, Language::C] {
            let new = NewAgent {
                name: "corner",
                language,
                host: "host",
                plugin_api: Some(Path::new("/checkout/plugin-api")),
            };
            for (name, text) in new.files() {
                assert!(
                    !text.contains("{{") || name == "agent2048.h",
                    "{name}: {text}"
                );
            }
        }
    }
}
