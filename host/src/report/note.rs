//! Notes: what a reader must know before relying on the figures.

mod faults;
mod played_again;
mod same_moves;
mod sentence;
mod shared_ranks;
mod stop_rule;
mod too_few_seeds;

use super::{
    budget_report::BudgetReport, control_pair::is_suspicious, decision::Decision,
    input::ReportInput, pair_report::PairReport, tables::estimate_text::of_measure,
};
use crate::{
    run::{
        game_figures::GameFigures,
        machine::{Machine, TOLERATED_FACTOR, factor},
        shard::Shard,
    },
    statistics::agent_summary::Luck,
    text::number_text::p_value_in_a_sentence,
};

use faults::faults;
use played_again::played_again;
use same_moves::same_moves;
use shared_ranks::shared_ranks;
use stop_rule::stop_rule;
use too_few_seeds::too_few_seeds;

/// Each note is one sentence; see `note/sentence.rs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Agents played different numbers of seeds, or fewer than planned.
    UnequalGames {
        budget: BudgetLabel,
        games: Vec<(String, u64)>,
        planned: u64,
    },
    FewGames {
        budget: BudgetLabel,
        agents: Vec<String>,
    },
    Disqualified {
        budget: BudgetLabel,
        agent: String,
        faults_in_a_row: u64,
        /// The limit of the run that was used up, if that was the reason.
        used_up: Option<&'static str>,
        game: u64,
        seed: u64,
        fault: String,
    },
    Faults {
        budget: BudgetLabel,
        agent: String,
        on_private_seeds: bool,
        games: usize,
        /// By ending.
        faults: Vec<(String, u64)>,
        game: u64,
        seed: u64,
        fault: String,
    },
    /// The two entries of the control.
    Control {
        budget: BudgetLabel,
        agent: String,
        is_suspicious: bool,
        /// The difference and its p-value, as text.
        difference: String,
    },
    /// Scores on shared and on private seeds.
    PrivateSeeds {
        budget: BudgetLabel,
        /// The agents that score higher on shared seeds, each with its figures.
        suspects: Vec<String>,
    },
    /// Agents share a rank although one is significantly better than another.
    SharedRank {
        budget: BudgetLabel,
        rank: usize,
        better: String,
        worse: String,
    },
    /// Too few seeds for any difference to be significant.
    TooFewSeeds {
        budget: BudgetLabel,
        seeds: usize,
        enough: usize,
        /// The smallest p-value that so many seeds can give.
        smallest: String,
    },
    /// Agents that made the same moves on all seeds.
    SameGames {
        budget: BudgetLabel,
        agents: Vec<String>,
    },
    /// The state of a tournament with a stop rule, and what follows from stopping early.
    Stop(String),
    /// These are the games of one shard.
    Part(Shard),
    /// A time budget on machines of different speeds.
    UnequalMachines {
        slowest: Machine,
        fastest: Machine,
        /// The speed of the fastest in percent of the slowest.
        percent: u64,
    },
    /// A hypervisor took CPU time from agents.
    StolenTime {
        games: u64,
        microseconds: u64,
    },
    /// Games of which an earlier attempt was interrupted: how many, and some of them as
    /// agent, seed and reason.
    PlayedAgain {
        games: u64,
        examples: Vec<(String, u64, String)>,
    },
    NoLuck,
    PredictableTiles,
}

/// The label of the budget that a note is about, where the tournament has several.
pub type BudgetLabel = Option<String>;

pub(super) fn notes(
    input: &ReportInput,
    budgets: &[BudgetReport],
    decision: Option<&Decision>,
    records: &[&GameFigures],
) -> Vec<Note> {
    let planned = decision.map_or(input.n_seeds as u64, Decision::seeds);
    let stop = decision.map(|decision| stop_rule(decision, budgets));
    let on_budgets = budgets
        .iter()
        .flat_map(|part| notes_on_budget(input, part, planned));
    let part = input.shard.filter(|shard| !shard.is_whole());
    let on_all = part.map(Note::Part).into_iter().chain(stop);
    let mut notes: Vec<Note> = on_all.chain(on_budgets).collect();
    notes.extend(unequal_machines(input));
    let robbed = records.iter().filter(|record| record.stolen_us() > 0);
    let (games, microseconds) = robbed.fold((0, 0_u64), |(games, sum), record| {
        (games + 1, sum.saturating_add(record.stolen_us()))
    });
    if games > 0 {
        notes.push(Note::StolenTime {
            games,
            microseconds,
        });
    }
    notes.extend(played_again(records));
    if input.luck == Luck::None {
        notes.push(Note::NoLuck);
    } else if input.predictable_tiles {
        notes.push(Note::PredictableTiles);
    }
    notes
}

