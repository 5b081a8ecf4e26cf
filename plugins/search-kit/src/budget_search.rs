//! A search over lines that uses the budget of each turn.
//!
//! It deepens as long as time or nodes last, and goes on for longer when the turn turns
//! out to be hard.

use plugin_api::{Choice, Limit, PackedBoard, Turn};

use crate::{
    CountedSearch, Deepening, RankedMove, RootMove, ThinkingTime,
    line_search::{Judge, LineEvaluation, TwoWayBoard},
};

/// The depth without a budget.
const DEFAULT_DEPTH: i32 = 5;

/// A search that evaluates boards line by line where it ends.
pub trait JudgedSearch: CountedSearch<Moved = TwoWayBoard> {
    /// What evaluates a line.
    type Values: LineEvaluation;

    /// What evaluates boards.
    fn judge(&self) -> &Judge<Self::Values>;
}

/// A search and its time. It exists as long as its agent.
pub struct BudgetSearch<S> {
    search: S,
    time: ThinkingTime,
}

impl<S: JudgedSearch> BudgetSearch<S> {
    /// A search under the limit of a game.
    #[must_use]
    pub fn new(search: S, limit: Limit) -> Self {
        let cost_of_loss = f64::from(search.judge().value_of_lost_board()).abs();
        Self {
            search,
            time: ThinkingTime::new(limit, cost_of_loss),
        }
    }

    /// The same search, but with a clock a move that leads by this much after a part of the
    /// time is played at once, and other turns take longer.
    #[must_use]
    pub fn with_easy_lead(mut self, lead: f64) -> Self {
        self.time = self.time.with_easy_lead(lead);
        self
    }

    /// Never searches deeper than this; without a budget, as deep.
    pub fn set_deepest(&mut self, depth: u32) {
        self.time.set_deepest(depth);
    }

    /// The search without its time.
    #[must_use]
    pub fn into_search(self) -> S {
        self.search
    }

    /// The static value of a board after a move.
    #[must_use]
    pub fn static_value(&self, moved: PackedBoard) -> i32 {
        self.search.judge().static_value(TwoWayBoard::new(moved))
    }

    /// The best of these moves with the values of all; `None` if there is none.
    pub fn choose(&mut self, moves: &[RootMove], turn: &Turn) -> Option<Choice> {
        let search = &mut self.search;
        let deepening = Deepening::new(moves.iter().map(|root| {
            let after = TwoWayBoard::new(root.moved);
            RankedMove {
                direction: root.direction,
                moved: after,
                value: from_static(search.judge().static_value(after)),
            }
        }));
        self.time
            .think(search, deepening, turn, DEFAULT_DEPTH, |value| value)
    }
}

/// A static value as searches add it up.
#[inline]
#[expect(
    clippy::cast_precision_loss,
    reason = "seven digits are enough to compare moves"
)]
#[must_use]
pub fn from_static(value: i32) -> f32 {
    value as f32
}
