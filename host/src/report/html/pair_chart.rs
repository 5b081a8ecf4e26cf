//! Who beats whom: every pair of agents as a field of a matrix.
//!
//! A field says in a sign and a number what its colour says: the colour is for the
//! eye that scans, the words are for everybody. The darker a field, the more of the
//! common seeds the better agent won.

use std::collections::BTreeMap;

use super::{
    markup::{Append, Escaped},
    scale::short,
};
use crate::{
    report::{
        budget_report::{AgentReport, BudgetReport},
        number_text::{of_measure, p_value_in_a_sentence, percent},
        pair_report::{Claim, PairReport},
    },
    statistics::{length, outcome::Measure},
};

/// A matrix of more agents cannot be read.
pub(super) const MOST_AGENTS: usize = 30;

/// Up to here a field has room for the difference.
const MOST_WITH_NUMBERS: usize = 12;

pub(super) fn pair_chart(part: &BudgetReport) -> String {
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
    let mut table = format!(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"{density}\"><thead><tr><td></td>"
    );
    for (place, agent) in ranked.iter().enumerate() {
        let letter = letter(place);
        let name = Escaped(&agent.name);
        table.append(format_args!(
            "<th scope=\"col\" title=\"{name}\" aria-label=\"{name}\"><span>{letter}</span></th>"
        ));
    }
    table += "</tr></thead><tbody>\n";
    for (place, row) in ranked.iter().enumerate() {
        table.append(format_args!(
            "<tr><th scope=\"row\"><span>{}</span> {}</th>",
            letter(place),
            Escaped(&row.name)
        ));
        for column in &ranked {
            let (row, column) = (row.name.as_str(), column.name.as_str());
            table += &match (pairs.get(&(row, column)), pairs.get(&(column, row))) {
                (Some(pair), _) => field(pair, pair.claim, View::AsIs),
                (None, Some(pair)) => field(pair, pair.claim.mirrored(), View::Mirrored),
                (None, None) => "<td class=\"self\"></td>".to_owned(),
            };
        }
        table += "</tr>\n";
    }
    table + "</tbody></table></div>"
}

/// A, B, …, Z, AA, AB, …: a number would be taken for the rank.
fn letter(place: usize) -> String {
    let last = char::from(b'A' + u8::try_from(place % 26).expect("below 26"));
    match place / 26 {
        0 => last.to_string(),
        more => letter(more - 1) + &last.to_string(),
    }
}

/// A pair is stored once and shown from both sides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    AsIs,
    Mirrored,
}

fn field(pair: &PairReport, claim: Claim, view: View) -> String {
    let comparison = &pair.comparison;
    let (row, column, wins, losses, sign) = match view {
        View::AsIs => (&pair.a, &pair.b, comparison.wins, comparison.losses, 1.0),
        View::Mirrored => (&pair.b, &pair.a, comparison.losses, comparison.wins, -1.0),
    };
    let difference = comparison
        .mean_difference
        .map(|difference| sign * difference);
    let (class, symbol, verb) = match claim {
        Claim::FirstIsBetter => ("better", "▲", "is better than"),
        Claim::SecondIsBetter => ("worse", "▼", "is worse than"),
        Claim::Open => ("open", "=", "cannot be told from"),
    };
    let shade = match claim {
        Claim::Open => String::new(),
        _ => format!(" s{}", shade(wins, losses, comparison.games)),
    };
    let mut sentence = format!("{row} {verb} {column}");
    if let Some(difference) = difference {
        sentence.append(format_args!(
            ": {}",
            of_measure(comparison.measure, difference)
        ));
    }
    if let Some(p_adjusted) = pair.p_adjusted {
        sentence.append(format_args!(", {}", p_value_in_a_sentence(p_adjusted)));
    }
    sentence.append(format_args!(
        "; won {wins}, tied {}, lost {losses} of {}",
        comparison.ties, comparison.games
    ));
    let number = difference.map_or(String::new(), |difference| {
        let plus = if difference > 0.0 { "+" } else { "" };
        let size = match comparison.measure {
            Measure::Reach => percent(difference),
            Measure::Score | Measure::Moves => short(difference),
        };
        format!("{plus}{size}").replace('-', "−")
    });
    format!(
        "<td class=\"mark {class}{shade}\" title=\"{}\"><b>{symbol}</b><span>{number}</span></td>",
        Escaped(&sentence)
    )
}

/// From 1, as often won as lost, to 4, always won or always lost.
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
        let matrix = pair_chart(&report_of_five_agents().budgets[0]);
        assert_eq!(matrix.matches("class=\"mark ").count(), 5 * 4);
        assert_eq!(matrix.matches("mark better").count(), 10);
        assert_eq!(matrix.matches("mark worse").count(), 10);
        let sentence =
            "mcts is better than minimax: 6,416, p = 0.017; won 24, tied 0, lost 14 of 38";
        assert!(matrix.contains(sentence));
        let mirrored =
            "minimax is worse than mcts: -6,416, p = 0.017; won 14, tied 0, lost 24 of 38";
        assert!(matrix.contains(mirrored));
    }

    #[test]
    fn columns_are_lettered() {
        assert_eq!([0, 25, 26, 29].map(letter), ["A", "Z", "AA", "AD"]);
    }

    #[test]
    fn a_field_is_darker_the_more_seeds_are_won() {
        assert_eq!(
            [(20, 20), (24, 14), (36, 4), (40, 0)].map(|(w, l)| shade(w, l, 40)),
            [1, 1, 3, 4]
        );
    }
}
