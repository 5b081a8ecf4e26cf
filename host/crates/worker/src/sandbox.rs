//! What a worker gives up before it opens a plugin.
//!
//! Four layers, none of which needs privileges. The room (`room`): namespaces of its own
//! and a root folder that holds copies of the plugin, of its libraries and of the files
//! that the tournament allows, and nothing else. Landlock (`file_access`): nothing can be
//! written, and only those files can be read. seccomp (`system_calls`): the system calls
//! that computing, memory, threads and reading need. Limits (`limits`): memory, CPU time,
//! threads, file sizes and descriptors. A layer that this machine lacks is reported.
#![expect(
    unsafe_code,
    reason = "forking, reaping, signal handlers and descriptors that nothing in this process owns"
)]

mod allowed_files;
mod elf_file;
mod file_access;
mod limits;
mod machine;
mod missing_layer;
mod room;
mod shared_libraries;
mod system_calls;
mod system_loader;

use std::{
    fs, io,
    os::fd::{FromRawFd, OwnedFd, RawFd},
    path::{Path, PathBuf},
};

use nix::{
    libc,
    sys::{
        prctl,
        signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction},
    },
    unistd::Pid,
};
use serde::{Deserialize, Serialize};

use super::Program;
use tournament::Sandbox;

pub use allowed_files::{sha256_of_files, size_of_files_beside};
pub(super) use machine::{KEPT_FILES, MOST_THREADS, memory_of_this_machine};
pub use machine::{kept_memory, memory_shortage, threads_for_each};
pub(super) use missing_layer::report_missing_layer;
pub use missing_layer::{announce_missing_layers, is_missing_layer_announced};
pub(super) use room::{Room, RoomBuilder};
pub(super) use system_calls::SystemCallFilters;
pub use system_loader::ForeignLoader;
pub(super) use system_loader::system_loader;

/// What holds for one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SandboxRules {
    pub mode: Sandbox,
    /// The most memory the worker may fill, in bytes.
    pub memory: u64,
    /// Files and folders the plugin may read besides its own file.
    pub allow_read: Vec<PathBuf>,
    /// What [`sha256_of_files`] gave for them when the agent was entered.
    pub allow_read_sha256: Option<String>,
}

/// What the launcher has prepared for a worker.
pub(super) struct Surroundings {
    /// Its room, or why it has none.
    pub(super) room: Result<Room, String>,
    /// The most threads it may have in its room.
    pub(super) threads: u64,
    /// The sealed copy of the plugin, where there is no room that holds it.
    pub(super) sealed: Option<OwnedFd>,
    /// The filters of a worker that is the first process of its namespace.
    pub(super) filters: Option<SystemCallFilters>,
    /// Why it still shares pages of files with other workers, if it does.
    pub(super) shared_pages: Option<String>,
}

/// The number of the first process in a namespace.
pub(super) const FIRST_PROCESS: u32 = 1;

/// Gives up what the rules say, for this process and for good. Returns what could not be
/// given up, one sentence.
///
/// # Errors
/// When there is a room that cannot be entered: no agent plays beside it.
pub(super) fn enter(
    rules: &SandboxRules,
    surroundings: &Surroundings,
    plugin: &Path,
    program: Option<&Program>,
) -> io::Result<Option<String>> {
    let limited = limits::limit_resources(rules.memory);
    let mut lacking: Vec<String> = (limited.err().into_iter())
        .map(|error| format!("resource limits: {error}"))
        .collect();
    if rules.mode == Sandbox::Off {
        lacking.extend(go_to_folder_of(program).err());
        return Ok((!lacking.is_empty()).then(|| lacking.join("; ")));
    }
    match &surroundings.room {
        Ok(room) => {
            lacking.extend(room.enter(surroundings.threads)?);
            lacking.extend(surroundings.shared_pages.clone());
        }
        Err(reason) => lacking.push(reason.clone()),
    }
    lacking.extend(go_to_folder_of(program).err());
    // Entering the room changes credentials, and that cancels the signal.
    if let Err(error) = prctl::set_pdeathsig(Signal::SIGKILL) {
        lacking.push(format!("end with the host: {error}"));
    }
    // A large page of which a piece is still in use stays in memory as a whole, and does not count.
    if let Err(error) = prctl::set_thp_disable(true) {
        lacking.push(format!("memory in small pages: {error}"));
    }
    lacking.extend(limits::limit_the_rest().err());
    let is_in_room = surroundings.room.is_ok();
    // A copy in memory is in no file system: it needs no rule, and none can be made for it.
    let file = Some(plugin).filter(|_| surroundings.sealed.is_none());
    lacking.extend(file_access::restrict(&rules.allow_read, file, program, is_in_room).err());
    lacking.extend(match &surroundings.filters {
        Some(filters) => filters.apply(program).err(),
        None => SystemCallFilters::for_process(std::process::id())
            .and_then(|filters| filters.apply(program))
            .err(),
    });
    Ok((!lacking.is_empty()).then(|| lacking.join("; ")))
}

