//! Words of a plugin, which are shown in quotation marks only.
//!
//! A plugin chooses the message of its panic, the reason of its refusal and what it prints. A
//! sentence of the host that contains such words must show where they begin and where they end;
//! otherwise a plugin could speak as the host. So `Display` writes the whole quotation, and no
//! method returns the bare words. Only a worker's report to the host carries them.

use std::fmt;

use serde::{Deserialize, Serialize};
use textwrap::core::display_width;

use super::printable::is_harmful;

/// Words of a plugin: on one line, cut, and without anything that could end their quotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct PluginWords(String);

impl PluginWords {
    /// The number of characters shown by default. Sentences of the host are cut later, so the
    /// end of a quotation stays visible.
    const MOST_CHARACTERS: usize = 800;

    #[must_use]
    pub fn new(words: &str) -> Self {
        Self::cut(words, Self::MOST_CHARACTERS)
    }

    /// At most the first `longest` characters.
    #[must_use]
    pub fn cut(words: &str, longest: usize) -> Self {
        Self(on_one_line(words, longest, within_quotation))
    }

    /// The words without a beginning that the sentence of the host already has.
    #[must_use]
    pub fn without_beginning(&self, beginning: &str) -> Self {
        Self(self.0.strip_prefix(beginning).unwrap_or(&self.0).to_owned())
    }

    /// Whether the words contain this text.
    #[must_use]
    pub fn mention(&self, part: &str) -> bool {
        self.0.contains(part)
    }

    /// Whether a sentence already contains these words.
    #[must_use]
    pub fn are_in(&self, sentence: &str) -> bool {
        sentence.contains(&self.0)
    }
}

impl From<String> for PluginWords {
    fn from(words: String) -> Self {
        Self::new(&words)
    }
}

/// The words in quotation marks.
impl fmt::Display for PluginWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "“{}”", self.0)
    }
}

/// A name of unknown origin, such as that of a file, as code within a sentence. A blank at its
/// beginning or end is made visible; otherwise the name would look like another one.
#[must_use]
pub fn name_as_code(name: &str) -> String {
    const MOST_CHARACTERS: usize = 300;
    code_within(name, MOST_CHARACTERS)
}

/// The beginning of a text as code within a sentence, with blanks at its ends made visible.
pub(super) fn code_within(text: &str, longest: usize) -> String {
    let shown = on_one_line(text, longest, within_code);
    let mark = |has_blank: bool| if has_blank { "␣" } else { "" };
    let begin = mark(text.trim_start() != text);
    let end = mark(text.trim_end() != text);
    format!("`{begin}{shown}{end}`")
}

/// The beginning of a text with each character as `shown` gives it, and one blank for several.
pub(super) fn on_one_line(text: &str, longest: usize, shown: fn(char) -> char) -> String {
    let visible = |c: char| {
        if c.is_whitespace() || is_harmful(c) {
            ' '
        } else if is_of_uncertain_width(c) {
            char::REPLACEMENT_CHARACTER
        } else {
            shown(c)
        }
    };
    let mut line = String::new();
    let mut characters = text.trim().chars().map(visible).peekable();
    for _ in 0..longest {
        let Some(character) = characters.next() else {
            return line;
        };
        line.push(character);
        // Many blanks would fill a terminal's line, and the next one would look like a message.
        while character == ' ' && characters.next_if_eq(&' ').is_some() {}
    }
    if characters.peek().is_some() {
        line.push('…');
    }
    line
}

/// Whether terminals disagree about the width of a character. A line with such characters would
/// break in the wrong place, and its rest would stand where lines of the host begin. Accents of the
/// Latin, Greek and Cyrillic alphabets have no width on any terminal.
fn is_of_uncertain_width(c: char) -> bool {
    let is_accent = matches!(c, '\u{300}'..='\u{36f}');
    !is_accent && display_width(c.encode_utf8(&mut [0; 4])) == 0
}

/// A name or a version that a plugin has given itself: quoted unless it is one plain word.
#[must_use]
pub fn word_or_quotation(text: &str) -> String {
    const LONGEST_WORD: usize = 100;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    if text.len() <= LONGEST_WORD && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        PluginWords::new(text).to_string()
    }
}

/// A character as it is shown within a quotation: no mark that looks like the end of one.
fn within_quotation(character: char) -> char {
    match character {
        '"' | '“' | '”' | '„' | '‟' | '″' | '‶' | '〃' | '〝' | '〞' | '〟' | '＂' | 'ʺ' | '˝'
        | 'ˮ' | '״' | '❝' | '❞' | '⹂' | '🙶' | '🙷' | '🙸' | '‘' | '’' | '‚' | '‛' | '′' | '‵'
        | 'ʹ' | 'ʼ' | 'ʽ' | '＇' => '\'',
        character => character,
    }
}

/// A character as it is shown within code: no backtick, and nothing that looks like one.
fn within_code(character: char) -> char {
    match character {
        '`' | '´' | 'ˋ' | '‵' | '｀' => '\'',
        character => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_end_their_quotation() {
        for (words, shown) in [
            ("index out of bounds", "“index out of bounds”"),
            ("called `unwrap`", "“called `unwrap`”"),
            ("no\"; greedy crashed", "“no'; greedy crashed”"),
            ("no”; greedy crashed: “", "“no'; greedy crashed: '”"),
            ("no’’ ″ ＂ ❞ 〞x", "“no'' ' ' ' 'x”"),
            ("a\nfault: b\r\u{1b}[2J\u{202e}c", "“a fault: b [2J c”"),
            ("a\u{3164}\u{2800}\u{a0}\u{2003}b  ", "“a b”"),
            // A vowel sign that takes a column on some terminals, and an accent.
            ("a\u{9be}b e\u{301}", "“a\u{fffd}b e\u{301}”"),
            ("", "“”"),
        ] {
            assert_eq!(PluginWords::new(words).to_string(), shown);
        }
    }

    #[test]
    fn long_words_are_cut_and_their_quotation_is_closed() {
        let many = "é".repeat(100_000);
        let shown = PluginWords::from(many).to_string();
        assert_eq!(shown, format!("“{}…”", "é".repeat(800)));
        assert_eq!(PluginWords::cut("abc", 3).to_string(), "“abc”");
        assert_eq!(PluginWords::cut("abcd", 3).to_string(), "“abc…”");
    }

    #[test]
    fn words_that_cross_a_pipe_are_made_harmless_where_they_arrive() {
        let sent = serde_json::to_string("a”\n b").unwrap();
        let words: PluginWords = serde_json::from_str(&sent).unwrap();
        assert_eq!(words.to_string(), "“a' b”");
        assert_eq!(serde_json::to_string(&words).unwrap(), "\"a' b\"");
    }

    #[test]
    fn names_cannot_end_their_quotation() {
        assert_eq!(name_as_code("anna.so"), "`anna.so`");
        assert_eq!(word_or_quotation("4.2.1-rc+1"), "4.2.1-rc+1");
        assert_eq!(word_or_quotation("1 by greedy"), "“1 by greedy”");
        assert_eq!(name_as_code("depth: \"three\""), "`depth: \"three\"`");
        assert_eq!(name_as_code("a` is fine; `b\n"), "`a' is fine; 'b␣`");
        assert_eq!(name_as_code(" berta"), "`␣berta`");
    }
}
