//! The state from which training can continue: weights and their coherence, in a folder.

use std::{
    fs::{self, File},
    io::{Read, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::{Context, bail};

use crate::{
    learned_weights::{LearnedWeights, SharedNumber},
    learning_network::LearningNetwork,
    stages::{N_STAGES, STAGE_SIZE},
};

const WEIGHTS: &str = "weights.f32";
const COHERENCE: &str = "coherence.f32";
const MOVES: &str = "moves.txt";
/// The bytes that are read or written at a time.
const BLOCK: usize = 1 << 14;

/// Loads the network of a folder and the number of moves it was trained with; a new network
/// if the folder does not exist.
///
/// # Errors
/// If a file cannot be read or does not belong to this network.
pub(crate) fn load(folder: &Path) -> anyhow::Result<(LearningNetwork, u64)> {
    let mut network = LearningNetwork::new();
    if !folder.exists() {
        return Ok((network, 0));
    }
    let stages: Vec<usize> = (1..=N_STAGES).map(|n| n * STAGE_SIZE).collect();
    let (n_weights, n_moves) = read(folder, &network.learned, &stages)?;
    network.n_stages = n_weights / STAGE_SIZE;
    Ok((network, n_moves))
}

/// Loads the weights of late boards, if the folder exists; returns the number of moves they
/// were trained with.
///
/// # Errors
/// If a file cannot be read or does not belong to this network.
pub(crate) fn load_late(folder: &Path, late: &LearnedWeights) -> anyhow::Result<u64> {
    if !folder.exists() {
        return Ok(0);
    }
    let (_, n_moves) = read(folder, late, &[late.weights.len()])?;
    Ok(n_moves)
}

/// Reads the files of a folder, which may have one of these numbers of weights; returns how
/// many it has, and the number of moves.
fn read(folder: &Path, learned: &LearnedWeights, sizes: &[usize]) -> anyhow::Result<(usize, u64)> {
    let n_weights = read_numbers(&folder.join(WEIGHTS), 1, sizes, learned.weights.iter())?;
    let coherence = learned.coherence.iter().flat_map(|coherence| &coherence.0);
    let n_coherent = read_numbers(&folder.join(COHERENCE), 2, sizes, coherence)?;
    let path = folder.join(MOVES);
    let moves = fs::read_to_string(&path).with_context(|| format!("`{}`", path.display()))?;
    let n_moves = moves.trim().parse();
    // A save that was interrupted may leave more stages in one file than in the other.
    Ok((
        n_weights.min(n_coherent),
        n_moves.with_context(|| format!("`{}` is not a number of moves", path.display()))?,
    ))
}

/// Saves a network. Each file is replaced as a whole, so an interruption leaves an older one.
/// Training can continue even if the files are of different rounds.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn save(folder: &Path, network: &LearningNetwork, n_moves: u64) -> anyhow::Result<()> {
    write(
        folder,
        &network.learned,
        network.n_stages * STAGE_SIZE,
        n_moves,
    )
}

/// Saves the weights of late boards.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn save_late(folder: &Path, late: &LearnedWeights, n_moves: u64) -> anyhow::Result<()> {
    write(folder, late, late.weights.len(), n_moves)
}

/// Writes the first `n_weights` weights and their coherence.
fn write(
    folder: &Path,
    learned: &LearnedWeights,
    n_weights: usize,
    n_moves: u64,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("`{}`", folder.display()))?;
    write_numbers(&folder.join(WEIGHTS), learned.weights[..n_weights].iter())?;
    let coherence = learned.coherence[..n_weights].iter();
    write_numbers(
        &folder.join(COHERENCE),
        coherence.flat_map(|coherence| &coherence.0),
    )?;
    replace(&folder.join(MOVES), |file| writeln!(file, "{n_moves}"))
}

/// Reads a file with this many numbers per weight and one of these numbers of weights; returns
/// how many it has.
fn read_numbers<'a>(
    path: &Path,
    per_weight: usize,
    sizes: &[usize],
    mut numbers: impl Iterator<Item = &'a SharedNumber>,
) -> anyhow::Result<usize> {
    let place = || format!("`{}`", path.display());
    let mut file = File::open(path).with_context(place)?;
    let length = file.metadata().with_context(place)?.len();
    let is_length = |n_weights: &&usize| length == 4 * (**n_weights * per_weight) as u64;
    let Some(&n_weights) = sizes.iter().find(is_length) else {
        bail!("{} belongs to another network: its size differs", place());
    };
    let mut block = [0; BLOCK];
    let mut rest = length;
    while rest > 0 {
        let size = BLOCK.min(usize::try_from(rest).unwrap_or(BLOCK));
        let block = &mut block[..size];
        file.read_exact(block).with_context(place)?;
        rest -= size as u64;
        for (bytes, number) in block.as_chunks().0.iter().zip(&mut numbers) {
            // Memory that is never written is never used.
            if *bytes != [0; 4] {
                number.set(f32::from_le_bytes(*bytes));
            }
        }
    }
    Ok(n_weights)
}

fn write_numbers<'a>(
    path: &Path,
    mut numbers: impl Iterator<Item = &'a SharedNumber>,
) -> anyhow::Result<()> {
    replace(path, |file| {
        let mut block = [0; BLOCK];
        let mut length = 0;
        loop {
            let places = block.as_chunks_mut().0.iter_mut();
            let n_numbers = places
                .zip(&mut numbers)
                .map(|(bytes, number)| *bytes = number.get().to_le_bytes())
                .count();
            if n_numbers == 0 {
                return file.set_len(length);
            }
            let block = &block[..4 * n_numbers];
            length += block.len() as u64;
            // What was never learned takes no space.
            if block.iter().all(|&byte| byte == 0) {
                file.seek(SeekFrom::Start(length))?;
            } else {
                file.write_all(block)?;
            }
        }
    })
}

/// Writes a file under another name first.
fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    let unfinished = path.with_extension("unfinished");
    let written = || -> std::io::Result<()> {
        write(&mut File::create(&unfinished)?)?;
        fs::rename(&unfinished, path)
    };
    written().with_context(|| format!("`{}`", path.display()))
}
