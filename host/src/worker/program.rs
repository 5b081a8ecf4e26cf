//! A program as an agent: what is executed, and what it may read.
//!
//! A submission decides by its content which interpreter it needs, and nothing else. Where
//! that interpreter is, and which files of this machine belong to it, the host finds out
//! without running anything of the submission (`program_file`, `runtime`). The worker then
//! enters the sandbox and becomes the program (`execution`).

mod execution;
mod program_file;
mod runtime;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub(super) use execution::become_program;
pub(super) use program_file::{command, program_at};
pub use program_file::{is_main_file, is_program_folder, started_file};
pub use runtime::Runtime;
pub(super) use runtime::RuntimeKind;

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

/// Why a program cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    #[error("needs `{0}`, which is in no folder of `PATH`")]
    NoInterpreter(String),
    #[error("needs `{}`, which cannot be used: {reason}", path.display())]
    BadInterpreter { path: PathBuf, reason: String },
    #[error(
        "is a folder without a program to start: it contains none of {}",
        program_file::MAIN_FILES.join(", ")
    )]
    NoMainFile,
    #[error("is a folder in which it is unclear what to start: it contains {0}")]
    SeveralMainFiles(String),
    #[error(
        "is Java source code; compile it: `javac {name}.java && jar -c -f {}.jar -e {name} *.class`",
        name.to_lowercase()
    )]
    JavaSource { name: String },
    #[error("has a first line that names no interpreter: `{0}`")]
    BadFirstLine(String),
    #[error("has a path that is not UTF-8")]
    NotUtf8,
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

fn utf8(path: &Path) -> Result<String, ProgramError> {
    path.to_str()
        .map(str::to_owned)
        .ok_or(ProgramError::NotUtf8)
}
