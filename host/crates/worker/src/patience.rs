//! How long the host waits for a worker, in CPU time and in time asleep, and why it waits no
//! longer.
//!
//! Wall time says nothing about an agent: on a busy machine a good one waits for its core. So the
//! host looks at the worker now and then while it waits. It judges an agent that works by its CPU
//! clock, and it keeps waiting for one that could work but has no core. Only an agent that sleeps
//! uses up the time it may sleep. Looking is also what ends an endless loop: as soon as the CPU
//! time is used up, however long that takes on the wall clock.

use std::time::{Duration, Instant};

use super::PluginFailure;

/// Why a worker gives no answer: the one type for it between the host and its workers.
#[derive(Debug, PartialEq)]
pub enum NoAnswer {
    /// The plugin did not do what the host asked for; this is what the worker reports.
    Failed(PluginFailure),
    /// The same, but the report did not come in time.
    Unexplained,
    /// It has ended, or closed its pipe.
    Died(String),
    /// It was killed by a signal that neither the host nor the agent sent.
    KilledFromOutside(String),
    /// It has used all the CPU time it had, or all the wall time.
    UsedUp,
    /// It slept for longer than it may.
    Asleep,
    /// It was stopped by a signal for a while, or this whole machine was suspended.
    Paused,
    /// What it sent is not in the protocol.
    Garbage,
    /// The run is to stop; nothing is wrong with the worker.
    Stopped,
}

/// What the threads of a worker do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// A thread runs, waits for a core, or waits for the machine (for a page, say).
    Busy,
    /// All threads wait for something that only the agent can have asked for.
    Asleep,
    /// It was stopped with a signal.
    Stopped,
}

/// Where instants come from: [`Instant::now`], or in a test a clock that the test sets.
pub type Now = fn() -> Instant;

/// The longest time between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The shortest, so that looking costs little.
const SOONEST: Duration = Duration::from_millis(1);
/// Between two looks at a worker that may sleep in short naps.
const LOOK_CLOSELY: Duration = Duration::from_micros(500);
/// How late a timer may be on a machine with nothing else to do.
const TIMER: Duration = Duration::from_millis(2);
/// A host that comes this much too late was suspended, or its machine was.
const SUSPENDED: Duration = Duration::from_secs(1);

/// What a worker may still use while the host waits for it.
#[derive(Clone, Debug)]
pub struct Patience {
    /// The reading of its CPU clock at which it has used everything.
    cpu_until: Duration,
    wall_until: Option<Instant>,
    sleep_limit: Duration,
    slept: Duration,
    longest_interval: Duration,
    last_cpu: Duration,
    last_look: Instant,
    next_look: Instant,
    now: Now,
}

/// What the host saw of a worker.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    pub at: Instant,
    /// Its CPU clock.
    pub cpu: Duration,
    pub state: WorkerState,
}

impl Patience {
    /// For a worker whose CPU clock shows `cpu_now`: so much CPU time, and so much sleep.
    #[must_use]
    pub fn new(cpu_now: Duration, cpu_limit: Duration, sleep_limit: Duration) -> Self {
        Self::on_clock(Instant::now, cpu_now, cpu_limit, sleep_limit)
    }

    /// Like [`Self::new`], with instants from this clock.
    #[must_use]
    pub fn on_clock(
        clock: Now,
        cpu_now: Duration,
        cpu_limit: Duration,
        sleep_limit: Duration,
    ) -> Self {
        let now = clock();
        let mut patience = Self {
            cpu_until: cpu_now.saturating_add(cpu_limit),
            wall_until: None,
            sleep_limit,
            slept: Duration::ZERO,
            longest_interval: LOOK_EVERY,
            last_cpu: cpu_now,
            last_look: now,
            next_look: now,
            now: clock,
        };
        patience.schedule(now);
        patience
    }

    /// Also ends after a wall time from now on.
    #[must_use]
    pub fn within_wall_time(mut self, limit: Duration) -> Self {
        self.wall_until = self.last_look.checked_add(limit);
        self.schedule(self.last_look);
        self
    }

    /// Looks often enough to notice short naps.
    #[must_use]
    pub fn looking_closely(mut self) -> Self {
        self.longest_interval = LOOK_CLOSELY;
        self.schedule(self.last_look);
        self
    }

    /// Grants more CPU time.
    pub fn extend(&mut self, more: Duration) {
        self.cpu_until = self.cpu_until.saturating_add(more);
    }

    /// How long the host saw the worker asleep.
    #[must_use]
    pub fn slept(&self) -> Duration {
        self.slept
    }

    /// Whether the wall time has been over for so long that the host, which would have ended
    /// the wait, cannot have been running meanwhile. `cpu` is what the worker's CPU clock shows.
    #[must_use]
    pub fn is_from_suspended_host(&self, cpu: Duration) -> bool {
        self.wall_until
            .is_some_and(|until| self.was_suspended(until, self.now(), cpu))
    }

    /// Whether the machine was suspended, if the host was to come at `due` and came at `at`. It
    /// was not if the worker used a good part of that time, or more than it had left: then the
    /// worker kept the host waiting for their core.
    fn was_suspended(&self, due: Instant, at: Instant, cpu: Duration) -> bool {
        let late = at.saturating_duration_since(due);
        let worked = cpu.saturating_sub(self.last_cpu);
        let left = self.wall_until.map_or(Duration::MAX, |until| {
            until.saturating_duration_since(self.last_look)
        });
        late > SUSPENDED && worked <= left && worked < late / 4
    }

    pub(super) fn now(&self) -> Instant {
        (self.now)()
    }

    /// How long the host may wait before it looks; nothing when a look is due.
    #[must_use]
    pub fn until_next_look(&self) -> Option<Duration> {
        self.next_look
            .checked_duration_since(self.now())
            .filter(|left| !left.is_zero())
    }

