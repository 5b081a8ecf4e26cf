//! Plays seeds 1 to N and prints figures.
//!
//! ```text
//! cargo run --release -p minimax --example measure_minimax -- games=200 four=0.2 depth=4
//! cargo run --release -p minimax --example measure_minimax -- games=20 time_us=1000
//! ```
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use minimax::{Minimax, Params};
use search_kit::trial;

fn main() -> Result<(), plugin_api::Refusal> {
    let mut params = Params::default();
    let summary = trial::measure::<Minimax>(
        plugin_api::GameSetup::new(),
        std::env::args().skip(1),
        &mut params,
        |params, key, value| {
            match key {
                "depth" => params.depth = Some(value.parse()?),
                "power" => params.power = value.parse()?,
                _ => return Err(format!("unknown key `{key}`").into()),
            }
            Ok(())
        },
    )?;
    println!("{summary}");
    Ok(())
}
