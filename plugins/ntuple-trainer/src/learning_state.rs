//! What training needs to go on later: weights and their coherence, in a folder.

use std::{
    fs::{self, File},
    io::{Read, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::{Context, bail};

use crate::{
    learning_network::{LearningNetwork, SharedNumber},
    stages::{N_STAGES, STAGE_SIZE},
};

const WEIGHTS: &str = "weights.f32";
const COHERENCE: &str = "coherence.f32";
const MOVES: &str = "moves.txt";
/// The bytes that are read or written at a time. All tables are multiples of it.
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
    let n_stages = read_numbers(&folder.join(WEIGHTS), 1, network.weights.iter())?;
    let coherence = network.coherence.iter().flat_map(|coherence| &coherence.0);
    // A save that was interrupted may leave more stages in one file than in the other.
    network.n_stages = read_numbers(&folder.join(COHERENCE), 2, coherence)?.min(n_stages);
    let path = folder.join(MOVES);
    let moves = fs::read_to_string(&path).with_context(|| format!("`{}`", path.display()))?;
    let n_moves = moves.trim().parse();
    Ok((
        network,
        n_moves.with_context(|| format!("`{}` is not a number of moves", path.display()))?,
    ))
}

/// Saves a network. Each file is replaced as a whole, so that an interruption leaves an older
/// one. Training can go on even if the files are of different rounds.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn save(folder: &Path, network: &LearningNetwork, n_moves: u64) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("`{}`", folder.display()))?;
    let n_weights = network.n_stages * STAGE_SIZE;
    write_numbers(&folder.join(WEIGHTS), network.weights[..n_weights].iter())?;
    let coherence = network.coherence[..n_weights].iter();
    write_numbers(
        &folder.join(COHERENCE),
        coherence.flat_map(|coherence| &coherence.0),
    )?;
    replace(&folder.join(MOVES), |file| writeln!(file, "{n_moves}"))
}

/// Reads a file with so many numbers per weight; returns how many stages it has.
fn read_numbers<'a>(
    path: &Path,
    per_weight: usize,
    mut numbers: impl Iterator<Item = &'a SharedNumber>,
) -> anyhow::Result<usize> {
    let place = || format!("`{}`", path.display());
    let mut file = File::open(path).with_context(place)?;
    let length = file.metadata().with_context(place)?.len();
    let n_stages = (1..=N_STAGES).find(|n_stages| {
        let n_numbers = n_stages * STAGE_SIZE * per_weight;
        length == 4 * n_numbers as u64
    });
    let Some(n_stages) = n_stages else {
        bail!("{} belongs to another network: its size differs", place());
    };
    let mut block = [0; BLOCK];
    for _ in 0..length / BLOCK as u64 {
        file.read_exact(&mut block).with_context(place)?;
        for (bytes, number) in block.as_chunks().0.iter().zip(&mut numbers) {
            // Memory that is never written is never used.
            if *bytes != [0; 4] {
                number.set(f32::from_le_bytes(*bytes));
            }
        }
    }
    Ok(n_stages)
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
            length += BLOCK as u64;
            // What was never learned takes no space.
            if block == [0; BLOCK] {
                file.seek(SeekFrom::Start(length))?;
            } else {
                file.write_all(&block)?;
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
