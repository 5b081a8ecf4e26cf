//! Rounds of training: all threads play, then the network is evaluated and saved.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use ntuple_network::N_LARGE;
use plugin_api::Clock;

use crate::{
    evaluation::evaluate,
    learning_network::{LearningNetwork, N_TUPLES},
    learning_state,
    self_play::{SelfPlay, Starts},
};

/// The highest tile of which weights are packed, 8192; the agent downgrades higher ones.
pub(crate) const PLAYING_CAP: u32 = 13;

/// Moves between two checks of the other threads' progress.
const STEPS: u64 = 1000;

/// What to train.
pub(crate) struct Plan {
    pub(crate) state: PathBuf,
    pub(crate) n_rounds: u64,
    pub(crate) moves_per_round: u64,
    pub(crate) n_games: u64,
    pub(crate) n_threads: usize,
    pub(crate) seed: u64,
    pub(crate) starts: Starts,
    /// The number of stages with separate weights, if the state has fewer.
    pub(crate) n_stages: usize,
    /// Whether the small tuples stay as they are.
    pub(crate) is_large_only: bool,
}

/// Trains and prints a line of the learning curve per round.
///
/// # Errors
/// If the state cannot be read or written.
pub(crate) fn train(plan: &Plan) -> anyhow::Result<()> {
    let (mut network, n_moves) = learning_state::load(&plan.state)?;
    network.split_into(plan.n_stages);
    network.promote();
    if plan.is_large_only {
        network.fold();
        train_tuples::<N_LARGE>(plan, &mut network, n_moves)
    } else {
        train_tuples::<N_TUPLES>(plan, &mut network, n_moves)
    }
}

fn train_tuples<const N: usize>(
    plan: &Plan,
    network: &mut LearningNetwork,
    mut n_moves: u64,
) -> anyhow::Result<()> {
    println!("moves (millions) | moves per CPU second | training | greedy play on fixed seeds");
    let mut kept = Vec::new();
    for _ in 0..plan.n_rounds {
        let mut threads: Vec<SelfPlay<'_, N>> = (0..plan.n_threads as u64)
            .map(|thread| {
                let seed = plan.seed ^ n_moves.rotate_left(20) ^ thread.rotate_right(8);
                SelfPlay::new(network, plan.starts.clone(), seed, kept.pop())
            })
            .collect();
        let start_ns = Clock::Cpu.now_ns();
        let n_played = play_round(&mut threads, plan.moves_per_round);
        let cpu = Duration::from_nanos(Clock::Cpu.now_ns() - start_ns);
        n_moves += n_played;
        let scores: Vec<f64> = threads
            .iter()
            .flat_map(|thread| thread.scores.iter().copied())
            .collect();
        kept.extend(threads.into_iter().map(|thread| thread.kept));
        println!(
            "{} | {:.0} | {:.0} | {}",
            n_moves / 1_000_000,
            n_played as f64 / cpu.as_secs_f64(),
            scores.iter().sum::<f64>() / scores.len() as f64,
            evaluate::<N>(network, PLAYING_CAP, plan.n_games, plan.n_threads),
        );
        if plan.is_large_only {
            network.unfold();
        }
        network.promote();
        learning_state::save(&plan.state, network, n_moves)?;
        if plan.is_large_only {
            network.fold();
        }
    }
    Ok(())
}

/// Runs all threads until they have made this many moves together.
fn play_round<const N: usize>(threads: &mut [SelfPlay<'_, N>], n_moves: u64) -> u64 {
    let n_played = AtomicU64::new(0);
    thread::scope(|scope| {
        for games in threads {
            scope.spawn(|| {
                while n_played.load(Ordering::Relaxed) < n_moves {
                    let n_more = games.play_and_learn(STEPS);
                    n_played.fetch_add(n_more, Ordering::Relaxed);
                }
            });
        }
    });
    n_played.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_teaches_and_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan {
            state: folder.path().join("state"),
            n_rounds: 1,
            moves_per_round: 300_000,
            n_games: 10,
            n_threads: 2,
            seed: 1,
            starts: Starts {
                percent_fresh: 50,
                sums: 0..u32::MAX,
            },
            n_stages: 1,
            is_large_only: false,
        };
        train(&plan).unwrap();
        let (network, n_moves) = learning_state::load(&plan.state).unwrap();
        assert!(n_moves >= 300_000);
        // A random player scores about 1,100.
        let strength = evaluate::<N_TUPLES>(&network, PLAYING_CAP, 20, 2);
        assert!(strength.mean > 4000.0, "{strength}");
        train(&plan).unwrap();
        let (_, later) = learning_state::load(&plan.state).unwrap();
        assert!(later >= n_moves + 300_000);
    }
}
