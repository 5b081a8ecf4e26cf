//! The joint test compared with a slow twin, which follows the definitions and counts all patterns.

use std::cell::Cell;

use rand::Rng;

use super::*;
use crate::{
    as_f64,
    game_outcome::{GameOutcome, Measure},
    joint_sample::ComparedPair,
    simulated_scores::{ANOTHER_TEN_SCORES, TEN_SCORES, close, generator},
};

const ERRORS: IntervalErrors = IntervalErrors {
    simultaneous: 0.05,
    own: 0.05,
};

fn games(scores: &[u64]) -> Vec<GameOutcome> {
    let outcome = |(seed, &score)| GameOutcome {
        seed,
        score,
        moves_to_goal: None,
        is_cut: false,
    };
    (1..).zip(scores).map(outcome).collect()
}

fn all_pairs(n_agents: usize, allowance: f64) -> Vec<ComparedPair> {
    let pair = |first, second| ComparedPair {
        first,
        second,
        measure: Measure::Score,
        allowance,
    };
    (0..n_agents)
        .flat_map(|i| (i + 1..n_agents).map(move |j| (i, j)))
        .map(|(i, j)| pair(i, j))
        .collect()
}

fn test(agents: &[Vec<GameOutcome>], effort: Effort) -> JointTest {
    test_beyond(0.0, agents, effort)
}

fn test_beyond(allowance: f64, agents: &[Vec<GameOutcome>], effort: Effort) -> JointTest {
    let agents: Vec<&[GameOutcome]> = agents.iter().map(Vec::as_slice).collect();
    let pairs = all_pairs(agents.len(), allowance);
    let sample = JointSample::new(&agents, &pairs);
    test_jointly(&sample, ERRORS, effort)
}

/// The differences of every pair, by seed; `None` where one of the two did not play.
fn differences(agents: &[Vec<GameOutcome>], n_seeds: u64) -> Vec<Vec<Option<f64>>> {
    let score = |agent: &[GameOutcome], seed| {
        let game = agent.iter().find(|game| game.seed == seed);
        game.map(|game| game.number(Measure::Score))
    };
    all_pairs(agents.len(), 0.0)
        .iter()
        .map(|pair| {
            let both = |seed| {
                let a = score(&agents[pair.first], seed)?;
                Some(a - score(&agents[pair.second], seed)?)
            };
            (1..=n_seeds).map(both).collect()
        })
        .collect()
}

/// `|sum| / root of squares` after a value was subtracted and signs were flipped.
fn statistic(differences: &[Option<f64>], value: f64, pattern: u32) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for (seed, difference) in differences.iter().enumerate() {
        if let Some(difference) = difference {
            let sign = if pattern >> seed & 1 == 1 { -1.0 } else { 1.0 };
            sum += sign * (difference - value);
            squares += (difference - value) * (difference - value);
        }
    }
    if squares > 0.0 {
        f64::abs(sum) / f64::sqrt(squares)
    } else {
        0.0
    }
}

fn mean(differences: &[Option<f64>]) -> f64 {
    let known: Vec<f64> = differences.iter().copied().flatten().collect();
    known.iter().sum::<f64>() / as_f64(known.len())
}

/// The share of all patterns that are at least as extreme as the data if the difference of a pair
/// were `value`, among this pair and the others around their means.
fn twin_p_of_value(all: &[Vec<Option<f64>>], pair: usize, value: f64) -> f64 {
    let n_patterns = 1_u32 << all[0].len();
    let observed = statistic(&all[pair], value, 0) * (1.0 - 1e-9);
    let is_extreme = |pattern: &u32| {
        let others = all.iter().enumerate().filter(|(other, _)| *other != pair);
        statistic(&all[pair], value, *pattern) >= observed
            || others
                .map(|(_, other)| statistic(other, mean(other), *pattern))
                .any(|other| other >= observed)
    };
    let n_extreme = (0..n_patterns).filter(is_extreme).count();
    as_f64(n_extreme) / f64::from(n_patterns)
}

