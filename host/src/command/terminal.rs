//! How wide the terminal is that a command writes to, if it is one.

use std::io::{self, IsTerminal};

use console::Term;

/// The columns of standard output; `None` for a file or pipe.
pub(super) fn stdout_width() -> Option<usize> {
    let is_terminal = io::stdout().is_terminal();
    is_terminal.then(|| usize::from(Term::stdout().size().1))
}

/// The columns of standard error; `None` for a file or pipe.
pub(super) fn stderr_width() -> Option<usize> {
    let is_terminal = io::stderr().is_terminal();
    is_terminal.then(|| usize::from(Term::stderr().size().1))
}
