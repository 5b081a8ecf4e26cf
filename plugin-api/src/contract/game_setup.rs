//! What an agent knows before a game: the rules, the budget, its random seed.
//!
//! It crosses the boundary as one flat JSON object, which can grow, and from which a
//! C agent can read a key without a JSON library. It does not contain the seed of the
//! tiles: an agent must not know the future.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{Clock, FourShare, Rules, Side, Tiles};

/// The game for which an agent is created.
///
/// ```
/// use plugin_api::{GameSetup, Limit};
///
/// let setup = GameSetup::new().with_limit(Limit::Nodes(20_000)).with_random_seed(7);
/// assert_eq!(setup.rules.side.length(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "SetupText", from = "SetupText")]
#[non_exhaustive]
pub struct GameSetup {
    /// The rules of the game.
    pub rules: Rules,
    /// What the agent may spend on every move; [`Turn`](crate::Turn) says what is left.
    pub limit: Limit,
    /// The source of randomness for an agent: the same seed must result in the same
    /// play.
    pub random_seed: u64,
    /// The folder of the files that the plugin's description names
    /// ([`Info::files`](crate::Info::files)); `None` if it names none.
    pub folder: Option<PathBuf>,
}

/// The budget of a game.
///
/// ```
/// # use std::{path::PathBuf, time::Duration};
/// # use plugin_api::{Clock, GameSetup, Limit};
/// let limit = Limit::Time {
///     clock: Clock::Cpu,
///     per_move: Duration::from_millis(1),
///     bank: Duration::from_millis(100),
/// };
/// let setup = GameSetup::new().with_limit(limit);
/// assert_eq!(GameSetup::from_json(&setup.to_json()).unwrap().limit, limit);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// No limit: the agent plays by its own parameters.
    None,
    /// A number of nodes per move.
    Nodes(u64),
    /// A time per move.
    Time {
        /// The clock that measures the time.
        clock: Clock,
        /// The time that every turn adds (the increment).
        per_move: Duration,
        /// The largest balance of the bank, which is also the balance at the start.
        bank: Duration,
    },
}

impl GameSetup {
    /// The ordinary game without a budget; for tests of agents.
    #[must_use]
    pub fn new() -> Self {
        Self {
            rules: Rules::default(),
            limit: Limit::None,
            random_seed: 0,
            folder: None,
        }
    }

    /// The same setup with different rules.
    ///
    /// ```
    /// # use plugin_api::{GameSetup, Rules, Side};
    /// let rules = Rules { side: Side::new(3).unwrap(), ..Rules::default() };
    /// assert_eq!(GameSetup::new().with_rules(rules).rules.side.length(), 3);
    /// ```
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// The same setup with a budget.
    #[must_use]
    pub fn with_limit(mut self, limit: Limit) -> Self {
        self.limit = limit;
        self
    }

    /// The same setup with a different random seed for the agent.
    #[must_use]
    pub fn with_random_seed(mut self, random_seed: u64) -> Self {
        self.random_seed = random_seed;
        self
    }

    /// The same setup with the folder of the plugin's files.
    #[must_use]
    pub fn with_folder(mut self, folder: PathBuf) -> Self {
        self.folder = Some(folder);
        self
    }

    /// The JSON string that crosses the boundary. A folder whose name is not UTF-8 is left
    /// out.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data turns into JSON")
    }

    /// Parses the JSON string that crossed the boundary.
    ///
    /// # Errors
    /// If a key is missing or out of range. Unknown keys are ignored, so that later
    /// versions can add some.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

impl Default for GameSetup {
    fn default() -> Self {
        Self::new()
    }
}

/// The keys of the JSON object. `docs/text-protocol.md` lists them.
#[derive(Serialize, Deserialize)]
struct SetupText {
    board: Side,
    four: FourShare,
    tiles: Tiles,
    goal: Option<u64>,
    max_moves: Option<u64>,
    clock: Option<Clock>,
    per_move_ns: Option<u64>,
    bank_ns: Option<u64>,
    nodes: Option<u64>,
    random_seed: u64,
    #[serde(default)]
    folder: Option<String>,
}

impl From<GameSetup> for SetupText {
    fn from(setup: GameSetup) -> Self {
        let Rules {
            side,
            four,
            tiles,
            goal,
            max_moves,
        } = setup.rules;
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let mut text = Self {
            board: side,
            four,
            tiles,
            goal,
            max_moves,
            clock: None,
            per_move_ns: None,
            bank_ns: None,
            nodes: None,
            random_seed: setup.random_seed,
            folder: setup
                .folder
                .and_then(|folder| folder.into_os_string().into_string().ok()),
        };
        match setup.limit {
            Limit::None => {}
            Limit::Nodes(nodes) => text.nodes = Some(nodes),
            Limit::Time {
                clock,
                per_move,
                bank,
            } => {
                text.clock = Some(clock);
                text.per_move_ns = Some(nanoseconds(per_move));
                text.bank_ns = Some(nanoseconds(bank));
            }
        }
        text
    }
}

impl From<SetupText> for GameSetup {
    fn from(text: SetupText) -> Self {
        let limit = match (text.nodes, text.per_move_ns) {
            (Some(nodes), _) => Limit::Nodes(nodes),
            (None, Some(per_move)) => Limit::Time {
                clock: text.clock.unwrap_or_default(),
                per_move: Duration::from_nanos(per_move),
                bank: Duration::from_nanos(text.bank_ns.unwrap_or(0)),
            },
            (None, None) => Limit::None,
        };
        let rules = Rules {
            side: text.board,
            four: text.four,
            tiles: text.tiles,
            goal: text.goal,
            max_moves: text.max_moves,
        };
        Self {
            rules,
            limit,
            random_seed: text.random_seed,
            folder: text.folder.map(PathBuf::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_contains_everything() {
        let time = Limit::Time {
            clock: Clock::Wall,
            per_move: Duration::from_millis(1),
            bank: Duration::from_millis(100),
        };
        for limit in [Limit::None, Limit::Nodes(20_000), time] {
            let setup = GameSetup::new()
                .with_limit(limit)
                .with_random_seed(u64::MAX)
                .with_folder("/plugins".into());
            assert_eq!(GameSetup::from_json(&setup.to_json()).unwrap(), setup);
        }
    }

    #[test]
    fn the_json_is_flat_and_its_keys_are_fixed() {
        assert_eq!(
            GameSetup::new().with_limit(Limit::Nodes(5)).to_json(),
            r#"{"board":4,"four":0.1,"tiles":"random","goal":null,"max_moves":null,"clock":null,"per_move_ns":null,"bank_ns":null,"nodes":5,"random_seed":0,"folder":null}"#
        );
    }
}
