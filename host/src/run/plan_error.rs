//! Why a plan cannot be read.

use std::io;

use super::{run_files, salt_commitment::SaltCommitment, salt_file::SaltFileError};

/// Why a plan cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(
        "`{0}` is not the folder of a run: it has no {file}; give a folder that `host run` wrote, \
         such as runs/NAME",
        file = run_files::PLAN
    )]
    NoRun(String),
    #[error("cannot read `{file}`: {source}")]
    Unreadable { file: String, source: io::Error },
    #[error("`{file}` is not a plan that this version of the host can read: {source}")]
    Malformed {
        file: String,
        source: serde_json::Error,
    },
    #[error("`{file}` is not a valid plan: {sentence}")]
    Invalid { file: String, sentence: String },
    #[error(
        "{0}; the run has not ended, so that its salt is in this file and not in {plan} yet",
        plan = run_files::PLAN
    )]
    NoSalt(SaltFileError),
    #[error(
        "the salt of `{folder}` is not the one that the run was committed to: its commitment \
         is {found}, the plan says {committed}"
    )]
    OtherSalt {
        folder: String,
        found: SaltCommitment,
        committed: SaltCommitment,
    },
}
