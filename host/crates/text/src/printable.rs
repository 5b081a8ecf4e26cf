//! Text of unknown origin made safe to show: without characters that move the cursor, talk to
//! the terminal, change the direction of writing or cannot be seen, in which a name could hide
//! a difference or a message.

use std::io;

/// Whether a terminal or a page does anything with a character but show it.
#[must_use]
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            // Soft hyphen; marks and overrides of direction; invisible separators and joiners.
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff0}'..='\u{fffb}'
            // Letters that leave their place empty.
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
            // Ends of lines and paragraphs.
            | '\u{2028}' | '\u{2029}'
            // Whole invisible alphabets.
            | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// The text on one line with a blank for each harmful character, cut after `longest`
/// characters. Every character is replaced by exactly one, so positions stay the same.
#[must_use]
pub fn printable(text: &str, longest: usize) -> String {
    let mut short: String = text
        .chars()
        .take(longest)
        .map(|c| if is_harmful(c) { ' ' } else { c })
        .collect();
    if text.chars().nth(longest).is_some() {
        short.push('…');
    }
    short
}

/// The same for text of any length that may have several lines.
#[must_use]
pub fn printable_lines(text: &str) -> String {
    let shown = |c: char| if is_harmful(c) && c != '\n' { ' ' } else { c };
    text.chars().map(shown).collect()
}

/// Writes text for a terminal, with a blank for each harmful character.
#[derive(Debug)]
pub struct PrintableWriter<W>(pub W);

impl<W: io::Write> io::Write for PrintableWriter<W> {
    /// Bytes that are not UTF-8 become replacement characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = printable_lines(&String::from_utf8_lossy(bytes));
        self.0.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_blanks_and_long_text_is_cut() {
        assert_eq!(printable("\u{1b}[2Jred\r\n\u{202e}x", 100), " [2Jred   x");
        assert_eq!(printable(&"é".repeat(9), 3), "ééé…");
        assert_eq!(printable("abc", 3), "abc");
        let invisible = "\u{200b}\u{200d}\u{2028}\u{2060}\u{2066}\u{feff}\u{e0041}\u{ad}\u{3164}\u{2800}\u{e0151}";
        assert_eq!(printable(invisible, 100), " ".repeat(11));
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_written() {
        let mut out = Vec::new();
        let evil = b"\x1b]52;c;ZXZpbA==\x07 \xc2\x9b2J \r\x08 \xff\nok\n";
        io::Write::write_all(&mut PrintableWriter(&mut out), evil).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, " ]52;c;ZXZpbA==   2J    \u{fffd}\nok\n");
    }
}
