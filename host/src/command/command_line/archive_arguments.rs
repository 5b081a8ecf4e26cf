//! The options of `host archive`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ArchiveArguments {
    /// The folder of the run to archive
    #[arg(required_unless_present_any = ["check", "extract"])]
    pub(crate) run: Option<PathBuf>,
    /// The archive [default: RUN.tar], or with --extract the folder of the run [default: the name
    /// of the tournament]
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Compare the files in an archive with their checksums instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "out", "extract"])]
    pub(crate) check: Option<PathBuf>,
    /// Make a run folder of an archive instead, after its checksums were compared
    #[arg(long, value_name = "FILE", conflicts_with = "run")]
    pub(crate) extract: Option<PathBuf>,
}
