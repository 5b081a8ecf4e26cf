//! Simulated tournaments with a known truth: how often the ranking is wrong.
//!
//! A tournament is wrong if it claims that an agent is better than one that is truly as good or
//! better, or if it ranks a truly better agent lower. Scores are distributed like real ones, and
//! half of the luck of a game comes from its seed, which all agents share.

use super::{
    ReportInput,
    example::input,
    pair_report::{PairReport, compare_all},
};
use crate::{
    statistics::{
        effort::Effort,
        game_outcome::{GameOutcome, on_common_seeds},
        length,
        paired_comparison::PairedComparison,
        ranking::ranks,
        simulated_scores::{Scores, SeedLuck, generator},
    },
    tournament::StopRule,
};

const QUICK: Effort = Effort {
    resamples: 0,
    flips: 999,
    draws: 1_000_000,
};

/// An agent of the simulation: the distribution of its scores, and a factor on all of them.
type Strength = (Scores, f64);

fn true_mean((scores, factor): Strength) -> f64 {
    scores.true_mean() * factor
}

/// The outcomes of all agents on this many seeds.
fn play(agents: &[Strength], n_seeds: u64, random: &mut impl rand::Rng) -> Vec<Vec<GameOutcome>> {
    let mut games = vec![Vec::new(); agents.len()];
    for seed in 0..n_seeds {
        let shared = SeedLuck::draw(random);
        for ((scores, factor), games) in agents.iter().zip(&mut games) {
            let own = SeedLuck::draw(random);
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
            let score = (scores.score_of(luck) * factor).round() as u64;
            games.push(GameOutcome {
                seed,
                score,
                moves_to_goal: None,
            });
        }
    }
    games
}

/// The share of tournaments with a false claim, and with a wrong order of ranks.
fn shares_of_wrong(agents: &[Strength], n_seeds: u64, n_tournaments: u32) -> [f64; 2] {
    let truth: Vec<f64> = agents.iter().copied().map(true_mean).collect();
    let input = input(&[]);
    let mut random = generator(n_seeds);
    let mut n_wrong = [0; 2];
    for _ in 0..n_tournaments {
        let games = play(agents, n_seeds, &mut random);
        let games: Vec<(&str, &[GameOutcome])> =
            games.iter().map(|games| ("", games.as_slice())).collect();
        let pairs = compare_all(&games, &input, QUICK);
        let wins: Vec<_> = pairs.iter().filter_map(PairReport::win).collect();
        let ranks = ranks(agents.len(), &wins);
        let in_wrong_order = |a: usize, b: usize| truth[a] > truth[b] && ranks[a] > ranks[b];
        let wrong = [
            wins.iter().any(|&(a, b)| truth[a] <= truth[b]),
            pairs.iter().any(|pair| {
                let (a, b) = pair.positions;
                in_wrong_order(a, b) || in_wrong_order(b, a)
            }),
        ];
        for (n_wrong, wrong) in n_wrong.iter_mut().zip(wrong) {
            *n_wrong += usize::from(wrong);
        }
    }
    n_wrong.map(|n_wrong| length(n_wrong) / f64::from(n_tournaments))
}

/// Agents with these distributions and means very close to 30,000.
fn of_nearly_the_same_mean(shapes: &[Scores]) -> Vec<Strength> {
    let mean = (0..).map(|index| 30_000.0 + 3.0 * f64::from(index));
    let shapes = shapes.iter().zip(mean);
    shapes
        .map(|(&scores, mean)| (scores, mean / scores.true_mean()))
        .collect()
}

fn ladder(step: f64) -> Vec<Strength> {
    (0..7)
        .map(|rung| (Scores::Middling, 1.0 - step * f64::from(rung)))
        .collect()
}

