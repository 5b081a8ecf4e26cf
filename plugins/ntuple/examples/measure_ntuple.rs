//! Plays games in this process and prints figures: what a change is worth.
//!
//! ```text
//! cargo run --release -p ntuple --example measure_ntuple -- games=50 from=1 time_us=100
//! ```
//!
//! The weights are those that the build has unpacked beside the plugin.
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use ntuple::NTuple;
use plugin_api::{GameSetup, NoParameters, Refusal};
use search_kit::trial::measure;

fn main() -> Result<(), Refusal> {
    let program = std::env::current_exe()?;
    let folder = program.ancestors().nth(2).ok_or("no folder of the build")?;
    let setup = GameSetup::new().with_folder(folder.to_path_buf());
    let summary = measure::<NTuple>(
        setup,
        std::env::args().skip(1),
        &mut NoParameters {},
        |_, key, _| Err(format!("unknown argument `{key}`").into()),
    )?;
    println!("{summary}");
    Ok(())
}
