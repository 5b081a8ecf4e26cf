//! Wraps sentences for a terminal.

use textwrap::{Options, WordSplitter, WrapAlgorithm};

/// The words of a text in lines of at most `width` columns, each ending in a line feed.
///
/// Lines after the first start with `indent`. A word longer than a line stays whole, so that
/// paths and hashes can be copied. Without a width there is one line.
#[must_use]
pub fn wrapped(text: &str, indent: &str, width: Option<usize>) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let Some(width) = width else {
        return line + "\n";
    };
    let options = Options::new(width)
        .subsequent_indent(indent)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(&line, options) + "\n"
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
}
