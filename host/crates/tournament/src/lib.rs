//! A tournament: the agents, the rules and the budgets.
//!
//! A YAML file enters; a valid [`Tournament`] leaves, or every error in the file with its line.
//! The tournament is stored in `plan.json`, so a run can be resumed without the file.
//!
//! Start with [`Tournament`] for the values, and with [`file`] for how they are read.

mod agent_folder;
mod budget;
mod control;
pub mod file;
mod salt_choice;
mod seed_set;

use std::{
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::{Path, PathBuf},
};

use plugin_api::{Board, FourShare, Rules, Side, Tiles};
use serde::{Deserialize, Serialize};

pub use agent_folder::AgentFolder;
pub use budget::{Budget, BudgetLimit, Overrun};
pub use control::twin_name;
pub use salt_choice::{SaltChoice, SaltChoiceError};
pub use seed_set::{SeedError, SeedRange, SeedSet};

/// Everything that determines which games are played. Where a key of the file may be
/// `none`, the field is an `Option`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    /// The name of the run folder.
    pub name: String,
    #[serde(rename = "board")]
    pub side: Side,
    pub tiles: Tiles,
    pub four: FourShare,
    pub seeds: SeedSet,
    pub salt: SaltChoice,
    /// Seeds of its own that every agent plays under every budget, to see whether it does
    /// better on shared ones.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub private_seeds: u64,
    /// The face value that ends a game when a tile reaches it.
    pub goal: Option<u64>,
    pub max_moves: Option<NonZeroU64>,
    /// What ranks the agents, if it is not the default; see [`Tournament::ranking`]. Hosts
    /// up to 1.0.0 wrote `rank_by: score` into every plan and ignored it, so a plan has
    /// another name for it.
    #[serde(rename = "ranked_by", default)]
    pub rank_by: Option<RankBy>,
    /// Every agent plays under each budget. There is at least one, and their labels
    /// differ.
    #[serde(rename = "budget")]
    pub budgets: Vec<Budget>,
    pub isolation: Isolation,
    pub sandbox: Sandbox,
    /// How much memory a worker may allocate, in bytes.
    pub memory: u64,
    /// How many bytes of what agents report about their moves are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thoughts: Option<NonZeroU64>,
    /// The number of consecutive faults, in plan order, after which an agent plays no
    /// more games.
    pub disqualify_after: Option<NonZeroU32>,
    /// The name of the agent that plays a second time with different random seeds.
    pub control: Option<String>,
    pub stop: Option<StopRule>,
    /// How many games are played at the same time. Without it, one per core.
    pub workers: Option<NonZeroUsize>,
    /// At least one, unless there are folders; names are unique.
    pub agents: Vec<AgentEntry>,
    /// Folders of further agents. A plan has none: their files are among its agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<AgentFolder>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The criterion by which agents are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankBy {
    Score,
    /// The rate of reaching the goal, then fewer moves.
    Reach,
}

impl RankBy {
    /// `reach` if there is a goal: the score is cut off where the goal is reached.
    #[must_use]
    pub fn default_for(goal: Option<u64>) -> Self {
        match goal {
            Some(_) => Self::Reach,
            None => Self::Score,
        }
    }
}

/// Where an agent runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// One process per agent and game.
    #[default]
    Process,
    /// Inside the host process, for trusted agents. Not available with a time budget
    /// because the CPU time of the host process is not that of one agent.
    None,
}

/// Whether workers drop their privileges before they load the plugin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sandbox {
    /// As far as the kernel supports it, with a warning where it does not.
    #[default]
    On,
    /// Completely, or the tournament does not start.
    Required,
    Off,
}

/// The rule that ends a tournament with a variable number of seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopRule {
    /// The confidence of the decisions; between 0 and 1, both excluded.
    pub decided: f64,
    /// The largest number of seeds; not below the number of seeds at the start. In a file, at
    /// least [`StopRule::FEWEST_SEEDS`].
    pub max_seeds: u64,
    /// The share of the better agent's mean score within which two agents are practically
    /// equal; between 0 and 1, both excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal_within: Option<f64>,
}

impl StopRule {
    /// A race does not look at its games before this many seeds.
    pub const FEWEST_SEEDS: u64 = 10;

    /// Whether a number may be `decided` or `equal_within`.
    #[must_use]
    pub fn is_share(number: f64) -> bool {
        number > 0.0 && number < 1.0
    }
}

/// The ends of file names that say which interpreter a program needs.
pub const PROGRAM_EXTENSIONS: [&str; 6] = ["py", "js", "mjs", "cjs", "jar", "class"];

