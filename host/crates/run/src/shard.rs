//! A shard: every N-th game of a plan, so that N machines share a tournament.
//!
//! Plain round-robin would give some shards the games of one agent only. With four agents
//! and eight shards, for example, the first shard would play only the first agent, and if
//! that agent is slow, the whole run waits for that shard. So the assignment is shifted by one
//! shard whenever it would repeat: over as many seeds as there are shards, every agent
//! plays once in every shard.

use std::{collections::HashSet, fmt, num::NonZeroU32, path::PathBuf, str::FromStr};

use serde::{Deserialize, Serialize};

use super::game_plan::{GamePlan, greatest_common_divisor};

/// One of N shards, written `I/N` with I from 1 to N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    of: NonZeroU32,
    number: NonZeroU32,
}

/// Why a text is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a shard; use I/N, for example 3/8, where I is from 1 to N, and N at most {most}",
    most = Shard::MOST
)]
pub struct ShardError(String);

impl Shard {
    /// The most shards of a plan: a plan may come from a stranger, and shards are counted.
    pub const MOST: u32 = 1_000_000;

    /// All shards of a plan that is split into this many.
    pub fn all(of: NonZeroU32) -> impl Iterator<Item = Self> {
        let numbers = (1..=of.get()).filter_map(NonZeroU32::new);
        numbers.map(move |number| Self { of, number })
    }

    /// The shard with this index, from 0; `None` if there are not that many.
    #[must_use]
    pub fn with_index(index: u32, of: NonZeroU32) -> Option<Self> {
        let number = NonZeroU32::new(index.checked_add(1)?)?;
        (number <= of && of.get() <= Self::MOST).then_some(Self { of, number })
    }

