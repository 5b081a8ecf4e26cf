//! Plays games in this process and prints figures: what a change is worth.
//!
//! ```text
//! cargo run --release -p ntuple --example measure_ntuple -- games=50 from=1 time_us=100
//! cargo run --release -p ntuple --example measure_ntuple -- /tmp/other games=50 nodes=1600
//! ```
//!
//! The weights are those that the build has unpacked beside the plugin, or those in the
//! folder that comes first.
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use std::path::PathBuf;

use ntuple::NTuple;
use plugin_api::{GameSetup, NoParameters, Refusal};
use search_kit::trial::measure;

fn main() -> Result<(), Refusal> {
    let mut words = std::env::args().skip(1).peekable();
    let program = std::env::current_exe()?;
    let folder = match words.next_if(|word| !word.contains('=')) {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(program.ancestors().nth(2).ok_or("no folder of the build")?),
    };
    let setup = GameSetup::new().with_folder(folder);
    let summary = measure::<NTuple>(setup, words, &mut NoParameters {}, |_, key, _| {
        Err(format!("unknown argument `{key}`").into())
    })?;
    println!("{summary}");
    Ok(())
}
