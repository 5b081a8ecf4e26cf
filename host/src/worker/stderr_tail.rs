//! The last lines that a worker wrote to its standard error output.
//!
//! Only the end is kept: an agent that writes a megabyte a move costs no memory,
//! and the end is where the reason for a crash stands.

use std::collections::VecDeque;

/// The most bytes kept.
const LONGEST: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct StderrTail(VecDeque<u8>);

impl StderrTail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
        let excess = self.0.len().saturating_sub(LONGEST);
        self.0.drain(..excess);
    }

    /// The text, beginning with a whole line where there is one.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.0.iter().copied().collect();
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
