//! The kernel's side of a watched worker: questions about system calls, and their answers;
//! see `seccomp_unotify(2)`.
#![expect(unsafe_code, reason = "the kernel takes and gives structures")]

use std::{
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
};

use nix::{
    libc,
    poll::{PollFd, PollFlags, PollTimeout, poll},
};

/// Where a filter asks.
#[derive(Debug)]
pub(super) struct Listener(OwnedFd);

/// A system call that waits for an answer.
#[derive(Debug)]
pub(super) struct Notification {
    id: u64,
    /// The thread, as this process numbers it.
    pub(super) process: i32,
    pub(super) call: i64,
    pub(super) arguments: [u64; 6],
}

impl Listener {
    pub(super) fn new(descriptor: OwnedFd) -> Self {
        Self(descriptor)
    }

    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// The next question.
    pub(super) fn receive(&self) -> io::Result<Notification> {
        // SAFETY: all bytes zero are a valid value, and the kernel wants them so.
        let mut asked: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the request takes this structure, which lives longer than the call.
        let result = unsafe {
            libc::ioctl(
                self.0.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_RECV,
                &raw mut asked,
            )
        };
        if result != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Notification {
            id: asked.id,
            process: i32::try_from(asked.pid).map_err(io::Error::other)?,
            call: asked.data.nr.into(),
            arguments: asked.data.args,
        })
    }

    /// The call fails: it is not permitted.
    pub(super) fn deny(&self, asked: &Notification) {
        self.answer(asked, -libc::EPERM, 0);
    }

    /// The call goes on as if nobody had been asked.
    pub(super) fn let_go_on(&self, asked: &Notification) {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the flag is the lowest bit"
        )]
        let go_on = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
        self.answer(asked, 0, go_on);
    }

    fn answer(&self, asked: &Notification, error: i32, flags: u32) {
        let mut answer = libc::seccomp_notif_resp {
            id: asked.id,
            val: 0,
            error,
            flags,
        };
        // SAFETY: the request takes this structure, which lives longer than the call. A worker
        // that was killed meanwhile needs no answer.
        let _ = unsafe {
            libc::ioctl(
                self.0.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_SEND,
                &raw mut answer,
            )
        };
    }

    /// Whether no process has the filter any more.
    pub(super) fn is_unused(&self) -> bool {
        let mut state = [PollFd::new(self.as_fd(), PollFlags::empty())];
        let polled = poll(&mut state, PollTimeout::ZERO);
        let has_ended = |events: PollFlags| events.contains(PollFlags::POLLHUP);
        polled.is_err() || state[0].revents().is_some_and(has_ended)
    }
}
