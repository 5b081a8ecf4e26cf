//! `host run`: plays the missing games of a tournament and prints the ranking.

mod folder_writer;
mod race;
mod run_progress;
mod shard_run;

use crate::{
    command::{command_line::RunArguments, exit_code, interruption::InterruptionWatch},
    play::runner::{Outcome, RunOptions},
    run::{
        game_plan::PlannedGame,
        run_files,
        run_folder::{FolderError, Leftovers, RunFolder},
        run_plan::RunPlan,
    },
    tournament::{BudgetLimit, Tournament},
};
use anyhow::anyhow;
use plugin_api::Limits;

use super::{
    CommandError, CommandResult,
    entered_tournament::{EnteredTournament, enter},
    report::print_report,
    resuming_command::resuming_command,
};
use folder_writer::FolderWriter;
use run_progress::RunProgress;

pub(crate) fn run(arguments: &RunArguments) -> CommandResult {
    let watch = InterruptionWatch::start()?;
    let EnteredTournament { tournament, agents } =
        enter(&arguments.file, &arguments.plugins.folders, |tournament| {
            check_selection(arguments, tournament)
        })?;
    let salt = shard_run::shared_salt(arguments, tournament.salt)?;
    let unexpected = |error: FolderError| CommandError::new(exit_code::UNEXPECTED, error);
    let folder =
        RunFolder::open(&shard_run::run_folder(arguments, &tournament.name)).map_err(unexpected)?;
    if arguments.fresh {
        folder.start_anew().map_err(unexpected)?;
    }
    let earlier = folder.earlier_plan().map_err(unexpected)?;
    shard_run::check_part(&folder, earlier.as_ref(), arguments.shard)?;
    let plan = RunPlan::new(tournament, agents, earlier.as_ref(), salt).for_shard(arguments.shard);
    let (mut leftovers, mut log) = folder.take_over(&plan).map_err(unexpected)?;

    let mut progress = RunProgress::new(&plan, &leftovers);
    print_notes(&progress, &plan, &leftovers, &folder);
    let names: Vec<&str> = plan
        .agents
        .iter()
        .map(|agent| agent.name.as_str())
        .collect();
    let games_per_seed = plan.games().games_per_seed();
    let wanted = |game: &PlannedGame| {
        (plan.shard).is_none_or(|shard| shard.has(game.number, games_per_seed))
            && (arguments.only.is_empty()
                || arguments.only.iter().any(|name| name == names[game.agent]))
            && (arguments.seed.is_empty() || arguments.seed.contains(&game.seed))
    };
    let options = RunOptions {
        workers: shard_run::workers(arguments, &plan),
        show_stderr: arguments.show_stderr,
        wanted: &wanted,
        stop: watch.stop(),
    };
    let mut writer = FolderWriter::new(&folder, &plan, !leftovers.records.is_empty());
    let outcome = race::play(
        &plan,
        &mut leftovers,
        &mut log,
        &options,
        &arguments.seed,
        &mut progress,
        |event, progress| writer.observe(event, progress),
    );
    progress.finish();
    let plan = writer.finish(&progress);
    match outcome {
        Err(error) => Err(CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!("{error}\nresume with:\n  {}", resuming_command()),
        )),
        Ok(Outcome::Interrupted) => {
            progress.print_line(&format!(
                "interrupted; finished games are kept in {}\nresume with:\n  {}",
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

/// Prints the ranking of a whole run, or what to do with a shard. Returns the number of
/// faults.
fn conclude(
    arguments: &RunArguments,
    plan: &RunPlan,
    folder: &RunFolder,
    progress: &RunProgress,
) -> Result<u64, CommandError> {
    if let Some(shard) = plan.shard {
        if arguments.only.is_empty() && arguments.seed.is_empty() {
            let name = &plan.tournament.name;
            progress.print_line(&shard_run::next_step(shard, folder.path(), name));
        }
        return Ok(shard_run::n_faults(folder)?);
    }
    let n_faults = print_report(folder.path(), plan, arguments.format.format)?;
    progress.print_line(&format!(
        "report page: {}",
        run_files::report_page(folder.path()).display()
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
                "--only {name}: there is no agent of this name; the agents are {}",
                names.join(", ")
            ));
        }
    }
    for seed in &arguments.seed {
        if !tournament.planned_seeds().contains(*seed) {
            return usage(format!(
                "--seed {seed}: not one of the tournament's seeds ({})",
                tournament.planned_seeds()
            ));
        }
    }
    Ok(())
}

/// Prints what a user should know before the games begin.
fn print_notes(progress: &RunProgress, plan: &RunPlan, leftovers: &Leftovers, folder: &RunFolder) {
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
    if leftovers.n_superseded > 0 {
        progress.print_line(&format!(
            "records that do not match the plugin files, parameters, rules or seeds were moved to {}: {}",
            run_files::SUPERSEDED_RECORDS,
            leftovers.n_superseded
        ));
    }
    for budget in &plan.tournament.budgets {
        let (needed, what) = match budget.limit {
            BudgetLimit::Nodes(_) => (Limits::Nodes, "nodes"),
            BudgetLimit::Time { .. } => (Limits::Time, "time"),
            BudgetLimit::None => continue,
        };
        for agent in &plan.agents {
            if !agent.plugin.info.honours.contains(&needed) {
                progress.print_line(&format!(
                    "note: {} does not support a budget in {what}; it plays as it would without one",
                    agent.name
                ));
            }
        }
    }
}
