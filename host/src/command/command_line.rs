//! The command line: every command and option, with its help.

use std::{
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use author::new_agent::Language;
use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PathBufValueParser, TypedValueParser},
};
use plugin_api::Side;
use report::formats::report_table::ReportTable;
use run::{salt_commitment::SaltCommitment, shard::Shard};
use text::duration_text::parse_duration;

use super::{
    asked::{AgentArguments, PositionArguments},
    option_values::{at_least_one, folder, goal, millimetres, port, positive, side, whole_number},
    shipped_tournaments::tournament_file,
};

/// Fair, conclusive and repeatable tournaments of 2048 agents.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Exit codes:
  0    success
  1    unexpected error, for example a full disk
  2    invalid command line
  3    missing or invalid tournament file
  4    missing or unusable plugin, invalid parameters, or a plugin or environment failed its check
  5    a run is damaged or incomplete, or runs cannot be merged
  6    an agent committed a fault, and --strict was given
  7    rules or seeds have changed for more than ten games, and --supersede was not given
  130  interrupted

Plugins are searched for by name (libNAME.so, NAME.so) in the folders given with --plugins, in
HOST_PLUGINS, in the folder of the tournament file, in the folder of this program, in ./agents,
in ../lib/arena2048 relative to this program, and in ~/.local/share/arena2048/plugins.

To write an agent, see docs/writing-an-agent.md; to hold a contest, docs/contest.md.";

// The headings of the options of `host run`.
const WHAT: &str = "What to play";
const FOLDER: &str = "The folder of the run";
const MESSAGES: &str = "Messages";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play the missing games of a tournament and print the ranking
    Run(RunArguments),
    /// List the plugins found, or show one with its parameters
    List(ListArguments),
    /// Check plugins against the requirements for agents
    Check(CheckArguments),
    /// Check another 2048 environment against the rules `2048-v1`
    Conform(ConformArguments),
    /// Create a new agent that builds and plays right away
    New(NewArguments),
    /// Replay every record of a run and report differences
    Verify(VerifyArguments),
    /// Print the tables of a run, or write its report page
    Report(ReportArguments),
    /// Merge the shards of a tournament into one run and print the ranking
    Merge(MergeArguments),
    /// Play a tournament on a cluster: submit its shards, follow and merge them
    Submit(SubmitArguments),
    /// Show one game of a run in the terminal, move by move
    Replay(ReplayArguments),
    /// Serve a web page to watch agents play, replay games and follow tournaments
    Serve(ServeArguments),
    /// Ask agents which move they would play on a board
    Ask(AskArguments),
    /// Show how an agent chooses its move on a board: the tree that it searches
    Explain(ExplainArguments),
    /// Find all solutions of deterministic 2048
    Solve(SolveArguments),
    /// Create a file with a secret salt, unless it exists, and print the commitment to it
    Salt(SaltArguments),
    /// Print the JSON Schema of the tournament file, for editors
    Schema,
    /// Print a completion script for a shell
    Completions { shell: clap_complete::Shell },
    /// Run one agent for one game (started by the host itself)
    #[command(hide = true)]
    Worker { parent: u32 },
    /// Start workers (started by the host itself)
    #[command(hide = true)]
    Launcher { parent: u32 },
}

