//! Attempts at one game: what is played again, and what is the agent's own doing.
//!
//! If something outside has ended a game, the host plays it again, and the record says so. An
//! agent must not profit from ending its own worker and making it look external: a second kill is
//! the agent's crash, and so is a second stop where the sandbox does not keep the agent from
//! stopping itself. Where it does, the host takes a few more stops for accidents. None of this
//! can end the run, or make it last for ever.

use std::time::Duration;

use run::game_record::{Ending, Retry, RetryReason};

use crate::{
    player::{Fault, Interruption},
    referee::{InterruptedGame, PlayedGame},
};

/// How often the host tries again to start a worker, and how long the first pause is; every pause
/// is twice as long as the one before.
const N_STARTS: u32 = 6;
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// How often the host plays a game again after a stop that the agent cannot have sent.
const N_STOPS: u32 = 5;

/// The attempts at a game that did not come to an end.
#[derive(Default)]
pub(super) struct Attempts {
    pub(super) retries: Vec<Retry>,
}

/// What follows from an attempt that was interrupted.
pub(super) enum NextAttempt {
    /// The host plays the game again, after a pause.
    Again(Duration),
    /// The run is to stop.
    Never,
    /// The agent has ended the game.
    EndedBy(Box<PlayedGame>, Fault),
    /// This machine cannot start workers.
    NoWorker(String),
}

impl Attempts {
    pub(super) fn after(&mut self, game: InterruptedGame) -> NextAttempt {
        let InterruptedGame {
            interruption,
            so_far,
        } = game;
        let n_moves = so_far.game.n_moves();
        let crash =
            |sentence: String| NextAttempt::EndedBy(so_far, Fault::new(Ending::Crash, sentence));
        match interruption {
            Interruption::Stopped => NextAttempt::Never,
            Interruption::Killed(signal) => {
                if self.n_of(RetryReason::Killed) > 0 {
                    return crash(format!("was killed twice by {signal}"));
                }
                self.again(RetryReason::Killed, n_moves, signal, Duration::ZERO)
            }
            Interruption::Paused { is_confined } => {
                let n_stops = self.n_of(RetryReason::Paused) + 1;
                if n_stops > if is_confined { N_STOPS } else { 1 } {
                    return crash(format!("was stopped {n_stops} times"));
                }
                let detail = "the worker or the machine was stopped".to_owned();
                self.again(RetryReason::Paused, n_moves, detail, Duration::ZERO)
            }
            Interruption::NotStarted(reason) => {
                let n_failed = self.n_of(RetryReason::NotStarted);
                if n_failed + 1 >= N_STARTS {
                    return NextAttempt::NoWorker(reason);
                }
                let pause = FIRST_PAUSE * (1 << n_failed);
                self.again(RetryReason::NotStarted, n_moves, reason, pause)
            }
        }
    }

    fn n_of(&self, reason: RetryReason) -> u32 {
        let same = self.retries.iter().filter(|retry| retry.reason == reason);
        u32::try_from(same.count()).unwrap_or(u32::MAX)
    }

    fn again(
        &mut self,
        reason: RetryReason,
        n_moves: u64,
        detail: String,
        pause: Duration,
    ) -> NextAttempt {
        self.retries.push(Retry {
            reason,
            n_moves,
            detail,
        });
        NextAttempt::Again(pause)
    }
}

#[cfg(test)]
mod tests {
    use plugin_api::{Game, Rules, Salt};

    use super::*;

    const PAUSED: Interruption = Interruption::Paused { is_confined: true };

    /// What follows from interruptions of one game, in short.
    fn outcomes(interruptions: &[Interruption]) -> (Vec<&'static str>, usize) {
        let mut attempts = Attempts::default();
        let outcomes = interruptions
            .iter()
            .map(|interruption| {
                let game = Game::start(Rules::default(), &Salt::NONE, 7);
                let game = InterruptedGame::before_start(game, interruption.clone());
                match attempts.after(game) {
                    NextAttempt::Again(_) => "again",
                    NextAttempt::Never => "never",
                    NextAttempt::EndedBy(_, fault) => fault.ending.name(),
                    NextAttempt::NoWorker(_) => "no worker",
                }
            })
            .collect();
        (outcomes, attempts.retries.len())
    }

    #[test]
    fn a_second_kill_is_the_agents_crash() {
        let kill = Interruption::Killed("SIGKILL".to_owned());
        let (outcomes, n_retries) = outcomes(&[kill.clone(), PAUSED, kill]);
        assert_eq!(outcomes, ["again", "again", "crash"]);
        assert_eq!(n_retries, 2, "every retry is recorded");
    }

    #[test]
    fn only_an_agent_that_could_stop_itself_pays_for_a_second_stop() {
        let stops = [PAUSED; 6];
        assert_eq!(outcomes(&stops[..5]).0, ["again"; 5]);
        assert_eq!(outcomes(&stops).0[5], "crash");
        let own_stops = [const { Interruption::Paused { is_confined: false } }; 2];
        assert_eq!(outcomes(&own_stops).0, ["again", "crash"]);
    }

    #[test]
    fn a_machine_that_cannot_start_workers_stops_the_run() {
        let failed = vec![Interruption::NotStarted("no memory".to_owned()); 6];
        let (outcomes, n_retries) = outcomes(&failed);
        assert_eq!(outcomes[4..], ["again", "no worker"]);
        assert_eq!(n_retries, 5);
    }
}
