//! The system calls a plugin may make: an allow-list, with a few more calls for programs.
//!
//! It holds what computing, memory, threads, time and reading files need. Every other call
//! (sockets, processes, signals to others, looking into other processes, mounting, changing
//! limits) fails with "not permitted". So do calls that could leave a trace for another
//! worker: what is in the page cache (`mincore`, most of `madvise`), locks, access times,
//! the load of the machine (`sysinfo`), and counters of the whole system that show in the
//! numbers of pipes and process descriptors. `clone3` and `openat2` fail with "no such
//! call" instead: their arguments are out of a filter's reach, and callers then fall back
//! to `clone` and `openat`.

mod arguments;

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompFilter, SeccompRule, apply_filter,
};

use super::Program;
use crate::program::RuntimeKind;

/// Calls that are allowed with any arguments.
const ALLOWED: &[i64] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_msync,
    // Files: the room and Landlock decide which.
    libc::SYS_read,
    libc::SYS_pread64,
    libc::SYS_readv,
    libc::SYS_preadv,
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_lseek,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_eventfd2,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    // Threads of this process.
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_getcpu,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    // Signal handlers of this process.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    // Time.
    libc::SYS_nanosleep,
    // Of the timer that the worker has made.
    libc::SYS_timer_settime,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrusage,
    // Facts about the machine.
    libc::SYS_uname,
    libc::SYS_getrandom,
];

/// Older calls that only this CPU has.
#[cfg(target_arch = "x86_64")]
const ALLOWED_HERE: &[i64] = &[
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_dup2,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_wait,
    libc::SYS_getdents,
    libc::SYS_arch_prctl,
    libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[i64] = &[];

/// Calls that take their arguments from memory, where a filter cannot see them.
const UNKNOWN: &[i64] = &[libc::SYS_clone3, libc::SYS_openat2];

/// What a program needs in addition: it is executed, which the room and Landlock allow for
/// one file only, and starts like every program.
const ALLOWED_FOR_PROGRAMS: &[i64] = &[libc::SYS_execve, libc::SYS_set_tid_address];

/// What Node does not start without. Pipes have numbers that are counted for the whole
/// machine, so nothing else may make them.
const ALLOWED_FOR_NODE: &[i64] = &[libc::SYS_pipe2];

/// Compiled filters. The launcher compiles them once for all its workers.
pub(crate) struct SystemCallFilters {
    unknown: BpfProgram,
    libraries: BpfProgram,
    programs: BpfProgram,
    node: BpfProgram,
}

impl SystemCallFilters {
    /// The filters of a process with this number.
    ///
    /// # Errors
    /// When this machine has no filters.
    pub(crate) fn for_process(process: u32) -> Result<Self, String> {
        let build = || -> Result<Self, BackendError> {
            Ok(Self {
                unknown: unknown_calls()?,
                libraries: allow_list(process, &[])?,
                programs: allow_list(process, &[ALLOWED_FOR_PROGRAMS])?,
                node: allow_list(process, &[ALLOWED_FOR_PROGRAMS, ALLOWED_FOR_NODE])?,
            })
        };
        build().map_err(|error| format!("seccomp: {error}"))
    }

    /// Applies the filters for a library or a program to this thread and to those it starts.
    /// The kernel asks both about every call, and the stricter answer holds. The allow-list
    /// comes last because it forbids to install filters.
    ///
    /// # Errors
    /// When the kernel does not take them.
    pub(super) fn apply(&self, program: Option<&Program>) -> Result<(), String> {
        let allowed = match program.map(|program| program.runtime.kind) {
            None => &self.libraries,
            Some(RuntimeKind::Node) => &self.node,
            Some(_) => &self.programs,
        };
        apply_filter(&self.unknown)
            .and_then(|()| apply_filter(allowed))
            .map_err(|error| format!("seccomp: {error}"))
    }
}

fn compile(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    on_match: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let machine = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, otherwise, on_match, machine)?.try_into()
}

/// Lets calls fail whose arguments a filter cannot see, and nothing else.
fn unknown_calls() -> Result<BpfProgram, BackendError> {
    let no_such_call = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let rules = with_any_arguments(UNKNOWN).collect();
    compile(rules, SeccompAction::Allow, no_such_call)
}

/// Lets every call fail that is on no list. What the other filter denies passes this one.
fn allow_list(process: u32, more: &[&[i64]]) -> Result<BpfProgram, BackendError> {
    let mut rules = arguments::rules(process)?;
    for calls in [ALLOWED, ALLOWED_HERE, UNKNOWN].iter().chain(more) {
        rules.extend(with_any_arguments(calls));
    }
    let not_permitted = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    compile(rules, not_permitted, SeccompAction::Allow)
}

fn with_any_arguments(calls: &[i64]) -> impl Iterator<Item = (i64, Vec<SeccompRule>)> {
    calls.iter().map(|&call| (call, Vec::new()))
}
