//! Tournaments with `max_moves`, where most games have nearly the same score and a few end early.
//!
//! Seeds are drawn from 1,000 real ones, and scores are scaled to equal means, so every claim is
//! false. Without the allowance of `early_ends` the worst pair has one in a quarter of tournaments.
//! The constructed agents at the end have no `max_moves`: a note has to warn of their claims.

use rand::Rng;

use super::{
    at_most,
    field::{below, uniform},
    fixed_seeds::{QUICK, compare},
    n_tournaments, print, share,
};
use run::{example::figures, game_figures::GameFigures, game_record::Ending};
use statistics::{
    as_f64,
    effort::Effort,
    game_outcome::{GameOutcome, Measure},
    interval::{Confidence, Interval},
    race::{Race, RaceRule, Racer, looks},
    rate::Rate,
    simulated_scores::generator,
};

use crate::{
    agent_summary::AgentSummary,
    example::{plan, report_of},
    pair_report::PairReport,
};

/// The scores of six agents on 1,000 seeds with 60 nodes per move and at most 400 moves, one seed a
/// line. A minus marks a game that ended early.
const GAMES: &str = include_str!("capped_games.txt");

/// What all means are scaled to.
const MEAN: f64 = 6_000.0;

const N_AGENTS: usize = 6;

const SEEDS: [usize; 7] = [6, 10, 20, 30, 50, 100, 200];

/// Scores and whether the limit ended the game, by seed.
type Game = (u64, bool);

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "scores are positive and far below 2^64"
)]
fn whole(score: f64) -> u64 {
    score.round().max(0.0) as u64
}

fn names() -> Vec<&'static str> {
    let line = GAMES.lines().next().expect("a line of names");
    line.split(' ').collect()
}

fn scaled_games() -> Vec<[Game; N_AGENTS]> {
    let rows: Vec<[f64; N_AGENTS]> = GAMES
        .lines()
        .skip(1)
        .map(|line| {
            let scores: Vec<f64> = line
                .split(' ')
                .map(|word| word.parse().expect("a score"))
                .collect();
            scores.try_into().expect("six scores")
        })
        .collect();
    let factor = |agent: usize| {
        let sum: f64 = rows.iter().map(|row| row[agent].abs()).sum();
        MEAN * as_f64(rows.len()) / sum
    };
    let factors: [f64; N_AGENTS] = std::array::from_fn(factor);
    let scaled = |row: &[f64; N_AGENTS]| {
        std::array::from_fn(|agent| (whole(row[agent].abs() * factors[agent]), row[agent] > 0.0))
    };
    rows.iter().map(scaled).collect()
}

fn outcome(seed: usize, (score, is_cut): Game) -> GameOutcome {
    GameOutcome {
        seed: seed as u64,
        score,
        moves_to_goal: None,
        is_cut,
    }
}

/// The games of some agents on so many drawn seeds; without the allowance, none was cut.
fn draw(
    games: &[[Game; N_AGENTS]],
    agents: &[usize],
    n_seeds: usize,
    allows: bool,
    random: &mut impl Rng,
) -> Vec<Vec<GameOutcome>> {
    let mut drawn = vec![Vec::with_capacity(n_seeds); agents.len()];
    for seed in 0..n_seeds {
        let row = games[below(games.len(), random)];
        for (outcomes, agent) in drawn.iter_mut().zip(agents) {
            let (score, is_cut) = row[*agent];
            outcomes.push(outcome(seed, (score, is_cut && allows)));
        }
    }
    drawn
}

fn percent(hits: usize, n: usize) -> String {
    let rate = Rate::of(hits as u64, n as u64, 0.95);
    let Interval { low, high } = rate.interval.expect("tournaments");
    format!(
        "{:.1} [{:.1}, {:.1}]",
        1e2 * rate.rate,
        1e2 * low,
        1e2 * high
    )
}

fn all_pairs() -> impl Iterator<Item = [usize; 2]> {
    (0..N_AGENTS).flat_map(|a| (a + 1..N_AGENTS).map(move |b| [a, b]))
}

fn count_claims(
    games: &[[Game; N_AGENTS]],
    agents: &[usize],
    n_seeds: usize,
    allows: bool,
    n: usize,
) -> usize {
    let mut random = generator((n_seeds * 100 + agents[0] * 10 + agents[1]) as u64);
    let mut claims = || {
        let pairs = compare(&draw(games, agents, n_seeds, allows, &mut random), QUICK);
        pairs.iter().any(|pair| PairReport::win(pair).is_some())
    };
    (0..n).filter(|_| claims()).count()
}

