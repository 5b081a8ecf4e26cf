//! An interpreter and its libraries in a room.
//!
//! The folders of an interpreter are copied into memory once and shown read-only in every room
//! that needs them, for the reason for which everything in a room is a copy. A folder that
//! is too large for that is shown where it lies, read-only.

use std::{
    collections::HashMap,
    fs::{self, File, Permissions},
    io,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use rustix::mount::{MountFlags, mount_bind, mount_bind_recursive, mount_remount};

use super::base::{BASE, link_from_store, locked_flags};
use crate::{
    program::{Program, RuntimeKind},
    regular_file::open_regular_behind_links,
    sandbox::{allowed_files::below, shared_libraries::LibrarySearch, system_loader::loader_of},
};

/// The most bytes of a folder that are copied.
const MOST_BYTES: u64 = 256 << 20;

/// Folders of interpreters that this launcher has prepared.
#[derive(Debug, Default)]
pub(super) struct RuntimeFiles {
    by_folder: HashMap<PathBuf, StoredFolder>,
}

/// A folder that can be shown in rooms.
#[derive(Clone, Debug)]
struct StoredFolder {
    /// What is mounted: a copy, or the folder itself.
    source: PathBuf,
    /// The libraries of the system that its files need.
    libraries: Vec<PathBuf>,
}

/// What is found in a folder.
#[derive(Default)]
struct Contents {
    n_bytes: u64,
    /// Every entry, folders before what is in them.
    entries: Vec<PathBuf>,
}

impl RuntimeFiles {
    /// Shows what executes a program in a room whose folder can be written at `writable`.
    /// Returns the mounts that were made.
    pub(super) fn show(
        &mut self,
        program: &Program,
        libraries: &LibrarySearch,
        writable: &Path,
        room: &Path,
    ) -> io::Result<Vec<PathBuf>> {
        let runtime = &program.runtime;
        // Reads a submitted executable from its copy in the room, which does not change.
        let executable = match runtime.kind {
            RuntimeKind::Own => below(writable, &runtime.executable),
            _ => runtime.executable.clone(),
        };
        if let Some(loader) = loader_of(program, &executable)? {
            link_from_store(writable, &loader)?;
            make_executable(&below(writable, &loader))?;
        }
        if runtime.kind == RuntimeKind::Own {
            make_executable(&executable)?;
            return Ok(Vec::new());
        }
        let mut mounts = Vec::new();
        // Folders before what lies in them.
        let mut readable = runtime.readable.clone();
        readable.sort_unstable();
        for path in &readable {
            if !path.is_dir() {
                link_from_store(writable, path)?;
                continue;
            }
            if !self.by_folder.contains_key(path) {
                let folder = StoredFolder::prepare(path, &readable, runtime.kind, libraries)?;
                self.by_folder.insert(path.clone(), folder);
            }
            let folder = &self.by_folder[path];
            mounts.push(folder.mount(path, writable, room)?);
            for library in &folder.libraries {
                link_from_store(writable, library)?;
            }
        }
        self.show_executable(program, libraries, writable)?;
        Ok(mounts)
    }

    fn show_executable(
        &self,
        program: &Program,
        libraries: &LibrarySearch,
        writable: &Path,
    ) -> io::Result<()> {
        let runtime = &program.runtime;
        link_from_store(writable, &runtime.executable)?;
        make_executable(&below(writable, &runtime.executable))?;
        for library in libraries.needed_by([runtime.executable.clone()].into_iter()) {
            link_from_store(writable, &library)?;
        }
        let is_shown = |path: &Path| {
            let mut folders = self.by_folder.keys();
            path == runtime.executable || folders.any(|folder| path.starts_with(folder))
        };
        if !is_shown(&runtime.called) {
            let called = below(writable, &runtime.called);
            fs::create_dir_all(called.parent().unwrap_or(writable))?;
            match symlink(&runtime.executable, &called) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                linked => linked?,
            }
        }
        Ok(())
    }
}

impl StoredFolder {
    /// Copies a folder without those within it that are listed themselves.
    fn prepare(
        folder: &Path,
        listed: &[PathBuf],
        kind: RuntimeKind,
        libraries: &LibrarySearch,
    ) -> io::Result<Self> {
        let mut contents = Contents::default();
        contents.collect(folder, folder, listed, kind)?;
        let is_object = |path: &&PathBuf| path.to_string_lossy().contains(".so");
        let objects = contents.entries.iter().filter(is_object).cloned();
        let libraries = libraries.needed_by(objects);
        if contents.n_bytes > MOST_BYTES {
            return Ok(Self {
                source: folder.to_path_buf(),
                libraries,
            });
        }
        let stored = below(&Path::new(BASE).join("store"), folder);
        fs::create_dir_all(&stored)?;
        for entry in &contents.entries {
            let name = entry.strip_prefix(folder).unwrap_or(entry);
            copy_entry(entry, &stored.join(name), folder)?;
        }
        Ok(Self {
            source: below(&Path::new(BASE).join("shown"), folder),
            libraries,
        })
    }

