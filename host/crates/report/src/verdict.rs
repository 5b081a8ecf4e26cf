//! The result in sentences, one per pair of neighbours in the ranking.

use super::{
    budget_report::BudgetReport,
    estimate_text::with_interval,
    pair_report::{PairReport, PairVerdict},
};
use statistics::{game_outcome::Measure, interval::Interval};
use text::number_text::{amount, counted, decimals, p_value_in_a_sentence};

/// From the top of the ranking downwards.
#[must_use]
pub fn verdicts(part: &BudgetReport) -> Vec<String> {
    let most = part.pairs.iter().map(|pair| pair.comparison.games).max();
    part.neighbours()
        .map(|pair| verdict(pair, &on_which_seeds(pair, most.unwrap_or(0))))
        .collect()
}

/// Names the seeds of a pair that did not play all of them.
fn on_which_seeds(pair: &PairReport, most: usize) -> String {
    let comparison = &pair.comparison;
    let seeds = counted(comparison.games as u64, "seed");
    match comparison.measure {
        // Without luck, games are compared and not seeds.
        _ if pair.p_adjusted.is_none() => String::new(),
        Measure::Moves => format!(" on the {seeds} on which both reached it"),
        _ if comparison.games < most => format!(" on {seeds}"),
        _ => String::new(),
    }
}

fn verdict(pair: &PairReport, seeds: &str) -> String {
    let comparison = &pair.comparison;
    let Some(difference) = comparison.mean_difference else {
        return format!("{} and {} have no seed in common", pair.a, pair.b);
    };
    let (winner, loser) = match pair.verdict {
        PairVerdict::FirstIsBetter => (&pair.a, &pair.b),
        PairVerdict::SecondIsBetter => (&pair.b, &pair.a),
        PairVerdict::Equal => return equal(pair, difference),
        PairVerdict::Open => return open(pair, difference, seeds),
    };
    // The advantage of the winner is a positive number.
    let is_negative = comparison.measure.more_is_better() != (*winner == pair.a);
    let (difference, interval) = if is_negative {
        (-difference, pair.interval.map(Interval::negated))
    } else {
        (difference, pair.interval)
    };
    let size = size(comparison.measure, difference, interval);
    let Some(p_value) = pair.p_adjusted else {
        let games = counted(comparison.games as u64, "comparison");
        return format!("{winner} did better than {loser} in every game ({games}), by {size}");
    };
    let advantage = match comparison.measure {
        Measure::Score => format!("beats {loser} by {size}{seeds}"),
        Measure::Reach => format!("reaches the goal more often than {loser}, by {size}{seeds}"),
        Measure::Moves => format!("needs fewer moves to the goal than {loser}, by {size}{seeds}"),
    };
    format!("{winner} {advantage}, {}", corrected(p_value))
}

fn equal(pair: &PairReport, difference: f64) -> String {
    format!(
        "{} and {} are practically equal ({})",
        pair.a,
        pair.b,
        size(pair.comparison.measure, difference, pair.interval)
    )
}

fn open(pair: &PairReport, difference: f64, seeds: &str) -> String {
    let comparison = &pair.comparison;
    let (a, b) = (&pair.a, &pair.b);
    let Some(p_value) = pair.p_adjusted else {
        return if comparison.ties == comparison.games {
            format!("{a} and {b} are equal")
        } else {
            format!("{a} and {b} cannot be distinguished: each wins some games and loses others")
        };
    };
    let (before, what) = match comparison.measure {
        Measure::Moves => ("reach the goal equally often, and ", "their moves to it "),
        Measure::Score | Measure::Reach => ("", ""),
    };
    let sentence = format!(
        "{a} and {b} {before}{what}cannot be distinguished{seeds} ({}, {})",
        size(comparison.measure, difference, pair.interval),
        corrected(p_value)
    );
    match pair.detectable.first() {
        Some((seeds, shown)) if *shown > 0.0 && shown.is_finite() => format!(
            "{sentence}; {} would show a difference of {} in about 4 of 5 runs",
            counted(*seeds as u64, "seed"),
            size(comparison.measure, *shown, None)
        ),
        _ => sentence,
    }
}

/// The p-value, which is corrected for all pairs.
pub(super) fn corrected(p_value: f64) -> String {
    format!("corrected {}", p_value_in_a_sentence(p_value))
}

/// A difference with its interval and its unit; points of the score need none.
fn size(measure: Measure, difference: f64, interval: Option<Interval>) -> String {
    match measure {
        Measure::Score => with_interval(difference, interval, amount),
        Measure::Moves => with_interval(difference, interval, amount) + " moves",
        Measure::Reach => {
            with_interval(difference, interval, |share| decimals(100.0 * share, 1))
                + " percentage points"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::Tiles;

    use crate::example::{plan, report_of};
    use run::{example::figures, game_figures::GameFigures};

    /// A game that ends at the goal, a tile of 128, after so many moves; without moves it ends
    /// before.
    fn to_goal(agent: usize, seed: u64, n_moves: Option<u64>) -> GameFigures {
        GameFigures {
            highest: if n_moves.is_some() { 128 } else { 64 },
            n_moves: n_moves.unwrap_or(40),
            ..figures(agent, seed, 1_000)
        }
    }

    #[test]
    fn equal_rates_are_compared_by_moves_on_the_seeds_where_both_reached_the_goal() {
        let mut plan = plan(&["a", "b"]);
        plan.tournament.goal = Some(128);
        // Each reaches it on 30 of 40 seeds, both on 20; `a` needs 3 to 7 moves more.
        let games: Vec<_> = (0..40)
            .flat_map(|seed| {
                let a = (seed < 30).then_some(95 + seed % 5);
                let b = (seed >= 10).then_some(90);
                [to_goal(0, seed + 1, a), to_goal(1, seed + 1, b)]
            })
            .collect();
        let report = report_of(&plan, games);
        let pair = &report.budgets[0].pairs[0];
        assert_eq!(pair.comparison.games, 20);
        let sentence = verdicts(&report.budgets[0]).remove(0);
        assert!(
            sentence.starts_with("b needs fewer moves to the goal than a, by 7.0 ["),
            "{sentence}"
        );
        assert!(
            sentence.contains("] moves on the 20 seeds on which both reached it, corrected p"),
            "{sentence}"
        );
    }

    #[test]
    fn without_luck_a_sentence_says_how_many_games_were_compared() {
        let mut plan = plan(&["a", "b"]);
        plan.tournament.tiles = Tiles::Deterministic;
        let report = report_of(&plan, [figures(0, 1, 900), figures(1, 1, 400)]);
        assert_eq!(
            verdicts(&report.budgets[0]),
            ["a did better than b in every game (1 comparison), by 500"]
        );
    }
}
