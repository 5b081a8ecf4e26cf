//! The system calls a plugin may make: an allow-list.
//!
//! What computing, memory, threads, time and reading files need. Everything else
//! (sockets, processes, signals to others, looking into other processes, mounting,
//! changing limits) fails with "not permitted", as if the plugin's user lacked the
//! right. `clone3` says "no such call" instead, for glibc then falls back to `clone`,
//! whose arguments a filter can read.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// Calls that are allowed with any arguments.
const ALLOWED: &[i64] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_mlock,
    libc::SYS_munlock,
    libc::SYS_membarrier,
    libc::SYS_memfd_create,
    // Files: Landlock decides which.
    libc::SYS_read,
    libc::SYS_pread64,
    libc::SYS_readv,
    libc::SYS_preadv,
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_writev,
    libc::SYS_openat,
    libc::SYS_openat2,
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
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_eventfd2,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    // Threads of this process.
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
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
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrusage,
    // Facts about the machine.
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrandom,
];

/// Calls of older binaries that only this CPU still has.
#[cfg(target_arch = "x86_64")]
const ALLOWED_HERE: &[i64] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_wait,
    libc::SYS_getdents,
    libc::SYS_arch_prctl,
    libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[i64] = &[];

/// Applies the filter to this thread and to those it starts.
pub(super) fn restrict() -> Result<(), String> {
    let describe = |error: &dyn std::fmt::Display| format!("seccomp: {error}");
    let no_clone3 = filter(
        [(libc::SYS_clone3, Vec::new())].into(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS.unsigned_abs()),
    );
    let allow_list = rules().and_then(|rules| {
        filter(
            rules,
            SeccompAction::Errno(libc::EPERM.unsigned_abs()),
            SeccompAction::Allow,
        )
    });
    let no_clone3 = no_clone3.map_err(|error| describe(&error))?;
    let allow_list = allow_list.map_err(|error| describe(&error))?;
    // The allow-list comes last, for it forbids to install another filter. Of two
    // answers the kernel takes the stricter: for `clone3` that of the first filter.
    apply_filter(&no_clone3).map_err(|error| describe(&error))?;
    apply_filter(&allow_list).map_err(|error| describe(&error))
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    on_match: SeccompAction,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let machine = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, otherwise, on_match, machine)?.try_into()
}

fn rules() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED
        .iter()
        .chain(ALLOWED_HERE)
        .map(|&call| (call, Vec::new()))
        .collect();
    rules.insert(libc::SYS_clone3, Vec::new());
    // A new thread, never a new process.
    let thread = u64::try_from(libc::CLONE_THREAD).expect("a flag");
    rules.insert(
        libc::SYS_clone,
        vec![only_if(0, SeccompCmpOp::MaskedEq(thread), thread)?],
    );
    // Signals to threads of this process: what `abort` and the thread library send.
    // An agent that could kill its own worker would look like one that was killed
    // from outside, which stops the run.
    let own_process = u64::from(std::process::id());
    let signals = [libc::SIGABRT, 32, 33];
    let mut to_own_threads = Vec::new();
    for signal in signals {
        to_own_threads.push(SeccompRule::new(vec![
            condition(0, SeccompCmpOp::Eq, own_process)?,
            condition(2, SeccompCmpOp::Eq, u64::from(signal.unsigned_abs()))?,
        ])?);
    }
    rules.insert(libc::SYS_tgkill, to_own_threads);
    // Descriptors: never who gets a signal when something happens to one. A worker
    // that dies of a signal it arranged itself would look like one killed from outside.
    let commands = [
        libc::F_DUPFD,
        libc::F_DUPFD_CLOEXEC,
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
    ];
    let mut on_descriptors = Vec::new();
    for command in commands {
        on_descriptors.push(SeccompRule::new(vec![word(1, command.unsigned_abs())?])?);
    }
    let asynchronous = u64::from(libc::O_ASYNC.unsigned_abs());
    on_descriptors.push(SeccompRule::new(vec![
        word(1, libc::F_SETFL.unsigned_abs())?,
        condition(2, SeccompCmpOp::MaskedEq(asynchronous), 0)?,
    ])?);
    rules.insert(libc::SYS_fcntl, on_descriptors);
    // Whether something is a terminal, and how much there is to read.
    let questions = [
        libc::TCGETS,
        libc::TIOCGWINSZ,
        libc::FIONREAD,
        libc::FIOCLEX,
    ];
    let mut to_devices = Vec::new();
    for question in questions {
        let number = u32::try_from(question).expect("requests have 32 bits");
        to_devices.push(SeccompRule::new(vec![word(1, number)?])?);
    }
    rules.insert(libc::SYS_ioctl, to_devices);
    // Reading limits, never setting them.
    rules.insert(libc::SYS_prlimit64, vec![only_if(2, SeccompCmpOp::Eq, 0)?]);
    // Names of threads.
    let set_name = u64::try_from(libc::PR_SET_NAME).expect("a small number");
    let get_name = u64::try_from(libc::PR_GET_NAME).expect("a small number");
    rules.insert(
        libc::SYS_prctl,
        vec![
            only_if(0, SeccompCmpOp::Eq, set_name)?,
            only_if(0, SeccompCmpOp::Eq, get_name)?,
        ],
    );
    Ok(rules)
}

fn only_if(
    argument: u8,
    comparison: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![condition(argument, comparison, value)?])
}

/// An argument of 32 bits, whatever stands above them in the register.
fn word(argument: u8, value: u32) -> Result<SeccompCondition, seccompiler::BackendError> {
    let length = SeccompCmpArgLen::Dword;
    SeccompCondition::new(argument, length, SeccompCmpOp::Eq, value.into())
}

fn condition(
    argument: u8,
    comparison: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, comparison, value)
}
