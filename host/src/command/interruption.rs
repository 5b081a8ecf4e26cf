//! Ctrl-C and other signals: the first asks the command to stop, the second ends the program.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};

use crate::command::exit_code;

/// Turns signals into a request to stop.
pub(super) struct InterruptionWatch {
    stop: Arc<AtomicBool>,
}

impl InterruptionWatch {
    /// Installs the signal handlers, which stay until the program ends.
    ///
    /// # Errors
    /// When the system does not allow it.
    pub(super) fn start() -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Handlers run in the order of registration: the exit comes first, so that it
            // sees the flag of an earlier signal only. Workers die with the host, because
            // the kernel kills them.
            let code = i32::from(exit_code::INTERRUPTED);
            flag::register_conditional_shutdown(signal, code, Arc::clone(&stop))?;
            flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Self { stop })
    }

    /// Whether a signal has arrived.
    #[must_use]
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }
}
