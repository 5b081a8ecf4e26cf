//! Text of unknown origin made safe for a terminal: one line, of limited length, without
//! characters that move the cursor or change the direction of writing.

/// The text with a blank for each control or direction character, cut after `longest`
/// characters. Every character is replaced by exactly one, so that positions stay the same.
#[must_use]
pub fn printable(text: &str, longest: usize) -> String {
    let is_harmful = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_blanks_and_long_text_is_cut() {
        assert_eq!(printable("\u{1b}[2Jred\r\n\u{202e}x", 100), " [2Jred   x");
        assert_eq!(printable(&"é".repeat(9), 3), "ééé…");
        assert_eq!(printable("abc", 3), "abc");
    }
}
