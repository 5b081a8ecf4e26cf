//! The report of a tournament: conclusions from records, and their output formats.
//!
//! A plan and records enter; a [`Report`] leaves, and with it text for the terminal, JSON, CSV,
//! Markdown, LaTeX, charts and HTML pages. The report is computed from the plan and the records
//! alone, in the order of the plan, so the same log gives the same report, whatever the order in
//! which the games ended. It knows nothing of workers, the runner and the server.
//!
//! Start with [`Report`] and [`BudgetReport`]; `tables` and [`formats`] show them, [`html`] is the
//! report page.

pub mod agent_games;
pub mod agent_summary;
mod board_svg;
pub mod budget_report;
pub mod control_pair;
mod estimate_text;
pub mod fault_example;
pub mod formats;
pub mod game_ends;
pub mod headline;
pub mod html;
pub mod layout;
mod loss;
pub mod methods;
pub mod note;
pub mod pair_report;
mod parameter_family;
pub mod private_seeds;
pub mod run_report;
mod same_games;
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
    counted::{Counted, GameCounts},
    game_figures::GameFigures,
    run_plan::{LeftOut, RunPlan},
    stderr_files::StderrFiles,
};
use statistics::effort::Effort;
use text::printable::printable;

pub use board_svg::{HOLLOW, TileLook, WELL, board_picture, board_svg, tile_look};
pub use budget_report::{AgentReport, BudgetReport};
pub use fault_example::FaultExample;
pub use methods::Methods;
pub use note::{Note, NoteKind};
pub use pair_report::{PairReport, PairVerdict};

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
    /// Which games count, and the state of a stop rule.
    pub counted: Counted,
    pub notes: Vec<Note>,
    /// Submissions that do not play.
    pub left_out: Vec<LeftOut>,
    pub games: GameCounts,
    /// Added by [`Report::with_methods_of`].
    pub methods: Option<Methods>,
}

impl Report {
    /// `records` has each game of the plan once, in any order.
    #[must_use]
    pub fn new(plan: &RunPlan, records: &[GameFigures]) -> Self {
        let counted = Counted::of(plan, records);
        let (counting, games) = (counted.games(records), counted.by_series(records));
        let goal = plan.tournament.ranking_goal();
        let tiles = tiles_to_report(&counting, goal);
        let n_games = counted.counts_of(records);
        let budgets: Vec<BudgetReport> = (0..plan.tournament.budgets.len())
            .map(|budget| BudgetReport::new(plan, &counted, budget, &games, &tiles, Effort::FULL))
            .collect();
        Self {
            name: plan.tournament.name.clone(),
            n_cells: plan.tournament.side.n_cells(),
            goal,
            notes: note::notes(
                plan,
                &budgets,
                counted.decision.as_ref(),
                &n_games,
                &counting,
            ),
            budgets,
            games: n_games,
            counted,
            left_out: plan.left_out.clone(),
            methods: None,
        }
    }
}

impl Report {
    /// That games are missing, for formats without notes.
    #[must_use]
    pub fn incompleteness(&self) -> Option<String> {
        note::incomplete(&self.games).map(|note| note.text)
    }

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

