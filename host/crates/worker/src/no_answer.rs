//! Why a worker gives no answer: the one type for it between the host and its workers.

use nix::sys::{signal::Signal, wait::WaitStatus};

use super::{PluginFailure, sandbox::ENDED_BY_SIGNAL};

/// Why a worker gives no answer.
#[derive(Debug, PartialEq)]
pub enum NoAnswer {
    /// The plugin did not do what the host asked for; this is what the worker reports.
    Failed(PluginFailure),
    /// The same, but the report did not come in time.
    Unexplained,
    /// It has ended, or closed its pipe.
    Died(String),
    /// It was killed by a signal that neither the host nor the agent sent.
    KilledFromOutside(String),
    /// It has used all the CPU time it had, or all the wall time.
    UsedUp,
    /// It slept for longer than it may.
    Asleep,
    /// It was stopped by a signal for a while, or this whole machine was suspended.
    Paused,
    /// What it sent is not in the protocol.
    Garbage,
    /// The run is to stop; nothing is wrong with the worker.
    Stopped,
}

impl NoAnswer {
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
