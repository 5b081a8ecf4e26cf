//! A program as an agent: what is executed, and what it may read.
//!
//! A submission decides by its content which interpreter it needs, and nothing else. Where
//! that interpreter is, and which files of this machine belong to it, the host finds out
//! without running anything of the submission (`program_file`, `runtime`). The worker then
//! enters the sandbox and becomes the program: it can execute its interpreter once more, which
//! changes nothing, and no other file.
#![expect(
    unsafe_code,
    reason = "setting what a signal does has no safe interface"
)]

mod program_file;
mod runtime;

use std::{
    ffi::CString,
    io,
    os::fd::AsFd,
    path::{Path, PathBuf},
};

use nix::{
    sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction},
    unistd::{dup2_stdin, dup2_stdout, execve},
};
use serde::{Deserialize, Serialize};

pub(super) use program_file::{command, program_at};
pub use program_file::{is_main_file, is_program_folder, started_file};
pub(super) use runtime::RuntimeKind;
pub use runtime::{ProgramError, Runtime};

/// A program that plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// What executes it.
    pub runtime: Runtime,
    /// What comes after the interpreter's options; for a program that is executed itself,
    /// after its name.
    pub(super) arguments: Vec<String>,
    /// Its working directory.
    pub(super) folder: PathBuf,
    /// Files and folders that belong to it, besides the file that was sealed.
    files: Vec<PathBuf>,
}

impl Program {
    /// Lets it read a folder.
    pub(super) fn show(&mut self, folder: &Path) {
        self.files = vec![folder.to_path_buf()];
    }

    /// Files and folders that belong to it, besides the file that was sealed.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

/// Variables of every program. Threads of numerical libraries and of Go gain nothing,
/// because the CPU time of all threads is charged.
const ENVIRONMENT: [&str; 8] = [
    "PATH=/usr/bin:/bin",
    "LANG=C.UTF-8",
    "TZ=UTC",
    "OMP_NUM_THREADS=1",
    "OPENBLAS_NUM_THREADS=1",
    "MKL_NUM_THREADS=1",
    "GOMAXPROCS=1",
    "UV_THREADPOOL_SIZE=1",
];

/// Python writes its output at once, so `print` alone is an answer. It writes no files, keeps the
/// same order of sets in every game, and takes no packages from a home folder.
const PYTHON: [&str; 5] = [
    "PYTHONUNBUFFERED=1",
    "PYTHONDONTWRITEBYTECODE=1",
    "PYTHONHASHSEED=0",
    "PYTHONUTF8=1",
    "PYTHONNOUSERSITE=1",
];

/// Replaces this process by the program, which talks through these two ends. Returns only
/// if that fails.
pub(super) fn become_program(
    program: &Program,
    memory: u64,
    input: &impl AsFd,
    output: &impl AsFd,
) -> io::Error {
    let execute = || -> io::Result<()> {
        dup2_stdin(input)?;
        dup2_stdout(output)?;
        restore_signals()?;
        let text = |word: &str| CString::new(word).map_err(io::Error::other);
        let path = |path: &Path| CString::new(path.as_os_str().as_encoded_bytes());
        let runtime = &program.runtime;
        let mut arguments = vec![path(&runtime.called).map_err(io::Error::other)?];
        for word in runtime.options(memory).iter().chain(&program.arguments) {
            arguments.push(text(word)?);
        }
        let mut environment = Vec::new();
        for variable in runtime.environment() {
            environment.push(text(variable)?);
        }
        // The loader looks for libraries relative to the executable, which it would
        // otherwise have to ask `/proc` about.
        let folder = runtime.executable.parent().unwrap_or(Path::new("/"));
        environment.push(text(&format!("LD_ORIGIN_PATH={}", folder.display()))?);
        let executable = path(&runtime.executable).map_err(io::Error::other)?;
        execve(&executable, &arguments, &environment)?;
        Ok(())
    };
    match execute() {
        Ok(()) => io::Error::other("the program was not executed"),
        Err(error) => error,
    }
}

/// Lets signals do again what they do in a program that has just been started; the Rust
/// library ignores one.
fn restore_signals() -> io::Result<()> {
    let action = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
    // SAFETY: no handler is installed, and this process is about to execute another program.
    unsafe { sigaction(Signal::SIGPIPE, &action) }?;
    Ok(())
}

impl Runtime {
    /// The interpreter's options. The program's own arguments follow and may override them.
    fn options(&self, memory: u64) -> Vec<String> {
        // The rest is for what is not on the heap: code, stacks, the interpreter itself.
        let heap = (memory / 2) >> 20;
        match self.kind {
            RuntimeKind::Node => vec![format!("--max-old-space-size={heap}")],
            RuntimeKind::Java => vec![
                format!("-Xmx{heap}m"),
                "-XX:+UseSerialGC".to_owned(),
                // It would be a file in `/tmp`.
                "-XX:-UsePerfData".to_owned(),
                // Warnings of the machine itself; standard output belongs to the protocol.
                "-XX:+DisplayVMOutputToStderr".to_owned(),
                "-Xlog:disable".to_owned(),
                "-Xlog:all=warning:stderr".to_owned(),
            ],
            RuntimeKind::Own | RuntimeKind::Python | RuntimeKind::Other => Vec::new(),
        }
    }

    fn environment(&self) -> Vec<&'static str> {
        let mut variables = ENVIRONMENT.to_vec();
        if self.kind == RuntimeKind::Python {
            variables.extend(PYTHON);
        }
        variables
    }
}
