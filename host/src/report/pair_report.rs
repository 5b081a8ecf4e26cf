//! What may be said about every pair of agents, with all pairs in view.

use std::cmp::Ordering;

use super::input::ReportInput;
use crate::statistics::{
    SIGNIFICANCE,
    agent_summary::Luck,
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
    positions: (usize, usize),
    pub comparison: PairedComparison,
    /// Corrected for the number of pairs; `None` where there was nothing to test.
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
    settle(&mut pairs);
    pairs
}

fn compare(a: &[Outcome], b: &[Outcome], input: &ReportInput, effort: Effort) -> PairedComparison {
    match (input.luck, input.goal) {
        (Luck::None, goal) => PairedComparison::without_luck(a, b, goal.is_some()),
        (Luck::Random, None) => PairedComparison::by_score(&on_common_seeds(a, b), effort),
        (Luck::Random, Some(_)) => PairedComparison::by_goal(&on_common_seeds(a, b), effort),
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
fn settle(pairs: &mut [PairReport]) {
    let mut tested: Vec<(&mut PairReport, f64)> = pairs
        .iter_mut()
        .filter_map(|pair| {
            let p_value = pair.comparison.p_value?;
            Some((pair, p_value))
        })
        .collect();
    let p_values: Vec<f64> = tested.iter().map(|(_, p_value)| *p_value).collect();
    for ((pair, _), p_adjusted) in tested.iter_mut().zip(holm(&p_values)) {
        pair.p_adjusted = Some(p_adjusted);
        if p_adjusted <= SIGNIFICANCE {
            pair.claim = match pair.comparison.favours() {
                Ordering::Greater => Claim::FirstIsBetter,
                Ordering::Less => Claim::SecondIsBetter,
                Ordering::Equal => Claim::Open,
            };
        }
    }
    // The next pair that Holm's procedure would decide faces this level.
    tested.retain(|(pair, _)| pair.claim == Claim::Open);
    let significance = SIGNIFICANCE / length(tested.len().max(1));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        report::example::input,
        statistics::{
            ranking::ranks,
            simulated_scores::{Luck as GameLuck, Scores, generator},
        },
    };

    const QUICK: Effort = Effort {
        resamples: 99,
        flips: 999,
        draws: 1_000_000,
    };

    /// An agent of the simulation: its shape, and a factor on all its scores.
    type Strength = (Scores, f64);

    /// What all agents score on so many seeds. Half of the luck is the seed's.
    fn play(agents: &[Strength], n_seeds: u64, random: &mut impl rand::Rng) -> Vec<Vec<Outcome>> {
        let mut games = vec![Vec::new(); agents.len()];
        for seed in 0..n_seeds {
            let shared = GameLuck::draw(random);
            for ((scores, factor), games) in agents.iter().zip(&mut games) {
                let own = GameLuck::draw(random);
                let luck = if random.next_u32().is_multiple_of(2) {
                    shared
                } else {
                    own
                };
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "scores are positive and far below 2^64"
                )]
                let score = (scores.score_of(luck) * factor) as u64;
                games.push(Outcome {
                    seed,
                    score,
                    moves_to_goal: None,
                });
            }
        }
        games
    }

    /// The share of tournaments that claim something false or rank a worse agent higher.
    fn share_of_wrong_tournaments(agents: &[Strength], n_seeds: u64, n_tournaments: u32) -> f64 {
        let truth: Vec<f64> = agents.iter().map(|(s, f)| s.true_mean() * f).collect();
        let input = input(&[]);
        let mut random = generator(n_seeds);
        let n_wrong = (0..n_tournaments)
            .filter(|_| {
                let games = play(agents, n_seeds, &mut random);
                let games: Vec<(&str, &[Outcome])> =
                    games.iter().map(|games| ("", games.as_slice())).collect();
                let pairs = compare_all(&games, &input, QUICK);
                let wins: Vec<_> = pairs.iter().filter_map(PairReport::win).collect();
                let ranks = ranks(agents.len(), &wins);
                let false_claim = wins.iter().any(|&(a, b)| truth[a] <= truth[b]);
                let wrong_order = pairs.iter().any(|pair| {
                    let (a, b) = pair.positions;
                    (truth[a] > truth[b] && ranks[a] > ranks[b])
                        || (truth[a] < truth[b] && ranks[a] < ranks[b])
                });
                false_claim || wrong_order
            })
            .count();
        length(n_wrong) / f64::from(n_tournaments)
    }

    #[test]
    fn equal_agents_are_told_apart_in_at_most_5_of_100_tournaments() {
        for scores in [Scores::Random, Scores::Middling, Scores::RarelyMore] {
            let share = share_of_wrong_tournaments(&[(scores, 1.0); 5], 30, 600);
            assert!(share <= 0.05, "{scores:?}: {share}");
        }
    }

    #[test]
    fn ranks_are_in_a_wrong_order_in_at_most_5_of_100_tournaments() {
        let agents = [
            (Scores::Strong, 1.0),
            (Scores::Middling, 1.2),
            (Scores::Middling, 1.0),
            (Scores::Faulty, 1.0),
            (Scores::RarelyMore, 0.75),
            (Scores::Weak, 1.0),
            (Scores::Random, 1.0),
        ];
        for n_seeds in [30, 100] {
            let share = share_of_wrong_tournaments(&agents, n_seeds, 300);
            assert!(share <= 0.05, "{n_seeds} seeds: {share}");
        }
    }
}
