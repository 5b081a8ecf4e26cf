//! `host archive`: a run in one file, and back.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    command::{command_line::ArchiveArguments, exit_code},
    report::{formats::json, run_report::RunReport},
    run::{
        archive::{self, ArchiveError, ArchivedReport},
        run_folder::RunFolder,
        run_plan::RunPlan,
    },
    text::{
        number_text::{count, counted},
        printable::printable_lines,
        shell_word::{called_program, quoted_path},
    },
};
use anyhow::anyhow;

use super::{CommandError, CommandResult};

pub(crate) fn archive(arguments: &ArchiveArguments) -> CommandResult {
    let line = if let Some(file) = &arguments.check {
        let summary = archive::check(file).map_err(archive_error)?;
        let n_files = counted(summary.n_files as u64, "file");
        format!(
            "intact: {n_files} of run {}, all as their checksums say",
            summary.name
        )
    } else if let Some(file) = &arguments.extract {
        let (_, folder) =
            archive::extract(file, arguments.out.as_deref()).map_err(archive_error)?;
        format!(
            "unpacked into {}; replay its records with:\n  {} verify {}",
            folder.display(),
            called_program(),
            quoted_path(&folder)
        )
    } else if let Some(run) = &arguments.run {
        archive_run(run, arguments.out.as_deref())?
    } else {
        unreachable!("clap requires a run");
    };
    writeln!(io::stdout(), "{}", printable_lines(&line))?;
    Ok(exit_code::OK)
}

fn archive_run(run: &Path, out: Option<&Path>) -> Result<String, CommandError> {
    let usage = |error: anyhow::Error| CommandError::new(exit_code::USAGE, error);
    let plan = RunPlan::read(run)?;
    let file = out.map_or_else(|| archive_beside(run), Path::to_path_buf);
    if fs::symlink_metadata(&file).is_ok() {
        let file = file.display();
        return Err(usage(anyhow!(
            "`{file}` exists; remove it, or choose another file with --out"
        )));
    }
    let _lock = RunFolder::lock_for_reading(run)
        .map_err(|error| CommandError::new(exit_code::UNEXPECTED, error))?;
    let report = RunReport::read(run, &plan)?;
    let games = report.report.games;
    let archived = ArchivedReport {
        json: &json::json(&report.report).map_err(io::Error::from)?,
        page: &report.page(run, &plan)?,
        games: &serde_json::to_value(games).map_err(io::Error::from)?,
    };
    let summary = archive::write(run, &plan, archived, &file).map_err(|error| {
        let file = file.display();
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!("cannot archive `{}` in `{file}`: {error}", run.display()),
        )
    })?;
    let (played, missing) = games.map_or((0, 0), |games| (games.played, games.missing));
    if missing > 0 {
        warn(&format!(
            "the run is incomplete: missing games: {}",
            count(missing)
        ));
    }
    if summary.has_secret_salt {
        warn(
            "the run has not ended and its salt is secret; the archive contains the salt, so keep \
             it to yourself",
        );
    }
    let (program, name) = (called_program(), quoted_path(&file));
    Ok(format!(
        "archived {} in {} bytes: {}\ncheck it with:\n  {program} archive --check {name}\nmake a \
         run folder of it with:\n  {program} archive --extract {name}",
        counted(played, "record"),
        count(summary.n_bytes),
        file.display()
    ))
}

/// `RUN.tar`, beside the folder of the run.
fn archive_beside(run: &Path) -> PathBuf {
    // `.` and `..` have no name of their own.
    let run = run.canonicalize().unwrap_or_else(|_| run.to_path_buf());
    let mut name = run.into_os_string();
    name.push(".tar");
    name.into()
}

fn archive_error(error: ArchiveError) -> CommandError {
    let code = match error {
        ArchiveError::Damaged { .. } => exit_code::VERIFICATION,
        ArchiveError::Unreadable { .. }
        | ArchiveError::NotAnArchive { .. }
        | ArchiveError::Exists(_) => exit_code::USAGE,
        ArchiveError::Unwritable { .. } => exit_code::UNEXPECTED,
    };
    CommandError::new(code, error)
}

fn warn(sentence: &str) {
    // If stderr is closed, nobody reads the warning.
    let _ = writeln!(io::stderr(), "warning: {sentence}");
}
