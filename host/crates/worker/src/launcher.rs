//! The launcher: a process that starts workers of this host.
//!
//! Starting a program costs more than a short game, and so does making namespaces. The launcher
//! does both once: it is this program under a hidden subcommand ([`process`]), it prepares a room
//! for every plugin, and it forks a worker when the host asks for one. It never opens a plugin.
//! The workers it forks are children of the host, not its own, so the host waits for them, kills
//! them and reads their CPU clocks directly.
//!
//! Each place at which a run plays has a launcher of its own. The kernel finds a futex in a file by
//! that file, so agents that play at the same moment may not have a single file in common: each
//! launcher keeps copies of its own of all that its rooms contain.

pub(super) mod messages;
pub(super) mod process;

use std::{
    collections::BTreeMap,
    fs::File,
    io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::process::CommandExt,
    },
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError, Weak, mpsc},
    thread,
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl, openat},
    sched::{CpuSet, sched_setaffinity},
    sys::{
        resource::{RLIM_INFINITY, Resource, getrlimit},
        stat::Mode,
    },
    unistd::{Pid, UnlinkatFlags, mkfifoat, unlinkat},
};

use super::{
    PluginFile,
    plugin_file::SealedCopy,
    sandbox::{KEPT_FILES, MOST_THREADS, SandboxRules, memory_of_this_machine},
};
use messages::{Connection, LauncherReply, Request};
use tournament::Sandbox;

/// One of the places at which a run plays at the same moment, each with one worker at a time.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub number: usize,
    /// The most threads of a worker at this place.
    pub threads: u64,
}

/// Launchers of this process by the number of their place, each started when its first worker is.
/// The first one also starts workers outside of a run, such as those that describe plugins.
static LAUNCHERS: Mutex<BTreeMap<usize, SharedLauncher>> = Mutex::new(BTreeMap::new());

type SharedLauncher = Arc<Mutex<Option<Launcher>>>;

/// The host's end of a launcher.
struct Launcher {
    connection: Connection,
    /// A file system for pipes to workers. The kernel numbers other pipes for the whole machine, and
    /// the numbers would tell one worker what another one did.
    pipes: Option<OwnedFd>,
    rooms: Vec<KnownRoom>,
}

/// A room in the launcher's keeping.
struct KnownRoom {
    /// What is played in it. When the host has dropped that, nothing needs the room.
    plugin: Weak<SealedCopy>,
    /// What else its agents may read.
    allow_read: Vec<PathBuf>,
    /// Without a number, why this machine has no rooms.
    number: Result<u64, String>,
    /// The size of the agent's files in it.
    n_bytes: u64,
}

/// This machine can make rooms, but not one with the files of this agent. The agent does not play
/// without a room: otherwise an agent could choose to have none.
#[derive(Debug, thiserror::Error)]
pub enum CannotBeShown {
    #[error("has files that cannot be shown to it in its sandbox: {0}")]
    Files(String),
    #[error(
        "has files of {} MiB, which count as its memory, and its `memory` is {} MiB",
        n_bytes.div_ceil(1 << 20),
        memory >> 20
    )]
    TooLarge { n_bytes: u64, memory: u64 },
}

/// A worker that was started.
pub(super) struct Started {
    /// The process that will hold the agent.
    pub(super) pid: Pid,
    /// The other ends of its three standard streams.
    pub(super) streams: [File; 3],
    /// What its files leave of its memory.
    pub(super) memory: u64,
}

/// Starts a worker, bound to a core.
///
/// # Errors
/// When no process can be started, a file has changed since it was hashed, or the files of
/// this agent cannot be shown: [`CannotBeShown`].
pub(super) fn start(
    plugin: &PluginFile,
    rules: &SandboxRules,
    core: Option<usize>,
    place: Option<Place>,
) -> io::Result<Started> {
    // What is behind the locks stays whole even if a thread died while holding it.
    let of_place = {
        let mut launchers = LAUNCHERS.lock().unwrap_or_else(PoisonError::into_inner);
        let number = place.map_or(0, |place| place.number);
        Arc::clone(launchers.entry(number).or_default())
    };
    let mut launcher = of_place.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = launcher.is_none();
    match start_by(&mut launcher, plugin, rules, core, place) {
        // The launcher may have been killed since the last worker was started.
        Err(error) if is_lost(&error) && !is_new => {
            *launcher = None;
            start_by(&mut launcher, plugin, rules, core, place)
        }
        result => result,
    }
    .map_err(|error| {
        if is_lost(&error) {
            ended_early()
        } else {
            error
        }
    })
}

