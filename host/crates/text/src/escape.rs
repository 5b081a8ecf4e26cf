//! Text of unknown origin made safe for Markdown, LaTeX and JSON.
//!
//! Names, versions, parameters and fault messages come from plugins. Each output format has one
//! place that keeps such text from changing the document around it: this one for Markdown, LaTeX
//! and JSON, [`printable`](super::printable) for terminals,
//! [`CsvTable`](super::csv_table::CsvTable) for CSV, and `maud` for HTML.

use serde::Serialize;

use super::printable::{is_harmful, printable};

/// Text for a sentence, a heading or a table cell in Markdown.
///
/// A backslash goes before each character that could start markup: a cell border, emphasis,
/// code, a formula, a link, an HTML tag or a character reference; at the beginning, also a
/// heading or a quotation. The result is on one line.
#[must_use]
pub fn markdown(text: &str) -> String {
    let text = printable(text, usize::MAX);
    let mut escaped = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut previous = ' ';
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        let is_markup = match letter {
            '\\' | '|' | '*' | '`' | '~' | '$' => true,
            '#' | '>' => escaped.trim_start().is_empty() && letters.peek().is_some(),
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            '&' => next.is_ascii_alphabetic() || next == '#',
            // A link, or the definition of one.
            '(' | '[' | ':' => previous == ']',
            // Inside a word an underscore is only a letter: `my_agent`.
            '_' => !previous.is_alphanumeric() || !next.is_alphanumeric(),
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(letter);
        previous = letter;
    }
    escaped
}

/// Text for a sentence or a table cell in LaTeX, with the signs of our tables in math mode.
#[must_use]
pub fn latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut previous = ' ';
    for letter in printable(text, usize::MAX).chars() {
        match letter {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '<' | '>' | '=' => escaped.extend(['$', letter, '$']),
            // A minus sign, not a hyphen.
            '-' if !previous.is_alphanumeric() => escaped.push_str("$-$"),
            '–' => escaped.push_str("--"),
            'µ' => escaped.push_str("$\\mu$"),
            '×' => escaped.push_str("$\\times$"),
            '→' => escaped.push_str("$\\rightarrow$"),
            '≤' => escaped.push_str("$\\le$"),
            '≈' => escaped.push_str("$\\approx$"),
            '∞' => escaped.push_str("$\\infty$"),
            other => escaped.push(other),
        }
        previous = letter;
    }
    escaped
}

/// A value as indented JSON. Characters that a terminal would obey are written as `\u…`; they occur
/// only in strings, where this means the same.
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
        // A character beyond the basic plane has two units.
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
    fn latex_has_no_commands_from_names() {
        assert_eq!(
            latex(r"my_agent-2 & \input{x} 5% [-3, ∞) 20 µs 2 → 4"),
            r"my\_agent-2 \& \textbackslash{}input\{x\} 5\% [$-$3, $\infty$) 20 $\mu$s 2 $\rightarrow$ 4"
        );
    }

    #[test]
    fn markdown_text_cannot_start_markup() {
        for (text, escaped) in [
            ("a|b", r"a\|b"),
            ("<b>bold</b>", r"\<b>bold\</b>"),
            ("[here](http://x)", r"[here]\(http://x)"),
            ("**loud** `code`", r"\*\*loud\*\* \`code\`"),
            (r"a\|b", r"a\\\|b"),
            ("&lt; _x_", r"\&lt; \_x\_"),
            ("# loud", r"\# loud"),
            ("[a]: http://x", r"[a]\: http://x"),
            ("~~$x$~~", r"\~\~\$x\$\~\~"),
            ("two\nlines", "two lines"),
        ] {
            assert_eq!(markdown(text), escaped);
        }
    }

    #[test]
    fn plain_markdown_text_stays_readable() {
        for text in [
            "24,469 [23,700, 25,240]",
            "p < 0.001",
            "my_agent-2",
            "R & D",
        ] {
            assert_eq!(markdown(text), text);
        }
    }

    #[test]
    fn json_has_nothing_that_a_terminal_obeys_and_means_the_same() {
        let value = serde_json::json!({"a": "\u{9b}2J\u{1b}[0m\u{202e}\u{7f}\u{feff}\u{e0041} é"});
        let text = json_text(&value).unwrap();
        assert!(!text.contains(|c| c != '\n' && is_harmful(c)), "{text:?}");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, value);
    }
}
