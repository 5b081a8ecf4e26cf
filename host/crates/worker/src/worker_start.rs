//! The two ways to start a worker: by the launcher, and as a program of its own; and the
//! core it is bound to.

use std::{
    fs::File,
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::CommandExt,
    },
    path::Path,
    process::{Command, Stdio},
};

use nix::{
    sched::{CpuSet, sched_setaffinity},
    unistd::Pid,
};

use super::{launcher, protocol::Task};

/// Starts another program as a worker, bound to a core.
pub(super) fn spawn(program: &Path, core: Option<usize>) -> io::Result<(Pid, [File; 3])> {
    let mut child = Command::new(program)
        .args(["worker", &std::process::id().to_string()])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let missing = || io::Error::other("a stream of the worker is missing");
    let streams: [OwnedFd; 3] = [
        child.stdin.take().ok_or_else(missing)?.into(),
        child.stdout.take().ok_or_else(missing)?.into(),
        child.stderr.take().ok_or_else(missing)?.into(),
    ];
    let pid = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    if let Some(core) = core {
        bind_to_core(pid, core);
    }
    Ok((pid, streams.map(File::from)))
}

/// Lets the launcher start a worker, bound to a core.
pub(super) fn launch(task: &Task, core: Option<usize>) -> io::Result<(Pid, [File; 3])> {
    let (its_input, input) = io::pipe()?;
    let (output, its_output) = io::pipe()?;
    let (stderr, its_stderr) = io::pipe()?;
    let theirs = [its_input.as_fd(), its_output.as_fd(), its_stderr.as_fd()];
    let pid = launcher::start(&task.plugin, &task.sandbox, theirs, core)?;
    let ours: [OwnedFd; 3] = [input.into(), output.into(), stderr.into()];
    Ok((pid, ours.map(File::from)))
}

/// Binds a process or thread to a core; 0 is the calling thread.
pub fn bind_to_core(process: Pid, core: usize) {
    let mut cores = CpuSet::new();
    // A machine that does not let us choose the core plays all the same.
    let _ = cores
        .set(core)
        .and_then(|()| sched_setaffinity(process, &cores));
}
