//! Notes as sentences.

use std::fmt;

use super::{
    super::number_text::{count, counted, list, microseconds},
    Note,
};
use crate::{machine::Machine, statistics::FEW_GAMES};

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = self.place() {
            write!(f, "budget {label}: ")?;
        }
        match self {
            Self::UnequalGames { games, planned, .. } => write!(
                f,
                "not all of {} were played by all ({}): \
                 pairs are compared on the seeds both played",
                counted(*planned, "seed"),
                list(&other_numbers(games, *planned))
            ),
            Self::FewGames { agents, .. } => write!(
                f,
                "few: {} played fewer than {FEW_GAMES} games, \
                 where a 95% interval may miss the truth more often than 1 time in 20",
                list(agents)
            ),
            Self::Disqualified {
                agent,
                faults_in_a_row,
                game,
                seed,
                fault,
                ..
            } => write!(
                f,
                "{agent} is disqualified after {} in a row, \
                 the last in game {game} (seed {seed}): {fault}",
                counted(*faults_in_a_row, "fault")
            ),
            Self::Faults {
                agent,
                games,
                faults,
                game,
                seed,
                fault,
                ..
            } => write!(
                f,
                "{agent} ended {} with a fault ({}), scores counted as they stood; \
                 the first in game {game} (seed {seed}): {fault}",
                share_of_games(faults, *games),
                kinds(faults)
            ),
            Self::SharedRank {
                rank,
                better,
                worse,
                ..
            } => write!(
                f,
                "{better} is better than {worse}, yet both have rank {rank}: agents between \
                 them cannot be told apart, and ranks part only where everyone above is proved \
                 better than everyone below"
            ),
            Self::Stop(sentence) => f.write_str(sentence),
            Self::Part(shard) => write!(
                f,
                "these are the games of shard {shard} alone: nobody is ranked or disqualified by \
                 them; `host merge` makes one run of all shards"
            ),
            Self::Twins {
                agent,
                is_suspicious: true,
                difference,
                ..
            } => write!(
                f,
                "THIS RUN IS SUSPECT: {agent} and its twin are one agent under two random seeds, \
                 and yet they separate ({difference}); something besides the agents decides here"
            ),
            Self::Twins {
                agent, difference, ..
            } => write!(
                f,
                "control: {agent} and its twin cannot be told apart ({difference}), as it should be"
            ),
            Self::UnequalMachines {
                slowest,
                fastest,
                percent,
            } => f.write_str(&unequal_machines(slowest, fastest, *percent)),
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
                "deterministic tiles: games that went the same way count once, \
                 and figures have no interval",
            ),
            Self::OpenTiles => f.write_str(
                "open tiles: the run has no salt, so that an agent could know its tiles in advance",
            ),
        }
    }
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
        "the machines differ: a fixed search made {} nodes a second on the slowest ({}) and {} on \
         the fastest ({}), {}.{:02} times as many, so that the same time was not the same work; \
         prefer a budget in nodes there: equal nodes are equal work whatever the machine",
        speed(slowest),
        slowest.cpu,
        speed(fastest),
        fastest.cpu,
        percent / 100,
        percent % 100
    )
}

/// Who did not play as many games as planned, and how many.
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
