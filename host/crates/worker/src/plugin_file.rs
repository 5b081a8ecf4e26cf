//! A plugin's file as it is played: a sealed private copy.
//!
//! The copy lies in memory and nothing can change it, not even this process. It is what is
//! checked, hashed and played, so a file that is exchanged later changes no game.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    thread,
    time::Duration,
};

use nix::{
    errno::Errno,
    fcntl::{FcntlArg, SealFlag, fcntl},
    sys::memfd::{MFdFlags, memfd_create},
};
use serde::{Deserialize, Serialize};

use super::{
    Program,
    plugin_library::{Abi, LibraryError, check_elf, check_executable, check_kind},
    program::{RuntimeKind, command, program_at},
    regular_file::{open_regular_behind_links, sha256_of},
    sandbox::system_loader,
    submission_files::{LARGEST, SubmissionFiles},
};
use tournament::AgentEntry;

/// Where a plugin lies and, in the host, the copy that is played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PluginFile {
    path: PathBuf,
    /// How it is executed, if it is a program and not a library.
    program: Option<Program>,
    /// The ABI of this copy, if it was opened before and found to fit this host; for a worker.
    #[serde(default)]
    known_abi: Option<Abi>,
    #[serde(skip)]
    sealed: Option<Arc<SealedCopy>>,
}

/// A copy in memory.
#[derive(Debug)]
pub(super) struct SealedCopy {
    pub(super) content: File,
    known_abi: OnceLock<Abi>,
}

impl PluginFile {
    /// Remembers that a worker has opened this copy, which has this ABI, and found that it fits
    /// this host. Workers that play need not compare the layouts again, which takes longer than
    /// loading, nor ask for symbols that are not there.
    pub fn note_compatible(&self, abi: Abi) {
        if let Some(sealed) = &self.sealed {
            let _ = sealed.known_abi.set(abi);
        }
    }

    /// The same copy with an owner of its own: the rooms that are made for it go when that is
    /// dropped.
    ///
    /// # Errors
    /// When this process has too many open files.
    pub fn with_own_rooms(&self) -> io::Result<Self> {
        let content = self.sealed.as_ref().map(|copy| copy.content.try_clone());
        Ok(match content.transpose()? {
            Some(content) => Self::sealed_as(self.path.clone(), self.program.clone(), content),
            None => self.clone(),
        })
    }

    /// The same file with what the host remembers of it, for a worker.
    pub(super) fn with_memory(&self) -> Self {
        let sealed = self.sealed.as_ref();
        Self {
            known_abi: sealed.and_then(|copy| copy.known_abi.get().copied()),
            ..self.clone()
        }
    }

    /// What the host remembers of this copy.
    pub(super) fn known_abi(&self) -> Option<Abi> {
        self.known_abi
    }

    /// Copies a plugin's file and checks the copy.
    ///
    /// # Errors
    /// When the file cannot be a plugin.
    pub fn seal(path: &Path) -> Result<Self, LibraryError> {
        if let Some((main_file, program)) = program_at(&fs::canonicalize(path)?)? {
            SubmissionFiles::of(program.files())?;
            return Self::seal_program(&main_file, program);
        }
        let path = check_kind(path)?;
        let content = sealed_copy(&path)?;
        check_elf(&content)?;
        Ok(Self::sealed_as(path, None, content))
    }

    /// Copies the main file of a command, whose paths are relative to a folder.
    ///
    /// # Errors
    /// When the command cannot be executed.
    pub fn seal_command(words: &[String], folder: &Path) -> Result<Self, LibraryError> {
        let (main_file, program) = command(words, folder)?;
        Self::seal_program(&main_file, program)
    }

    fn seal_program(main_file: &Path, program: Program) -> Result<Self, LibraryError> {
        let path = check_kind(main_file)?;
        let content = sealed_copy(&path)?;
        if program.runtime.kind == RuntimeKind::Own {
            if program.runtime.executable != path {
                return Err(LibraryError::NotAFile("a link"));
            }
            check_executable(&content)?;
            system_loader(&content)?;
        }
        Ok(Self::sealed_as(path, Some(program), content))
    }

    fn sealed_as(path: PathBuf, program: Option<Program>, content: File) -> Self {
        Self {
            path,
            program,
            known_abi: None,
            sealed: Some(Arc::new(SealedCopy {
                content,
                known_abi: OnceLock::new(),
            })),
        }
    }

    /// The same plugin; a program can read the whole folder of its file.
    ///
    /// # Errors
    /// When the folder cannot be copied.
    pub fn showing_its_folder(mut self) -> Result<Self, LibraryError> {
        if let (Some(program), Some(folder)) = (&mut self.program, self.path.parent()) {
            program.show(folder);
            SubmissionFiles::of(program.files())?;
        }
        Ok(self)
    }

    /// The same plugin, opened where it lies.
    #[must_use]
    pub fn unsealed(self) -> Self {
        Self {
            sealed: None,
            ..self
        }
    }

    /// How it is executed, if it is a program.
    #[must_use]
    pub fn program(&self) -> Option<&Program> {
        self.program.as_ref()
    }

