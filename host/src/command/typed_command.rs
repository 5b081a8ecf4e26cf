//! The command that was typed.

use arena2048::shell_word::quoted;

/// Started again, it plays what is missing. `--fresh` is left out, for it would not
/// resume.
pub(super) fn resuming_command() -> String {
    let words = std::env::args().filter(|word| word != "--fresh");
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    words.join(" ")
}
