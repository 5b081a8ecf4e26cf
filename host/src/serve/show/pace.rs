//! When the next move of a show may be made: running or paused, how fast, in step.
//!
//! All lanes of a show share it. A lane that has made more moves than another one
//! waits for it, so that the same move is seen on all boards.

use std::time::{Duration, Instant};

/// The controls of a show.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    is_running: bool,
    /// Moves a second; without it as fast as the agents go.
    speed: Option<f64>,
    /// How many moves may be made even while paused.
    n_allowed: u64,
    /// When the next move may be made.
    due: Instant,
}

/// Whether a lane may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    Now,
    At(Instant),
    /// Not before something else happens.
    Later,
}

/// The slowest and the fastest speed that is told from "as fast as it goes".
const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=10_000.0;

impl Pace {
    pub(super) fn new(is_running: bool, now: Instant) -> Self {
        Self {
            is_running,
            speed: None,
            n_allowed: 0,
            due: now,
        }
    }

    pub(super) fn is_running(&self) -> bool {
        self.is_running
    }

    pub(super) fn speed(&self) -> Option<f64> {
        self.speed
    }

    pub(super) fn set_running(&mut self, is_running: bool) {
        self.is_running = is_running;
    }

    /// # Errors
    /// When it is no speed.
    pub(super) fn set_speed(&mut self, speed: Option<f64>, now: Instant) -> Result<(), String> {
        speed.map_or(Ok(()), check_speed)?;
        self.speed = speed;
        self.due = self.due.min(now + self.interval());
        Ok(())
    }

    /// One move in every lane, and then a pause. `n_moves` are those made in all lanes.
    pub(super) fn step(&mut self, n_moves: u64) {
        self.is_running = false;
        self.n_allowed = self.n_allowed.max(n_moves) + 1;
    }

    /// Every lane has made one move more.
    pub(super) fn advance(&mut self, now: Instant) {
        self.due = now.max(self.due + self.interval());
    }

    /// Whether a lane that has made `n_moves` may move, where every lane that still
    /// plays has made `n_in_all` or more.
    pub(super) fn leave(&self, n_moves: u64, n_in_all: u64, now: Instant) -> Leave {
        if n_moves > n_in_all {
            Leave::Later
        } else if n_moves < self.n_allowed {
            Leave::Now
        } else if !self.is_running {
            Leave::Later
        } else if now >= self.due {
            Leave::Now
        } else {
            Leave::At(self.due)
        }
    }

    fn interval(&self) -> Duration {
        self.speed
            .map_or(Duration::ZERO, |speed| Duration::from_secs_f64(1.0 / speed))
    }
}

/// # Errors
/// When it is no speed.
pub(super) fn check_speed(speed: f64) -> Result<(), String> {
    if SPEEDS.contains(&speed) {
        return Ok(());
    }
    let (slowest, fastest) = (SPEEDS.start(), SPEEDS.end());
    Err(format!(
        "{speed} is no speed; it is from {slowest} to {fastest} moves a second"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_one_move_in_every_lane() {
        let now = Instant::now();
        let mut pace = Pace::new(false, now);
        assert_eq!(pace.leave(0, 0, now), Leave::Later);
        pace.step(0);
        assert_eq!(pace.leave(0, 0, now), Leave::Now);
        assert_eq!(
            pace.leave(1, 0, now),
            Leave::Later,
            "it waits for the other lane"
        );
        assert_eq!(
            pace.leave(1, 1, now),
            Leave::Later,
            "the step has been made"
        );
        pace.step(1);
        assert_eq!(pace.leave(1, 1, now), Leave::Now);
    }

    #[test]
    fn ten_moves_a_second_are_a_tenth_apart() {
        let start = Instant::now();
        let tenth = Duration::from_millis(100);
        let mut pace = Pace::new(true, start);
        pace.set_speed(Some(10.0), start).unwrap();
        assert_eq!(pace.leave(0, 0, start), Leave::Now);
        // The agent thought for 30 ms; the beat stays the same.
        pace.advance(start + Duration::from_millis(30));
        assert_eq!(
            pace.leave(1, 1, start + tenth / 2),
            Leave::At(start + tenth)
        );
        assert_eq!(pace.leave(1, 1, start + tenth), Leave::Now);
        // It thought for a second: what was missed is not caught up with.
        let late = start + Duration::from_secs(1);
        pace.advance(late);
        assert_eq!(pace.leave(2, 2, late), Leave::Now);
        pace.advance(late);
        assert_eq!(pace.leave(3, 3, late), Leave::At(late + tenth));
    }

    #[test]
    fn a_new_speed_counts_at_once() {
        let start = Instant::now();
        let mut pace = Pace::new(true, start);
        pace.set_speed(Some(0.01), start).unwrap();
        pace.advance(start);
        assert!(matches!(pace.leave(1, 1, start), Leave::At(_)));
        pace.set_speed(None, start).unwrap();
        assert_eq!(pace.leave(1, 1, start), Leave::Now);
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert!(pace.set_speed(Some(nonsense), start).is_err());
        }
    }
}
