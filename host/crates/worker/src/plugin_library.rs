//! Opens a plugin's file: the only loader, for both ABIs.
//!
//! The file is checked before the system's loader sees it, because the loader crashes on
//! a truncated file, waits forever on a pipe, and reports "no such file" for a library
//! built for another CPU. A library is never unloaded: threads and destructors of a plugin
//! may outlive every call into it.
#![expect(unsafe_code, reason = "loading a library runs its code")]

use std::{
    error::Error,
    ffi::{CStr, c_void},
    fmt,
    fs::{self, File},
    io,
    mem::ManuallyDrop,
    os::unix::fs::{FileExt, FileTypeExt},
    path::{Path, PathBuf},
};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use plugin_api::{Incompatible, LoadedPlugin, abi, c_abi};
use serde::{Deserialize, Serialize};

use super::{
    ProgramError,
    sandbox::ForeignLoader,
    submission_files::{LARGEST, SubmissionError},
};
use text::plugin_words::PluginWords;

/// A plugin that has been opened, and the ABI it speaks.
pub struct PluginLibrary {
    pub plugin: Box<dyn LoadedPlugin>,
    pub abi: Abi,
    /// Whether the C header says that it was compiled without optimisation; only
    /// [`PluginLibrary::open`] looks.
    pub is_unoptimised: bool,
}

/// Which ABI a plugin speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Abi {
    Rust,
    C,
    /// None: it is a program that speaks the text protocol.
    Text,
}

impl fmt::Display for Abi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rust => "Rust",
            Self::C => "C",
            Self::Text => "text",
        })
    }
}

/// Why a file cannot be used as a plugin.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("is {0}, not a file")]
    NotAFile(&'static str),
    #[error("is empty")]
    Empty,
    #[error("has more than {} MiB", LARGEST >> 20)]
    TooLarge,
    #[error(
        "is not a shared library, nor a program that the host can start; build a library with \
         `crate-type = [\"cdylib\"]` in Cargo.toml or with `cc -shared`"
    )]
    NotALibrary,
    #[error("was built for {found}, this machine is {}", std::env::consts::ARCH)]
    OtherMachine { found: String },
    #[error(
        "is truncated: it ends before a part that its header announces; copy or build it again"
    )]
    Truncated,
    #[error("{0}")]
    Program(#[from] ProgramError),
    #[error("{0}")]
    Files(#[from] SubmissionError),
    #[error("{0}")]
    Loader(#[from] ForeignLoader),
}

/// Why a library that may be loaded is no plugin. A worker reports it after the library's own
/// code has run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnusableLibrary {
    /// What the system's loader says, with names that the library chooses.
    #[error("cannot be loaded: {0}")]
    Unloadable(PluginWords),
    #[error(
        "is a shared library, but not a plugin: it exports neither a Rust agent (`export_agent!`) nor a C agent (`agent2048_entry`); see docs/writing-an-agent.md"
    )]
    NotAPlugin,
    /// What is wrong with its exports, with names that it chooses.
    #[error("cannot be used: {0}; see docs/abi.md")]
    Incompatible(PluginWords),
}

impl From<Incompatible> for UnusableLibrary {
    fn from(reason: Incompatible) -> Self {
        Self::Incompatible(PluginWords::from(reason.to_string()))
    }
}

impl PluginLibrary {
    /// Opens a plugin that was checked when it was sealed; the path is absolute. Runs the
    /// library's own start-up code.
    ///
    /// # Errors
    /// When the file is not a plugin this host can use.
    pub fn open(path: &Path) -> Result<Self, UnusableLibrary> {
        let library = load(path)?;
        let (plugin, abi): (Box<dyn LoadedPlugin>, Abi) =
            if let Some(address) = symbol(&library, c_abi::SYMBOL) {
                // SAFETY: the address is that of the symbol, and the library stays.
                (
                    Box::new(unsafe { c_abi::CPlugin::from_symbol(address) }?),
                    Abi::C,
                )
            } else if let Some(address) = symbol(&library, abi::SYMBOL) {
                // SAFETY: the address is that of the symbol, and the library stays.
                (
                    Box::new(unsafe { abi::RustPlugin::from_symbol(address) }?),
                    Abi::Rust,
                )
            } else {
                return Err(UnusableLibrary::NotAPlugin);
            };
        Ok(Self {
            plugin,
            abi,
            is_unoptimised: symbol(&library, c"agent2048_unoptimised").is_some(),
        })
    }

