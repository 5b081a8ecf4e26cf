//! The course of a game: score, highest tile and empty cells over its moves.

use serde::Serialize;

use super::recorded_games::invalid_record;
use crate::{error_response::ApiResult, game_moves::GameMoves};

/// More points than a screen has columns cannot be seen.
const MOST_POINTS: u64 = 500;

/// A game of many moves is thinned out evenly; the moves on which a new highest tile appears
/// and the last move are always there.
#[derive(Debug, Serialize)]
pub(crate) struct GameCurve {
    points: Vec<CurvePoint>,
}

/// The game after a move: its number, the score, the highest tile as an exponent, the number
/// of empty cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct CurvePoint(u64, u64, u8, usize);

impl GameCurve {
    /// # Errors
    /// When the moves cannot be replayed.
    pub(crate) fn new(game: &GameMoves) -> ApiResult<Self> {
        let stride = game.n_moves().div_ceil(MOST_POINTS).max(1);
        let mut replay = game.replay();
        let point = |number: u64, score: u64, exponents: &[u8]| {
            let (mut highest, mut n_empty) = (0, 0);
            for exponent in exponents {
                highest = highest.max(*exponent);
                n_empty += usize::from(*exponent == 0);
            }
            CurvePoint(number, score, highest, n_empty)
        };
        let mut points = vec![point(0, 0, replay.board().exponents())];
        for step in &mut replay {
            let step = step.map_err(|error| invalid_record(&error))?;
            let next = point(step.number, step.score, step.board.exponents());
            let is_higher = points.last().is_some_and(|last| next.2 > last.2);
            if is_higher || step.number.is_multiple_of(stride) || step.number == game.n_moves() {
                points.push(next);
            }
        }
        Ok(Self { points })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::html::example::played_games;
    use run::example::plan;

    #[test]
    fn a_curve_ends_with_the_record() {
        let plan = plan(4, &["left"]);
        let record = &played_games(&plan, &["left"], 1)[0];
        let moves = GameMoves::of_record(&plan, record.clone());
        let curve = GameCurve::new(&moves).expect("a valid record");
        let last = curve.points.last().expect("points");
        assert_eq!((last.0, last.1), (record.n_moves, record.score));
        assert_eq!(1_u64 << last.2, record.highest);
        let cells = record.board.iter().flatten();
        assert_eq!(last.3, cells.filter(|tile| **tile == 0).count());
    }
}
