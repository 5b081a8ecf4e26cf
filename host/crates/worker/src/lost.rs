//! Why a worker sends nothing more.

use nix::sys::{signal::Signal, wait::WaitStatus};

use super::sandbox::ENDED_BY_SIGNAL;

/// Why nothing more will come from a worker.
#[derive(Debug, PartialEq, Eq)]
pub enum Lost {
    /// It has ended, or closed its pipe.
    Died(String),
    /// It was killed by a signal that neither the host nor the agent sent.
    KilledFromOutside(String),
    /// It has used all the CPU time it had, or all the wall time.
    UsedUp,
    /// It slept for longer than it may.
    Asleep,
    /// Somebody has stopped it for a while, or this whole machine.
    Paused,
    /// What it sent is not in the protocol.
    Garbage,
    /// The run is to stop; nothing is wrong with the worker.
    Stopped,
}

impl Lost {
    /// What the status of a process that has ended tells.
    pub(super) fn from_status(status: WaitStatus) -> Self {
        let signal = match status {
            WaitStatus::Signaled(_, signal, _) => Ok(signal),
            WaitStatus::Exited(_, code) if code > ENDED_BY_SIGNAL => {
                Signal::try_from(code - ENDED_BY_SIGNAL).map_err(|_| code)
            }
            WaitStatus::Exited(_, code) => Err(code),
            _ => Err(0),
        };
        let signal = match signal {
            Ok(signal) => signal,
            Err(code) => return Self::Died(format!("ended its process with exit code {code}")),
        };
        let name = signal.to_string();
        match signal {
            Signal::SIGKILL | Signal::SIGTERM | Signal::SIGINT | Signal::SIGHUP
                if matches!(status, WaitStatus::Signaled(..)) =>
            {
                Self::KilledFromOutside(name)
            }
            Signal::SIGSEGV => Self::Died(format!(
                "crashed: {name}, an invalid memory access, a stack overflow or, in a program, an abort"
            )),
            Signal::SIGABRT => Self::Died(format!("aborted: {name}")),
            Signal::SIGXCPU => {
                Self::Died(format!("was stopped for using too much CPU time: {name}"))
            }
            _ => Self::Died(format!("crashed: {name}")),
        }
    }
}
