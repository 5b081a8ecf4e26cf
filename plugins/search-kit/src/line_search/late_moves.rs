//! How much shallower the moves after the first are searched.

/// The largest reduction, in levels.
const LARGEST_REDUCTION: i32 = 4;

/// How much shallower the moves after the first are searched. A move that then looks
/// better than the first is searched again to the full depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LateMoves {
    /// Not at all: the search is exact.
    AsDeep,
    /// One level, and the order is that of static values.
    OneShallower,
    /// One level, and another one for each time that the value is this much below the first
    /// one's. The order is that of previous searches where there were any.
    ByDifference(i32),
}

impl LateMoves {
    /// Whether values of previous searches decide the order.
    #[inline]
    pub(super) fn uses_searched_values(self) -> bool {
        matches!(self, Self::ByDifference(_))
    }

    /// The reduction of a move with this value.
    #[inline]
    pub(super) fn reduction(self, first: i32, value: i32) -> i32 {
        match self {
            Self::ByDifference(level) => (1 + (first - value) / level).min(LARGEST_REDUCTION),
            _ => self.least_reduction(),
        }
    }

    /// The reduction of a move as good as the first one.
    #[inline]
    pub(super) fn least_reduction(self) -> i32 {
        i32::from(self != Self::AsDeep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worse_moves_are_searched_less_deeply() {
        let late_moves = LateMoves::ByDifference(100);
        let reductions =
            [0, 99, 100, 250, 10_000].map(|difference| late_moves.reduction(-50, -50 - difference));
        assert_eq!(reductions, [1, 1, 2, 3, 4]);
        assert_eq!(LateMoves::OneShallower.reduction(0, -10_000), 1);
        assert_eq!(LateMoves::AsDeep.reduction(0, -10_000), 0);
    }
}
