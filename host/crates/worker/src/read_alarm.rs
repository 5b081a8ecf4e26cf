//! Ends a read that waits for a worker: a timer signals the reading thread again and again.
//!
//! Waiting with `poll` and reading afterwards takes two system calls, and the first is expensive,
//! because it sets a timer and removes it. A read that simply waits takes one. It has to end when
//! the host is to look at the worker, so the thread gets a signal every few milliseconds while it
//! has a worker. The signal does nothing but interrupt.
#![expect(unsafe_code, reason = "a handler of a signal has no safe interface")]

use std::{cell::RefCell, sync::OnceLock, time::Duration};

use nix::{
    sys::{
        signal::{
            SaFlags, SigAction, SigEvent, SigHandler, SigSet, SigevNotify, Signal, sigaction,
        },
        timer::{Expiration, Timer, TimerSetTimeFlags},
    },
    time::ClockId,
    unistd::gettid,
};

/// A read that begins with the alarm set has ended after this time.
pub(super) const PERIOD: Duration = Duration::from_millis(10);

/// Nothing else sends it, and a process without a handler ignores it.
const SIGNAL: Signal = Signal::SIGURG;

/// The alarm of a thread.
struct ReadAlarm {
    timer: Timer,
    is_set: bool,
}

thread_local! {
    /// Nothing where this machine gives no timer.
    static ALARM: RefCell<Option<ReadAlarm>> = RefCell::new(ReadAlarm::of_this_thread().ok());
}

impl ReadAlarm {
    fn of_this_thread() -> nix::Result<Self> {
        handle_signal()?;
        let notify = SigevNotify::SigevThreadId {
            signal: SIGNAL,
            thread_id: gettid().as_raw(),
            si_value: 0,
        };
        Ok(Self {
            timer: Timer::new(ClockId::CLOCK_MONOTONIC, SigEvent::new(notify))?,
            is_set: false,
        })
    }

    fn set_every(&mut self, period: Duration) -> nix::Result<()> {
        let expiration = Expiration::Interval(period.into());
        self.timer.set(expiration, TimerSetTimeFlags::empty())?;
        self.is_set = !period.is_zero();
        Ok(())
    }
}

/// Makes sure that reads of this thread end; says whether they do.
pub(super) fn set() -> bool {
    ALARM.with_borrow_mut(|alarm| match alarm {
        Some(alarm) => alarm.is_set || alarm.set_every(PERIOD).is_ok(),
        None => false,
    })
}

/// Lets reads of this thread wait again, and spares it the signals.
pub(super) fn unset() {
    // A thread that ends has no alarm any more.
    let _ = ALARM.try_with(|alarm| {
        if let Ok(mut alarm) = alarm.try_borrow_mut()
            && let Some(alarm) = alarm.as_mut().filter(|alarm| alarm.is_set)
        {
            let _ = alarm.set_every(Duration::ZERO);
        }
    });
}

/// Installs the handler, once. Without `SA_RESTART` the signal ends a system call.
fn handle_signal() -> nix::Result<()> {
    static INSTALLED: OnceLock<nix::Result<()>> = OnceLock::new();
    extern "C" fn nothing(_signal: i32) {}
    *INSTALLED.get_or_init(|| {
        let handler = SigHandler::Handler(nothing);
        let action = SigAction::new(handler, SaFlags::empty(), SigSet::empty());
        // SAFETY: the handler does nothing.
        unsafe { sigaction(SIGNAL, &action) }.map(drop)
    })
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::*;

    #[test]
    fn a_read_of_an_empty_pipe_ends() {
        let (mut reader, _writer) = io::pipe().unwrap();
        assert!(set());
        for _ in 0..3 {
            let error = reader.read(&mut [0; 8]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Interrupted);
        }
        unset();
    }
}
