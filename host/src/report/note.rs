//! What a reader must know before believing the figures.

use std::{collections::BTreeMap, fmt};

use super::{
    budget_report::{AgentReport, BudgetReport},
    decision::Decision,
    input::ReportInput,
    number_text::{count, counted, list, percent_with_digits},
    pair_report::Claim,
};
use crate::statistics::{FEW_GAMES, agent_summary::Luck};

/// Each is one sentence; see `Display`.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Games are missing, or numbers differ.
    UnequalGames {
        place: Place,
        games: Vec<(String, u64)>,
        planned: u64,
    },
    FewGames {
        place: Place,
        agents: Vec<String>,
    },
    Disqualified {
        place: Place,
        agent: String,
        faults_in_a_row: u64,
        game: u64,
        seed: u64,
        fault: String,
    },
    Faults {
        place: Place,
        agent: String,
        games: usize,
        /// By ending.
        faults: Vec<(String, u64)>,
        game: u64,
        seed: u64,
        fault: Option<String>,
    },
    /// Agents share a rank though one of them is proved better than another.
    SharedRank {
        place: Place,
        rank: usize,
        better: String,
        worse: String,
    },
    /// Where a tournament with a stop rule stands.
    Stop {
        decision: Decision,
        /// How many looks share the error rate.
        n_looks: usize,
        confidence: f64,
        confidence_of_a_look: f64,
    },
    NoLuck,
    OpenTiles,
}

/// The budget a note is about, where the tournament has several.
pub type Place = Option<String>;

pub(super) fn notes(
    input: &ReportInput,
    budgets: &[BudgetReport],
    decision: Option<&Decision>,
) -> Vec<Note> {
    let planned = match decision {
        Some(
            Decision::Unfinished { seeds }
            | Decision::Settled { seeds }
            | Decision::Open { seeds, .. },
        ) => *seeds,
        None => input.n_seeds as u64,
    };
    let confidence = input.confidence();
    let stop = decision.map(|decision| Note::Stop {
        decision: decision.clone(),
        n_looks: confidence.n_looks(),
        confidence: confidence.together(),
        confidence_of_a_look: confidence.of_one_look(),
    });
    let on_budgets = budgets
        .iter()
        .flat_map(|part| notes_on_budget(input, part, planned));
    let mut notes: Vec<Note> = stop.into_iter().chain(on_budgets).collect();
    if input.luck == Luck::None {
        notes.push(Note::NoLuck);
    } else if input.open_tiles {
        notes.push(Note::OpenTiles);
    }
    notes
}

fn notes_on_budget(input: &ReportInput, part: &BudgetReport, planned: u64) -> Vec<Note> {
    let place = part
        .budget
        .label
        .clone()
        .filter(|_| input.budgets.len() > 1);
    let in_the_race = || {
        part.agents
            .iter()
            .filter(|agent| agent.disqualified.is_none())
    };
    let mut notes = Vec::new();
    let complete = in_the_race().all(|agent| agent.summary.games as u64 == planned);
    if !complete && input.luck == Luck::Random {
        notes.push(Note::UnequalGames {
            place: place.clone(),
            games: in_the_race()
                .map(|agent| (agent.name.clone(), agent.summary.games as u64))
                .collect(),
            planned,
        });
    }
    let few: Vec<String> = in_the_race()
        .filter(|agent| agent.summary.few && agent.summary.games > 0)
        .map(|agent| agent.name.clone())
        .collect();
    if !few.is_empty() {
        notes.push(Note::FewGames {
            place: place.clone(),
            agents: few,
        });
    }
    notes.extend(shared_ranks(part, &place));
    for agent in &part.agents {
        notes.extend(disqualified(agent, place.clone()).or_else(|| faults(agent, place.clone())));
    }
    notes
}

/// Ranks part only where everyone above is proved better than everyone below. One
/// sentence for the widest such pair of each rank.
fn shared_ranks(part: &BudgetReport, place: &Place) -> Vec<Note> {
    let rank_of = |name: &str| {
        let agent = part.agents.iter().find(|agent| agent.name == name);
        agent.and_then(|agent| agent.rank)
    };
    let mut notes: BTreeMap<usize, (f64, Note)> = BTreeMap::new();
    for pair in &part.pairs {
        let (better, worse) = match pair.claim {
            Claim::FirstIsBetter => (&pair.a, &pair.b),
            Claim::SecondIsBetter => (&pair.b, &pair.a),
            Claim::Open => continue,
        };
        let Some(rank) = rank_of(better).filter(|rank| rank_of(worse) == Some(*rank)) else {
            continue;
        };
        let p_value = pair.p_adjusted.unwrap_or(0.0);
        if notes.get(&rank).is_none_or(|(lowest, _)| p_value < *lowest) {
            let note = Note::SharedRank {
                place: place.clone(),
                rank,
                better: better.clone(),
                worse: worse.clone(),
            };
            notes.insert(rank, (p_value, note));
        }
    }
    notes.into_values().map(|(_, note)| note).collect()
}

