//! The ranking as CSV, one line per agent and budget, for spreadsheets and plots. A CSV file has
//! one table: pairs and curves are files of their own.

mod curves;
mod matrix;
mod pairs;

use text::csv_table::csv_text;

use crate::{
    Report,
    budget_report::{AgentReport, BudgetReport},
};

pub(crate) use curves::curves_csv;
pub use matrix::matrix_csv;
pub use pairs::pairs_csv;

/// The budget as its label and as numbers, so that programs can draw it on an axis; see
/// [`budget_cells`].
const BUDGET: [&str; 3] = ["budget", "budget_us", "budget_nodes"];

const HEADERS: [&str; 17] = [
    "rank",
    "agent",
    "games",
    "mean",
    "mean_low",
    "mean_high",
    "lower_quartile",
    "median",
    "upper_quartile",
    "max",
    "highest",
    "mean_moves",
    "moves_to_goal",
    "cpu_ms_per_move",
    "faults",
    "disqualified",
    "left_out",
];

/// A header line, then the agents, then the submissions that do not play. The last columns are
/// rates of tiles: `reach_2048` and so on.
#[must_use]
pub fn csv(report: &Report) -> String {
    let agents = || {
        let parts = report.budgets.iter();
        parts.flat_map(|part| part.agents.iter().map(move |agent| (part, agent)))
    };
    let tiles: Vec<u64> = agents()
        .next()
        .map(|(_, agent)| agent.summary.reach.keys().copied().collect())
        .unwrap_or_default();
    let headers = BUDGET.into_iter().chain(HEADERS).map(str::to_owned);
    let header = headers.chain(tiles.iter().map(|tile| format!("reach_{tile}")));
    let records = agents().map(|(part, agent)| {
        let rates = agent.summary.reach.values();
        let reach = rates.map(|rate| rate.rate.to_string());
        budget_cells(part)
            .into_iter()
            .chain(figures(agent))
            .chain(reach)
    });
    let records = records.map(Iterator::collect::<Vec<String>>);
    let left_out = report.left_out_files().map(|(file, reason)| {
        let mut cells = vec![String::new(); BUDGET.len() + HEADERS.len() + tiles.len()];
        let place = |header: &str| {
            let place = HEADERS.iter().position(|other| *other == header);
            BUDGET.len() + place.expect("it is one of the headers")
        };
        cells[place("agent")] = file;
        "0".clone_into(&mut cells[place("games")]);
        cells[place("left_out")] = reason;
        cells
    });
    csv_text(header, records.chain(left_out))
}

/// Label, microseconds per move and nodes per move. What a budget does not have is empty.
fn budget_cells(part: &BudgetReport) -> [String; BUDGET.len()] {
    let budget = &part.budget;
    [
        budget.label.clone().unwrap_or_default(),
        optional(budget.per_move.map(|time| time.as_secs_f64() * 1e6)),
        optional(budget.nodes),
    ]
}

/// Everything between budget and tiles, in the order of the headers.
fn figures(agent: &AgentReport) -> [String; HEADERS.len()] {
    let summary = &agent.summary;
    let interval = summary.mean_interval;
    [
        optional(agent.rank),
        agent.name.clone(),
        summary.games.to_string(),
        optional(summary.mean),
        optional(interval.map(|interval| interval.low)),
        optional(interval.map(|interval| interval.high)),
        optional(summary.lower_quartile),
        optional(summary.median),
        optional(summary.upper_quartile),
        optional(summary.best),
        optional(summary.highest),
        optional(summary.mean_moves),
        optional(summary.moves_to_goal),
        optional(agent.time.cpu_ms_per_move),
        summary.n_faults().to_string(),
        agent.disqualified.is_some().to_string(),
        String::new(),
    ]
}

fn optional(figure: Option<impl ToString>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{input, three_seeds};

    #[test]
    fn every_agent_has_one_line() {
        let report = Report::new(&input(&["left", "right"]), &three_seeds());
        insta::assert_snapshot!(csv(&report), @"
        budget,budget_us,budget_nodes,rank,agent,games,mean,mean_low,mean_high,lower_quartile,median,upper_quartile,max,highest,mean_moves,moves_to_goal,cpu_ms_per_move,faults,disqualified,left_out,reach_4,reach_8,reach_16,reach_32,reach_64,reach_128,reach_256,reach_512,reach_1024,reach_2048
        ,1000,,1,left,3,6000,1031.724576499334,10968.275423500665,5000,6000,7000,8000,512,600,,0.5,0,false,,1,1,1,1,1,1,1,0.6666666666666666,0,0
        ,1000,,1,right,3,5000,0,13605.305459498935,3000,3000,6000,9000,1024,500,,0.25,0,false,,1,1,1,1,1,1,1,0.3333333333333333,0.3333333333333333,0
        ");
    }
}
