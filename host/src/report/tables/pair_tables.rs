//! Who beats whom: a matrix for an overview, a list with all figures.

use std::collections::BTreeMap;

use super::{
    estimate_text::{aligned_intervals, of_measure},
    grid::{Column, Grid, KEEP},
};
use crate::{
    report::{
        budget_report::BudgetReport,
        pair_report::{PairReport, PairVerdict},
    },
    text::number_text::{NONE, count, decimals, p_value, percent, percent_with_digits},
};

pub(in crate::report) const WHO_BEATS_WHOM: &str =
    "Who beats whom (row against column: > better, < worse, = cannot be distinguished)";

pub(in crate::report) const PAIRS: &str =
    "Pairs on common seeds (p-values of the sign-flip test, plain and corrected by Holm's method)";

/// The row against the column: `>` better, `<` worse, `=` cannot be distinguished; the difference
/// and its adjusted p-value.
pub(in crate::report) fn pair_matrix(part: &BudgetReport) -> Grid {
    matrix(part, str::to_owned, |pair, sign, mirrored| {
        let difference = signed_difference(pair, mirrored);
        match pair.p_adjusted {
            Some(p_adjusted) => format!("{sign} {difference} ({})", p_value(p_adjusted)),
            None => format!("{sign} {difference}"),
        }
    })
}

fn signed_difference(pair: &PairReport, mirrored: bool) -> String {
    let difference = pair.comparison.mean_difference.unwrap_or(0.0);
    let difference = if mirrored { -difference } else { difference };
    let plus = if difference > 0.0 { "+" } else { "" };
    format!("{plus}{}", of_measure(pair.comparison.measure, difference))
}

/// Signs and differences, where there is no room for p-values.
pub(in crate::report) fn difference_matrix(part: &BudgetReport) -> Grid {
    matrix(part, str::to_owned, |pair, sign, mirrored| {
        format!("{sign} {}", signed_difference(pair, mirrored))
    })
}

/// Only signs, with a number for each column.
pub(in crate::report) fn sign_matrix(part: &BudgetReport) -> Grid {
    let number = |name: &str| {
        let position = part.agents.iter().position(|agent| agent.name == name);
        position.map_or(NONE.to_owned(), |position| (position + 1).to_string())
    };
    let mut grid = matrix(part, number, |_, sign, _| sign.to_string());
    let rows = grid.columns[0].cells.len();
    let numbers = (1..=rows).map(|row| row.to_string());
    grid.columns.insert(0, Column::right("", KEEP, numbers));
    grid
}

fn matrix(
    part: &BudgetReport,
    header: impl Fn(&str) -> String,
    cell: impl Fn(&PairReport, char, bool) -> String,
) -> Grid {
    let names: Vec<&str> = part
        .agents
        .iter()
        .filter(|agent| agent.rank.is_some())
        .map(|agent| agent.name.as_str())
        .collect();
    let mut columns = vec![Column::left(
        "",
        KEEP,
        names.iter().map(|&name| name.to_owned()),
    )];
    let pairs: BTreeMap<(&str, &str), &PairReport> = part
        .pairs
        .iter()
        .map(|pair| ((pair.a.as_str(), pair.b.as_str()), pair))
        .collect();
    for column in &names {
        let cells = names.iter().map(|row| {
            if let Some(pair) = pairs.get(&(*row, *column)) {
                cell(pair, sign(pair.verdict), false)
            } else if let Some(pair) = pairs.get(&(*column, *row)) {
                cell(pair, sign(pair.verdict.mirrored()), true)
            } else {
                String::new()
            }
        });
        columns.push(Column::left(header(column), KEEP, cells));
    }
    Grid::new(columns)
}

fn sign(verdict: PairVerdict) -> char {
    match verdict {
        PairVerdict::FirstIsBetter => '>',
        PairVerdict::SecondIsBetter => '<',
        PairVerdict::Open => '=',
    }
}

pub(in crate::report) fn pair_list(part: &BudgetReport) -> Grid {
    let pairs = &part.pairs;
    let numbers = |header, importance, text: fn(&PairReport) -> String| {
        Column::right(header, importance, pairs.iter().map(text))
    };
    let names = pairs
        .iter()
        .map(|pair| format!("{} {} {}", pair.a, sign(pair.verdict), pair.b));
    let differences: Vec<_> = pairs
        .iter()
        .map(|PairReport { comparison, .. }| {
            let figure = (comparison.mean_difference, comparison.interval);
            (comparison.measure, figure)
        })
        .collect();
    Grid::new(vec![
        Column::left("Pair", KEEP, names),
        Column::left(
            format!(
                "Difference [{}]",
                percent_with_digits(part.confidence.together())
            ),
            90,
            aligned_intervals(&differences),
        ),
        numbers("p", 40, |pair| optional(pair.comparison.p_value, p_value)),
        numbers("p (Holm)", 80, |pair| optional(pair.p_adjusted, p_value)),
        numbers("Seeds", 60, |pair| count(pair.comparison.games as u64)),
        numbers(
            "Won–tied–lost",
            70,
            |PairReport { comparison, .. }| {
                let (wins, ties) = (comparison.wins, comparison.ties);
                format!("{wins}–{ties}–{}", comparison.losses)
            },
        ),
        numbers("Correlation", 20, |pair| {
            optional(pair.comparison.correlation, |number| decimals(number, 2))
        }),
        numbers("Variance saved", 10, |pair| {
            optional(pair.comparison.variance_reduction, percent)
        }),
        numbers("More seeds", 50, more_seeds),
    ])
}

fn optional(number: Option<f64>, text: fn(f64) -> String) -> String {
    number.map_or(NONE.into(), text)
}

fn more_seeds(pair: &PairReport) -> String {
    match (pair.verdict, pair.more_seeds) {
        (PairVerdict::Open, Some(more)) => format!("≈ {}", count(more)),
        (PairVerdict::Open, None) => "∞".to_owned(),
        _ => "settled".to_owned(),
    }
}