/// A program works in its own folder.
fn go_to_folder_of(program: Option<&Program>) -> Result<(), String> {
    match program.map(|program| std::env::set_current_dir(&program.folder)) {
        Some(Err(error)) => Err(format!("working directory: {error}")),
        _ => Ok(()),
    }
}

/// In which of the two processes a fork has returned.
pub(super) enum Forked {
    Child,
    /// The child's number, as this process sees it.
    Parent(i32),
}

/// Forks this process, which must have one thread. The child belongs to the parent of
/// this process; with `is_first` it is the first process of a namespace of its own.
pub(super) fn fork(is_first: bool) -> io::Result<Forked> {
    let own_namespace = if is_first { libc::CLONE_NEWPID } else { 0 };
    let mut flags = libc::CLONE_PARENT | own_namespace;
    // The thread library keeps the number of the thread where the kernel put it; a fork
    // has to renew it there.
    let number = rustix::thread::get_clear_child_tid_address().unwrap_or(None);
    if number.is_some() {
        flags |= libc::CLONE_CHILD_SETTID | libc::CLONE_CHILD_CLEARTID;
    }
    let arguments = CloneArguments {
        flags: u64::from(flags.unsigned_abs()),
        child_tid: number.map_or(0, |address| address.as_ptr() as u64),
        ..CloneArguments::default()
    };
    // SAFETY: the arguments are those of `clone3(2)`; without a new stack and without
    // CLONE_VM the call returns twice, like `fork`. There is one thread, so no lock is
    // held by another.
    let pid = unsafe {
        libc::syscall(
            libc::SYS_clone3,
            &raw const arguments,
            size_of::<CloneArguments>(),
        )
    };
    match pid {
        0 => Ok(Forked::Child),
        pid if pid > 0 => i32::try_from(pid)
            .map(Forked::Parent)
            .map_err(io::Error::other),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The first version of the structure that `clone3` takes.
#[derive(Default)]
#[repr(C)]
struct CloneArguments {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
}

/// Reaps a child that has ended; with its status comes the most memory it ever held, in
/// bytes. Nothing while it lives.
pub(super) fn reap(child: Pid) -> io::Result<Option<(i32, u64)>> {
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are valid for the call, and all bytes zero are a valid `rusage`.
    let (pid, usage) = unsafe {
        let pid = libc::wait4(
            child.as_raw(),
            &raw mut status,
            libc::WNOHANG,
            usage.as_mut_ptr(),
        );
        (pid, usage.assume_init())
    };
    match pid {
        0 => Ok(None),
        pid if pid > 0 => {
            let kibibytes = u64::try_from(usage.ru_maxrss).unwrap_or(0);
            Ok(Some((status, kibibytes * 1024)))
        }
        _ => Err(io::Error::last_os_error()),
    }
}

/// What a worker's exit code is above the number of the signal that ended it.
pub(super) const ENDED_BY_SIGNAL: i32 = 128;

/// The kernel protects the first process of a namespace from signals for which it has no
/// handler. These have to end it all the same.
pub(super) fn let_signals_end_the_first_process() {
    extern "C" fn end(signal: i32) {
        // SAFETY: `_exit` may be called in a signal handler.
        unsafe { libc::_exit(ENDED_BY_SIGNAL + signal) }
    }
    let action = SigAction::new(SigHandler::Handler(end), SaFlags::empty(), SigSet::empty());
    for signal in [Signal::SIGABRT, Signal::SIGXCPU, Signal::SIGXFSZ] {
        // SAFETY: the handler calls nothing but `_exit`.
        let _ = unsafe { sigaction(signal, &action) };
    }
}

/// Takes out of this process what would later tell one worker about another.
///
/// It replaces all pages of files by copies: the time it takes to touch one for the first time says
/// nothing, and two workers cannot meet at a futex in a file that both have mapped. The sort of the
/// C library asks once how much memory the machine has and remembers it; the answer is not available
/// in a sandbox. What every worker would make for itself, this process makes once.
///
/// # Errors
/// When a page of a file stays, with the reason.
pub(super) fn prepare_this_process() -> Result<(), String> {
    const ENOUGH_TO_ASK: usize = 4096;
    extern "C" fn equal(_: *const libc::c_void, _: *const libc::c_void) -> i32 {
        0
    }
    let mut bytes = [0_u8; ENOUGH_TO_ASK];
    // SAFETY: the array has that many elements of one byte, and the comparison reads none.
    unsafe { libc::qsort(bytes.as_mut_ptr().cast(), bytes.len(), 1, Some(equal)) };
    // A worker uses its standard streams, and would make these for itself.
    let _ = (io::stdin(), io::stdout(), io::stderr());
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    (maps.lines().filter_map(FileMapping::parse))
        .try_for_each(|mapping| mapping.replace_by_copy())
        .map_err(|error| format!("pages of files that workers share: {error}"))
}

/// Puts free pieces of memory together and gives back what is left over. A worker begins with a
/// copy of the launcher's memory, and copies every page that it changes: without this, its
/// first large piece of memory would change all pages with small free ones.
pub(super) fn tidy_up_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it changes nothing that is in use.
    let _ = unsafe { libc::malloc_trim(0) };
}

/// A mapping of a file that can be read, or not be used at all; see `proc_pid_maps(5)`.
#[derive(Debug, PartialEq)]
struct FileMapping {
    start: usize,
    length: usize,
    protection: i32,
}

impl FileMapping {
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let permissions = words.next()?;
        let path = words.nth(3)?;
        let is_known = permissions.starts_with('r') || permissions.starts_with("---");
        if !is_known || !path.starts_with('/') {
            return None;
        }
        let start = usize::from_str_radix(start, 16).ok()?;
        let end = usize::from_str_radix(end, 16).ok()?;
        let bits = [
            ('r', libc::PROT_READ),
            ('w', libc::PROT_WRITE),
            ('x', libc::PROT_EXEC),
        ];
        let granted = bits
            .iter()
            .filter(|(letter, _)| permissions.contains(*letter));
        Some(Self {
            start,
            length: end - start,
            protection: granted.fold(0, |protection, (_, bit)| protection | bit),
        })
    }

    /// Puts memory with the same content and protection in its place. Libraries may have gaps that
    /// cannot be read; an agent could make them readable, so nothing of the file stays there.
    fn replace_by_copy(&self) -> io::Result<()> {
        /// A large page of most machines. A fork copies one entry for each, and 512 for its small
        /// pages, so the copy lies where large pages fit.
        const LARGE: usize = 2 << 20;
        let (start, length) = (self.start as *mut libc::c_void, self.length);
        let writable = libc::PROT_READ | libc::PROT_WRITE;
        let private = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        if self.protection == libc::PROT_NONE {
            let flags = private | libc::MAP_FIXED;
            // SAFETY: this program reads nothing there.
            let space = unsafe { libc::mmap(start, length, self.protection, flags, -1, 0) };
            return (space == start)
                .then_some(())
                .ok_or_else(io::Error::last_os_error);
        }
        // SAFETY: the range is a part of this program or of a library, mapped and readable. This
        // process has one thread, which changes nothing in the range between the copy and the move,
        // so it finds there what was there.
        unsafe {
            let space = libc::mmap(
                std::ptr::null_mut(),
                length + LARGE,
                writable,
                private,
                -1,
                0,
            );
            if space == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let _ = libc::madvise(space, length + LARGE, libc::MADV_HUGEPAGE);
            let copy = space.add(self.start.wrapping_sub(space as usize) % LARGE);
            copy.copy_from_nonoverlapping(start, length);
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
            let is_moved = libc::mprotect(copy, length, self.protection) == 0
                && libc::mremap(copy, length, length, flags, start) == start;
            let moved = is_moved.then_some(()).ok_or_else(io::Error::last_os_error);
            // Where the copy was, there is nothing now.
            libc::munmap(space, length + LARGE);
            moved
        }
    }
}

