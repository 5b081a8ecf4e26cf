//! The games of a tournament and their order.
//!
//! The order is seed by seed. So all agents have played nearly the same seeds whenever a
//! run is stopped, and a noisy minute of the machine affects all of them. Within a seed the
//! order is budget by budget and agent by agent, shuffled by the salt. The games on private
//! seeds come first: in each of their rounds every series plays a seed of its own, one of
//! those that follow the largest shared seed. The games are computed, not listed: a plan of
//! a million games needs no memory.

mod play_order;

use std::collections::BTreeMap;

use plugin_api::Salt;

use tournament::{SeedSet, Tournament, games_per_seed};

use play_order::PlayOrder;
pub(super) use play_order::greatest_common_divisor;

/// All games of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct GamePlan {
    /// The seeds that all agents share.
    seeds: SeedSet,
    first_private_seed: u64,
    /// How many private seeds each series has.
    n_private_seeds: u64,
    order: PlayOrder,
    games_per_seed: u64,
    n_agents: usize,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// Its position in the plan, from 0.
    pub number: u64,
    pub seed: u64,
    /// Index into the tournament's budgets.
    pub budget: usize,
    /// Index into the tournament's agents.
    pub agent: usize,
}

/// The games of one agent under one budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Series {
    /// Index into the tournament's budgets.
    pub budget: usize,
    /// Index into the tournament's agents.
    pub agent: usize,
}

/// How many games of each series are to be played.
pub type GamesOfSeries = BTreeMap<Series, u64>;

impl PlannedGame {
    /// The series that it belongs to.
    #[must_use]
    pub fn series(&self) -> Series {
        Series {
            budget: self.budget,
            agent: self.agent,
        }
    }
}

impl GamePlan {
    /// The games of a tournament whose tiles have this salt.
    #[must_use]
    pub fn new(tournament: &Tournament, salt: &Salt) -> Self {
        let seeds = tournament.planned_seeds();
        let (n_budgets, n_agents) = (tournament.budgets.len(), tournament.agents.len());
        let games_per_seed = games_per_seed(n_agents, n_budgets);
        Self {
            first_private_seed: seeds.largest() + 1,
            n_private_seeds: tournament.private_seeds,
            order: PlayOrder::new(*salt, games_per_seed),
            seeds,
            games_per_seed,
            n_agents,
        }
    }

    /// The game with this number; `None` beyond the last one.
    #[must_use]
    pub fn game(&self, number: u64) -> Option<PlannedGame> {
        let round = number.checked_div(self.games_per_seed)?;
        let series = self.series_of(number);
        let seed = match round.checked_sub(self.n_private_seeds) {
            Some(position) => self.seeds.nth(position)?,
            None => self.first_private_seed + round * self.games_per_seed + self.index_of(series),
        };
        Some(PlannedGame {
            number,
            seed,
            budget: series.budget,
            agent: series.agent,
        })
    }

    /// The series of the game with this number.
    #[must_use]
    pub fn series_of(&self, number: u64) -> Series {
        let (round, position) = (number / self.games_per_seed, number % self.games_per_seed);
        self.series_at(self.order.of_round(round).series_at(position))
    }

    fn series_at(&self, index: u64) -> Series {
        let index = usize::try_from(index).expect("below the number of agents and budgets");
        Series {
            budget: index / self.n_agents,
            agent: index % self.n_agents,
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn n_games(&self) -> u64 {
        let n_rounds = self.seeds.len().saturating_add(self.n_private_seeds);
        n_rounds.saturating_mul(self.games_per_seed)
    }

    /// The number of the first game on a seed that all agents share; games on private
    /// seeds come before it.
    #[must_use]
    pub fn first_shared_game(&self) -> u64 {
        self.n_private_seeds.saturating_mul(self.games_per_seed)
    }

    /// The number after the last game on the first so many shared seeds.
    #[must_use]
    pub fn end_of_seeds(&self, n_seeds: u64) -> u64 {
        let n_rounds = self.n_private_seeds.saturating_add(n_seeds);
        n_rounds.saturating_mul(self.games_per_seed)
    }

    /// How many shared seeds come before that of a game; `None` for a private seed.
    #[must_use]
    pub fn shared_round(&self, number: u64) -> Option<u64> {
        let shared = number.checked_sub(self.first_shared_game())?;
        shared.checked_div(self.games_per_seed)
    }

    /// All series: budget by budget, agent by agent.
    pub fn all_series(&self) -> impl Iterator<Item = Series> {
        (0..self.games_per_seed).map(|index| self.series_at(index))
    }

    /// The position of a game in the plan; `None` if its seed is not planned.
    #[must_use]
    pub fn number_of(&self, seed: u64, budget: usize, agent: usize) -> Option<u64> {
        let series = self.index_of(Series { budget, agent });
        let round = if let Some(position) = self.seeds.position(seed) {
            self.n_private_seeds + position
        } else {
            let index = seed.checked_sub(self.first_private_seed)?;
            let is_own = index % self.games_per_seed == series;
            let round = index / self.games_per_seed;
            (is_own && round < self.n_private_seeds).then_some(round)?
        };
        Some(self.number_in_round(round, Series { budget, agent }))
    }

    /// The number of the game of a series in a round. Every series has one game in each; the rounds of
    /// private seeds come first.
    #[must_use]
    pub fn number_in_round(&self, round: u64, series: Series) -> u64 {
        let position = self
            .order
            .of_round(round)
            .position_of(self.index_of(series));
        round * self.games_per_seed + position
    }

    /// How many games are played on a seed: one per agent and budget.
    #[must_use]
    pub fn games_per_seed(&self) -> u64 {
        self.games_per_seed
    }

    /// The games in the order of the plan.
    pub fn games(&self) -> impl Iterator<Item = PlannedGame> + '_ {
        (0..self.n_games()).map_while(|number| self.game(number))
    }

    fn index_of(&self, series: Series) -> u64 {
        (series.budget * self.n_agents + series.agent) as u64
    }
}

/// A set of games by their number in the plan, in one bit each. The numbers of a plan are small enough that a set up to the largest fits
/// into memory: the reader of the tournament limits the games, see `MAX_GAMES`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSet {
    /// 64 games in each word.
    words: Vec<u64>,
    n_games: u64,
}

