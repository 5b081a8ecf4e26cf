//! An agent's answer: a direction and, optionally, a report of its search.

use crate::Direction;

/// An agent's answer. `Direction::Left.into()` is a complete one.
///
/// Everything else is shown to people (viewer, statistics) and does not affect the
/// game.
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
    /// The value of each direction that the agent considered, on a scale of its own.
    /// Shown only if finite.
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
    /// Adds the value of a direction.
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
