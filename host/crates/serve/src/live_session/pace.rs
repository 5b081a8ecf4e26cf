//! When the games of a session may make their next move: running or paused, and how fast.
//!
//! All games of a session share one pace. A game that is ahead waits for the others, so
//! all boards show the same move number.

use std::time::{Duration, Instant};

/// The pace of a session.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    is_running: bool,
    /// Moves per second; `None` means as fast as the agents play.
    speed: Option<f64>,
    /// How many moves may be made even while paused.
    n_allowed: u64,
    /// When the next move may be made.
    due: Instant,
}

/// When a game may make its next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextMove {
    Now,
    At(Instant),
    /// Not before the state of the session changes.
    AfterChange,
}

/// The valid speeds in moves per second.
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
    /// When the speed is not valid.
    pub(super) fn set_speed(&mut self, speed: Option<f64>, now: Instant) -> Result<(), String> {
        speed.map_or(Ok(()), check_speed)?;
        self.speed = speed;
        self.due = self.due.min(now + self.interval());
        Ok(())
    }

    /// Permits one more move in every game and then pauses. `n_moves` is the number of
    /// moves that every running game has made.
    pub(super) fn step(&mut self, n_moves: u64) {
        self.is_running = false;
        self.n_allowed = self.n_allowed.max(n_moves) + 1;
    }

    /// Called when every running game has made one more move.
    pub(super) fn advance(&mut self, now: Instant) {
        self.due = now.max(self.due + self.interval());
    }

    /// When a game that has made `n_moves` may make the next one, given that every
    /// running game has made at least `n_common`.
    pub(super) fn next_move(&self, n_moves: u64, n_common: u64, now: Instant) -> NextMove {
        if n_moves > n_common {
            NextMove::AfterChange
        } else if n_moves < self.n_allowed {
            NextMove::Now
        } else if !self.is_running {
            NextMove::AfterChange
        } else if now >= self.due {
            NextMove::Now
        } else {
            NextMove::At(self.due)
        }
    }

    fn interval(&self) -> Duration {
        self.speed
            .map_or(Duration::ZERO, |speed| Duration::from_secs_f64(1.0 / speed))
    }
}

/// # Errors
/// When the speed is not valid.
pub(super) fn check_speed(speed: f64) -> Result<(), String> {
    if SPEEDS.contains(&speed) {
        return Ok(());
    }
    Err(format!(
        "{speed} is not a valid speed; use 0.01 to 10,000 moves per second"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_one_move_in_every_game() {
        let now = Instant::now();
        let mut pace = Pace::new(false, now);
        assert_eq!(pace.next_move(0, 0, now), NextMove::AfterChange);
        pace.step(0);
        assert_eq!(pace.next_move(0, 0, now), NextMove::Now);
        assert_eq!(
            pace.next_move(1, 0, now),
            NextMove::AfterChange,
            "it waits for the other game"
        );
        assert_eq!(
            pace.next_move(1, 1, now),
            NextMove::AfterChange,
            "the step has been made"
        );
        pace.step(1);
        assert_eq!(pace.next_move(1, 1, now), NextMove::Now);
    }

    #[test]
    fn ten_moves_per_second_are_100_ms_apart() {
        let start = Instant::now();
        let tenth = Duration::from_millis(100);
        let mut pace = Pace::new(true, start);
        pace.set_speed(Some(10.0), start).unwrap();
        assert_eq!(pace.next_move(0, 0, start), NextMove::Now);
        // The agent thought for 30 ms; the next move is still due after 100 ms.
        pace.advance(start + Duration::from_millis(30));
        assert_eq!(
            pace.next_move(1, 1, start + tenth / 2),
            NextMove::At(start + tenth)
        );
        assert_eq!(pace.next_move(1, 1, start + tenth), NextMove::Now);
        // The agent thought for a second; the missed moves are not made up for.
        let late = start + Duration::from_secs(1);
        pace.advance(late);
        assert_eq!(pace.next_move(2, 2, late), NextMove::Now);
        pace.advance(late);
        assert_eq!(pace.next_move(3, 3, late), NextMove::At(late + tenth));
    }

    #[test]
    fn a_new_speed_takes_effect_immediately() {
        let start = Instant::now();
        let mut pace = Pace::new(true, start);
        pace.set_speed(Some(0.01), start).unwrap();
        pace.advance(start);
        assert!(matches!(pace.next_move(1, 1, start), NextMove::At(_)));
        pace.set_speed(None, start).unwrap();
        assert_eq!(pace.next_move(1, 1, start), NextMove::Now);
    }

    #[test]
    fn an_invalid_speed_is_rejected_with_the_valid_range() {
        let now = Instant::now();
        let mut pace = Pace::new(true, now);
        for invalid in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert!(pace.set_speed(Some(invalid), now).is_err());
        }
        let message = pace.set_speed(Some(-1.0), now).unwrap_err();
        assert_eq!(
            message,
            "-1 is not a valid speed; use 0.01 to 10,000 moves per second"
        );
        for valid in [*SPEEDS.start(), *SPEEDS.end()] {
            assert_eq!(pace.set_speed(Some(valid), now), Ok(()));
        }
    }
}
