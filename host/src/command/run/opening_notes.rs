//! What a user should know before the games begin.

use std::collections::BTreeMap;

use plugin_api::Limits;

use super::run_progress::RunProgress;
use crate::command::MOST_LINES;
use play::agents::inspection::OPTIMISING_ADVICE;
use run::{
    leftovers::Leftovers,
    run_files,
    run_folder::RunFolder,
    run_plan::{
        Agent, RunPlan,
        plan_aspects::{AGENTS, OF_AGENT, changed_limits, changed_settings},
    },
};
use text::{
    listing::{first_listed, listed},
    number_text::counted,
    plugin_words::name_as_code,
};
use tournament::{Budget, BudgetLimit, Overrun};

/// What has changed since the last time.
#[derive(Default)]
pub(super) struct Changes {
    /// All of it, as the end of a message; empty if nothing has changed.
    pub(super) settings: String,
    /// Whether only agents have changed: their files, their parameters, or which ones play.
    pub(super) only_agents: bool,
    /// The names of limits that decide no game.
    limits: Vec<String>,
}

impl Changes {
    pub(super) fn between(earlier: &RunPlan, plan: &RunPlan) -> Self {
        let changed = changed_settings(earlier, plan);
        let settings = match changed.as_slice() {
            [] => String::new(),
            changed => format!("; changed since then: {}", changed.join(", ")),
        };
        let is_of_agents = |what: &String| what == AGENTS || what.contains(OF_AGENT);
        Self {
            settings,
            only_agents: !changed.is_empty() && changed.iter().all(is_of_agents),
            limits: changed_limits(earlier, plan),
        }
    }
}

fn warn_of_moved_lines(progress: &RunProgress, leftovers: &Leftovers, folder: &RunFolder) {
    for (lines, one, several, then) in [
        (
            &leftovers.damaged_lines,
            "is damaged and was",
            "are damaged and were",
            "; missing games are played again",
        ),
        (
            &leftovers.repeated_lines,
            "has a game of an earlier line and was",
            "have games of earlier lines and were",
            "",
        ),
    ] {
        let (noun, verb) = match lines.len() {
            0 => continue,
            1 => ("line", one),
            _ => ("lines", several),
        };
        progress.print_line(&format!(
            "warning: {noun} {} of {} {verb} moved to {}{then}",
            first_listed(lines, MOST_LINES),
            folder.log_path().display(),
            run_files::DAMAGED_LINES
        ));
    }
}

/// Prints what a user should know before the games begin.
pub(super) fn print_notes(
    progress: &RunProgress,
    plan: &RunPlan,
    beside: &[String],
    leftovers: &Leftovers,
    folder: &RunFolder,
    changes: &Changes,
) {
    warn_of_moved_lines(progress, leftovers, folder);
    if leftovers.had_cut_off_line {
        progress.print_line("the last line of the game log was cut off; its game is played again");
    }
    if leftovers.n_restored > 0 {
        progress.print_line(&format!(
            "reused {} that had been set aside and match again",
            counted(leftovers.n_restored, "record")
        ));
    }
    let n_superseded = leftovers.superseded.total();
    if n_superseded > 0 {
        progress.print_line(&format!(
            "set aside {} in {} ({}){}",
            counted(n_superseded, "old game"),
            run_files::SUPERSEDED_RECORDS,
            leftovers.superseded,
            changes.settings,
        ));
    }
    let limits = changes.limits.join(", ");
    if !limits.is_empty() && !leftovers.played.is_empty() {
        progress.print_line(&format!(
            "changed since then: {limits}; games already played are kept, and --fresh plays them again"
        ));
    }
    if let (None, Some(commitment)) = (plan.published_salt, &plan.salt_commitment) {
        progress.print_line(&format!(
            "the salt is secret until the run has ended; commitment to it: {commitment}"
        ));
    }
    for left_out in &plan.left_out {
        progress.print_line(&format!("left out: {}", left_out.sentence()));
    }
    if !beside.is_empty() {
        let files: Vec<String> = beside.iter().map(|file| name_as_code(file)).collect();
        progress.print_line(&format!("not submissions: {}", listed(&files)));
    }
    let renamed: Vec<String> = (plan.tournament.agents.iter())
        .filter_map(|entry| {
            let file = entry.submission.as_ref()?;
            let is_plain = file.contains(entry.name.as_str());
            (!is_plain).then(|| format!("{} as {}", name_as_code(file), entry.name))
        })
        .collect();
    if !renamed.is_empty() {
        progress.print_line(&format!("names: {}", listed(&renamed)));
    }
    for sentence in likenesses(plan) {
        progress.print_line(&format!("note: {sentence}"));
    }
    let is_slow = |agent: &&Agent| agent.plugin.info.unoptimised;
    let slow: Vec<String> = (plan.agents.iter().filter(is_slow))
        .map(|agent| agent.name.clone())
        .collect();
    if !slow.is_empty() {
        progress.print_line(&format!(
            "note: built without optimisation, and many times slower for it: {}; {OPTIMISING_ADVICE}",
            listed(&slow)
        ));
    }
    for budget in &plan.tournament.budgets {
        let needed = match budget.limit {
            BudgetLimit::Nodes(_) => Limits::Nodes,
            BudgetLimit::Time { .. } => Limits::Time,
            BudgetLimit::None => continue,
        };
        let is_deaf = |agent: &&Agent| !agent.plugin.info.honours.contains(&needed);
        let names: Vec<String> = (plan.agents.iter().filter(is_deaf))
            .map(|agent| agent.name.clone())
            .collect();
        if !names.is_empty() {
            let sentence = unsupporting(&names, budget);
            progress.print_line(&format!("note: {sentence}"));
        }
    }
}

