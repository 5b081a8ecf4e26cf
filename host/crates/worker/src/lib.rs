//! A worker: a child process that holds one agent for one game.
//!
//! A plugin is foreign code. In a process of its own it can crash, hang, leak and scribble without
//! touching the host or another agent, it can be killed at any time, and its CPU time can be read
//! from outside. The worker is the host's own binary under a hidden subcommand ([`child`]); the
//! host's end of it is [`Worker`].
//!
//! A [`Task`] and then turns enter; [`WorkerReport`]s and answers leave. The life of a worker:
//! started → given its task → sandboxed → calibrated → plugin opened → agent made → asked for moves
//! → killed. Nothing is reused, so nothing leaks from game to game.
//!
//! Start with [`Worker`] (the host's side), [`child`] (the worker's side) and [`sandbox`].

pub mod child;
mod launcher;
mod live_workers;
mod patience;
mod plugin_failure;
mod plugin_file;
mod plugin_library;
mod printed_error;
mod process;
mod program;
mod protocol;
mod regular_file;
pub mod sandbox;
mod stderr;
mod stop_timer;
mod submission_files;
mod text_protocol;
mod worker;

pub use launcher::{CannotBeShown, Place, bind_to_core, process::run as run_launcher};
pub use patience::{NoAnswer, Now, Observation, Patience, WorkerState};
pub use plugin_failure::{PluginCall, PluginFailure};
pub use plugin_file::PluginFile;
pub use plugin_library::{Abi, LibraryError, PluginLibrary, UnusableLibrary};
pub use printed_error::{printed_error, sandbox_hint, telling_line, uncaught_exception};
pub use process::WorkerOptions;
pub use program::{Program, ProgramError, Runtime, is_main_file, is_program_folder, started_file};
pub use protocol::{Job, Rehearsal, Task, WorkerReport};
pub use regular_file::{open_regular, open_regular_with, regular};
pub use submission_files::{SubmissionFiles, has_several_names};
pub use text_protocol::description_advice;
pub use worker::{Description, Worker};
