//! Words in shell commands, quoted where necessary.

use std::path::Path;

use super::printable::is_harmful;

/// Quotes a word so that a shell reads it back unchanged.
///
/// ```
/// # use text::shell_word::quoted;
/// assert_eq!(quoted("runs/t.shards/3-of-8"), "runs/t.shards/3-of-8");
/// assert_eq!(quoted("a b$(c)"), "'a b$(c)'");
/// assert_eq!(quoted("it's"), r"'it'\''s'");
/// assert_eq!(quoted(""), "''");
/// assert_eq!(quoted("two\nlines"), r"$'two\nlines'");
/// ```
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else if word.chars().any(is_harmful) {
        // A name of several lines would look like several lines of the host.
        let escaped = |c: char| match c {
            '\'' | '\\' => format!("\\{c}"),
            '\n' => r"\n".to_owned(),
            c if is_harmful(c) => {
                let bytes = c.to_string().into_bytes();
                let escapes: Vec<_> = bytes.iter().map(|b| format!(r"\x{b:02x}")).collect();
                escapes.concat()
            }
            c => c.to_string(),
        };
        format!("$'{}'", word.chars().map(escaped).collect::<String>())
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A path as a word of a command: never an option.
#[must_use]
pub fn quoted_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.starts_with('-') {
        quoted(&format!("./{text}"))
    } else {
        quoted(&text)
    }
}
