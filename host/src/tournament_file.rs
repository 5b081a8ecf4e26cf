//! A tournament as written: from the YAML file to a valid [`Tournament`], or to all
//! of its mistakes at once.
//!
//! serde stops at the first mistake and forgets where the others are. So the text
//! becomes a tree first (`node`), every key is read on its own and leaves its
//! mistake with the path of the key, and only where there are mistakes is the text
//! read again to find their lines (`locate`). What is found later, such as an
//! unknown plugin, is reported through the same [`Mistakes`].

mod agent_reader;
mod budget_reader;
mod consistency;
mod key_path;
mod locate;
mod mapping_reader;
mod mistake;
mod node;
mod schema;
mod seed_reader;
mod source;
#[cfg(test)]
mod tests;
mod tournament_reader;
mod value;

use crate::tournament::Tournament;

pub use key_path::{KeyPath, Step};
pub use mistake::{Mistake, Mistakes, Place};
pub use schema::json_schema;
pub use source::{SourceError, TournamentSource};

/// Reads a tournament.
///
/// # Errors
/// With everything that is wrong in the file.
///
/// ```
/// # use arena2048::tournament_file::{parse, TournamentSource};
/// let source = TournamentSource::new("two.yaml", "agents:\n- plugin: mcts\n- plugin: snake\n");
/// let tournament = parse(&source).unwrap();
/// assert_eq!(tournament.name, "two");
/// assert_eq!(tournament.agents[1].plugin, "snake");
/// ```
pub fn parse(source: &TournamentSource) -> Result<Tournament, Mistakes> {
    read(source).map_err(|mistakes| Mistakes::new(source, mistakes))
}

/// Reads a tournament, for who shows mistakes elsewhere than in a file.
///
/// # Errors
/// With everything that is wrong, by the key it is about.
pub fn read(source: &TournamentSource) -> Result<Tournament, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let tournament = node::parse(&source.text)
        .map_err(|mistake| mistakes.push(mistake))
        .ok()
        .and_then(|root| tournament_reader::read(&root, source, &mut mistakes));
    match tournament {
        Some(tournament) if mistakes.is_empty() => Ok(tournament),
        _ => Err(mistakes),
    }
}
