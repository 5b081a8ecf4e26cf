//! Plays seeds 1 to N and prints figures.
//!
//! ```text
//! cargo run --release -p snake --example measure_snake -- games=200
//! cargo run --release -p snake --example measure_snake -- games=20 time_us=1000
//! ```
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use search_kit::trial;
use snake::{Params, Snake};

fn main() -> Result<(), plugin_api::Refusal> {
    let mut params = Params::default();
    let summary = trial::measure::<Snake>(
        plugin_api::GameSetup::new(),
        std::env::args().skip(1),
        &mut params,
        |params, key, value| {
            match key {
                "r" => params.r = value.parse()?,
                _ => return Err(format!("unknown key `{key}`").into()),
            }
            Ok(())
        },
    )?;
    println!("{summary}");
    Ok(())
}
