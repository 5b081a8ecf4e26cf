//! Results of agents on one seed: from live games and from the listed runs.

use plugin_api::Tiles;
use serde::{Deserialize, Serialize};

use run::{
    game_figures::GameFigures,
    game_record::{Ending, GameRecord},
    run_plan::RunPlan,
};

/// The settings that determine the tiles.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct ResultQuery {
    pub(super) seed: u64,
    size: usize,
    four_share: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct GameResult {
    agent: String,
    /// Budget and parameters.
    detail: String,
    pub(super) score: u64,
    highest: u64,
    n_moves: u64,
    ending: Ending,
    source: String,
    run: Option<String>,
    game: Option<u64>,
}

impl ResultQuery {
    /// Whether the games of a run on this seed have the same tiles and no goal or limit
    /// that ends them early.
    pub(super) fn has_same_tiles(&self, plan: &RunPlan) -> bool {
        let tournament = &plan.tournament;
        let has_same_share = (tournament.four.as_f64() - self.four_share).abs() < 1e-12;
        plan.salt.is_none()
            && tournament.tiles == Tiles::Random
            && tournament.side.length() == self.size
            && has_same_share
            && tournament.goal.is_none()
            && tournament.max_moves.is_none()
            && tournament.planned_seeds().contains(self.seed)
    }
}

impl GameResult {
    pub(super) fn of_live_game(record: &GameRecord, detail: String) -> Self {
        Self {
            agent: record.agent.clone(),
            detail,
            score: record.score,
            highest: record.highest,
            n_moves: record.n_moves,
            ending: record.ending,
            source: "played here".to_owned(),
            run: None,
            game: None,
        }
    }

    pub(super) fn of_run(record: &GameFigures, plan: &RunPlan, run: &str) -> Self {
        Self {
            agent: plan.agents[record.series.agent].name.clone(),
            detail: plan.budget_label(record.series.budget).unwrap_or_default(),
            score: record.score,
            highest: record.highest,
            n_moves: record.n_moves,
            ending: record.ending,
            source: format!("run {}", plan.tournament.name),
            run: Some(run.to_owned()),
            game: Some(record.game),
        }
    }
}
