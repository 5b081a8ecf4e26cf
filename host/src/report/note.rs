//! What a reader must know before believing the figures.

mod sentence;

use std::collections::BTreeMap;

use super::{
    budget_report::{AgentReport, BudgetReport},
    control_pair::is_suspicious,
    decision::Decision,
    input::ReportInput,
    number_text::{counted, of_measure, p_value_in_a_sentence, percent_with_digits, with_interval},
    pair_report::{Claim, PairReport},
};
use crate::{
    game_record::GameRecord,
    machine::{Machine, TOLERATED_FACTOR, factor},
    shard::Shard,
    statistics::{agent_summary::Luck, confidence::Confidence},
};

/// Each is one sentence; see `note/sentence.rs`.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Agents share a rank though one of them is proved better than another.
    SharedRank {
        place: Place,
        rank: usize,
        better: String,
        worse: String,
    },
    /// Where a tournament with a stop rule stands, and how its looks share the error rate.
    Stop(String),
    /// These are the games of one shard.
    Part(Shard),
    /// A budget in time, and machines on which it bought different amounts of work.
    UnequalMachines {
        slowest: Machine,
        fastest: Machine,
        /// In hundredths.
        percent: u64,
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
    decision: Option<&Decision>,
    records: &[&GameRecord],
) -> Vec<Note> {
    let planned = decision.map_or(input.n_seeds as u64, Decision::seeds);
    let stop = decision.map(|decision| stop_note(decision, input.confidence()));
    let on_budgets = budgets
        .iter()
        .flat_map(|part| notes_on_budget(input, part, planned));
    let part = input.shard.filter(|shard| !shard.is_whole());
    let on_all = part.map(Note::Part).into_iter().chain(stop);
    let mut notes: Vec<Note> = on_all.chain(on_budgets).collect();
    notes.extend(unequal_machines(input));
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
    notes.extend(
        part.twins
            .as_ref()
            .and_then(|twins| twin_note(twins, place.clone())),
    );
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

fn stop_note(decision: &Decision, confidence: Confidence) -> Note {
    let looks = counted(confidence.n_looks() as u64, "look");
    let each = percent_with_digits(confidence.of_one_look());
    let together = percent_with_digits(confidence.together());
    Note::Stop(format!(
        "{decision}; the error rate is shared by {looks}: intervals have {each} each, \
         {together} together"
    ))
}

/// With a budget in nodes the machine decides nothing.
fn unequal_machines(input: &ReportInput) -> Option<Note> {
    input
        .budgets
        .iter()
        .find(|budget| budget.per_move.is_some())?;
    let machines = || input.machines.iter().map(|part| &part.machine);
    let factor = factor(machines()).filter(|factor| *factor > TOLERATED_FACTOR)?;
    let measured = || machines().filter(|machine| machine.nodes_per_second.is_some());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a factor above 1, shown with two digits"
    )]
    Some(Note::UnequalMachines {
        slowest: measured()
            .min_by_key(|machine| machine.nodes_per_second)?
            .clone(),
        fastest: measured()
            .max_by_key(|machine| machine.nodes_per_second)?
            .clone(),
        percent: (100.0 * factor).round() as u64,
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
            | Self::SharedRank { place, .. } => place.as_deref(),
            Self::Stop(_)
            | Self::Part(_)
            | Self::UnequalMachines { .. }
            | Self::StolenTime { .. }
            | Self::NoLuck
            | Self::OpenTiles => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::{
        machine::{PlayedOn, tests::machine},
        report::{
            Report, ReportBudget, ReportInput,
            example::{input, record},
        },
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

    /// Forty games of two agents on machines of these speeds, with or without time.
    fn notes_on_machines(speeds: [u64; 3], per_move: Option<Duration>) -> Vec<String> {
        let machines = [
            ("Old CPU", speeds[0]),
            ("New CPU", speeds[1]),
            ("Old CPU", speeds[2]),
        ];
        let machines = machines.map(|(cpu, speed)| PlayedOn {
            shard: None,
            machine: machine(cpu, Some(speed)),
        });
        let budget = ReportBudget {
            per_move,
            ..ReportBudget::default()
        };
        let input = ReportInput {
            machines: machines.into(),
            budgets: vec![budget],
            ..input(&["a", "b"])
        };
        let notes = Report::new(&input, &[]).notes;
        notes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn machines_that_differ_are_warned_of_where_the_budget_is_in_time() {
        let time = Some(Duration::from_millis(1));
        let notes = notes_on_machines([20_000_000, 31_000_000, 21_000_000], time);
        insta::assert_snapshot!(notes.last().unwrap(), @"the machines differ: a fixed search made 20,000,000 nodes a second on the slowest (Old CPU) and 31,000,000 on the fastest (New CPU), 1.55 times as many, so that the same time was not the same work; prefer a budget in nodes there: equal nodes are equal work whatever the machine");
        let about_machines =
            |notes: Vec<String>| notes.iter().any(|note| note.contains("machines"));
        assert!(!about_machines(notes_on_machines(
            [20_000_000, 24_900_000, 21_000_000],
            time
        )));
        assert!(!about_machines(notes_on_machines(
            [20_000_000, 31_000_000, 21_000_000],
            None
        )));
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
