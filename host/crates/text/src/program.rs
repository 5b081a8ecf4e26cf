//! The name of this program: `host`, `arena2048`, or another under which it was installed.

use std::{env, ffi::OsStr, path::Path, sync::OnceLock};

use super::shell_word::quoted;

/// Its usual name, and that in tests of libraries.
const USUAL: &str = "host";

static NAME: OnceLock<String> = OnceLock::new();

/// Takes the name under which the program was called; `main` does so first.
pub fn remember_name() {
    let called = env::args_os().next().unwrap_or_default();
    // It cannot be set yet.
    let _ = NAME.set(name_of(&called));
}

/// Its name, for messages, help and pages.
#[must_use]
pub fn name() -> &'static str {
    NAME.get().map_or(USUAL, String::as_str)
}

/// A command of this program, for messages and pages.
///
/// ```
/// assert_eq!(text::program::command("run"), "host run");
/// ```
#[must_use]
pub fn command(arguments: &str) -> String {
    format!("{} {arguments}", name())
}

/// This program as it was called, path and all, for a command line to paste.
#[must_use]
pub fn as_called() -> String {
    quoted(&env::args().next().unwrap_or_else(|| USUAL.to_owned()))
}

/// The last part of a path that was called, if it can stand in a sentence and in a script.
fn name_of(called: &OsStr) -> String {
    let is_plain = |name: &&str| {
        let mut letters = name.chars();
        letters.all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
    };
    let name = Path::new(called).file_name().and_then(OsStr::to_str);
    name.filter(is_plain).unwrap_or(USUAL).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_file_unless_it_is_odd() {
        for (called, name) in [
            ("arena2048", "arena2048"),
            ("/usr/bin/arena2048", "arena2048"),
            ("target/debug/host", "host"),
            ("", "host"),
            ("./a b", "host"),
        ] {
            assert_eq!(name_of(OsStr::new(called)), name, "{called}");
        }
    }
}
