//! Flat Monte Carlo, the papers' algorithm: random games from every legal move.
//!
//! Each legal direction gets the same number of play-outs to the end of the game, and
//! the one with the best mean score is played. The score is the sum of the gains of all
//! moves of the play-out, including the first. Directions take turns, so a budget that
//! ends early leaves them equal.

use plugin_api::{Board, Dice, Direction, PackedBoard};

use crate::{counted_budget::CountedBudget, world::World};

/// The value of reaching the goal in addition to the score: more than any score before
/// it.
const GOAL_SCORE: f64 = 10_000_000.0;

/// The play-outs of one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The direction of the first move.
    pub(crate) direction: Direction,
    /// The number of completed play-outs.
    pub(crate) n_play_outs: u32,
    total: f64,
}

impl Sample {
    /// The mean score; `None` without a play-out.
    #[must_use]
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.n_play_outs > 0).then(|| self.total / f64::from(self.n_play_outs))
    }
}

/// Plays up to `runs` random games from each legal direction. `hear` gets the direction, the
/// score and the number of moves of each.
#[must_use]
pub(crate) fn sample(
    world: &World,
    board: &Board,
    runs: u32,
    budget: &mut CountedBudget,
    dice: &mut Dice,
    mut hear: impl FnMut(Direction, f64, u64),
) -> Vec<Sample> {
    let mut samples: Vec<Sample> = board
        .legal_moves()
        .map(|direction| Sample {
            direction,
            n_play_outs: 0,
            total: 0.0,
        })
        .collect();
    // A board without a packed view is rejected before the game.
    let Some(root) = PackedBoard::shrunk(board) else {
        return samples;
    };
    for _ in 0..runs {
        for sample in &mut samples {
            let n_moves_before = budget.searched();
            let Some(score) = play_out(world, root, sample.direction, budget, dice) else {
                return samples;
            };
            sample.n_play_outs += 1;
            sample.total += score;
            hear(sample.direction, score, budget.searched() - n_moves_before);
        }
    }
    samples
}

/// The score of one random game; `None` if the budget ends before the game does.
fn play_out(
    world: &World,
    root: PackedBoard,
    direction: Direction,
    budget: &mut CountedBudget,
    dice: &mut Dice,
) -> Option<f64> {
    let mut score = 0.0;
    let mut slide = Some(world.tables().slide_with_gain(root, direction));
    while let Some((moved, gain)) = slide {
        if !budget.take(1) {
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
