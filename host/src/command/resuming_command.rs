//! Command lines that this program prints for the user to paste.

use crate::text::shell_word::quoted;

/// The command line as it was typed, without `--fresh`, which would start anew.
pub(super) fn resuming_command() -> String {
    let words = std::env::args().filter(|word| word != "--fresh");
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    words.join(" ")
}

/// This program as it was called, for the beginning of a command line.
pub(super) fn called_program() -> String {
    quoted(&std::env::args().next().unwrap_or_else(|| "host".to_owned()))
}
