//! Which games a tournament consists of, and in which order.
//!
//! Seed by seed, and within a seed budget by budget and agent by agent: whenever a
//! run is stopped, all agents have met nearly the same seeds, and a noisy minute of
//! the machine hits all of them. The plan is arithmetic, not a list: a million
//! games cost no memory.

use crate::tournament::{SeedSet, Tournament};

/// All games of a tournament.
#[derive(Clone, Debug)]
pub struct GamePlan {
    seeds: SeedSet,
    n_budgets: usize,
    n_agents: usize,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// Its place in the plan, from 0.
    pub number: u64,
    pub seed: u64,
    /// Index into the tournament's budgets.
    pub budget: usize,
    /// Index into the tournament's agents.
    pub agent: usize,
}

impl GamePlan {
    #[must_use]
    pub fn new(tournament: &Tournament) -> Self {
        Self {
            seeds: tournament.planned_seeds(),
            n_budgets: tournament.budgets.len(),
            n_agents: tournament.agents.len(),
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn n_games(&self) -> u64 {
        self.seeds.len().saturating_mul(self.games_per_seed())
    }

    /// The place of a game in the plan; `None` where its seed is not planned.
    #[must_use]
    pub fn number_of(&self, seed: u64, budget: usize, agent: usize) -> Option<u64> {
        let before = self.seeds.position(seed)? * self.games_per_seed();
        Some(before + (budget * self.n_agents + agent) as u64)
    }

    /// How many games a seed has: one an agent and budget.
    #[must_use]
    pub fn games_per_seed(&self) -> u64 {
        u64::try_from(self.n_budgets * self.n_agents).expect("a file holds few agents")
    }

    /// The games in the order of the plan.
    pub fn games(&self) -> impl Iterator<Item = PlannedGame> + '_ {
        let per_seed = self.n_budgets * self.n_agents;
        let seeds = self.seeds.iter();
        seeds
            .flat_map(move |seed| (0..per_seed).map(move |index| (seed, index)))
            .zip(0..)
            .map(|((seed, index), number)| PlannedGame {
                number,
                seed,
                budget: index / self.n_agents,
                agent: index % self.n_agents,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament_file::{TournamentSource, parse};

    #[test]
    fn every_agent_meets_a_seed_before_the_next_seed_comes() {
        let text =
            "seeds: [7, 3]\nbudget: [{nodes: 1}, {nodes: 2}]\nagents: [{plugin: a}, {plugin: b}]\n";
        let tournament = parse(&TournamentSource::new("x.yaml", text)).unwrap();
        let plan = GamePlan::new(&tournament);
        let games: Vec<_> = plan
            .games()
            .map(|game| (game.number, game.seed, game.budget, game.agent))
            .collect();
        assert_eq!(plan.n_games(), 8);
        for (number, seed, budget, agent) in &games {
            assert_eq!(plan.number_of(*seed, *budget, *agent), Some(*number));
        }
        assert_eq!(plan.number_of(5, 0, 0), None);
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
}
