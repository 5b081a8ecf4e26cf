//! Who beats whom: a matrix with one cell per pair of agents.
//!
//! The symbol and the number of a cell say the same as its colour, for readers who cannot see
//! colours. The darker a cell, the more of the common seeds the better agent won.

use std::fmt::Write;

use maud::{Markup, html};

use super::{
    saved_figure::{SavedFigure, shortened, text_width},
    scale::short,
};
use statistics::{as_f64, game_outcome::Measure};
use text::number_text::percent;

use crate::{
    budget_report::{BudgetReport, MOST_IN_FULL},
    estimate_text::of_measure,
    pair_report::{PairReport, PairVerdict},
    verdict::corrected,
};

/// Cells of a larger matrix have no room for the difference.
const MOST_WITH_NUMBERS: usize = 12;

/// The width of a cell with a number, in a figure of its own.
const WIDE_CELL: f64 = 62.0;

/// The cells of the matrix, row by row.
pub(in crate::html) struct PairMatrix<'p> {
    names: Vec<&'p str>,
    /// `None` on the diagonal.
    cells: Vec<Vec<Option<PairCell>>>,
}

struct PairCell {
    verdict: PairVerdict,
    /// From 1 to 4; 0 for a pair that cannot be distinguished.
    shade: u8,
    symbol: &'static str,
    difference: String,
    sentence: String,
}

pub(in crate::html) fn pair_chart(part: &BudgetReport) -> PairMatrix<'_> {
    let n_shown = part.n_ranked().min(MOST_IN_FULL);
    let shown = part.agents.iter().take(n_shown);
    let names = shown.map(|agent| agent.name.as_str()).collect();
    let row = |row| (0..n_shown).map(|column| cell(part, row, column)).collect();
    let cells = (0..n_shown).map(row).collect();
    PairMatrix { names, cells }
}

impl PairMatrix<'_> {
    fn is_dense(&self) -> bool {
        self.names.len() > MOST_WITH_NUMBERS
    }

    pub(in crate::html) fn to_html(&self) -> Markup {
        let density = if self.is_dense() {
            "matrix dense"
        } else {
            "matrix"
        };
        html! {
            div.scroll tabindex="0" {
                table class=(density) {
                    thead {
                        tr {
                            td {}
                            @for (place, name) in self.names.iter().enumerate() {
                                th scope="col" title=(name) aria-label=(name) {
                                    span { (letter(place)) }
                                }
                            }
                        }
                    }
                    tbody {
                        @for (place, (name, row)) in self.names.iter().zip(&self.cells).enumerate() {
                            tr {
                                th scope="row" title=(name) { span { (letter(place)) } " " (name) }
                                @for cell in row { (field(cell.as_ref())) }
                            }
                        }
                    }
                }
            }
        }
    }

    pub(in crate::html) fn draw(&self, figure: &mut SavedFigure) {
        let label = |place: usize| format!("{} {}", letter(place), self.names[place]);
        let widest = (0..self.names.len()).map(|place| text_width(&label(place)));
        let left = widest.fold(0.0, f64::max).min(0.3 * figure.inner_width) + 12.0;
        let has_room = left + WIDE_CELL * as_f64(self.names.len()) <= figure.inner_width;
        let is_dense = self.is_dense() || !has_room;
        let (width, height) = if is_dense {
            (20.0, 20.0)
        } else {
            (WIDE_CELL, 26.0)
        };
        let middle = |place: usize| left + (as_f64(place) + 0.5) * width;
        for place in 0..self.names.len() {
            figure.text(middle(place), 12.0, "middle", "tick", &letter(place));
        }
        figure.advance(18.0);
        for (place, row) in self.cells.iter().enumerate() {
            figure.text(
                0.0,
                height / 2.0 + 4.0,
                "start",
                "label",
                &shortened(&label(place), left),
            );
            for (column, cell) in row.iter().enumerate() {
                let Some(cell) = cell else { continue };
                let (class, shade) = (class_of(cell.verdict), cell.shade);
                let corner = middle(column) - width / 2.0 + 1.0;
                let box_class = format!("cell {class} s{shade}");
                figure.rect((corner, 1.0), (width - 2.0, height - 2.0), &box_class);
                let text = if is_dense {
                    cell.symbol.to_owned()
                } else {
                    format!("{} {}", cell.symbol, cell.difference)
                };
                figure.text(middle(column), height / 2.0 + 4.0, "middle", "value", &text);
            }
            figure.advance(height);
        }
    }
}

/// The cell of a row and a column; pairs are stored once and shown from both sides.
fn cell(part: &BudgetReport, row: usize, column: usize) -> Option<PairCell> {
    Some(match part.pair(row, column)? {
        (pair, true) => mark(pair, pair.verdict, View::AsIs),
        (pair, false) => mark(pair, pair.verdict.mirrored(), View::Mirrored),
    })
}