    /// Its number, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number.get()
    }

    /// How many shards there are.
    #[must_use]
    pub fn of(self) -> NonZeroU32 {
        self.of
    }

    /// Whether it is the only shard, which plays all games.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.of.get() == 1
    }

    /// The shard that a game belongs to, by its number in the plan.
    #[must_use]
    pub fn of_game(game: u64, games_per_seed: u64, of: NonZeroU32) -> Self {
        let n_shards = u64::from(of.get());
        // After this many seeds plain round-robin repeats.
        let period = n_shards / greatest_common_divisor(games_per_seed, n_shards);
        let rotation = game / games_per_seed / period;
        let index = (game % n_shards + rotation % n_shards) % n_shards;
        let number = u32::try_from(index + 1).expect("at most the number of shards");
        Self {
            of,
            number: NonZeroU32::new(number).expect("one more than an index"),
        }
    }

    /// Whether a game of the plan belongs to it.
    #[must_use]
    pub fn has(self, game: u64, games_per_seed: u64) -> bool {
        Self::of_game(game, games_per_seed, self.of) == self
    }

    /// How many games of a plan belong to it.
    #[must_use]
    pub fn n_games(self, plan: &GamePlan) -> u64 {
        let n_shards = u64::from(self.of.get());
        let (n_games, per_seed) = (plan.n_games(), plan.games_per_seed());
        // Every whole round gives each shard one game; the rest is counted.
        let last_round = n_games / n_shards * n_shards;
        let rest = (last_round..n_games).filter(|game| self.has(*game, per_seed));
        n_games / n_shards + rest.count() as u64
    }

    /// How many games of a plan a run plays: those of its shard, or all.
    #[must_use]
    pub fn n_games_of_run(shard: Option<Self>, plan: &GamePlan) -> u64 {
        shard.map_or(plan.n_games(), |shard| shard.n_games(plan))
    }

    /// How many games belong to every shard of a plan that is split into this many.
    pub fn n_games_of_all(plan: &GamePlan, of: NonZeroU32) -> impl Iterator<Item = (Self, u64)> {
        let n_shards = u64::from(of.get());
        let (n_games, per_seed) = (plan.n_games(), plan.games_per_seed());
        let rest = n_games / n_shards * n_shards..n_games;
        let with_more: HashSet<Self> = rest.map(|game| Self::of_game(game, per_seed, of)).collect();
        Self::all(of).map(move |shard| {
            let one_more = u64::from(with_more.contains(&shard));
            (shard, n_games / n_shards + one_more)
        })
    }

    /// The name of its run folder.
    #[must_use]
    pub fn folder_name(self) -> PathBuf {
        Self::folder_name_of(self.number, self.of).into()
    }

    /// The same for a shard whose number only a script knows.
    #[must_use]
    pub fn folder_name_of(number: impl fmt::Display, of: NonZeroU32) -> String {
        format!("{number}-of-{of}")
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let shard = Self {
                number: number.parse().ok()?,
                of: of.parse().ok()?,
            };
            let is_valid = shard.number <= shard.of && shard.of.get() <= Self::MOST;
            is_valid.then_some(shard)
        });
        parsed.ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::Salt;
    use tournament::file::{TournamentSource, parse};

    fn spread(counts: &[u64]) -> u64 {
        counts.iter().max().unwrap() - counts.iter().min().unwrap()
    }

    /// Assigns the games of this many agents and seeds to shards.
    #[track_caller]
    fn check_is_fair(n_agents: u64, n_seeds: u64, n_shards: u32) {
        let of = NonZeroU32::new(n_shards).unwrap();
        let shards = usize::try_from(n_shards).unwrap();
        let mut games = vec![0; shards];
        let mut games_of_agents = vec![vec![0; shards]; usize::try_from(n_agents).unwrap()];
        for game in 0..n_agents * n_seeds {
            let owner = Shard::of_game(game, n_agents, of);
            assert!(owner.has(game, n_agents));
            let owners = Shard::all(of).filter(|shard| shard.has(game, n_agents));
            assert_eq!(owners.count(), 1, "a game belongs to one shard");
            let index = usize::try_from(owner.number() - 1).unwrap();
            games[index] += 1;
            games_of_agents[usize::try_from(game % n_agents).unwrap()][index] += 1;
        }
        let case = format!("{n_agents} agents, {n_seeds} seeds, {n_shards} shards");
        assert!(spread(&games) <= 1, "{case}: {games:?}");
        for counts in games_of_agents {
            assert!(spread(&counts) <= 1, "{case}: {counts:?}");
        }
    }

    #[test]
    fn shards_differ_by_at_most_one_game_in_total_and_per_agent() {
        for (n_agents, n_shards) in [
            (1, 1),
            (5, 1),
            (1, 8),
            (8, 8),
            (16, 8),
            (4, 8),
            (6, 8),
            (7, 8),
            (10, 4),
            (12, 18),
            (5, 64),
        ] {
            for n_seeds in [1, 2, 3, 7, 8, 20, 64, 65] {
                check_is_fair(n_agents, n_seeds, n_shards);
            }
        }
    }

    #[test]
    fn the_number_of_games_is_computed_correctly() {
        for (agents, n_seeds, n_shards) in
            [("{plugin: a}, {plugin: b}", 13, 4), ("{plugin: a}", 5, 8)]
        {
            let text = format!("seeds: 1..{n_seeds}\nagents: [{agents}]\n");
            let plan = parse(&TournamentSource::new("x.yaml", text)).unwrap();
            let plan = GamePlan::new(&plan, &Salt::NONE);
            for shard in Shard::all(NonZeroU32::new(n_shards).unwrap()) {
                let own =
                    (0..plan.n_games()).filter(|game| shard.has(*game, plan.games_per_seed()));
                assert_eq!(shard.n_games(&plan), own.count() as u64, "{shard}");
            }
        }
    }

    #[test]
    fn an_index_counts_from_0() {
        let of = NonZeroU32::new(8).unwrap();
        let shards: Vec<Shard> = (0..9).filter_map(|i| Shard::with_index(i, of)).collect();
        assert_eq!(shards, Shard::all(of).collect::<Vec<_>>());
        assert_eq!(Shard::with_index(u32::MAX, of), None);
    }

    #[test]
    fn it_is_written_as_number_and_total() {
        let shard: Shard = "3/8".parse().unwrap();
        assert_eq!((shard.number(), shard.of().get()), (3, 8));
        assert_eq!(shard.to_string(), "3/8");
        assert_eq!(shard.folder_name(), PathBuf::from("3-of-8"));
        for text in [
            "",
            "3",
            "0/8",
            "9/8",
            "3/0",
            "-1/8",
            "3/8/9",
            "a/b",
            "1/5000000000",
        ] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("is not a shard; use I/N"), "{error}");
        }
    }
}
