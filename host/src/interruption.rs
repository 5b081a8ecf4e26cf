//! Ctrl-C and friends: the first asks the run to stop, the second ends the program.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::{
    runtime::Runtime,
    signal::unix::{SignalKind, signal},
};

use crate::exit_code;

/// Watches for signals while it lives.
pub struct InterruptionWatch {
    stop: Arc<AtomicBool>,
    /// Its tasks end when it is dropped.
    _runtime: Runtime,
}

impl InterruptionWatch {
    /// Starts to watch.
    ///
    /// # Errors
    /// When the system does not let this process watch signals.
    pub fn start() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let stop = Arc::new(AtomicBool::new(false));
        for kind in [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ] {
            let stop = Arc::clone(&stop);
            let mut signals = {
                let _guard = runtime.enter();
                signal(kind)?
            };
            runtime.spawn(async move {
                while signals.recv().await.is_some() {
                    if stop.swap(true, Ordering::Relaxed) {
                        // Workers die with the host: the kernel sees to it.
                        std::process::exit(i32::from(exit_code::INTERRUPTED));
                    }
                }
            });
        }
        Ok(Self {
            stop,
            _runtime: runtime,
        })
    }

    /// Set once the first signal has come.
    #[must_use]
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }
}
