//! Rounds of training on late boards, from the last ones backwards.
//!
//! A board is worth something only if the boards after it are played well. Therefore the first
//! boards that are corrected are those just before the 32768, and the reach of the correction
//! doubles after fixed numbers of moves. With the whole reach from the start, all games are
//! lost before anything is learned about their ends.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::Duration,
};

use ntuple::Network;
use ntuple_network::LATE_REACH;
use plugin_api::Clock;

use crate::{
    late_network::LateNetwork,
    late_play::{KeptBoards, LatePlay, N_PHASES},
    learning_state,
};

/// The number of moves, in millions, up to which boards with this missing sum are corrected.
const CURRICULUM: [(u64, u32); 4] = [(4, 128), (10, 256), (18, 512), (33, 1024)];
const MILLION: u64 = 1_000_000;

/// What is to be trained.
pub(crate) struct LatePlan {
    pub(crate) state: PathBuf,
    /// The file of the weights that are corrected, `ntuple.weights`.
    pub(crate) weights: PathBuf,
    pub(crate) n_rounds: u64,
    pub(crate) moves_per_round: u64,
    /// The games that are played from an empty board to begin with.
    pub(crate) n_first_games: u64,
    /// The nodes per move of the other games.
    pub(crate) nodes: u64,
    pub(crate) n_threads: usize,
    pub(crate) seed: u64,
}

/// Opens the network and loads what was learned about its late boards, if there is a state;
/// returns the number of moves it was trained with.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn load(state: &Path, weights: &Path) -> anyhow::Result<(LateNetwork, u64)> {
    let network = Network::open(weights).map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
    let network = LateNetwork::new(network);
    let n_moves = learning_state::load_late(state, &network.learned)?;
    Ok((network, n_moves))
}

/// Trains and prints a line of the learning curve per round.
///
/// # Errors
/// If the state cannot be read or written.
pub(crate) fn train(plan: &LatePlan) -> anyhow::Result<()> {
    let (network, mut n_moves) = load(&plan.state, &plan.weights)?;
    let mut threads: Vec<LatePlay<'_>> = (0..plan.n_threads as u64)
        .map(|thread| {
            let seed = plan.seed ^ n_moves.rotate_left(20) ^ thread.rotate_right(8);
            LatePlay::new(&network, seed, KeptBoards::default())
        })
        .collect();
    network.set_reach(reach(n_moves));
    println!("{} games from an empty board", plan.n_first_games);
    run(&mut threads, plan.n_first_games, |thread| {
        thread.play_first_game();
        1
    });
    anyhow::ensure!(
        threads
            .iter()
            .all(|thread| thread.has_boards(reach(n_moves))),
        "a thread has no game that came close to a 32768: play more with --first-games"
    );
    println!(
        "moves (millions) | moves per CPU second | share of games with a 32768, \
         by how much was missing at first (most to least)"
    );
    for _ in 0..plan.n_rounds {
        let start_ns = Clock::Cpu.now_ns();
        let reach = reach(n_moves);
        network.set_reach(reach);
        let n_played = run(&mut threads, plan.moves_per_round, |thread| {
            thread.play_and_learn(reach, plan.nodes)
        });
        let cpu = Duration::from_nanos(Clock::Cpu.now_ns() - start_ns);
        n_moves += n_played;
        println!(
            "{:.1} | {:.0} | {}",
            n_moves as f64 / MILLION as f64,
            n_played as f64 / cpu.as_secs_f64(),
            shares(&mut threads),
        );
        learning_state::save_late(&plan.state, &network.learned, n_moves)?;
    }
    Ok(())
}

/// The largest missing sum of boards that are corrected after this many moves.
fn reach(n_moves: u64) -> u32 {
    let mut stages = CURRICULUM.iter();
    let stage = stages.find(|&&(millions, _)| n_moves < millions * MILLION);
    stage.map_or(LATE_REACH, |&(_, reach)| reach)
}

/// Runs all threads until they have done this much together; returns how much they did.
fn run(
    threads: &mut [LatePlay<'_>],
    enough: u64,
    work: impl Fn(&mut LatePlay<'_>) -> u64 + Sync,
) -> u64 {
    let done = AtomicU64::new(0);
    thread::scope(|scope| {
        for games in threads {
            scope.spawn(|| {
                while done.load(Relaxed) < enough {
                    done.fetch_add(work(games), Relaxed);
                }
            });
        }
    });
    done.into_inner()
}

/// The shares of games with a 32768 since the last call.
fn shares(threads: &mut [LatePlay<'_>]) -> String {
    let mut all = [(0, 0); N_PHASES];
    for thread in threads {
        for (sum, result) in all.iter_mut().zip(&mut thread.results) {
            sum.0 += result.0;
            sum.1 += result.1;
            *result = (0, 0);
        }
    }
    let texts = all.map(|(n_games, n_made)| match n_games {
        0 => "-".to_owned(),
        _ => format!("{:.2}", n_made as f64 / n_games as f64),
    });
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_boards_are_learned_and_training_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let program = std::env::current_exe().unwrap();
        let built = program.ancestors().nth(2).unwrap();
        let plan = LatePlan {
            state: folder.path().join("state"),
            weights: built.join("ntuple.weights"),
            n_rounds: 1,
            moves_per_round: 3000,
            n_first_games: 6,
            nodes: 100,
            n_threads: 1,
            seed: 1,
        };
        train(&plan).unwrap();
        let (network, n_moves) = load(&plan.state, &plan.weights).unwrap();
        assert!(n_moves >= 3000);
        let weights = network.learned.weights.iter();
        assert!(weights.filter(|weight| weight.get() != 0.0).count() > 1000);
        train(&plan).unwrap();
        let (_, later) = load(&plan.state, &plan.weights).unwrap();
        assert!(later >= n_moves + 3000);
    }

    #[test]
    fn the_last_boards_are_learned_first() {
        assert_eq!(reach(0), 128);
        assert_eq!(reach(5 * MILLION), 256);
        assert_eq!(reach(1000 * MILLION), LATE_REACH);
    }
}
