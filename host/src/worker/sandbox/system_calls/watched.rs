//! The filters of a watched worker; see `denials`.
//!
//! Neither allows a call that the filter of a tournament denies. In the first, calls that
//! would fail wait for an answer, and without one they fail as well. In the second, the filter
//! of a tournament is as it is, and of two verdicts the kernel takes the stricter one: only
//! what that filter allows is asked about.
#![expect(
    unsafe_code,
    reason = "the kernel takes a filter and gives a descriptor"
)]

use std::{
    io,
    os::fd::{AsFd, FromRawFd, OwnedFd},
    sync::mpsc,
    thread,
};

use nix::libc;
use seccompiler::{BackendError, BpfProgram, SeccompAction, apply_filter, sock_filter};

use super::{compile, filter_tree::DENY};
use crate::worker::{denials::Watched, launcher::messages::Connection};

/// What a filter says instead of an error: ask.
const ASK: u32 = libc::SECCOMP_RET_USER_NOTIF;

/// Applies the filter of a tournament so that somebody is asked; `false` when that cannot be
/// and nothing was applied.
pub(super) fn apply_watched(
    allowed: &BpfProgram,
    watched: Watched,
    connection: OwnedFd,
) -> Result<bool, seccompiler::Error> {
    let connection = Connection::new(connection);
    match watched {
        Watched::Calls => Ok(install(&asking(allowed), connection).is_ok()),
        Watched::Files => {
            // It comes first, because the other forbids to install a filter.
            let is_watched = files().is_ok_and(|files| install(&files, connection).is_ok());
            if is_watched {
                apply_filter(allowed)?;
            }
            Ok(is_watched)
        }
    }
}

/// The same filter, which asks where it would deny.
fn asking(filter: &BpfProgram) -> BpfProgram {
    const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
    let ask = |instruction: &sock_filter| {
        let mut instruction = instruction.clone();
        if u32::from(instruction.code) == RETURN && instruction.k == DENY {
            instruction.k = ASK;
        }
        instruction
    };
    filter.iter().map(ask).collect()
}

/// A filter that asks about opening and executing files, and allows everything.
fn files() -> Result<BpfProgram, BackendError> {
    let calls = [
        libc::SYS_openat,
        libc::SYS_execve,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open,
    ];
    let rules = calls.into_iter().map(|call| (call, Vec::new())).collect();
    let denied = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    compile(rules, SeccompAction::Allow, denied).map(|filter| asking(&filter))
}

/// Installs a filter for this thread and sends away the descriptor through which it asks.
///
/// This thread may not send anything any more once it has the filter. So a second one does,
/// which was started before, holds no plugin, and has ended when this returns.
fn install(filter: &BpfProgram, connection: Connection) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel::<OwnedFd>();
    let messenger = thread::Builder::new().spawn(move || {
        if let Ok(listener) = receiver.recv() {
            // Without it the host does not answer, and nothing is permitted.
            let _ = connection.send(&(), &[listener.as_fd()]);
        }
    })?;
    let installed = install_here(filter).map(|listener| {
        // The messenger waits for it.
        let _ = sender.send(listener);
    });
    drop(sender);
    let _ = messenger.join();
    installed
}

fn install_here(filter: &BpfProgram) -> io::Result<OwnedFd> {
    let length = u16::try_from(filter.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog {
        len: length,
        filter: filter.as_ptr().cast_mut().cast(),
    };
    // SAFETY: the kernel copies the filter, whose instructions have the layout of the kernel's.
    let descriptor = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        )
    };
    match i32::try_from(descriptor) {
        // SAFETY: the kernel has just made it.
        Ok(descriptor) if descriptor >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::sandbox::system_calls::allow_list;

    /// What a filter may return.
    fn verdicts(filter: &BpfProgram) -> Vec<u32> {
        let returns = filter.iter().filter(|step| step.code & 7 == 6);
        let mut verdicts: Vec<u32> = returns.map(|step| step.k).collect();
        verdicts.sort_unstable();
        verdicts.dedup();
        verdicts
    }

    #[test]
    fn a_watched_filter_differs_only_in_asking() {
        let strict = allow_list(1, &[]).unwrap();
        let watched = asking(&strict);
        assert_eq!(strict.len(), watched.len());
        for (one, other) in strict.iter().zip(&watched) {
            assert_eq!((one.code, one.jt, one.jf), (other.code, other.jt, other.jf));
            assert!(one.k == other.k || (one.k, other.k) == (DENY, ASK));
        }
        assert!(verdicts(&strict).contains(&DENY));
        assert!(!verdicts(&watched).contains(&DENY));
        assert!(verdicts(&watched).contains(&ASK));
    }
}
