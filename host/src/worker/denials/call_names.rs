//! The names of system calls that the sandbox denies, and what they are for.

use nix::libc;

/// What somebody wants who makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    Process,
    Connection,
    Change,
    Execute,
    Read,
    Other,
}

impl Purpose {
    /// What an agent wanted to do; nothing where the name of the call says as much.
    pub(super) fn words(self) -> Option<&'static str> {
        Some(match self {
            Self::Process => "to start a process",
            Self::Connection => "to open a connection",
            Self::Change => "to write",
            Self::Execute => "to execute",
            Self::Read => "to read",
            Self::Other => return None,
        })
    }
}

/// A system call.
pub(super) struct Call {
    pub(super) name: String,
    pub(super) purpose: Purpose,
    /// Which argument is the path of a file.
    pub(super) path_argument: Option<usize>,
}

type Named = (i64, &'static str);

macro_rules! named {
    ($($call:ident)*) => {
        &[$((libc::$call, stringify!($call))),*]
    };
}

const PROCESS: &[Named] = named! { SYS_clone SYS_execveat SYS_wait4 SYS_waitid };

const CONNECTION: &[Named] = named! {
    SYS_socket SYS_socketpair SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4 SYS_sendto
    SYS_recvfrom SYS_sendmsg SYS_recvmsg SYS_sendmmsg SYS_recvmmsg SYS_getsockname SYS_getpeername
    SYS_setsockopt SYS_getsockopt SYS_shutdown
};

/// Calls that change files, by the position of the path.
const CHANGE: [&[Named]; 3] = [
    named! { SYS_truncate SYS_setxattr SYS_lsetxattr },
    named! {
        SYS_openat SYS_mkdirat SYS_unlinkat SYS_renameat2 SYS_linkat SYS_fchmodat SYS_fchownat
        SYS_utimensat SYS_mknodat
    },
    named! { SYS_symlinkat },
];

const OTHER: &[Named] = named! {
    SYS_execve SYS_kill SYS_tkill SYS_tgkill SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev
    SYS_mount SYS_umount2 SYS_chroot SYS_pivot_root SYS_unshare SYS_setns SYS_chdir SYS_fchdir
    SYS_setuid SYS_setgid SYS_setresuid SYS_setresgid SYS_setgroups SYS_getgroups SYS_getresuid
    SYS_getresgid SYS_sched_setaffinity SYS_sched_setscheduler SYS_sched_setparam
    SYS_sched_setattr SYS_sched_getattr SYS_sched_get_priority_max SYS_sched_get_priority_min
    SYS_setpriority SYS_getpriority SYS_prctl SYS_prlimit64 SYS_seccomp SYS_bpf
    SYS_perf_event_open SYS_io_uring_setup SYS_userfaultfd SYS_memfd_create SYS_shmget SYS_shmat
    SYS_shmctl SYS_semget SYS_msgget SYS_mlock SYS_mlock2 SYS_mlockall SYS_munlock SYS_mincore
    SYS_madvise SYS_mbind SYS_set_mempolicy SYS_get_mempolicy SYS_membarrier SYS_pidfd_open
    SYS_pidfd_getfd SYS_pidfd_send_signal SYS_pipe2 SYS_inotify_init1 SYS_inotify_add_watch
    SYS_signalfd4 SYS_timerfd_create SYS_timer_create SYS_setitimer SYS_getitimer SYS_sysinfo
    SYS_capget SYS_capset SYS_getpgid SYS_getsid SYS_setsid SYS_setpgid SYS_umask SYS_flock
    SYS_fcntl SYS_ioctl SYS_statfs SYS_fstatfs SYS_sync SYS_fsync SYS_fdatasync SYS_ftruncate
    SYS_fallocate SYS_fchmod SYS_fchown SYS_splice SYS_tee SYS_vmsplice SYS_sendfile
    SYS_copy_file_range SYS_fadvise64 SYS_readahead SYS_fanotify_init SYS_keyctl SYS_add_key
    SYS_request_key SYS_syslog SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo SYS_pkey_alloc
    SYS_pkey_free SYS_pkey_mprotect SYS_kcmp SYS_ioprio_set SYS_ioprio_get SYS_getxattr
    SYS_lgetxattr SYS_fgetxattr SYS_listxattr SYS_futex SYS_mmap SYS_clock_gettime
    SYS_clock_getres SYS_clock_nanosleep SYS_clock_settime SYS_landlock_create_ruleset
    SYS_set_tid_address SYS_get_robust_list SYS_personality SYS_sethostname SYS_preadv2
    SYS_pwritev SYS_pwritev2
};

/// Calls that only this CPU has, or that only its list in `libc` has.
#[cfg(target_arch = "x86_64")]
mod here {
    use super::{Named, libc};

    pub(super) const PROCESS: &[Named] = named! { SYS_fork SYS_vfork };
    pub(super) const CHANGE: [&[Named]; 3] = [
        named! {
            SYS_open SYS_creat SYS_mkdir SYS_rmdir SYS_unlink SYS_rename SYS_link SYS_chmod
            SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_mknod
        },
        named! { SYS_symlink SYS_renameat SYS_futimesat },
        &[],
    ];
    pub(super) const OTHER: &[Named] = named! {
        SYS_pipe SYS_alarm SYS_pause SYS_getpgrp SYS_inotify_init SYS_signalfd SYS_eventfd
        SYS_epoll_create SYS_getrlimit SYS_setrlimit SYS_iopl SYS_ioperm SYS_fchmodat2
    };
}
#[cfg(not(target_arch = "x86_64"))]
mod here {
    use super::Named;

    pub(super) const PROCESS: &[Named] = &[];
    pub(super) const CHANGE: [&[Named]; 3] = [&[], &[], &[]];
    pub(super) const OTHER: &[Named] = &[];
}

/// The call with this number.
pub(super) fn call_named(number: i64) -> Call {
    let find = |named: &[Named]| {
        let found = named.iter().find(|(call, _)| *call == number)?;
        Some(found.1.trim_start_matches("SYS_").to_owned())
    };
    let call = |name, purpose, path_argument| Call {
        name,
        purpose,
        path_argument,
    };
    for (index, named) in CHANGE.into_iter().chain(here::CHANGE).enumerate() {
        if let Some(name) = find(named) {
            return call(name, Purpose::Change, Some(index % CHANGE.len()));
        }
    }
    let rest = [
        (PROCESS, Purpose::Process),
        (here::PROCESS, Purpose::Process),
        (CONNECTION, Purpose::Connection),
        (OTHER, Purpose::Other),
        (here::OTHER, Purpose::Other),
    ];
    let known = rest
        .into_iter()
        .find_map(|(named, purpose)| Some((find(named)?, purpose)));
    // The path of what is executed is its first argument.
    let path_argument = (number == libc::SYS_execve).then_some(0);
    match known {
        Some((name, purpose)) => call(name, purpose, path_argument),
        None => call(format!("call {number}"), Purpose::Other, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_named_with_what_they_are_for() {
        let told = |number| {
            let call = call_named(number);
            (call.name, call.purpose, call.path_argument)
        };
        assert_eq!(
            told(libc::SYS_openat),
            ("openat".to_owned(), Purpose::Change, Some(1))
        );
        assert_eq!(
            told(libc::SYS_socket),
            ("socket".to_owned(), Purpose::Connection, None)
        );
        assert_eq!(
            told(libc::SYS_symlinkat),
            ("symlinkat".to_owned(), Purpose::Change, Some(2))
        );
        assert_eq!(
            told(100_000),
            ("call 100000".to_owned(), Purpose::Other, None)
        );
    }
}
