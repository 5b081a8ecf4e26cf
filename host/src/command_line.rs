//! What can be typed.

use std::{
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
};

use arena2048::shard::Shard;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Fair, conclusive and repeatable tournaments of 2048 agents.
#[derive(Debug, Parser)]
#[command(name = "host", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    everything went well
  1    something unexpected, for example a full disk
  2    the command line is wrong
  3    the tournament file is missing or wrong
  4    a plugin is missing, cannot be used, or failed its check
  5    verification failed, or runs cannot be merged: they disagree or miss games
  6    agents committed faults, and --strict was given
  130  interrupted; the command that resumes was printed

Plugins are looked for by name (libNAME.so, NAME.so) in the folders of --plugins and
HOST_PLUGINS, beside the tournament file, beside this program, in ./agents, in
../lib/arena2048 seen from this program, and in ~/.local/share/arena2048/plugins.

An agent of your own: docs/writing-an-agent.md. A contest: docs/contest.md.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a tournament, or what is missing of it, and print the ranking
    Run(RunArguments),
    /// Show the plugins found, with their parameters
    List(ListArguments),
    /// Say what is right and wrong with plugins, claim by claim
    Check(CheckArguments),
    /// Begin an agent of your own, which builds and plays at once
    New(NewArguments),
    /// Replay every record of a run and say where it differs
    Verify(VerifyArguments),
    /// Print the tables of a run, or write its page, from its log alone
    Report(ReportArguments),
    /// Make one run of the shards of a tournament and print its ranking
    Merge(MergeArguments),
    /// Play a tournament on a cluster: submit its shards, follow them, merge them
    Submit(SubmitArguments),
    /// Show one game of a run in the terminal, move by move
    Replay(ReplayArguments),
    /// Show a page to watch agents play, replay games and follow tournaments
    Serve(ServeArguments),
    /// Find all solutions of deterministic 2048
    Solve(SolveArguments),
    /// Print the JSON Schema of the tournament file, for editors
    Schema,
    /// Print a script that completes commands in a shell
    Completions { shell: clap_complete::Shell },
    /// Hold one agent for one game (started by the host itself)
    #[command(hide = true)]
    Worker { parent: u32 },
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The tournament file
    pub(crate) file: PathBuf,
    /// Where plan, game log and reports go [default: runs/NAME; runs/NAME.shards/I-of-N for
    /// a shard]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Games at once; never more than there are cores [default: from the file; 1 for a shard]
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<NonZeroUsize>,
    /// Play only every N-th game, the I-th of N parts; `host merge` makes one run of them
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Where `salt: secret` takes the salt from that all shards share: 48 hexadecimal digits
    #[arg(long, value_name = "FILE")]
    pub(crate) salt_file: Option<PathBuf>,
    /// Play only this agent's games (may be repeated)
    #[arg(long, value_name = "AGENT")]
    pub(crate) only: Vec<String>,
    /// Play only the games of this seed (may be repeated)
    #[arg(long, value_name = "S")]
    pub(crate) seed: Vec<u64>,
    /// Show what agents print
    #[arg(long)]
    pub(crate) show_stderr: bool,
    /// Start anew; the old game log is kept beside the new one
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Exit with code 6 if an agent committed a fault
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Plugins by name or path, or folders of them
    #[arg(required = true, value_name = "PLUGIN")]
    pub(crate) plugin: Vec<String>,
    /// Parameters that the agents are made with, as in '{depth: 3}'
    #[arg(long, value_name = "YAML")]
    pub(crate) params: Option<String>,
    /// A file that the sandbox lets the agents read (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub(crate) allow_read: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// The agent's name: small letters, digits and `_`
    pub(crate) name: String,
    /// A C file and a Makefile instead of a crate
    #[arg(long)]
    pub(crate) c: bool,
    /// Where plugin-api lies [default: the checkout this program was built from; if that
    /// is gone, the registry]
    #[arg(long, value_name = "DIR")]
    pub(crate) plugin_api: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The folder of the run
    pub(crate) run: PathBuf,
    /// Ask the plugins again, where play is repeatable: without a budget in time
    #[arg(long)]
    pub(crate) rerun: bool,
    /// Ask only this agent again, and say how its games ended, budget in time or not
    #[arg(long, value_name = "AGENT", requires = "rerun")]
    pub(crate) agent: Option<String>,
    /// Ask again only on this seed
    #[arg(long, value_name = "S", requires = "agent")]
    pub(crate) seed: Option<u64>,
    /// Ask again only under this budget, as `host report` names it
    #[arg(long, value_name = "BUDGET", requires = "agent")]
    pub(crate) budget: Option<String>,
    /// Show what agents print when they are asked again
    #[arg(long, requires = "rerun")]
    pub(crate) show_stderr: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// The folder of the run
    pub(crate) run: PathBuf,
    /// Write the report as one self-contained page instead; `-` is the standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "methods"])]
    pub(crate) html: Option<PathBuf>,
    /// Print the paragraphs that a paper's methods section needs, as plain text
    #[arg(long, conflicts_with = "format")]
    pub(crate) methods: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// The folders of the shards
    #[arg(required = true)]
    pub(crate) run: Vec<PathBuf>,
    /// Where the whole run goes; what it holds already is kept
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Take what there is, though games are missing
    #[arg(long)]
    pub(crate) partial: bool,
    /// Set aside what DIR holds; the old game log is kept beside the new one
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct SubmitArguments {
    /// The tournament file
    pub(crate) file: PathBuf,
    /// Who runs the jobs
    #[arg(long, value_enum)]
    pub(crate) engine: Engine,
    /// How many shards to cut the tournament into, each a task of a job array
    #[arg(long, value_name = "N", value_parser = number_of_shards)]
    pub(crate) shards: NonZeroU32,
    /// Where the whole run goes; its shards go to DIR.shards [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Games at once in one shard, each on a core of its own [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<NonZeroUsize>,
    /// The partition of the cluster
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// The time limit of a task, as in 2:00:00; what is not played by then is submitted again
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// Another option for sbatch, as in --sbatch-arg=--account=games (may be repeated)
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) sbatch_arg: Vec<String>,
    /// Print the job script and submit nothing
    #[arg(long)]
    pub(crate) print: bool,
    /// Set aside what DIR holds; the old game log is kept beside the new one
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

