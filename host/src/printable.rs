//! Makes a text of unknown origin fit for a terminal and a table: one line, of
//! bearable length, without what could move a cursor or hide what follows.

/// Control and direction characters become blanks; what is too long is cut.
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
    fn nothing_moves_the_cursor_and_nothing_is_endless() {
        assert_eq!(printable("\u{1b}[2Jred\r\n\u{202e}x", 100), " [2Jred   x");
        assert_eq!(printable(&"é".repeat(9), 3), "ééé…");
        assert_eq!(printable("abc", 3), "abc");
    }
}
