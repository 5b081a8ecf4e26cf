//! Who beats whom: the columns of a pair of agents, the lists and files of them, and a matrix for
//! an overview.

use run::run_files::MATRIX;
use statistics::{detectable_difference::MULTIPLES, game_outcome::Measure, interval::Interval};
use text::{
    number_text::{NONE, count, counted, decimals, p_value, percent, percent_with_digits},
    program,
};

use super::{
    column::{Column, Text},
    grid::{Grid, KEEP, TextColumn},
};
use crate::{
    budget_report::BudgetReport,
    estimate_text::of_measure,
    pair_report::{PairReport, PairVerdict},
};

type PairColumn = Column<PairReport>;

const A: PairColumn = PairColumn::data("a", |pair| pair.a.as_str().into());
const B: PairColumn = PairColumn::data("b", |pair| pair.b.as_str().into());
const NAMES: PairColumn = PairColumn::text(
    "Pair",
    Text::Words(|pair| format!("{} {} {}", pair.a, sign(pair.verdict), pair.b)),
    "Two agents: > the first is better, < the second, = they cannot be distinguished, ≈ they are \
     practically equal.",
);
const MEASURE: PairColumn = PairColumn::data("measure", |pair| {
    match pair.comparison.measure {
        Measure::Score => "score",
        Measure::Reach => "reach",
        Measure::Moves => "moves",
    }
    .into()
});
const GAMES: PairColumn = PairColumn::data("games", |pair| pair.comparison.games.into()).shown(
    "Seeds",
    Text::Count,
    "What the two are compared on.",
);
const DIFFERENCE: PairColumn = PairColumn::data("mean_difference", |pair| {
    pair.comparison.mean_difference.into()
})
.shown(
    "Difference",
    Text::Estimate(|pair| {
        let difference = (pair.comparison.mean_difference, pair.interval);
        (pair.comparison.measure, difference)
    }),
    "The mean difference. The intervals of all pairs hold simultaneously.",
);
const LOW: PairColumn = PairColumn::data("low", |pair| low(pair.interval).into());
const HIGH: PairColumn = PairColumn::data("high", |pair| high(pair.interval).into());
/// Of this pair alone: its interval without a correction for the other pairs.
const OWN_LOW: PairColumn = PairColumn::data("own_low", |pair| low(pair.own_interval).into());
const OWN_HIGH: PairColumn = PairColumn::data("own_high", |pair| high(pair.own_interval).into());
const P_VALUE: PairColumn = PairColumn::data("p_value", |pair| pair.comparison.p_value.into())
    .shown(
        "p of the pair alone",
        Text::Number(p_value),
        "The p-value without a correction for the other pairs.",
    );
/// `better` is set exactly where it is at most 1 - `confidence` and 0 is not between `low` and
/// `high`.
const P_ADJUSTED: PairColumn = PairColumn::data("p_adjusted", |pair| pair.p_adjusted.into()).shown(
    "p corrected",
    Text::Number(p_value),
    "The p-value, corrected for all pairs.",
);
const WINS: PairColumn = PairColumn::data("wins", |pair| pair.comparison.wins.into());
const TIES: PairColumn = PairColumn::data("ties", |pair| pair.comparison.ties.into());
const LOSSES: PairColumn = PairColumn::data("losses", |pair| pair.comparison.losses.into());
const WON_TIED_LOST: PairColumn = PairColumn::text(
    "Won–tied–lost",
    Text::Numbers(|PairReport { comparison, .. }| {
        let (wins, ties) = (comparison.wins, comparison.ties);
        format!("{wins}–{ties}–{}", comparison.losses)
    }),
    "How often the first agent did better, equally well and worse.",
);
const DOES_BETTER: PairColumn = PairColumn::data("does_better", |pair| known_rate(pair).into())
    .shown(
        "Does better",
        Text::Estimate(|pair| {
            let interval = pair.comparison.does_better.interval;
            (Measure::Reach, (known_rate(pair), interval))
        }),
        "The chance that the first agent does better on a seed.",
    );
const CORRELATION: PairColumn =
    PairColumn::data("correlation", |pair| pair.comparison.correlation.into()).shown(
        "Correlation",
        Text::Number(|number| decimals(number, 2)),
        "How similar the results of the two are on the same seeds.",
    );
const VARIANCE_REDUCTION: PairColumn = PairColumn::data("variance_reduction", |pair| {
    pair.comparison.variance_reduction.into()
})
.shown(
    "Variance saved",
    Text::Number(percent),
    "The share of the variance that common seeds save.",
);

/// The keys of a pair in JSON, in three groups. Its budget and structures stand between them.
pub(crate) const JSON_NAMES: &[PairColumn] = &[A, B];
pub(crate) const JSON_DIFFERENCE: &[PairColumn] = &[
    MEASURE,
    GAMES,
    DIFFERENCE,
    LOW,
    HIGH,
    OWN_LOW,
    OWN_HIGH,
    P_VALUE,
    P_ADJUSTED,
    PairColumn::data("better", |pair| {
        match pair.verdict {
            PairVerdict::FirstIsBetter => Some(pair.a.as_str()),
            PairVerdict::SecondIsBetter => Some(pair.b.as_str()),
            PairVerdict::Equal | PairVerdict::Open => None,
        }
        .into()
    }),
    // With `equal_within`.
    PairColumn::data("practically_equal", |pair| {
        (pair.verdict == PairVerdict::Equal).into()
    }),
    // The seeds after which a stop rule decided the pair.
    PairColumn::data("decided_after", |pair| pair.decided_after.into()),
];
pub(crate) const JSON_SEEDS: &[PairColumn] = &[CORRELATION, VARIANCE_REDUCTION, WINS, TIES, LOSSES];