/// Closes every descriptor from `first` on, except for some: the program that started the
/// host may have left some open, and a plugin must not have them.
pub(super) fn close_descriptors_from(first: RawFd, except: &[RawFd]) {
    let mut kept: Vec<RawFd> = except
        .iter()
        .copied()
        .filter(|kept| *kept >= first)
        .collect();
    kept.sort_unstable();
    let starts = std::iter::once(first).chain(kept.iter().map(|kept| kept + 1));
    let ends = kept.iter().map(|kept| kept - 1).chain([RawFd::MAX]);
    let is_closed = |(start, end): (RawFd, RawFd)| start > end || close_range(start, end);
    if !starts.zip(ends).all(is_closed) {
        close_listed_descriptors(first, except);
    }
}

/// Closes all descriptors of a range; `false` if the kernel cannot do that (before Linux 5.9).
fn close_range(start: RawFd, end: RawFd) -> bool {
    // SAFETY: nothing in this process owns a descriptor above the ones it has just set up.
    unsafe { libc::close_range(start.unsigned_abs(), end.unsigned_abs(), 0) == 0 }
}

/// The same for an older kernel, one by one.
fn close_listed_descriptors(first: RawFd, except: &[RawFd]) {
    let Ok(folder) = fs::read_dir("/proc/self/fd") else {
        return;
    };
    let open: Vec<RawFd> = folder
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|descriptor| *descriptor >= first && !except.contains(descriptor))
        .collect();
    for descriptor in open {
        // SAFETY: as above; the descriptor that listed them is closed already, and closing it
        // again only fails.
        let _ = unsafe { libc::close(descriptor) };
    }
}