/// What runs the jobs of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Slurm,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The folder of the run
    pub(crate) run: PathBuf,
    /// The agent whose game is shown
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: String,
    /// The seed of the game
    #[arg(long, value_name = "S")]
    pub(crate) seed: u64,
    /// The budget's label, where the run has several, as in '1ms cpu'
    #[arg(long, value_name = "LABEL")]
    pub(crate) budget: Option<String>,
    /// Moves a second on a terminal
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = positive)]
    pub(crate) speed: f64,
    /// Show the board after this move first; 0 is the start
    #[arg(long, value_name = "MOVE", default_value_t = 0)]
    pub(crate) from: u64,
    /// Stop after this move [default: the last one]
    #[arg(long, value_name = "MOVE")]
    pub(crate) to: Option<u64>,
}

/// A name that was mistyped would silently be no help.
fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_dir() {
        Ok(path)
    } else {
        Err("there is no such folder".to_owned())
    }
}

fn number_of_shards(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| "a whole number from 1 on is needed".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a number above 0 is needed".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Runs to show, or folders of runs; they may begin later [default: runs]
    pub(crate) run: Vec<PathBuf>,
    /// The port; 0 is any that is free
    #[arg(long, value_name = "P", default_value_t = 2048)]
    pub(crate) port: u16,
    /// Who may see the page: 127.0.0.1 is this machine, 0.0.0.0 everybody who can reach it
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) address: std::net::IpAddr,
    /// Where games are saved that were watched
    #[arg(long, value_name = "DIR", default_value = "runs/watched")]
    pub(crate) out: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
}

#[derive(Debug, Args)]
pub(crate) struct SolveArguments {
    /// The board's side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=8))]
    pub(crate) size: u8,
    /// The tile to reach
    #[arg(long, value_name = "G")]
    pub(crate) goal: u64,
    /// Print every solution instead of counting over states
    #[arg(long)]
    pub(crate) list: bool,
    /// How many solutions to show as examples when they are not listed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) examples: u64,
    /// The most memory the search may use, as in 512MiB or 2GiB
    #[arg(long, value_name = "SIZE", default_value = "2GiB")]
    pub(crate) memory: String,
    /// The plugin that solves
    #[arg(long, value_name = "PLUGIN", default_value = "backtracking")]
    pub(crate) plugin: String,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct PluginFolders {
    /// Look for plugins here first (may be repeated)
    #[arg(long = "plugins", value_name = "DIR", value_parser = folder)]
    pub(crate) folders: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct FormatArgument {
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Table,
    Json,
    Csv,
    Markdown,
}