    fn mount(&self, folder: &Path, writable: &Path, room: &Path) -> io::Result<PathBuf> {
        let target = below(room, folder);
        if !target.is_dir() {
            fs::create_dir_all(below(writable, folder))?;
        }
        if self.source != folder {
            // The copy is shown as it is mounted already: read-only.
            mount_bind(&self.source, &target)?;
            return Ok(target);
        }
        mount_bind_recursive(&self.source, &target)?;
        let read_only = locked_flags(folder)?
            | MountFlags::RDONLY
            | MountFlags::NOSUID
            | MountFlags::NODEV
            | MountFlags::BIND;
        mount_remount(&target, read_only, c"")?;
        Ok(target)
    }
}

impl Contents {
    fn collect(
        &mut self,
        folder: &Path,
        top: &Path,
        listed: &[PathBuf],
        kind: RuntimeKind,
    ) -> io::Result<()> {
        // A folder that this user cannot read is not there for the agent either.
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_listed = listed.contains(&path);
            let is_at_the_top = folder == top;
            if !is_listed && is_superfluous(kind, &name, is_at_the_top) {
                continue;
            }
            let data = entry.metadata()?;
            self.entries.push(path.clone());
            if data.is_file() {
                self.n_bytes += data.len();
            } else if data.is_dir() && !is_listed {
                self.collect(&path, top, listed, kind)?;
            }
        }
        Ok(())
    }
}

/// Parts of an installation that no agent needs.
fn is_superfluous(kind: RuntimeKind, name: &str, is_at_the_top: bool) -> bool {
    match kind {
        RuntimeKind::Python => {
            name.ends_with(".opt-1.pyc")
                || name.ends_with(".opt-2.pyc")
                || (is_at_the_top
                    && (["test", "idlelib", "ensurepip", "turtledemo", "tkinter"].contains(&name)
                        || name.starts_with("config-")))
        }
        RuntimeKind::Java => is_at_the_top && ["ct.sym", "src.zip"].contains(&name),
        RuntimeKind::Own | RuntimeKind::Node | RuntimeKind::Other => false,
    }
}

/// Copies a file or makes a folder. A link within the folder stays one; a link to a file
/// elsewhere becomes that file.
fn copy_entry(from: &Path, to: &Path, top: &Path) -> io::Result<()> {
    let data = fs::symlink_metadata(from)?;
    if data.is_dir() {
        return fs::create_dir_all(to);
    }
    if data.is_symlink() {
        match from.canonicalize() {
            Ok(target) if target.starts_with(top) => {
                let _ = fs::remove_file(to);
                return symlink(fs::read_link(from)?, to);
            }
            Ok(target) if target.is_file() => {}
            // What leads nowhere, or to another folder, is not a part of this one.
            _ => return Ok(()),
        }
    } else if !data.is_file() {
        return Ok(());
    }
    // A file that this user cannot read is not there for the agent either.
    let Ok(mut source) = open_regular_behind_links(from) else {
        return Ok(());
    };
    let mut copy = File::create(to)?;
    io::copy(&mut source, &mut copy)?;
    // Python uses a compiled module only if the source has the time that it was compiled from.
    copy.set_modified(source.metadata()?.modified()?)?;
    fs::set_permissions(to, Permissions::from_mode(0o444))
}

/// Only what is to be executed has this permission.
fn make_executable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o555))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn links_within_a_folder_stay_links_and_others_become_files() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("settings"), "1").unwrap();
        let top = from.path().canonicalize().unwrap();
        fs::create_dir(top.join("test")).unwrap();
        fs::create_dir(top.join("site")).unwrap();
        fs::write(top.join("site/huge"), "xxx").unwrap();
        fs::write(top.join("os.py"), "import sys").unwrap();
        let written = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let os = File::options().write(true).open(top.join("os.py"));
        os.unwrap().set_modified(written).unwrap();
        symlink("os.py", top.join("inner")).unwrap();
        symlink(elsewhere.path().join("settings"), top.join("outer")).unwrap();
        symlink("/nowhere", top.join("broken")).unwrap();
        let mut contents = Contents::default();
        let listed = [top.clone(), top.join("site")];
        contents
            .collect(&top, &top, &listed, RuntimeKind::Python)
            .unwrap();
        assert_eq!(contents.n_bytes, 10, "without what is listed itself");
        for entry in &contents.entries {
            let name = entry.strip_prefix(&top).unwrap();
            copy_entry(entry, &to.path().join(name), &top).unwrap();
        }
        let at = |name: &str| to.path().join(name);
        assert_eq!(fs::read_link(at("inner")).unwrap(), Path::new("os.py"));
        assert_eq!(fs::read_to_string(at("outer")).unwrap(), "1");
        assert_eq!(at("os.py").metadata().unwrap().modified().unwrap(), written);
        assert!(!at("broken").exists() && !at("test").exists());
        assert!(at("site").is_dir(), "what is mounted there needs a place");
    }
}
