//! Standard output, where every command prints its results.

use std::io::{self, ErrorKind, Write};

/// A reader that closes the pipe early, as `head` does, is no error: the rest is dropped, and the
/// command ends with its own exit code. Other errors name standard output.
#[derive(Debug, Default)]
pub(crate) struct StandardOutput {
    is_closed: bool,
}

impl StandardOutput {
    /// Whether the reader has closed the pipe, so that a long search for more is in vain.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    fn checked<T>(&mut self, result: io::Result<T>, if_closed: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(if_closed)
            }
            // The callers try again.
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            result => result.map_err(|error| {
                let message = format!("cannot write to standard output: {error}");
                io::Error::new(error.kind(), message)
            }),
        }
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = io::stdout().write(bytes);
        self.checked(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = io::stdout().flush();
        self.checked(result, ())
    }
}
