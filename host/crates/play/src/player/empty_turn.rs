//! What a turn costs when no agent thinks: the worker's own part of it.
//!
//! The host reads the worker's CPU clock from outside, so the reading contains what the worker
//! does to take a turn and to send the answer. The host measures that part in the same process
//! and by the same reading, before the worker opens the plugin: nothing that an agent does can
//! make it look larger. It is the median of a few dozen empty turns, and the least median that
//! this host has seen counts for all workers. So a disturbance that makes empty turns expensive
//! gives no agent more time than others, and the error that is left is the same for all of them.
//! A host measures all of its first workers, and later ones now and then: measuring costs as much
//! as a short game.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use worker::{NoAnswer, Patience, Worker};

/// How many empty turns the host measures, after the first ones.
const N_MEASURED: usize = 32;
/// The first turns fill caches.
const N_WARM_UP: usize = 4;
/// How many workers a host measures before it measures others only now and then.
const N_ALWAYS_MEASURED: u64 = 16;
/// Of the others, the host measures one in this many.
const MEASURED_EVERY: u64 = 16;
/// How long the worker may take for all of them. It runs the host's own code.
const LIMIT: Duration = Duration::from_secs(10);

/// The least medians so far, in nanoseconds.
static LEAST_CPU: AtomicU64 = AtomicU64::new(u64::MAX);
static LEAST_WALL: AtomicU64 = AtomicU64::new(u64::MAX);
/// Workers so far.
static N_WORKERS: AtomicU64 = AtomicU64::new(0);

/// What an empty turn takes on both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EmptyTurn {
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
}

impl EmptyTurn {
    /// The cost for a worker that has not opened its plugin yet, measured if it is its turn.
    ///
    /// # Errors
    /// When the worker does not answer.
    pub(super) fn of(worker: &mut Worker<'_>) -> Result<Self, NoAnswer> {
        let number = N_WORKERS.fetch_add(1, Ordering::Relaxed);
        let is_measured = number < N_ALWAYS_MEASURED || number.is_multiple_of(MEASURED_EVERY);
        match Self::least_so_far() {
            Some(known) if !is_measured => Ok(known),
            _ => Self::measure(worker),
        }
    }

    /// The least cost with other workers, if the host has measured any.
    fn least_so_far() -> Option<Self> {
        let known = |so_far: &AtomicU64| {
            let nanoseconds = so_far.load(Ordering::Relaxed);
            (nanoseconds < u64::MAX).then(|| Duration::from_nanos(nanoseconds))
        };
        Some(Self {
            cpu: known(&LEAST_CPU)?,
            wall: known(&LEAST_WALL)?,
        })
    }

    fn measure(worker: &mut Worker<'_>) -> Result<Self, NoAnswer> {
        let mut last_cpu = worker.cpu_time();
        let mut patience = Patience::new(last_cpu, LIMIT, LIMIT);
        let mut costs = Vec::new();
        for _ in 0..N_WARM_UP + N_MEASURED {
            let asked = Instant::now();
            worker.empty_turn(&mut patience)?;
            let (wall, cpu) = (asked.elapsed(), worker.cpu_time());
            costs.push((cpu.saturating_sub(last_cpu), wall));
            last_cpu = cpu;
        }
        let costs = costs.split_off(N_WARM_UP);
        let (cpu, wall): (Vec<_>, Vec<_>) = costs.into_iter().unzip();
        Ok(Self {
            cpu: least(&LEAST_CPU, median(cpu)),
            wall: least(&LEAST_WALL, median(wall)),
        })
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The lesser of a value and of all values before it.
fn least(so_far: &AtomicU64, value: Duration) -> Duration {
    let nanoseconds = u64::try_from(value.as_nanos()).unwrap_or(u64::MAX);
    let before = so_far.fetch_min(nanoseconds, Ordering::Relaxed);
    Duration::from_nanos(before.min(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_disturbed_turns_do_not_change_the_median() {
        let mut times = vec![Duration::from_micros(4); 17];
        times.extend([Duration::from_millis(9); 15]);
        assert_eq!(median(times), Duration::from_micros(4));
    }

    #[test]
    fn the_least_value_so_far_counts() {
        let so_far = AtomicU64::new(u64::MAX);
        let of = |microseconds| least(&so_far, Duration::from_micros(microseconds));
        assert_eq!(of(7), Duration::from_micros(7));
        assert_eq!(of(4), Duration::from_micros(4));
        assert_eq!(of(9), Duration::from_micros(4));
    }
}
