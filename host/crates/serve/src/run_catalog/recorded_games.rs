//! Recorded games as the page receives them: lists of games, one game, its steps.

use std::{cmp::Reverse, fmt::Display};
use text::program;

use plugin_api::{Board, FourShare, Tiles};
use serde::{Deserialize, Serialize};

use run::{
    counted::Counted,
    game_figures::{GameFigures, in_plan_order},
    game_plan::Series,
    game_record::{Ending, GameRecord},
    replay::Replay,
    run_plan::RunPlan,
    thought_files::GameThoughts,
};
use tournament::Budget;

use super::thought_curves::MoveThought;
use crate::{
    error_response::{ApiResult, ErrorResponse},
    views::{EndingView, StepView},
};

/// How many games a list contains at most.
const MAX_GAMES: usize = 1000;
/// How many steps a response contains at most.
const MAX_STEPS: usize = 500;

/// Selects games of a run.
#[derive(Debug, Deserialize)]
pub(crate) struct GameQuery {
    agent: Option<String>,
    seed: Option<u64>,
    budget: Option<String>,
    #[serde(default)]
    order: GameOrder,
}

/// The order of a list of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GameOrder {
    /// As in the plan.
    #[default]
    Plan,
    /// The lowest score first.
    Worst,
    /// The highest score first.
    Best,
}

/// Selects moves of a game.
#[derive(Debug, Deserialize)]
pub(crate) struct StepQuery {
    #[serde(default)]
    from: u64,
    count: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(crate) struct GameList {
    agents: Vec<String>,
    budgets: Vec<String>,
    total: usize,
    games: Vec<GameView>,
}

#[derive(Debug, Serialize)]
struct GameView {
    game: u64,
    agent: String,
    seed: u64,
    budget: Option<String>,
    score: u64,
    highest: u64,
    n_moves: u64,
    ending: Ending,
}

/// A game with all of its moves.
#[derive(Debug, Serialize)]
pub(crate) struct WholeGame {
    #[serde(flatten)]
    game: GameView,
    size: usize,
    four_share: FourShare,
    tiles: Tiles,
    goal: Option<u64>,
    end: EndingView,
    moves: String,
}

/// Consecutive steps of a game, and the board before the first of them.
#[derive(Debug, Serialize)]
pub(crate) struct StepList {
    from: u64,
    board: Vec<u8>,
    score: u64,
    steps: Vec<NumberedStep>,
}

#[derive(Debug, Serialize)]
struct NumberedStep {
    n: u64,
    score: u64,
    board: Vec<u8>,
    #[serde(flatten)]
    step: StepView,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought: Option<MoveThought>,
}

impl GameQuery {
    fn matches(&self, plan: &RunPlan, record: &GameFigures) -> bool {
        let Series { budget, agent } = record.series;
        let has_agent = |name: &String| plan.agents[agent].name == *name;
        let has_budget = |label: &String| plan.budget_label(budget).as_ref() == Some(label);
        self.seed.is_none_or(|seed| record.seed == seed)
            && self.agent.as_ref().is_none_or(has_agent)
            && self.budget.as_ref().is_none_or(has_budget)
    }
}

impl GameList {
    pub(super) fn new(plan: &RunPlan, records: &[GameFigures], query: &GameQuery) -> Self {
        let mut matching = match query.order {
            GameOrder::Plan => in_plan_order(records),
            // The best game is that of the ranking.
            GameOrder::Worst | GameOrder::Best => {
                let first_shared = plan.games().first_shared_game();
                let mut games = Counted::of(plan, records).games(records);
                games.retain(|game| game.game >= first_shared);
                games
            }
        };
        matching.retain(|record| query.matches(plan, record));
        match query.order {
            GameOrder::Plan => (),
            GameOrder::Worst => matching.sort_by_key(|record| record.score),
            GameOrder::Best => matching.sort_by_key(|record| Reverse(record.score)),
        }
        let agents = plan.agents.iter();
        Self {
            agents: agents.map(|agent| agent.name.clone()).collect(),
            budgets: match plan.tournament.budgets.as_slice() {
                [_] => Vec::new(),
                several => several.iter().map(Budget::label).collect(),
            },
            total: matching.len(),
            games: matching
                .into_iter()
                .take(MAX_GAMES)
                .map(|game| GameView::of_figures(plan, game))
                .collect(),
        }
    }
}

impl GameView {
    fn of_figures(plan: &RunPlan, game: &GameFigures) -> Self {
        Self {
            game: game.game,
            agent: plan.agents[game.series.agent].name.clone(),
            seed: game.seed,
            budget: plan.budget_label(game.series.budget),
            score: game.score,
            highest: game.highest,
            n_moves: game.n_moves,
            ending: game.ending,
        }
    }

    fn of_record(record: &GameRecord) -> Self {
        Self {
            game: record.game,
            agent: record.agent.clone(),
            seed: record.seed,
            budget: record.budget.clone(),
            score: record.score,
            highest: record.highest,
            n_moves: record.n_moves,
            ending: record.ending,
        }
    }
}

impl WholeGame {
    pub(super) fn new(plan: &RunPlan, record: GameRecord) -> Self {
        Self {
            game: GameView::of_record(&record),
            size: plan.tournament.side.length(),
            four_share: plan.tournament.four,
            tiles: plan.tournament.tiles,
            goal: plan.tournament.goal,
            end: EndingView::of_record(&record),
            moves: record.moves,
        }
    }
}

impl StepList {
    /// Replays a record and keeps the selected steps.
    ///
    /// # Errors
    /// When the record is not valid.
    pub(super) fn new(
        plan: &RunPlan,
        record: &GameRecord,
        thoughts: Option<&GameThoughts>,
        query: &StepQuery,
    ) -> ApiResult<Self> {
        let count = query.count.unwrap_or(MAX_STEPS).min(MAX_STEPS) as u64;
        let mut replay = Replay::new(plan.tournament.rules(), &plan.salt, record);
        let start = *replay.board();
        let mut list = Self {
            from: query.from.min(record.n_moves),
            board: start.exponents().to_vec(),
            score: 0,
            steps: Vec::new(),
        };
        let mut before: Board = start;
        for step in &mut replay {
            let step = step.map_err(|error| invalid_record(&error))?;
            if step.number <= list.from {
                list.board = step.board.exponents().to_vec();
                list.score = step.score;
            } else {
                list.steps.push(NumberedStep {
                    n: step.number,
                    score: step.score,
                    board: step.board.exponents().to_vec(),
                    step: StepView::of_replay(&before, &step),
                    thought: thoughts.and_then(|it| MoveThought::of(it, step.number)),
                });
            }
            before = step.board;
            if step.number >= list.from.saturating_add(count) {
                break;
            }
        }
        Ok(list)
    }
}

/// The response for a record that cannot be replayed.
pub(super) fn invalid_record(error: &impl Display) -> ErrorResponse {
    let verify = program::command("verify");
    let message = format!("this record is not valid: {error}; see `{verify}` for details");
    ErrorResponse::of_field("", message)
}
