//! What is different where a host plays one shard of a tournament.

use std::{
    fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use anyhow::anyhow;
use arena2048::{
    exit_code,
    game_log::{self, LogLine},
    run_folder::RunFolder,
    run_plan::RunPlan,
    shard::Shard,
    shell_word::quoted,
    tournament::SaltChoice,
};
use plugin_api::Salt;

use super::CommandError;
use crate::command_line::RunArguments;

/// Where plan, game log and reports go.
pub(super) fn run_folder(arguments: &RunArguments, name: &str) -> PathBuf {
    let whole = || Path::new("runs").join(name);
    match (&arguments.out, arguments.shard) {
        (Some(out), _) => out.clone(),
        (None, None) => whole(),
        (None, Some(shard)) => folder_of_shards(&whole()).join(shard.folder_name()),
    }
}

/// The folder beside a run that holds those of its shards.
pub(super) fn folder_of_shards(run: &Path) -> PathBuf {
    let mut name = run.as_os_str().to_owned();
    name.push(".shards");
    name.into()
}

/// A shard is one of many that share a machine, so it plays one game at a time unless
/// told otherwise.
pub(super) fn workers(arguments: &RunArguments, plan: &RunPlan) -> Option<NonZeroUsize> {
    let of_shard = || arguments.shard.map(|_| NonZeroUsize::MIN);
    let of_file = plan.tournament.workers;
    arguments.workers.or(of_file).or_else(of_shard)
}

/// The salt that is handed to all shards. A shard must not draw one: each would play
/// on other tiles, and nobody would notice before the merge.
pub(super) fn shared_salt(
    arguments: &RunArguments,
    choice: SaltChoice,
) -> Result<Option<Salt>, CommandError> {
    let usage = |message: String| CommandError::new(exit_code::USAGE, anyhow!(message));
    let is_secret = choice == SaltChoice::Secret;
    match &arguments.salt_file {
        Some(file) if !is_secret => Err(usage(format!(
            "--salt-file {}: the tournament says `salt: {choice}`; only `salt: secret` takes its \
             salt from a file",
            file.display()
        ))),
        Some(file) => read_salt(file).map(Some),
        None if is_secret && arguments.shard.is_some_and(|shard| !shard.is_whole()) => Err(usage(
            "the tournament says `salt: secret`, and all shards need the same salt: hand it \
                 over with --salt-file (docs/cluster.md says how to draw one), or let `host \
                 submit` draw it"
                .to_owned(),
        )),
        None => Ok(None),
    }
}

pub(super) fn read_salt(file: &Path) -> Result<Salt, CommandError> {
    let wrong = |reason: String| {
        let message = format!("the salt file `{}` {reason}", file.display());
        CommandError::new(exit_code::USAGE, anyhow!(message))
    };
    let text =
        fs::read_to_string(file).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    // The text is not shown: it is a secret, though perhaps a mistyped one.
    Salt::from_hex(text.trim())
        .map_err(|_| wrong("does not hold 48 hexadecimal digits and nothing else".to_owned()))
}

/// Refuses to continue a folder that holds another part of the games.
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
                "`{}` holds {}, not {}: give each a folder of its own with --out, or start this one \
                 anew with --fresh",
                folder.path().display(),
                named(earlier.shard),
                named(shard)
            ),
        )),
        _ => Ok(()),
    }
}

/// What to do with a shard that is complete.
pub(super) fn closing_words(shard: Shard, folder: &Path, name: &str) -> String {
    let is_usual = folder
        .file_name()
        .is_some_and(|file_name| *file_name == *shard.folder_name());
    let shards = match folder.parent() {
        Some(beside) if is_usual && beside.as_os_str().is_empty() => {
            format!("*-of-{}", shard.of())
        }
        Some(beside) if is_usual => {
            format!(
                "{}/*-of-{}",
                quoted(&beside.display().to_string()),
                shard.of()
            )
        }
        // Where the others are, only who started them knows.
        _ => format!("{} ...", quoted(&folder.display().to_string())),
    };
    format!(
        "shard {shard} is complete, in {}; once all are, this makes one run of them:\n  \
         host merge {shards} --out {}",
        folder.display(),
        quoted(&Path::new("runs").join(name).display().to_string())
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