    /// The plugin's name: that of its file or, if it is a folder, of the folder.
    #[must_use]
    pub fn name(&self) -> String {
        let folder = self.path.parent();
        let is_whole_folder = self
            .own_files()
            .iter()
            .any(|path| Some(path.as_path()) == folder);
        let named = folder.filter(|_| is_whole_folder).unwrap_or(&self.path);
        AgentEntry::default_name(&named.to_string_lossy()).to_owned()
    }

    /// What it may read of its own, besides its file.
    #[must_use]
    pub fn own_files(&self) -> Vec<PathBuf> {
        let files = self.program.as_ref().map(Program::files);
        files.unwrap_or_default().to_vec()
    }

    /// Where the plugin lies, absolute.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn sealed(&self) -> Option<&Arc<SealedCopy>> {
        self.sealed.as_ref()
    }

    /// SHA-256 of what is played, in hexadecimal digits.
    ///
    /// # Errors
    /// When the file was not sealed and cannot be read.
    pub fn sha256(&self) -> io::Result<String> {
        match &self.sealed {
            Some(sealed) => sha256_of(&sealed.content),
            None => sha256_of(&File::open(&self.path)?),
        }
    }
}

/// Two plugin files are the same when they lie at the same place and are played from the
/// same copy.
impl PartialEq for PluginFile {
    fn eq(&self, other: &Self) -> bool {
        let is_same_copy = match (&self.sealed, &other.sealed) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (None, None) => true,
            _ => false,
        };
        self.path == other.path && is_same_copy
    }
}

fn sealed_copy(path: &Path) -> Result<File, LibraryError> {
    let flags = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    let mut copy = File::from(memfd_create("plugin", flags).map_err(io::Error::from)?);
    let file = open_regular_behind_links(path)?;
    // It may have holes, and it may grow.
    let is_large = file.metadata()?.len() > LARGEST;
    if is_large || io::copy(&mut file.take(LARGEST + 1), &mut copy)? > LARGEST {
        return Err(LibraryError::TooLarge);
    }
    seal(&copy)?;
    Ok(copy)
}

/// Seals a file in memory. The kernel refuses while another process holds one of its pages. On a
/// busy machine the kernel sometimes holds one itself, for example to move it, so the host asks
/// again.
fn seal(copy: &File) -> io::Result<()> {
    const PAUSE: Duration = Duration::from_millis(20);
    const ATTEMPTS: u32 = 500;
    let seals = SealFlag::F_SEAL_WRITE
        | SealFlag::F_SEAL_SHRINK
        | SealFlag::F_SEAL_GROW
        | SealFlag::F_SEAL_SEAL;
    let mut attempt = 1;
    loop {
        match fcntl(copy, FcntlArg::F_ADD_SEALS(seals)) {
            Err(Errno::EBUSY) if attempt < ATTEMPTS => thread::sleep(PAUSE),
            result => return result.map(drop).map_err(io::Error::from),
        }
        attempt += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::FileExt};

    use super::*;

    /// Another process holds the pages of the copy, by mapping them, until its input ends.
    #[test]
    fn a_copy_that_is_held_for_a_moment_is_sealed_afterwards() {
        use std::{
            io::Write,
            os::fd::AsRawFd,
            process::{Command, Stdio},
        };
        const HOLD: &str = "import mmap, sys\n\
            file = open(sys.argv[1], 'r+b')\n\
            held = mmap.mmap(file.fileno(), 0)\n\
            print('held', flush=True)\n\
            sys.stdin.read()";
        let mut copy = File::from(memfd_create("x", MFdFlags::MFD_ALLOW_SEALING).unwrap());
        copy.write_all(b"plugin").unwrap();
        let path = format!("/proc/{}/fd/{}", std::process::id(), copy.as_raw_fd());
        let mut holder = Command::new("python3")
            .args(["-c", HOLD, &path])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = holder.stdout.take().unwrap();
        told.read_exact(&mut [0; "held\n".len()]).unwrap();
        let seals = FcntlArg::F_ADD_SEALS(SealFlag::F_SEAL_WRITE);
        assert_eq!(fcntl(&copy, seals), Err(Errno::EBUSY));
        thread::scope(|scope| {
            let sealing = scope.spawn(|| seal(&copy));
            drop(holder.stdin.take());
            sealing.join().unwrap().unwrap();
        });
        holder.wait().unwrap();
        assert!(copy.write_at(b"x", 0).is_err());
    }

    #[test]
    fn what_is_played_stays_what_was_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libx.so");
        fs::copy(std::env::current_exe().unwrap(), &path).unwrap();
        let file = PluginFile::seal(&path).unwrap();
        let hash = file.sha256().unwrap();
        assert_eq!(hash, file.clone().unsealed().sha256().unwrap());
        fs::write(&path, "something else").unwrap();
        assert_eq!(file.sha256().unwrap(), hash);
        let copy = &file.sealed().unwrap().content;
        assert!(copy.write_at(b"x", 0).is_err());
        assert!(copy.set_len(0).is_err());
    }
}