impl GameSet {
    /// Adds a game; says whether it is new.
    pub fn insert(&mut self, number: u64) -> bool {
        let (word, bit) = place_of(number);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.n_games += u64::from(is_new);
        is_new
    }

    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        let (word, bit) = place_of(number);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.n_games
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n_games == 0
    }

    /// The games in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..).zip(&self.words).flat_map(|(place, &word)| {
            let bits = (0..u64::from(u64::BITS)).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| place * u64::from(u64::BITS) + bit)
        })
    }
}

fn place_of(number: u64) -> (usize, u64) {
    let word = usize::try_from(number / u64::from(u64::BITS)).unwrap_or(usize::MAX);
    (word, 1 << (number % u64::from(u64::BITS)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament::file::{TournamentSource, parse};

    #[test]
    fn every_agent_plays_a_seed_before_the_next_seed_begins() {
        let text =
            "seeds: [7, 3]\nbudget: [{nodes: 1}, {nodes: 2}]\nagents: [{plugin: a}, {plugin: b}]\n";
        let tournament = parse(&TournamentSource::new("x.yaml", text)).unwrap();
        let plan = GamePlan::new(&tournament, &Salt::NONE);
        let games: Vec<_> = plan
            .games()
            .map(|game| (game.number, game.seed, game.budget, game.agent))
            .collect();
        assert_eq!(plan.n_games(), 8);
        for (number, seed, budget, agent) in &games {
            assert_eq!(plan.number_of(*seed, *budget, *agent), Some(*number));
            let game = plan.game(*number).unwrap();
            assert_eq!(
                (game.seed, game.budget, game.agent),
                (*seed, *budget, *agent)
            );
        }
        assert_eq!(plan.number_of(5, 0, 0), None);
        assert_eq!(plan.game(8), None);
        assert_eq!(
            games,
            [
                (0, 7, 0, 0),
                (1, 7, 0, 1),
                (2, 7, 1, 0),
                (3, 7, 1, 1),
                (4, 3, 0, 0),
                (5, 3, 0, 1),
                (6, 3, 1, 0),
                (7, 3, 1, 1)
            ]
        );
    }

    #[test]
    fn a_private_seed_is_played_by_one_series_only() {
        let text = "seeds: [7, 3]\nsalt: secret\nprivate_seeds: 2\n\
                    budget: [{nodes: 1}, {nodes: 2}]\nagents: [{plugin: a}, {plugin: b}]\n";
        let tournament = parse(&TournamentSource::new("x.yaml", text)).unwrap();
        let plan = GamePlan::new(&tournament, &Salt::from_bytes([1; Salt::N_BYTES]));
        assert_eq!((plan.first_shared_game(), plan.n_games()), (8, 16));
        assert_eq!((plan.end_of_seeds(1), plan.end_of_seeds(2)), (12, 16));
        let games: Vec<PlannedGame> = plan.games().collect();
        for (number, game) in (0..).zip(&games) {
            assert_eq!(game.number, number);
            assert_eq!(
                plan.number_of(game.seed, game.budget, game.agent),
                Some(number)
            );
            let n_players = games.iter().filter(|other| other.seed == game.seed).count();
            assert_eq!(n_players, if number < 8 { 1 } else { 4 });
            if number < 8 {
                assert_eq!(plan.number_of(game.seed, game.budget, 1 - game.agent), None);
            }
        }
        let mut private: Vec<u64> = games[..8].iter().map(|game| game.seed).collect();
        private.sort_unstable();
        assert_eq!(private, (8..16).collect::<Vec<_>>());
        assert_eq!(plan.number_of(16, 0, 0), None);
    }
}
