//! `host run`: plays the missing games of a tournament and prints the ranking.

mod event_file;
mod lost_plan;
mod opening_notes;
mod race;
mod run_progress;
mod shard_run;
mod standings;

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::anyhow;
use event_file::EventFile;
use lost_plan::LostPlan;
use opening_notes::{Changes, print_notes};
use play::{
    agents::entering::EnteredTournament,
    runner::{Event, Outcome, RunError, RunOptions},
};
use plugin_api::Salt;
use run::{
    counted::Counted,
    game_log::GameLog,
    game_plan::PlannedGame,
    leftovers::{Leftovers, SupersededRecords},
    machine::Machine,
    merge::{MergeError, Part, records_of_run},
    run_files,
    run_folder::{FolderError, Locking, RunFolder},
    run_plan::RunPlan,
    salt_file,
    stderr_files::StderrFiles,
    thought_files::ThoughtKeeper,
};
use run_progress::RunProgress;
use text::{names::suggestion, number_text::counted, program};
use tournament::SaltChoice;

use super::{
    CommandError, CommandResult, enter, folder_or_here,
    merge::merge_error,
    report::{print_report, where_the_rest_is},
    resuming_command,
};
use crate::command::{command_line::RunArguments, exit_code, interruption::InterruptionWatch};

pub(crate) fn run(arguments: &RunArguments) -> CommandResult {
    let shard = shard_run::chosen_shard(arguments)?;
    // Opening plugins needs no orderly end: a signal ends the program at once.
    let entered = enter(&arguments.file, &arguments.plugins.folders)?;
    check_selection(arguments, &entered)?;
    let EnteredTournament {
        tournament,
        agents,
        left_out,
        beside,
    } = entered;
    let watch = InterruptionWatch::start()?;
    let salt = shard_run::shared_salt(arguments, shard, tournament.salt)?;
    let path = shard_run::run_folder(arguments, shard, &tournament.name);
    warn_of_published_salt(arguments, &path, salt);
    let folder = open_folder(arguments, &path)?;
    let (earlier, lost) = LostPlan::or_earlier_plan(&folder)?;
    shard_run::check_part(&folder, earlier.as_ref(), shard)?;
    let salt = salt.or_else(|| left_salt(&folder, earlier.as_ref()));
    let has_salt = tournament.salt != SaltChoice::Secret || salt.is_some();
    let plan = RunPlan::new(tournament, agents, earlier.as_ref(), salt)
        .with_left_out(left_out)
        .for_shard(shard);
    let changes = earlier.as_ref().map(|it| Changes::between(it, &plan));
    let changes = changes.unwrap_or_default();
    let (mut leftovers, mut log) = match &lost {
        Some(lost) => lost.rebuild(arguments, &folder, &plan, has_salt)?,
        None => take_over(arguments, &folder, &plan, &changes)?,
    };
    log.stop_when_lost(watch.shared_stop());

    let workers = shard_run::workers(arguments, &plan);
    let mut progress = RunProgress::new(&plan, &leftovers, workers, arguments.verbose);
    if let Some(lost) = &lost {
        progress.print_line(&lost.note(arguments, &folder, &leftovers));
    }
    print_notes(&progress, &plan, &beside, &leftovers, &folder, &changes);
    if arguments.no_pin {
        progress.print_line("workers are not pinned; the kernel may move them between cores");
    }
    let games = plan.games();
    let games_per_seed = games.games_per_seed();
    let stage = shard_run::stage(arguments, &plan)?;
    let wanted = |game: &PlannedGame| {
        (plan.shard).is_none_or(|shard| shard.has(game.number, games_per_seed))
            && stage.as_ref().is_none_or(|stage| stage.has(&games, game))
            && (arguments.only.is_empty() || arguments.only.contains(&plan.agents[game.agent].name))
            && (arguments.seed.is_empty() || arguments.seed.contains(&game.seed))
    };
    let thoughts = thought_keeper(&plan, &folder);
    let options = RunOptions {
        workers,
        pinned: !arguments.no_pin,
        show_stderr: arguments.show_stderr,
        wanted: &wanted,
        stop: watch.stop(),
        thoughts: thoughts.as_ref(),
    };
    let events = EventFile::open(arguments.events.as_deref(), &plan, &leftovers)?;
    let mut writer = FolderWriter::new(&folder, &plan, !leftovers.played.is_empty());
    let outcome = race::play(
        &plan,
        &mut leftovers,
        &mut log,
        &options,
        &arguments.seed,
        &mut progress,
        |event, progress| {
            events.observe(event);
            writer.observe(event, progress);
            if let Event::Unanswered(error) = event {
                leave(&folder, progress, *error);
            }
        },
    );
    warn_of_missing_events(arguments, events.end(&outcome), &progress);
    progress.finish();
    // The report needs the memory.
    drop(leftovers);
    log.sync()
        .map_err(|error| CommandError::new(exit_code::UNEXPECTED, error))?;
    let plan = writer.finish(&progress);
    match outcome {
        Err(error) => {
            let message = anyhow!(with_next_step(&error));
            Err(CommandError::new(code_of(&error), message))
        }
        Ok(Outcome::Interrupted) => {
            print_interruption(&folder, &progress);
            Ok(exit_code::INTERRUPTED)
        }
        Ok(Outcome::Finished) => {
            let plan = publish_salt(arguments, plan, &folder, &progress)?;
            let n_faults = conclude(arguments, &plan, &folder, &progress)?;
            Ok(if arguments.strict && n_faults > 0 {
                exit_code::FAULTS
            } else {
                exit_code::OK
            })
        }
    }
}