    /// Opens a plugin that was opened before with [`PluginLibrary::open`] and had this ABI,
    /// without comparing the layouts again. It looks up only the symbol of this ABI: the system's
    /// loader writes a sentence about every symbol that it does not find.
    ///
    /// # Errors
    /// When the file is not a plugin this host can use.
    pub fn open_compatible(path: &Path, abi: Abi) -> Result<Self, UnusableLibrary> {
        let library = load(path)?;
        let address = |name| symbol(&library, name).ok_or(UnusableLibrary::NotAPlugin);
        let plugin: Box<dyn LoadedPlugin> = match abi {
            // SAFETY: the address is that of the symbol, and the library stays.
            Abi::C => Box::new(unsafe { c_abi::CPlugin::from_symbol(address(c_abi::SYMBOL)?) }?),
            Abi::Rust => {
                let symbol = address(abi::SYMBOL)?;
                // SAFETY: the address is that of the symbol, the library stays, and its layout
                // was found compatible. A library that differs from the one that was opened
                // before harms its own worker only, and the caller opens the same sealed copy.
                Box::new(unsafe { abi::RustPlugin::from_compatible_symbol(symbol) }?)
            }
            Abi::Text => return Err(UnusableLibrary::NotAPlugin),
        };
        Ok(Self {
            plugin,
            abi,
            is_unoptimised: false,
        })
    }
}

/// Loads a library for the rest of this process.
fn load(path: &Path) -> Result<ManuallyDrop<Library>, UnusableLibrary> {
    // SAFETY: whatever the library does when it is loaded, it does to this
    // process: a worker, or a host whose user trusts the plugin.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
        .map(ManuallyDrop::new)
        .map_err(|error| UnusableLibrary::Unloadable(loader_message(&error, path)))
}

fn symbol(library: &Library, name: &CStr) -> Option<*const c_void> {
    // SAFETY: this takes only the address; each ABI checks what is there.
    unsafe { library.get::<*const c_void>(name) }
        .ok()
        .map(|symbol| symbol.as_raw_ptr().cast_const())
}

/// Checks that a path leads to a file with content, and returns it as an absolute path:
/// a bare name would be searched in the system's library folders.
///
/// # Errors
/// When it is something else.
pub(super) fn check_kind(path: &Path) -> Result<PathBuf, LibraryError> {
    let path = fs::canonicalize(path)?;
    let metadata = fs::metadata(&path)?;
    let kind = metadata.file_type();
    if !kind.is_file() {
        return Err(LibraryError::NotAFile(if kind.is_dir() {
            "a folder"
        } else if kind.is_fifo() {
            "a named pipe"
        } else {
            "a device or socket"
        }));
    }
    if metadata.len() == 0 {
        return Err(LibraryError::Empty);
    }
    Ok(path)
}

/// Checks a file as far as is needed to open it safely.
///
/// # Errors
/// When it cannot be a plugin for this machine.
pub(super) fn check_elf(file: &File) -> Result<(), LibraryError> {
    check_elf_of_type(file, &[SHARED_OBJECT])
}

/// Checks an executable in the same way.
///
/// # Errors
/// When it cannot run on this machine.
pub(super) fn check_executable(file: &File) -> Result<(), LibraryError> {
    check_elf_of_type(file, &[EXECUTABLE, SHARED_OBJECT])
}

/// Types of ELF files.
const EXECUTABLE: u16 = 2;
const SHARED_OBJECT: u16 = 3;

