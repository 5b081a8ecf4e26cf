//! Plays seeds 1 to N and prints figures.
//!
//! ```text
//! cargo run --release -p backtracking --example measure_backtracking -- games=50 time_us=1000
//! ```
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use backtracking::{Backtracking, Params};
use search_kit::trial;

fn main() -> Result<(), plugin_api::Refusal> {
    let mut params = Params::default();
    let summary = trial::measure::<Backtracking>(
        plugin_api::GameSetup::new(),
        std::env::args().skip(1),
        &mut params,
        |params, key, value| {
            match key {
                "depth" => params.depth = value.parse()?,
                _ => return Err(format!("unknown key `{key}`").into()),
            }
            Ok(())
        },
    )?;
    println!("{summary}");
    Ok(())
}
