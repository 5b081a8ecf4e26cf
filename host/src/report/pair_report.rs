//! What may be said about every pair of agents, with all pairs in view.

use std::cmp::Ordering;

use super::input::ReportInput;
use crate::statistics::{
    agent_summary::Luck,
    confidence::Confidence,
    effort::Effort,
    holm::holm,
    length,
    outcome::{Outcome, on_common_seeds},
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
    /// Corrected for the number of pairs and of looks; `None` where there was nothing
    /// to test.
    pub p_adjusted: Option<f64>,
    pub claim: Claim,
    /// Whether the two stand next to each other in the ranking.
    pub neighbours: bool,
    /// For an open pair; `None` where no reasonable number would do.
    pub more_seeds: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    FirstIsBetter,
    SecondIsBetter,
    Open,
}

impl Claim {
    /// The same claim with the agents exchanged.
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
    /// The positions of the better and the worse agent, where that is settled.
    pub(super) fn win(&self) -> Option<(usize, usize)> {
        let (a, b) = self.positions;
        match self.claim {
            Claim::FirstIsBetter => Some((a, b)),
            Claim::SecondIsBetter => Some((b, a)),
            Claim::Open => None,
        }
    }
}

/// Compares each agent with each that follows it in the list.
pub(super) fn compare_all(
    agents: &[(&str, &[Outcome])],
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
                claim: claim_without_luck(&comparison, input.luck),
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

fn compare(a: &[Outcome], b: &[Outcome], input: &ReportInput, effort: Effort) -> PairedComparison {
    let confidence = input.confidence().of_one_look();
    let pairs = || on_common_seeds(a, b);
    match (input.luck, input.goal) {
        (Luck::None, goal) => PairedComparison::without_luck(a, b, goal.is_some()),
        (Luck::Random, None) => PairedComparison::by_score(&pairs(), confidence, effort),
        (Luck::Random, Some(_)) => PairedComparison::by_goal(&pairs(), confidence, effort),
    }
}

fn claim_without_luck(comparison: &PairedComparison, luck: Luck) -> Claim {
    match luck {
        Luck::None if comparison.wins == comparison.games => Claim::FirstIsBetter,
        Luck::None if comparison.losses == comparison.games => Claim::SecondIsBetter,
        _ => Claim::Open,
    }
}

/// Corrects the p-values for their number, claims what is significant, and says
/// for the rest how many seeds are missing.
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
        let p_adjusted = confidence.over_looks(p_adjusted);
        pair.p_adjusted = Some(p_adjusted);
        if p_adjusted <= confidence.significance() {
            pair.claim = match pair.comparison.favours() {
                Ordering::Greater => Claim::FirstIsBetter,
                Ordering::Less => Claim::SecondIsBetter,
                Ordering::Equal => Claim::Open,
            };
        }
    }
    // The next pair that Holm's procedure would decide faces this level.
    tested.retain(|(pair, _)| pair.claim == Claim::Open);
    let significance = (1.0 - confidence.of_one_look()) / length(tested.len().max(1));
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
