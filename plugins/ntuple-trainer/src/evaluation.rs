//! How strong the network is: games on fixed seeds, without learning and without search.

use std::{fmt, thread};

use plugin_api::{Dice, RowTables, Side};

use crate::{
    learning_network::LearningNetwork,
    self_play::{best_of, first_board, moves, with_random_tile},
};

/// The mean score of some games.
pub(crate) struct Strength {
    n_games: usize,
    pub(crate) mean: f64,
    error: f64,
    /// The share of games that reached 8192, 16384 and 32768, in percent.
    reached: [f64; 3],
}

/// The result of a game: its score and its highest exponent.
type GameResult = (f64, u8);

/// Plays games greedily on the seeds 1 to `n_games`, downgrading tiles above `cap`.
pub(crate) fn evaluate<const N_TUPLES: usize>(
    network: &LearningNetwork,
    cap: u32,
    n_games: u64,
    n_threads: usize,
) -> Strength {
    let results: Vec<GameResult> = thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads as u64)
            .map(|thread| {
                let seeds = (1..=n_games).filter(move |seed| seed % n_threads as u64 == thread);
                scope.spawn(move || -> Vec<GameResult> {
                    seeds
                        .map(|seed| play::<N_TUPLES>(network, cap, seed))
                        .collect()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("a game does not panic"))
            .collect()
    });
    Strength::of(&results)
}

fn play<const N: usize>(network: &LearningNetwork, cap: u32, seed: u64) -> GameResult {
    let tables = RowTables::of(Side::FOUR).expect("packed boards are 4×4");
    let mut dice = Dice::new(seed);
    let mut board = first_board(tables, &mut dice);
    let mut score = 0.0;
    while let Some(best) = best_of(network, &moves::<N>(network, tables, board, cap)) {
        score += f64::from(best.gain);
        board = with_random_tile(tables, best.moved, &mut dice);
    }
    (score, board.highest_exponent())
}

impl Strength {
    fn of(results: &[GameResult]) -> Self {
        let n = results.len() as f64;
        let mean = results.iter().map(|result| result.0).sum::<f64>() / n;
        let squares: f64 = results.iter().map(|result| (result.0 - mean).powi(2)).sum();
        let reached = |exponent| {
            let n_reached = results.iter().filter(|result| result.1 >= exponent).count();
            100.0 * n_reached as f64 / n
        };
        Self {
            n_games: results.len(),
            mean,
            error: (squares / (n - 1.0) / n).sqrt(),
            reached: [13, 14, 15].map(reached),
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = self.reached;
        write!(
            f,
            "{:.0} ± {:.0} (n = {}), 8192 {first:.1} %, 16384 {second:.1} %, 32768 {third:.1} %",
            self.mean, self.error, self.n_games
        )
    }
}
