//! The timer behind the stop flag of a turn.
//!
//! A timer on the CPU clock would fire at the kernel's next tick, milliseconds late. So the
//! timer runs on wall time, which is never slower than the CPU time of a process on one
//! core: when it fires, the handler looks at the clock that counts, and waits again if some
//! of the time is left. It costs nothing unless an agent asks for the flag.
#![expect(
    unsafe_code,
    reason = "timers and handlers of real-time signals have no safe interface"
)]

use std::{
    io,
    mem::MaybeUninit,
    ptr,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
    time::Duration,
};

use nix::libc;
use plugin_api::{Allowance, Clock, StopFlag, Turn, provide_stop_flag};

static FLAG: StopFlag = StopFlag::new();
static TIMER: AtomicPtr<libc::c_void> = AtomicPtr::new(ptr::null_mut());
/// Whether the agent has asked for the flag on this turn.
static IS_STARTED: AtomicBool = AtomicBool::new(false);
/// When the time of this turn is used up, on its clock.
static DEADLINE_NS: AtomicU64 = AtomicU64::new(u64::MAX);
static IS_CPU_TIME: AtomicBool = AtomicBool::new(true);

/// The part of the increment that is left for returning the answer, and the least of it:
/// a signal takes some microseconds.
const RESERVED_PART: u32 = 50;
const LEAST_RESERVE: Duration = Duration::from_micros(10);

/// Makes the timer. A sandbox forbids that later.
///
/// # Errors
/// When the system has no timers left.
pub(super) fn create() -> io::Result<()> {
    let signal = libc::SIGRTMAX() - 1;
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    let mut event = MaybeUninit::<libc::sigevent>::zeroed();
    let mut timer: libc::timer_t = ptr::null_mut();
    // SAFETY: all bytes zero are valid values of both structs; the handler only calls what
    // may be called in one; the pointers are valid for the calls.
    let is_made = unsafe {
        let action = action.assume_init_mut();
        action.sa_sigaction = on_timer as extern "C" fn(i32) as usize;
        action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        let event = event.assume_init_mut();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = signal;
        libc::sigaction(signal, action, ptr::null_mut()) == 0
            && libc::timer_create(libc::CLOCK_MONOTONIC, event, &raw mut timer) == 0
    };
    if !is_made {
        return Err(io::Error::last_os_error());
    }
    // The kernel's timer is a number, not an address, so the first one may be zero.
    TIMER.store(timer, Ordering::Relaxed);
    provide_stop_flag(start);
    Ok(())
}

/// Begins a turn.
pub(super) fn begin(turn: &Turn) {
    if let Allowance::Time {
        clock,
        start_ns,
        income,
        ..
    } = turn.allowance
    {
        let reserve = (income / RESERVED_PART).max(LEAST_RESERVE).min(income / 2);
        let limit = u64::try_from(income.saturating_sub(reserve).as_nanos()).unwrap_or(u64::MAX);
        IS_CPU_TIME.store(clock == Clock::Cpu, Ordering::Relaxed);
        DEADLINE_NS.store(start_ns.saturating_add(limit), Ordering::Relaxed);
        FLAG.clear();
    }
}

/// Ends a turn.
pub(super) fn end() {
    if IS_STARTED.swap(false, Ordering::Relaxed) {
        fire_after(Duration::ZERO);
    }
}

/// What an agent calls.
extern "C" fn start() -> &'static StopFlag {
    IS_STARTED.store(true, Ordering::Relaxed);
    look_at_clock();
    &FLAG
}

/// The signal's handler.
extern "C" fn on_timer(_signal: i32) {
    // SAFETY: every thread has its own error number; what the signal interrupted may not
    // have looked at it yet.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        if IS_STARTED.load(Ordering::Relaxed) {
            look_at_clock();
        }
        *errno = before;
    }
}

fn look_at_clock() {
    let clock = if IS_CPU_TIME.load(Ordering::Relaxed) {
        Clock::Cpu
    } else {
        Clock::Wall
    };
    let left = DEADLINE_NS
        .load(Ordering::Relaxed)
        .saturating_sub(clock.now_ns());
    if left == 0 {
        FLAG.set();
    } else {
        fire_after(Duration::from_nanos(left));
    }
}

/// Lets the timer fire once; not at all after no time.
fn fire_after(time: Duration) {
    let value = libc::timespec {
        tv_sec: libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: time.subsec_nanos().into(),
    };
    let never = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let expiry = libc::itimerspec {
        it_interval: never,
        it_value: value,
    };
    let timer = TIMER.load(Ordering::Relaxed);
    // SAFETY: the worker made the timer before it opened the plugin, and the pointers are valid
    // for the call. A timer that cannot be set leaves the flag as it is.
    let _ = unsafe { libc::timer_settime(timer, 0, &raw const expiry, ptr::null_mut()) };
}
