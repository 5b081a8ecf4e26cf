//! The options of `host report` for contests.

use std::path::PathBuf;

use clap::Args;

/// The options of `host report` for contests.
#[derive(Debug, Args)]
pub(crate) struct ContestArguments {
    /// Show agents under pseudonyms, from a CSV file that is created or completed if needed
    #[arg(long, value_name = "FILE")]
    pub(crate) pseudonyms: Option<PathBuf>,
    /// Also write a copy of the run under pseudonyms, which everyone may see and verify
    #[arg(long, value_name = "DIR", requires = "pseudonyms")]
    pub(crate) copy: Option<PathBuf>,
    /// Write a page for each participant to DIR instead, about their own games, place and faults
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "methods", "html", "figures", "copy"])]
    pub(crate) participants: Option<PathBuf>,
}
