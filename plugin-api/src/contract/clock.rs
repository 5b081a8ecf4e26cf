//! The clocks that measure thinking time.

use nix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// A clock. Referee and agent use the same one.
///
/// ```
/// # use plugin_api::Clock;
/// let start = Clock::Cpu.now_ns();
/// let work: u64 = (0..1000).sum();
/// assert!(Clock::Cpu.now_ns() >= start && work == 499_500);
/// assert_eq!((Clock::Cpu.name(), Clock::Wall.name(), Clock::default()), ("cpu", "wall", Clock::Cpu));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// CPU time of the whole process, summed over all threads: other programs cost an
    /// agent nothing, and threads gain it nothing.
    #[default]
    Cpu,
    /// Wall time.
    Wall,
}

impl Clock {
    /// The name used in tournament files and setups.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Wall => "wall",
        }
    }

    /// The clock's reading in nanoseconds. Only differences are meaningful.
    #[must_use]
    pub fn now_ns(self) -> u64 {
        let id = match self {
            Self::Cpu => ClockId::CLOCK_PROCESS_CPUTIME_ID,
            Self::Wall => ClockId::CLOCK_MONOTONIC,
        };
        let time = clock_gettime(id).expect("Linux has both clocks");
        let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
        let nanoseconds = u64::try_from(time.tv_nsec()).unwrap_or(0);
        seconds * 1_000_000_000 + nanoseconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_do_not_run_backwards() {
        for clock in [Clock::Cpu, Clock::Wall] {
            let first = clock.now_ns();
            assert!(clock.now_ns() >= first);
        }
    }
}
