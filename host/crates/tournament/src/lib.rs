//! A tournament: the agents, the rules and the budgets.
//!
//! A YAML file enters; a valid [`Tournament`] leaves, or every error in the file with its line.
//! The tournament is stored in `plan.json`, so a run can be resumed without the file.
//!
//! Start with [`Tournament`]: its fields, and the declaration of the keys from which they are
//! read. [`mod@file`] is how declarations become a reader, a schema and documentation.

mod agents;
mod budget;
mod check;
mod diagnostic;
pub mod file;
mod keys;
mod node;
mod position;
mod salt_choice;
mod seed_set;
mod stop_rule;

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use plugin_api::{Board, FourShare, Rules, Side, Tiles};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use agents::{
    AgentEntry, AgentFolder, Entry, LONGEST_NAME, MAX_AGENTS, NAME_RULE, PROGRAM_EXTENSIONS,
    SMALLEST_MEMORY, is_plain_name, twin_name,
};
pub use budget::{Budget, BudgetLimit, Overrun};
pub use salt_choice::{SaltChoice, SaltChoiceError};
pub use seed_set::{SeedError, SeedRange, SeedSet};
pub use stop_rule::StopRule;

use agents::{memory, name};
use keys::{Mapping, ValueType, byte_size, none_or, number_in, one_of, positive, positive_or};
use position::KeyPath;

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
    /// At least one; names are unique. A tournament that was read from its file has only the
    /// agents that the file names, without those of its folders.
    pub agents: Vec<AgentEntry>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// One process per agent and game.
    Process,
    /// Inside the host process, for trusted agents. Not available with a time budget
    /// because the CPU time of the host process is not that of one agent.
    None,
}

/// Whether workers drop their privileges before they load the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sandbox {
    /// As far as the kernel supports it, with a warning where it does not.
    On,
    /// Completely, or the tournament does not start.
    Required,
    Off,
}

