//! The parts of a report by name, as `host report --tables` selects them.

use std::fmt;

use crate::{
    budget_report::BudgetReport,
    tables::{
        empty_cells_table::empty_cells_table,
        end_table::{ENDS, end_table},
        fairness_table::fairness_table,
        grid::Grid,
        pair_tables::{
            DETECTABLE, detectable_list, difference_matrix, instead_of_matrix, pair_list,
            pair_matrix, pairs_title, sign_matrix, who_beats_whom,
        },
        step_table::{STEPS, plain_step_table, step_table},
        tile_table::{plain_tile_table, tile_table_with_intervals},
    },
};

/// A part of a report, in the order in which reports are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportTable {
    /// The ranking and the sentences below it.
    Ranking,
    Tiles,
    Steps,
    Ends,
    Matrix,
    Pairs,
    Detectable,
    Times,
    EmptyCells,
    /// The first fault of each kind, with its board.
    Faults,
    Notes,
    /// The numbers for the methods section of a paper, in a paragraph.
    Methods,
    /// The points of all curves, for other programs to draw: only as CSV.
    Curves,
}

impl ReportTable {
    /// What a report consists of if nothing is selected.
    pub const ALL: [Self; 12] = [
        Self::Ranking,
        Self::Tiles,
        Self::Steps,
        Self::Ends,
        Self::Matrix,
        Self::Pairs,
        Self::Detectable,
        Self::Times,
        Self::EmptyCells,
        Self::Faults,
        Self::Notes,
        Self::Methods,
    ];

    /// What can be selected.
    pub const SELECTABLE: [Self; 13] = {
        let mut selectable = [Self::Curves; 13];
        let (all, _) = selectable.split_at_mut(Self::ALL.len());
        all.copy_from_slice(&Self::ALL);
        selectable
    };

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ranking => "ranking",
            Self::Tiles => "tiles",
            Self::Steps => "steps",
            Self::Ends => "ends",
            Self::Matrix => "matrix",
            Self::Pairs => "pairs",
            Self::Detectable => "detectable",
            Self::Times => "times",
            Self::EmptyCells => "empty-cells",
            Self::Faults => "faults",
            Self::Notes => "notes",
            Self::Methods => "methods",
            Self::Curves => "curves",
        }
    }

    /// What it shows, for the help of the command line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Ranking => "the ranking, and how neighbours in it compare",
            Self::Tiles => "how often each agent reached each tile",
            Self::Steps => "the chance to get from each tile to the next one",
            Self::Ends => "how games end: tile, moves, and how suddenly",
            Self::Matrix => "who beats whom; beyond 30 agents only as CSV",
            Self::Pairs => {
                "every pair with its difference, interval and p-value; beyond 30 agents only \
                 neighbours in the ranking, except as CSV"
            }
            Self::Detectable => "the differences that more seeds would show",
            Self::Times => "the time per move",
            Self::EmptyCells => "the time per move by the number of empty cells",
            Self::Faults => "the first fault of each kind, with its board",
            Self::Notes => "what to keep in mind",
            Self::Methods => "the numbers for the methods section of a paper",
            Self::Curves => "the points of all curves, to draw them anew; only as CSV",
        }
    }

    /// The heading of the table.
    pub(crate) fn title(self, part: &BudgetReport) -> String {
        let title = match self {
            Self::Ranking => "Ranking",
            Self::Tiles => "Tiles reached",
            Self::Steps => STEPS,
            Self::Ends => ENDS,
            Self::Matrix => return who_beats_whom(part),
            Self::Pairs => return pairs_title(part),
            Self::Detectable => DETECTABLE,
            Self::Times => "Time per move",
            Self::EmptyCells => "Time per move by the number of empty cells",
            Self::Faults => "Faults",
            Self::Notes => "Notes",
            Self::Methods => "Methods",
            Self::Curves => "Curves",
        };
        title.to_owned()
    }

    /// A sentence in the place of a table that would be too large.
    pub(crate) fn instead(self, part: &BudgetReport) -> Option<String> {
        match self {
            Self::Matrix => instead_of_matrix(part),
            _ => None,
        }
    }

    /// The table, with as many figures as fit into this number of columns; `None` where there
    /// is nothing to show. The ranking, faults, notes and methods are not only tables; every
    /// format writes them in its own way.
    pub(crate) fn grid(self, part: &BudgetReport, width: Option<usize>) -> Option<Grid> {
        let widest = |tables: &[fn(&BudgetReport) -> Grid]| {
            let (last, others) = tables.split_last()?;
            let mut others = others.iter().map(|table| table(part));
            let fitting = others.find(|table| table.fits(width));
            Some(fitting.unwrap_or_else(|| last(part)))
        };
        match self {
            Self::Ranking | Self::Faults | Self::Notes | Self::Methods | Self::Curves => None,
            Self::Tiles => widest(&[tile_table_with_intervals, plain_tile_table]),
            Self::Steps => widest(&[step_table, plain_step_table]),
            Self::Ends => Some(end_table(part)),
            Self::Matrix if part.has_many_agents() => None,
            Self::Matrix => widest(&[pair_matrix, difference_matrix, sign_matrix]),
            Self::Pairs => (!part.pairs.is_empty()).then(|| pair_list(part)),
            Self::Detectable => detectable_list(part),
            Self::Times => Some(fairness_table(part)),
            Self::EmptyCells => empty_cells_table(part),
        }
    }
}

impl clap::ValueEnum for ReportTable {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::SELECTABLE
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.name()).help(self.help()))
    }
}

impl fmt::Display for ReportTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
