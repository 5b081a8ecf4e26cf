//! The text of a tournament file, and its errors, shown at their position.
//!
//! A [`Diagnostic`] knows which key or value it is about. [`Diagnostics`] finds the
//! lines and prints all errors in the order of the file, each with its line and a
//! caret.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use text::printable::printable;

use crate::position::{KeyPath, Position, Target, lines, locate};

/// A file that was read: its text, and its path for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentSource {
    pub path: PathBuf,
    pub text: String,
}

/// Why a tournament file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("tournament file `{}` does not exist", path.display())]
    Missing { path: PathBuf },
    #[error("`{}` is a folder; name a tournament file in it", path.display())]
    Folder { path: PathBuf },
    #[error("cannot read tournament file `{}`", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(
        "`{}` is larger than {} KiB and cannot be a tournament file",
        path.display(),
        TournamentSource::MAX_BYTES / 1024
    )]
    TooLarge { path: PathBuf },
    #[error(
        "{}:{line}:{column}: byte 0x{byte:02x} is not UTF-8; save the file as UTF-8",
        path.display()
    )]
    NotUtf8 {
        path: PathBuf,
        line: usize,
        column: usize,
        byte: u8,
    },
}

impl TournamentSource {
    /// No tournament needs more; a game log given by mistake is rejected here.
    const MAX_BYTES: u64 = 1 << 20;

    #[must_use]
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it is missing, a folder, unreadable, too large or not UTF-8.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let path = path.as_ref();
        let error = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => SourceError::Missing { path: path.into() },
            io::ErrorKind::IsADirectory => SourceError::Folder { path: path.into() },
            _ => SourceError::Unreadable {
                path: path.into(),
                source,
            },
        };
        let mut bytes = Vec::new();
        // Reading one byte more than allowed distinguishes a file that is too large
        // from one that just fits, even if the length is unknown, as with a pipe.
        File::open(path)
            .and_then(|file| file.take(Self::MAX_BYTES + 1).read_to_end(&mut bytes))
            .map_err(error)?;
        Self::from_bytes(path, bytes)
    }

    /// A source with these bytes as its text, without a byte order mark.
    ///
    /// # Errors
    /// If there are too many bytes or they are not UTF-8.
    pub fn from_bytes(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, SourceError> {
        let path = path.into();
        if bytes.len() as u64 > Self::MAX_BYTES {
            return Err(SourceError::TooLarge { path });
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let n_valid = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                let before = String::from_utf8_lossy(&bytes[..n_valid]);
                let line_start = before.rfind('\n').map_or(0, |index| index + 1);
                return Err(SourceError::NotUtf8 {
                    path,
                    line: before.matches('\n').count() + 1,
                    column: before[line_start..].chars().count() + 1,
                    byte: bytes[n_valid],
                });
            }
        };
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.into(),
            None => text,
        };
        Ok(Self { path, text })
    }
}

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

    #[test]
    fn an_unreadable_file_is_rejected_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let message = |name: &str, bytes: Option<&[u8]>| {
            let path = folder.path().join(name);
            if let Some(bytes) = bytes {
                std::fs::write(&path, bytes).unwrap();
            }
            let message = TournamentSource::read(&path).unwrap_err().to_string();
            message.replace(&folder.path().display().to_string(), "HERE")
        };
        assert_eq!(
            message("gone.yaml", None),
            "tournament file `HERE/gone.yaml` does not exist"
        );
        assert_eq!(
            message("", None),
            "`HERE/` is a folder; name a tournament file in it"
        );
        assert_eq!(
            message("latin1.yaml", Some(b"name: x\n# caf\xe9\n")),
            "HERE/latin1.yaml:2:6: byte 0xe9 is not UTF-8; save the file as UTF-8"
        );
        assert_eq!(
            message("log.yaml", Some(&vec![b' '; (1 << 20) + 1])),
            "`HERE/log.yaml` is larger than 1024 KiB and cannot be a tournament file"
        );
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let source = TournamentSource::from_bytes("x", b"\xef\xbb\xbfname: x".to_vec()).unwrap();
        assert_eq!(source.text, "name: x");
    }

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
