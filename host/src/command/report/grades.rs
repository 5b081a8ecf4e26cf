//! `host report --grades`: a grade sheet, one row for each participant of a contest.

use std::{io, path::Path};

use report::{AgentReport, Report};
use run::{
    atomic_file,
    pseudonyms::{Pseudonyms, participants},
    run_plan::RunPlan,
};
use text::csv_table::csv_text;

const HEADER: [&str; 11] = [
    "name",
    "pseudonym",
    "budget",
    "rank",
    "best_rank",
    "worst_rank",
    "mean_score",
    "games",
    "faults",
    "status",
    "reason",
];

/// Writes the sheet, under the real names. Agents that come with the host are no participants.
pub(super) fn write_grades(
    file: &Path,
    plan: &RunPlan,
    report: &Report,
    pseudonyms: &Pseudonyms,
) -> io::Result<()> {
    let mut rows = Vec::new();
    for name in participants(plan) {
        let shown = pseudonyms.shown(name);
        let pseudonym = if shown == name { "" } else { &*shown };
        if let Some(left) = plan.left_out.iter().find(|left| left.name == name) {
            let mut row = vec![String::new(); HEADER.len()];
            name.clone_into(&mut row[0]);
            pseudonym.clone_into(&mut row[1]);
            "0".clone_into(&mut row[7]);
            "left out".clone_into(&mut row[9]);
            row[10].clone_from(&left.reason);
            rows.push(row);
        }
        for part in &report.budgets {
            for agent in part.agents.iter().filter(|agent| agent.name == name) {
                let budget = part.label.clone().unwrap_or_default();
                let named = [name.to_owned(), pseudonym.to_owned(), budget];
                rows.push(named.into_iter().chain(figures(agent)).collect());
            }
        }
    }
    atomic_file::replace_private(file, csv_text(HEADER.map(str::to_owned), rows))
}

/// Rank, score and faults of a participant that plays, and the reason if it is not ranked.
fn figures(agent: &AgentReport) -> [String; 8] {
    let number = |number: Option<usize>| number.map_or(String::new(), |it| it.to_string());
    let range = agent.rank_range;
    let (status, reason) = match (&agent.disqualified, agent.faults.first()) {
        (Some(disqualified), _) => ("disqualified", disqualified.fault.clone()),
        (None, _) if agent.summary.games == 0 => ("no games", String::new()),
        (None, Some(fault)) => ("faults", fault.headline()),
        (None, None) => ("ready", String::new()),
    };
    [
        number(agent.rank),
        number(range.map(|range| range.best)),
        number(range.map(|range| range.worst)),
        agent
            .summary
            .mean
            .map_or(String::new(), |mean| format!("{mean:.0}")),
        agent.summary.games.to_string(),
        agent.n_faults().to_string(),
        status.to_owned(),
        reason,
    ]
}
