//! Who beats whom: a matrix with one cell per pair of agents.
//!
//! The symbol and the number of a cell say the same as its colour, for readers who cannot see
//! colours. The darker a cell, the more of the common seeds the better agent won.

use std::{collections::BTreeMap, fmt::Write};

use maud::{Markup, html};

use super::scale::short;
use crate::{
    report::{
        budget_report::{AgentReport, BudgetReport},
        pair_report::{PairReport, PairVerdict},
        tables::estimate_text::of_measure,
        verdict::corrected,
    },
    statistics::{game_outcome::Measure, length},
    text::number_text::percent,
};

/// A matrix of more agents is unreadable.
pub(in crate::report::html) const MOST_AGENTS: usize = 30;

/// Cells of a larger matrix have no room for the difference.
const MOST_WITH_NUMBERS: usize = 12;

pub(in crate::report::html) fn pair_chart(part: &BudgetReport) -> Markup {
    let ranked: Vec<&AgentReport> = part
        .agents
        .iter()
        .filter(|agent| agent.rank.is_some())
        .take(MOST_AGENTS)
        .collect();
    let pairs: BTreeMap<(&str, &str), &PairReport> = part
        .pairs
        .iter()
        .map(|pair| ((pair.a.as_str(), pair.b.as_str()), pair))
        .collect();
    let density = if ranked.len() > MOST_WITH_NUMBERS {
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
                        @for (place, agent) in ranked.iter().enumerate() {
                            th scope="col" title=(agent.name) aria-label=(agent.name) {
                                span { (letter(place)) }
                            }
                        }
                    }
                }
                tbody {
                    @for (place, row) in ranked.iter().enumerate() {
                        tr {
                            th scope="row" { span { (letter(place)) } " " (row.name) }
                            @for column in &ranked { (field(&pairs, &row.name, &column.name)) }
                        }
                    }
                }
            }
        }
    }
}

/// The cell of a row and a column; pairs are stored once and shown from both sides.
fn field(pairs: &BTreeMap<(&str, &str), &PairReport>, row: &str, column: &str) -> Markup {
    match (pairs.get(&(row, column)), pairs.get(&(column, row))) {
        (Some(pair), _) => mark(pair, pair.verdict, View::AsIs),
        (None, Some(pair)) => mark(pair, pair.verdict.mirrored(), View::Mirrored),
        (None, None) => html! { td.self {} },
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

fn mark(pair: &PairReport, verdict: PairVerdict, view: View) -> Markup {
    let comparison = &pair.comparison;
    let (row, column, wins, losses, sign) = match view {
        View::AsIs => (&pair.a, &pair.b, comparison.wins, comparison.losses, 1.0),
        View::Mirrored => (&pair.b, &pair.a, comparison.losses, comparison.wins, -1.0),
    };
    let difference = comparison
        .mean_difference
        .map(|difference| sign * difference);
    let (class, symbol, verb) = match verdict {
        PairVerdict::FirstIsBetter => ("better", "▲", "is better than"),
        PairVerdict::SecondIsBetter => ("worse", "▼", "is worse than"),
        PairVerdict::Equal => ("open", "≈", "is practically equal to"),
        PairVerdict::Open => ("open", "=", "cannot be distinguished from"),
    };
    let shade = match verdict {
        PairVerdict::Equal | PairVerdict::Open => String::new(),
        _ => format!(" s{}", shade(wins, losses, comparison.games)),
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
    let number = difference.map_or(String::new(), |difference| {
        let plus = if difference > 0.0 { "+" } else { "" };
        let size = match comparison.measure {
            Measure::Reach => percent(difference),
            Measure::Score | Measure::Moves => short(difference),
        };
        format!("{plus}{size}").replace('-', "−")
    });
    html! {
        td class={ "mark " (class) (shade) } title=(sentence) { b { (symbol) } span { (number) } }
    }
}

/// From 1 for about as many wins as losses to 4 for nearly only wins or only losses.
fn shade(wins: usize, losses: usize, games: usize) -> u8 {
    let lead = length(wins.abs_diff(losses)) / length(games.max(1));
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
    use crate::report::example::report_of_five_agents;

    #[test]
    fn both_sides_of_a_pair_say_the_same() {
        let matrix = pair_chart(&report_of_five_agents().budgets[0]).into_string();
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
