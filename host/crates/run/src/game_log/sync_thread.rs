//! Makes what was written to a file reach the disk, at most a second later, and notices
//! when the file is deleted.
//!
//! A sync takes as long as the disk takes, so a thread does it while games are played. If
//! the disk refuses once, everything written since is in doubt: the kernel may drop it and
//! report the next sync as a success. So the first refusal is kept and reported for ever.

use std::{
    fs::File,
    io, mem,
    os::unix::fs::MetadataExt,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// How long a record waits for others that reach the disk together with it.
const DELAY: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct SyncThread {
    shared: Arc<SyncedFile>,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Debug)]
struct SyncedFile {
    file: File,
    state: Mutex<SyncState>,
    changed: Condvar,
}

/// How often the thread looks whether the file still has a name.
const LOOK_EVERY: Duration = Duration::from_secs(1);

const DELETED: &str = "it was deleted";

/// Whether an error says that the file was deleted.
pub(super) fn is_deletion(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound && error.to_string() == DELETED
}

#[derive(Debug, Default)]
struct SyncState {
    is_requested: bool,
    is_over: bool,
    refusal: Option<(io::ErrorKind, String)>,
    /// Set when there is a refusal.
    stop: Option<Arc<AtomicBool>>,
}

impl SyncThread {
    pub(super) fn start(file: File) -> io::Result<Self> {
        let shared = Arc::new(SyncedFile {
            file,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("sync".to_owned())
            .spawn(move || of_thread.sync_on_request())?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Asks for what was written to reach the disk.
    ///
    /// # Errors
    /// When the disk has refused before.
    pub(super) fn request(&self) -> io::Result<()> {
        let mut state = self.shared.state();
        // A thread that has been asked before waits for its time, and need not be woken up.
        if !mem::replace(&mut state.is_requested, true) {
            self.shared.changed.notify_all();
        }
        state.result()
    }

    /// Sets a flag when there is a refusal.
    pub(super) fn stop_when_lost(&self, stop: Arc<AtomicBool>) {
        self.shared.state().stop = Some(stop);
    }

    /// Waits until everything written has reached the disk.
    ///
    /// # Errors
    /// When the disk refuses, or has refused before.
    pub(super) fn sync_now(&self) -> io::Result<()> {
        self.shared.sync();
        self.shared.state().result()
    }
}

impl Drop for SyncThread {
    fn drop(&mut self) {
        self.shared.state().is_over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // It does not panic, and its result is in the shared state.
            let _ = thread.join();
        }
    }
}

impl SyncedFile {
    fn state(&self) -> MutexGuard<'_, SyncState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of the thread. The last request is served before it ends.
    fn sync_on_request(&self) {
        loop {
            self.look_for_name();
            let waits = |state: &mut SyncState| !state.is_requested && !state.is_over;
            let waited = self
                .changed
                .wait_timeout_while(self.state(), LOOK_EVERY, waits);
            let (state, elapsed) = waited.unwrap_or_else(PoisonError::into_inner);
            if elapsed.timed_out() {
                continue;
            }
            // Others may follow within the delay.
            let delayed = self
                .changed
                .wait_timeout_while(state, DELAY, |state| !state.is_over);
            let (mut state, _) = delayed.unwrap_or_else(PoisonError::into_inner);
            let (is_requested, is_over) = (state.is_requested, state.is_over);
            state.is_requested = false;
            drop(state);
            if is_requested {
                self.sync();
            }
            if is_over {
                return;
            }
        }
    }

    fn sync(&self) {
        if let Err(error) = self.file.sync_data() {
            self.state().refuse(&error);
        }
        self.look_for_name();
    }

    fn look_for_name(&self) {
        if self.file.metadata().is_ok_and(|file| file.nlink() == 0) {
            let error = io::Error::new(io::ErrorKind::NotFound, DELETED);
            self.state().refuse(&error);
        }
    }
}

impl SyncState {
    fn refuse(&mut self, error: &io::Error) {
        let refusal = (error.kind(), error.to_string());
        self.refusal.get_or_insert(refusal);
        if let Some(stop) = &self.stop {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn result(&self) -> io::Result<()> {
        match &self.refusal {
            None => Ok(()),
            Some((kind, sentence)) => Err(io::Error::new(*kind, sentence.clone())),
        }
    }
}
