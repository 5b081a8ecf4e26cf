//! Words in shell commands, quoted where necessary.

/// Quotes a word so that a shell reads it back unchanged.
///
/// ```
/// # use arena2048::text::shell_word::quoted;
/// assert_eq!(quoted("runs/t.shards/3-of-8"), "runs/t.shards/3-of-8");
/// assert_eq!(quoted("a b$(c)"), "'a b$(c)'");
/// assert_eq!(quoted("it's"), r"'it'\''s'");
/// assert_eq!(quoted(""), "''");
/// ```
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// This program as it was called, for the beginning of a command line.
#[must_use]
pub fn called_program() -> String {
    quoted(&std::env::args().next().unwrap_or_else(|| "host".to_owned()))
}
