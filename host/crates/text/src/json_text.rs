//! Values as JSON text that may be shown on a terminal.

use serde::Serialize;

use super::printable::is_harmful;

/// Indented JSON. Characters that a terminal would obey are written as `\u…`: they occur
/// in strings only, where this means the same.
///
/// # Errors
/// When a value has no representation in JSON.
pub fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    if !text.contains(|c| c != '\n' && is_harmful(c)) {
        return Ok(text);
    }
    let shown = |c: char| match c {
        '\n' => c.to_string(),
        // Two of them for a character beyond the basic plane.
        c if is_harmful(c) => {
            let mut units = [0; 2];
            let units = c.encode_utf16(&mut units).iter();
            units.fold(String::new(), |text, unit| text + &format!("\\u{unit:04x}"))
        }
        c => c.to_string(),
    };
    Ok(text.chars().map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_nothing_that_a_terminal_obeys_and_means_the_same() {
        let value = serde_json::json!({"a": "\u{9b}2J\u{1b}[0m\u{202e}\u{7f}\u{feff}\u{e0041} é"});
        let text = json_text(&value).unwrap();
        assert!(!text.contains(|c| c != '\n' && is_harmful(c)), "{text:?}");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, value);
    }
}