/// Romano and Wolf's procedure, step by step: the largest p-value on the way to each pair.
fn twin_p_values(all: &[Vec<Option<f64>>], allowance: f64) -> Vec<f64> {
    let n_patterns = 1_u32 << all[0].len();
    let null = |pair: usize| mean(&all[pair]).clamp(-allowance, allowance);
    let of = |pair: usize, pattern| statistic(&all[pair], null(pair), pattern);
    let observed: Vec<f64> = (0..all.len()).map(|pair| of(pair, 0)).collect();
    let mut left: Vec<usize> = (0..all.len()).collect();
    let mut p_values = vec![0.0; all.len()];
    let mut highest = 0.0_f64;
    while let Some(&most) = left
        .iter()
        .max_by(|a, b| observed[**a].total_cmp(&observed[**b]))
    {
        let largest = |pattern| {
            let flipped = left.iter().map(|pair| of(*pair, pattern));
            flipped.fold(0.0, f64::max)
        };
        let n_extreme = (0..n_patterns)
            .filter(|pattern| largest(*pattern) >= observed[most] * (1.0 - 1e-9))
            .count();
        highest = highest.max(as_f64(n_extreme) / f64::from(n_patterns));
        p_values[most] = highest;
        left.retain(|pair| *pair != most);
    }
    p_values
}

#[test]
fn p_values_and_intervals_agree_with_a_twin_that_counts_all_patterns() {
    let mut random = generator(9);
    for (n_agents, n_seeds) in [(2, 6), (2, 9), (3, 8), (4, 7), (4, 9)] {
        for (has_gaps, allowance) in [(false, 0.0), (true, 0.0), (false, 150.0)] {
            let mut agents: Vec<Vec<GameOutcome>> = (0..n_agents)
                .map(|agent| {
                    let score = |_| 1_000 + 400 * agent + random.next_u64() % 1_500;
                    games(&(0..n_seeds).map(score).collect::<Vec<_>>())
                })
                .collect();
            if has_gaps {
                agents[0].remove(2);
            }
            let all = differences(&agents, n_seeds);
            let actual = test_beyond(allowance, &agents, Effort::FULL);
            assert!(actual.patterns.all);
            let twins = twin_p_values(&all, allowance);
            for (pair, (result, p_value)) in actual.results.iter().zip(twins).enumerate() {
                close(Some(result.p_value), p_value);
                let Interval { low, high } = result.simultaneous.widened(-allowance);
                for (end, outward) in [(low, -1e-6), (high, 1e-6)] {
                    if end.is_finite() {
                        let step = outward * (high - low).abs().min(1e6);
                        assert!(twin_p_of_value(&all, pair, end - step) > 0.05);
                        assert!(twin_p_of_value(&all, pair, end + step) <= 0.05);
                    } else {
                        assert!(twin_p_of_value(&all, pair, outward.signum() * 1e9) > 0.05);
                    }
                }
            }
        }
    }
}

#[test]
fn the_interval_of_one_pair_agrees_with_its_p_value() {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the scores are whole and positive"
    )]
    let agent = |scores: &[f64]| games(&scores.iter().map(|s| *s as u64).collect::<Vec<_>>());
    let agents = [agent(&TEN_SCORES), agent(&ANOTHER_TEN_SCORES)];
    let result = test(&agents, Effort::FULL).results[0];
    close(Some(result.p_value), 0.005_859_375);
    assert_eq!(result.own, result.simultaneous);
    assert!(result.own.low > 0.0);
}

#[test]
fn random_patterns_come_close_to_all_of_them() {
    let mut random = generator(4);
    let agents: Vec<_> = (0..4)
        .map(|agent| {
            let score = |_| 5_000 + 300 * agent + random.next_u64() % 3_000;
            games(&(0..14).map(score).collect::<Vec<_>>())
        })
        .collect();
    let all = test(&agents, Effort::FULL);
    let few = Effort {
        flips: 999,
        ..Effort::FULL
    };
    let some = test(&agents, few);
    assert!(all.patterns.all && !some.patterns.all);
    for (all, some) in all.results.iter().zip(&some.results) {
        assert!((all.p_value - some.p_value).abs() < 0.05);
        let width = all.simultaneous.high - all.simultaneous.low;
        assert!((all.simultaneous.low - some.simultaneous.low).abs() < 0.2 * width);
        assert!((all.own.high - some.own.high).abs() < 0.2 * width);
    }
}

