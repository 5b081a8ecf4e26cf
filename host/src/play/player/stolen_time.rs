//! The CPU time that a hypervisor took from one core.
//!
//! On a virtual machine the CPU clock of a process goes on while the hypervisor lets
//! somebody else use the core: an agent that stops after a millisecond may be charged
//! for half a second it never had. The kernel counts such time per core, as "steal",
//! so that the referee can take it off. Reading the counter costs more than a fast
//! turn: it is read now and then, and again only after a turn that took too long.

use std::{
    fs::File,
    os::unix::fs::FileExt,
    time::{Duration, Instant},
};

/// The kernel's unit in `/proc/stat`, the same on all of its machines.
const TICK: Duration = Duration::from_millis(10);
/// How old a reading may be: what was taken before the turn is not the turn's.
const LOOK_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct StolenTime {
    /// `/proc/stat` and how the core's line begins; `None` where nothing is known.
    source: Option<(File, String)>,
    last_look: Instant,
    last_value: Duration,
}

impl StolenTime {
    /// Watches a core. Without one, nothing is ever stolen.
    pub(super) fn of_core(core: Option<usize>) -> Self {
        let open = |core| Some((File::open("/proc/stat").ok()?, format!("cpu{core} ")));
        let mut stolen = Self {
            source: core.and_then(open),
            last_look: Instant::now(),
            last_value: Duration::ZERO,
        };
        stolen.look();
        stolen
    }

    /// To be called before every turn.
    pub(super) fn look_if_due(&mut self) {
        if self.source.is_some() && self.last_look.elapsed() > LOOK_EVERY {
            self.look();
        }
    }

    /// What was taken since the last look.
    pub(super) fn look(&mut self) -> Duration {
        let now = self.read().unwrap_or(self.last_value);
        let stolen = now.saturating_sub(self.last_value);
        self.last_value = now;
        self.last_look = Instant::now();
        stolen
    }

    fn read(&self) -> Option<Duration> {
        let (file, line_start) = self.source.as_ref()?;
        let mut text = vec![0; 1 << 14];
        let length = file.read_at(&mut text, 0).ok()?;
        stolen_in(&String::from_utf8_lossy(&text[..length]), line_start)
    }
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
    fn without_a_core_nothing_is_stolen() {
        assert_eq!(StolenTime::of_core(None).look(), Duration::ZERO);
        // A real core may well have been robbed, and says how much.
        StolenTime::of_core(Some(0)).look_if_due();
    }
}
