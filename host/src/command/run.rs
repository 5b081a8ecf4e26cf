//! `host run`: plays what is missing of a tournament and prints the ranking.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use arena2048::{
    entrant::enter_agents,
    exit_code,
    game_plan::PlannedGame,
    interruption::InterruptionWatch,
    last_words::LastWords,
    plugin_finder::PluginFinder,
    run_folder::{FolderError, Leftovers, RunFolder},
    run_plan::RunPlan,
    tournament::{BudgetLimit, Tournament},
    tournament_file::{Mistakes, TournamentSource, parse},
    tournament_runner::{Event, Outcome, RunOptions},
};
use plugin_api::Limits;

use super::{
    CommandError, CommandResult, report::print_report, run_progress::Progress, run_stages,
};
use crate::command_line::RunArguments;

pub(crate) fn run(arguments: &RunArguments) -> CommandResult {
    let watch = InterruptionWatch::start()?;
    let in_file = |error: anyhow::Error| CommandError::new(exit_code::TOURNAMENT_FILE, error);
    let source = TournamentSource::read(&arguments.file).map_err(|error| in_file(error.into()))?;
    let tournament = parse(&source).map_err(|mistakes| in_file(mistakes.into()))?;
    check_selection(arguments, &tournament)?;
    let file_folder = arguments.file.parent().map(folder_or_here);
    let finder = PluginFinder::new(&arguments.plugins.folders, file_folder.as_deref());
    let entrants =
        enter_agents(&tournament, &finder, file_folder.as_deref()).map_err(|mistakes| {
            CommandError::new(exit_code::PLUGIN, Mistakes::new(&source, mistakes))
        })?;
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| Path::new("runs").join(&tournament.name));
    let unexpected = |error: FolderError| CommandError::new(exit_code::UNEXPECTED, error);
    let folder = RunFolder::open(&out).map_err(unexpected)?;
    if arguments.fresh {
        folder.start_anew().map_err(unexpected)?;
    }
    let earlier = folder.earlier_plan().map_err(unexpected)?;
    let plan = RunPlan::new(tournament, entrants, earlier.as_ref());
    let (mut leftovers, mut log) = folder.take_over(&plan).map_err(unexpected)?;

    let mut progress = Progress::new(&plan, &leftovers);
    announce(&mut progress, &plan, &leftovers, &folder);
    let names: Vec<&str> = plan
        .entrants
        .iter()
        .map(|entrant| entrant.name.as_str())
        .collect();
    let wanted = |game: &PlannedGame| {
        (arguments.only.is_empty() || arguments.only.iter().any(|name| name == names[game.agent]))
            && (arguments.seed.is_empty() || arguments.seed.contains(&game.seed))
    };
    let options = RunOptions {
        workers: arguments.workers.or(plan.tournament.workers),
        show_stderr: arguments.show_stderr,
        wanted: &wanted,
        stop: watch.stop(),
    };
    let kept_words = LastWords::of_run(folder.path());
    let watch_game = |event: &Event<'_>, progress: &Progress| {
        if let Event::GameEnded { record, last_words } = event
            && record.ending.is_fault()
            && let Err(error) = kept_words.keep(record, last_words)
        {
            progress.say(&format!(
                "warning: what {} printed cannot be kept: {error}",
                record.agent
            ));
        }
    };
    let outcome = run_stages::play(
        &plan,
        &mut leftovers,
        &mut log,
        &options,
        &arguments.seed,
        &mut progress,
        watch_game,
    );
    progress.finish();
    match outcome {
        Err(error) => Err(CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!(
                "{error}; this goes on where it stopped: {}",
                resuming_command()
            ),
        )),
        Ok(Outcome::Interrupted) => {
            progress.say(&format!(
                "interrupted; every game that ended is in {}; this goes on where it stopped:\n  {}",
                folder.log_path().display(),
                resuming_command()
            ));
            Ok(exit_code::INTERRUPTED)
        }
        Ok(Outcome::Finished) => {
            let n_faults = print_report(folder.path(), &plan, arguments.format.format)?;
            progress.say(&format!(
                "the run is in {}; its page is report.html there",
                folder.path().display()
            ));
            Ok(if arguments.strict && n_faults > 0 {
                exit_code::FAULTS
            } else {
                exit_code::OK
            })
        }
    }
}

/// The folder of a path; that of a bare file name is the current one.
fn folder_or_here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder.to_path_buf()
    }
}

fn check_selection(arguments: &RunArguments, tournament: &Tournament) -> Result<(), CommandError> {
    let usage = |message: String| Err(CommandError::new(exit_code::USAGE, anyhow!(message)));
    for name in &arguments.only {
        if !tournament.agents.iter().any(|agent| agent.name == *name) {
            let names: Vec<&str> = tournament
                .agents
                .iter()
                .map(|agent| agent.name.as_str())
                .collect();
            return usage(format!(
                "--only {name}: no agent has this name; the agents are {}",
                names.join(", ")
            ));
        }
    }
    for seed in &arguments.seed {
        if !tournament.planned_seeds().contains(*seed) {
            return usage(format!(
                "--seed {seed}: not one of the tournament's seeds, {}",
                tournament.planned_seeds()
            ));
        }
    }
    Ok(())
}

/// Says what a person should know before the games begin.
fn announce(progress: &mut Progress, plan: &RunPlan, leftovers: &Leftovers, folder: &RunFolder) {
    if !leftovers.damaged_lines.is_empty() {
        let lines: Vec<String> = leftovers.damaged_lines.iter().map(u64::to_string).collect();
        progress.say(&format!(
            "warning: line {} of {} held no game record and was moved to damaged.jsonl; its game is played again",
            lines.join(", "),
            folder.log_path().display()
        ));
    }
    if leftovers.had_cut_off_line {
        progress.say("the last line of the game log was cut off; its game is played again");
    }
    if leftovers.n_superseded > 0 {
        progress.say(&format!(
            "{} records of another plugin file, parameters, rules or seeds were moved to superseded.jsonl",
            leftovers.n_superseded
        ));
    }
    for budget in &plan.tournament.budgets {
        let (needed, what) = match budget.limit {
            BudgetLimit::Nodes(_) => (Limits::Nodes, "nodes"),
            BudgetLimit::Time { .. } => (Limits::Time, "time"),
            BudgetLimit::None => continue,
        };
        for entrant in &plan.entrants {
            if !entrant.plugin.info.honours.contains(&needed) {
                progress.say(&format!(
                    "note: {} does not adapt to a budget in {what}; it plays as it always does",
                    entrant.name
                ));
            }
        }
    }
}

/// The command that was typed: started again, it plays what is missing. `--fresh`
/// is left out, for it would not resume.
fn resuming_command() -> String {
    let words = std::env::args().filter(|word| word != "--fresh");
    let quoted = words.map(|word| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
