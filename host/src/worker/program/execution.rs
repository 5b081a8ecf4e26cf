//! The worker's side: it becomes the program.
//!
//! The sandbox is entered already, so the program begins with everything given up. It can
//! execute its interpreter once more, which changes nothing, and no other file.

use std::{
    ffi::CString,
    fs::File,
    io,
    os::{fd::AsFd, unix::fs::FileExt},
    path::{Path, PathBuf},
};

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

/// The loader that the kernel starts for an executable; nothing for a static one.
pub(in crate::worker) fn loader_of(executable: &Path) -> Option<PathBuf> {
    const SEGMENT_SIZE: usize = 56;
    const LOADER: u8 = 3;
    const LONGEST: usize = 256;
    let file = File::open(executable).ok()?;
    let read = |at: u64, length: usize| {
        let mut bytes = vec![0; length];
        let n_read = file.read_at(&mut bytes, at).ok()?;
        bytes.truncate(n_read);
        Some(bytes)
    };
    let header = read(0, 64)?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let word = |bytes: &[u8], at: usize| {
        let word = bytes.get(at..at + 8)?.try_into().ok()?;
        Some(u64::from_le_bytes(word))
    };
    let n_segments = usize::from(u16::from_le_bytes([*header.get(56)?, *header.get(57)?]));
    let segments = read(word(&header, 32)?, n_segments * SEGMENT_SIZE)?;
    let segment = segments
        .chunks_exact(SEGMENT_SIZE)
        .find(|segment| segment.starts_with(&[LOADER, 0, 0, 0]))?;
    let name = read(word(segment, 8)?, LONGEST)?;
    let length = name.iter().position(|&byte| byte == 0)?;
    Some(PathBuf::from(std::str::from_utf8(&name[..length]).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_of_this_program_exists() {
        let own = std::env::current_exe().unwrap();
        let loader = loader_of(&own).unwrap();
        assert!(loader.is_absolute() && loader.exists(), "{loader:?}");
        assert_eq!(loader_of(Path::new("/etc/passwd")), None);
    }
}
