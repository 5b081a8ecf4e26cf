//! The options of `host submit`.

use std::{
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
};

use clap::{Args, ValueEnum};

use super::{FormatArgument, PluginFolders, at_least_one};

#[derive(Debug, Args)]
pub(crate) struct SubmitArguments {
    /// The tournament file
    pub(crate) file: PathBuf,
    /// The batch system that runs the jobs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: Engine,
    /// Number of shards to split the tournament into, each a task of a job array
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU32>)]
    pub(crate) shards: NonZeroU32,
    /// Folder for the merged run; its shards go to DIR.shards [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Number of games played at once in a shard, each on a core of its own [default: 1]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) workers: Option<NonZeroUsize>,
    /// Partition of the cluster
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// Time limit of a task, for example 2:00:00; games not played by then are submitted again
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// Further option for sbatch, for example --sbatch-arg=--account=games (may be repeated)
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) sbatch_arg: Vec<String>,
    /// Print the job script without submitting it
    #[arg(long)]
    pub(crate) print: bool,
    /// Ignore the run that is already in DIR; its game log is kept as games.N.old.jsonl
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

/// A batch system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    #[default]
    Slurm,
}
