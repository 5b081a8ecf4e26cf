//! A folder of agents: each file in it takes part under its own name.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A folder whose plugins all take part, such as the submissions of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentFolder {
    /// The folder as written in the file, without the pattern.
    pub folder: PathBuf,
    /// Which of its files take part, such as `*.so`; all of them if there is none.
    pub pattern: Option<String>,
    /// Its place in the list of agents, and how many agents of the list come before it.
    pub index: usize,
    pub n_before: usize,
    /// The parameters of every agent in it.
    pub params: serde_json::Map<String, serde_json::Value>,
    /// Paths that the sandbox lets every agent in it read, as written in the file.
    pub allow_read: Vec<PathBuf>,
    /// How much memory the workers of every agent in it may allocate, in bytes, if that
    /// differs from the others.
    pub memory: Option<u64>,
}

impl AgentFolder {
    /// The folder and the pattern in a text such as `submissions` or `submissions/*.so`. A
    /// pattern can only be the last part.
    ///
    /// # Errors
    /// If there is a pattern elsewhere.
    pub fn split(text: &str) -> Result<(PathBuf, Option<String>), &'static str> {
        let is_pattern = |part: &str| part.contains(['*', '?']);
        let text = text.trim_end_matches('/');
        let (folder, last) = text.rsplit_once('/').unwrap_or((".", text));
        match (is_pattern(folder), is_pattern(last)) {
            (true, _) => Err("only the last part of the path can be a pattern"),
            (false, true) => Ok((or_root(folder), Some(last.to_owned()))),
            (false, false) => Ok((or_root(text), None)),
        }
    }

    /// Whether a file of this name takes part.
    #[must_use]
    pub fn includes(&self, file_name: &str) -> bool {
        let matches = |pattern: &String| matches(pattern, file_name);
        self.pattern.as_ref().is_none_or(matches)
    }
}

fn or_root(folder: &str) -> PathBuf {
    if folder.is_empty() { "/" } else { folder }.into()
}

/// Whether a name matches a pattern, where `*` stands for any characters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut position) = (0, 0);
    // Where the last `*` stands, and how much of the name it covers so far.
    let mut star: Option<(usize, usize)> = None;
    while position < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, position));
                at += 1;
            }
            Some(&c) if c == '?' || c == name[position] => {
                at += 1;
                position += 1;
            }
            _ => match star {
                Some((star_at, covered)) => {
                    star = Some((star_at, covered + 1));
                    at = star_at + 1;
                    position = covered + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_of_a_path_may_be_a_pattern() {
        let split = |text| AgentFolder::split(text);
        let parts = |folder: &str, pattern: Option<&str>| {
            Ok((PathBuf::from(folder), pattern.map(str::to_owned)))
        };
        assert_eq!(split("submissions"), parts("submissions", None));
        assert_eq!(split("./a/b/"), parts("./a/b", None));
        assert_eq!(split("a/*.so"), parts("a", Some("*.so")));
        assert_eq!(split("*.so"), parts(".", Some("*.so")));
        assert_eq!(split("/*.so"), parts("/", Some("*.so")));
        assert_eq!(split("/"), parts("/", None));
        assert!(split("a/*/b").is_err());
    }

    #[test]
    fn a_star_is_any_text_and_a_question_mark_one_character() {
        for (pattern, name, expected) in [
            ("*.so", "libanna.so", true),
            ("*.so", "libanna.so.c", false),
            ("*a*b", "xaxbxb", true),
            ("a?.py", "aä.py", true),
            ("a?.py", "a.py", false),
            ("*", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
        // Many stars cost no more than the product of both lengths.
        assert!(!matches(&"*a".repeat(1000), &"a".repeat(999)));
    }
}
