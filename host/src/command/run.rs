//! `host run`: plays what is missing of a tournament and prints the ranking.

use anyhow::anyhow;
use arena2048::{
    exit_code,
    game_plan::{GamePlan, PlannedGame},
    interruption::InterruptionWatch,
    run_folder::{FolderError, Leftovers, RunFolder},
    run_plan::RunPlan,
    tournament::{BudgetLimit, Tournament},
    tournament_runner::{Outcome, RunOptions},
};
use plugin_api::Limits;

use super::{
    CommandError, CommandResult,
    entry::{Entry, enter},
    report::print_report,
    run_keeper::RunKeeper,
    run_progress::Progress,
    run_shard, run_stages,
    typed_command::resuming_command,
};
use crate::command_line::RunArguments;

pub(crate) fn run(arguments: &RunArguments) -> CommandResult {
    let watch = InterruptionWatch::start()?;
    let Entry {
        tournament,
        entrants,
    } = enter(&arguments.file, &arguments.plugins.folders, |tournament| {
        check_selection(arguments, tournament)
    })?;
    let salt = run_shard::shared_salt(arguments, tournament.salt)?;
    let unexpected = |error: FolderError| CommandError::new(exit_code::UNEXPECTED, error);
    let folder =
        RunFolder::open(&run_shard::run_folder(arguments, &tournament.name)).map_err(unexpected)?;
    if arguments.fresh {
        folder.start_anew().map_err(unexpected)?;
    }
    let earlier = folder.earlier_plan().map_err(unexpected)?;
    run_shard::check_part(&folder, earlier.as_ref(), arguments.shard)?;
    let plan =
        RunPlan::new(tournament, entrants, earlier.as_ref(), salt).for_shard(arguments.shard);
    let (mut leftovers, mut log) = folder.take_over(&plan).map_err(unexpected)?;

    let mut progress = Progress::new(&plan, &leftovers);
    announce(&mut progress, &plan, &leftovers, &folder);
    let names: Vec<&str> = plan
        .entrants
        .iter()
        .map(|entrant| entrant.name.as_str())
        .collect();
    let games_per_seed = GamePlan::new(&plan.tournament).games_per_seed();
    let wanted = |game: &PlannedGame| {
        (plan.shard).is_none_or(|shard| shard.has(game.number, games_per_seed))
            && (arguments.only.is_empty()
                || arguments.only.iter().any(|name| name == names[game.agent]))
            && (arguments.seed.is_empty() || arguments.seed.contains(&game.seed))
    };
    let options = RunOptions {
        workers: run_shard::workers(arguments, &plan),
        show_stderr: arguments.show_stderr,
        wanted: &wanted,
        stop: watch.stop(),
    };
    let mut keeper = RunKeeper::new(&folder, &plan, !leftovers.records.is_empty());
    let outcome = run_stages::play(
        &plan,
        &mut leftovers,
        &mut log,
        &options,
        &arguments.seed,
        &mut progress,
        |event, progress| keeper.hear(event, progress),
    );
    progress.finish();
    let plan = keeper.finish(&progress);
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
            let n_faults = conclude(arguments, &plan, &folder, &progress)?;
            Ok(if arguments.strict && n_faults > 0 {
                exit_code::FAULTS
            } else {
                exit_code::OK
            })
        }
    }
}

/// Prints the ranking of a whole run; a shard ranks nobody. Returns the number of faults.
fn conclude(
    arguments: &RunArguments,
    plan: &RunPlan,
    folder: &RunFolder,
    progress: &Progress,
) -> Result<u64, CommandError> {
    if let Some(shard) = plan.shard {
        if arguments.only.is_empty() && arguments.seed.is_empty() {
            let name = &plan.tournament.name;
            progress.say(&run_shard::closing_words(shard, folder.path(), name));
        }
        return Ok(run_shard::n_faults(folder)?);
    }
    let n_faults = print_report(folder.path(), plan, arguments.format.format)?;
    progress.say(&format!(
        "the run is in {}; its page is report.html there",
        folder.path().display()
    ));
    Ok(n_faults)
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
