//! The report of a tournament: conclusions from records, and their output formats.
//!
//! A plan and records enter; a [`Report`] leaves, and with it text for the terminal, JSON, CSV,
//! Markdown, LaTeX, charts and HTML pages. The report is computed from the plan and the records
//! alone, in the order of the plan, so the same log gives the same report, whatever the order in
//! which the games ended. Workers, the runner and the server are unknown here.
//!
//! Start with [`Report`] and [`BudgetReport`]; `tables` and [`formats`] show them, [`html`] is the
//! report page.

pub mod agent_games;
pub mod agent_summary;
pub mod budget_report;
pub mod control_pair;
pub mod decision;
mod estimate_text;
pub mod fault_example;
pub mod formats;
pub mod game_counts;
pub mod game_ends;
pub mod html;
mod informative_tiles;
pub mod input;
pub mod layout;
mod loss;
pub mod methods;
pub mod note;
pub mod pair_report;
pub mod private_seeds;
pub mod run_report;
mod same_games;
pub mod standings;
pub mod tile_paths;
pub mod tile_steps;
pub mod time_use;
pub mod verdict;

mod tables;

#[cfg(test)]
mod contradictions;
#[cfg(any(test, feature = "testing"))]
pub mod example;
#[cfg(test)]
mod figures_from_scipy;
#[cfg(test)]
mod known_truth;

use std::path::Path;

use run::{
    game_figures::{GameFigures, in_plan_order},
    run_plan::{LeftOut, RunPlan},
    stderr_files::StderrFiles,
};
use statistics::effort::Effort;
use text::printable::printable;

pub use budget_report::{AgentReport, BudgetReport};
pub use decision::{BudgetRace, Decision, DecisionState, OpenPair, decide};
pub use fault_example::FaultExample;
pub use game_counts::GameCounts;
pub use input::{ReportBudget, ReportInput};
pub use methods::Methods;
pub use note::{Note, NoteKind};
pub use pair_report::{PairReport, PairVerdict};

/// The p-value at which the control or the private seeds make a run suspect: of a hundred honest
/// runs, chance alone gives it to one.
const SUSPICIOUS: f64 = 0.01;

/// Rates go at least up to this tile, because readers look for it first.
const FAMOUS_TILE: u64 = 2048;

#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub name: String,
    /// The cells of the board.
    pub n_cells: usize,
    /// The tile that decides, where the tournament has a goal.
    pub goal: Option<u64>,
    /// One part per budget, in the order of the tournament file.
    pub budgets: Vec<BudgetReport>,
    /// For a tournament that plays on until every place is settled.
    pub decision: Option<Decision>,
    pub notes: Vec<Note>,
    /// Submissions that do not play.
    pub left_out: Vec<LeftOut>,
    /// `None` where the plan is not known.
    pub games: Option<GameCounts>,
    /// `None` where the plan is not known.
    pub methods: Option<Methods>,
}

impl Report {
    #[must_use]
    pub fn new(input: &ReportInput, records: &[GameFigures]) -> Self {
        let mut records = in_plan_order(records);
        let decision = decide(input, &records);
        if let Some(decision) = &decision {
            records = decision.counted(input, &records);
        }
        let tiles = tiles_to_report(&records, input.goal);
        let budgets: Vec<BudgetReport> = input
            .budgets
            .iter()
            .enumerate()
            .map(|(position, budget)| {
                let of_budget = |record: &&&GameFigures| decision::is_under(record, budget, input);
                let records: Vec<&GameFigures> =
                    records.iter().filter(of_budget).copied().collect();
                let race = decision.as_ref().map(|decision| &decision.races[position]);
                BudgetReport::new(input, budget, &records, race, &tiles, Effort::FULL)
            })
            .collect();
        Self {
            name: input.name.clone(),
            n_cells: input.n_cells,
            goal: input.goal,
            notes: note::notes(input, &budgets, decision.as_ref(), &records),
            budgets,
            decision,
            left_out: input.left_out.clone(),
            games: None,
            methods: None,
        }
    }
}

impl Report {
    /// Adds the stderr files of the run folder to the faults.
    #[must_use]
    pub fn with_evidence_of(mut self, run: &Path, plan: &RunPlan) -> Self {
        let stderr_tail = StderrFiles::of_run(run);
        let agents = self.budgets.iter_mut().flat_map(|part| &mut part.agents);
        for fault in agents.flat_map(|agent| &mut agent.faults) {
            let mut playing = plan.agents.iter();
            let playing = playing.find(|agent| agent.name == fault.agent);
            let plugins = playing.and_then(|agent| agent.path.parent());
            fault.complete(run, plugins, &stderr_tail);
        }
        self
    }

    /// Every submission that does not play: the file, and the reason with it as its subject.
    /// Both are on one line, whatever the file is called.
    pub fn left_out_files(&self) -> impl Iterator<Item = (String, String)> {
        const LONGEST: usize = 300;
        let shown = |text: &str| printable(text, LONGEST);
        let left_out = self.left_out.iter();
        left_out.map(move |left| (shown(&left.file), shown(&left.reason)))
    }

    /// Adds how many games of the plan are played and missing.
    #[must_use]
    pub fn with_counts_of(self, plan: &RunPlan, records: &[GameFigures]) -> Self {
        let games = Some(GameCounts::of(plan, &self, records));
        Self { games, ..self }
    }

    /// Adds the numbers for a methods section.
    #[must_use]
    pub fn with_methods_of(self, plan: &RunPlan, records: &[GameFigures]) -> Self {
        let methods = Some(Methods::of(plan, &self, records));
        Self { methods, ..self }
    }

    /// Whether there are too many agents to read every pair.
    #[must_use]
    pub fn has_many_agents(&self) -> bool {
        self.budgets.iter().any(BudgetReport::has_many_agents)
    }

