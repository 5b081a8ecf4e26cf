//! Who beats whom: a matrix for an overview, a list with all figures.

use super::{
    estimate_text::{Estimate, aligned_intervals, of_measure},
    grid::{Column, Grid, KEEP},
};
use run::run_files::MATRIX;
use statistics::{detectable_difference::MULTIPLES, game_outcome::Measure};
use text::number_text::{NONE, count, counted, decimals, p_value, percent, percent_with_digits};

use crate::{
    budget_report::BudgetReport,
    pair_report::{PairReport, PairVerdict},
};

/// The title of the matrix, which explains its signs.
pub(crate) fn who_beats_whom(part: &BudgetReport) -> String {
    let is_equal = |pair: &PairReport| pair.verdict == PairVerdict::Equal;
    let equal = if part.pairs.iter().any(is_equal) {
        ", ≈ practically equal"
    } else {
        ""
    };
    format!(
        "Who beats whom (row against column: > better, < worse, = cannot be distinguished{equal})"
    )
}

/// The title of the list of pairs, which says what its figures mean; of many agents it says where
/// the others are.
pub(crate) fn pairs_title(part: &BudgetReport) -> String {
    let is_tested = is_tested(part);
    if !part.has_many_agents() {
        return if is_tested {
            "Pairs on common seeds (intervals of differences hold simultaneously; p-values are \
             corrected for all pairs)"
        } else {
            "Pairs (each game of one agent is compared with each game of the other)"
        }
        .to_owned();
    }
    let of_all = if is_tested {
        "on common seeds (intervals of differences hold simultaneously; p-values are corrected for all"
    } else {
        "(each game of one agent is compared with each game of the other; there are"
    };
    format!(
        "Neighbours in the ranking {of_all} {} pairs, which `host report RUN --format csv --tables \
         pairs` prints)",
        count(part.pairs.len() as u64)
    )
}

/// What is said instead of a matrix of many agents; `None` where it is shown.
pub(crate) fn instead_of_matrix(part: &BudgetReport) -> Option<String> {
    part.has_many_agents().then(|| {
        format!(
            "Who beats whom: a matrix of {} would not fit; `host report RUN --format csv --tables \
             matrix` prints it, and `host run` writes it to `{MATRIX}` in the run folder",
            counted(part.n_ranked() as u64, "agent")
        )
    })
}

/// Without luck there is nothing to test.
fn is_tested(part: &BudgetReport) -> bool {
    part.pairs.iter().any(|pair| pair.p_adjusted.is_some())
}

pub(crate) const DETECTABLE: &str = "Differences that so many seeds would show in about 4 of 5 runs, for neighbours that cannot be distinguished";

