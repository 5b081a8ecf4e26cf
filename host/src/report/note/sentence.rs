//! Notes as sentences.

use std::fmt;

use super::Note;
use crate::{
    run::machine::Machine,
    statistics::FEW_GAMES,
    text::{
        number_text::{count, counted, microseconds},
        word_list::list,
    },
};

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = self.budget() {
            write!(f, "budget {label}: ")?;
        }
        if let Some(sentence) = self.about_numbers_of_games() {
            return f.write_str(&sentence);
        }
        match self {
            Self::Disqualified {
                agent,
                faults_in_a_row,
                used_up,
                seed,
                fault,
                ..
            } => match (used_up, faults_in_a_row) {
                (Some(limit), _) => write!(
                    f,
                    "{agent} was disqualified because it used up {limit}, on seed {seed}: {fault}"
                ),
                (None, 1) => write!(
                    f,
                    "{agent} was disqualified after one fault, on seed {seed}: {fault}"
                ),
                (None, _) => write!(
                    f,
                    "{agent} was disqualified after {faults_in_a_row} faults in a row, \
                     the last on seed {seed}: {fault}"
                ),
            },
            Self::Faults {
                agent,
                on_private_seeds,
                games,
                faults,
                seed,
                fault,
                ..
            } => {
                let (which, count) = if *on_private_seeds {
                    (" on private seeds", "in no figure")
                } else {
                    ("", "with the score at that point")
                };
                write!(
                    f,
                    "{agent} ended {}{which} with a fault ({}), which count {count}; the first was \
                     on seed {seed}: {fault}",
                    share_of_games(faults, *games),
                    kinds(faults)
                )
            }
            Self::Stop(sentence) => f.write_str(sentence),
            Self::Part(shard) => write!(
                f,
                "these are only the games of shard {shard}, which do not rank or disqualify agents; \
                 `host merge` combines all shards into one run"
            ),
            Self::Control {
                agent,
                is_suspicious: true,
                difference,
                ..
            } => f.write_str(&suspect_run(agent, difference)),
            Self::Control {
                agent, difference, ..
            } => write!(
                f,
                "control: {agent} and its second entry cannot be distinguished at the 1% level \
                 ({difference}), as expected"
            ),
            Self::PrivateSeeds { suspects, .. } => f.write_str(&private_seeds(suspects)),
            Self::UnequalMachines {
                slowest,
                fastest,
                percent,
            } => f.write_str(&unequal_machines(slowest, fastest, *percent)),
            Self::PlayedAgain { games, examples } => f.write_str(&played_again(*games, examples)),
            Self::StolenTime {
                games,
                microseconds,
            } => write!(
                f,
                "the hypervisor took {} of CPU time from agents in {}; they were not charged for it",
                duration(*microseconds),
                counted(*games, "game")
            ),
            Self::NoLuck => f.write_str(
                "deterministic tiles: identical games count once, figures have no intervals, and an \
                 agent is better than another if each of its games is better than each of the other's",
            ),
            Self::UnequalGames { .. }
            | Self::FewGames { .. }
            | Self::SharedRank { .. }
            | Self::TooFewSeeds { .. }
            | Self::SameGames { .. } => Ok(()),
            Self::PredictableTiles => f.write_str(
                "predictable tiles: the run has no salt, so agents could compute the tiles in advance",
            ),
        }
    }
}

impl Note {
    /// The sentences of notes about numbers of games and what they allow to conclude.
    fn about_numbers_of_games(&self) -> Option<String> {
        Some(match self {
            Self::UnequalGames { games, planned, .. } => format!(
                "not all agents played all {} ({}); \
                 pairs are compared on the seeds that both played",
                counted(*planned, "seed"),
                list(&other_numbers(games, *planned))
            ),
            Self::FewGames { agents, .. } => format!(
                "n < {FEW_GAMES}: {} played fewer than {FEW_GAMES} games, \
                 so intervals may miss the true value more often than stated",
                list(agents)
            ),
            Self::SharedRank {
                rank,
                better,
                worse,
                ..
            } => format!(
                "{better} is better than {worse}, but both have rank {rank}: other agents of this \
                 rank cannot be distinguished from one of them, and ranks are separated only where \
                 every agent above is significantly better than every agent below"
            ),
            Self::TooFewSeeds {
                seeds,
                enough,
                smallest,
                ..
            } => format!(
                "{} cannot prove a difference, however large: no p-value can be below {smallest}; \
                 it takes at least {}",
                counted(*seeds as u64, "seed"),
                counted(*enough as u64, "seed")
            ),
            Self::SameGames { agents, .. } => format!(
                "{} made the same moves on all seeds: as players they are the same program",
                list(agents)
            ),
            _ => return None,
        })
    }
}

fn played_again(games: u64, examples: &[(String, u64, String)]) -> String {
    let named: Vec<String> = examples
        .iter()
        .map(|(agent, seed, reason)| format!("{agent} on seed {seed} ({reason})"))
        .collect();
    let verb = if games == 1 { "was" } else { "were" };
    let others = if (examples.len() as u64) < games {
        ", and others"
    } else {
        ""
    };
    format!(
        "{} {verb} played again: {}{others}; `retries` in the records lists all attempts",
        counted(games, "game"),
        named.join(", ")
    )
}

fn suspect_run(agent: &str, difference: &str) -> String {
    format!(
        "THIS RUN IS SUSPECT: {agent} and its second entry are the same agent with different random \
         seeds, but they differ significantly ({difference}); something other than the agents \
         affects the results"
    )
}

fn private_seeds(suspects: &[String]) -> String {
    if suspects.is_empty() {
        return "private seeds: no agent scores significantly higher on shared seeds than on its own"
            .to_owned();
    }
    format!(
        "THIS RUN IS SUSPECT: scores are higher on shared seeds than on private ones for {}; \
         an agent that knows nothing of the games of others cannot do this",
        list(suspects)
    )
}

fn share_of_games(faults: &[(String, u64)], games: usize) -> String {
    let total = faults.iter().map(|(_, n)| n).sum();
    format!("{} of {}", count(total), counted(games as u64, "game"))
}

fn kinds(faults: &[(String, u64)]) -> String {
    let kinds: Vec<String> = faults
        .iter()
        .map(|(ending, n)| format!("{ending} {n}"))
        .collect();
    kinds.join(", ")
}

fn unequal_machines(slowest: &Machine, fastest: &Machine, percent: u64) -> String {
    let speed = |machine: &Machine| count(machine.nodes_per_second.unwrap_or(0));
    format!(
        "the machines have different speeds: a fixed search made {} nodes per second on the slowest \
         ({}) and {} on the fastest ({}), {}.{:02} times as many, so equal time was not equal \
         work; use a node budget, which is the same work on every machine",
        speed(slowest),
        slowest.cpu,
        speed(fastest),
        fastest.cpu,
        percent / 100,
        percent % 100
    )
}

/// The agents that did not play as many games as planned, with their numbers.
fn other_numbers(games: &[(String, u64)], planned: u64) -> Vec<String> {
    games
        .iter()
        .filter(|(_, games)| *games != planned)
        .map(|(agent, games)| format!("{agent} {}", count(*games)))
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn duration(time: u64) -> String {
    microseconds(time as f64)
}
