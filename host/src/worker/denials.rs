//! What the sandbox denies an agent, for `host check`.
//!
//! The filter of system calls of a tournament fails with an error and tells nobody. A watched
//! worker has a filter that asks this process instead ([`Watched`]); what the worker may do
//! stays the same. An agent is watched in trials of their own, because every question costs
//! time.

mod call_names;
mod listener;

use std::{
    collections::BTreeSet,
    fmt,
    fs::{self, File},
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::FileExt,
    },
    path::{Component, Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use nix::{
    libc,
    poll::{PollFd, PollFlags, ppoll},
};
use serde::{Deserialize, Serialize};

use super::{
    PluginFile,
    launcher::messages::{Connection, connection},
};
pub use call_names::Purpose;
use call_names::{Call, call_named};
use listener::{Listener, Notification};

/// Which calls of a worker are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Watched {
    /// Those that its filter denies. The answer is always that they are not permitted.
    Calls,
    /// Opening and executing files, as far as the filter allows it. The answer is always to go
    /// on: the filter denies first, and after it the room and Landlock decide.
    Files,
}

/// Something that an agent wanted and did not get.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Denial {
    pub purpose: Purpose,
    /// The name of the system call.
    pub call: String,
    /// The file that it was about, if it was about one and the kernel lets us see its name.
    pub path: Option<String>,
    /// Whether it was before the agent was ready, when an interpreter starts.
    pub is_early: bool,
}

impl Denial {
    /// The call that asks for a connection on the machine. The C library makes it on its own, to
    /// look up the name of a user.
    pub const LOCAL_SOCKET: &str = "socket(AF_UNIX)";
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            purpose,
            call,
            path,
            ..
        } = self;
        match (purpose.words(), path) {
            (Some(words), Some(path)) => write!(f, "{words} `{path}`"),
            (Some(words), None) => write!(f, "{words} (`{call}`)"),
            (None, _) => write!(f, "`{call}`"),
        }
    }
}

/// The family of connections on the machine, as an argument.
const LOCAL: u64 = libc::AF_UNIX.unsigned_abs() as u64;

/// The most different denials that are kept.
const MOST: usize = 256;

/// Watches one worker for as long as it lives.
#[derive(Debug)]
pub struct DenialWatch {
    watched: Watched,
    /// The worker's end of the connection, until it is started.
    their_end: Mutex<Option<OwnedFd>>,
    found: Arc<Mutex<Found>>,
    is_ready: Arc<AtomicBool>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Found {
    /// Whether the worker could be watched at all.
    is_watching: bool,
    denials: BTreeSet<Denial>,
}

impl DenialWatch {
    /// Begins to watch whatever worker is started with this.
    ///
    /// # Errors
    /// When the system has no connection or thread to spare.
    pub fn new(watched: Watched, plugin: &PluginFile) -> io::Result<Self> {
        let (ours, theirs) = connection()?;
        let found = Arc::new(Mutex::new(Found::default()));
        let is_ready = Arc::new(AtomicBool::new(false));
        let is_over = Arc::new(AtomicBool::new(false));
        let answerer = Answerer {
            watched,
            main_file: plugin.path().to_path_buf(),
            executable: plugin
                .program()
                .map(|program| program.runtime.executable.clone()),
            is_agents: false,
            is_ready: Arc::clone(&is_ready),
            found: Arc::clone(&found),
            is_over: Arc::clone(&is_over),
        };
        let thread = thread::Builder::new()
            .name("denials".to_owned())
            .spawn(move || answerer.watch(&ours))?;
        Ok(Self {
            watched,
            their_end: Mutex::new(Some(theirs)),
            found,
            is_ready,
            is_over,
            thread: Some(thread),
        })
    }

    /// What to watch, and where the worker says so. There is one worker, so there is one answer.
    pub(super) fn take_end(&self) -> Option<(Watched, OwnedFd)> {
        let mut end = self
            .their_end
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Some((self.watched, end.take()?))
    }

    /// From now on, what is denied is the agent's own doing.
    pub fn agent_is_ready(&self) {
        self.is_ready.store(true, Ordering::Relaxed);
    }

    /// What was denied so far; nothing when this machine cannot tell.
    #[must_use]
    pub fn denials(&self) -> Option<BTreeSet<Denial>> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.is_watching.then(|| found.denials.clone())
    }
}

impl Drop for DenialWatch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It has nothing left to do.
            let _ = thread.join();
        }
    }
}

