//! Commands as a person types them into a shell.

/// The command that was typed: started again, it plays what is missing. `--fresh`
/// is left out, for it would not resume.
pub(super) fn resuming_command() -> String {
    let words = std::env::args().filter(|word| word != "--fresh");
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    words.join(" ")
}

/// A word as a shell reads it back, in quotes where it needs them.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_quotes_gets_them() {
        assert_eq!(quoted("runs/t.shards/3-of-8"), "runs/t.shards/3-of-8");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a b$(c)"), "'a b$(c)'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