/// The CSV file of all pairs, after the budget.
pub(crate) const CSV: &[PairColumn] = &[
    A,
    B,
    MEASURE,
    GAMES.keyed("seeds"),
    DIFFERENCE,
    LOW,
    HIGH,
    OWN_LOW,
    OWN_HIGH,
    P_VALUE,
    P_ADJUSTED,
    PairColumn::data("verdict", |pair| {
        match pair.verdict {
            PairVerdict::FirstIsBetter => "a",
            PairVerdict::SecondIsBetter => "b",
            PairVerdict::Equal => "equal",
            PairVerdict::Open => "open",
        }
        .into()
    }),
    DOES_BETTER,
    PairColumn::data("does_better_low", |pair| {
        low(pair.comparison.does_better.interval).into()
    }),
    PairColumn::data("does_better_high", |pair| {
        high(pair.comparison.does_better.interval).into()
    }),
    WINS,
    TIES,
    LOSSES,
    CORRELATION,
];

/// Of more agents, the page lists each pair of neighbours.
const MOST_ON_PAGE: usize = 12;

fn low(interval: Option<Interval>) -> Option<f64> {
    interval.map(|interval| interval.low)
}

fn high(interval: Option<Interval>) -> Option<f64> {
    interval.map(|interval| interval.high)
}

fn known_rate(pair: &PairReport) -> Option<f64> {
    let rate = pair.comparison.does_better;
    (rate.games > 0).then_some(rate.rate)
}

/// The pairs with all figures that the terminal shows; of many agents, neighbours in the ranking.
pub(crate) fn pair_list(part: &BudgetReport) -> Grid {
    pair_grid(part, &part.listed_pairs())
}

/// The pairs that the page lists; its matrix has the others too.
pub(crate) fn page_pairs(part: &BudgetReport) -> Vec<&PairReport> {
    if part.n_ranked() > MOST_ON_PAGE {
        part.neighbours().collect()
    } else {
        part.listed_pairs()
    }
}

fn pair_grid(part: &BudgetReport, pairs: &[&PairReport]) -> Grid {
    let level = percent_with_digits(part.confidence.level);
    let is_tested = is_tested(part);
    let level = is_tested.then_some(level.as_str());
    let column = |column: &PairColumn, importance| column.of(pairs, importance, level);
    let mut columns = vec![column(&NAMES, KEEP), column(&DIFFERENCE, 90)];
    if is_tested {
        columns.extend([column(&P_ADJUSTED, 80), column(&GAMES, 60)]);
    } else {
        columns.push(column(&GAMES.headed("Games compared"), 60));
    }
    columns.extend([column(&WON_TIED_LOST, 70), column(&DOES_BETTER, 75)]);
    Grid::new(columns)
}

/// The pairs with the figures of interest to statisticians too, for the page.
pub(crate) fn full_pair_list(part: &BudgetReport) -> Grid {
    let pairs = page_pairs(part);
    let mut grid = pair_grid(part, &pairs);
    for column in [&P_VALUE, &CORRELATION, &VARIANCE_REDUCTION] {
        grid.columns.push(column.of(&pairs, KEEP, None));
    }
    grid
}

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
        "Neighbours in the ranking {of_all} {} pairs, which `{}` prints)",
        count(part.pairs.len() as u64),
        program::command("report RUN --format csv --tables pairs")
    )
}

/// What is said instead of a matrix of many agents; `None` where it is shown.
pub(crate) fn instead_of_matrix(part: &BudgetReport) -> Option<String> {
    part.has_many_agents().then(|| {
        format!(
            "Who beats whom: a matrix of {} would not fit; `{}` prints it, and `{}` writes it to \
             `{MATRIX}` in the run folder",
            counted(part.n_ranked() as u64, "agent"),
            program::command("report RUN --format csv --tables matrix"),
            program::command("run")
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
    grid.columns.insert(0, TextColumn::right("", KEEP, numbers));
    grid
}

fn matrix(
    part: &BudgetReport,
    header: impl Fn(usize) -> String,
    cell: impl Fn(&PairReport, char, bool) -> String,
) -> Grid {
    let ranked = 0..part.n_ranked();
    let names = ranked.clone().map(|row| part.agents[row].name.clone());
    let mut columns = vec![TextColumn::left("", KEEP, names)];
    for column in ranked.clone() {
        let cells = ranked.clone().map(|row| match part.pair(row, column) {
            Some((pair, true)) => cell(pair, sign(pair.verdict), false),
            Some((pair, false)) => cell(pair, sign(pair.verdict.mirrored()), true),
            None => String::new(),
        });
        columns.push(TextColumn::left(header(column), KEEP, cells));
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
        TextColumn::left("Pair", KEEP, names),
        TextColumn::right(
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
        columns.push(TextColumn::right(header, KEEP, shown));
    }
    Some(Grid::new(columns))
}
