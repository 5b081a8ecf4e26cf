//! The tournament file: from YAML to a valid [`Tournament`], or to all of its errors at
//! once.
//!
//! serde stops at the first error and does not know the positions of others. Therefore
//! the text is first parsed into a tree (`node`). Every key is then read separately
//! (`mapping`), and its error is kept with the path of the key. Only if there are errors is the
//! text parsed again to find their lines (`locate`). Errors found later, such as an unknown
//! plugin, are reported through the same [`Diagnostics`].
//!
//! The functions `read` of [`Tournament`], [`Budget`](crate::Budget),
//! [`StopRule`](crate::StopRule) and [`Entry`] declare the keys: each names a key, what it accepts
//! (`value_type`), its default and its meaning. Run on an empty mapping, the same functions give
//! the JSON Schema (`schema`) and the tables of `docs/tournament-file.md`, which a test compares.

mod diagnostic;
mod key_path;
mod locate;
mod mapping;
mod node;
mod schema;
mod source;
#[cfg(test)]
mod tests;
mod value;
mod value_type;

use std::path::Path;

use crate::{Entry, Tournament, check::Contradiction, is_plain_name};

pub use diagnostic::{Diagnostic, Diagnostics};
pub use key_path::{KeyPath, PathStep};
pub use schema::json_schema;
pub use source::{SourceError, TournamentSource};

pub(crate) use locate::{Target, locate};
pub(crate) use mapping::{Mapping, report_duplicate_keys};
pub(crate) use node::Node;
pub(crate) use value::LocatedValue;
pub(crate) use value_type::{
    ValueType, byte_size, check_positive_duration, duration, none_or, none_schema, number_in,
    one_of, positive, positive_duration, positive_or,
};

/// Reads a tournament without the agents of its folders.
///
/// # Errors
/// All errors of the file.
///
/// ```
/// # use tournament::file::{parse, TournamentSource};
/// let source = TournamentSource::new("two.yaml", "agents:\n- plugin: mcts\n- plugin: snake\n");
/// let tournament = parse(&source).unwrap();
/// assert_eq!(tournament.name, "two");
/// assert_eq!(tournament.agents[1].plugin, "snake");
/// ```
pub fn parse(source: &TournamentSource) -> Result<Tournament, Diagnostics> {
    match read(source) {
        Ok(read) => Ok(read.tournament),
        Err(diagnostics) => Err(Diagnostics::new(source, diagnostics)),
    }
}

/// Reads a tournament for callers that do not show errors as lines of a file.
///
/// # Errors
/// All errors, each with the key it is about.
pub fn read(source: &TournamentSource) -> Result<ReadTournament, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    match read_what_is_there(source, &mut diagnostics) {
        Some(read) if diagnostics.is_empty() => Ok(read),
        _ => Err(diagnostics),
    }
}

/// A tournament and the entries of its list `agents`.
#[derive(Clone, Debug)]
pub struct ReadTournament {
    pub tournament: Tournament,
    /// Agents and folders in the order of the file, each with its place.
    pub entries: Vec<(KeyPath, Entry)>,
}

impl ReadTournament {
    /// Whether there are agents that the file does not name.
    #[must_use]
    pub fn has_folders(&self) -> bool {
        self.entries
            .iter()
            .any(|(_, entry)| entry.agent().is_none())
    }
}

/// Reads a tournament as far as it can be read: keys with errors have their default, and
/// entries with errors are left out. So the plugins of a file with errors can be checked too.
/// Returns `None` if the file is not a mapping.
pub fn read_what_is_there(
    source: &TournamentSource,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ReadTournament> {
    let root = node::parse(&source.text)
        .map_err(|diagnostic| diagnostics.push(diagnostic))
        .ok()?;
    if root == Node::Null {
        let message = "the file is empty; it needs at least `agents`";
        diagnostics.push(Diagnostic::of_file(message));
        return None;
    }
    let root = LocatedValue::root(&root, &source.text);
    let expected = "a mapping with keys such as `agents`";
    Mapping::read(&root, expected, diagnostics, |file| {
        let (tournament, entries) = Tournament::read(file, name_of_file(&source.path));
        let read = ReadTournament {
            tournament,
            entries,
        };
        for Contradiction {
            key,
            relies_on,
            message,
        } in read.tournament.contradictions()
        {
            // The names of agents in folders are not known yet.
            let is_known =
                |key: &&str| file.is_sound(key) && !(*key == "agents" && read.has_folders());
            if relies_on.iter().all(is_known) {
                file.error(key, message);
            }
        }
        read
    })
}

/// The name of a tournament without `name`: that of its file, if it is a valid name.
fn name_of_file(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    is_plain_name(stem).then(|| stem.to_owned())
}
