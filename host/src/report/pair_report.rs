//! The comparison of every pair of agents, corrected for the number of pairs.

use std::cmp::Ordering;

use super::input::ReportInput;
use crate::statistics::{
    agent_summary::Luck,
    confidence::Confidence,
    effort::Effort,
    game_outcome::{GameOutcome, on_common_seeds},
    holm::holm,
    length,
    paired_comparison::PairedComparison,
    seeds_needed::more_seeds_needed,
};
#[derive(Clone, Debug, PartialEq)]
pub struct PairReport {
    pub a: String,
    pub b: String,
    /// Positions of the two in the list that was compared.
    pub(super) positions: (usize, usize),
    pub comparison: PairedComparison,
    /// Corrected for the numbers of pairs and interim analyses; `None` where nothing was tested.
    pub p_adjusted: Option<f64>,
    pub verdict: PairVerdict,
    /// Whether the two are next to each other in the ranking.
    pub neighbours: bool,
    /// The seeds that would separate an open pair; `None` where there is no reasonable number.
    pub more_seeds: Option<u64>,
}

/// Which agent of a pair is better, if that is certain enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairVerdict {
    FirstIsBetter,
    SecondIsBetter,
    Open,
}

impl PairVerdict {
    /// The same verdict with the agents exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::FirstIsBetter => Self::SecondIsBetter,
            Self::SecondIsBetter => Self::FirstIsBetter,
            Self::Open => Self::Open,
        }
    }
}

impl PairReport {
    /// The positions of the better and the worse agent, unless the pair is open.
    pub(super) fn win(&self) -> Option<(usize, usize)> {
        let (a, b) = self.positions;
        match self.verdict {
            PairVerdict::FirstIsBetter => Some((a, b)),
            PairVerdict::SecondIsBetter => Some((b, a)),
            PairVerdict::Open => None,
        }
    }
}

/// Compares each agent with each one after it in the list.
pub(super) fn compare_all(
    agents: &[(&str, &[GameOutcome])],
    input: &ReportInput,
    effort: Effort,
) -> Vec<PairReport> {
    let mut pairs: Vec<PairReport> = agents
        .iter()
        .enumerate()
        .flat_map(|(i, a)| {
            let others = agents.iter().enumerate().skip(i + 1);
            others.map(move |(j, b)| (i, a, j, b))
        })
        .map(|(i, &(a, a_outcomes), j, &(b, b_outcomes))| {
            let comparison = compare(a_outcomes, b_outcomes, input, effort);
            PairReport {
                a: a.to_owned(),
                b: b.to_owned(),
                positions: (i, j),
                verdict: verdict_without_luck(&comparison, input.luck),
                comparison,
                p_adjusted: None,
                neighbours: false,
                more_seeds: None,
            }
        })
        .collect();
    settle(&mut pairs, input.confidence());
    pairs
}

fn compare(
    a: &[GameOutcome],
    b: &[GameOutcome],
    input: &ReportInput,
    effort: Effort,
) -> PairedComparison {
    let confidence = input.confidence().of_one_analysis();
    let pairs = || on_common_seeds(a, b);
    match (input.luck, input.goal) {
        (Luck::None, goal) => PairedComparison::without_luck(a, b, goal.is_some()),
        (Luck::Random, None) => PairedComparison::by_score(&pairs(), confidence, effort),
        (Luck::Random, Some(_)) => PairedComparison::by_goal(&pairs(), confidence, effort),
    }
}

fn verdict_without_luck(comparison: &PairedComparison, luck: Luck) -> PairVerdict {
    match luck {
        Luck::None if comparison.wins == comparison.games => PairVerdict::FirstIsBetter,
        Luck::None if comparison.losses == comparison.games => PairVerdict::SecondIsBetter,
        _ => PairVerdict::Open,
    }
}

/// Corrects the p-values for their number, decides the significant pairs, and estimates for the
/// others how many seeds are missing.
fn settle(pairs: &mut [PairReport], confidence: Confidence) {
    let mut tested: Vec<(&mut PairReport, f64)> = pairs
        .iter_mut()
        .filter_map(|pair| {
            let p_value = pair.comparison.p_value?;
            Some((pair, p_value))
        })
        .collect();
    let p_values: Vec<f64> = tested.iter().map(|(_, p_value)| *p_value).collect();
    for ((pair, _), p_adjusted) in tested.iter_mut().zip(holm(&p_values)) {
        let p_adjusted = confidence.over_analyses(p_adjusted);
        pair.p_adjusted = Some(p_adjusted);
        if p_adjusted <= confidence.significance() {
            pair.verdict = match pair.comparison.favours() {
                Ordering::Greater => PairVerdict::FirstIsBetter,
                Ordering::Less => PairVerdict::SecondIsBetter,
                Ordering::Equal => PairVerdict::Open,
            };
        }
    }
    // The level that Holm's procedure applies to the next pair.
    tested.retain(|(pair, _)| pair.verdict == PairVerdict::Open);
    let significance = (1.0 - confidence.of_one_analysis()) / length(tested.len().max(1));
    for (pair, _) in tested {
        let comparison = &pair.comparison;
        pair.more_seeds = comparison
            .mean_difference
            .zip(comparison.standard_deviation)
            .and_then(|(mean, deviation)| {
                more_seeds_needed(mean, deviation, comparison.games, significance)
            });
    }
}