    /// Adds the numbers for a methods section.
    #[must_use]
    pub fn with_methods_of(self, plan: &RunPlan, records: &[GameFigures]) -> Self {
        let methods = Some(Methods::of(plan, &self.counted, &self.budgets, records));
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
    use std::num::NonZeroU32;

    use plugin_api::Tiles;

    use crate::example::*;
    use rand::Rng;
    use run::example::figures;
    use run::game_record::Ending;
    use statistics::{game_outcome::Measure, simulated_scores::generator};
    use tournament::StopRule;

    #[test]
    fn three_seeds_are_as_computed_by_hand() {
        let report = report_of(&plan(&["left", "right"]), three_seeds());
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
        let other = report_of(&plan(&FIVE_AGENTS), records);
        assert_eq!(other, report_of_five_agents());
    }

    #[test]
    fn ranks_are_within_one_budget() {
        let mut records = three_seeds();
        for record in &mut records {
            record.series.budget = usize::from(record.seed == 3);
        }
        let mut plan = plan(&["left", "right"]);
        plan.tournament.budgets = [1, 10].map(time_budget).into();
        let report = report_of(&plan, records);
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
        let mut plan = plan(&FIVE_AGENTS);
        plan.tournament.disqualify_after = NonZeroU32::new(3);
        for record in &mut records {
            if FIVE_AGENTS[record.series.agent] == "expectimax" && (4..=9).contains(&record.seed) {
                record.ending = Ending::Hang;
            }
        }
        let report = report_of(&plan, records);
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
            record.score = FIVE_AGENTS[record.series.agent].len() as u64 * 100;
            record.ending = Ending::NoMoveLeft;
        }
        let mut plan = plan(&FIVE_AGENTS);
        plan.tournament.tiles = Tiles::Deterministic;
        let report = report_of(&plan, records);
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
        let [_incomplete, note] = &report.notes[..] else {
            panic!("{:?}", report.notes);
        };
        assert!(note.text.starts_with("deterministic tiles"), "{note}");
    }

    #[test]
    fn with_a_goal_the_score_does_not_decide() {
        let mut records = three_seeds();
        for record in &mut records {
            record.n_moves = if record.series.agent == 1 { 90 } else { 100 };
        }
        let mut plan = plan(&["left", "right"]);
        plan.tournament.goal = Some(256);
        let report = report_of(&plan, records);
        let part = &report.budgets[0];
        assert_eq!(part.agents[0].name, "right");
        assert_eq!(part.pairs[0].comparison.measure, Measure::Moves);
        assert_eq!(part.pairs[0].comparison.mean_difference, Some(-10.0));
    }

    #[test]
    fn a_log_without_games_gives_a_report_without_figures() {
        let report = Report::new(&plan(&["a", "b"]), &[]);
        let part = &report.budgets[0];
        assert!(part.agents.iter().all(|agent| agent.rank.is_none()));
        assert!(part.pairs.is_empty());
    }

    /// Games of two agents, of which the first is better by `advantage` on average, and their plan.
    fn race(n_seeds: u64, max_seeds: u64, advantage: u64) -> (RunPlan, Vec<GameFigures>) {
        let mut plan = plan(&["a", "b"]);
        plan.tournament.seeds = "1..5".parse().expect("five seeds");
        plan.tournament.stop = Some(StopRule {
            decided: 0.95,
            max_seeds,
            equal_within: None,
        });
        let mut random = generator(7);
        let games = (1..=n_seeds).flat_map(|seed| {
            let mut score = |bonus| 1_000 + bonus + random.next_u64() % 1_000;
            let scores = [score(advantage), score(0)];
            let games = [0, 1].into_iter().zip(scores);
            games.map(move |(agent, score)| figures(agent, seed, score))
        });
        let games = numbered(&plan, games);
        (plan, games)
    }

    #[test]
    fn games_after_a_place_was_settled_do_not_count() {
        let (plan, mut more) = race(60, 80, 900);
        let decided_after = Report::new(&plan, &more).budgets[0].pairs[0].decided_after;
        let seeds = decided_after.expect("a clear difference") as u64;
        assert!((10..30).contains(&seeds), "{seeds}");
        let (_, few) = race(seeds, 80, 900);
        let report = Report::new(&plan, &few);
        for record in more.iter_mut().filter(|record| record.seed > seeds) {
            record.score = 0;
        }
        let with_more = Report::new(&plan, &more);
        assert_eq!(with_more.budgets, report.budgets);
        assert_eq!(with_more.notes, report.notes);
        let pair = &report.budgets[0].pairs[0];
        assert_eq!(pair.verdict, PairVerdict::FirstIsBetter);
        assert!(!pair.interval.unwrap().contains(0.0));
    }

    #[test]
    fn a_pair_that_a_race_leaves_open_is_not_significant() {
        let (plan, games) = race(50, 50, 0);
        let report = Report::new(&plan, &games);
        let pair = &report.budgets[0].pairs[0];
        assert!(pair.interval.unwrap().contains(0.0));
        assert!(pair.p_adjusted.unwrap() > 0.05);
    }
}
