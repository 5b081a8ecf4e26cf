//! Tournaments with a stop rule: false decisions, and games needed beside the earlier rule.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{
    at_most,
    field::{SimulatedAgent, default_field, play, true_means},
    n_tournaments, print, share,
};
use statistics::{
    as_f64,
    descriptive::{mean, standard_deviation},
    game_outcome::{GameOutcome, Measure, on_common_seeds},
    holm::holm,
    race::{DecisionKind, Race, RaceRule, RacedPair, Racer, looks},
    simulated_scores::{Scores, generator},
};

const MAX_SEEDS: usize = 2_000;

/// About so many points are gained with a move.
const POINTS_PER_MOVE: f64 = 22.0;

fn rule(n_seeds: u64, max_seeds: usize, equal_within: Option<f64>) -> RaceRule {
    RaceRule {
        looks: looks(n_seeds, max_seeds as u64),
        significance: 0.05,
        equal_within,
        has_goal: false,
    }
}

fn run(games: &[Vec<GameOutcome>], rule: &RaceRule) -> (Race, Vec<Racer>) {
    let racers: Vec<Racer> = games
        .iter()
        .map(|outcomes| Racer {
            outcomes: outcomes.clone(),
            out_after: None,
            follows: None,
        })
        .collect();
    (Race::run(&racers, rule), racers)
}

fn is_wrong(pair: &RacedPair, truth: &[f64], equal_within: f64) -> bool {
    let (first, second) = (truth[pair.first], truth[pair.second]);
    match pair.decision.map(|decision| decision.kind) {
        None => false,
        Some(DecisionKind::FirstIsBetter) => first <= second,
        Some(DecisionKind::SecondIsBetter) => second <= first,
        Some(DecisionKind::Equal { .. }) => {
            (first - second).abs() > equal_within * first.max(second)
        }
    }
}

fn moves(games: &[GameOutcome]) -> f64 {
    games
        .iter()
        .map(|game| game.number(Measure::Score) / POINTS_PER_MOVE)
        .sum()
}

/// The rule of version 1.0.0: looks after 30, 60, 120, … seeds share the error rate, Holm's
/// procedure at each, and all agents play on until all neighbours are separated. Returns the seeds
/// played and whether all neighbours were separated.
fn earlier_rule(games: &[Vec<GameOutcome>]) -> (usize, bool) {
    let doubled = std::iter::successors(Some(30), |n| Some(2 * n));
    let mut looks: Vec<usize> = doubled.take_while(|n| *n < MAX_SEEDS).collect();
    looks.push(MAX_SEEDS);
    for &n in &looks {
        let mut pairs = Vec::new();
        for first in 0..games.len() {
            for second in first + 1..games.len() {
                let common = on_common_seeds(&games[first][..n], &games[second][..n]);
                let differences: Vec<f64> = common
                    .iter()
                    .map(|(a, b)| a.number(Measure::Score) - b.number(Measure::Score))
                    .collect();
                let error = standard_deviation(&differences).unwrap() / as_f64(n).sqrt();
                let t = mean(&differences).unwrap() / error;
                let student = StudentsT::new(0.0, 1.0, as_f64(n - 1)).unwrap();
                pairs.push((first, second, 2.0 * student.sf(t.abs())));
            }
        }
        let p_values: Vec<f64> = pairs.iter().map(|(_, _, p_value)| *p_value).collect();
        let level = 0.05 / as_f64(looks.len());
        let separated: Vec<(usize, usize)> = pairs
            .iter()
            .zip(holm(&p_values))
            .filter(|(_, p_value)| *p_value <= level)
            .map(|((first, second, _), _)| (*first, *second))
            .collect();
        let mut order: Vec<usize> = (0..games.len()).collect();
        order.sort_by(|a, b| moves(&games[*b][..n]).total_cmp(&moves(&games[*a][..n])));
        let is_separated =
            |pair: &[usize]| separated.contains(&(pair[0].min(pair[1]), pair[0].max(pair[1])));
        if order.windows(2).all(is_separated) {
            return (n, true);
        }
    }
    (MAX_SEEDS, false)
}

