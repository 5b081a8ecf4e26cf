//! The last lines that a worker wrote to its standard error output.
//!
//! Only the end is kept: an agent that writes a megabyte per move costs no memory,
//! and the end is where the reason for a crash stands.

use std::collections::VecDeque;

use super::stderr_echo::StderrEcho;

/// The most bytes kept.
const LONGEST: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct StderrTail {
    last_bytes: VecDeque<u8>,
    /// Where people see all of it.
    echo: Option<StderrEcho>,
}

impl StderrTail {
    /// Of an agent whose lines people see under this label, if there is one.
    pub(super) fn shown_as(label: Option<&str>) -> Self {
        Self {
            last_bytes: VecDeque::new(),
            echo: label.map(StderrEcho::new),
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.last_bytes.extend(bytes);
        let excess = self.last_bytes.len().saturating_sub(LONGEST);
        self.last_bytes.drain(..excess);
        if let Some(echo) = &mut self.echo {
            echo.push(bytes);
        }
    }

    /// The text, beginning with a whole line where there is one.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.last_bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let is_cut = bytes.len() == LONGEST;
        match text.split_once('\n') {
            Some((_, rest)) if is_cut && !rest.is_empty() => rest.to_owned(),
            _ => text.into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept() {
        let mut tail = StderrTail::default();
        for number in 0..10_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        let text = tail.text();
        assert!(text.len() <= LONGEST);
        assert!(text.starts_with("line ") && text.ends_with("line 9999\n"));
    }
}
