//! Code that several agents share: evaluations of a board, and searches over them.
//!
//! It is an rlib and not a plugin, because a plugin cannot link another plugin.
//! Everything works on [`PackedBoard`](plugin_api::PackedBoard). [`root_moves`] is the
//! only conversion from the exact board, so a search can neither choose an illegal
//! move nor fail on a tile that a packed board cannot hold.
//!
//! The searches request every slide from a [`Budget`](plugin_api::Budget) before they
//! make it and return `None` when it is spent.
#![warn(missing_docs)]

// Evaluations.
mod evaluation;
mod line_table;
mod line_values;
mod order_evaluation;
mod snake_score;

// Searches.
mod alpha_beta;
mod budget_search;
mod chance_search;
mod deepening;
mod goal;
pub mod line_search;
mod lost_position;
mod possible_tiles;
pub mod recorder;
mod root_moves;
mod spending;
mod thinking_time;
mod transposition_table;

// For the tests of agents.
pub mod conduct;
pub mod trial;

pub use alpha_beta::{AlphaBeta, BestMoves};
pub use budget_search::{BudgetSearch, JudgedSearch, from_static};
pub use chance_search::{ChanceSearch, LostBoard};
pub use deepening::{CountedSearch, Deepening, DepthSearch, RankedMove};
pub use evaluation::{Evaluation, PaperEvaluation, PaperWeights, exact_paper_value};
pub use goal::Goal;
pub use line_search::LineSearch;
pub use line_table::LineTable;
pub use line_values::{LineValues, Weights};
pub use lost_position::is_lost;
pub use order_evaluation::OrderEvaluation;
pub use possible_tiles::{NewTileCells, PossibleTile, PossibleTiles};
pub use recorder::{NoRecorder, Recorder, TreeRecorder};
pub use root_moves::{MoveValues, PAPER_ORDER, RootMove, check_is_seen_exactly, root_moves};
pub use snake_score::{SnakeScore, exact_snake_score};
pub use spending::{NodeCount, SearchBudget, search_budget};
pub use thinking_time::ThinkingTime;
pub use transposition_table::TranspositionTable;
