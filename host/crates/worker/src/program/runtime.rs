//! What executes a program: an interpreter with the files it needs, or the program itself.

use std::{
    collections::HashMap,
    env,
    ffi::OsStr,
    fs::{self, File},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use text::hex::hex;

use crate::regular_file::sha256_of;

/// What the interpreters of this machine are, by name or path; the host asks each once.
static KNOWN: Mutex<Option<HashMap<PathBuf, Result<Runtime, ProgramError>>>> = Mutex::new(None);

/// Why a program cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    #[error("needs `{0}`, which is in no folder of `PATH`")]
    NoInterpreter(String),
    #[error("needs `{}`, which cannot be used: {reason}", path.display())]
    BadInterpreter { path: PathBuf, reason: String },
    #[error("is a folder without a program to start: it contains none of {0}")]
    NoMainFile(String),
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

/// What executes a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runtime {
    pub(crate) kind: RuntimeKind,
    /// The file that is executed, absolute and without links.
    pub(crate) executable: PathBuf,
    /// How it is called; an interpreter finds its libraries by this path.
    pub(crate) called: PathBuf,
    /// What the interpreter reads: files and folders, absolute and without links.
    pub(crate) readable: Vec<PathBuf>,
    /// What it is, as a part of a fingerprint: name, version and installed packages.
    pub version: String,
}

/// The interpreters, as far as the host treats them differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RuntimeKind {
    /// There is none: the worker executes the program directly.
    Own,
    Python,
    Node,
    Java,
    Other,
}

impl Runtime {
    /// The program itself.
    pub(super) fn own(program: &Path) -> Self {
        Self {
            kind: RuntimeKind::Own,
            executable: program.to_path_buf(),
            called: program.to_path_buf(),
            readable: Vec::new(),
            version: "executable".to_owned(),
        }
    }