fn disqualified(agent: &AgentReport, place: Place) -> Option<Note> {
    let disqualified = agent.disqualified.as_ref()?;
    Some(Note::Disqualified {
        place,
        agent: agent.name.clone(),
        faults_in_a_row: disqualified.faults_in_a_row,
        game: disqualified.game,
        seed: disqualified.seed,
        fault: disqualified.fault.clone(),
    })
}

fn faults(agent: &AgentReport, place: Place) -> Option<Note> {
    let first = agent.first_fault.as_ref()?;
    let faults = agent.summary.faults.iter();
    Some(Note::Faults {
        place,
        agent: agent.name.clone(),
        games: agent.summary.games,
        faults: faults.map(|(ending, n)| (ending.to_string(), *n)).collect(),
        game: first.game,
        seed: first.seed,
        fault: first.sentence.clone(),
    })
}

impl Note {
    fn place(&self) -> Option<&str> {
        match self {
            Self::UnequalGames { place, .. }
            | Self::FewGames { place, .. }
            | Self::Disqualified { place, .. }
            | Self::Faults { place, .. }
            | Self::SharedRank { place, .. } => place.as_deref(),
            Self::Stop { .. } | Self::NoLuck | Self::OpenTiles => None,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = self.place() {
            write!(f, "budget {label}: ")?;
        }
        match self {
            Self::UnequalGames { games, planned, .. } => {
                let missing: Vec<String> = games
                    .iter()
                    .filter(|(_, games)| games != planned)
                    .map(|(agent, games)| format!("{agent} {}", count(*games)))
                    .collect();
                write!(
                    f,
                    "not all of {} were played by all ({}): \
                     pairs are compared on the seeds both played",
                    counted(*planned, "seed"),
                    list(&missing)
                )
            }
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
            } => {
                let total = faults.iter().map(|(_, n)| n).sum();
                let kinds: Vec<String> = faults
                    .iter()
                    .map(|(ending, n)| format!("{ending} {n}"))
                    .collect();
                write!(
                    f,
                    "{agent} ended {} of {} with a fault ({}), scores counted as they stood; \
                     the first in game {game} (seed {seed})",
                    count(total),
                    counted(*games as u64, "game"),
                    kinds.join(", ")
                )?;
                match fault {
                    Some(fault) => write!(f, ": {fault}"),
                    None => Ok(()),
                }
            }
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
            Self::Stop {
                decision,
                n_looks,
                confidence,
                confidence_of_a_look,
            } => {
                let looks = counted(*n_looks as u64, "look");
                let each = percent_with_digits(*confidence_of_a_look);
                let together = percent_with_digits(*confidence);
                write!(
                    f,
                    "{decision}; the error rate is shared by {looks}: intervals have {each} each, \
                     {together} together"
                )
            }
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

#[cfg(test)]
mod tests {
    use crate::report::{
        Report,
        example::{input, record},
    };

    /// 40 games of agents with these scores on odd and even seeds.
    fn notes_on(agents: &[(&str, [u64; 2])]) -> Vec<String> {
        let names: Vec<&str> = agents.iter().map(|(name, _)| *name).collect();
        let records: Vec<_> = (0..40)
            .flat_map(|seed| {
                let score = move |scores: [u64; 2]| scores[usize::from(seed % 2 == 0)] + seed;
                agents
                    .iter()
                    .map(move |(name, scores)| record(name, seed, score(*scores)))
            })
            .collect();
        let report = Report::new(&input(&names), &records);
        report.notes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_complete_tournament_has_nothing_to_note() {
        assert!(notes_on(&[("a", [900, 1_000]), ("b", [800, 950])]).is_empty());
    }

    #[test]
    fn a_rank_shared_through_an_unsteady_agent_is_noted() {
        let notes = notes_on(&[
            ("best", [1_000, 1_000]),
            ("steady", [900, 900]),
            ("unsteady", [100, 1_660]),
        ]);
        insta::assert_snapshot!(notes.join("\n"), @"best is better than steady, yet both have rank 1: agents between them cannot be told apart, and ranks part only where everyone above is proved better than everyone below");
    }
}
