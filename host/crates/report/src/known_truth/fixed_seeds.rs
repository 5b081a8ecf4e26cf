//! Tournaments with a fixed number of seeds: claims, simultaneous intervals, ranks and power.

use std::{fmt, ops::AddAssign, sync::LazyLock};

use rand::Rng;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{
    at_most,
    field::{SimulatedAgent, below, default_field, play, true_means, uniform},
    n_tournaments, print, share,
};
use run::run_plan::RunPlan;
use statistics::{
    as_f64,
    effort::Effort,
    game_outcome::GameOutcome,
    holm::holm,
    interval::Interval,
    paired_comparison::PairedComparison,
    ranking::ranks,
    rate::Rate,
    simulated_scores::{Scores, generator},
};

use crate::{
    example::plan,
    pair_report::{Compared, PairReport, PairVerdict, compare_all},
};

/// P-values of a single pair are exact up to 20 seeds.
pub(super) const QUICK: Effort = Effort {
    resamples: 0,
    flips: 999,
    draws: 2_048,
};

/// How the strengths of a field are related.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    /// All agents are equal.
    Equal,
    /// All agents have the same mean, and different shapes of scores.
    SameMean,
    /// Some agents are equal.
    SomeEqual,
    Different,
}

/// 2 to 10 agents of the six shapes; some with ties, some copies of others.
fn random_field(n_agents: usize, truth: Truth, random: &mut impl Rng) -> Vec<SimulatedAgent> {
    let common = Scores::ALL[below(6, random)];
    let step = if below(3, random) == 0 { 500.0 } else { 1.0 };
    let mut agents: Vec<SimulatedAgent> = Vec::new();
    for position in 0..n_agents {
        let repeats = match truth {
            Truth::Equal => true,
            Truth::SomeEqual => position > 0 && below(2, random) == 0,
            Truth::SameMean | Truth::Different => false,
        };
        let agent = match agents.last() {
            Some(last) if repeats => *last,
            _ if truth == Truth::Equal => SimulatedAgent::new(common, 1.0),
            _ => {
                let scores = Scores::ALL[below(6, random)];
                let factor = match truth {
                    Truth::SameMean => 30_000.0 / scores.true_mean(),
                    _ => 0.7 + 0.6 * uniform(random),
                };
                SimulatedAgent::new(scores, factor)
            }
        };
        let may_copy = matches!(truth, Truth::Equal | Truth::SomeEqual);
        let is_copy = position > 0 && below(20, random) == 0 && may_copy;
        agents.push(SimulatedAgent {
            step,
            copies: is_copy.then_some(0),
            ..agent
        });
    }
    agents
}

pub(super) fn compare(games: &[Vec<GameOutcome>], effort: Effort) -> Vec<PairReport> {
    static PLAN: LazyLock<RunPlan> = LazyLock::new(|| plan(&[]));
    let agents: Vec<Compared> = (0..)
        .zip(games)
        .map(|(agent, outcomes)| Compared {
            agent,
            name: "",
            outcomes,
        })
        .collect();
    compare_all(&agents, &PLAN, None, effort).0
}

/// What a tournament says about its pairs, beside the truth.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    tournaments: usize,
    false_claims: usize,
    misses: usize,
    wrong_orders: usize,
    wins: usize,
    truly_different: usize,
}

impl Counts {
    fn add(&mut self, pairs: &[PairReport], truth: &[f64]) {
        // Scaled means are equal up to rounding.
        let is_better = |a: usize, b: usize| truth[a] > truth[b] * (1.0 + 1e-9);
        let wins: Vec<_> = pairs.iter().filter_map(PairReport::win).collect();
        let true_wins = wins.iter().filter(|(a, b)| is_better(*a, *b)).count();
        let difference = |pair: &PairReport| match pair.positions {
            (a, b) if is_better(a, b) || is_better(b, a) => truth[a] - truth[b],
            _ => 0.0,
        };
        let is_missed = |pair: &PairReport| {
            let interval = pair
                .interval
                .map(|interval| interval.contains(difference(pair)));
            interval == Some(false)
        };
        let ranks = ranks(truth.len(), &wins);
        let is_wrong_order = |pair: &PairReport| {
            let (a, b) = pair.positions;
            (is_better(a, b) && ranks[a] > ranks[b]) || (is_better(b, a) && ranks[b] > ranks[a])
        };
        self.tournaments += 1;
        self.false_claims += usize::from(true_wins < wins.len());
        self.misses += usize::from(pairs.iter().any(is_missed));
        self.wrong_orders += usize::from(pairs.iter().any(is_wrong_order));
        self.wins += true_wins;
        self.truly_different += pairs.iter().filter(|pair| difference(pair) != 0.0).count();
    }

    fn power(self) -> f64 {
        share(self.wins, self.truly_different)
    }

    fn coverage(self) -> f64 {
        1.0 - share(self.misses, self.tournaments)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.tournaments += other.tournaments;
        self.false_claims += other.false_claims;
        self.misses += other.misses;
        self.wrong_orders += other.wrong_orders;
        self.wins += other.wins;
        self.truly_different += other.truly_different;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = |hits| Rate::of(hits as u64, self.tournaments as u64, 0.95);
        let text = |rate: Rate| {
            let Interval { low, high } = rate.interval.unwrap_or(Interval::around(0.5, 0.5));
            format!(
                "{:.2} [{:.2}, {:.2}]",
                1e2 * rate.rate,
                1e2 * low,
                1e2 * high
            )
        };
        write!(
            f,
            "{} tournaments, false claims {} %, coverage {} %, wrong order {} %, power {:.3}",
            self.tournaments,
            text(rate(self.false_claims)),
            text(rate(self.tournaments - self.misses)),
            text(rate(self.wrong_orders)),
            self.power()
        )
    }
}

