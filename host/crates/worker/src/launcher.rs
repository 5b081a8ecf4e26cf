//! The launcher: one process that starts all workers of this host.
//!
//! Starting a program costs more than a short game, and so does making namespaces. The launcher
//! does both once: it is this program under a hidden subcommand ([`process`]), it prepares a room
//! for every plugin, and it forks a worker when the host asks for one. It never opens a plugin.
//! The workers it forks are children of the host, not its own, so the host waits for them, kills
//! them and reads their CPU clocks directly.

pub(super) mod messages;
pub(super) mod process;

use std::{
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
    sys::stat::Mode,
    unistd::{Pid, UnlinkatFlags, mkfifoat, unlinkat},
};

use super::{PluginFile, plugin_file::SealedCopy, sandbox::SandboxRules};
use messages::{Connection, LauncherReply, Request};
use tournament::Sandbox;

/// The launcher of this process; started when the first worker is.
static LAUNCHER: Mutex<Option<Launcher>> = Mutex::new(None);

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
}

/// This machine can make rooms, but not one with the files of this agent. The agent does not play
/// without a room: otherwise an agent could choose to have none.
#[derive(Debug, thiserror::Error)]
#[error("has files that cannot be shown to it in its sandbox: {0}")]
pub struct CannotBeShown(String);

/// Starts a worker, bound to a core. Returns the process that will hold the agent, and the other
/// ends of its three standard streams.
///
/// # Errors
/// When no process can be started, a file has changed since it was hashed, or the files of
/// this agent cannot be shown: [`CannotBeShown`].
pub(super) fn start(
    plugin: &PluginFile,
    rules: &SandboxRules,
    core: Option<usize>,
) -> io::Result<(Pid, [File; 3])> {
    // What is behind the lock stays whole even if a thread died while holding it.
    let mut slot = LAUNCHER.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = slot.is_none();
    match start_by(&mut slot, plugin, rules, core) {
        // The launcher may have been killed since the last worker was started.
        Err(error) if is_lost(&error) && !is_new => {
            *slot = None;
            start_by(&mut slot, plugin, rules, core)
        }
        result => result,
    }
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
) -> io::Result<(Pid, [File; 3])> {
    let launcher = match slot {
        Some(launcher) => launcher,
        None => slot.insert(Launcher::start()?),
    };
    let (its_input, input) = launcher.pipe()?;
    let (output, its_output) = launcher.pipe()?;
    let (prints, its_prints) = launcher.pipe()?;
    let mut descriptors = vec![its_input.as_fd(), its_output.as_fd(), its_prints.as_fd()];
    let (mut room, mut lacking) = (None, None);
    if rules.mode != Sandbox::Off {
        let sealed = plugin.sealed().ok_or_else(not_sealed)?;
        match launcher.room(plugin, rules)? {
            Ok(number) => room = Some(number),
            Err(reason) => {
                lacking = Some(reason);
                // Without a room the worker opens the copy through its descriptor. A program
                // is executed where it lies: an interpreter has to find it by its name.
                if plugin.program().is_none() {
                    descriptors.push(sealed.content.as_fd());
                }
            }
        }
    }
    let request = Request::Start {
        room,
        lacking,
        core,
    };
    match launcher.ask(&request, &descriptors)?.0 {
        LauncherReply::Started(pid) => {
            Ok((Pid::from_raw(pid), [input, output, prints].map(File::from)))
        }
        LauncherReply::NotShown(reason) => Err(io::Error::other(CannotBeShown(reason))),
        // The kernel has no process to spare, at the moment.
        LauncherReply::Failed(sentence) => Err(io::Error::new(io::ErrorKind::WouldBlock, sentence)),
        _ => Err(io::Error::other("the launcher answered another question")),
    }
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
    ) -> io::Result<Result<u64, String>> {
        self.remove_rooms_without_plugin();
        let sealed = plugin.sealed().ok_or_else(not_sealed)?;
        let known = self.rooms.iter().find(|room| {
            room.plugin.as_ptr() == Arc::as_ptr(sealed) && room.allow_read == rules.allow_read
        });
        if let Some(room) = known {
            return Ok(room.number.clone());
        }
        let request = Request::MakeRoom {
            plugin: plugin.path().to_path_buf(),
            program: plugin.program().cloned().map(Box::new),
            allow_read: rules.allow_read.clone(),
        };
        let number = match self.ask(&request, &[sealed.content.as_fd()])?.0 {
            LauncherReply::Room {
                number,
                allow_read_sha256,
            } => {
                let expected = rules.allow_read_sha256.as_ref();
                if expected.is_some_and(|expected| *expected != allow_read_sha256) {
                    let _ = self.connection.send(&Request::RemoveRoom(number), &[]);
                    return Err(io::Error::other(
                        "a file of `allow_read` has changed since it was hashed; start the run again",
                    ));
                }
                Ok(number)
            }
            LauncherReply::NoRooms(reason) => Err(reason),
            LauncherReply::NotShown(reason) => {
                return Err(io::Error::other(CannotBeShown(reason)));
            }
            _ => return Err(io::Error::other("the launcher answered another question")),
        };
        self.rooms.push(KnownRoom {
            plugin: Arc::downgrade(sealed),
            allow_read: rules.allow_read.clone(),
            number: number.clone(),
        });
        Ok(number)
    }

    fn remove_rooms_without_plugin(&mut self) {
        let connection = &self.connection;
        self.rooms.retain(|room| {
            let is_needed = room.plugin.strong_count() > 0;
            if let (false, Ok(number)) = (is_needed, &room.number) {
                // A launcher that has ended has no rooms left to remove.
                let _ = connection.send(&Request::RemoveRoom(*number), &[]);
            }
            is_needed
        });
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
