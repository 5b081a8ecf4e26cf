//! Trains the network of the agent `ntuple`, evaluates it, and packs its weights.
//!
//! ```text
//! cargo run --release -p ntuple-trainer -- train STATE --rounds 20
//! cargo run --release -p ntuple-trainer -- evaluate STATE --games 1000
//! cargo run --release -p ntuple-trainer -- pack STATE plugins/ntuple/weights/ntuple.packed
//! cargo run --release -p ntuple-trainer -- train-late LATE_STATE --rounds 200
//! cargo run --release -p ntuple-trainer -- pack-late LATE_STATE plugins/ntuple/weights/late.packed
//! ```
//!
//! The states are folders. If one exists, training goes on from there. `docs/learning.md` explains
//! the method.
#![expect(clippy::print_stdout, reason = "a program that prints its progress")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "values are approximate, and indices of the network have 26 bits"
)]

mod evaluation;
mod late_network;
mod late_play;
mod late_training;
mod learned_weights;
mod learning_network;
mod learning_state;
mod prefetch;
mod self_play;
mod stages;
mod training;

use std::{
    env,
    fs::{self, File},
    io::{BufWriter, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use anyhow::Context;
use clap::{Parser, Subcommand};
use ntuple_network::{N_LATE, N_WEIGHTS, tables};

use crate::{
    late_training::LatePlan,
    learned_weights::{LearnedWeights, SharedNumber},
    learning_network::{LearningNetwork, N_TUPLES},
    self_play::Starts,
    training::{PLAYING_CAP, Plan},
};

#[derive(Parser)]
#[command(about = "Trains the network of the agent `ntuple`")]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Train, from nothing or from a saved state, and print a learning curve
    Train {
        /// The folder of the learning state; created if it does not exist
        state: PathBuf,
        /// How many rounds to train; the state is saved after each
        #[arg(long, default_value_t = 20)]
        rounds: u64,
        /// Moves per round, in millions
        #[arg(long, default_value_t = 100)]
        million_moves: u64,
        /// Games to evaluate after each round
        #[arg(long, default_value_t = 300)]
        games: u64,
        /// Threads; without it, one per core
        #[arg(long)]
        threads: Option<usize>,
        /// The seed of the games; one thread with the same seed learns the same
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The share of moves in games from an empty board, in percent; the other games begin
        /// with boards of earlier games
        #[arg(long, default_value_t = 50)]
        fresh: u64,
        /// The least sum of tiles of these boards
        #[arg(long, default_value_t = 0)]
        least_sum: u32,
        /// The sum of tiles that these boards stay below
        #[arg(long, default_value_t = u32::MAX)]
        below_sum: u32,
        /// Learn separate weights for this many stages of a game, if the state has fewer
        #[arg(long, default_value_t = 1)]
        stages: usize,
        /// Leave the small tuples as they are: the large ones then learn 1.7 times as fast
        #[arg(long)]
        large_only: bool,
    },
    /// Play games on fixed seeds without search
    Evaluate {
        /// The folder of the learning state
        state: PathBuf,
        /// How many games
        #[arg(long, default_value_t = 1000)]
        games: u64,
        /// The highest exponent that is not downgraded
        #[arg(long, default_value_t = PLAYING_CAP)]
        cap: u32,
    },
    /// Pack the weights for the agent
    Pack {
        /// The folder of the learning state
        state: PathBuf,
        /// The file to write
        file: PathBuf,
        /// Weights are rounded to multiples of this
        #[arg(long, default_value_t = 8.0)]
        step: f32,
    },
    /// Train the correction of late boards, on which a 32768 is near, by games with a search
    TrainLate {
        /// The folder of the learning state; created if it does not exist
        state: PathBuf,
        /// The weights to correct; without it, those that the build has unpacked
        #[arg(long)]
        weights: Option<PathBuf>,
        /// How many rounds to train; the state is saved after each
        #[arg(long, default_value_t = 200)]
        rounds: u64,
        /// Moves per round, in millions
        #[arg(long, default_value_t = 1)]
        million_moves: u64,
        /// Games from an empty board, whose late boards the other games begin with
        #[arg(long, default_value_t = 200)]
        first_games: u64,
        /// Nodes per move of the other games: with 100, one move ahead and a part of the second
        #[arg(long, default_value_t = 100)]
        nodes: u64,
        /// Threads; without it, one per core
        #[arg(long)]
        threads: Option<usize>,
        /// The seed of the games
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Pack the correction of late boards for the agent
    PackLate {
        /// The folder of the learning state
        state: PathBuf,
        /// The file to write
        file: PathBuf,
        /// Weights are rounded to multiples of this
        #[arg(long, default_value_t = 96.0)]
        step: f32,
    },
    /// Unpack weights as the build does, to play with them before they are shipped
    Unpack {
        /// The packed file
        file: PathBuf,
        /// The packed correction of late boards
        late: PathBuf,
        /// The file to write, `ntuple.weights` in any folder
        unpacked: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    use_huge_pages()?;
    match CommandLine::parse().task {
        Task::Train {
            state,
            rounds,
            million_moves,
            games,
            threads,
            seed,
            fresh,
            least_sum,
            below_sum,
            stages,
            large_only,
        } => training::train(&Plan {
            state,
            n_rounds: rounds,
            moves_per_round: million_moves * 1_000_000,
            n_games: games,
            n_threads: threads.unwrap_or_else(n_cores),
            seed,
            starts: Starts {
                percent_fresh: fresh,
                sums: least_sum..below_sum,
            },
            n_stages: stages,
            is_large_only: large_only,
        }),
        Task::Evaluate { state, games, cap } => {
            let (network, _) = learning_state::load(&state)?;
            let strength = evaluation::evaluate::<N_TUPLES>(&network, cap, games, n_cores());
            println!("{strength}");
            Ok(())
        }
        Task::Pack { state, file, step } => {
            let (network, _) = learning_state::load(&state)?;
            pack(&network, step, &file)
        }
        Task::TrainLate {
            state,
            weights,
            rounds,
            million_moves,
            first_games,
            nodes,
            threads,
            seed,
        } => late_training::train(&LatePlan {
            state,
            weights: weights.map_or_else(unpacked_weights, Ok)?,
            n_rounds: rounds,
            moves_per_round: million_moves * 1_000_000,
            n_first_games: first_games,
            nodes,
            n_threads: threads.unwrap_or_else(n_cores),
            seed,
        }),
        Task::PackLate { state, file, step } => pack_late(&state, step, &file),
        Task::Unpack {
            file,
            late,
            unpacked,
        } => unpack(&file, &late, &unpacked),
    }
}

/// Where the build has unpacked the weights: beside this program.
fn unpacked_weights() -> anyhow::Result<PathBuf> {
    Ok(env::current_exe()?.with_file_name("ntuple.weights"))
}

/// Packs the first stage, which the agent plays with.
fn pack(network: &LearningNetwork, step: f32, file: &Path) -> anyhow::Result<()> {
    let mut weights = vec![0; N_WEIGHTS];
    for (start, size) in tables() {
        for (index, place) in (start..start + size).enumerate() {
            if is_up_to(PLAYING_CAP, index) && network.is_learned(place) {
                weights[place] = (network.learned.weights[place].get() / step).round() as i16;
            }
        }
    }
    write_packed(step, &weights, file)
}

fn pack_late(state: &Path, step: f32, file: &Path) -> anyhow::Result<()> {
    let late = LearnedWeights::zeros(N_LATE);
    anyhow::ensure!(state.exists(), "there is no `{}`", state.display());
    learning_state::load_late(state, &late)?;
    let in_steps = |weight: &SharedNumber| (weight.get() / step).round() as i16;
    let weights: Vec<i16> = late.weights.iter().map(in_steps).collect();
    write_packed(step, &weights, file)
}

fn write_packed(step: f32, weights: &[i16], file: &Path) -> anyhow::Result<()> {
    let packed = ntuple_network::pack(step, weights);
    fs::write(file, &packed).with_context(|| format!("`{}`", file.display()))?;
    println!(
        "{} weights in {:.1} MB",
        weights.iter().filter(|&&weight: &&i16| weight != 0).count(),
        packed.len() as f64 / 1e6
    );
    Ok(())
}

fn unpack(packed: &Path, packed_late: &Path, unpacked: &Path) -> anyhow::Result<()> {
    let place = |path: &Path| format!("`{}`", path.display());
    let bytes = fs::read(packed).with_context(|| place(packed))?;
    let late = fs::read(packed_late).with_context(|| place(packed_late))?;
    let file = File::create(unpacked).with_context(|| place(unpacked))?;
    let mut file = BufWriter::with_capacity(1 << 20, file);
    ntuple_network::write_unpacked(&bytes, &late, &mut file)
        .with_context(|| format!("{} or {}", place(packed), place(packed_late)))?;
    file.flush().with_context(|| place(unpacked))
}

/// Whether no tile of a tuple is above `cap`.
fn is_up_to(cap: u32, tiles: usize) -> bool {
    (0..6).all(|cell| tiles >> (4 * cell) & 15 <= cap as usize)
}

fn n_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Starts this program anew so that the C library allocates in huge pages: otherwise almost
/// every look-up in tables of this size misses the translation buffer.
fn use_huge_pages() -> anyhow::Result<()> {
    const VARIABLE: &str = "GLIBC_TUNABLES";
    if env::var_os(VARIABLE).is_some() {
        return Ok(());
    }
    let error = Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env(VARIABLE, "glibc.malloc.hugetlb=1")
        .exec();
    Err(error).context("cannot start with huge pages")
}
