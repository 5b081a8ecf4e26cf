//! What an agent is charged for its turns: readings of the host, and nobody else's.
//!
//! A turn costs what the worker's CPU clock shows when the answer has come, minus what it
//! showed when the last answer had come, minus the cost of an empty turn. No CPU time falls
//! between two turns: who works on after an answer pays for it with the next one.

use std::time::{Duration, Instant};

use plugin_api::{Allowance, Clock, Turn};

use super::{TurnTimes, empty_turn::EmptyTurn, stolen_time::StolenTime};

/// A turn that takes so much more than its income may have been robbed of it.
const HICCUP: Duration = Duration::from_millis(5);

pub(super) struct TurnClock {
    empty: EmptyTurn,
    stolen_time: StolenTime,
    /// The worker's CPU clock at the last answer.
    last_cpu: Duration,
    asked: Instant,
    /// What a turn adds to the bank, where CPU time is what counts.
    income: Option<Duration>,
    /// Of this turn, so far.
    stolen: Duration,
}

impl TurnClock {
    /// For a worker that is bound to a core.
    pub(super) fn new(empty: EmptyTurn, core: Option<usize>) -> Self {
        Self {
            empty,
            stolen_time: StolenTime::of_core(core),
            last_cpu: Duration::ZERO,
            asked: Instant::now(),
            income: None,
            stolen: Duration::ZERO,
        }
    }

    /// Charges nothing for what the worker's CPU clock shows so far.
    pub(super) fn reset(&mut self, cpu: Duration) {
        self.last_cpu = cpu;
        self.stolen_time.forget();
    }

    pub(super) fn start(&mut self, turn: &Turn) {
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
        self.asked = Instant::now();
    }

    pub(super) fn empty(&self) -> EmptyTurn {
        self.empty
    }

    /// Where the CPU clock stood when the turn began.
    pub(super) fn cpu_at_start(&self) -> Duration {
        self.last_cpu
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
        let wall = self.asked.elapsed();
        self.credit(cpu);
        let used = cpu.saturating_sub(self.last_cpu);
        self.last_cpu = cpu;
        TurnTimes {
            cpu: used.saturating_sub(self.empty.cpu),
            wall: wall.saturating_sub(self.empty.wall),
            stolen: self.stolen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn us(microseconds: u64) -> Duration {
        Duration::from_micros(microseconds)
    }

    #[test]
    fn all_cpu_time_is_charged_except_for_empty_turns() {
        let empty = EmptyTurn {
            cpu: us(4),
            wall: us(9),
        };
        let mut clock = TurnClock::new(empty, None);
        clock.reset(us(1000));
        let turn = Turn {
            move_number: 1,
            score: 0,
            allowance: Allowance::Unlimited,
        };
        let mut charged = Duration::ZERO;
        // What is used between the answer and the next turn is in the next reading.
        for reading in [1054, 1108, 1512] {
            clock.start(&turn);
            charged += clock.stop(us(reading)).cpu;
        }
        assert_eq!(charged, us(512 - 3 * 4));
    }
}
