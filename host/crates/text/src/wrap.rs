//! Wraps text for a terminal.
//!
//! A terminal continues a long line in its first column, where lines of the host begin. So text
//! that is not the host's is wrapped here, and every line after the first is marked.

use textwrap::{
    Options, WordSplitter, WrapAlgorithm,
    core::{Word, display_width},
};

/// The words of a text in lines of at most `width` columns, each ending in a line feed.
///
/// Lines after the first start with `indent`. A word longer than a line stays whole, so that
/// paths and hashes can be copied, unless it is part of a quotation, “…”. Without a width there
/// is one line.
#[must_use]
pub fn wrapped(text: &str, indent: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        let words: Vec<&str> = text.split_whitespace().collect();
        return words.join(" ") + "\n";
    };
    let mut words = Vec::new();
    let mut is_quoted = false;
    for word in text.split_whitespace() {
        is_quoted |= word.contains('“');
        if is_quoted {
            let room = width.saturating_sub(indent.len()).max(1);
            words.extend(Word::from(word).break_apart(room).map(|part| part.word));
        } else {
            words.push(word);
        }
        if let (Some(end), begin) = (word.rfind('”'), word.rfind('“')) {
            is_quoted = begin.is_some_and(|begin| begin > end);
        }
    }
    let options = Options::new(width)
        .subsequent_indent(indent)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(&words.join(" "), options) + "\n"
}

/// Like [`wrapped`], but breaks every word that is longer than a line.
#[must_use]
fn wrapped_strictly(text: &str, indent: &str, width: Option<usize>) -> String {
    let room = width.map_or(usize::MAX, |width| {
        width.saturating_sub(indent.len()).max(2)
    });
    let words = text.split_whitespace().map(Word::from);
    let parts: Vec<&str> = words
        .flat_map(|word| {
            word.break_apart(room)
                .map(|part| part.word)
                .collect::<Vec<_>>()
        })
        .collect();
    wrapped(&parts.join(" "), indent, width)
}

/// A title and, indented, the lines below it; no word begins where a title does.
#[must_use]
pub fn block<'d>(
    title: &str,
    details: impl IntoIterator<Item = &'d String>,
    width: Option<usize>,
) -> String {
    const INDENT: &str = "    ";
    let room = width.map(|width| width.saturating_sub(INDENT.len()));
    let details = details.into_iter();
    let details: String = details
        .map(|detail| wrapped_strictly(detail, INDENT, room))
        .collect();
    let indented = details.lines().map(|line| format!("{INDENT}{line}\n"));
    wrapped_strictly(title, INDENT, width) + &indented.collect::<String>()
}

/// A text with several lines, of which only those wider than the terminal are wrapped.
#[must_use]
pub fn fitted(text: &str, indent: &str, width: Option<usize>) -> String {
    let fits = |line: &str| width.is_none_or(|width| display_width(line) <= width);
    let lines = text.lines().map(|line| {
        if fits(line) {
            format!("{line}\n")
        } else {
            wrapped(line, indent, width)
        }
    });
    lines.collect()
}

/// A line that an agent printed, in rows that each begin with `mark`.
#[must_use]
pub fn marked_rows(mark: &str, line: &str, width: Option<usize>) -> Vec<String> {
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(mark.len()).max(2));
    // The blanks within a line are part of what was printed, so it counts as one word.
    let line = Word::from(line);
    if line.word.is_empty() {
        return vec![mark.trim_end().to_owned()];
    }
    let rows = line.break_apart(room);
    rows.map(|row| format!("{mark}{}", row.word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_nowhere_else() {
        let text = "one  two\nthree a-word-that-is-longer-than-the-line four";
        assert_eq!(
            wrapped(text, "  ", Some(12)),
            "one two\n  three\n  a-word-that-is-longer-than-the-line\n  four\n"
        );
        assert_eq!(
            wrapped(text, "  ", None),
            "one two three a-word-that-is-longer-than-the-line four\n"
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrapped("漢字 漢字", "", Some(6)), "漢字\n漢字\n");
    }

    #[test]
    fn a_quotation_never_begins_a_line_of_the_terminal() {
        let text = "it said “no: warning:the-sandbox-is-incomplete” and ended";
        let lines = wrapped(text, "  ", Some(16));
        assert_eq!(
            lines,
            "it said “no:\n  warning:the-sa\n  ndbox-is-incom\n  plete” and\n  ended\n"
        );
        let after = wrapped("“a” /a/path/that/is/long", "  ", Some(8));
        assert_eq!(after, "“a”\n  /a/path/that/is/long\n");
    }

    #[test]
    fn only_lines_that_are_too_wide_are_wrapped() {
        let text = "  short:    1\n      ^\nthis one is too long";
        let fitted = fitted(text, "  ", Some(14));
        assert_eq!(fitted, "  short:    1\n      ^\nthis one is\n  too long\n");
    }

    #[test]
    fn every_row_of_a_printed_line_is_marked() {
        let line = format!("{}warning: x", " ".repeat(6));
        assert_eq!(
            marked_rows("  | ", &line, Some(10)),
            ["  |       ", "  | warnin", "  | g: x"]
        );
        assert_eq!(marked_rows("  | ", "a  b", None), ["  | a  b"]);
        assert_eq!(marked_rows("  | ", "", Some(10)), ["  |"]);
    }
}