#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct RunArguments {
    /// The tournament file, or the name of a shipped tournament, such as `default`
    #[arg(value_parser = PathBufValueParser::new().map(tournament_file))]
    pub(crate) file: PathBuf,
    /// Folder for plan, game log and report [default: runs/NAME, or runs/NAME.shards/I-of-N for
    /// a shard]
    #[arg(long, value_name = "DIR", help_heading = FOLDER)]
    pub(crate) out: Option<PathBuf>,
    /// Number of games played at once, at most one per core [default: as in the file; 1 for a
    /// shard]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) workers: Option<NonZeroUsize>,
    /// Play only shard I of N, one N-th of the games; `merge` combines them
    #[arg(long, value_name = "I/N", help_heading = WHAT)]
    pub(crate) shard: Option<Shard>,
    /// Play only this shard of --shards, counted from 0 as job systems do
    #[arg(long, value_name = "I", requires = "shards", conflicts_with = "shard", help_heading = WHAT)]
    pub(crate) shard_index: Option<u32>,
    /// With --shard-index: the number of shards
    #[arg(long, value_name = "N", requires = "shard_index", help_heading = WHAT)]
    pub(crate) shards: Option<NonZeroU32>,
    /// File with the salt for `salt: secret`, as `salt` creates it; the same for all shards
    #[arg(long, value_name = "FILE", help_heading = FOLDER)]
    pub(crate) salt_file: Option<PathBuf>,
    /// Do not publish the secret salt after the last game, so late submissions can still play
    #[arg(long, help_heading = FOLDER)]
    pub(crate) hold_salt: bool,
    /// Play only the games of the stage in this file (written by `submit`)
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) stage: Option<PathBuf>,
    /// Play only the games of this agent (may be repeated)
    #[arg(long, value_name = "AGENT", help_heading = WHAT)]
    pub(crate) only: Vec<String>,
    /// Play only the games on this seed (may be repeated)
    #[arg(long, value_name = "SEED", value_parser = whole_number, help_heading = WHAT)]
    pub(crate) seed: Vec<u64>,
    /// Show what agents print to stderr
    #[arg(long, help_heading = MESSAGES)]
    pub(crate) show_stderr: bool,
    /// Start the run anew; the old game log is kept as games.N.old.jsonl
    #[arg(long, help_heading = FOLDER)]
    pub(crate) fresh: bool,
    /// Append the events of the run to a file, as JSON Lines (docs/records.md)
    #[arg(long, value_name = "FILE", help_heading = MESSAGES)]
    pub(crate) events: Option<PathBuf>,
    /// Print a line with the time for every game
    #[arg(long, short, help_heading = MESSAGES)]
    pub(crate) verbose: bool,
    /// Set games aside whose rules or seeds have changed, without asking, also more than ten
    #[arg(long, help_heading = FOLDER)]
    pub(crate) supersede: bool,
    /// Do not bind workers to cores (if other containers may use the same cores)
    #[arg(long)]
    pub(crate) no_pin: bool,
    /// Do not lock the folder (if its file system has no locks)
    #[arg(long, help_heading = FOLDER)]
    pub(crate) no_lock: bool,
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
    /// Plugins to show in full, by name or path [default: a table of all]
    #[arg(value_name = "PLUGIN")]
    pub(crate) plugin: Vec<String>,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Plugins by name or path, or folders of plugins
    #[arg(required = true, value_name = "PLUGIN")]
    pub(crate) plugin: Vec<String>,
    /// Parameters for the agents, for example '{depth: 3}'
    #[arg(long, value_name = "YAML")]
    pub(crate) params: Option<String>,
    /// File that the agents may read despite the sandbox (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// CPU time for all claims about one plugin together; claims that are left then fail
    /// [default: 3min]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) cpu_limit: Option<Duration>,
    /// List every claim about a plugin, not only those that failed or warn
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct ConformArguments {
    /// Side of the board
    #[arg(long, value_name = "N", value_parser = side, default_value = "4")]
    pub(crate) size: Side,
    /// The environment, with its arguments: a program that answers as docs/conform.md says
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// Name of the agent: lower-case letters, digits and `_`
    pub(crate) name: String,
    /// Language of the agent
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t)]
    pub(crate) lang: Language,
    /// The same as --lang c
    #[arg(long, hide = true, conflicts_with = "lang")]
    pub(crate) c: bool,
    /// Folder of the crate plugin-api for an agent in Rust [default: a copy in the new folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) plugin_api: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The folder of the run
    pub(crate) run: PathBuf,
    /// Also let the agents play again, except where the budget is in time
    #[arg(long)]
    pub(crate) rerun: bool,
    /// With --rerun: let only this agent play again, under any budget, and print how its games
    /// end
    #[arg(long, value_name = "AGENT", requires = "rerun")]
    pub(crate) agent: Option<String>,
    /// With --agent: play again only on this seed
    #[arg(long, value_name = "SEED", requires = "agent", value_parser = whole_number)]
    pub(crate) seed: Option<u64>,
    /// With --agent: play again only under this budget, given by its label in the report
    #[arg(long, value_name = "LABEL", requires = "agent")]
    pub(crate) budget: Option<String>,
    /// With --rerun: file or folder in the place of one that `allow_read` names in the plan (may be
    /// repeated, in the order of the plan)
    #[arg(long, value_name = "FILE", requires = "rerun")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// With --rerun: show what agents print to stderr
    #[arg(long, requires = "rerun")]
    pub(crate) show_stderr: bool,
    /// Move damaged lines to damaged.jsonl; their games can be played again
    #[arg(long, conflicts_with = "rerun")]
    pub(crate) repair: bool,
    /// Replay only N records, drawn at random; the checksums of all are compared
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) sample: Option<NonZeroUsize>,
    /// Check that the salt is the one to which this commitment was made
    #[arg(long, value_name = "HEX")]
    pub(crate) commitment: Option<SaltCommitment>,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
}