/// Warns where a run in the same folder of runs has published the salt of --salt-file. A run that
/// continues after it has ended warns of its own.
fn warn_of_published_salt(arguments: &RunArguments, path: &Path, salt: Option<Salt>) {
    let (Some(file), Some(salt)) = (&arguments.salt_file, salt) else {
        return;
    };
    let runs = folder_or_here(path.parent().unwrap_or(Path::new("")));
    let folders = fs::read_dir(runs).into_iter().flatten().flatten();
    let published = folders.map(|entry| entry.path()).find(|folder| {
        let is_continued = folder.file_name() == path.file_name() && !arguments.fresh;
        let has_published = |plan: RunPlan| plan.published_salt == Some(salt);
        !is_continued && RunPlan::read(folder).is_ok_and(has_published)
    });
    if let Some(folder) = published {
        // If stderr is closed, the warning is lost.
        let _ = writeln!(
            io::stderr(),
            "warning: the salt in {} was published in {}, so agents may know the tiles; use another \
             file, which `{}` creates",
            file.display(),
            run_files::plan(&folder).display(),
            program::command("salt FILE")
        );
    }
}

fn open_folder(arguments: &RunArguments, path: &Path) -> Result<RunFolder, CommandError> {
    let locking = if arguments.no_lock {
        Locking::Unlocked
    } else {
        Locking::Locked
    };
    let folder = RunFolder::open_with(path, locking)?;
    if arguments.fresh {
        folder.start_anew()?;
    }
    Ok(folder)
}

fn warn_of_missing_events(
    arguments: &RunArguments,
    refused: Option<io::Error>,
    progress: &RunProgress,
) {
    if let (Some(error), Some(file)) = (refused, &arguments.events) {
        progress.print_line(&format!(
            "warning: some events are missing from `{}`: {error}",
            file.display()
        ));
    }
}

fn code_of(error: &RunError) -> u8 {
    match error {
        RunError::PluginReplaced { .. } => exit_code::CHANGED,
        _ => exit_code::UNEXPECTED,
    }
}

fn with_next_step(error: &RunError) -> String {
    format!("{error}\nresume with:\n  {}", resuming_command())
}

fn print_interruption(folder: &RunFolder, progress: &RunProgress) {
    progress.print_line(&format!(
        "interrupted; finished games are kept in {}\nresume with:\n  {}",
        folder.log_path().display(),
        resuming_command()
    ));
}

/// Ends the program although an agent in it does not return. Destructors are not run: the
/// agent may be using what they would free.
fn leave(folder: &RunFolder, progress: &RunProgress, error: Option<&RunError>) -> ! {
    if let Some(error) = error {
        progress.print_line(&format!("error: {}", with_next_step(error)));
        signal_hook::low_level::exit(i32::from(code_of(error)));
    }
    print_interruption(folder, progress);
    signal_hook::low_level::exit(i32::from(exit_code::INTERRUPTED))
}