/// The row against the column: `>` better, `<` worse, `=` cannot be distinguished; the difference
/// and its adjusted p-value.
pub(crate) fn pair_matrix(part: &BudgetReport) -> Grid {
    let name = |column: usize| part.agents[column].name.clone();
    matrix(part, name, |pair, sign, mirrored| {
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
pub(crate) fn difference_matrix(part: &BudgetReport) -> Grid {
    let name = |column: usize| part.agents[column].name.clone();
    matrix(part, name, |pair, sign, mirrored| {
        format!("{sign} {}", signed_difference(pair, mirrored))
    })
}

/// Only signs, with a number for each column.
pub(crate) fn sign_matrix(part: &BudgetReport) -> Grid {
    let number = |column: usize| (column + 1).to_string();
    let mut grid = matrix(part, number, |_, sign, _| sign.to_string());
    let rows = grid.columns[0].cells.len();
    let numbers = (1..=rows).map(|row| row.to_string());
    grid.columns.insert(0, Column::right("", KEEP, numbers));
    grid
}

fn matrix(
    part: &BudgetReport,
    header: impl Fn(usize) -> String,
    cell: impl Fn(&PairReport, char, bool) -> String,
) -> Grid {
    let ranked = 0..part.n_ranked();
    let names = ranked.clone().map(|row| part.agents[row].name.clone());
    let mut columns = vec![Column::left("", KEEP, names)];
    for column in ranked.clone() {
        let cells = ranked.clone().map(|row| match part.pair(row, column) {
            Some((pair, true)) => cell(pair, sign(pair.verdict), false),
            Some((pair, false)) => cell(pair, sign(pair.verdict.mirrored()), true),
            None => String::new(),
        });
        columns.push(Column::left(header(column), KEEP, cells));
    }
    Grid::new(columns)
}

fn sign(verdict: PairVerdict) -> char {
    match verdict {
        PairVerdict::FirstIsBetter => '>',
        PairVerdict::SecondIsBetter => '<',
        PairVerdict::Equal => '≈',
        PairVerdict::Open => '=',
    }
}

/// What a run could have seen: for neighbours in the ranking that cannot be distinguished, the
/// difference that it would have shown, and that more seeds would show. `None` where there are
/// no such neighbours. The JSON report has all pairs.
pub(crate) fn detectable_list(part: &BudgetReport) -> Option<Grid> {
    let open: Vec<&PairReport> = part
        .neighbours()
        .filter(|pair| pair.detectable.iter().any(|(_, shown)| *shown > 0.0))
        .collect();
    let first = open.first()?;
    let names = open.iter().map(|pair| format!("{} = {}", pair.a, pair.b));
    let mut columns = vec![
        Column::left("Pair", KEEP, names),
        Column::right(
            "Measured",
            80,
            open.iter().map(|pair| signed_difference(pair, false)),
        ),
    ];
    for (column, times) in MULTIPLES
        .into_iter()
        .enumerate()
        .take(first.detectable.len())
    {
        let same_seeds = open.iter().all(|pair| {
            let seeds = |pair: &PairReport| pair.detectable.get(column).map(|(seeds, _)| *seeds);
            seeds(pair) == seeds(first)
        });
        let header = match first.detectable.get(column) {
            Some((seeds, _)) if same_seeds => counted(*seeds as u64, "seed"),
            _ => format!("{times} × the seeds"),
        };
        let shown = open.iter().map(|pair| {
            let shown = pair.detectable.get(column).map(|(_, shown)| *shown);
            shown.map_or(NONE.into(), |shown| match shown {
                f64::INFINITY => "∞".to_owned(),
                shown => of_measure(pair.comparison.measure, shown),
            })
        });
        columns.push(Column::right(header, KEEP, shown));
    }
    Some(Grid::new(columns))
}

/// The pairs with all figures that the terminal shows; of many agents, neighbours in the ranking.
pub(crate) fn pair_list(part: &BudgetReport) -> Grid {
    let pairs = part.listed_pairs();
    let numbers = |header, importance, text: fn(&PairReport) -> String| {
        Column::right(header, importance, pairs.iter().map(|pair| text(pair)))
    };
    let names = pairs
        .iter()
        .map(|pair| format!("{} {} {}", pair.a, sign(pair.verdict), pair.b));
    let differences: Vec<_> = pairs
        .iter()
        .map(|pair| {
            let comparison = &pair.comparison;
            let figure = (comparison.mean_difference, pair.interval);
            (comparison.measure, figure)
        })
        .collect();
    let level = percent_with_digits(part.confidence.level);
    let is_tested = is_tested(part);
    let with_level = |title: &str| {
        let level = is_tested.then(|| format!(" [{level}]"));
        format!("{title}{}", level.unwrap_or_default())
    };
    let mut columns = vec![
        Column::left("Pair", KEEP, names),
        Column::left(
            with_level("Difference"),
            90,
            aligned_intervals(&differences),
        ),
    ];
    if is_tested {
        columns.push(numbers("p corrected", 80, |pair| {
            optional(pair.p_adjusted, p_value)
        }));
    }
    let compared = if is_tested { "Seeds" } else { "Games compared" };
    columns.extend([
        numbers(compared, 60, |pair| count(pair.comparison.games as u64)),
        numbers(
            "Won–tied–lost",
            70,
            |PairReport { comparison, .. }| {
                let (wins, ties) = (comparison.wins, comparison.ties);
                format!("{wins}–{ties}–{}", comparison.losses)
            },
        ),
        Column::left(
            with_level("Does better"),
            75,
            aligned_intervals(&does_better(&pairs)),
        ),
    ]);
    Grid::new(columns)
}

/// The chance that the first agent of each pair does better on a seed.
fn does_better(pairs: &[&PairReport]) -> Vec<(Measure, Estimate)> {
    let rate_of = |pair: &&PairReport| {
        let rate = pair.comparison.does_better;
        let known = (rate.games > 0).then_some(rate.rate);
        (Measure::Reach, (known, rate.interval))
    };
    pairs.iter().map(rate_of).collect()
}

/// The pairs with the figures of interest to statisticians too, for the page.
pub(crate) fn full_pair_list(part: &BudgetReport) -> Grid {
    let pairs = part.listed_pairs();
    let numbers = |header, text: fn(&PairReport) -> String| {
        Column::right(header, KEEP, pairs.iter().map(|pair| text(pair)))
    };
    let mut grid = pair_list(part);
    grid.columns.extend([
        numbers("p of the pair alone", |pair| {
            optional(pair.comparison.p_value, p_value)
        }),
        numbers("Correlation", |pair| {
            optional(pair.comparison.correlation, |number| decimals(number, 2))
        }),
        numbers("Variance saved", |pair| {
            optional(pair.comparison.variance_reduction, percent)
        }),
    ]);
    grid
}

fn optional(number: Option<f64>, text: fn(f64) -> String) -> String {
    number.map_or(NONE.into(), text)
}
