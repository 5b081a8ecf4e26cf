//! What a program has written, line by line.

use super::text_protocol::LONGEST_LINE;

/// Bytes that have come, of which the first line is next.
#[derive(Debug, Default)]
pub struct LineBuffer(Vec<u8>);

/// A line without its end, or the beginning of one that is too long.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProgramLine {
    Whole(Vec<u8>),
    TooLong(Vec<u8>),
}

impl LineBuffer {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Whether a line has come, or more than a line may have.
    pub(super) fn has_line(&self) -> bool {
        self.0.len() > LONGEST_LINE || self.0.contains(&b'\n')
    }

    /// The next line, if all of it has come.
    pub(super) fn take(&mut self) -> Option<ProgramLine> {
        match self.0.iter().position(|&byte| byte == b'\n') {
            Some(end) if end <= LONGEST_LINE => {
                let rest = self.0.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.0, rest);
                line.pop();
                Some(ProgramLine::Whole(line))
            }
            None if self.0.len() <= LONGEST_LINE => None,
            _ => Some(ProgramLine::TooLong(std::mem::take(&mut self.0))),
        }
    }

    /// What has come although nothing was asked for, up to the end of its line.
    pub(super) fn unasked(&self) -> Option<&[u8]> {
        let first = self.0.split(|&byte| byte == b'\n').next();
        first.filter(|_| !self.0.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_pieces_and_several_at_once() {
        let mut lines = LineBuffer::default();
        lines.push(b"rea");
        assert_eq!(lines.take(), None);
        lines.push(b"dy\nmove up\nx");
        assert_eq!(lines.take(), Some(ProgramLine::Whole(b"ready".to_vec())));
        assert_eq!(lines.unasked(), Some(b"move up".as_slice()));
        assert_eq!(lines.take(), Some(ProgramLine::Whole(b"move up".to_vec())));
        assert_eq!(lines.unasked(), Some(b"x".as_slice()));
    }

    #[test]
    fn a_line_has_a_limit() {
        let mut lines = LineBuffer::default();
        lines.push(&vec![b'x'; LONGEST_LINE]);
        assert_eq!(lines.take(), None);
        lines.push(b"\n");
        assert!(matches!(lines.take(), Some(ProgramLine::Whole(_))));
        lines.push(&vec![b'x'; LONGEST_LINE + 1]);
        assert!(matches!(lines.take(), Some(ProgramLine::TooLong(_))));
        assert_eq!(lines.unasked(), None);
        lines.push(&vec![b'x'; LONGEST_LINE + 1]);
        lines.push(b"\n");
        assert!(matches!(lines.take(), Some(ProgramLine::TooLong(_))));
    }
}