/// A launcher does not end by itself.
fn ended_early() -> io::Error {
    let memory = memory_of_this_machine().unwrap_or(0) >> 20;
    let limit = getrlimit(Resource::RLIMIT_FSIZE).map_or(RLIM_INFINITY, |(soft, _)| soft);
    let of_files = match limit {
        RLIM_INFINITY => String::new(),
        bytes => format!(", and a file may have {} KiB (`ulimit -f`)", bytes / 1024),
    };
    io::Error::other(format!(
        "the process that starts workers was killed, as happens where memory is short: {memory} MiB \
         are available here{of_files}"
    ))
}

fn is_lost(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::NotConnected
            | io::ErrorKind::UnexpectedEof
    )
}

fn start_by(
    slot: &mut Option<Launcher>,
    plugin: &PluginFile,
    rules: &SandboxRules,
    core: Option<usize>,
    place: Option<Place>,
) -> io::Result<Started> {
    let launcher = match slot {
        Some(launcher) => launcher,
        None => slot.insert(Launcher::start()?),
    };
    let (its_input, input) = launcher.pipe()?;
    let (output, its_output) = launcher.pipe()?;
    let (prints, its_prints) = launcher.pipe()?;
    let mut descriptors = vec![its_input.as_fd(), its_output.as_fd(), its_prints.as_fd()];
    let (mut room, mut lacking, mut n_bytes) = (None, None, 0);
    if rules.mode != Sandbox::Off {
        let sealed = plugin.sealed().ok_or_else(not_sealed)?;
        let known = launcher.room(plugin, rules, place)?;
        n_bytes = known.n_bytes;
        match &known.number {
            Ok(number) => room = Some(*number),
            Err(reason) => {
                lacking = Some(reason.clone());
                // Without a room the worker opens the copy through its descriptor. A program
                // is executed where it lies: an interpreter has to find it by its name.
                if plugin.program().is_none() {
                    descriptors.push(sealed.content.as_fd());
                }
            }
        }
    }
    let memory = rules.memory.saturating_sub(n_bytes);
    if memory == 0 {
        return Err(too_large(n_bytes, rules));
    }
    let request = Request::Start {
        room,
        lacking,
        core,
        threads: place.map_or(MOST_THREADS, |place| place.threads),
    };
    match launcher.ask(&request, &descriptors)?.0 {
        LauncherReply::Started(pid) => Ok(Started {
            pid: Pid::from_raw(pid),
            streams: [input, output, prints].map(File::from),
            memory,
        }),
        LauncherReply::NotShown(reason) => Err(io::Error::other(CannotBeShown::Files(reason))),
        // The kernel has no process to spare, at the moment.
        LauncherReply::Failed(sentence) => Err(io::Error::new(io::ErrorKind::WouldBlock, sentence)),
        _ => Err(io::Error::other("the launcher answered another question")),
    }
}

fn too_large(n_bytes: u64, rules: &SandboxRules) -> io::Error {
    let memory = rules.memory;
    io::Error::other(CannotBeShown::TooLarge { n_bytes, memory })
}

/// In a sandbox the host plays only sealed copies.
fn not_sealed() -> io::Error {
    io::Error::other("the plugin was not sealed")
}

impl Launcher {
    fn start() -> io::Result<Self> {
        let (ours, theirs) = messages::connection()?;
        let (sender, receiver) = mpsc::channel();
        // Workers die with the thread that is their parent. This one lives as long as the
        // host, whatever becomes of the thread that needed the first worker.
        thread::Builder::new()
            .name("launcher".to_owned())
            .spawn(move || {
                // The launcher ends when the host closes the connection, at the latest
                // when the host ends; then this thread may end as well.
                match spawn(theirs) {
                    Ok(mut launcher) => {
                        let _ = sender.send(Ok(()));
                        let _ = launcher.wait();
                    }
                    Err(error) => {
                        let _ = sender.send(Err(error));
                    }
                }
            })?;
        receiver.recv().map_err(io::Error::other)??;
        let mut launcher = Self {
            connection: ours,
            pipes: None,
            rooms: Vec::new(),
        };
        let (_, mut folder) = launcher.ask(&Request::ShowPipes, &[])?;
        launcher.pipes = folder.pop();
        Ok(launcher)
    }