/// Where the thoughts of agents are kept, if the tournament file asks for it.
fn thought_keeper(plan: &RunPlan, folder: &RunFolder) -> Option<ThoughtKeeper> {
    let limit = plan.tournament.thoughts?;
    Some(ThoughtKeeper::new(folder.path(), limit.get()))
}

/// The salt that a power cut left without its plan.
fn left_salt(folder: &RunFolder, earlier: Option<&RunPlan>) -> Option<Salt> {
    match earlier {
        Some(_) => None,
        None => salt_file::read(&run_files::salt(folder.path())).ok(),
    }
}

/// Takes over what earlier runs have left in the folder.
fn take_over(
    arguments: &RunArguments,
    folder: &RunFolder,
    plan: &RunPlan,
    changes: &Changes,
) -> Result<(Leftovers, GameLog), CommandError> {
    let settings = &changes.settings;
    // Authors change their agents all the time, and nothing is lost. Shards have to agree.
    let needs_no_consent = changes.only_agents && plan.shard.is_none();
    let consent =
        |superseded: &_| needs_no_consent || may_supersede(arguments, superseded, settings);
    let taken_over = folder.take_over(plan, consent);
    taken_over.map_err(|error| match error {
        FolderError::Superseding { .. } => {
            CommandError::new(exit_code::CHANGED, anyhow!("{error}{settings}"))
        }
        error => error.into(),
    })
}

/// Whether records may be set aside: a few always, more only with the user's consent.
fn may_supersede(arguments: &RunArguments, superseded: &SupersededRecords, changed: &str) -> bool {
    const FEW: u64 = 10;
    if arguments.supersede || superseded.total() <= FEW {
        return true;
    }
    let is_terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
    is_terminal && consents(superseded, changed)
}

fn consents(superseded: &SupersededRecords, changed: &str) -> bool {
    let question = format!(
        "{} old games no longer match the tournament ({superseded}){changed}. Set them aside in \
         {file} and play anew? [y/N] ",
        superseded.total(),
        file = run_files::SUPERSEDED_RECORDS,
    );
    let mut answer = String::new();
    let asked = write!(io::stderr(), "{question}").and_then(|()| io::stderr().flush());
    asked.is_ok()
        && io::stdin().read_line(&mut answer).is_ok()
        && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

/// Publishes a secret salt when the run has ended: all games of the plan are played, not
/// only some that were chosen, or those of a shard.
fn publish_salt(
    arguments: &RunArguments,
    plan: RunPlan,
    folder: &RunFolder,
    progress: &RunProgress,
) -> Result<RunPlan, CommandError> {
    let has_ended = plan.is_whole() && arguments.only.is_empty() && arguments.seed.is_empty();
    if !has_ended || plan.published_salt.is_some() {
        return Ok(plan);
    }
    check_completeness(&plan, folder)?;
    if arguments.hold_salt {
        progress.print_line(
            "the run has ended; its salt stays secret because of --hold-salt: the same command \
             without it publishes the salt",
        );
        return Ok(plan);
    }
    let plan = plan.with_published_salt();
    plan.write(folder.path()).map_err(|error| {
        let file = run_files::plan(folder.path());
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!(
                "all games are played and kept, but the salt cannot be published in `{}`: {error}; \
                 give the command again when the folder can be written",
                file.display()
            ),
        )
    })?;
    progress.print_line(&format!(
        "the run has ended; its salt is now in {}",
        run_files::plan(folder.path()).display()
    ));
    Ok(plan)
}