/// The thread that answers.
struct Answerer {
    watched: Watched,
    main_file: PathBuf,
    executable: Option<PathBuf>,
    /// Whether the plugin itself was opened. What is opened before, the interpreter or the
    /// loader opens on its own.
    is_agents: bool,
    /// Whether the agent is ready for turns.
    is_ready: Arc<AtomicBool>,
    found: Arc<Mutex<Found>>,
    is_over: Arc<AtomicBool>,
}

impl Answerer {
    fn watch(mut self, connection: &Connection) {
        if !self.wait_for(&connection.as_fd()) {
            return;
        }
        // A worker that cannot be watched closes its end.
        let Ok(((), mut descriptors)) = connection.receive::<()>() else {
            return;
        };
        let Some(listener) = descriptors.pop().map(Listener::new) else {
            return;
        };
        self.found().is_watching = true;
        while self.wait_for(&listener.as_fd()) {
            let Ok(asked) = listener.receive() else {
                // The worker was killed before it could be answered, or has ended.
                if listener.is_unused() {
                    return;
                }
                continue;
            };
            if let Some(denial) = self.denial(&asked) {
                let mut found = self.found();
                if found.denials.len() < MOST {
                    found.denials.insert(denial);
                }
            }
            match self.watched {
                Watched::Calls => listener.deny(&asked),
                Watched::Files => listener.let_go_on(&asked),
            }
        }
    }

    fn found(&self) -> std::sync::MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is something to read or nobody is left to write; `false` when the
    /// watch is over.
    fn wait_for(&self, descriptor: &impl AsFd) -> bool {
        const WAIT: Duration = Duration::from_millis(20);
        loop {
            if self.is_over.load(Ordering::Relaxed) {
                return false;
            }
            let mut poll = [PollFd::new(descriptor.as_fd(), PollFlags::POLLIN)];
            match ppoll(&mut poll, Some(WAIT.into()), None) {
                Ok(0) | Err(nix::errno::Errno::EINTR) => {}
                Ok(_) => return true,
                Err(_) => return false,
            }
        }
    }

    fn denial(&mut self, asked: &Notification) -> Option<Denial> {
        let Call {
            name,
            purpose,
            path_argument,
        } = call_named(asked.call);
        let is_local = asked.call == libc::SYS_socket && asked.arguments[0] == LOCAL;
        let name = if is_local {
            Denial::LOCAL_SOCKET.to_owned()
        } else {
            name
        };
        let path = path_argument.and_then(|index| text_at(asked.process, asked.arguments[index]));
        let is_early = !self.is_ready.load(Ordering::Relaxed);
        match self.watched {
            Watched::Calls => Some(Denial {
                is_early,
                purpose,
                call: name,
                path: path.map(|path| path.to_string_lossy().into_owned()),
            }),
            Watched::Files => {
                let path = self.absolute(&path?);
                let is_execution = asked.call == libc::SYS_execve;
                let is_denied = if is_execution {
                    self.executable.as_ref() != Some(&path)
                } else {
                    self.is_agents && !is_there(asked.process, &path) && path.exists()
                };
                self.is_agents |= path == self.main_file;
                is_denied.then(|| Denial {
                    is_early,
                    purpose: if is_execution {
                        Purpose::Execute
                    } else {
                        Purpose::Read
                    },
                    call: name,
                    path: Some(path.display().to_string()),
                })
            }
        }
    }

    /// A path as the worker means it, without dots. A program works in its own folder.
    fn absolute(&self, path: &Path) -> PathBuf {
        let folder = self.main_file.parent().unwrap_or(Path::new("/"));
        let mut absolute = PathBuf::new();
        for component in folder.join(path).components() {
            match component {
                Component::ParentDir => {
                    absolute.pop();
                }
                Component::CurDir => {}
                other => absolute.push(other),
            }
        }
        absolute
    }
}

/// Whether a worker sees such a file, or this process cannot tell.
fn is_there(process: i32, path: &Path) -> bool {
    let root = PathBuf::from(format!("/proc/{process}/root"));
    let inside = root.join(path.strip_prefix("/").unwrap_or(path));
    match fs::symlink_metadata(inside) {
        Ok(_) => true,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// The text at an address of a worker, if this process may look.
fn text_at(process: i32, address: u64) -> Option<PathBuf> {
    const LONGEST: usize = 4096;
    let memory = File::open(format!("/proc/{process}/mem")).ok()?;
    let mut bytes = vec![0; LONGEST];
    let n_read = memory.read_at(&mut bytes, address).ok()?;
    let length = bytes[..n_read].iter().position(|&byte| byte == 0)?;
    Some(PathBuf::from(
        String::from_utf8_lossy(&bytes[..length]).into_owned(),
    ))
}
