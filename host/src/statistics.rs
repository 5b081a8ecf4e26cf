//! What the records prove: summaries of agents, comparisons of pairs, ranks.
//!
//! Pure functions from numbers to numbers. Every file names the source of its
//! formula and what the formula assumes; every random number comes from a
//! generator with a fixed seed, so that the same log gives the same report.

pub mod agent_summary;
pub mod bootstrap;
pub mod confidence;
pub mod disqualification;
pub mod effort;
pub mod holm;
pub mod interval;
pub mod looks;
pub mod mean_interval;
pub mod moments;
pub mod outcome;
pub mod paired_comparison;
pub mod paired_rates;
pub mod quantile;
pub mod ranking;
pub mod rate;
pub mod seeds_needed;
pub mod sign_flip;
pub mod skewness_correction;
pub mod time_use;

#[cfg(test)]
pub(crate) mod simulated_scores;

/// Below this many games an interval is marked "few": its coverage was only
/// measured for this many and more.
pub const FEW_GAMES: usize = 30;

/// The number of things as a number to calculate with.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "counts, scores and times stay far below 2^53"
)]
pub fn as_f64(count: u64) -> f64 {
    count as f64
}

/// The length of a list as a number to calculate with.
#[must_use]
pub fn length(items: usize) -> f64 {
    as_f64(items as u64)
}
