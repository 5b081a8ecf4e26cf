//! A test tells the agent to go on, by SIGUSR1: the one way that every sandbox leaves open.
//!
//! Until then the thread has a name of its own, by which the test finds the worker. The signal
//! stays blocked: one that comes early, or twice, stays pending until the agent waits for it.

use std::ptr;

/// What `tests/support/processes.rs` looks for.
const NAME_WHILE_WAITING: &std::ffi::CStr = c"worker waits";
const NAME: &std::ffi::CStr = c"worker";

/// Sleeps until the word has come.
pub(crate) fn wait() {
    while !comes_within(None) {}
}

/// Whether the word has come.
pub(crate) fn has_come() -> bool {
    let at_once = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    comes_within(Some(at_once))
}

fn comes_within(limit: Option<libc::timespec>) -> bool {
    let limit = limit.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: all pointers are to values of this function, or null where that is allowed.
    unsafe {
        let mut signals = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::sigaddset(&raw mut signals, libc::SIGUSR1);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const signals, ptr::null_mut());
        libc::prctl(libc::PR_SET_NAME, NAME_WHILE_WAITING.as_ptr());
        let has_come = libc::sigtimedwait(&raw const signals, ptr::null_mut(), limit) > 0;
        if has_come {
            libc::prctl(libc::PR_SET_NAME, NAME.as_ptr());
        }
        has_come
    }
}
