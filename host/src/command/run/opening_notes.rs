//! What a user should know before the games begin.

use plugin_api::Limits;

use super::run_progress::RunProgress;
use crate::{
    run::{
        leftovers::Leftovers,
        run_files,
        run_folder::RunFolder,
        run_plan::{Agent, LeftOut, RunPlan},
    },
    text::{number_text::counted, printable::printable, word_list::list},
    tournament::{Budget, BudgetLimit},
};

/// Prints what a user should know before the games begin.
pub(super) fn print_notes(
    progress: &RunProgress,
    plan: &RunPlan,
    beside: &[String],
    leftovers: &Leftovers,
    folder: &RunFolder,
) {
    if !leftovers.damaged_lines.is_empty() {
        let lines: Vec<String> = leftovers.damaged_lines.iter().map(u64::to_string).collect();
        let (noun, verb) = match lines.len() {
            1 => ("line", "is not a game record and was"),
            _ => ("lines", "are not game records and were"),
        };
        progress.print_line(&format!(
            "warning: {noun} {} of {} {verb} moved to {}; missing games are played again",
            lines.join(", "),
            folder.log_path().display(),
            run_files::DAMAGED_LINES
        ));
    }
    if leftovers.had_cut_off_line {
        progress.print_line("the last line of the game log was cut off; its game is played again");
    }
    if leftovers.n_restored > 0 {
        progress.print_line(&format!(
            "records that had been set aside and match again are used: {}",
            leftovers.n_restored
        ));
    }
    let n_superseded = leftovers.superseded.total();
    if n_superseded > 0 {
        progress.print_line(&format!(
            "moved to {}: {}, because plugin files, parameters, rules, budgets, salt or seeds \
             changed: {}",
            run_files::SUPERSEDED_RECORDS,
            counted(n_superseded, "record"),
            leftovers.superseded
        ));
    }
    if let (None, Some(commitment)) = (plan.published_salt, &plan.salt_commitment) {
        progress.print_line(&format!(
            "the salt is secret until the run has ended; commitment to it: {commitment}"
        ));
    }
    for left_out in &plan.left_out {
        let LeftOut { file, reason, .. } = left_out;
        progress.print_line(&format!("left out: {} {reason}", one_line(file)));
    }
    if !beside.is_empty() {
        let files: Vec<String> = beside.iter().map(|file| one_line(file)).collect();
        progress.print_line(&format!("not submissions: {}", list(&files)));
    }
    let renamed: Vec<String> = (plan.tournament.agents.iter())
        .filter_map(|entry| {
            let file = entry.submission.as_ref()?;
            let is_plain = file.contains(entry.name.as_str());
            (!is_plain).then(|| format!("{} as {}", one_line(file), entry.name))
        })
        .collect();
    if !renamed.is_empty() {
        progress.print_line(&format!("names: {}", list(&renamed)));
    }
    let is_slow = |agent: &&Agent| agent.plugin.info.unoptimised;
    let slow: Vec<String> = (plan.agents.iter().filter(is_slow))
        .map(|agent| agent.name.clone())
        .collect();
    if !slow.is_empty() {
        progress.print_line(&format!(
            "note: built without optimisation, and many times slower for it: {}; use `cargo build --release`, or `cc -O2`",
            list(&slow)
        ));
    }
    for budget in &plan.tournament.budgets {
        print_unsupporting(progress, plan, budget);
    }
}

/// Names the agents that play as if there were no budget.
fn print_unsupporting(progress: &RunProgress, plan: &RunPlan, budget: &Budget) {
    let (needed, what) = match budget.limit {
        BudgetLimit::Nodes(_) => (Limits::Nodes, "nodes"),
        BudgetLimit::Time { .. } => (Limits::Time, "time"),
        BudgetLimit::None => return,
    };
    let is_deaf = |agent: &&Agent| !agent.plugin.info.honours.contains(&needed);
    let names: Vec<String> = (plan.agents.iter().filter(is_deaf))
        .map(|agent| agent.name.clone())
        .collect();
    let verb = match names.len() {
        0 => return,
        1 => "does not support a budget in {what}; it plays as it would without one",
        _ => "do not support a budget in {what}; they play as they would without one",
    };
    let verb = verb.replace("{what}", what);
    progress.print_line(&format!("note: {} {verb}", list(&names)));
}

/// The name of a file that may contain anything.
fn one_line(file: &str) -> String {
    printable(file, usize::MAX)
}
