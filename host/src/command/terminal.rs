//! How wide the terminal is that a command writes to, if it is one.

use std::{
    io::{self, IsTerminal},
    os::fd::AsFd,
};

use rustix::termios::tcgetwinsize;

/// The columns of standard output; `None` for a file or pipe.
pub(super) fn stdout_width() -> Option<usize> {
    io::stdout().is_terminal().then(|| columns(io::stdout()))
}

/// The columns of standard error; `None` for a file or pipe.
pub(super) fn stderr_width() -> Option<usize> {
    io::stderr().is_terminal().then(|| columns(io::stderr()))
}

/// Asked of the system, because libraries take 80 where the number of rows is unknown.
fn columns(terminal: impl AsFd) -> usize {
    const USUAL: usize = 80;
    match tcgetwinsize(terminal) {
        Ok(size) if size.ws_col > 0 => size.ws_col.into(),
        _ => USUAL,
    }
}
