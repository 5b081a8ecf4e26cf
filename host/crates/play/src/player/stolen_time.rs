//! The CPU time that a hypervisor took from one core.
//!
//! On some virtual machines the CPU clock of a process goes on while the hypervisor lets
//! another machine use the core: an agent that stops after a millisecond may be charged for
//! half a second it never had. The kernel counts such time per core, as "steal".
//!
//! Over the same interval, let W be the wall time, S the time stolen from the core and C
//! what the worker's CPU clock shows. A worker on one core cannot have used more than
//! W − S. So C − (W − S), if that is positive, is stolen time that the clock contains, and
//! just that is credited. A sleeper gets nothing, because W grows while it sleeps; and where
//! the kernel keeps stolen time out of the CPU clock, nothing is left to credit.
//!
//! Reading the counter costs more than a fast turn. So the host reads it before the first turn,
//! then now and then, and otherwise only after a turn that took too long.

use std::{
    fs::File,
    os::unix::fs::FileExt,
    time::{Duration, Instant},
};

use worker::Now;

/// The kernel's unit in `/proc/stat`, the same on all of its machines.
const TICK: Duration = Duration::from_millis(10);
/// How old a reading may be: little of an interval should lie before the turn.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub(super) struct StolenTime {
    /// The core that is watched.
    core: Option<usize>,
    /// `/proc/stat`, from the first look on: without a budget in CPU time there is none.
    stat: Option<Box<dyn FileExt + Send>>,
    /// `None` before the first turn.
    last: Option<Readings>,
    now: Now,
}

/// What three clocks show at a moment.
#[derive(Clone, Copy, Debug)]
struct Readings {
    at: Instant,
    /// Of the worker.
    cpu: Duration,
    /// From the core.
    stolen: Duration,
}

impl StolenTime {
    /// Watches a core, for a worker that is bound to it. Without a core, nothing is ever
    /// stolen.
    pub(super) fn of_core(core: Option<usize>, now: Now) -> Self {
        Self {
            core,
            stat: None,
            last: None,
            now,
        }
    }

    /// Reads this instead of `/proc/stat`.
    #[cfg(test)]
    pub(super) fn reading(self, stat: impl FileExt + Send + 'static) -> Self {
        Self {
            stat: Some(Box::new(stat)),
            ..self
        }
    }

    /// Begins anew with the next turn.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// To be called before every turn, with the worker's CPU clock.
    pub(super) fn look_if_due(&mut self, cpu: Duration) {
        let is_old = |last: Readings| (self.now)().duration_since(last.at) > LOOK_EVERY;
        let is_due = self.last.is_none_or(is_old);
        if self.core.is_some() && is_due {
            self.look(cpu);
        }
    }

    /// What was stolen since the last look and is in the worker's CPU time.
    pub(super) fn look(&mut self, cpu: Duration) -> Duration {
        let now = Readings {
            at: (self.now)(),
            cpu,
            stolen: self
                .read()
                .or(self.last.map(|last| last.stolen))
                .unwrap_or(Duration::ZERO),
        };
        match self.last.replace(now) {
            None => Duration::ZERO,
            Some(last) => credit(
                now.at.duration_since(last.at),
                now.stolen.saturating_sub(last.stolen),
                now.cpu.saturating_sub(last.cpu),
            ),
        }
    }

    fn read(&mut self) -> Option<Duration> {
        let line_start = format!("cpu{} ", self.core?);
        let stat = match &self.stat {
            Some(stat) => stat,
            None => self.stat.insert(Box::new(File::open("/proc/stat").ok()?)),
        };
        let mut text = vec![0; 1 << 14];
        let length = stat.read_at(&mut text, 0).ok()?;
        stolen_in(&String::from_utf8_lossy(&text[..length]), &line_start)
    }
}

/// How much of the CPU time can only be stolen time.
fn credit(wall: Duration, stolen: Duration, cpu: Duration) -> Duration {
    cpu.saturating_sub(wall.saturating_sub(stolen)).min(stolen)
}

/// The eighth number of the core's line.
fn stolen_in(stat: &str, line_start: &str) -> Option<Duration> {
    let line = stat
        .lines()
        .find_map(|line| line.strip_prefix(line_start))?;
    let ticks = line.split_whitespace().nth(7)?.parse().ok()?;
    TICK.checked_mul(ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn the_eighth_number_of_a_cores_line_counts() {
        let stat = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu1 7 7 7 7 7 7 7 17 0 0\n\
                    cpu10 3 3 3 3 3 3 3 30 0 0\nintr 5\n";
        let of = |core: &str| stolen_in(stat, core);
        assert_eq!(of("cpu1 "), Some(Duration::from_millis(170)));
        assert_eq!(of("cpu10 "), Some(Duration::from_millis(300)));
        assert_eq!(of("cpu2 "), None);
    }

    #[test]
    fn only_what_the_cpu_clock_shows_too_much_is_credited() {
        // A turn that took all of the core, and most of it was stolen.
        assert_eq!(credit(ms(472), ms(470), ms(471)), ms(469));
        // The same where the kernel keeps stolen time out of the clock.
        assert_eq!(credit(ms(472), ms(470), ms(2)), ms(0));
        // An agent that sleeps for 3 s and then works for 210 ms was robbed of nothing,
        // whatever was stolen from others.
        assert_eq!(credit(ms(3210), ms(300), ms(210)), ms(0));
    }

    /// The bound by proportion, stolen time times CPU time over wall time, is never less.
    #[test]
    fn the_credit_is_at_most_the_share_of_the_worker() {
        for (wall, stolen, cpu) in [(100, 40, 90), (100, 90, 30), (50, 50, 50), (70, 10, 69)] {
            let share = ms(stolen * cpu / wall) + ms(1);
            assert!(credit(ms(wall), ms(stolen), ms(cpu)) <= share);
        }
    }

    #[test]
    fn without_a_core_nothing_is_stolen() {
        let of_core = |core| StolenTime::of_core(core, Instant::now);
        assert_eq!(of_core(None).look(ms(5)), Duration::ZERO);
        of_core(Some(0)).look_if_due(ms(5));
    }
}