#[test]
fn games_cut_short_make_false_claims_in_at_most_5_and_a_half_of_100_tournaments() {
    let (games, names) = (scaled_games(), names());
    let n = n_tournaments(10);
    let n_before = n.div_ceil(10);
    let groups: Vec<Vec<usize>> = all_pairs()
        .map(Vec::from)
        .chain([(0..N_AGENTS).collect()])
        .collect();
    for n_seeds in SEEDS {
        let (mut most, mut most_before, mut sum) = (0, 0, 0);
        for agents in &groups {
            let hits = count_claims(&games, agents, n_seeds, true, n);
            let before = count_claims(&games, agents, n_seeds, false, n_before);
            let names: Vec<&str> = agents.iter().map(|agent| names[*agent]).collect();
            print(&format!(
                "{n_seeds} seeds, {}: {} %, without the allowance {} %",
                names.join("/"),
                percent(hits, n),
                percent(before, n_before)
            ));
            assert!(
                share(hits, n) <= at_most(0.055, n),
                "{names:?}: {hits} of {n}"
            );
            (most, most_before, sum) = (most.max(hits), most_before.max(before), sum + hits);
        }
        print(&format!(
            "{n_seeds} seeds: at most {} %, without the allowance {} %",
            percent(most, n),
            percent(most_before, n_before)
        ));
        let n = n * groups.len();
        assert!(
            share(sum, n) <= at_most(0.055, n),
            "{n_seeds} seeds: {sum} of {n}"
        );
    }
}

#[test]
fn means_of_games_cut_short_are_covered() {
    let (games, names) = (scaled_games(), names());
    let n = n_tournaments(12);
    let mut all = 0;
    for n_seeds in SEEDS {
        let mut random = generator(n_seeds as u64);
        for (agent, name) in names.iter().enumerate() {
            let [mut hits, mut before] = [0, 0];
            for _ in 0..n {
                let drawn = draw(&games, &[agent], n_seeds, true, &mut random);
                for (counter, allows) in [(&mut hits, true), (&mut before, false)] {
                    let figures: Vec<GameFigures> = drawn[0]
                        .iter()
                        .map(|game| GameFigures {
                            ending: if game.is_cut && allows {
                                Ending::MoveLimit
                            } else {
                                Ending::NoMoveLeft
                            },
                            ..figures(0, game.seed, game.score)
                        })
                        .collect();
                    let records: Vec<&GameFigures> = figures.iter().collect();
                    let tiles = plugin_api::Tiles::Random;
                    let summary =
                        AgentSummary::of(&records, &[], None, tiles, Confidence::USUAL, MEANS);
                    let interval = summary.mean_interval.expect("games");
                    *counter += usize::from(interval.contains(MEAN));
                }
            }
            print(&format!(
                "{n_seeds} games of {name}: covered {} %, without the allowance {} %",
                percent(hits, n),
                percent(before, n)
            ));
            all += hits;
        }
    }
    let n = n * SEEDS.len() * N_AGENTS;
    assert!(share(n - all, n) <= at_most(0.05, n), "{all} of {n}");
}

const MEANS: Effort = Effort {
    resamples: 599,
    flips: 0,
    draws: 1_000_000,
};

#[test]
fn races_cut_short_decide_wrongly_in_at_most_5_and_a_half_of_100() {
    let (games, names) = (scaled_games(), names());
    let rule = RaceRule {
        looks: looks(10, 300),
        significance: 0.05,
        equal_within: None,
        has_goal: false,
    };
    let n = n_tournaments(10);
    let mut all = 0;
    for agents in all_pairs() {
        let mut random = generator(3);
        let mut n_wrong = [0; 2];
        for tournament in 0..n {
            for (wrong, allows) in n_wrong.iter_mut().zip([true, false]) {
                if !allows && tournament % 10 > 0 {
                    continue;
                }
                let drawn = draw(&games, &agents, 300, allows, &mut random);
                let racer = |outcomes| Racer {
                    outcomes,
                    ..Racer::default()
                };
                let racers: Vec<Racer> = drawn.into_iter().map(racer).collect();
                let race = Race::run(&racers, &rule);
                let interval = race.interval(&race.pairs[0], &racers, Measure::Score, 0.05);
                let excludes = interval.is_some_and(|interval| !interval.contains(0.0));
                let decided = race.pairs[0].decision.is_some();
                assert!(!excludes || decided, "{:?}", race.pairs[0]);
                *wrong += usize::from(decided);
            }
        }
        let (wrong, before) = (percent(n_wrong[0], n), percent(n_wrong[1], n.div_ceil(10)));
        print(&format!(
            "race of {}/{}: {wrong} %, without the allowance {before} %",
            names[agents[0]], names[agents[1]]
        ));
        all += n_wrong[0];
    }
    let n = n * 15;
    assert!(share(all, n) <= at_most(0.055, n), "{all} of {n}");
}

