//! What an agent answers: a direction and, if it likes, what it thought.

use crate::Direction;

/// An agent's answer. `Direction::Left.into()` is a complete one.
///
/// The rest is shown to people (viewer, statistics) and decides nothing.
///
/// ```
/// use plugin_api::{Choice, Direction};
///
/// let plain: Choice = Direction::Left.into();
/// let with_thoughts = Choice::from(Direction::Left)
///     .value(Direction::Left, 1234.5)
///     .depth(6)
///     .nodes(81_234);
/// assert_eq!(plain.direction, with_thoughts.direction);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub direction: Direction,
    /// What each direction seemed worth, on a scale of the agent's own, where it
    /// looked at it. Shown only when finite.
    pub values: [Option<f64>; 4],
    /// How many moves ahead it looked.
    pub depth: Option<u32>,
    /// How many nodes it searched: slides of a board.
    pub nodes: Option<u64>,
}

impl From<Direction> for Choice {
    fn from(direction: Direction) -> Self {
        Self {
            direction,
            values: [None; 4],
            depth: None,
            nodes: None,
        }
    }
}

impl Choice {
    /// Adds what a direction seemed worth.
    #[must_use]
    pub fn value(mut self, direction: Direction, value: f64) -> Self {
        self.values[direction.index()] = Some(value);
        self
    }

    /// Adds how many moves ahead the agent looked.
    #[must_use]
    pub fn depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Adds how many nodes the agent searched.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }
}