fn notes_on_budget(input: &ReportInput, part: &BudgetReport, planned: u64) -> Vec<Note> {
    let budget = part
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
        part.control
            .as_ref()
            .and_then(|control| control_note(control, budget.clone())),
    );
    notes.extend(private_seeds(part, budget.clone()));
    let complete = in_the_race().all(|agent| agent.summary.games as u64 == planned);
    if !complete && input.luck == Luck::Random && input.stop.is_none() {
        notes.push(Note::UnequalGames {
            budget: budget.clone(),
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
            budget: budget.clone(),
            agents: few,
        });
    }
    notes.extend(too_few_seeds(part, budget.clone()));
    notes.extend(same_moves(part, &budget));
    notes.extend(shared_ranks(part, &budget));
    for agent in &part.agents {
        notes.extend(faults(agent, &budget));
    }
    notes
}

fn private_seeds(part: &BudgetReport, budget: BudgetLabel) -> Option<Note> {
    let tests = || {
        let agents = part.agents.iter();
        agents.filter_map(|agent| Some((&agent.name, agent.private_seeds.as_ref()?)))
    };
    tests().next()?;
    let suspects = tests()
        .filter(|(_, test)| test.is_suspicious())
        .map(|(name, test)| test.figures(name));
    Some(Note::PrivateSeeds {
        budget,
        suspects: suspects.collect(),
    })
}

/// With a node budget the speed of the machine has no effect.
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

fn control_note(control: &PairReport, budget: BudgetLabel) -> Option<Note> {
    let comparison = &control.comparison;
    // Intervals are those of claims at 5%, and a control is suspect at 1%.
    let figure = of_measure(comparison.measure, comparison.mean_difference?);
    // One test of its own, so there is nothing to correct.
    let p_value = p_value_in_a_sentence(comparison.p_value?);
    Some(Note::Control {
        budget,
        agent: control.a.clone(),
        is_suspicious: is_suspicious(control),
        difference: format!("{figure}, {p_value}"),
    })
}

impl Note {
    pub(super) fn budget(&self) -> Option<&str> {
        match self {
            Self::UnequalGames { budget, .. }
            | Self::FewGames { budget, .. }
            | Self::Disqualified { budget, .. }
            | Self::Faults { budget, .. }
            | Self::Control { budget, .. }
            | Self::PrivateSeeds { budget, .. }
            | Self::TooFewSeeds { budget, .. }
            | Self::SameGames { budget, .. }
            | Self::SharedRank { budget, .. } => budget.as_deref(),
            Self::Stop(_)
            | Self::Part(_)
            | Self::UnequalMachines { .. }
            | Self::StolenTime { .. }
            | Self::PlayedAgain { .. }
            | Self::NoLuck
            | Self::PredictableTiles => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::{
        report::{Report, ReportBudget, ReportInput, example::input},
        run::{
            example::figures,
            machine::{PlayedOn, tests::machine},
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
                    .map(move |(name, scores)| figures(name, seed, score(*scores)))
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
    fn machines_of_different_speeds_are_noted_where_the_budget_is_in_time() {
        let time = Some(Duration::from_millis(1));
        let notes = notes_on_machines([20_000_000, 31_000_000, 21_000_000], time);
        insta::assert_snapshot!(notes.last().unwrap(), @"the machines have different speeds: a fixed search made 20,000,000 nodes per second on the slowest (Old CPU) and 31,000,000 on the fastest (New CPU), 1.55 times as many, so equal time was not equal work; use a node budget, which is the same work on every machine");
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
        insta::assert_snapshot!(notes.join("\n"), @"best is better than steady, but both have rank 1: other agents of this rank cannot be distinguished from one of them, and ranks are separated only where every agent above is significantly better than every agent below");
    }
}