/// A normal score.
fn normal(mean: f64, deviation: f64, random: &mut impl Rng) -> f64 {
    let (first, second) = (uniform(random).max(1e-9), uniform(random));
    let standard = (-2.0 * first.ln()).sqrt() * (std::f64::consts::TAU * second).cos();
    mean + deviation * standard
}

/// Steady scores without early ends: how many differences are found with and without the allowance.
#[test]
fn steady_games_cut_short_still_show_differences() {
    let n = n_tournaments(20);
    for (spread, n_seeds, advantage) in [
        (0.03, 30_usize, 0.03),
        (0.03, 30, 0.05),
        (0.03, 100, 0.02),
        (0.1, 30, 0.1),
        (0.1, 30, 0.15),
        (0.1, 100, 0.06),
        (0.1, 300, 0.03),
    ] {
        let mut random = generator(n_seeds as u64);
        let mut found = [0; 2];
        for _ in 0..n {
            let mut play = |mean: f64| -> Vec<u64> {
                let score = |_| whole(normal(mean, spread * MEAN, &mut random));
                (0..n_seeds).map(score).collect()
            };
            let scores = [play(MEAN * (1.0 + advantage)), play(MEAN)];
            for (found, is_cut) in found.iter_mut().zip([true, false]) {
                let games = scores.each_ref().map(|scores| {
                    let games = scores.iter().enumerate();
                    let games = games.map(|(seed, score)| outcome(seed, (*score, is_cut)));
                    games.collect::<Vec<GameOutcome>>()
                });
                let pairs = compare(&games, QUICK);
                *found += usize::from(pairs[0].win() == Some((0, 1)));
            }
        }
        let [with, without] = found.map(|found| percent(found, n));
        print(&format!(
            "spread {spread}, {n_seeds} seeds, {advantage} better: found {with} %, without the allowance {without} %"
        ));
        assert!(found[0] <= found[1]);
    }
}

/// Agents with the same mean whose rare losses a sample may lack.
#[derive(Clone, Copy, Debug)]
enum Constructed {
    /// The second agent scores nothing in so many of 100 games.
    Zeros { spread: f64, of_100: usize },
    /// The second agent plays 70 % of games alike, gains a little in 27 % and loses much in 3 %.
    Variant,
}

impl Constructed {
    fn game(self, random: &mut impl Rng) -> [u64; 2] {
        let luck = below(100, random);
        let scores = match self {
            Self::Zeros { spread, of_100 } => {
                let rest = MEAN / (1.0 - as_f64(of_100) / 100.0);
                let second = if luck < of_100 {
                    0.0
                } else {
                    normal(rest, spread * rest, random)
                };
                [normal(MEAN, spread * MEAN, random), second]
            }
            Self::Variant => {
                let first = normal(MEAN, 0.3 * MEAN, random).max(0.5 * MEAN);
                let change = match luck {
                    0..70 => 0.0,
                    70..97 => 0.05 * uniform(random),
                    _ => -0.45 * uniform(random),
                };
                [first, first + MEAN * change]
            }
        };
        scores.map(whole)
    }
}

#[test]
fn a_note_warns_where_rare_losses_could_undo_a_claim() {
    let plan = plan(&["a", "b"]);
    let n = n_tournaments(40);
    for (shape, n_seeds) in [
        (
            Constructed::Zeros {
                spread: 0.03,
                of_100: 2,
            },
            30,
        ),
        (
            Constructed::Zeros {
                spread: 0.03,
                of_100: 2,
            },
            40,
        ),
        (
            Constructed::Zeros {
                spread: 0.1,
                of_100: 10,
            },
            30,
        ),
        (Constructed::Variant, 30),
        (Constructed::Variant, 40),
    ] {
        let mut random = generator(11);
        let (mut n_claims, mut n_silent) = (0, 0);
        for _ in 0..n {
            let games: Vec<GameFigures> = (1..=n_seeds)
                .flat_map(|seed| {
                    let [a, b] = shape.game(&mut random);
                    [figures(0, seed, a), figures(1, seed, b)]
                })
                .collect();
            let report = report_of(&plan, games);
            let is_claim = report.budgets[0].pairs[0].win().is_some();
            let is_warned = report
                .notes
                .iter()
                .any(|note| note.text.contains("early ends"));
            n_claims += usize::from(is_claim);
            n_silent += usize::from(is_claim && !is_warned);
        }
        print(&format!(
            "{shape:?}, {n_seeds} seeds: claims {} %, without a note {} %",
            percent(n_claims, n),
            percent(n_silent, n)
        ));
        assert!(
            share(n_silent, n) <= at_most(0.055, n),
            "{shape:?}: {n_silent} of {n}"
        );
    }
}
