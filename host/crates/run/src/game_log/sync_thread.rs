//! Makes what was written to the log reach the disk, at most a second later, and notices when
//! another program deletes, moves, replaces or cuts the log.
//!
//! A sync takes as long as the disk takes, so a thread does it while games are played. If
//! the disk refuses once, everything written since is in doubt: the kernel may drop it and
//! report the next sync as a success. So the first refusal is kept and reported for ever.

use std::{
    fmt,
    fs::{self, File, Metadata},
    io, mem,
    os::unix::fs::MetadataExt,
    path::PathBuf,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
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
    path: PathBuf,
    file: File,
    /// How long the file is at least: what was read at the start and written since.
    length: AtomicU64,
    state: Mutex<SyncState>,
    changed: Condvar,
}

/// How often the thread looks whether the file is still the log.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What another program has done to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Deleted,
    Moved,
    Replaced,
    Changed { n_bytes: u64, expected: u64 },
}

/// Why what was written is in doubt.
#[derive(Clone, Debug)]
pub(super) enum Refusal {
    Disk(io::ErrorKind, String),
    Lost(Loss),
}

#[derive(Debug, Default)]
struct SyncState {
    is_requested: bool,
    is_over: bool,
    refusal: Option<Refusal>,
    /// Set when there is a refusal.
    stop: Option<Arc<AtomicBool>>,
}

impl SyncThread {
    pub(super) fn start(path: PathBuf, file: File, length: u64) -> io::Result<Self> {
        let shared = Arc::new(SyncedFile {
            path,
            file,
            length: length.into(),
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

    /// Asks for what was written to reach the disk. The file has become so long.
    ///
    /// # Errors
    /// When the disk has refused before, or the log is lost.
    pub(super) fn request(&self, length: u64) -> Result<(), Refusal> {
        self.shared.length.store(length, Ordering::Relaxed);
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
    /// When the disk refuses, or has refused before, or the log is lost.
    pub(super) fn sync_now(&self) -> Result<(), Refusal> {
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
            self.refuse_if_lost();
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
            let refusal = Refusal::Disk(error.kind(), error.to_string());
            self.state().refuse(refusal);
        }
        self.refuse_if_lost();
    }

    fn refuse_if_lost(&self) {
        if let Some(loss) = self.loss() {
            self.state().refuse(Refusal::Lost(loss));
        }
    }

    /// What has become of the file, unless it is still the log and holds what was written.
    fn loss(&self) -> Option<Loss> {
        // The length that is expected only grows, so it is read first.
        let expected = self.length.load(Ordering::Relaxed);
        let file = self.file.metadata().ok()?;
        let is_same = |named: &Metadata| (named.dev(), named.ino()) == (file.dev(), file.ino());
        match fs::symlink_metadata(&self.path) {
            Ok(named) if !is_same(&named) => Some(Loss::Replaced),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(if file.nlink() == 0 {
                Loss::Deleted
            } else {
                Loss::Moved
            }),
            // A network file system that does not answer now may do so later.
            _ if file.len() >= expected => None,
            _ => Some(Loss::Changed {
                n_bytes: file.len(),
                expected,
            }),
        }
    }
}

impl SyncState {
    fn refuse(&mut self, refusal: Refusal) {
        self.refusal.get_or_insert(refusal);
        if let Some(stop) = &self.stop {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn result(&self) -> Result<(), Refusal> {
        self.refusal.clone().map_or(Ok(()), Err)
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deleted => f.write_str("was deleted while games were played"),
            Self::Moved => f.write_str("was moved while games were played"),
            Self::Replaced => f.write_str("was replaced while games were played"),
            Self::Changed { n_bytes, expected } => write!(
                f,
                "was changed by another program while games were played: it has {n_bytes} bytes \
                 instead of {expected}"
            ),
        }
    }
}
