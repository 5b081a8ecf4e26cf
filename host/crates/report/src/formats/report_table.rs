//! The parts of a report, as `host report --tables` selects them.

use clap::ValueEnum;

use crate::{
    budget_report::BudgetReport,
    tables::{
        agent_tables::{ENDS, end_table, time_table},
        grid::Grid,
        pair_tables::{
            DETECTABLE, detectable_list, difference_matrix, instead_of_matrix, pair_list,
            pair_matrix, pairs_title, sign_matrix, who_beats_whom,
        },
        tile_tables::{
            STEPS, empty_cells_table, plain_step_table, plain_tile_table, step_table,
            tile_table_with_intervals, tiles_title,
        },
        trial_tables::{HIGHEST, SCORES, highest_table, score_tables},
    },
};

/// A part of a report, in the order in which reports are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportTable {
    #[value(help = "the ranking, and how neighbours in it compare")]
    Ranking,
    #[value(help = "how often each agent reached each tile")]
    Tiles,
    #[value(help = "the chance to get from each tile to the next one")]
    Steps,
    #[value(help = "how games end: tile, moves, and how suddenly")]
    Ends,
    #[value(help = "who beats whom; beyond 30 agents only as CSV")]
    Matrix,
    #[value(
        help = "every pair with its difference, interval and p-value; beyond 30 agents only \
                neighbours in the ranking, except as CSV"
    )]
    Pairs,
    #[value(help = "the differences that more seeds would show")]
    Detectable,
    #[value(help = "the time per move")]
    Times,
    #[value(help = "the time per move by the number of empty cells")]
    EmptyCells,
    #[value(help = "the first fault of each kind, with its board")]
    Faults,
    #[value(help = "what to keep in mind")]
    Notes,
    #[value(help = "the numbers for the methods section of a paper")]
    Methods,
    #[value(help = "the score of every game, agents by seeds, with the mean; only if chosen")]
    Scores,
    #[value(help = "the share of games by their highest tile; only if chosen")]
    Highest,
    #[value(help = "the points of all curves, to draw them anew; only as CSV")]
    Curves,
    #[value(help = "everything but scores, highest and curves")]
    All,
}

/// What a part of a report shows of the games under one budget.
pub(crate) enum Content {
    Table {
        title: String,
        grid: Grid,
    },
    /// A sentence in the place of a table that would be too large.
    Instead(String),
    /// There is nothing to show, or every format writes the part in its own way.
    Other,
}

impl ReportTable {
    /// Every part; curves have no text.
    #[must_use]
    pub fn all() -> &'static [Self] {
        Self::value_variants()
    }

    /// What a terminal shows if nothing is selected.
    pub const FIRST: [Self; 4] = [Self::Ranking, Self::Matrix, Self::Faults, Self::Notes];

    /// What a report consists of if nothing is selected.
    #[must_use]
    pub fn usual() -> Vec<Self> {
        let others = [Self::Scores, Self::Highest, Self::Curves, Self::All];
        let parts = Self::all().iter().copied();
        parts.filter(|part| !others.contains(part)).collect()
    }

    /// The table with its title, with as many figures as fit into this number of columns.
    pub(crate) fn content(self, part: &BudgetReport, width: Option<usize>) -> Content {
        let widest = |tables: &[fn(&BudgetReport) -> Grid]| {
            let (last, others) = tables.split_last()?;
            let mut others = others.iter().map(|table| table(part));
            let fitting = others.find(|table| table.fits(width));
            Some(fitting.unwrap_or_else(|| last(part)))
        };
        let (title, grid) = match self {
            Self::Tiles => (
                tiles_title(part),
                widest(&[tile_table_with_intervals, plain_tile_table]),
            ),
            Self::Steps => (STEPS.to_owned(), widest(&[step_table, plain_step_table])),
            Self::Ends => (ENDS.to_owned(), Some(end_table(part))),
            Self::Matrix => match instead_of_matrix(part) {
                Some(sentence) => return Content::Instead(sentence),
                None => (
                    who_beats_whom(part),
                    widest(&[pair_matrix, difference_matrix, sign_matrix]),
                ),
            },
            Self::Pairs => (
                pairs_title(part),
                (!part.pairs.is_empty()).then(|| pair_list(part)),
            ),
            Self::Detectable => (DETECTABLE.to_owned(), detectable_list(part)),
            Self::Times => ("Time per move".to_owned(), Some(time_table(part))),
            Self::EmptyCells => (
                "Time per move by the number of empty cells".to_owned(),
                empty_cells_table(part),
            ),
            Self::Scores => (SCORES.to_owned(), widest(score_tables(part))),
            Self::Highest => (HIGHEST.to_owned(), Some(highest_table(part))),
            Self::Ranking
            | Self::Faults
            | Self::Notes
            | Self::Methods
            | Self::Curves
            | Self::All => return Content::Other,
        };
        grid.map_or(Content::Other, |grid| Content::Table { title, grid })
    }
}