/// With a thousand tournaments each, 0% to 2.8% were measured.
#[test]
fn ranks_are_in_a_wrong_order_in_at_most_5_of_100_tournaments() {
    use Scores::{Faulty, Middling, Random, RarelyMore, Strong, Weak};
    let truths = [
        vec![(Middling, 1.0), (Middling, 1.0005), (Middling, 1.3)],
        vec![
            (Strong, 1.0),
            (Strong, 1.001),
            (Middling, 1.0),
            (Middling, 0.999),
        ],
        of_nearly_the_same_mean(&[Middling, Faulty]),
        of_nearly_the_same_mean(&[Strong, Random, RarelyMore, Weak]),
        ladder(0.05),
        vec![
            (Strong, 1.0),
            (Middling, 1.2),
            (Faulty, 1.0),
            (RarelyMore, 0.75),
            (Weak, 1.0),
        ],
    ];
    for agents in truths {
        for (n_seeds, n_tournaments) in [(30, 300), (50, 300), (200, 100)] {
            let [_, in_wrong_order] = shares_of_wrong(&agents, n_seeds, n_tournaments);
            assert!(
                in_wrong_order <= 0.05,
                "{agents:?}, {n_seeds} seeds: {in_wrong_order}"
            );
        }
    }
}

/// The share that a true rate of 5% exceeds once in 40 times.
fn five_percent_and_chance(n_tournaments: u32) -> f64 {
    0.05 + 1.96 * (0.05 * 0.95 / f64::from(n_tournaments)).sqrt()
}

#[test]
fn equal_agents_are_distinguished_in_5_of_100_tournaments() {
    for scores in [Scores::Random, Scores::Middling, Scores::RarelyMore] {
        for (n_seeds, n_tournaments) in [(30, 600), (200, 200)] {
            let [false_claims, _] = shares_of_wrong(&[(scores, 1.0); 5], n_seeds, n_tournaments);
            assert!(
                false_claims <= five_percent_and_chance(n_tournaments),
                "{scores:?}, {n_seeds} seeds: {false_claims}"
            );
        }
    }
}

/// A tournament counts as wrong if any analysis makes a claim, not only the one at which it stops.
#[test]
fn a_thousand_tournaments_of_equals_with_a_stop_rule_decide_wrongly_in_at_most_5_of_100() {
    let input = ReportInput {
        n_seeds: 20,
        stop: Some(StopRule {
            decided: 0.95,
            max_seeds: 160,
        }),
        ..input(&[])
    };
    let effort = Effort {
        flips: 4_999,
        ..QUICK
    };
    for scores in [Scores::Middling, Scores::RarelyMore] {
        let mut random = generator(5);
        let n_wrong = (0..1_000)
            .filter(|_| {
                let games = play(&[(scores, 1.0); 4], 160, &mut random);
                input.interim_analyses().into_iter().any(|seeds| {
                    let n_seeds = usize::try_from(seeds).expect("a small number");
                    let games: Vec<(&str, &[GameOutcome])> =
                        games.iter().map(|games| ("", &games[..n_seeds])).collect();
                    let pairs = compare_all(&games, &input, effort);
                    pairs.iter().any(|pair| pair.win().is_some())
                })
            })
            .count();
        assert!(n_wrong <= 50, "{scores:?}: {n_wrong} of 1,000");
    }
}

#[test]
fn intervals_of_differences_cover_the_truth_93_to_97_times_in_100() {
    use Scores::{Faulty, Middling, RarelyMore, Strong, Weak};
    let effort = Effort {
        resamples: 999,
        flips: 0,
        draws: 1_000_000,
    };
    let pairs = [
        [(Strong, 1.0), (Middling, 1.0)],
        [(Middling, 1.0), (Middling, 1.1)],
        [(Faulty, 1.0), (RarelyMore, 1.0)],
        [(Middling, 1.0), (Weak, 1.0)],
    ];
    for agents in pairs {
        let truth = true_mean(agents[0]) - true_mean(agents[1]);
        let mut random = generator(30);
        let covered = (0..1_000)
            .filter(|_| {
                let games = play(&agents, 30, &mut random);
                let pairs = on_common_seeds(&games[0], &games[1]);
                let comparison = PairedComparison::by_score(&pairs, 0.95, effort);
                comparison.interval.expect("30 games").contains(truth)
            })
            .count();
        assert!((930..=970).contains(&covered), "{agents:?}: {covered}");
    }
}
