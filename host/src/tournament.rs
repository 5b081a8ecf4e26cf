//! A tournament as valid: who plays, under which rules, with how much time.
//!
//! What the user wrote is another matter and lives in
//! [`tournament_file`](crate::tournament_file), which reports every mistake at its
//! line. A value of these types has no mistakes left; it is kept in `plan.json`, so
//! that a run can be continued without the file it came from.

mod budget;
mod byte_size;
mod duration_text;
mod quantity;
mod salt_choice;
mod seed_set;

use std::{
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::{Path, PathBuf},
};

use plugin_api::{Board, FourShare, Rules, Side, Tiles};
use serde::{Deserialize, Serialize};

pub use budget::{Budget, BudgetLimit, Overrun};
pub use byte_size::{ByteSizeError, parse_byte_size};
pub use duration_text::{DurationError, format_duration, parse_duration};
pub use salt_choice::{SaltChoice, SaltChoiceError};
pub use seed_set::{SeedError, SeedRange, SeedSet};

/// Everything that decides what is played. Where a key of the file may be `none`,
/// the field is an `Option`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    /// Names the run's folder.
    pub name: String,
    #[serde(rename = "board")]
    pub side: Side,
    pub tiles: Tiles,
    pub four: FourShare,
    pub seeds: SeedSet,
    pub salt: SaltChoice,
    /// The face value that ends a game when it is reached.
    pub goal: Option<u64>,
    pub max_moves: Option<NonZeroU64>,
    pub rank_by: RankBy,
    /// Every agent plays under each; at least one, and no two share a label.
    #[serde(rename = "budget")]
    pub budgets: Vec<Budget>,
    pub isolation: Isolation,
    pub sandbox: Sandbox,
    /// What a worker may allocate, in bytes.
    pub memory: u64,
    /// Faults in a row, in plan order, after which an agent plays no further game.
    pub disqualify_after: Option<NonZeroU32>,
    /// The name of the agent that plays twice under another random seed.
    pub control: Option<String>,
    pub stop: Option<StopRule>,
    /// How many games are played at once; without it as many as there are cores.
    pub workers: Option<NonZeroUsize>,
    /// At least one; names are unique.
    pub agents: Vec<AgentEntry>,
}

/// What puts one agent before another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankBy {
    #[default]
    Score,
    /// The rate of reaching the goal, then fewer moves.
    Reach,
}

/// Where an agent runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// One process for one agent and one game.
    #[default]
    Process,
    /// Inside the host, for trusted agents. Only without a budget in time: the CPU
    /// time of the host's process is not that of one agent.
    None,
}

/// Whether workers give up their rights before they open the plugin.
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

/// When a tournament that extends itself has enough games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopRule {
    /// The confidence at which neighbours in the ranking count as separated;
    /// between 0 and 1, both excluded.
    pub decided: f64,
    /// Where the extension ends in any case; not below the number of seeds.
    pub max_seeds: u64,
}

/// A line of the ranking: a plugin with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentEntry {
    /// Name or path of the plugin, as written.
    pub plugin: String,
    /// The agent's name in tables and records.
    pub name: String,
    pub params: serde_json::Map<String, serde_json::Value>,
    /// What the sandbox lets the agent read, as written.
    pub allow_read: Vec<PathBuf>,
}

impl Tournament {
    /// All seeds that may be played: those of the file, and with a stop rule those
    /// that follow them. The reader has made sure that there are enough.
    #[must_use]
    pub fn planned_seeds(&self) -> SeedSet {
        let extended = self.stop.map(|stop| self.seeds.extended_to(stop.max_seeds));
        match extended {
            Some(Ok(seeds)) => seeds,
            Some(Err(_)) | None => self.seeds.clone(),
        }
    }

    /// What every game is played by.
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
    /// The name of an agent that was given none: that of its plugin, without the
    /// folder and the dress of a dynamic library.
    ///
    /// ```
    /// # use arena2048::tournament::AgentEntry;
    /// assert_eq!(AgentEntry::default_name("expectimax"), "expectimax");
    /// assert_eq!(AgentEntry::default_name("./submissions/libanna.so"), "anna");
    /// ```
    #[must_use]
    pub fn default_name(plugin: &str) -> &str {
        let file_name = Path::new(plugin)
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(plugin);
        match file_name.strip_suffix(".so") {
            Some(stem) => stem.strip_prefix("lib").unwrap_or(stem),
            None => file_name,
        }
    }
}

/// Whether a text may name a tournament or an agent: names become folders, file
/// names, columns and arguments, so they hold nothing that needs quoting.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    const LONGEST: usize = 100;
    (1..=LONGEST).contains(&name.len())
        && !name.starts_with(['.', '-'])
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// The largest exponent a tile can reach: every cell holds a different tile and the
/// last one to appear completes the chain. One more where a 4 can appear.
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
    fn names_need_no_quoting() {
        for name in ["default", "minimax-d4", "2026_spring", "v1.2"] {
            assert!(is_plain_name(name), "{name}");
        }
        for name in ["", ".", "..", ".hidden", "-x", "a b", "a/b", "é", "a\n"] {
            assert!(!is_plain_name(name), "{name:?}");
        }
        assert!(!is_plain_name(&"a".repeat(101)));
    }
}
