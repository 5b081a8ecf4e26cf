//! Who beats whom as CSV: one line and one column per agent.

use super::{BUDGET, budget_cells};
use statistics::game_outcome::Measure;
use text::csv_table::csv_text;

use crate::{
    BudgetReport, Report,
    pair_report::{PairReport, PairVerdict},
};

/// A header line with the agents in the order of the first ranking, then a line per agent and
/// budget. A cell says whether the agent of its line is better than that of its column, and by how
/// much; it is empty where the two were not compared.
#[must_use]
pub fn matrix_csv(report: &Report) -> String {
    let first = report.budgets.first();
    let names: Vec<&str> = first
        .iter()
        .flat_map(|part| part.agents.iter().map(|agent| agent.name.as_str()))
        .collect();
    let header = BUDGET
        .into_iter()
        .chain(["agent"])
        .chain(names.iter().copied());
    let lines = report.budgets.iter().flat_map(|part| {
        let place = |name: &&str| part.agents.iter().position(|agent| agent.name == **name);
        let columns: Vec<Option<usize>> = names.iter().map(place).collect();
        (0..part.n_ranked()).map(move |row| {
            let cells = columns
                .iter()
                .map(|column| column.map_or_else(String::new, |column| cell(part, row, column)));
            let name = part.agents[row].name.clone();
            let start = budget_cells(part).into_iter().chain([name]);
            start.chain(cells).collect::<Vec<String>>()
        })
    });
    csv_text(header.map(str::to_owned), lines)
}

fn cell(part: &BudgetReport, row: usize, column: usize) -> String {
    let (pair, verdict, sign) = match part.pair(row, column) {
        Some((pair, true)) => (pair, pair.verdict, 1.0),
        Some((pair, false)) => (pair, pair.verdict.mirrored(), -1.0),
        None => return String::new(),
    };
    let verdict = match verdict {
        PairVerdict::FirstIsBetter => "better",
        PairVerdict::SecondIsBetter => "worse",
        PairVerdict::Equal => "equal",
        PairVerdict::Open => "open",
    };
    difference(pair, sign).map_or(verdict.to_owned(), |number| format!("{verdict} {number}"))
}

fn difference(pair: &PairReport, sign: f64) -> Option<String> {
    let difference = sign * pair.comparison.mean_difference?;
    Some(match pair.comparison.measure {
        Measure::Reach => format!("{difference:+.4}"),
        Measure::Score | Measure::Moves => format!("{difference:+.1}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{input, three_seeds};

    #[test]
    fn every_agent_has_a_line_and_a_column() {
        let report = Report::new(&input(&["left", "right"]), &three_seeds());
        assert_eq!(
            matrix_csv(&report),
            "budget,budget_us,budget_nodes,agent,left,right\n\
             ,1000,,left,,open +1000.0\n\
             ,1000,,right,open -1000.0,\n"
        );
    }
}
