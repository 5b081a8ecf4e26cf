//! What training needs to go on later: weights and their coherence, in a folder.

use std::{
    fs::{self, File},
    io::{Read, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::{Context, bail};
use ntuple_network::N_WEIGHTS;

use crate::learning_network::{LearningNetwork, SharedNumber};

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
    let network = LearningNetwork::new();
    if !folder.exists() {
        return Ok((network, 0));
    }
    read_numbers(&folder.join(WEIGHTS), network.weights.iter())?;
    read_numbers(
        &folder.join(COHERENCE),
        network.coherence.iter().flat_map(|coherence| &coherence.0),
    )?;
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
    write_numbers(&folder.join(WEIGHTS), network.weights.iter())?;
    write_numbers(
        &folder.join(COHERENCE),
        network.coherence.iter().flat_map(|coherence| &coherence.0),
    )?;
    replace(&folder.join(MOVES), |file| writeln!(file, "{n_moves}"))
}

fn read_numbers<'a>(
    path: &Path,
    mut numbers: impl Iterator<Item = &'a SharedNumber>,
) -> anyhow::Result<()> {
    let place = || format!("`{}`", path.display());
    let mut file = File::open(path).with_context(place)?;
    let length = file.metadata().with_context(place)?.len();
    if length != 4 * N_WEIGHTS as u64 && length != 8 * N_WEIGHTS as u64 {
        bail!("{} belongs to another network: its size differs", place());
    }
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
    Ok(())
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