impl Tournament {
    /// Declares and reads the keys of a tournament file. The entries of `agents` come with
    /// their places.
    /// `default_name` is the name of the tournament unless the file has another.
    #[expect(clippy::too_many_lines, reason = "one declaration per key")]
    pub(crate) fn read(
        file: &mut Mapping,
        default_name: Option<String>,
    ) -> (Self, Vec<(KeyPath, Entry)>) {
        if !file.has("name") && default_name.is_none() {
            file.missing("name", "the name of the file cannot be used as a name");
        }
        let mut tournament = Self {
            name: file
                .optional(
                    "name",
                    name(),
                    "the file's name without `.yaml`",
                    "the run is stored in `runs/<name>`",
                )
                .or(default_name)
                .unwrap_or_default(),
            side: file.key(
                "board",
                side(),
                Side::FOUR.length().to_string(),
                "side of the board",
            ),
            tiles: file.key(
                "tiles",
                one_of([
                    ("random", Tiles::Random),
                    ("deterministic", Tiles::Deterministic),
                ]),
                "random",
                "`deterministic`: every new tile is a 2 in the first empty cell in reading order",
            ),
            four: file.key(
                "four",
                number_in(
                    "from 0 to 1",
                    json!({"type": "number", "minimum": 0, "maximum": 1}),
                    FourShare::new,
                ),
                FourShare::DEFAULT.as_f64().to_string(),
                "share of 4s among the new tiles",
            ),
            seeds: file.key(
                "seeds",
                seed_set::seeds(),
                "1..20",
                "every agent plays every seed; ranges include both ends; each seed is below 2^53 \
                 and occurs once",
            ),
            salt: file.key(
                "salt",
                salt_choice::salt(),
                "none",
                "makes the tiles of known seeds unpredictable; `secret` draws a salt, or reads it \
                 from `--salt-file`, and publishes it in `plan.json` at the end of the run",
            ),
            private_seeds: file.key(
                "private_seeds",
                none_or(positive()).map(|number| number.map_or(0, NonZeroU64::get)),
                "none",
                "additional seeds per agent and budget that no other agent plays; the report \
                 tests whether the agent scores higher on shared seeds \
                 ([fairness.md](fairness.md)); requires a salt",
            ),
            goal: file.key(
                "goal",
                none_or(goal()),
                "none",
                "a move that makes this tile ends the game",
            ),
            max_moves: file.key(
                "max_moves",
                none_or(positive()),
                "none",
                "the game ends after this many moves",
            ),
            rank_by: file.optional(
                "rank_by",
                one_of([("score", RankBy::Score), ("reach", RankBy::Reach)]),
                "`reach` with a `goal`, otherwise `score`",
                "what ranks the agents; `reach`: how often they reach the goal, then in how few \
                 moves",
            ),
            budgets: file.key(
                "budget",
                budget::budgets(),
                "none",
                "what an agent may spend; with a list, every agent plays under each budget and \
                 has a rank under each; see [`budget`](#budget)",
            ),
            isolation: file.key(
                "isolation",
                one_of([("process", Isolation::Process), ("none", Isolation::None)]),
                "process",
                "`process`: one process per game; `none`: inside the host, for trusted agents \
                 without a time budget",
            ),
            sandbox: file.key(
                "sandbox",
                one_of([
                    ("on", Sandbox::On),
                    ("required", Sandbox::Required),
                    ("off", Sandbox::Off),
                ]),
                "on",
                "whether workers give up access to the machine before they open the plugin; \
                 `required`: do not start if the kernel lacks a layer of the sandbox \
                 ([sandbox.md](sandbox.md))",
            ),
            memory: file.key(
                "memory",
                memory(),
                format!("{}GiB", Self::DEFAULT_MEMORY >> 30),
                "memory limit of a worker, its files included",
            ),
            thoughts: file.key(
                "thoughts",
                none_or(thoughts()),
                "none",
                "keep what agents report about their moves, up to this size in total \
                 ([records.md](records.md#thoughts))",
            ),
            disqualify_after: file.key(
                "disqualify_after",
                none_or(positive_or("never")).map(Option::flatten),
                "3",
                "disqualify an agent after this many faults in a row, in plan order; unless it is \
                 `never` or `none`, an agent that exceeds `setup` or `hang` is disqualified at \
                 once ([fairness.md](fairness.md#how-faults-are-handled))",
            ),
            control: file.key(
                "control",
                none_or(name()).described_as("`none`, an agent's name"),
                "none",
                "A/A test: this agent plays a second time with another random seed; a \
                 significant difference makes the run suspect",
            ),
            stop: file.key(
                "stop",
                stop_rule::stop(),
                "none",
                "race: each agent plays until its rank is settled; see [`stop`](#stop)",
            ),
            workers: file.key(
                "workers",
                positive_or("auto"),
                "auto",
                "games played at once; `auto`: one per core",
            ),
            agents: Vec::new(),
        };
        let default_ranking = RankBy::default_for(tournament.goal);
        tournament.rank_by = (tournament.rank_by).filter(|rank_by| *rank_by != default_ranking);
        let entries = file.required(
            "agents",
            agents::entries(),
            "list the agents, for example `- plugin: expectimax`",
            "the agents that play; see [`agents`](#agents)",
        );
        let entries = entries.unwrap_or_default();
        let listed = entries.iter().filter_map(|(_, entry)| entry.agent());
        tournament.agents = listed.cloned().collect();
        (tournament, entries)
    }

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

/// How many games are played on a seed: one per agent and budget.
#[must_use]
pub fn games_per_seed(n_agents: usize, n_budgets: usize) -> u64 {
    (n_agents * n_budgets) as u64
}

fn side() -> ValueType<Side> {
    let (min, max) = (Side::MIN.length(), Side::MAX.length());
    let schema = json!({"type": "integer", "minimum": min, "maximum": max});
    ValueType::scalar(format!("{min} to {max}"), schema, move |text| {
        let side = text.parse().ok().and_then(Side::new);
        side.ok_or_else(|| format!("a board has a side of {min} to {max}, not `{text}`"))
    })
}

fn goal() -> ValueType<u64> {
    const SMALLEST: u64 = Tournament::SMALLEST_GOAL;
    let values = format!("a power of two from {SMALLEST} that the board can reach");
    let schema = json!({"type": "integer", "minimum": SMALLEST});
    ValueType::scalar(values, schema, |text| {
        let goal = text.parse().ok().filter(|goal| Tournament::is_goal(*goal));
        goal.ok_or_else(|| {
            format!(
                "`{text}` is not a valid goal; write `none` or a power of two of at least \
                 {SMALLEST}"
            )
        })
    })
}

fn thoughts() -> ValueType<NonZeroU64> {
    let size = byte_size(1, |bytes| match bytes {
        0 => Err("0 bytes keep nothing; write `none`".to_owned()),
        _ => Ok(()),
    });
    size.described_as("a size as for `memory`")
        .map(|bytes| NonZeroU64::new(bytes).expect("it is checked"))
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
}
