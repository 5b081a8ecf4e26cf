//! Why a plan cannot be read.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{run_files, salt_commitment::SaltCommitment, salt_file::SaltFileError};
use text::{
    plugin_words::{PluginWords, name_as_code},
    program,
};
use tournament::file::{TournamentSource, read_what_is_there};

/// Why a plan cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(
        "{} is not the folder of a run: it has no {file}; give a folder that `{}` wrote, \
         such as runs/NAME",
        name_as_code(.0),
        program::command("run"),
        file = run_files::PLAN
    )]
    NoRun(String),
    #[error("there is no folder {}; give a folder that `{}` wrote, such as runs/NAME", name_as_code(.0), program::command("run"))]
    NoFolder(String),
    #[error("`{file}` is a tournament file, not the folder of a run; its run is {}", run.display())]
    TournamentFile { file: String, run: PathBuf },
    #[error(
        "`{0}` is a file, not the folder of a run; give a folder that `{run}` wrote, such as runs/NAME",
        run = program::command("run")
    )]
    File(String),
    #[error("cannot read `{file}`: {source}")]
    Unreadable { file: String, source: io::Error },
    // Both repeat words of the plan. They are quoted, and not the source of this error, which
    // would be shown as it is.
    #[error(
        "{} is not a plan that this version of the host can read: {words}",
        name_as_code(file)
    )]
    Malformed { file: String, words: PluginWords },
    #[error(
        "{} was damaged or edited: its checksum does not match (if you have edited it, remove the \
         line `check`)",
        name_as_code(file)
    )]
    Damaged { file: String },
    #[error("{} is not a valid plan: {words}", name_as_code(file))]
    Invalid { file: String, words: PluginWords },
    #[error(
        "{} was written by host {host}, whose plans have format version {found}; this host reads \
         version {expected}; use that host",
        name_as_code(file)
    )]
    OtherVersion {
        file: String,
        found: u32,
        expected: u32,
        host: PluginWords,
    },
    #[error(
        "{0}; the run has not ended, so its salt is in this file and not in {plan} yet",
        plan = run_files::PLAN
    )]
    NoSalt(SaltFileError),
    #[error(
        "the salt of `{folder}` is not the one that the run was committed to: its commitment \
         is {found}, the plan says {committed}; give `{run}` the right one with --salt-file",
        run = program::command("run")
    )]
    OtherSalt {
        folder: String,
        found: SaltCommitment,
        committed: SaltCommitment,
    },
}

impl PlanError {
    /// Whether this user may not read a file that is there.
    pub(super) fn is_refused(&self) -> bool {
        let (Self::Unreadable { source, .. }
        | Self::NoSalt(SaltFileError::Unreadable { source, .. })) = self
        else {
            return false;
        };
        source.kind() == io::ErrorKind::PermissionDenied
    }

    /// Whether the run is damaged, rather than missing or out of reach.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Malformed { .. }
                | Self::Damaged { .. }
                | Self::Invalid { .. }
                | Self::OtherSalt { .. }
        )
    }

    /// Whether the plan is sound, but not the file with its salt.
    #[must_use]
    pub(super) fn is_loss_of_salt(&self) -> bool {
        matches!(self, Self::NoSalt(_)) && !self.is_refused()
    }

    /// What a folder is that was given as that of a run and has no plan.
    #[must_use]
    pub fn no_plan_in(folder: &Path) -> Self {
        let name = folder.display().to_string();
        if folder.exists() {
            Self::NoRun(name)
        } else {
            Self::NoFolder(name)
        }
    }

    /// What a file is that was given as the folder of a run.
    #[must_use]
    pub fn of_file(path: &Path) -> Self {
        let file = path.display().to_string();
        let is_yaml = path
            .extension()
            .is_some_and(|end| end == "yaml" || end == "yml");
        let source = TournamentSource::read(path).ok().filter(|_| is_yaml);
        match source.and_then(|source| read_what_is_there(&source, &mut Vec::new())) {
            Some(read) => Self::TournamentFile {
                file,
                run: run_files::usual_folder(&read.tournament.name),
            },
            None => Self::File(file),
        }
    }
}