    /// An interpreter in the folders of `PATH`.
    pub(super) fn find(name: &str) -> Result<Self, ProgramError> {
        let path = env::var_os("PATH").unwrap_or_default();
        let found = env::split_paths(&path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(|path| is_program(path));
        match found {
            Some(path) => Self::at(&path),
            None => Err(ProgramError::NoInterpreter(name.to_owned())),
        }
    }

    /// An interpreter that the user of this host has named. The host asks it what it is.
    pub(super) fn at(path: &Path) -> Result<Self, ProgramError> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(runtime) = known.get(path) {
            return runtime.clone();
        }
        let bad = |reason| ProgramError::BadInterpreter {
            path: path.to_path_buf(),
            reason,
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let runtime = if name.starts_with("python") || name.starts_with("pypy") {
            python(path)
        } else if name == "node" || name == "nodejs" {
            node(path)
        } else if name == "java" {
            java(path)
        } else {
            other(path)
        };
        let runtime = runtime.map_err(bad);
        known.insert(path.to_path_buf(), runtime.clone());
        runtime
    }
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Lets an interpreter say what it is: one line per item.
fn ask(path: &Path, arguments: [&str; 3]) -> Result<Vec<String>, String> {
    let output = Command::new(path)
        .args(arguments)
        .env_clear()
        // Some installations choose an interpreter by a script that needs these.
        .envs(["PATH", "HOME"].map(|name| (name, env::var_os(name).unwrap_or_default())))
        .current_dir("/")
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let last = message.lines().last().unwrap_or_default();
        return Err(format!("it says `{last}`"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(str::to_owned).collect())
}

/// The folders of its modules are known only to the interpreter itself. The libraries that
/// it was linked with may lie beside them.
fn python(path: &Path) -> Result<Runtime, String> {
    const QUESTION: &str = "import sys, sysconfig as s, os
print(sys.executable)
print(sys.implementation.name, sys.version.split()[0])
print(os.path.join(s.get_config_var('LIBDIR') or '', s.get_config_var('INSTSONAME') or ''))
print(os.path.join(sys.prefix, 'pyvenv.cfg'))
for path in [s.get_path('stdlib'), s.get_path('platstdlib')] + sys.path: print(path)";
    let lines = ask(path, ["-I", "-c", QUESTION])?;
    let [called, version, library, environment, folders @ ..] = lines.as_slice() else {
        return Err("it does not say where its modules are".to_owned());
    };
    let called = PathBuf::from(called);
    let executable = canonical(&called)?;
    let mut readable: Vec<PathBuf> = [library, environment]
        .into_iter()
        .map(PathBuf::from)
        .filter(|path| path.is_file())
        .collect();
    readable.extend(
        folders
            .iter()
            .filter_map(|path| Path::new(path).canonicalize().ok()),
    );
    readable.sort_unstable();
    readable.dedup();
    let version = format!("{version}{}", packages(&readable));
    Ok(Runtime {
        kind: RuntimeKind::Python,
        executable,
        called,
        readable,
        version,
    })
}

/// A hash of the names and versions of all installed packages, if there are any.
fn packages(folders: &[PathBuf]) -> String {
    let mut names: Vec<String> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".dist-info") || name.ends_with(".egg-info"))
        .collect();
    if names.is_empty() {
        return String::new();
    }
    names.sort_unstable();
    let digest = hex(&Sha256::digest(names.join("\n").as_bytes())[..4]);
    format!(" with {} packages ({digest})", names.len())
}

fn node(path: &Path) -> Result<Runtime, String> {
    // Where Debian keeps the parts that are inside the program elsewhere.
    const PARTS: [&str; 2] = ["/usr/share/nodejs", "/usr/share/node_modules"];
    let lines = ask(
        path,
        [
            "--no-warnings",
            "-p",
            "process.execPath+'\\n'+process.version",
        ],
    )?;
    let [called, version] = lines.as_slice() else {
        return Err("it does not say what it is".to_owned());
    };
    let called = PathBuf::from(called);
    let executable = canonical(&called)?;
    let is_of_the_system = executable.starts_with("/usr/bin");
    let readable = PARTS
        .into_iter()
        .filter(|_| is_of_the_system)
        .filter_map(|part| Path::new(part).canonicalize().ok())
        .collect();
    Ok(Runtime {
        kind: RuntimeKind::Node,
        executable,
        called,
        readable,
        version: format!("node {version}"),
    })
}

/// An installation of Java says in a file what it is.
fn java(path: &Path) -> Result<Runtime, String> {
    let executable = canonical(path)?;
    let home = executable
        .parent()
        .filter(|folder| folder.file_name() == Some(OsStr::new("bin")))
        .and_then(Path::parent)
        .filter(|home| home.join("lib/modules").is_file())
        .ok_or("it is not in the folder `bin` of a Java installation")?;
    let release = fs::read_to_string(home.join("release")).unwrap_or_default();
    let value = |key: &str| {
        let line = release.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.trim_matches(['=', '"']).to_owned())
    };
    let version = value("JAVA_RUNTIME_VERSION").or_else(|| value("JAVA_VERSION"));
    // Some distributions keep the settings elsewhere, and links lead to them.
    let settings = canonical(&home.join("lib/jvm.cfg"))?;
    let mut readable: Vec<PathBuf> = ["lib", "conf", "release"]
        .iter()
        .map(|part| home.join(part))
        .filter(|part| part.exists())
        .collect();
    readable.extend(
        settings
            .parent()
            .filter(|folder| !folder.starts_with(home))
            .map(Path::to_path_buf),
    );
    Ok(Runtime {
        kind: RuntimeKind::Java,
        called: executable.clone(),
        executable,
        readable,
        version: format!("java {}", version.unwrap_or_default()),
    })
}

/// Any other interpreter: nothing is known but its file.
fn other(path: &Path) -> Result<Runtime, String> {
    let executable = canonical(path)?;
    let file = File::open(&executable).map_err(|error| error.to_string())?;
    let hash = sha256_of(&file).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(Runtime {
        kind: RuntimeKind::Other,
        called: path.to_path_buf(),
        executable,
        readable: Vec::new(),
        version: format!("{name} {}", &hash[..16]),
    })
}

fn canonical(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize()
        .map_err(|error| format!("`{}`: {error}", path.display()))
}
