//! The worker's side: it becomes the program.
//!
//! The sandbox is entered already, so the program begins with everything given up. It can
//! execute its interpreter once more, which changes nothing, and no other file.

use std::{ffi::CString, io, os::fd::AsFd, path::Path};

use nix::unistd::{dup2_stdin, dup2_stdout, execve};

use super::{Program, Runtime, RuntimeKind};
use crate::worker::sandbox;

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

/// Output that is not held back, so that `print` alone is an answer; no files written; the
/// same order of sets in every game; and no packages from a home folder.
const PYTHON: [&str; 5] = [
    "PYTHONUNBUFFERED=1",
    "PYTHONDONTWRITEBYTECODE=1",
    "PYTHONHASHSEED=0",
    "PYTHONUTF8=1",
    "PYTHONNOUSERSITE=1",
];

/// Replaces this process by the program, which talks through these two ends. Returns only
/// if that fails.
pub(in crate::worker) fn become_program(
    program: &Program,
    memory: u64,
    input: &impl AsFd,
    output: &impl AsFd,
) -> io::Error {
    let execute = || -> io::Result<()> {
        dup2_stdin(input)?;
        dup2_stdout(output)?;
        sandbox::restore_signals()?;
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

impl Runtime {
    /// What the interpreter is told before its program's own arguments, which may override it.
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
