//! Ctrl-C and other signals: the first asks the command to stop, the second ends the program.

use std::{
    fs, io,
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
        // SIGHUP stays ignored under `nohup`. SIGINT does not, although a shell starts programs
        // in the background with it ignored: an explicit `kill -INT` is meant for this program.
        let of_terminal = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        for signal in [SIGINT, SIGTERM].into_iter().chain(of_terminal) {
            // Handlers run in the order of registration. The exit comes first, so that it sees
            // only the flag of an earlier signal. The kernel kills the workers with the host.
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

    /// The same flag for another thread, which may also set it.
    #[must_use]
    pub(super) fn shared_stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}

/// Whether this program was started with a signal ignored.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}
