//! Every pair of ranked agents as CSV, one line per pair and budget.

use super::{BUDGET, budget_cells, optional};
use statistics::{game_outcome::Measure, interval::Interval};
use text::csv_table::csv_text;

use crate::{
    Report,
    pair_report::{PairReport, PairVerdict},
};

const HEADERS: [&str; 19] = [
    "a",
    "b",
    "measure",
    "seeds",
    "mean_difference",
    "low",
    "high",
    "own_low",
    "own_high",
    "p_value",
    "p_adjusted",
    "verdict",
    "does_better",
    "does_better_low",
    "does_better_high",
    "wins",
    "ties",
    "losses",
    "correlation",
];

/// A header line, then the pairs; the names of the columns are those of the JSON report.
#[must_use]
pub fn pairs_csv(report: &Report) -> String {
    let header = BUDGET.into_iter().chain(HEADERS);
    let lines = report.budgets.iter().flat_map(|part| {
        let pairs = part.pairs.iter();
        pairs.map(move |pair| budget_cells(part).into_iter().chain(figures(pair)))
    });
    csv_text(header.map(str::to_owned), lines)
}

fn figures(pair: &PairReport) -> [String; HEADERS.len()] {
    let comparison = &pair.comparison;
    let rate = comparison.does_better;
    let ends = |interval: Option<Interval>| interval.map(|ends| (ends.low, ends.high)).unzip();
    let (low, high) = ends(pair.interval);
    let (own_low, own_high) = ends(pair.own_interval);
    let (rate_low, rate_high) = ends(rate.interval);
    [
        pair.a.clone(),
        pair.b.clone(),
        match comparison.measure {
            Measure::Score => "score",
            Measure::Reach => "reach",
            Measure::Moves => "moves",
        }
        .to_owned(),
        comparison.games.to_string(),
        optional(comparison.mean_difference),
        optional(low),
        optional(high),
        optional(own_low),
        optional(own_high),
        optional(comparison.p_value),
        optional(pair.p_adjusted),
        match pair.verdict {
            PairVerdict::FirstIsBetter => "a",
            PairVerdict::SecondIsBetter => "b",
            PairVerdict::Equal => "equal",
            PairVerdict::Open => "open",
        }
        .to_owned(),
        optional((rate.games > 0).then_some(rate.rate)),
        optional(rate_low),
        optional(rate_high),
        comparison.wins.to_string(),
        comparison.ties.to_string(),
        comparison.losses.to_string(),
        optional(comparison.correlation),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{input, three_seeds};

    #[test]
    fn every_pair_has_one_line_with_the_budget_as_a_number() {
        let report = Report::new(&input(&["left", "right"]), &three_seeds());
        let text = pairs_csv(&report);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), 2);
        let cell = |name: &str| {
            let column = lines[0].iter().position(|header| *header == name);
            lines[1][column.expect("a column")]
        };
        assert_eq!(
            (cell("a"), cell("b"), cell("budget_us")),
            ("left", "right", "1000")
        );
        // Differences 1000, 3000 and -1000; six of eight sign patterns are as extreme.
        assert_eq!((cell("mean_difference"), cell("p_value")), ("1000", "0.75"));
        assert_eq!(
            (cell("wins"), cell("losses"), cell("verdict")),
            ("2", "1", "open")
        );
    }
}