/// Submissions that are the same file, or that name the same file beside them.
fn likenesses(plan: &RunPlan) -> Vec<String> {
    let (mut copies, mut readers) = (BTreeMap::new(), BTreeMap::new());
    for (entry, agent) in plan.tournament.agents.iter().zip(&plan.agents) {
        let Some(file) = &entry.submission else {
            continue;
        };
        let of_hash: &mut Vec<String> = copies.entry(&agent.sha256).or_default();
        of_hash.push(name_as_code(file));
        for name in &agent.plugin.info.files {
            let place = (agent.path.parent(), name);
            let of_file: &mut Vec<String> = readers.entry(place).or_default();
            of_file.push(name_as_code(file));
        }
    }
    let copies = copies.into_values().filter(|files| files.len() > 1);
    let copies = copies.map(|files| format!("{} are the same file", listed(&files)));
    let shared = readers.into_iter().filter(|(_, files)| files.len() > 1);
    let shared = shared.map(|((_, name), files)| {
        let (files, name) = (listed(&files), name_as_code(name));
        format!("{files} name the file {name}, and each can read it; put each submission into a folder of its own")
    });
    copies.chain(shared).collect()
}

/// What a budget means for agents that do not support its kind. The host measures time itself
/// and ends a game that exceeds it; nodes are counted by agents only.
fn unsupporting(names: &[String], budget: &Budget) -> String {
    let (does, its) = match names {
        [_] => ("does", "it plays as it would without one"),
        _ => ("do", "they play as they would without one"),
    };
    let (what, outcome) = match (budget.limit, budget.overrun) {
        (BudgetLimit::Time { .. }, Overrun::EndGame) => (
            "time",
            ", and a game in which the time runs out ends with a fault",
        ),
        (BudgetLimit::Time { .. }, Overrun::Warn) => ("time", ", and overruns are only counted"),
        (BudgetLimit::Nodes(_) | BudgetLimit::None, _) => ("nodes", ""),
    };
    let names = listed(names);
    format!("{names} {does} not support a budget in {what}; {its}{outcome}")
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroU64, time::Duration};

    use super::*;

    #[test]
    fn agents_that_do_not_watch_the_time_are_told_what_it_costs() {
        let time = BudgetLimit::Time {
            per_move: Duration::from_millis(1),
        };
        let names = ["anna".to_owned(), "bert".to_owned()];
        let check = |n_names: usize, limit, overrun, end: &str| {
            let budget = Budget {
                limit,
                overrun,
                ..Budget::default()
            };
            let sentence = unsupporting(&names[..n_names], &budget);
            assert!(sentence.ends_with(end), "{sentence}");
        };
        check(
            1,
            time,
            Overrun::EndGame,
            "anna does not support a budget in time; it plays as it would without one, and a game \
             in which the time runs out ends with a fault",
        );
        check(
            2,
            time,
            Overrun::Warn,
            "they play as they would without one, and overruns are only counted",
        );
        check(
            2,
            BudgetLimit::Nodes(NonZeroU64::MIN),
            Overrun::EndGame,
            "anna and bert do not support a budget in nodes; they play as they would without one",
        );
    }
}