/// Whether every game can still be read: one that was damaged meanwhile is played again, and its
/// tiles must not be known then.
fn check_completeness(plan: &RunPlan, folder: &RunFolder) -> Result<(), CommandError> {
    let run = Part {
        folder: folder.path().to_path_buf(),
        plan: plan.clone(),
    };
    let records = match records_of_run(&run) {
        Ok(records) => records,
        // Two hosts without locks have played the same games.
        Err(MergeError::Contradictions(..)) => return Ok(()),
        Err(error) => return Err(merge_error(error)),
    };
    let n_missing = Counted::of(plan, &records).counts_of(&records).missing;
    if n_missing == 0 {
        return Ok(());
    }
    Err(CommandError::new(
        exit_code::UNEXPECTED,
        anyhow!(
            "the game log `{}` was damaged while games were played: it lacks {}; the salt stays \
             secret\nplay what is missing with:\n  {}",
            folder.log_path().display(),
            counted(n_missing, "game"),
            resuming_command()
        ),
    ))
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
        let is_all = arguments.only.is_empty() && arguments.seed.is_empty();
        if !is_all {
            let next_step = shard_run::step_after_chosen_games(shard, folder.path());
            progress.print_line(&next_step);
        } else if arguments.stage.is_none() {
            let name = &plan.tournament.name;
            progress.print_line(&shard_run::next_step(shard, folder.path(), name));
        }
        return Ok(shard_run::n_faults(folder)?);
    }
    let format = arguments.format.format;
    let n_faults = print_report(folder.path(), plan, format)?;
    progress.print_line(&where_the_rest_is(folder.path()));
    Ok(n_faults)
}

/// Whether the agents and seeds that the command line selects are there and play.
fn check_selection(
    arguments: &RunArguments,
    entered: &EnteredTournament,
) -> Result<(), CommandError> {
    let usage = |message: String| Err(CommandError::new(exit_code::USAGE, anyhow!(message)));
    let tournament = &entered.tournament;
    for name in &arguments.only {
        if let Some(left) = entered.left_out.iter().find(|left| left.name == *name) {
            let message = anyhow!("--only {name}: {}", left.sentence());
            return Err(CommandError::new(exit_code::PLUGIN, message));
        }
        if !tournament.agents.iter().any(|agent| agent.name == *name) {
            let names: Vec<&str> = tournament
                .agents
                .iter()
                .map(|agent| agent.name.as_str())
                .collect();
            return usage(format!(
                "--only {name}: there is no agent of this name; {}",
                suggestion(name, "agents", &names)
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

/// Writes to the run's folder what is not a record: the machine, and stderr before faults.
struct FolderWriter<'r> {
    folder: &'r RunFolder,
    plan: &'r RunPlan,
    /// Whether the log had records before.
    has_records: bool,
    stderr_files: StderrFiles,
    /// The plan with this machine, written when the first game begins.
    written: Option<RunPlan>,
}

impl<'r> FolderWriter<'r> {
    fn new(folder: &'r RunFolder, plan: &'r RunPlan, has_records: bool) -> Self {
        Self {
            folder,
            plan,
            has_records,
            stderr_files: StderrFiles::of_run(folder.path()),
            written: None,
        }
    }

    fn observe(&mut self, event: &Event<'_>, progress: &RunProgress) {
        match event {
            Event::Started { games, .. } if !games.is_empty() && self.written.is_none() => {
                let is_secret = self.plan.tournament.salt == SaltChoice::Secret;
                if is_secret && self.plan.published_salt.is_some() {
                    progress.print_line(
                        "warning: the run had ended and its salt was published, so agents may \
                         know the tiles of further games; --fresh draws a new salt",
                    );
                }
                self.write_machine(progress);
            }
            Event::GameEnded {
                record,
                stderr_tail,
            } if record.ending.is_fault() => {
                if let Err(error) = self.stderr_files.keep(record, stderr_tail) {
                    progress.print_line(&format!(
                        "warning: cannot write the stderr of {}: {error}",
                        record.agent
                    ));
                }
            }
            _ => (),
        }
    }

    /// Measures the machine while no worker plays, so that nothing disturbs the measurement.
    fn write_machine(&mut self, progress: &RunProgress) {
        let before = self.written.as_ref().map(|plan| &plan.machine);
        let machine = Machine::this().calibrated_at_best(before);
        let plan = self.plan.clone().continued_on(machine, self.has_records);
        if let Err(error) = plan.write(self.folder.path()) {
            progress.print_line(&format!(
                "warning: cannot write the machine to the plan: {error}"
            ));
        }
        self.written = Some(plan);
    }

    /// Measures the machine again after the games and keeps the higher speed, because other
    /// programs can only lower it. Returns the plan as it is in the folder.
    fn finish(mut self, progress: &RunProgress) -> RunPlan {
        if self.written.is_some() {
            self.write_machine(progress);
        }
        self.written.unwrap_or_else(|| self.plan.clone())
    }
}
