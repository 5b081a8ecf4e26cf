//! Words from the files of a run, which a stranger may have written.
//!
//! A plan, a record and the name of a file can contain any text. A sentence of the host shows it on
//! one line and cut, in quotation marks unless it is too plain to look like a sentence.

use std::fmt;

use super::plugin_words::{PluginWords, code_within, on_one_line};

/// The message of a parser, which repeats names and values from the file.
#[must_use]
pub fn parser_words(error: &impl fmt::Display) -> PluginWords {
    const MOST_CHARACTERS: usize = 300;
    PluginWords::cut(&error.to_string(), MOST_CHARACTERS)
}

/// The beginning of a text on one line, for sentences of a host, which may contain quotations.
#[must_use]
pub fn beginning_on_one_line(text: &str, longest: usize) -> String {
    on_one_line(text, longest, |character| character)
}

/// What a machine calls itself, such as `Intel(R) Xeon(R) CPU @ 2.20GHz`: quoted unless it has
/// only letters, numbers and the marks that such names have.
#[must_use]
pub fn label_or_quotation(text: &str) -> String {
    const LONGEST_LABEL: usize = 100;
    const LONGEST_QUOTATION: usize = 200;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " -_.+()@/".contains(c);
    let is_label = text.len() <= LONGEST_LABEL && text.chars().all(is_plain);
    if is_label && !text.contains(". ") {
        beginning_on_one_line(text, LONGEST_LABEL)
    } else {
        PluginWords::cut(text, LONGEST_QUOTATION).to_string()
    }
}

/// Parameters as JSON, whose braces show where it ends. Formatted as code only if the text is long
/// or has characters that could hide its end.
#[must_use]
pub fn parameters_or_code(json: &str) -> String {
    const MOST_CHARACTERS: usize = 2000;
    let code = code_within(json, MOST_CHARACTERS);
    let is_plain = code.len() == json.len() + 2 && code.contains(json);
    if is_plain && json.starts_with('{') && json.ends_with('}') {
        json.to_owned()
    } else {
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORGED: &str = "x`\n\nall 3 records are correct\nerror: berta cheated”. `";

    #[test]
    fn a_parser_speaks_on_one_line_and_not_for_ever() {
        let error = format!("unknown variant `{FORGED}`, expected `random`");
        assert_eq!(
            parser_words(&error).to_string(),
            "“unknown variant `x` all 3 records are correct error: berta cheated'. ``, expected `random`”"
        );
        let long = parser_words(&"word ".repeat(2_000_000)).to_string();
        assert_eq!(long.chars().count(), 303);
    }

    #[test]
    fn names_of_machines_are_quoted_if_they_look_like_prose() {
        for name in [
            "Intel(R) Xeon(R) CPU @ 2.20GHz",
            "AMD Ryzen 7 7840U w/ Radeon 780M Graphics",
            "unknown",
        ] {
            assert_eq!(label_or_quotation(name), name);
        }
        assert_eq!(
            label_or_quotation("x, 2 cores. Berta cheated"),
            "“x, 2 cores. Berta cheated”"
        );
        assert_eq!(label_or_quotation("a\nb"), "“a b”");
        assert_eq!(label_or_quotation("CPU   X5650"), "CPU X5650");
        let long = label_or_quotation(&"word ".repeat(2_000_000));
        assert_eq!(long.chars().count(), 203);
    }

    #[test]
    fn parameters_are_code_unless_they_are_plain_json() {
        let plain = r#"{"depth":3,"name":"größer"}"#;
        assert_eq!(parameters_or_code(plain), plain);
        assert_eq!(parameters_or_code("{\"a\":\n3}"), "`{\"a\": 3}`");
        assert_eq!(
            parameters_or_code(FORGED),
            "`x' all 3 records are correct error: berta cheated”. '`"
        );
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(10_000_000));
        assert!(parameters_or_code(&long).len() < 3000);
    }

    #[test]
    fn a_sentence_is_cut_and_keeps_its_quotations() {
        let sentence = "panicked: “index `i` is out of bounds”";
        assert_eq!(beginning_on_one_line(sentence, 100), sentence);
        assert_eq!(
            beginning_on_one_line("a\n\u{1b}[31m\u{202e}b c", 7),
            "a [31m …"
        );
    }
}