    /// Judges what the host saw of a worker that has not answered.
    ///
    /// # Errors
    /// When the host waits no longer.
    pub fn judge(&mut self, observed: Observation) -> Result<(), NoAnswer> {
        let planned = self.next_look.duration_since(self.last_look);
        let elapsed = observed.at.saturating_duration_since(self.last_look);
        if self.wall_until.is_some()
            && self.was_suspended(self.next_look, observed.at, observed.cpu)
        {
            return Err(NoAnswer::Paused);
        }
        if observed.cpu > self.cpu_until
            || self.wall_until.is_some_and(|until| observed.at >= until)
        {
            return Err(NoAnswer::UsedUp);
        }
        match observed.state {
            WorkerState::Stopped => return Err(NoAnswer::Paused),
            WorkerState::Busy => {}
            WorkerState::Asleep => {
                // A host that comes late does not know what the worker did meanwhile.
                let seen = elapsed.min(planned + TIMER);
                let worked = observed.cpu.saturating_sub(self.last_cpu);
                self.slept += seen.saturating_sub(worked);
                if self.slept > self.sleep_limit {
                    return Err(NoAnswer::Asleep);
                }
            }
        }
        self.last_cpu = observed.cpu;
        self.schedule(observed.at);
        Ok(())
    }

    /// CPU time cannot pass faster than wall time on the worker's one core: no look is
    /// needed before everything could be used up.
    fn schedule(&mut self, now: Instant) {
        let cpu_left = self.cpu_until.saturating_sub(self.last_cpu);
        let mut interval = cpu_left.clamp(SOONEST, LOOK_EVERY);
        if let Some(until) = self.wall_until {
            interval = interval.min(until.saturating_duration_since(now));
        }
        self.last_look = now;
        self.next_look = now + interval.min(self.longest_interval);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Looks at a worker at times after the start, with what its clock shows then; returns
    /// the first verdict, and at which look.
    fn judged(
        mut patience: Patience,
        looks: &[(u64, u64, WorkerState)],
    ) -> Option<(usize, NoAnswer)> {
        let start = patience.last_look;
        for (number, &(at, cpu, state)) in looks.iter().enumerate() {
            let seen = Observation {
                at: start + ms(at),
                cpu: ms(cpu),
                state,
            };
            if let Err(reason) = patience.judge(seen) {
                return Some((number, reason));
            }
        }
        None
    }

    fn patience() -> Patience {
        Patience::new(ms(0), ms(101), ms(120))
    }

    #[test]
    fn a_worker_that_waits_for_its_core_is_waited_for() {
        let starved: Vec<_> = (1..1000).map(|n| (n * 50, 1, WorkerState::Busy)).collect();
        assert_eq!(judged(patience(), &starved), None);
    }

    #[test]
    fn a_worker_that_sleeps_uses_up_its_sleep() {
        let asleep: Vec<_> = (1..9).map(|n| (n * 50, 0, WorkerState::Asleep)).collect();
        assert_eq!(judged(patience(), &asleep), Some((2, NoAnswer::Asleep)));
    }

    #[test]
    fn a_host_that_comes_late_counts_only_what_it_planned() {
        let late = [
            (5000, 0, WorkerState::Asleep),
            (9000, 0, WorkerState::Asleep),
        ];
        assert_eq!(judged(patience(), &late), None);
    }

    #[test]
    fn what_it_worked_between_two_looks_is_no_sleep() {
        let napping: Vec<_> = (1..3)
            .map(|n| (n * 50, n * 45, WorkerState::Asleep))
            .collect();
        assert_eq!(judged(patience(), &napping), None);
    }

    #[test]
    fn an_endless_loop_ends_when_everything_is_used_up() {
        let looping = [
            (50, 50, WorkerState::Busy),
            (100, 100, WorkerState::Busy),
            (102, 102, WorkerState::Busy),
        ];
        assert_eq!(judged(patience(), &looping), Some((2, NoAnswer::UsedUp)));
    }

    #[test]
    fn a_stopped_worker_is_paused_and_so_is_a_suspended_machine_where_wall_time_counts() {
        let stopped = [(50, 0, WorkerState::Stopped)];
        assert_eq!(judged(patience(), &stopped), Some((0, NoAnswer::Paused)));
        let suspended = [(5000, 0, WorkerState::Busy)];
        let on_wall_clock = patience().within_wall_time(ms(400));
        assert_eq!(
            judged(on_wall_clock, &suspended),
            Some((0, NoAnswer::Paused))
        );
        // Its own threads held the core that the host waited for, all of the time or half of it.
        for cpu in [4950, 2500] {
            let spinning = [(5000, cpu, WorkerState::Busy)];
            let on_wall_clock = patience().within_wall_time(ms(400));
            let verdict = judged(on_wall_clock, &spinning);
            assert_eq!(verdict, Some((0, NoAnswer::UsedUp)));
        }
        // Others used most of the core, but it has worked for longer than it had.
        let overdue = [(5000, 450, WorkerState::Busy)];
        let on_wall_clock = patience().within_wall_time(ms(400));
        assert_eq!(judged(on_wall_clock, &overdue), Some((0, NoAnswer::UsedUp)));
        // It worked until the machine was suspended.
        let both = [(5000, 49, WorkerState::Busy)];
        let on_wall_clock = patience().within_wall_time(ms(400));
        assert_eq!(judged(on_wall_clock, &both), Some((0, NoAnswer::Paused)));
        let late = [(500, 0, WorkerState::Busy)];
        let on_wall_clock = patience().within_wall_time(ms(400));
        assert_eq!(judged(on_wall_clock, &late), Some((0, NoAnswer::UsedUp)));
    }
}
