//! Errors in a tournament file, shown at their position.
//!
//! A [`Diagnostic`] knows which key or value it is about. [`Diagnostics`] finds the
//! lines and prints all errors in the order of the file, each with its line and a
//! caret.

use std::{fmt, path::PathBuf};

use super::{
    key_path::KeyPath,
    locate::{Position, Target, lines, locate},
    source::TournamentSource,
};
use text::printable::printable;

/// One error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    subject: Subject,
    /// Lower case, no full stop, with a way to fix it.
    pub message: String,
}

/// What an error is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    /// What the path leads to; for the root, the file as a whole. If a value is not written in
    /// the file, the error is shown at the nearest value around it.
    Path(KeyPath, Target),
    /// A position, counted from 1 in characters.
    Position { line: usize, column: usize },
}

/// All errors of one file. Printed as
///
/// ```text
/// tournaments/x.yaml:7:13: unknown agent plugin `expectmax`; did you mean `expectimax`?
///   7 |   - plugin: expectmax
///     |             ^^^^^^^^^
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    path: PathBuf,
    located: Vec<LocatedDiagnostic>,
    /// The number of errors beyond those shown.
    n_more: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct LocatedDiagnostic {
    message: String,
    excerpt: Option<Excerpt>,
}

/// A line of the file with a part of it marked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    line: usize,
    column: usize,
    written_line: String,
    n_before: usize,
    n_marked: usize,
}

impl Diagnostic {
    /// An error about the file as a whole.
    #[must_use]
    pub fn of_file(message: impl Into<String>) -> Self {
        Self::at_value(&KeyPath::root(), message)
    }

    /// An error about a value.
    #[must_use]
    pub fn at_value(path: &KeyPath, message: impl Into<String>) -> Self {
        Self::at(path, Target::Value, message)
    }

    /// An error about a key.
    #[must_use]
    pub fn at_key(path: &KeyPath, message: impl Into<String>) -> Self {
        Self::at(path, Target::Key, message)
    }

    /// An error about what a path leads to.
    pub(crate) fn at(path: &KeyPath, target: Target, message: impl Into<String>) -> Self {
        Self {
            subject: Subject::Path(path.clone(), target),
            message: message.into(),
        }
    }

    /// An error at a position, counted from 1 in characters.
    pub(crate) fn at_position(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self {
            subject: Subject::Position { line, column },
            message: message.into(),
        }
    }

    /// The path of what the error is about, unless the file is not YAML.
    #[must_use]
    pub fn path(&self) -> Option<&KeyPath> {
        match &self.subject {
            Subject::Path(path, _) => Some(path),
            Subject::Position { .. } => None,
        }
    }

    /// The line of what the error is about, if it has one.
    pub(crate) fn position(&self, text: &str) -> Option<Position> {
        let (path, target) = match &self.subject {
            Subject::Path(path, target) => (path, *target),
            Subject::Position { line, column } => {
                return Some(Position {
                    line: *line,
                    column: *column,
                    text: None,
                });
            }
        };
        let around = std::iter::successors(Some(path.clone()), KeyPath::parent);
        // The root has no line of its own.
        let mut around = around.filter(|path| *path != KeyPath::root());
        match target {
            Target::Value => around.find_map(|path| locate(text, &path, target)),
            Target::Key | Target::SecondKey => locate(text, path, target),
        }
    }
}

impl Diagnostics {
    /// More would not be read, and each costs a pass over the file.
    pub(crate) const MAX_SHOWN: usize = 50;

    /// The errors of a file, in the order of their lines.
    #[must_use]
    pub fn new(source: &TournamentSource, diagnostics: Vec<Diagnostic>) -> Self {
        let n_more = diagnostics.len().saturating_sub(Self::MAX_SHOWN);
        let mut located: Vec<_> = diagnostics
            .into_iter()
            .take(Self::MAX_SHOWN)
            .map(|diagnostic| LocatedDiagnostic {
                excerpt: diagnostic
                    .position(&source.text)
                    .map(|position| Excerpt::new(&source.text, &position)),
                message: diagnostic.message,
            })
            .collect();
        located.sort_by_key(LocatedDiagnostic::line_and_column);
        // A value used through two aliases is reported once.
        located.dedup();
        Self {
            path: source.path.clone(),
            located,
            n_more,
        }
    }

    /// The number of errors.
    #[must_use]
    pub fn n_diagnostics(&self) -> usize {
        self.located.len() + self.n_more
    }

    /// Only the messages, in the order of the file.
    pub fn messages(&self) -> impl Iterator<Item = &str> {
        self.located
            .iter()
            .map(|diagnostic| diagnostic.message.as_str())
    }
}