#[track_caller]
fn assert_agreement(pairs: &[PairReport]) {
    for pair in pairs {
        let is_win = pair.verdict != PairVerdict::Open;
        let excludes_zero = pair
            .interval
            .is_some_and(|interval| !interval.contains(0.0));
        let is_significant = pair.p_adjusted.is_some_and(|p_value| p_value <= 0.05);
        assert_eq!(is_win, excludes_zero, "{pair:?}");
        assert_eq!(is_win, is_significant, "{pair:?}");
    }
}

const TRUTHS: [Truth; 4] = [
    Truth::Equal,
    Truth::SameMean,
    Truth::SomeEqual,
    Truth::Different,
];

/// Groups of numbers of seeds, by the first of each.
const SEEDS: [usize; 4] = [6, 10, 20, 50];

#[test]
fn sentences_agree_with_intervals_and_errors_are_as_rare_as_promised() {
    let mut by_truth = [Counts::default(); 4];
    let mut by_seeds = [[Counts::default(); 4]; 4];
    print("");
    let mut all = Counts::default();
    for n_agents in 2..=10 {
        let mut counts = [Counts::default(); 4];
        let mut random = generator(n_agents as u64);
        for tournament in 0..n_tournaments(36) {
            let truth = tournament % 4;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "6 to 200 seeds, evenly on a logarithmic scale"
            )]
            let n_seeds = (6.0 * (200.0_f64 / 6.0).powf(uniform(&mut random))).round() as usize;
            let agents = random_field(n_agents, TRUTHS[truth], &mut random);
            let pairs = compare(&play(&agents, n_seeds, &mut random), QUICK);
            assert_agreement(&pairs);
            let mut one = Counts::default();
            one.add(&pairs, &true_means(&agents));
            counts[truth] += one;
            let group = SEEDS.partition_point(|first| *first <= n_seeds) - 1;
            by_seeds[truth][group] += one;
        }
        let mut of_all_truths = Counts::default();
        for ((truth, counts), sum) in TRUTHS.iter().zip(counts).zip(&mut by_truth) {
            print(&format!("{n_agents} agents, {truth:?}: {counts}"));
            *sum += counts;
            of_all_truths += counts;
            // Differences of unlike agents are skewed; sign flips assume symmetry.
            let rate = if *truth == Truth::SameMean {
                0.06
            } else {
                0.05
            };
            let is_rare =
                |hits| share(hits, counts.tournaments) <= at_most(rate, counts.tournaments);
            assert!(
                is_rare(counts.false_claims) && is_rare(counts.wrong_orders),
                "{n_agents}, {truth:?}: {counts}"
            );
        }
        print(&format!("{n_agents} agents: {of_all_truths}"));
        all += of_all_truths;
    }
    for (truth, groups) in TRUTHS.iter().zip(by_seeds) {
        for (first, counts) in SEEDS.iter().zip(groups) {
            print(&format!("{truth:?}, from {first} seeds: {counts}"));
        }
    }
    for (truth, counts) in TRUTHS.iter().zip(by_truth) {
        print(&format!("{truth:?}: {counts}"));
    }
    print(&format!("all: {all}"));
    assert!(
        1.0 - all.coverage() <= at_most(0.055, all.tournaments),
        "{all}"
    );
}

/// The wins of the procedure before joint flips: Holm's, with Student's tail for p-values that are
/// too small for random patterns.
fn wins_by_holm(pairs: &[PairReport]) -> Vec<bool> {
    let p_value = |comparison: &PairedComparison| {
        let n = as_f64(comparison.games);
        let deviation = comparison.standard_deviation.unwrap_or(0.0);
        let t = comparison.mean_difference.unwrap_or(0.0) / (deviation / n.sqrt());
        let student = StudentsT::new(0.0, 1.0, n - 1.0).expect("two games at least");
        match comparison.p_value {
            Some(p_value) if comparison.games <= 20 || p_value > 0.01 => p_value,
            _ => 2.0 * student.sf(t.abs()),
        }
    };
    let p_values: Vec<f64> = pairs.iter().map(|pair| p_value(&pair.comparison)).collect();
    holm(&p_values)
        .iter()
        .map(|p_value| *p_value <= 0.05)
        .collect()
}

#[test]
fn power_is_at_least_that_of_holms_procedure() {
    for n_agents in [2, 3, 6, 10] {
        for n_seeds in [6, 10, 20, 30, 50, 100, 200] {
            let agents = default_field(n_agents);
            let truth = true_means(&agents);
            let mut random = generator(n_seeds as u64);
            let (mut counts, mut by_holm) = (Counts::default(), 0);
            for _ in 0..n_tournaments(20) {
                let pairs = compare(&play(&agents, n_seeds, &mut random), QUICK);
                counts.add(&pairs, &truth);
                by_holm += wins_by_holm(&pairs)
                    .iter()
                    .filter(|is_win| **is_win)
                    .count();
            }
            let holm = share(by_holm, counts.truly_different);
            print(&format!(
                "{n_agents} agents, {n_seeds} seeds: power {:.3}, Holm {holm:.3}, coverage {:.3}",
                counts.power(),
                counts.coverage()
            ));
            // Tournaments vary, but both procedures see the same ones.
            assert!(
                counts.power() >= holm - 0.02,
                "{n_agents} agents, {n_seeds} seeds: {counts:?}, {holm}"
            );
            if (n_agents, n_seeds) == (10, 10) {
                assert!(counts.power() >= 0.35, "{counts:?}");
            }
        }
    }
}