    /// Every kind of fault of every agent, in the order of the ranking.
    pub fn faults(&self) -> impl Iterator<Item = &FaultExample> {
        let agents = self.budgets.iter().flat_map(|part| &part.agents);
        agents.flat_map(|agent| &agent.faults)
    }
}

/// All tiles up to the highest on any board, so that every agent has the same rates.
fn tiles_to_report(records: &[&GameFigures], goal: Option<u64>) -> Vec<u64> {
    let highest = records.iter().map(|record| record.highest).max();
    let last = highest.max(goal).unwrap_or(0).max(FAMOUS_TILE);
    (2..u64::BITS)
        .map(|exponent| 1 << exponent)
        .take_while(|&tile| tile <= last)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{agent_summary::Luck, example::*};
    use statistics::game_outcome::Measure;

    #[test]
    fn three_seeds_are_as_computed_by_hand() {
        let report = Report::new(&input(&["right", "left"]), &three_seeds());
        let part = &report.budgets[0];
        let means: Vec<_> = part
            .agents
            .iter()
            .map(|a| (&*a.name, a.summary.mean))
            .collect();
        assert_eq!(means, [("left", Some(6_000.0)), ("right", Some(5_000.0))]);
        // Differences 1000, 3000 and -1000: with their signs flipped, six of
        // eight sums are at least as far from zero as 3000.
        let comparison = &part.pairs[0].comparison;
        assert_eq!(comparison.mean_difference, Some(1_000.0));
        assert_eq!(comparison.p_value, Some(0.75));
        assert_eq!((comparison.wins, comparison.losses), (2, 1));
        assert_eq!(part.agents[0].time.cpu_ms_per_move, Some(0.5));
        assert_eq!(part.agents[0].time.budget_share, Some(0.5));
        assert_eq!([part.agents[0].rank, part.agents[1].rank], [Some(1); 2]);
    }

    #[test]
    fn the_order_in_which_games_end_does_not_matter() {
        let mut records = five_agents_forty_seeds();
        records.reverse();
        records.swap(3, 77);
        let other = Report::new(&input(&FIVE_AGENTS), &records);
        assert_eq!(other, report_of_five_agents());
    }

    #[test]
    fn ranks_are_within_one_budget() {
        let mut records = three_seeds();
        for record in &mut records {
            record.budget = Some(if record.seed == 3 { "10ms" } else { "1ms" }.into());
        }
        let budgets = ["1ms", "10ms"].map(|label| ReportBudget {
            label: Some(label.into()),
            ..ReportBudget::default()
        });
        let input = ReportInput {
            budgets: budgets.into(),
            ..input(&["left", "right"])
        };
        let report = Report::new(&input, &records);
        let games: Vec<_> = report
            .budgets
            .iter()
            .map(|part| (part.agents[0].name.as_str(), part.pairs[0].comparison.games))
            .collect();
        assert_eq!(games, [("left", 2), ("right", 1)]);
    }

    #[test]
    fn a_disqualified_agent_is_listed_last_without_rank_or_pairs() {
        let mut records = five_agents_forty_seeds();
        for record in &mut records {
            if &*record.agent == "expectimax" && (4..=9).contains(&record.seed) {
                record.ending = run::game_record::Ending::Hang;
            }
        }
        let report = Report::new(&input(&FIVE_AGENTS), &records);
        let part = &report.budgets[0];
        let last = &part.agents[4];
        assert_eq!((last.name.as_str(), last.rank), ("expectimax", None));
        // Seeds 1 to 6: the games after the third fault in a row do not count.
        assert_eq!(last.summary.games, 6);
        assert_eq!(part.pairs.len(), 6);
        assert_eq!(part.agents[0].rank, Some(1));
    }

    #[test]
    fn without_luck_identical_games_count_once_and_decide() {
        let mut records = five_agents_forty_seeds();
        for record in &mut records {
            record.score = record.agent.len() as u64 * 100;
            record.ending = run::game_record::Ending::NoMoveLeft;
        }
        let input = ReportInput {
            luck: Luck::None,
            ..input(&FIVE_AGENTS)
        };
        let report = Report::new(&input, &records);
        let agents = &report.budgets[0].agents;
        assert!(agents.iter().all(|agent| agent.summary.games == 1));
        assert!(
            agents
                .iter()
                .all(|agent| agent.summary.mean_interval.is_none())
        );
        // By the length of their names: expectimax, minimax, random, snake, mcts.
        let ranks: Vec<_> = agents.iter().filter_map(|agent| agent.rank).collect();
        assert_eq!(ranks, [1, 2, 3, 4, 5]);
        assert_eq!(agents[4].name, "mcts");
        let [note] = &report.notes[..] else {
            panic!("{:?}", report.notes);
        };
        assert!(note.text.starts_with("deterministic tiles"), "{note}");
    }

    #[test]
    fn with_a_goal_the_score_does_not_decide() {
        let mut records = three_seeds();
        for record in &mut records {
            record.n_moves = if &*record.agent == "right" { 90 } else { 100 };
        }
        let input = ReportInput {
            goal: Some(256),
            ..input(&["left", "right"])
        };
        let report = Report::new(&input, &records);
        let part = &report.budgets[0];
        assert_eq!(part.agents[0].name, "right");
        assert_eq!(part.pairs[0].comparison.measure, Measure::Moves);
        assert_eq!(part.pairs[0].comparison.mean_difference, Some(-10.0));
    }

    #[test]
    fn a_log_without_games_gives_a_report_without_figures() {
        let report = Report::new(&input(&["a", "b"]), &[]);
        let part = &report.budgets[0];
        assert!(part.agents.iter().all(|agent| agent.rank.is_none()));
        assert!(part.pairs.is_empty());
    }
}
