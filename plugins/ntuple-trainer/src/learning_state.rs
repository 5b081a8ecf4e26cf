//! What training needs to go on later: weights and their coherence, in a folder.

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter, Read, Write},
    path::Path,
};

use anyhow::{Context, bail};
use ntuple_network::N_WEIGHTS;

use crate::learning_network::{Coherence, LearningNetwork, SharedNumber};

const WEIGHTS: &str = "weights.f32";
const COHERENCE: &str = "coherence.f32";
const MOVES: &str = "moves.txt";

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
        network.coherence.iter().flat_map(in_file),
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
        network.coherence.iter().flat_map(in_file),
    )?;
    replace(&folder.join(MOVES), |file| writeln!(file, "{n_moves}"))
}

fn in_file(coherence: &Coherence) -> [&SharedNumber; 2] {
    [&coherence.errors, &coherence.sizes]
}

fn read_numbers<'a>(
    path: &Path,
    numbers: impl Iterator<Item = &'a SharedNumber>,
) -> anyhow::Result<()> {
    let place = || format!("`{}`", path.display());
    let file = File::open(path).with_context(place)?;
    let length = file.metadata().with_context(place)?.len();
    if length != 4 * N_WEIGHTS as u64 && length != 8 * N_WEIGHTS as u64 {
        bail!("{} belongs to another network: its size differs", place());
    }
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut bytes = [0; 4];
    for number in numbers {
        file.read_exact(&mut bytes).with_context(place)?;
        number.set(f32::from_le_bytes(bytes));
    }
    Ok(())
}

fn write_numbers<'a>(
    path: &Path,
    mut numbers: impl Iterator<Item = &'a SharedNumber>,
) -> anyhow::Result<()> {
    replace(path, |file| {
        numbers.try_for_each(|number| file.write_all(&number.get().to_le_bytes()))
    })
}

/// Writes a file under another name first.
fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    let unfinished = path.with_extension("unfinished");
    let written = || -> std::io::Result<()> {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
        write(&mut file)?;
        file.into_inner()?;
        fs::rename(&unfinished, path)
    };
    written().with_context(|| format!("`{}`", path.display()))
}
