//! What a plugin might try against the machine, its host or its rivals.
//!
//! Each attempt says whether it worked; the tests want to hear "no" in the sandbox
//! and "yes" without it.

use std::{fs, io, os::unix::process::CommandExt, path::Path, process::Command};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Attempt {
    None,
    /// Read the file `path`.
    Read,
    /// Write the file `path`.
    Write,
    OpenSocket,
    Fork,
    /// Execute the file `path` in place of this process.
    Execute,
    /// Fork a child that stays, and write its number to the file `path`.
    ForkAndStay,
    ReadMemoryOfParent,
    SignalParent,
}

impl Attempt {
    pub(crate) fn make(self, path: &Path) -> io::Result<()> {
        match self {
            Self::None => Ok(()),
            Self::Read => fs::read(path).map(drop),
            Self::Write => fs::write(path, "written by an agent"),
            Self::OpenSocket => std::net::UdpSocket::bind("127.0.0.1:0").map(drop),
            Self::Execute => Err(Command::new(path).exec()),
            Self::Fork => fork(false).map(drop),
            Self::ForkAndStay => fs::write(path, fork(true)?.to_string()),
            Self::ReadMemoryOfParent => read_memory_of_parent(),
            Self::SignalParent => signal_parent(),
        }
    }
}

/// The number of the child.
fn fork(stays: bool) -> io::Result<i32> {
    // SAFETY: the child does nothing but wait and end.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            if stays {
                // SAFETY: waits for a signal, and none but a deadly one comes.
                unsafe { libc::pause() };
            }
            // SAFETY: ends the child without running anything of the parent's.
            unsafe { libc::_exit(0) }
        }
        child => Ok(child),
    }
}

/// Reads a word of the host's stack. Its address is in `/proc`, which the sandbox hides as
/// well. Without it the agent tries zero, so that the test is about the system call.
fn read_memory_of_parent() -> io::Result<()> {
    // SAFETY: asks for a number.
    let parent = unsafe { libc::getppid() };
    let address = stack_of(parent).unwrap_or(0);
    let mut word = 0_u64;
    let local = libc::iovec {
        iov_base: (&raw mut word).cast(),
        iov_len: 8,
    };
    let remote = libc::iovec {
        iov_base: address as *mut libc::c_void,
        iov_len: 8,
    };
    // SAFETY: the kernel writes at most eight bytes into `word`.
    let n_read =
        unsafe { libc::process_vm_readv(parent, &raw const local, 1, &raw const remote, 1, 0) };
    if n_read == 8 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

fn stack_of(process: i32) -> Option<usize> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).ok()?;
    let line = maps.lines().find(|line| line.ends_with("[stack]"))?;
    let (_, end) = line.split_whitespace().next()?.split_once('-')?;
    Some(usize::from_str_radix(end, 16).ok()? - 64)
}

/// Sends a signal that has no effect.
fn signal_parent() -> io::Result<()> {
    // SAFETY: SIGWINCH is ignored by default.
    match unsafe { libc::kill(libc::getppid(), libc::SIGWINCH) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
