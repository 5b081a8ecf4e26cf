//! Flat Monte Carlo, the papers' algorithm: random games from every legal move.
//!
//! Each legal direction gets the same number of play-outs to the end of the game; the
//! one with the best mean score is played, where the score is the gains of all moves
//! of the play-out, the first included. Directions take turns, so that a budget that
//! ends early leaves them equal.

use plugin_api::{Board, Dice, Direction, PackedBoard};

use crate::{purse::Purse, world::World};

/// What reaching the goal is worth beside the score: more than any score before it.
const GOAL_SCORE: f64 = 10_000_000.0;

/// The play-outs of one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The direction of the first move.
    pub(crate) direction: Direction,
    /// The play-outs that came to their end.
    pub(crate) n_play_outs: u32,
    total: f64,
}

impl Sample {
    /// The mean score; nothing is known without a play-out.
    #[must_use]
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.n_play_outs > 0).then(|| self.total / f64::from(self.n_play_outs))
    }
}

/// Plays up to `runs` random games from each legal direction.
#[must_use]
pub(crate) fn sample(
    world: &World,
    board: &Board,
    runs: u32,
    purse: &mut Purse,
    dice: &mut Dice,
) -> Vec<Sample> {
    let mut samples: Vec<Sample> = board
        .legal_moves()
        .map(|direction| Sample {
            direction,
            n_play_outs: 0,
            total: 0.0,
        })
        .collect();
    // A board without a packed view is refused before the game.
    let Some(root) = PackedBoard::shrunk(board) else {
        return samples;
    };
    for _ in 0..runs {
        for sample in &mut samples {
            let Some(score) = play_out(world, root, sample.direction, purse, dice) else {
                return samples;
            };
            sample.n_play_outs += 1;
            sample.total += score;
        }
    }
    samples
}

/// The score of one random game; `None` when the budget ends within it.
fn play_out(
    world: &World,
    root: PackedBoard,
    direction: Direction,
    purse: &mut Purse,
    dice: &mut Dice,
) -> Option<f64> {
    let mut score = 0.0;
    let mut slide = Some(world.tables().slide_with_gain(root, direction));
    while let Some((moved, gain)) = slide {
        if !purse.take(1) {
            return None;
        }
        score += f64::from(gain);
        if world.is_goal(moved) {
            return Some(score + GOAL_SCORE);
        }
        let board = world.spawn(moved, dice);
        slide = world.random_slide(board, dice);
    }
    Some(score)
}
