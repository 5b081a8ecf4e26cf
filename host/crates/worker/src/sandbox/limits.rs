//! Limits that the kernel keeps for a worker.

use std::io;

use nix::sys::resource::{Resource, setrlimit};

/// The most open descriptors. An epoll watch takes memory of the kernel that counts for no limit
/// but one of the user, and their number grows with the third power of this one.
const DESCRIPTORS: u64 = 64;
/// The most signals that wait for a worker. The kernel counts them for each user and user
/// namespace, together with timers.
const SIGNALS: u64 = 64;
/// Address space beyond the memory limit. Programs reserve more than they use; page tables
/// for all of this take 128 MiB at the most.
const RESERVED: u64 = 64 << 30;

/// The stack of the first thread, as on most systems. It does not count as memory that is
/// filled, and some machines do not limit it.
const STACK: u64 = 8 << 20;

/// Limits memory and descriptors.
///
/// The memory limit counts private writable mappings, which is what a process can fill;
/// the filter of system calls forbids the other kinds.
pub(super) fn limit_resources(memory: u64) -> io::Result<()> {
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    setrlimit(Resource::RLIMIT_DATA, memory, memory)?;
    setrlimit(Resource::RLIMIT_STACK, STACK, STACK)?;
    setrlimit(Resource::RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS)?;
    // The last one: the shell that started the host may have set a lower limit.
    let address_space = memory.saturating_add(RESERVED);
    Ok(setrlimit(
        Resource::RLIMIT_AS,
        address_space,
        address_space,
    )?)
}

/// Limits the threads of this process. The kernel counts them by user and user namespace,
/// so this process must have a namespace of its own.
pub(super) fn limit_threads(threads: u64) -> io::Result<()> {
    Ok(setrlimit(Resource::RLIMIT_NPROC, threads, threads)?)
}

/// Limits what the worker itself still needed: nothing may be written to files, and no more
/// signals can be kept waiting.
pub(super) fn limit_the_rest() -> Result<(), String> {
    setrlimit(Resource::RLIMIT_FSIZE, 0, 0)
        .map_err(|error| format!("limit of file sizes: {error}"))?;
    setrlimit(Resource::RLIMIT_SIGPENDING, SIGNALS, SIGNALS)
        .map_err(|error| format!("limit of signals: {error}"))
}
