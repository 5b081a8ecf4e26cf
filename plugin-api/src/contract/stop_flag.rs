//! A flag that says when the time of a turn is used up.
//!
//! [`Budget`](crate::Budget) suits a search that counts its nodes. An engine with a search
//! loop of its own, often in another language, wants something to watch instead: a word in
//! memory that the host changes in time.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU32, AtomicUsize, Ordering},
};

/// A flag that the host sets when the increment of a turn is used up, except for the part
/// that it takes to return the answer; see [`Turn::stop_flag`](crate::Turn::stop_flag).
///
/// ```
/// # use plugin_api::StopFlag;
/// let flag = StopFlag::new();
/// assert!(!flag.is_set());
/// // An engine in C takes `const volatile uint32_t *`.
/// assert!(!flag.as_ptr().is_null());
/// ```
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct StopFlag(AtomicU32);

impl StopFlag {
    /// A flag that is not set.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Whether it is time to answer. It costs no more than a read from memory.
    #[inline]
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Where the flag is, for engines in other languages: 0, or 1 once it is set.
    #[must_use]
    pub fn as_ptr(&self) -> *const u32 {
        self.0.as_ptr()
    }

    /// Sets the flag, as the host does.
    pub fn set(&self) {
        self.0.store(1, Ordering::Relaxed);
    }

    /// Clears the flag, as the host does before a turn.
    pub fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// Starts the timer of the turn that is being played, and returns its flag.
///
/// ```
/// # use plugin_api::{StartStopFlag, StopFlag};
/// static FLAG: StopFlag = StopFlag::new();
/// extern "C" fn start() -> &'static StopFlag { &FLAG }
/// let start: StartStopFlag = start;
/// assert!(!start().is_set());
/// ```
pub type StartStopFlag = extern "C" fn() -> &'static StopFlag;

/// In a host: the function that agents receive, as a number; 0 if there is none.
static PROVIDED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// In a plugin: the function that came with the turn.
    static RECEIVED: Cell<Option<StartStopFlag>> = const { Cell::new(None) };
}

/// Lets the agents of this process have a stop flag; for hosts. The function is called by
/// the thread that plays, during a turn with a time limit.
///
/// ```
/// # use plugin_api::{StopFlag, provide_stop_flag};
/// static FLAG: StopFlag = StopFlag::new();
/// extern "C" fn start() -> &'static StopFlag { &FLAG }
/// provide_stop_flag(start);
/// ```
pub fn provide_stop_flag(start: StartStopFlag) {
    PROVIDED.store(start as usize, Ordering::Relaxed);
}

/// What a turn with a time limit carries across the boundary.
pub(crate) fn provided() -> u64 {
    PROVIDED.load(Ordering::Relaxed) as u64
}

/// Keeps what came with a turn for the agent that plays it.
pub(crate) fn receive(start: Option<StartStopFlag>) {
    RECEIVED.set(start);
}

/// The flag of the turn that this thread plays, from now on.
pub(crate) fn started() -> Option<&'static StopFlag> {
    RECEIVED.get().map(|start| start())
}