#[test]
fn too_few_seeds_have_no_interval_and_equal_games_no_width() {
    let three = [games(&[5, 9, 7]), games(&[4, 6, 8])];
    let result = test(&three, Effort::FULL).results[0];
    close(Some(result.p_value), 0.75);
    assert_eq!(result.simultaneous.informative(), None);
    let same = [games(&[5; 12]), games(&[5; 12])];
    let result = test(&same, Effort::FULL).results[0];
    close(Some(result.p_value), 1.0);
    assert_eq!(result.simultaneous, Interval::around(0.0, 0.0));
    assert!(test(&[games(&[5])], Effort::FULL).results.is_empty());
    assert!(test(&[], Effort::FULL).results.is_empty());
}

thread_local! {
    /// How often the sums of a pair with unlike seeds were computed under all patterns.
    pub(super) static PAIRS_SUMMED: Cell<usize> = const { Cell::new(0) };
}

/// A ranking in which every agent lacks a tenth of the seeds: summing the differences of a pair takes
/// most of the time, so it happens once.
#[test]
fn the_sums_of_pairs_with_unlike_seeds_are_computed_once() {
    let mut random = generator(6);
    let mut agent = |strength: u64| {
        let scores: Vec<u64> = (0..60)
            .map(|_| 900 * strength + random.next_u64() % 9_000)
            .collect();
        let mut games = games(&scores);
        games.retain(|_| !random.next_u64().is_multiple_of(10));
        games
    };
    let agents: Vec<Vec<GameOutcome>> = (0..110).map(&mut agent).collect();
    let n_pairs = test(&agents, Effort::FULL).results.len();
    assert_eq!(n_pairs, 5_995);
    let n_summed = PAIRS_SUMMED.get();
    assert!(
        n_summed <= n_pairs + n_pairs / 10,
        "{n_summed} of {n_pairs}"
    );
}

/// Every agent lacks another seed, so no two have the same seeds.
#[test]
fn agents_that_all_played_different_seeds_agree_with_the_twin() {
    let mut random = generator(12);
    let agents: Vec<Vec<GameOutcome>> = (0..9)
        .map(|agent| {
            let score = |_| 1_000 + 300 * agent + random.next_u64() % 1_500;
            let mut games = games(&(0..9).map(score).collect::<Vec<_>>());
            games.remove(usize::try_from(agent).expect("below nine"));
            games
        })
        .collect();
    let all = differences(&agents, 9);
    let actual = test(&agents, Effort::FULL);
    assert!(actual.patterns.all);
    for (result, p_value) in actual.results.iter().zip(twin_p_values(&all, 0.0)) {
        close(Some(result.p_value), p_value);
    }
    let Interval { low, high } = actual.results[8].simultaneous;
    let step = 1e-6 * (high - low);
    assert!(low.is_finite() && high.is_finite());
    for (end, outward) in [(low, -step), (high, step)] {
        assert!(twin_p_of_value(&all, 8, end - outward) > 0.05);
        assert!(twin_p_of_value(&all, 8, end + outward) <= 0.05);
    }
}

/// The quantile of 5 degrees of freedom is that of `SciPy`: `stats.t.ppf(0.975, 5)`.
#[test]
fn pairs_of_more_than_a_hundred_agents_have_students_interval_of_their_own() {
    let mut random = generator(5);
    let agents: Vec<Vec<GameOutcome>> = (0..101)
        .map(|_| {
            games(
                &(0..6)
                    .map(|_| random.next_u64() % 5_000)
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let differences = differences(&agents[..2], 6);
    let own = test(&agents, Effort::FULL).results[0].own;
    let mean = mean(&differences[0]);
    let squares = differences[0].iter().flatten().map(|d| (d - mean).powi(2));
    let error = (squares.sum::<f64>() / 5.0 / 6.0).sqrt();
    close(Some(own.low), mean - 2.570_581_835_636_314 * error);
    close(Some(own.high), mean + 2.570_581_835_636_314 * error);
    assert_ne!(own, test(&agents[..2], Effort::FULL).results[0].own);
}
