//! A worker: a child process that holds one agent for one game.
//!
//! A plugin is foreign code. In a process of its own it can crash, hang, leak and
//! scribble without touching the host or another agent, it can be killed at any
//! time, and its CPU time can be read from outside. The worker is the host's own
//! binary under a hidden subcommand ([`child`]); the host's end of it is
//! [`WorkerProcess`].
//!
//! Its life: started → told its [`Task`] → sandboxed → plugin opened → agent made →
//! asked for moves → killed. Nothing is reused: nothing leaks from game to game.

pub mod child;
mod plugin_library;
mod process;
pub mod protocol;
pub mod sandbox;
mod stderr_tail;

pub use plugin_library::{LibraryError, PluginLibrary, check_file};
pub use process::{Lost, WorkerOptions, WorkerProcess};
pub use protocol::{Abi, Job, Rehearsal, Report, Task};
