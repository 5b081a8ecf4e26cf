//! Asks an agent what it would play on positions of another game.
//!
//! It gets what it would get in a game of its own: a worker, a sandbox, the setup, and a turn
//! with a full bank. The referee judges its answer.

use std::sync::atomic::AtomicBool;

use plugin_api::{Direction, Game};

use super::slot::{game_task, plugin_file};
use run::{game_record::Ending, run_plan::RunPlan};
use tournament::Budget;
use worker::WorkerOptions;

use crate::{
    player::{Fault, NoMove, Reply, WorkerPlayer},
    referee,
};

/// An agent in a worker of its own, which ends with this value.
pub struct AskedAgent<'a> {
    player: WorkerPlayer<'a>,
    budget: Budget,
}

impl<'a> AskedAgent<'a> {
    /// Starts the first agent of a plan under its first budget, as for a game on this seed.
    ///
    /// # Errors
    /// When the agent cannot be started within its limits.
    pub fn start(plan: &RunPlan, seed: u64, stop: &'a AtomicBool) -> Result<Self, NoMove> {
        const FIRST: usize = 0;
        let tournament = &plan.tournament;
        let (agent, budget) = (&plan.agents[FIRST], tournament.budgets[0]);
        let plugin = plugin_file(agent, tournament.sandbox)
            .map_err(|sentence| NoMove::Fault(Fault::new(Ending::Refused, sentence)))?;
        let setup = agent.setup(tournament, &budget, &plan.salt, seed);
        let task = game_task(plan, FIRST, plugin, &budget, setup);
        let options = WorkerOptions {
            stop: Some(stop),
            ..WorkerOptions::default()
        };
        let player = WorkerPlayer::start(&task, options)?;
        Ok(Self { player, budget })
    }

    /// What it would play on the position that a game has reached; the game must not be over.
    ///
    /// # Errors
    /// When it gives no legal move, or was interrupted.
    pub fn ask(&mut self, game: &Game) -> Result<(Direction, Reply), NoMove> {
        referee::ask(game.clone(), &mut self.player, &self.budget)
    }
}