/// Takes a descriptor that `fcntl` has just made.
#[must_use]
pub(super) fn adopt_descriptor(number: RawFd) -> OwnedFd {
    // SAFETY: the caller has it fresh from the kernel, so nothing else owns it.
    unsafe { OwnedFd::from_raw_fd(number) }
}

#[cfg(test)]
mod tests {
    use std::{fs::File, os::fd::AsRawFd};

    use super::*;

    #[test]
    fn mappings_of_files_are_read() {
        let mapping = |text| FileMapping::parse(text);
        let found = |protection| {
            Some(FileMapping {
                start: 0x5000,
                length: 0x2000,
                protection,
            })
        };
        assert_eq!(
            mapping("5000-7000 r-xp 00000000 fe:00 42 /usr/bin/host"),
            found(libc::PROT_READ | libc::PROT_EXEC)
        );
        assert_eq!(
            mapping("5000-7000 ---p 00000000 fe:00 42 /usr/bin/host"),
            found(libc::PROT_NONE)
        );
        assert_eq!(mapping("5000-7000 rw-p 00000000 00:00 0 [heap]"), None);
        assert_eq!(mapping("5000-7000 rw-p 00000000 00:00 0"), None);
    }

    /// An agent may make every page readable.
    #[test]
    fn nothing_of_a_file_stays_mapped() {
        const LENGTH: usize = 4096;
        let file = File::open("/proc/self/exe").unwrap();
        for protection in [libc::PROT_READ, libc::PROT_NONE] {
            // SAFETY: the kernel chooses the place, and the pages are only read.
            let content = unsafe {
                let descriptor = file.as_raw_fd();
                let kind = libc::MAP_PRIVATE;
                let space = libc::mmap(
                    std::ptr::null_mut(),
                    LENGTH,
                    protection,
                    kind,
                    descriptor,
                    0,
                );
                assert_ne!(space, libc::MAP_FAILED);
                let start = space as usize;
                let mapping = FileMapping {
                    start,
                    length: LENGTH,
                    protection,
                };
                mapping.replace_by_copy().unwrap();
                let maps = fs::read_to_string("/proc/self/maps").unwrap();
                let mut mappings = maps.lines().filter_map(FileMapping::parse);
                assert!(!mappings.any(|it| it.start <= start && start < it.start + it.length));
                assert_eq!(libc::mprotect(space, LENGTH, libc::PROT_READ), 0);
                std::slice::from_raw_parts(space.cast::<u8>(), 4)
            };
            let is_copied = protection == libc::PROT_READ;
            assert_eq!(content, if is_copied { b"\x7fELF" } else { &[0; 4] });
        }
    }
}