fn check_elf_of_type(file: &File, types: &[u16]) -> Result<(), LibraryError> {
    const HEAD: usize = 1 << 16;
    let size = file.metadata()?.len();
    let mut head = vec![0; usize::try_from(size).unwrap_or(HEAD).min(HEAD)];
    file.read_exact_at(&mut head, 0)?;
    check_header(&head, size, types)
}

/// `ELF(5)`: the header of a 64-bit little-endian shared object and its segments.
fn check_header(head: &[u8], file_size: u64, types: &[u16]) -> Result<(), LibraryError> {
    const HEADER_SIZE: usize = 64;
    const SEGMENT_SIZE: usize = 56;
    if head.len() < 4 || !head.starts_with(b"\x7fELF") {
        return Err(LibraryError::NotALibrary);
    }
    if head.len() < HEADER_SIZE {
        return Err(LibraryError::Truncated);
    }
    let half = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    let machine = half(18);
    let is_64_bit_little_endian = head[4] == 2 && head[5] == 1;
    if !is_64_bit_little_endian || machine != OUR_MACHINE {
        return Err(LibraryError::OtherMachine {
            found: machine_name(machine, is_64_bit_little_endian),
        });
    }
    if !types.contains(&half(16)) {
        return Err(LibraryError::NotALibrary);
    }
    let word = |at: usize| {
        head.get(at..at + 8)
            .and_then(|bytes| bytes.try_into().ok())
            .map(u64::from_le_bytes)
            .ok_or(LibraryError::Truncated)
    };
    let segments = usize::try_from(word(32)?).map_err(|_| LibraryError::Truncated)?;
    let (entry_size, n_segments) = (usize::from(half(54)), usize::from(half(56)));
    if entry_size < SEGMENT_SIZE {
        return Err(LibraryError::NotALibrary);
    }
    for number in 0..n_segments {
        let entry = segments
            .checked_add(number * entry_size)
            .filter(|entry| entry + SEGMENT_SIZE <= head.len())
            .ok_or(LibraryError::Truncated)?;
        let (offset, size) = (word(entry + 8)?, word(entry + 32)?);
        if offset.checked_add(size).is_none_or(|end| end > file_size) {
            return Err(LibraryError::Truncated);
        }
    }
    Ok(())
}

#[cfg(target_arch = "x86_64")]
const OUR_MACHINE: u16 = 62;
#[cfg(target_arch = "aarch64")]
const OUR_MACHINE: u16 = 183;

fn machine_name(machine: u16, is_64_bit_little_endian: bool) -> String {
    let name = match machine {
        3 => "x86 (32 bit)",
        40 => "ARM (32 bit)",
        62 if is_64_bit_little_endian => "x86_64",
        62 => "x32",
        183 => "aarch64",
        243 => "RISC-V",
        _ => return format!("another machine (ELF machine {machine})"),
    };
    name.to_owned()
}

/// What the loader says, without the path, which the caller names. `libloading`
/// keeps the reason in `source`.
fn loader_message(error: &libloading::Error, path: &Path) -> PluginWords {
    let message = error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string);
    let path = format!("{}: ", path.display());
    PluginWords::from(message.replace(&path, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PluginFile;

    #[track_caller]
    fn check(bytes: &[u8], message: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libx.so");
        fs::write(&path, bytes).unwrap();
        let error = PluginFile::seal(&path).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
    }

    #[test]
    fn a_file_that_is_not_a_library_is_rejected_before_the_loader_sees_it() {
        check(b"", "is empty");
        check(b"#!/bin/sh\n", "is not a shared library");
        check(b"\x7fELF\x02\x01\x01", "is truncated");
        let own = fs::read(std::env::current_exe().unwrap()).unwrap();
        check(&own[..4096], "is truncated");
        let mut foreign = own;
        foreign[18] = 243;
        check(&foreign, "was built for RISC-V");
    }

    #[test]
    fn a_path_that_is_not_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = check_kind(folder.path()).unwrap_err();
        assert_eq!(error.to_string(), "is a folder, not a file");
        let fifo = folder.path().join("fifo.so");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let error = check_kind(&fifo).unwrap_err();
        assert_eq!(error.to_string(), "is a named pipe, not a file");
    }
}