    fn ask(
        &self,
        request: &Request,
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<(LauncherReply, Vec<OwnedFd>)> {
        self.connection.send(request, descriptors)?;
        self.connection.receive()
    }

    /// A pipe: the end to read from, and the end to write to.
    fn pipe(&self) -> io::Result<(OwnedFd, OwnedFd)> {
        const NAME: &str = "pipe";
        let Some(folder) = &self.pipes else {
            let (reader, writer) = io::pipe()?;
            return Ok((reader.into(), writer.into()));
        };
        mkfifoat(folder, NAME, Mode::S_IRUSR | Mode::S_IWUSR)?;
        let open = |flags| openat(folder, NAME, flags | OFlag::O_CLOEXEC, Mode::empty());
        // The end to read from is opened first, and without waiting for the other one.
        let ends = open(OFlag::O_RDONLY | OFlag::O_NONBLOCK)
            .and_then(|reader| Ok((reader, open(OFlag::O_WRONLY)?)));
        unlinkat(folder, NAME, UnlinkatFlags::NoRemoveDir)?;
        let (reader, writer) = ends?;
        fcntl(&reader, FcntlArg::F_SETFL(OFlag::empty()))?;
        Ok((reader, writer))
    }

    /// The room of a plugin's workers, made when the first of them is started; or why
    /// this machine has none.
    fn room(
        &mut self,
        plugin: &PluginFile,
        rules: &SandboxRules,
        place: Option<Place>,
    ) -> io::Result<&KnownRoom> {
        self.remove_rooms_without_plugin();
        let sealed = plugin.sealed().ok_or_else(not_sealed)?;
        let known = self.rooms.iter().position(|room| {
            room.plugin.as_ptr() == Arc::as_ptr(sealed) && room.allow_read == rules.allow_read
        });
        if let Some(index) = known {
            return Ok(&self.rooms[index]);
        }
        if place.is_some() {
            self.remove_rooms_beyond(KEPT_FILES);
        }
        let request = Request::MakeRoom {
            plugin: plugin.path().to_path_buf(),
            program: plugin.program().cloned().map(Box::new),
            allow_read: rules.allow_read.clone(),
            memory: rules.memory,
        };
        let (number, n_bytes) = match self.ask(&request, &[sealed.content.as_fd()])?.0 {
            LauncherReply::Room {
                number,
                allow_read_sha256,
                n_bytes,
            } => {
                let expected = rules.allow_read_sha256.as_ref();
                if expected.is_some_and(|expected| *expected != allow_read_sha256) {
                    let _ = self.connection.send(&Request::RemoveRoom(number), &[]);
                    return Err(io::Error::other(
                        "a file of `allow_read` has changed since it was hashed; start the run again",
                    ));
                }
                (Ok(number), n_bytes)
            }
            LauncherReply::NoRooms(reason) => (Err(reason), sealed.content.metadata()?.len()),
            LauncherReply::TooLarge(n_bytes) => return Err(too_large(n_bytes, rules)),
            LauncherReply::NotShown(reason) => {
                return Err(io::Error::other(CannotBeShown::Files(reason)));
            }
            _ => return Err(io::Error::other("the launcher answered another question")),
        };
        self.rooms.push(KnownRoom {
            plugin: Arc::downgrade(sealed),
            allow_read: rules.allow_read.clone(),
            number,
            n_bytes,
        });
        Ok(&self.rooms[self.rooms.len() - 1])
    }

    fn remove_rooms_without_plugin(&mut self) {
        let connection = &self.connection;
        self.rooms.retain(|room| {
            let is_needed = room.plugin.strong_count() > 0;
            if !is_needed {
                room.remove(connection);
            }
            is_needed
        });
    }

    /// Removes the oldest rooms while their files have more bytes than this. No worker lives in
    /// them: a place has one at a time, which is about to be started.
    fn remove_rooms_beyond(&mut self, most: u64) {
        while self.rooms.iter().map(|room| room.n_bytes).sum::<u64>() > most {
            self.rooms.remove(0).remove(&self.connection);
        }
    }
}

impl KnownRoom {
    fn remove(&self, connection: &Connection) {
        if let Ok(number) = &self.number {
            // A launcher that has ended has no rooms left to remove.
            let _ = connection.send(&Request::RemoveRoom(*number), &[]);
        }
    }
}

/// Starts this program as a launcher. It ends when its connection does.
fn spawn(connection: OwnedFd) -> io::Result<std::process::Child> {
    Command::new(this_program()?)
        .args(["launcher", &std::process::id().to_string()])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(connection))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
}

/// This program, even when its file was replaced since it started: the new file may speak
/// another protocol.
pub(super) fn this_program() -> io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    Ok(if path.exists() {
        path
    } else {
        PathBuf::from("/proc/self/exe")
    })
}

/// Binds a process or thread to a core; 0 is the calling thread.
pub fn bind_to_core(process: Pid, core: usize) {
    let mut cores = CpuSet::new();
    // If the core cannot be chosen, play anyway.
    let _ = cores
        .set(core)
        .and_then(|()| sched_setaffinity(process, &cores));
}
