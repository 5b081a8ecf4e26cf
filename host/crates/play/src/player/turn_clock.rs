//! The time of an agent's turns: how long the host waits for an answer, and what the agent is
//! charged for it, by readings of the host alone.
//!
//! A turn costs what the worker's CPU clock shows when the answer has come, minus what it
//! showed when the last answer had come, minus the cost of an empty turn. No CPU time falls
//! between two turns: an agent that keeps computing after its answer is charged on the next
//! turn.

use std::time::{Duration, Instant};

use plugin_api::{Allowance, Clock, Turn};
use tournament::{Budget, Overrun};
use worker::{Now, Patience};

use super::{TurnTimes, empty_turn::EmptyTurn, stolen_time::StolenTime};
use crate::bank::SleepAccount;

/// A turn that takes so much more than its income may have lost time to the hypervisor.
const HICCUP: Duration = Duration::from_millis(5);

pub(super) struct TurnClock {
    budget: Budget,
    empty: EmptyTurn,
    stolen_time: StolenTime,
    sleep: SleepAccount,
    /// The worker's CPU clock at the last answer.
    last_cpu: Duration,
    asked: Instant,
    /// What a turn adds to the bank, where CPU time is what counts.
    income: Option<Duration>,
    /// Of this turn, so far.
    stolen: Duration,
    now: Now,
}

impl TurnClock {
    /// For a worker that is bound to a core.
    pub(super) fn new(budget: &Budget, empty: EmptyTurn, core: Option<usize>) -> Self {
        let now: Now = Instant::now;
        Self::on_clock(now, budget, empty, StolenTime::of_core(core, now))
    }

    /// With instants from this clock.
    fn on_clock(now: Now, budget: &Budget, empty: EmptyTurn, stolen_time: StolenTime) -> Self {
        Self {
            budget: *budget,
            empty,
            stolen_time,
            sleep: SleepAccount::new(budget),
            last_cpu: Duration::ZERO,
            asked: now(),
            income: None,
            stolen: Duration::ZERO,
            now,
        }
    }

    /// Charges nothing for what the worker's CPU clock shows so far.
    pub(super) fn reset(&mut self, cpu: Duration) {
        self.last_cpu = cpu;
        self.stolen_time.forget();
    }

    /// Begins a turn, and returns what the worker may use before the host waits no longer.
    pub(super) fn start(&mut self, turn: &Turn) -> Patience {
        self.income = match turn.allowance {
            Allowance::Time {
                clock: Clock::Cpu,
                income,
                ..
            } => Some(income),
            _ => None,
        };
        if self.income.is_some() {
            self.stolen_time.look_if_due(self.last_cpu);
        }
        self.stolen = Duration::ZERO;
        self.asked = (self.now)();
        self.patience(turn)
    }

    fn patience(&self, turn: &Turn) -> Patience {
        let (cpu, wall) = match (turn.allowance, self.budget.overrun) {
            (
                Allowance::Time {
                    clock,
                    income,
                    bank,
                    ..
                },
                Overrun::EndGame,
            ) => match clock {
                Clock::Cpu => (income + bank + self.empty.cpu, None),
                Clock::Wall => (self.budget.hang, Some(income + bank + self.empty.wall)),
            },
            _ => (self.budget.hang, None),
        };
        let sleep = match wall {
            // An agent that sleeps pays for it with the time that is limited.
            Some(wall) => wall,
            None => self.sleep.available(),
        };
        let patience = Patience::on_clock(self.now, self.last_cpu, cpu, sleep);
        match wall {
            Some(wall) => patience.within_wall_time(wall),
            None if self.sleep.is_suspicious() => patience.looking_closely(),
            None => patience,
        }
    }

    /// What of this turn was stolen since the last look, if it took suspiciously long.
    pub(super) fn credit(&mut self, cpu: Duration) -> Duration {
        let Some(income) = self.income else {
            return Duration::ZERO;
        };
        let used = cpu.saturating_sub(self.last_cpu);
        let excess = used.saturating_sub(income + self.stolen);
        if excess < HICCUP {
            return Duration::ZERO;
        }
        let credit = self.stolen_time.look(cpu).min(excess);
        self.stolen += credit;
        credit
    }

    /// Ends the turn with a reading of the worker's CPU clock.
    pub(super) fn stop(&mut self, cpu: Duration) -> TurnTimes {
        let wall = (self.now)().saturating_duration_since(self.asked);
        self.credit(cpu);
        let used = cpu.saturating_sub(self.last_cpu);
        self.last_cpu = cpu;
        TurnTimes {
            cpu: used.saturating_sub(self.empty.cpu),
            wall: wall.saturating_sub(self.empty.wall),
            stolen: self.stolen,
        }
    }

    /// Charges an answered turn for its sleep.
    pub(super) fn pay_sleep(&mut self, patience: &Patience, times: TurnTimes) {
        let unexplained = times.wall.saturating_sub(times.cpu);
        self.sleep.pay(patience.slept(), unexplained);
    }
}

#[cfg(test)]
mod tests;
