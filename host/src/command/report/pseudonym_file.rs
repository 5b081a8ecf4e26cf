//! `--pseudonyms FILE`: the file, and a copy of the run in which nobody can be recognized.

use std::{
    fs,
    io::{self, ErrorKind, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use anyhow::anyhow;

use crate::{
    cluster::merge::{Merger, Part},
    command::{CommandError, exit_code, merge::merge_error},
    report::run_report::RunReport,
    run::{
        atomic_file,
        pseudonyms::{DisguiseError, DisguisedRun, Pseudonyms},
        run_plan::RunPlan,
        salt_file,
    },
    text::number_text::counted,
};

/// Reads the file, adds the agents of the plan that it lacks, and writes it.
pub(super) fn pseudonyms_in(file: &Path, plan: &RunPlan) -> Result<Pseudonyms, CommandError> {
    let usage = |message: String| {
        let message = anyhow!("--pseudonyms {}: {message}", file.display());
        CommandError::new(exit_code::USAGE, message)
    };
    let mut pseudonyms = match fs::read_to_string(file) {
        Ok(text) => Pseudonyms::parse(&text).map_err(usage)?,
        Err(error) if error.kind() == ErrorKind::NotFound => Pseudonyms::default(),
        Err(error) => return Err(usage(error.to_string())),
    };
    let n_new = pseudonyms.complete(plan, &salt_file::draw());
    if n_new > 0 {
        atomic_file::replace_private(file, pseudonyms.to_text())?;
        // If stderr is closed, nobody reads the message.
        let _ = writeln!(
            io::stderr(),
            "{} in {}; keep this file to yourself",
            counted(n_new as u64, "new pseudonym"),
            file.display()
        );
    }
    Ok(pseudonyms)
}

/// A run with pseudonyms.
pub(super) struct DisguisedFolder {
    pub(super) path: PathBuf,
    pub(super) plan: RunPlan,
    is_temporary: bool,
}

impl DisguisedFolder {
    /// Writes the run to `copy`, or to a folder that exists as long as this value.
    pub(super) fn of(
        run: &Path,
        plan: &RunPlan,
        pseudonyms: &Pseudonyms,
        copy: Option<&Path>,
    ) -> Result<Self, CommandError> {
        let disguised = DisguisedRun::new(plan, pseudonyms)?;
        if let Some(copy) = copy {
            check_publishable(plan, copy)?;
        }
        let path = match copy {
            Some(copy) => copy.to_path_buf(),
            None => private_folder()?,
        };
        let folder = Self {
            path,
            plan: disguised.plan.clone(),
            is_temporary: copy.is_none(),
        };
        let counted = RunReport::read(run, plan)?.counted_games(plan);
        let first_missing = first_missing_game(run, plan)?;
        disguised.write(run, &folder.path, first_missing, |game| {
            counted.contains(&game)
        })?;
        Ok(folder)
    }
}

impl Drop for DisguisedFolder {
    fn drop(&mut self) {
        if self.is_temporary {
            // What cannot be removed is in a folder that only its owner can open.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// The first game that has yet to be played, if the run has not ended.
fn first_missing_game(run: &Path, plan: &RunPlan) -> Result<Option<u64>, CommandError> {
    let parts = [Part {
        folder: run.to_path_buf(),
        plan: plan.clone(),
    }];
    let merger = Merger::new(&parts).map_err(merge_error)?;
    Ok(merger.first_missing)
}

impl From<DisguiseError> for CommandError {
    fn from(error: DisguiseError) -> Self {
        let code = match error {
            DisguiseError::Io(_) => exit_code::UNEXPECTED,
            _ => exit_code::USAGE,
        };
        Self::new(code, error)
    }
}

/// A copy is for everyone: it may not hold a secret, nor replace something else.
fn check_publishable(plan: &RunPlan, copy: &Path) -> Result<(), CommandError> {
    let usage = |message| Err(CommandError::new(exit_code::USAGE, anyhow!("{message}")));
    let shown = copy.display();
    if plan.published_salt.is_none() {
        return usage(format!(
            "--copy {shown}: the run has not ended, so that its salt is still secret"
        ));
    }
    let is_other_run = match RunPlan::read(copy) {
        Ok(earlier) => !earlier.is_disguised(),
        Err(_) => fs::read_dir(copy).is_ok_and(|mut files| files.next().is_some()),
    };
    if is_other_run {
        return usage(format!(
            "--copy {shown}: there is something else in this folder; choose another"
        ));
    }
    Ok(())
}

/// A new folder that only its owner can open.
fn private_folder() -> io::Result<PathBuf> {
    let name = format!("arena2048-{}", salt_file::draw());
    let path = std::env::temp_dir().join(name);
    fs::DirBuilder::new().mode(0o700).create(&path)?;
    Ok(path)
}