impl std::error::Error for Diagnostics {}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        for (index, diagnostic) in self.located.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            let message = printable(&diagnostic.message, usize::MAX);
            match &diagnostic.excerpt {
                None => write!(f, "{separator}{path}: {message}")?,
                Some(excerpt) => {
                    let (line, column) = (excerpt.line, excerpt.column);
                    write!(f, "{separator}{path}:{line}:{column}: {message}\n{excerpt}")?;
                }
            }
        }
        match (self.n_diagnostics(), self.n_more) {
            (0 | 1, _) => Ok(()),
            (n_diagnostics, 0) => write!(f, "\n{n_diagnostics} errors in {path}"),
            (n_diagnostics, n_more) => {
                write!(
                    f,
                    "\n{n_diagnostics} errors in {path}, {n_more} of them not shown"
                )
            }
        }
    }
}

impl LocatedDiagnostic {
    /// Orders errors by position, those of the whole file first.
    fn line_and_column(&self) -> (usize, usize) {
        self.excerpt
            .as_ref()
            .map_or((0, 0), |excerpt| (excerpt.line, excerpt.column))
    }
}

impl Excerpt {
    /// Longer lines are cut around the marked part.
    const MAX_WIDTH: usize = 100;

    fn new(text: &str, position: &Position) -> Self {
        let line: Vec<char> = lines(text)
            .nth(position.line.saturating_sub(1))
            .unwrap_or_default()
            .chars()
            .collect();
        let n_before = position.column.saturating_sub(1).min(line.len());
        let n_marked = length_of(position.text.as_deref(), &line[n_before..]);
        let start = match n_before {
            _ if line.len() <= Self::MAX_WIDTH => 0,
            n_before => n_before.saturating_sub(Self::MAX_WIDTH / 2),
        };
        let end = line.len().min(start + Self::MAX_WIDTH);
        Self {
            line: position.line,
            column: position.column,
            written_line: printable(&line[start..end].iter().collect::<String>(), usize::MAX),
            n_before: n_before - start,
            n_marked: n_marked.min((end - n_before).max(1)),
        }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            written_line,
            n_before,
            n_marked,
            ..
        } = self;
        let margin = line.to_string().len();
        let written_line = format!("  {line} | {written_line}");
        writeln!(f, "{}", written_line.trim_end())?;
        write!(f, "  {0:margin$} | {0:n_before$}{0:^<n_marked$}", "")
    }
}

/// The number of characters of the line that the value starting there occupies.
fn length_of(value: Option<&str>, line: &[char]) -> usize {
    let length = match line.first() {
        Some(quote @ ('"' | '\'')) => line[1..]
            .iter()
            .position(|c| c == quote)
            .map(|index| index + 2),
        _ => value
            .filter(|value| line.starts_with(&value.chars().collect::<Vec<_>>()))
            .map(|value| value.chars().count()),
    };
    length.unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, diagnostics: Vec<Diagnostic>) -> String {
        Diagnostics::new(&TournamentSource::new("x.yaml", text), diagnostics).to_string()
    }

    #[test]
    fn diagnostics_are_shown_in_the_order_of_the_file() {
        let agent = KeyPath::root().key("agents").index(0);
        let shown = show(
            "name: \"a b\"\nagents:\n- plugin: expectmax\n",
            vec![
                Diagnostic::at_value(&agent.key("plugin"), "unknown agent plugin `expectmax`"),
                Diagnostic::at_value(&agent.key("params").key("depth"), "missing"),
                Diagnostic::at_key(&KeyPath::root().key("name"), "about a key"),
                Diagnostic::at_value(&KeyPath::root().key("name"), "about a value"),
                Diagnostic::at_value(&KeyPath::root(), "about everything"),
            ],
        );
        insta::assert_snapshot!(shown, @r#"
        x.yaml: about everything
        x.yaml:1:1: about a key
          1 | name: "a b"
            | ^^^^
        x.yaml:1:7: about a value
          1 | name: "a b"
            |       ^^^^^
        x.yaml:3:3: missing
          3 | - plugin: expectmax
            |   ^
        x.yaml:3:11: unknown agent plugin `expectmax`
          3 | - plugin: expectmax
            |           ^^^^^^^^^
        5 errors in x.yaml
        "#);
    }

    #[test]
    fn a_single_diagnostic_is_not_counted() {
        let shown = show("", vec![Diagnostic::of_file("empty")]);
        assert_eq!(shown, "x.yaml: empty");
    }

    #[test]
    fn long_lines_are_cut_and_control_characters_replaced() {
        let text = format!(
            "a: \"{}\u{7f}\", b: oops, c: {}",
            "x".repeat(300),
            "y".repeat(300)
        );
        let column = text.chars().position(|c| c == 'o').unwrap() + 1;
        let shown = show(
            &text,
            vec![Diagnostic::at_position(1, column, "\u{1b}[31mred")],
        );
        insta::assert_snapshot!(shown, @r#"
        x.yaml:1:312:  [31mred
          1 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ", b: oops, c: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
            |                                                   ^
        "#);
    }

    #[test]
    fn a_position_outside_the_file_shows_no_text() {
        let shown = show("a: 1", vec![Diagnostic::at_position(9, 9, "gone")]);
        assert_eq!(shown, "x.yaml:9:9: gone\n  9 |\n    | ^");
    }
}
