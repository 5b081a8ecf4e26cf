//! Statistics: summaries of agents, comparisons of pairs, races and ranks.
//!
//! Numbers enter; estimates, intervals, p-values and ranks leave. All functions are pure and
//! depend on no other crate of the host. Every file names the source of its formula and the
//! assumptions behind it. Random numbers come from generators with fixed seeds, so the same log
//! gives the same report.
//!
//! Start with [`mean_interval`] (one agent), [`joint_flips`] (all pairs at once) and [`race`] (when
//! a tournament with a stop rule may stop).

pub mod bootstrap;
pub mod confidence_sequence;
pub mod descriptive;
pub mod detectable_difference;
pub mod early_ends;
pub mod effort;
pub mod game_outcome;
pub mod holm;
pub mod interval;
pub mod joint_flips;
pub mod joint_sample;
pub mod mean_interval;
pub mod paired_comparison;
pub mod race;
pub mod rank_sum;
pub mod ranking;
pub mod rate;
pub mod sign_flip;
pub mod skewness_correction;

#[cfg(any(test, feature = "testing"))]
pub mod simulated_scores;

/// Smaller samples are marked "n < 30": the coverage of intervals was measured only from this
/// many games on.
pub const FEW_GAMES: usize = 30;

/// A count as a floating-point number.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "counts, scores and times stay far below 2^53"
)]
pub fn as_f64<N: TryInto<u64>>(count: N) -> f64 {
    let count: u64 = count.try_into().ok().expect("a count fits in 64 bits");
    count as f64
}
