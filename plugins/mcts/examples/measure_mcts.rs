//! Plays seeds 1 to N and prints figures.
//!
//! ```text
//! cargo run --release -p mcts --example measure_mcts -- games=100 runs=100
//! cargo run --release -p mcts --example measure_mcts -- games=50 time_us=1000
//! cargo run --release -p mcts --example measure_mcts -- games=50 time_us=1000 tree=false
//! ```
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use mcts::{Mcts, Params};
use search_kit::trial;

fn main() -> Result<(), plugin_api::Refusal> {
    let mut params = Params::default();
    let summary = trial::measure::<Mcts>(
        plugin_api::GameSetup::new(),
        std::env::args().skip(1),
        &mut params,
        |params, key, value| {
            match key {
                "runs" => params.runs = Some(value.parse()?),
                "tree" => params.tree = value.parse()?,
                "exploration" => params.exploration = value.parse()?,
                "play_out_moves" => params.play_out_moves = value.parse()?,
                _ => return Err(format!("unknown key `{key}`").into()),
            }
            Ok(())
        },
    )?;
    println!("{summary}");
    Ok(())
}
