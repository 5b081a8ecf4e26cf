//! What a reader must know before believing the figures.

use std::fmt;

use super::{
    budget_report::{AgentReport, BudgetReport},
    control_pair::is_suspicious,
    input::ReportInput,
    number_text::{
        count, counted, list, microseconds, of_measure, p_value_in_a_sentence, with_interval,
    },
    pair_report::{Claim, PairReport},
};
use crate::{
    game_record::GameRecord,
    statistics::{FEW_GAMES, agent_summary::Luck},
};

/// Each is one sentence; see `Display`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Games are missing, or numbers differ.
    UnequalGames {
        place: Place,
        games: Vec<(String, usize)>,
        planned: usize,
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
        fault: String,
    },
    /// The control and its twin.
    Twins {
        place: Place,
        agent: String,
        is_suspicious: bool,
        /// The difference with its interval and p-value, as text.
        difference: String,
    },
    /// An agent stands above another with a better figure.
    RankAgainstFigure {
        place: Place,
        above: String,
        below: String,
    },
    /// A hypervisor took time from agents that were thinking.
    StolenTime {
        games: u64,
        microseconds: u64,
    },
    NoLuck,
    OpenTiles,
}

/// The budget a note is about, where the tournament has several.
pub type Place = Option<String>;

pub(super) fn notes(
    input: &ReportInput,
    budgets: &[BudgetReport],
    records: &[&GameRecord],
) -> Vec<Note> {
    let mut notes: Vec<Note> = budgets
        .iter()
        .flat_map(|part| notes_on_budget(input, part))
        .collect();
    let robbed = records.iter().filter(|record| record.stolen_us > 0);
    let (games, microseconds) = robbed.fold((0, 0_u64), |(games, sum), record| {
        (games + 1, sum.saturating_add(record.stolen_us))
    });
    if games > 0 {
        notes.push(Note::StolenTime {
            games,
            microseconds,
        });
    }
    if input.luck == Luck::None {
        notes.push(Note::NoLuck);
    } else if input.open_tiles {
        notes.push(Note::OpenTiles);
    }
    notes
}

fn notes_on_budget(input: &ReportInput, part: &BudgetReport) -> Vec<Note> {
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
    notes.extend(
        part.twins
            .as_ref()
            .and_then(|twins| twin_note(twins, place.clone())),
    );
    let complete = in_the_race().all(|agent| agent.summary.games == input.n_seeds);
    if !complete && input.luck == Luck::Random {
        notes.push(Note::UnequalGames {
            place: place.clone(),
            games: in_the_race()
                .map(|agent| (agent.name.clone(), agent.summary.games))
                .collect(),
            planned: input.n_seeds,
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
    notes.extend(rank_against_figure(part, place.clone()));
    for agent in &part.agents {
        notes.extend(disqualified(agent, place.clone()).or_else(|| faults(agent, place.clone())));
    }
    notes
}

/// Ranks count significant defeats, so an agent whose games vary a lot may
/// stand above one with a better mean. Seldom, and worth a sentence.
fn rank_against_figure(part: &BudgetReport, place: Place) -> Option<Note> {
    let rank_of = |name: &str| {
        let agent = part.agents.iter().find(|agent| agent.name == name);
        agent.and_then(|agent| agent.rank)
    };
    // Pairs hold the agent with the better figure first. Where the second was
    // proved better on common seeds, the verdict has said so.
    let pair = part
        .pairs
        .iter()
        .find(|pair| pair.claim != Claim::SecondIsBetter && rank_of(&pair.a) > rank_of(&pair.b))?;
    Some(Note::RankAgainstFigure {
        place,
        above: pair.b.clone(),
        below: pair.a.clone(),
    })
}

fn twin_note(twins: &PairReport, place: Place) -> Option<Note> {
    let comparison = &twins.comparison;
    let text = |number| of_measure(comparison.measure, number);
    let figure = with_interval(comparison.mean_difference?, comparison.interval, text);
    let p_value = p_value_in_a_sentence(comparison.p_value?);
    Some(Note::Twins {
        place,
        agent: twins.a.clone(),
        is_suspicious: is_suspicious(twins),
        difference: format!("{figure}, {p_value}"),
    })
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
    let first = agent.faults.first()?;
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
            | Self::Twins { place, .. }
            | Self::RankAgainstFigure { place, .. } => place.as_deref(),
            Self::StolenTime { .. } | Self::NoLuck | Self::OpenTiles => None,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn duration(time: u64) -> String {
    microseconds(time as f64)
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
                    .map(|(agent, games)| format!("{agent} {}", count(*games as u64)))
                    .collect();
                write!(
                    f,
                    "not all of {} were played by all ({}): \
                     pairs are compared on the seeds both played",
                    counted(*planned as u64, "seed"),
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
                     the first in game {game} (seed {seed}): {fault}",
                    count(total),
                    counted(*games as u64, "game"),
                    kinds.join(", ")
                )
            }
            Self::RankAgainstFigure { above, below, .. } => write!(
                f,
                "{above} stands above {below} though its figure is worse: its games vary more \
                 or are fewer, so that fewer agents are proved better"
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
    fn an_unsteady_agent_above_a_better_one_is_noted() {
        let notes = notes_on(&[
            ("best", [1_000, 1_000]),
            ("steady", [900, 900]),
            ("unsteady", [100, 1_660]),
        ]);
        insta::assert_snapshot!(notes.join("\n"), @"unsteady stands above steady though its figure is worse: its games vary more or are fewer, so that fewer agents are proved better");
    }
}
