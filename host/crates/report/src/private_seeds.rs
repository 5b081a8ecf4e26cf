//! Whether an agent scores higher on seeds that others play than on seeds of its own.
//!
//! An agent without knowledge of its tiles cannot tell the two apart, so its scores on both
//! come from one distribution. An agent that does better on shared seeds has learned something
//! from the games of others, in a way that the sandbox does not prevent.

use super::control_pair::SUSPICIOUS;
use run::game_figures::GameFigures;
use statistics::{as_f64, effort::Effort, holm::holm, rank_sum::rank_sum_p_value};
use text::number_text::{amount, counted, p_value_in_a_sentence};

/// The scores of one agent on both kinds of seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrivateSeedTest {
    pub private_games: usize,
    pub private_mean: f64,
    pub shared_games: usize,
    pub shared_mean: f64,
    /// One-sided: scores on shared seeds are higher. Corrected for the number of agents.
    pub p_value: f64,
}

impl PrivateSeedTest {
    /// `None` without games of both kinds. The p-value is not corrected yet.
    pub(super) fn of(
        private: &[&GameFigures],
        shared: &[&GameFigures],
        effort: Effort,
    ) -> Option<Self> {
        let scores = |records: &[&GameFigures]| records.iter().map(|r| r.score).collect::<Vec<_>>();
        let (private, shared) = (scores(private), scores(shared));
        let mean = |scores: &[u64]| {
            let scores = scores.iter().map(|score| as_f64(*score));
            scores.clone().sum::<f64>() / as_f64(scores.len())
        };
        Some(Self {
            p_value: rank_sum_p_value(&shared, &private, effort)?,
            private_games: private.len(),
            private_mean: mean(&private),
            shared_games: shared.len(),
            shared_mean: mean(&shared),
        })
    }

    /// The agent, its means on both kinds of seed and the p-value.
    pub(super) fn figures(&self, name: &str) -> String {
        format!(
            "{name} (mean {} in {} on shared seeds, {} in {} on its own, {})",
            amount(self.shared_mean),
            counted(self.shared_games as u64, "game"),
            amount(self.private_mean),
            counted(self.private_games as u64, "game"),
            p_value_in_a_sentence(self.p_value)
        )
    }

    /// Whether an honest agent would hardly show such a difference.
    #[must_use]
    pub fn is_suspicious(&self) -> bool {
        self.p_value <= SUSPICIOUS
    }
}

/// Corrects the p-values of all agents under one budget for their number (Holm).
pub(super) fn correct<'t>(tests: impl Iterator<Item = &'t mut PrivateSeedTest>) {
    let tests: Vec<&mut PrivateSeedTest> = tests.collect();
    let p_values: Vec<f64> = tests.iter().map(|test| test.p_value).collect();
    for (test, p_value) in tests.into_iter().zip(holm(&p_values)) {
        test.p_value = p_value;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Report, example::plan};
    use run::{
        example::figures, game_figures::GameFigures, game_plan::PlannedGame, run_plan::RunPlan,
    };
    use tournament::StopRule;

    /// 30 private games of two agents, then 40 shared ones, on which `a` scores `more`.
    fn report(more: u64) -> Report {
        report_with(more, plan(&["a", "b"]))
    }

    fn report_with(more: u64, mut plan: RunPlan) -> Report {
        plan.tournament.private_seeds = 30;
        let luck = |number: u64| number * 7_919 % 1_009;
        let of_planned = |game: PlannedGame| {
            let is_shared = game.number >= 60;
            let more = if is_shared && game.agent == 0 {
                more
            } else {
                0
            };
            GameFigures {
                game: game.number,
                ..figures(game.agent, game.seed, 1_000 + luck(game.number) + more)
            }
        };
        let games: Vec<GameFigures> = plan.games().games().map(of_planned).collect();
        assert_eq!(games.len(), 140);
        Report::new(&plan, &games)
    }

    #[test]
    fn an_agent_that_gains_from_the_games_of_others_is_reported() {
        let report = report(900);
        let note = report.notes[0].to_string();
        assert!(note.starts_with("THIS RUN IS SUSPECT: scores are higher on shared seeds than on private ones for a ("), "{note}");
        let agents = &report.budgets[0].agents;
        let games: Vec<_> = agents.iter().map(|agent| agent.summary.games).collect();
        assert_eq!(games, [40, 40], "private games are not ranked");
    }

    #[test]
    fn with_a_stop_rule_seeds_that_were_fixed_in_advance_are_compared() {
        let stop = StopRule {
            decided: 0.95,
            max_seeds: 40,
            equal_within: None,
        };
        let mut plan = plan(&["a", "b"]);
        plan.tournament.seeds = "1..12".parse().expect("twelve seeds");
        plan.tournament.stop = Some(stop);
        let report = report_with(0, plan);
        for agent in &report.budgets[0].agents {
            let test = agent.private_seeds.unwrap();
            assert_eq!((test.private_games, test.shared_games), (30, 12));
            assert_eq!(agent.summary.games, 40);
        }
    }

    #[test]
    fn honest_agents_pass_in_one_sentence() {
        let report = report(0);
        let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
        let passed: Vec<&String> = notes
            .iter()
            .filter(|note| note.contains("private"))
            .collect();
        assert_eq!(passed.len(), 1, "{notes:?}");
        assert!(
            passed[0].starts_with("private seeds: no agent scores significantly higher"),
            "{passed:?}"
        );
    }
}