#[test]
fn the_default_field_needs_at_most_half_of_the_moves_of_the_earlier_rule() {
    let agents = default_field(6);
    let truth = true_means(&agents);
    let mut random = generator(5);
    let n = n_tournaments(10);
    let (mut needed, mut earlier, mut n_decided, mut n_separated, mut n_wrong) =
        (0.0, 0.0, 0, 0, 0);
    let (mut exaggerated, mut n_close, mut n_missed) = (0.0, 0, 0);
    let mut parts = Vec::new();
    for _ in 0..n {
        let games = play(&agents, MAX_SEEDS, &mut random);
        let (race, racers) = run(&games, &rule(30, MAX_SEEDS, None));
        let stops = race.stops.iter().map(|stop| stop.unwrap_or(MAX_SEEDS));
        let counted: f64 = stops
            .zip(&games)
            .map(|(stop, games)| moves(&games[..stop]))
            .sum();
        needed += counted;
        let misses = |pair: &RacedPair| {
            let interval = race.interval(pair, &racers, Measure::Score, 0.05);
            let difference = truth[pair.first] - truth[pair.second];
            interval.is_some_and(|interval| !interval.contains(difference))
        };
        n_missed += usize::from(race.pairs.iter().any(misses));
        n_decided += usize::from(race.open().count() == 0);
        n_wrong += usize::from(race.pairs.iter().any(|pair| is_wrong(pair, &truth, 0.0)));
        let (seeds, is_separated) = earlier_rule(&games);
        let played: f64 = games.iter().map(|games| moves(&games[..seeds])).sum();
        earlier += played;
        parts.push(counted / played);
        n_separated += usize::from(is_separated);
        for pair in &race.pairs {
            let true_difference = truth[pair.first] - truth[pair.second];
            let both = [pair.first, pair.second].map(|a| race.stops[a].unwrap_or(MAX_SEEDS));
            let seeds = both[0].min(both[1]);
            let is_last = pair
                .decision
                .is_some_and(|decision| decision.seeds == seeds);
            if true_difference.abs() < 25e3 && is_last {
                let measured =
                    moves(&games[pair.first][..seeds]) - moves(&games[pair.second][..seeds]);
                exaggerated += measured * POINTS_PER_MOVE / as_f64(seeds) / true_difference;
                n_close += 1;
            }
        }
    }
    parts.sort_unstable_by(f64::total_cmp);
    print(&format!(
        "moves {:.3} of the earlier rule, in single runs {:.2} (10 %), {:.2} (median), {:.2} (90 %); all decided {n_decided}, separated {n_separated}, wrong {n_wrong}, an interval missed {n_missed} of {n}; differences of close pairs are {:.3} times the true ones",
        needed / earlier,
        parts[n / 10],
        parts[n / 2],
        parts[n * 9 / 10],
        exaggerated / as_f64(n_close)
    ));
    assert!(needed <= 0.5 * earlier, "{}", needed / earlier);
    assert!(n_decided >= n_separated, "{n_decided} {n_separated}");
    assert!(share(n_wrong, n) <= at_most(0.05, n), "{n_wrong}");
    assert!(share(n_missed, n) <= at_most(0.05, n), "{n_missed}");
}

#[test]
fn an_equal_pair_within_ten_percent_needs_at_most_half_of_the_seeds() {
    let n = n_tournaments(10);
    for scores in [Scores::Mcts, Scores::Snake, Scores::Middling] {
        let agents = [SimulatedAgent::new(scores, 1.0); 2];
        let mut random = generator(8);
        let (mut seeds, mut n_wrong) = (0, 0);
        for _ in 0..n {
            let games = play(&agents, MAX_SEEDS, &mut random);
            let (race, _) = run(&games, &rule(30, MAX_SEEDS, Some(0.1)));
            seeds += race.stops[0].unwrap_or(MAX_SEEDS);
            n_wrong += usize::from(is_wrong(&race.pairs[0], &true_means(&agents), 0.1));
        }
        let part = share(seeds, n * MAX_SEEDS);
        print(&format!(
            "{scores:?}: {part:.3} of the seeds, wrong {n_wrong} of {n}"
        ));
        assert!(part <= 0.55, "{scores:?}: {part}");
    }
}

/// A tournament counts as wrong if any pair is decided at any look; equal means of different
/// shapes as well.
#[test]
fn a_thousand_tournaments_of_equals_decide_wrongly_in_at_most_5_of_100() {
    let same_mean = |scores: Scores| SimulatedAgent::new(scores, 30_000.0 / scores.true_mean());
    let fields = [
        vec![SimulatedAgent::new(Scores::Middling, 1.0); 4],
        vec![SimulatedAgent::new(Scores::RarelyMore, 1.0); 4],
        vec![SimulatedAgent::new(Scores::Random, 1.0); 2],
        [Scores::Middling, Scores::Strong, Scores::Faulty]
            .map(same_mean)
            .to_vec(),
    ];
    for agents in fields {
        let truth = true_means(&agents);
        let truth = vec![truth[0]; truth.len()];
        let mut random = generator(5);
        let (mut n_wrong, mut n_missed) = (0, 0);
        let n = n_tournaments(100).max(1_000);
        for _ in 0..n {
            let games = play(&agents, 160, &mut random);
            let (race, racers) = run(&games, &rule(10, 160, None));
            n_wrong += usize::from(race.pairs.iter().any(|pair| is_wrong(pair, &truth, 0.0)));
            let misses = |pair: &RacedPair| {
                let interval = race.interval(pair, &racers, Measure::Score, 0.05);
                interval.is_some_and(|interval| !interval.contains(0.0))
            };
            n_missed += usize::from(race.pairs.iter().any(misses));
        }
        print(&format!(
            "{:?}: wrong {n_wrong}, missed {n_missed} of {n}",
            agents[0].scores
        ));
        assert!(n_wrong * 100 <= 5 * n, "{agents:?}: {n_wrong} of {n}");
        assert!(n_missed * 100 <= 5 * n, "{agents:?}: {n_missed} of {n}");
    }
}
