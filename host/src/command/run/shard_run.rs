//! What is different when a host plays one shard of a tournament.

use std::{
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use run::{
    game_log::{self, LogLine},
    run_files,
    run_folder::RunFolder,
    run_plan::RunPlan,
    shard::Shard,
    stage::Stage,
};
use text::{program, shell_word::quoted_path};
use tournament::SaltChoice;

use crate::command::{self, CommandError, command_line::RunArguments, exit_code};
use anyhow::anyhow;
use plugin_api::Salt;

/// The shard that the options choose.
pub(super) fn chosen_shard(arguments: &RunArguments) -> Result<Option<Shard>, CommandError> {
    let (Some(index), Some(of)) = (arguments.shard_index, arguments.shards) else {
        return Ok(arguments.shard);
    };
    let shard = Shard::with_index(index, of);
    shard.map(Some).ok_or_else(|| {
        let last = of.get() - 1;
        let message = format!("--shard-index {index}: with --shards {of} the last index is {last}");
        CommandError::new(exit_code::USAGE, anyhow!(message))
    })
}

/// The folder for plan, game log and reports.
pub(super) fn run_folder(arguments: &RunArguments, shard: Option<Shard>, name: &str) -> PathBuf {
    let whole = || run_files::usual_folder(name);
    match (&arguments.out, shard) {
        (Some(out), _) => out.clone(),
        (None, None) => whole(),
        (None, Some(shard)) => run_files::shards_folder(&whole()).join(shard.folder_name()),
    }
}

/// A shard is one of many that share a machine, so by default it plays one game at a time.
pub(super) fn workers(arguments: &RunArguments, plan: &RunPlan) -> Option<NonZeroUsize> {
    let of_shard = || plan.shard.map(|_| NonZeroUsize::MIN);
    let of_file = plan.tournament.workers;
    arguments.workers.or(of_file).or_else(of_shard)
}

/// The salt that all shards share. A shard must not draw its own: the shards would play
/// different tiles, and only the merge would notice.
pub(super) fn shared_salt(
    arguments: &RunArguments,
    shard: Option<Shard>,
    choice: SaltChoice,
) -> Result<Option<Salt>, CommandError> {
    let usage = |message: String| CommandError::new(exit_code::USAGE, anyhow!(message));
    let is_secret = choice == SaltChoice::Secret;
    match &arguments.salt_file {
        Some(file) if !is_secret => Err(usage(format!(
            "--salt-file {}: the option needs `salt: secret` in the tournament file, which \
             has `salt: {choice}`",
            file.display()
        ))),
        Some(file) => command::shared_salt(file).map(Some),
        None if is_secret && shard.is_some_and(|shard| !shard.is_whole()) => Err(usage(format!(
            "the tournament file says `salt: secret`, so all shards need the same salt: pass it \
             with --salt-file (`{}` creates one), or use `{}`, which creates it",
            program::command("salt FILE"),
            program::command("submit")
        ))),
        None => Ok(None),
    }
}

/// Rejects a folder that holds a different part of the games.
pub(super) fn check_part(
    folder: &RunFolder,
    earlier: Option<&RunPlan>,
    shard: Option<Shard>,
) -> Result<(), CommandError> {
    let named = |shard: Option<Shard>| {
        shard.map_or("a whole run".to_owned(), |shard| format!("shard {shard}"))
    };
    match earlier {
        Some(earlier) if earlier.shard != shard => Err(CommandError::new(
            exit_code::USAGE,
            anyhow!(
                "`{}` contains {}, not {}; choose another folder with --out, or start this one \
                 anew with --fresh",
                folder.path().display(),
                named(earlier.shard),
                named(shard)
            ),
        )),
        _ => Ok(()),
    }
}

/// What to do next when a shard is complete.
pub(super) fn next_step(shard: Shard, folder: &Path, name: &str) -> String {
    let is_usual = folder
        .file_name()
        .is_some_and(|file_name| *file_name == *shard.folder_name());
    let parent = folder.parent().filter(|_| is_usual);
    let shards = parent.map(|parent| {
        let all = format!("*-of-{}", shard.of());
        if parent.as_os_str().is_empty() {
            all
        } else {
            format!("{}/{all}", quoted_path(parent))
        }
    });
    let (program, folder) = (program::as_called(), folder.display());
    let out = quoted_path(&run_files::usual_folder(name));
    match shards {
        Some(shards) => format!(
            "shard {shard} is complete in {folder}; when all shards are complete, merge them \
             with:\n  {program} merge {shards} --out {out}"
        ),
        // The folders of the other shards are unknown.
        None => format!(
            "shard {shard} is complete in {folder}; when all shards are complete, merge this \
             folder and those of the other shards with `{program} merge FOLDERS --out {out}`"
        ),
    }
}

/// The stage that is played, if there is one.
pub(super) fn stage(
    arguments: &RunArguments,
    plan: &RunPlan,
) -> Result<Option<Stage>, CommandError> {
    let Some(file) = &arguments.stage else {
        return Ok(None);
    };
    let unreadable = |error: io::Error| {
        let file = file.display();
        let error = anyhow!("cannot read the stage `{file}`: {error}");
        CommandError::new(exit_code::UNEXPECTED, error)
    };
    Stage::read(file, plan).map(Some).map_err(unreadable)
}

/// What to do next when only some games of a shard were chosen.
pub(super) fn step_after_chosen_games(shard: Shard, folder: &Path) -> String {
    format!(
        "the chosen games of shard {shard} are in {}; the same command without --only and --seed \
         plays the others",
        folder.display()
    )
}

/// How many games ended with a fault.
pub(super) fn n_faults(folder: &RunFolder) -> io::Result<u64> {
    let mut n_faults = 0;
    game_log::read(&folder.log_path(), |_, line| {
        let is_fault = matches!(line, LogLine::Record(record) if record.ending.is_fault());
        n_faults += u64::from(is_fault);
    })?;
    Ok(n_faults)
}
