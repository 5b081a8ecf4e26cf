//! Simulated tournaments with a known truth: how often claims, intervals and ranks are wrong.
//!
//! A claim is wrong if it names an agent that is truly as good or worse as the better one.
//! Scores are distributed like real ones, and half of the luck of a game comes from its seed,
//! which all agents share. `ARENA_SIMULATIONS=100 cargo test -p report known_truth --
//! --nocapture` repeats every simulation a hundred times as often and prints its figures; those in
//! `docs/statistics.md` come from such a run.

mod capped;
mod field;
mod fixed_seeds;
mod races;

use statistics::as_f64;

/// A number of tournaments for one simulation: `few` in a test run.
fn n_tournaments(few: usize) -> usize {
    let times = std::env::var("ARENA_SIMULATIONS").ok();
    few * times.and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// The largest share that a true rate gives in all but 1 of 1,000 simulations of this size.
fn at_most(rate: f64, n: usize) -> f64 {
    rate + 3.1 * (rate * (1.0 - rate) / as_f64(n.max(1))).sqrt()
}

/// Prints a figure of a large simulation.
#[expect(
    clippy::print_stdout,
    reason = "shown with --nocapture, for the documentation"
)]
fn print(figure: &str) {
    println!("{figure}");
}

fn share(hits: usize, n: usize) -> f64 {
    as_f64(hits) / as_f64(n.max(1))
}
