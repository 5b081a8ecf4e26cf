//! An agent inside the host: for plugins that the user trusts, at top speed.
//!
//! The host reads only the wall clock here: the CPU time of this process is not that of one
//! agent, and reading it would cost more than the rest of a turn.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use plugin_api::{Answer, Board, Failure, LoadedAgent, LoadedPlugin, Turn};

use super::{Fault, Interruption, NoMove, Player, TurnTimes};
use worker::PluginCall;

/// An agent that lives in this process.
pub struct InProcessPlayer<'s> {
    agent: Box<dyn LoadedAgent>,
    stop: &'s AtomicBool,
}

impl<'s> InProcessPlayer<'s> {
    /// Makes an agent. It has no further turn once `stop` is set.
    ///
    /// # Errors
    /// When the plugin refuses or panics.
    pub fn start(
        plugin: &dyn LoadedPlugin,
        params: &str,
        setup: &str,
        stop: &'s AtomicBool,
    ) -> Result<Self, Fault> {
        let agent =
            (plugin.create(params, setup)).map_err(|failure| fault(failure, PluginCall::New))?;
        Ok(Self { agent, stop })
    }
}

impl Player for InProcessPlayer<'_> {
    fn choose(
        &mut self,
        board: &Board,
        turn: &Turn,
    ) -> Result<(Option<Answer>, TurnTimes), NoMove> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(NoMove::Interrupted(Interruption::Stopped));
        }
        let start = Instant::now();
        let answer = self.agent.choose(board, turn);
        let wall = start.elapsed();
        let answer = answer.map_err(|failure| NoMove::Fault(fault(failure, PluginCall::Choose)))?;
        let times = TurnTimes {
            cpu: wall,
            wall,
            stolen: Duration::ZERO,
        };
        Ok((Some(answer), times))
    }

    fn n_threads(&mut self) -> u64 {
        1
    }

    /// What it prints goes where the host's own words go.
    fn stderr_tail(&mut self) -> String {
        String::new()
    }
}

fn fault(failure: Failure, call: PluginCall) -> Fault {
    Fault::of_plugin(&failure.into(), call, "")
}
