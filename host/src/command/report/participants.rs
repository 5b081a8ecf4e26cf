//! `host report --participants`: a page for each participant of a contest.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    io::{self, Write},
    path::Path,
};

use report::{
    html::{ParticipantPage, left_out_page},
    run_report::RunReport,
};
use run::{
    atomic_file, game_log,
    game_record::GameRecord,
    pseudonyms::{Pseudonyms, participants},
    run_plan::RunPlan,
};
use text::number_text::counted;

use crate::command::{CommandResult, exit_code};

/// The moves that the page of one participant holds; the page stays below a megabyte or two.
const MOST_MOVES: u64 = 300_000;

/// Writes one page per agent, and one per submission that is left out. A page calls the others
/// by their pseudonyms.
pub(super) fn write_participants(
    folder: &Path,
    run: &Path,
    plan: &RunPlan,
    run_report: &RunReport,
    pseudonyms: &Pseudonyms,
) -> CommandResult {
    let games = games_by_agent(run, plan, &run_report.counted_games())?;
    let report = &run_report.report;
    fs::create_dir_all(folder)?;
    let shown = |name: &str| pseudonyms.shown(name).into_owned();
    let mut pages: Vec<(&str, String)> = Vec::new();
    let named: HashSet<&str> = participants(plan).collect();
    for agent in plan
        .agents
        .iter()
        .filter(|it| named.contains(it.name.as_str()))
    {
        let games = games.get(&agent.name).map_or(&[][..], Vec::as_slice);
        let page = ParticipantPage {
            report,
            plan,
            name: &agent.name,
            games,
            shown: &shown,
        };
        pages.push((&agent.name, page.html()));
    }
    let left_out = plan.left_out.iter();
    pages.extend(left_out.map(|left| (left.name.as_str(), left_out_page(report, left))));
    for (name, page) in &pages {
        atomic_file::replace(&folder.join(format!("{name}.html")), page)?;
    }
    // If stderr is closed, the message is lost.
    let _ = writeln!(
        io::stderr(),
        "{} in {}; each is for its participant alone",
        counted(pages.len() as u64, "page"),
        folder.display()
    );
    Ok(exit_code::OK)
}

/// The games of every agent that count, in the order of the plan. Records lose their moves once
/// an agent has more than [`MOST_MOVES`], unless they have a fault.
fn games_by_agent(
    run: &Path,
    plan: &RunPlan,
    counted: &HashSet<u64>,
) -> io::Result<BTreeMap<String, Vec<GameRecord>>> {
    let mut games: BTreeMap<String, Vec<GameRecord>> = BTreeMap::new();
    let mut n_moves: BTreeMap<String, u64> = BTreeMap::new();
    game_log::read_counted(run, plan, |mut record| {
        if !counted.contains(&record.game) {
            return;
        }
        let kept = n_moves.entry(record.agent.clone()).or_default();
        if *kept + record.n_moves > MOST_MOVES && !record.ending.is_fault() {
            record.moves.clear();
        } else {
            *kept += record.n_moves;
        }
        games.entry(record.agent.clone()).or_default().push(record);
    })?;
    for games in games.values_mut() {
        games.sort_by_key(|record| record.game);
    }
    Ok(games)
}
