//! The part of a tournament with a stop rule that is played before the next decision.
//!
//! A shard does not know the games of the others, so it cannot decide which agents have
//! played enough. `host submit` decides between stages and writes the next one to a file that
//! the shards read.

use std::{io, path::Path};

use serde::{Deserialize, Serialize};

use crate::{
    atomic_file,
    counted::Decision,
    game_plan::{GamePlan, PlannedGame, Series},
    run_plan::RunPlan,
    unlinked,
};

/// The stage of a thousand agents is shorter.
const LONGEST: u64 = 16 << 20;

/// How many seeds every agent plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Version of this format: 1.
    v: u32,
    /// For every budget and every agent, in the order of the plan; `None` for all seeds.
    seeds: Vec<Vec<Option<u64>>>,
}

impl Stage {
    /// The stage before the next decision.
    #[must_use]
    pub fn of(plan: &RunPlan, decision: &Decision) -> Self {
        let of_budget = |budget| {
            let agents = 0..plan.agents.len();
            agents
                .map(|agent| decision.needed_seeds(Series { budget, agent }))
                .collect()
        };
        let budgets = 0..plan.tournament.budgets.len();
        Self {
            v: 1,
            seeds: budgets.map(of_budget).collect(),
        }
    }

    /// Reads a stage of this plan.
    ///
    /// # Errors
    /// When it cannot be read, or does not fit the plan.
    pub fn read(path: &Path, plan: &RunPlan) -> io::Result<Self> {
        let stage: Self = serde_json::from_slice(&unlinked::read(path, LONGEST)?)?;
        let n_budgets = plan.tournament.budgets.len();
        let fits = stage.v == 1
            && stage.seeds.len() == n_budgets
            && (stage.seeds.iter()).all(|agents| agents.len() == plan.agents.len());
        if fits {
            Ok(stage)
        } else {
            Err(io::Error::other("it is the stage of another tournament"))
        }
    }

    /// Writes it, in one step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        atomic_file::replace(path, serde_json::to_vec(self)?)
    }

    /// Whether a game belongs to it.
    #[must_use]
    pub fn has(&self, games: &GamePlan, game: &PlannedGame) -> bool {
        let n_seeds = self.seeds[game.budget][game.agent];
        n_seeds.is_none_or(|n_seeds| game.number < games.end_of_seeds(n_seeds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::plan;

    #[test]
    fn a_stage_has_the_first_seeds_of_every_agent() {
        let (folder, plan) = (tempfile::tempdir().unwrap(), plan(4, &["a", "b"]));
        let stage = Stage {
            v: 1,
            seeds: vec![vec![Some(3), None]],
        };
        let path = folder.path().join("stage.json");
        stage.write(&path).unwrap();
        assert_eq!(Stage::read(&path, &plan).unwrap(), stage);
        let games = plan.games();
        let n_of = |agent: usize| {
            let own = games.games().filter(|game| game.agent == agent);
            own.filter(|game| stage.has(&games, game)).count()
        };
        assert_eq!((n_of(0), n_of(1)), (3, 40));
        let other = crate::example::plan(4, &["a", "b", "c"]);
        assert!(Stage::read(&path, &other).is_err());
    }
}
