//! The tournament file: from YAML to a valid [`Tournament`], or to all of its errors at
//! once.
//!
//! serde stops at the first error and does not know the positions of others. Therefore
//! the text is first parsed into a tree (`node`). Every key is then read separately,
//! and its error is kept with the path of the key. Only if there are errors is the text
//! parsed again to find their lines (`locate`). Errors found later, such as an unknown
//! plugin, are reported through the same [`Diagnostics`].

mod agent_reader;
mod budget_reader;
mod consistency;
mod diagnostic;
mod foreign_key;
mod key_path;
mod locate;
mod mapping_reader;
mod memory_size;
mod node;
mod resolved;
mod schema;
mod seed_reader;
mod source;
#[cfg(test)]
mod tests;
mod tournament_reader;
mod value;

use crate::Tournament;

pub use diagnostic::{Diagnostic, DiagnosticSubject, Diagnostics};
pub use key_path::{KeyPath, PathStep};
pub use resolved::check_resolved;
pub use schema::json_schema;
pub use source::{SourceError, TournamentSource};

/// Reads a tournament.
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

/// A tournament, and where each of its agents stands in the file.
#[derive(Clone, Debug)]
pub struct ReadTournament {
    pub tournament: Tournament,
    /// The entry of each agent, in the order of the agents.
    pub places: Vec<KeyPath>,
}

/// Reads a tournament as far as it can be read: keys with errors have their default, and
/// agents with errors are left out. So the plugins of a file with errors can be checked too.
/// There is none if the file is not a mapping.
pub fn read_what_is_there(
    source: &TournamentSource,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ReadTournament> {
    let root = node::parse(&source.text)
        .map_err(|diagnostic| diagnostics.push(diagnostic))
        .ok()?;
    tournament_reader::read(&root, source, diagnostics)
}