fn class_of(verdict: PairVerdict) -> &'static str {
    match verdict {
        PairVerdict::FirstIsBetter => "better",
        PairVerdict::SecondIsBetter => "worse",
        PairVerdict::Equal | PairVerdict::Open => "open",
    }
}

fn field(cell: Option<&PairCell>) -> Markup {
    let Some(cell) = cell else {
        return html! { td.self {} };
    };
    let class = class_of(cell.verdict);
    let shade = match cell.shade {
        0 => String::new(),
        shade => format!(" s{shade}"),
    };
    html! {
        td class={ "mark " (class) (shade) } title=(cell.sentence) {
            b { (cell.symbol) } span { (cell.difference) }
        }
    }
}

/// A, B, …, Z, AA, AB, …: numbers would look like ranks.
fn letter(place: usize) -> String {
    let last = char::from(b'A' + u8::try_from(place % 26).expect("below 26"));
    match place / 26 {
        0 => last.to_string(),
        more => letter(more - 1) + &last.to_string(),
    }
}

/// Why writing to a string cannot fail.
const WRITES: &str = "a string takes what is written";

/// Whether the row is the first or the second agent of the pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    AsIs,
    Mirrored,
}

fn mark(pair: &PairReport, verdict: PairVerdict, view: View) -> PairCell {
    let comparison = &pair.comparison;
    let (row, column, wins, losses, sign) = match view {
        View::AsIs => (&pair.a, &pair.b, comparison.wins, comparison.losses, 1.0),
        View::Mirrored => (&pair.b, &pair.a, comparison.losses, comparison.wins, -1.0),
    };
    let difference = comparison
        .mean_difference
        .map(|difference| sign * difference);
    let (symbol, verb) = match verdict {
        PairVerdict::FirstIsBetter => ("▲", "is better than"),
        PairVerdict::SecondIsBetter => ("▼", "is worse than"),
        PairVerdict::Equal => ("≈", "is practically equal to"),
        PairVerdict::Open => ("=", "cannot be distinguished from"),
    };
    let shade = match verdict {
        PairVerdict::Equal | PairVerdict::Open => 0,
        _ => shade(wins, losses, comparison.games),
    };
    let mut sentence = format!("{row} {verb} {column}");
    if let Some(difference) = difference {
        let difference = of_measure(comparison.measure, difference);
        write!(sentence, ": {difference}").expect(WRITES);
    }
    if let Some(p_adjusted) = pair.p_adjusted {
        write!(sentence, ", {}", corrected(p_adjusted)).expect(WRITES);
    }
    write!(
        sentence,
        "; won {wins}, tied {}, lost {losses} of {}",
        comparison.ties, comparison.games
    )
    .expect(WRITES);
    let difference = difference.map_or(String::new(), |difference| {
        let plus = if difference > 0.0 { "+" } else { "" };
        let size = match comparison.measure {
            Measure::Reach => percent(difference),
            Measure::Score | Measure::Moves => short(difference),
        };
        format!("{plus}{size}").replace('-', "−")
    });
    PairCell {
        verdict,
        shade,
        symbol,
        difference,
        sentence,
    }
}

/// From 1 for about as many wins as losses to 4 for nearly only wins or only losses.
fn shade(wins: usize, losses: usize, games: usize) -> u8 {
    let lead = as_f64(wins.abs_diff(losses)) / as_f64(games.max(1));
    match lead {
        lead if lead >= 0.9 => 4,
        lead if lead >= 0.6 => 3,
        lead if lead >= 0.3 => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::report_of_five_agents;

    #[test]
    fn both_sides_of_a_pair_say_the_same() {
        let report = report_of_five_agents();
        let matrix = pair_chart(&report.budgets[0]).to_html().into_string();
        assert_eq!(matrix.matches("class=\"mark ").count(), 5 * 4);
        assert_eq!(matrix.matches("mark better").count(), 10);
        assert_eq!(matrix.matches("mark worse").count(), 10);
        let sentence = "mcts is better than minimax: 6,416, corrected p = 0.017; won 24, tied 0, lost 14 of 38";
        assert!(matrix.contains(sentence));
        let mirrored = "minimax is worse than mcts: -6,416, corrected p = 0.017; won 14, tied 0, lost 24 of 38";
        assert!(matrix.contains(mirrored));
    }

    #[test]
    fn columns_are_lettered() {
        assert_eq!([0, 25, 26, 29].map(letter), ["A", "Z", "AA", "AD"]);
    }

    #[test]
    fn a_cell_is_darker_the_more_seeds_are_won() {
        assert_eq!(
            [(20, 20), (24, 14), (36, 4), (40, 0)].map(|(w, l)| shade(w, l, 40)),
            [1, 1, 3, 4]
        );
    }
}