/// A row of the ranking: a plugin with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentEntry {
    /// Name or path of the plugin, as written in the file; for a command, the word that
    /// names its main file.
    pub plugin: String,
    /// The words of a command, as written in the file; none for a plugin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program: Vec<String>,
    /// The agent's name in tables and records.
    pub name: String,
    pub params: serde_json::Map<String, serde_json::Value>,
    /// Paths that the sandbox lets the agent read, as written in the file.
    pub allow_read: Vec<PathBuf>,
    /// For an agent from a folder: its file, relative to that folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<String>,
    /// How much memory its workers may allocate, in bytes, if that differs from the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl Tournament {
    /// How much memory a worker may allocate by default, in bytes.
    pub const DEFAULT_MEMORY: u64 = 4 << 30;

    /// A game starts with smaller tiles.
    pub const SMALLEST_GOAL: u64 = 4;

    /// Whether a face value may be a goal, on boards on which it can be reached.
    #[must_use]
    pub fn is_goal(tile: u64) -> bool {
        tile.is_power_of_two() && tile >= Self::SMALLEST_GOAL
    }

    /// How much memory a worker of an agent may allocate, in bytes.
    #[must_use]
    pub fn memory_of(&self, agent: usize) -> u64 {
        let entry = self.agents.get(agent);
        entry.and_then(|entry| entry.memory).unwrap_or(self.memory)
    }

    /// The most memory that a worker may allocate, in bytes.
    #[must_use]
    pub fn largest_memory(&self) -> u64 {
        let agents = 0..self.agents.len();
        agents
            .map(|agent| self.memory_of(agent))
            .max()
            .unwrap_or(self.memory)
    }

    /// What ranks the agents.
    #[must_use]
    pub fn ranking(&self) -> RankBy {
        self.rank_by.unwrap_or(RankBy::default_for(self.goal))
    }

    /// The goal, if the rate of reaching it ranks the agents.
    #[must_use]
    pub fn ranking_goal(&self) -> Option<u64> {
        self.goal.filter(|_| self.ranking() == RankBy::Reach)
    }

    /// All seeds that may be played: those of the file and, with a stop rule, those
    /// that follow them. The reader has checked that there are enough.
    #[must_use]
    pub fn planned_seeds(&self) -> SeedSet {
        let extended = self.stop.map(|stop| self.seeds.extended_to(stop.max_seeds));
        match extended {
            Some(Ok(seeds)) => seeds,
            Some(Err(_)) | None => self.seeds.clone(),
        }
    }

    /// The rules of every game.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            side: self.side,
            four: self.four,
            tiles: self.tiles,
            goal: self.goal,
            max_moves: self.max_moves.map(NonZeroU64::get),
        }
    }
}

impl AgentEntry {
    /// The name of an agent without a `name` of its own: that of its plugin, without
    /// the folder, the prefix and the suffix of a dynamic library or a program.
    ///
    /// ```
    /// # use tournament::AgentEntry;
    /// assert_eq!(AgentEntry::default_name("expectimax"), "expectimax");
    /// assert_eq!(AgentEntry::default_name("./submissions/libanna.so"), "anna");
    /// assert_eq!(AgentEntry::default_name("./submissions/anna.py"), "anna");
    /// ```
    #[must_use]
    pub fn default_name(plugin: &str) -> &str {
        let file_name = Path::new(plugin)
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(plugin);
        match file_name.rsplit_once('.') {
            Some((stem, "so")) => stem.strip_prefix("lib").unwrap_or(stem),
            Some((stem, extension)) if PROGRAM_EXTENSIONS.contains(&extension) => stem,
            _ => file_name,
        }
    }

    /// The word of a command that names what it executes: the first that looks like a file,
    /// otherwise the interpreter.
    #[must_use]
    pub fn main_word(command: &[String]) -> Option<&str> {
        let looks_like_a_file =
            |word: &&String| !word.starts_with('-') && word.contains(['.', '/']);
        let first = command.first()?;
        let main = command.iter().skip(1).find(looks_like_a_file);
        Some(main.unwrap_or(first))
    }
}

/// How many games are played on a seed: one per agent and budget.
#[must_use]
pub fn games_per_seed(n_agents: usize, n_budgets: usize) -> u64 {
    (n_agents * n_budgets) as u64
}

/// The longest name of a tournament or an agent.
pub const LONGEST_NAME: usize = 100;

/// What a name consists of, in words; see [`is_plain_name`].
pub const NAME_RULE: &str = "up to 100 letters (a to z, A to Z), digits, `-`, `_` and `.`, \
                             not starting with `-` or `.`";

/// Whether a string may name a tournament or an agent. Names become folders, file
/// names, columns and arguments, so they contain nothing that needs quoting.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && !name.starts_with(['.', '-'])
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// The largest exponent a tile can reach: every cell holds a different tile and the
/// last one to appear completes the chain. It is one more if a 4 can appear.
#[must_use]
pub fn largest_reachable_exponent(side: Side, tiles: Tiles, four: FourShare) -> u8 {
    let n_cells = side.n_cells();
    let with_fours = tiles == Tiles::Random && four.threshold() > 0;
    let exponent = n_cells + usize::from(with_fours);
    u8::try_from(exponent)
        .unwrap_or(u8::MAX)
        .min(Board::MAX_EXPONENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ordinary_game_reaches_131072_and_without_fours_65536() {
        let largest = |tiles, four| {
            let four = FourShare::new(four).unwrap();
            1_u64 << largest_reachable_exponent(Side::FOUR, tiles, four)
        };
        assert_eq!(largest(Tiles::Random, 0.1), 131_072);
        assert_eq!(largest(Tiles::Random, 0.0), 65_536);
        assert_eq!(largest(Tiles::Deterministic, 0.1), 65_536);
    }

    #[test]
    fn names_never_need_quoting() {
        for name in ["default", "minimax-d4", "2026_spring", "v1.2"] {
            assert!(is_plain_name(name), "{name}");
        }
        for name in ["", ".", "..", ".hidden", "-x", "a b", "a/b", "é", "a\n"] {
            assert!(!is_plain_name(name), "{name:?}");
        }
        assert!(!is_plain_name(&"a".repeat(LONGEST_NAME + 1)));
        assert!(NAME_RULE.contains(&LONGEST_NAME.to_string()));
    }
}
