//! A search over lines that uses the budget of each turn.
//!
//! It deepens as long as time or nodes last, and goes on for longer when the turn turns
//! out to be hard.

use plugin_api::{Allowance, Choice, Limit, PackedBoard, Turn};

use crate::{
    Deepening, DepthSearch, NodeCount, RankedMove, RootMove, ThinkingTime,
    line_search::{Judge, LineEvaluation, TwoWayBoard},
};

/// The depth without a budget.
const DEFAULT_DEPTH: i32 = 5;
/// The largest depth with a budget; deeper searches hardly change the choice.
const DEEPEST: i32 = 40;

/// A search that counts its nodes and evaluates boards where it ends.
pub trait CountedSearch: DepthSearch<Moved = TwoWayBoard> {
    /// What evaluates a line.
    type Values: LineEvaluation;

    /// The slides of this turn.
    fn nodes(&mut self) -> &mut NodeCount;

    /// What evaluates boards.
    fn judge(&self) -> &Judge<Self::Values>;
}

/// A search and its time. It exists as long as its agent.
pub struct BudgetSearch<S> {
    search: S,
    time: ThinkingTime,
    /// A move that leads by this much after a first look is played at once.
    easy_lead: Option<f64>,
}

impl<S: CountedSearch> BudgetSearch<S> {
    /// A search under the limit of a game.
    #[must_use]
    pub fn new(search: S, limit: Limit) -> Self {
        let cost_of_loss = f64::from(search.judge().value_of_lost_board()).abs();
        Self {
            search,
            time: ThinkingTime::new(limit, cost_of_loss),
            easy_lead: None,
        }
    }

    /// The same search, but with a clock a move that leads by this much after a part of the
    /// time is played at once, and other turns take longer.
    #[must_use]
    pub fn with_easy_lead(self, lead: f64) -> Self {
        Self {
            easy_lead: Some(lead),
            ..self
        }
    }

    /// The static value of a board after a move.
    #[must_use]
    pub fn static_value(&self, moved: PackedBoard) -> i32 {
        self.search.judge().static_value(TwoWayBoard::new(moved))
    }

    /// The best of these moves with the values of all; `None` if there is none.
    pub fn choose(&mut self, moves: &[RootMove], turn: &Turn) -> Option<Choice> {
        let search = &mut self.search;
        let deepest = match turn.allowance {
            Allowance::Unlimited => DEFAULT_DEPTH,
            _ => DEEPEST,
        };
        let mut deepening = Deepening::new(moves.iter().map(|root| {
            let after = TwoWayBoard::new(root.moved);
            RankedMove {
                direction: root.direction,
                moved: after,
                value: from_static(search.judge().static_value(after)),
            }
        }));
        let first_look = self
            .easy_lead
            .and_then(|lead| Some((lead, self.time.first_look(turn)?)));
        let is_easy = if let Some((easy_lead, budget)) = first_look {
            *search.nodes() = NodeCount::new(budget);
            deepening.search(search, deepest);
            let is_easy = deepening.lead().is_none_or(|lead| lead >= easy_lead);
            if !is_easy {
                search.nodes().go_on(self.time.not_easy(turn));
            }
            is_easy
        } else {
            *search.nodes() = NodeCount::new(self.time.ordinary(turn));
            false
        };
        if !is_easy {
            deepening.search(search, deepest);
            if let Some(value) = deepening.best_value()
                && let Some(budget) = self.time.longer(value, turn)
            {
                search.nodes().go_on(budget);
                deepening.search(search, deepest);
            }
        }
        Some(deepening.choice()?.nodes(search.nodes().nodes()))
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
