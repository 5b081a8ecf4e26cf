//! The command line that resumes a run, which this program prints for the user to paste.

use text::shell_word::quoted;

/// The command line as it was typed, without `--fresh`, which would start anew.
pub(super) fn resuming_command() -> String {
    let words = std::env::args().filter(|word| word != "--fresh");
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    words.join(" ")
}