#[derive(Debug, Args)]
pub(crate) struct SaltArguments {
    /// The file, for `run --salt-file`; only its owner can read it
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// The folder of the run
    pub(crate) run: PathBuf,
    /// Write the report as one self-contained HTML page instead; `-` is stdout
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    pub(crate) html: Option<PathBuf>,
    /// Write the charts of the report page to DIR instead, with their captions
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "html"])]
    pub(crate) figures: Option<PathBuf>,
    /// The format of the figures; pdf and png need the program rsvg-convert
    #[arg(
        long,
        value_name = "FORMAT",
        requires = "figures",
        default_value = "svg"
    )]
    pub(crate) figure_format: FigureFormat,
    /// The width of the figures on paper, such as 88mm or 180mm, with text of 8 points
    #[arg(long, value_name = "WIDTH", requires = "figures", value_parser = millimetres)]
    pub(crate) figure_width: Option<f64>,
    /// Print only these parts of the report; as CSV one of ranking, pairs, matrix, scores,
    /// highest and curves
    #[arg(
        long,
        value_name = "TABLE",
        value_delimiter = ',',
        conflicts_with_all = ["html", "figures"]
    )]
    pub(crate) tables: Vec<ReportTable>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ReportFormat,
    /// List every pair in the JSON report of more than 100 agents, and not only neighbours in the
    /// ranking
    #[arg(long)]
    pub(crate) all_pairs: bool,
    /// Show agents under pseudonyms, from a CSV file that is created or completed if needed
    #[arg(long, value_name = "FILE")]
    pub(crate) pseudonyms: Option<PathBuf>,
    /// Write a page for each participant to DIR instead, about their own games, place and faults
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["format", "html", "figures"]
    )]
    pub(crate) participants: Option<PathBuf>,
    /// Write a grade sheet instead, as CSV: name, pseudonym, rank, mean score, faults and reason of
    /// each participant
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["format", "html", "figures", "participants"]
    )]
    pub(crate) grades: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// The folders of the shards
    #[arg(required = true)]
    pub(crate) run: Vec<PathBuf>,
    /// Folder for the merged run; records that are already in it are kept
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Merge the available games even if some are missing
    #[arg(long)]
    pub(crate) partial: bool,
    /// Ignore the run that is already in DIR; its game log is kept as games.N.old.jsonl
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct SubmitArguments {
    /// The tournament file, or the name of a shipped tournament, such as `default`
    #[arg(value_parser = PathBufValueParser::new().map(tournament_file))]
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

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The folder of the run
    pub(crate) run: PathBuf,
    /// The agent that played the game
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: String,
    /// The seed of the game
    #[arg(long, value_name = "SEED", value_parser = whole_number)]
    pub(crate) seed: u64,
    /// The label of the budget, for example '1ms cpu', if the run has several
    #[arg(long, value_name = "LABEL")]
    pub(crate) budget: Option<String>,
    /// Moves per second on a terminal
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = positive)]
    pub(crate) speed: f64,
    /// Start with the board after this move; 0 is the initial board
    #[arg(long, value_name = "MOVE", default_value_t = 0, value_parser = whole_number)]
    pub(crate) from: u64,
    /// Stop after this move [default: the last move]
    #[arg(long, value_name = "MOVE", value_parser = whole_number)]
    pub(crate) to: Option<u64>,
    /// Write the board after --from to this file instead; its ending is svg, pdf or png
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    pub(crate) picture: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Runs to show, or folders of runs; they need not exist yet [default: runs]
    pub(crate) run: Vec<PathBuf>,
    /// Port to listen on; 0 chooses a free port
    #[arg(long, value_name = "PORT", default_value_t = 2048, value_parser = port)]
    pub(crate) port: u16,
    /// Address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for all machines that can
    /// reach it
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) address: std::net::IpAddr,
    /// Folder for saved games
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
    /// Side of the board; several, as in 2,3,4, give a table
    #[arg(long, value_name = "N", value_parser = side, value_delimiter = ',', required = true)]
    pub(crate) size: Vec<Side>,
    /// Tile to reach; several, as in 4,8,16, give a table
    #[arg(
        long,
        value_name = "TILE",
        value_parser = goal,
        value_delimiter = ',',
        required = true
    )]
    pub(crate) goal: Vec<u64>,
    /// Print every solution instead of only counting them
    #[arg(long)]
    pub(crate) list: bool,
    /// Number of example solutions to print without --list
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number)]
    pub(crate) examples: u64,
    /// Order in which the moves of a board are tried, a letter for each [default: ULDR]
    #[arg(long, value_name = "LETTERS")]
    pub(crate) order: Option<String>,
    /// Print the search step by step instead
    #[arg(long, conflicts_with_all = ["list", "no_prune", "format"])]
    pub(crate) trace: bool,
    /// Write the state-space tree to FILE instead; its ending is svg, pdf, png, dot, tikz, json or
    /// txt
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "no_prune", "format"])]
    pub(crate) tree: Option<PathBuf>,
    /// Count also the nodes of a search that kills none, as deep as the longest solution
    #[arg(long)]
    pub(crate) no_prune: bool,
    /// Stop a search after this time and print what was found
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) limit: Option<Duration>,
    /// Memory limit of the search, for example 512MiB or 2GiB
    #[arg(long, value_name = "SIZE", default_value = "2GiB")]
    pub(crate) memory: String,
    /// The plugin that searches for solutions
    #[arg(long, value_name = "PLUGIN", default_value = "backtracking")]
    pub(crate) plugin: String,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct AskArguments {
    #[command(flatten)]
    pub(crate) position: PositionArguments,
    #[command(flatten)]
    pub(crate) agents: AgentArguments,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: AskFormat,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AskFormat {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    pub(crate) position: PositionArguments,
    #[command(flatten)]
    pub(crate) agents: AgentArguments,
    /// How deep the agent searches, in its own unit [default: as deep as it plays]
    #[arg(
        long,
        value_name = "N",
        value_parser = at_least_one::<NonZeroU32>,
        allow_negative_numbers = true
    )]
    pub(crate) depth: Option<NonZeroU32>,
    /// The largest number of nodes, though the principal line is always there; the others are
    /// counted [default: 100 as text, otherwise 2000]
    #[arg(
        long,
        value_name = "N",
        value_parser = at_least_one::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub(crate) nodes: Option<NonZeroUsize>,
    /// What to write [default: as the ending of --out says, or text]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExplainFormat>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The width of a drawing in millimetres: 88 for a column of text, 180 for a page
    #[arg(long, value_name = "MM", default_value_t = explain::drawing::PAGE_WIDTH, value_parser = millimetres)]
    pub(crate) width: f64,
    #[command(flatten)]
    pub(crate) plugins: PluginFolders,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// The search step by step
    Text,
    /// All nodes with their boards
    Json,
    /// The drawing
    Svg,
    /// The drawing, for print
    Pdf,
    /// The drawing, for slides and chats
    Png,
    /// The drawing, for LaTeX
    Tikz,
    /// The nodes that are drawn, for Graphviz
    Dot,
}

impl ExplainFormat {
    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The format of files with this ending.
    pub(crate) fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "txt" => Some(Self::Text),
            "tex" => Some(Self::Tikz),
            "gv" => Some(Self::Dot),
            _ => Self::from_str(ending, true).ok(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PluginFolders {
    /// Folder to search for plugins first (may be repeated)
    #[arg(long = "plugins", value_name = "DIR", value_parser = folder)]
    pub(crate) folders: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct FormatArgument {
    /// Output format
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    #[default]
    Table,
    Json,
    Csv,
    Markdown,
    Latex,
}

/// The format of the charts of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureFormat {
    Svg,
    Pdf,
    Png,
}

impl FigureFormat {
    /// The extension of files of this format, which is also the converter's name for it.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Png => "png",
        }
    }
}
