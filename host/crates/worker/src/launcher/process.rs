//! The launcher's own side: prepare once, then fork a worker for every request.

use std::{
    collections::HashMap,
    fs::File,
    io,
    os::fd::{AsFd, AsRawFd, OwnedFd, RawFd},
};

use nix::{
    fcntl::{FcntlArg, fcntl},
    sched::{CpuSet, sched_getaffinity, sched_setaffinity},
    sys::{prctl, signal::Signal},
    unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, getppid, setpgid},
};

use super::messages::{Connection, LauncherReply, Request};
use crate::{
    Program, bind_to_core, child,
    sandbox::{self, Forked, Room, RoomBuilder, Surroundings, SystemCallFilters},
};

/// Runs the launcher until the host closes the connection, and a worker in each process
/// that it forks.
///
/// # Errors
/// When the host is gone, or a worker cannot go on.
pub fn run(host: u32) -> io::Result<()> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    let host = i32::try_from(host).map_err(io::Error::other)?;
    if getppid() != Pid::from_raw(host) {
        return Ok(());
    }
    prctl::set_name(c"launcher")?;
    let mut launcher = LauncherProcess::new()?;
    loop {
        let (request, descriptors) = launcher.connection.receive()?;
        match request {
            Request::ShowPipes => {
                let folder = launcher.builder.is_ok().then(RoomBuilder::pipes);
                let folder = folder.transpose()?;
                let descriptors: Vec<_> = folder.iter().map(AsFd::as_fd).collect();
                launcher
                    .connection
                    .send(&LauncherReply::Pipes, &descriptors)?;
            }
            Request::MakeRoom {
                plugin,
                program,
                allow_read,
                memory,
            } => {
                let program = program.as_deref();
                let reply = launcher.make_room(&plugin, program, &allow_read, memory, descriptors);
                launcher.connection.send(&reply, &[])?;
            }
            Request::RemoveRoom(number) => launcher.remove_room(number),
            Request::Start {
                room,
                lacking,
                core,
                threads,
            } => {
                launcher.go_to(core);
                let room = match room.map(|number| launcher.rooms.get(&number)) {
                    Some(Some(room)) => Ok(room.clone()),
                    Some(None) => {
                        let sentence = "the room does not exist any more".to_owned();
                        let reply = LauncherReply::NotShown(sentence);
                        launcher.connection.send(&reply, &[])?;
                        continue;
                    }
                    None => Err(lacking.unwrap_or_default()),
                };
                match sandbox::fork(room.is_ok()) {
                    Ok(Forked::Child) => return launcher.become_worker(room, threads, descriptors),
                    Ok(Forked::Parent(pid)) => {
                        launcher
                            .connection
                            .send(&LauncherReply::Started(pid), &[])?;
                    }
                    Err(error) => {
                        let sentence = format!("cannot fork: {error}");
                        launcher
                            .connection
                            .send(&LauncherReply::Failed(sentence), &[])?;
                    }
                }
            }
        }
    }
}

struct LauncherProcess {
    connection: Connection,
    builder: Result<RoomBuilder, String>,
    rooms: HashMap<u64, Room>,
    filters: Result<SystemCallFilters, String>,
    /// Why pages of files stay that all workers would share.
    shared_pages: Option<String>,
    /// The cores that it may use, and the one that it is bound to.
    cores: Option<CpuSet>,
    core: Option<usize>,
}

impl LauncherProcess {
    fn new() -> io::Result<Self> {
        let connection = Connection::new(io::stdin().as_fd().try_clone_to_owned()?);
        dup2_stdin(File::open("/dev/null")?)?;
        sandbox::close_descriptors_from(3, &[connection.as_raw_fd()]);
        Ok(Self {
            shared_pages: sandbox::prepare_this_process().err(),
            connection,
            builder: RoomBuilder::new(),
            rooms: HashMap::new(),
            filters: SystemCallFilters::for_process(sandbox::FIRST_PROCESS),
            cores: sched_getaffinity(Pid::from_raw(0)).ok(),
            core: None,
        })
    }

    fn make_room(
        &mut self,
        plugin: &std::path::Path,
        program: Option<&Program>,
        allow_read: &[std::path::PathBuf],
        memory: u64,
        mut descriptors: Vec<OwnedFd>,
    ) -> LauncherReply {
        // This takes a while, on whichever core is free.
        self.go_to(None);
        let builder = match &mut self.builder {
            Ok(builder) => builder,
            Err(reason) => return LauncherReply::NoRooms(reason.clone()),
        };
        let Some(copy) = descriptors.pop().map(File::from) else {
            return LauncherReply::NotShown("the plugin did not come along".to_owned());
        };
        // Before they are copied: the copies would take that much memory.
        let sealed = copy.metadata().map_or(0, |data| data.len());
        let n_bytes = sealed + sandbox::size_of_files_beside(plugin, allow_read);
        if n_bytes > memory {
            return LauncherReply::TooLarge(n_bytes);
        }
        match builder.make(plugin, program, &copy, allow_read) {
            Ok((number, room, allow_read_sha256)) => {
                self.rooms.insert(number, room);
                sandbox::tidy_up_memory();
                LauncherReply::Room {
                    number,
                    allow_read_sha256,
                    n_bytes,
                }
            }
            Err(error) => LauncherReply::NotShown(error.to_string()),
        }
    }

    /// Goes to the core of a worker, which begins on the core of its launcher. The host waits
    /// there meanwhile, so no other game is disturbed, and no core has to be woken up.
    fn go_to(&mut self, core: Option<usize>) {
        // A core is chosen anew for every worker: this process may have been moved.
        if core.is_none() && self.core.is_none() {
            return;
        }
        self.core = core;
        match (core, &self.cores) {
            (Some(core), _) => bind_to_core(Pid::from_raw(0), core),
            (None, Some(cores)) => {
                // If the affinity cannot be set, play anyway.
                let _ = sched_setaffinity(Pid::from_raw(0), cores);
            }
            (None, None) => {}
        }
    }

    fn remove_room(&mut self, number: u64) {
        if let Some(room) = self.rooms.remove(&number) {
            room.remove();
        }
    }

    /// In the forked process: takes the worker's streams and plays.
    fn become_worker(
        self,
        room: Result<Room, String>,
        threads: u64,
        descriptors: Vec<OwnedFd>,
    ) -> io::Result<()> {
        const OUT_OF_REACH: i32 = 210;
        prctl::set_name(c"worker")?;
        setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        if room.is_ok() {
            sandbox::let_signals_end_the_first_process();
        }
        let mut descriptors = descriptors.into_iter();
        let mut next = || descriptors.next().ok_or(io::ErrorKind::InvalidInput);
        dup2_stdin(next()?)?;
        dup2_stdout(next()?)?;
        dup2_stderr(next()?)?;
        // Opened anew: a position in the file must not be shared with other workers.
        let sealed = match next() {
            Ok(sealed) => {
                let anew = File::open(format!("/proc/self/fd/{}", sealed.as_raw_fd()))?;
                let number = fcntl(&anew, FcntlArg::F_DUPFD_CLOEXEC(OUT_OF_REACH))?;
                Some(sandbox::adopt_descriptor(number))
            }
            Err(_) => None,
        };
        let surroundings = Surroundings {
            filters: self.filters.ok().filter(|_| room.is_ok()),
            room,
            threads,
            sealed,
            shared_pages: self.shared_pages,
        };
        drop(self.connection);
        let kept: Vec<RawFd> = surroundings.sealed.iter().map(AsRawFd::as_raw_fd).collect();
        sandbox::close_descriptors_from(3, &kept);
        child::run(&surroundings)
    }
}
