//! A room of its own for the workers of a plugin.
//!
//! The launcher enters namespaces once: mounts, network, IPC and host name. In a file
//! system in memory it keeps a folder per room with copies of the plugin, the libraries it
//! needs and the files of `allow_read`. Workers see the folder as their root, read-only.
//! Because everything in it is a copy in memory, no access time, no lock and no part of the
//! page cache remembers what a worker did. Each worker is the first process of a namespace
//! of its own, and has a user namespace of its own, in which its threads are counted.

mod base;
mod runtime_files;

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use nix::{
    sched::{CloneFlags, unshare},
    unistd::{Gid, Uid, getegid, geteuid, setgroups, sethostname, setresgid, setresuid},
};
use rustix::{
    mount::{UnmountFlags, unmount},
    thread::{
        CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_keep_capabilities,
    },
};

use super::{
    Program,
    allowed_files::{below, copy_below, files_below, sha256_below},
    limits,
    shared_libraries::{LOADER_CACHE, LibrarySearch},
};
use base::{BASE, DEVICES, add_devices, link_from_store, mount_base};
use runtime_files::RuntimeFiles;

/// A prepared root folder.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    folder: PathBuf,
    number: u64,
    user: WorkerUser,
    /// Where folders of an interpreter are shown.
    mounts: Vec<PathBuf>,
}

/// Makes rooms, in namespaces that this process has entered.
pub(crate) struct RoomBuilder {
    user: WorkerUser,
    libraries: LibrarySearch,
    runtimes: RuntimeFiles,
    n_made: u64,
}

impl RoomBuilder {
    /// Moves this process into namespaces of its own, mounts what rooms need, and makes a
    /// room without an agent. Whatever fails afterwards is not the machine's doing.
    ///
    /// # Errors
    /// When this machine does not allow it, with the reason.
    pub(crate) fn new() -> Result<Self, String> {
        let user = enter_namespaces().map_err(|error| format!("namespaces: {error}"))?;
        mount_base().map_err(|error| format!("namespaces: mounts: {error}"))?;
        let mut builder = Self {
            user,
            libraries: LibrarySearch::new(),
            runtimes: RuntimeFiles::default(),
            n_made: 0,
        };
        builder
            .try_out()
            .map_err(|error| format!("namespaces: an empty room: {error}"))?;
        Ok(builder)
    }

    /// Makes a room without an agent, and removes it.
    fn try_out(&mut self) -> io::Result<()> {
        let empty = File::open("/dev/null")?;
        let (_, room, _) = self.make(Path::new("/plugin"), None, &empty, &[])?;
        room.remove();
        // This changes nothing, but asks for the same permission as entering a room.
        rustix::process::chroot("/")?;
        Ok(())
    }

    /// The folder in which pipes to workers are made.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(crate) fn pipes() -> io::Result<File> {
        File::open(Path::new(BASE).join("pipes"))
    }

    /// Makes a room for a plugin; returns its number and the hash of the files it may read.
    ///
    /// # Errors
    /// When a file of this plugin cannot be shown.
    pub(crate) fn make(
        &mut self,
        plugin: &Path,
        program: Option<&Program>,
        copy: &File,
        allow_read: &[PathBuf],
    ) -> io::Result<(u64, Room, String)> {
        let number = self.n_made;
        self.n_made += 1;
        let mut room = Room {
            folder: Path::new(BASE).join("rooms").join(number.to_string()),
            number,
            user: self.user,
            mounts: Vec::new(),
        };
        let filled = self
            .fill(&room, plugin, copy, allow_read)
            .and_then(|hash| Ok((hash, self.add_runtime(&room, program)?)));
        match filled {
            Ok((hash, mounts)) => {
                room.mounts = mounts;
                Ok((number, room, hash))
            }
            Err(error) => {
                room.remove();
                Err(error)
            }
        }
    }

    fn fill(
        &self,
        room: &Room,
        plugin: &Path,
        copy: &File,
        allow_read: &[PathBuf],
    ) -> io::Result<String> {
        let folder = room.writable_folder();
        fs::create_dir(&folder)?;
        copy_below(&folder, allow_read)?;
        // Read where no access times are kept: they would tell how long copying took.
        let hash = sha256_below(&room.folder, allow_read)?;
        let target = below(&folder, plugin);
        fs::create_dir_all(target.parent().unwrap_or(&folder))?;
        // `allow_read` may contain the plugin's folder; the copy that was hashed counts.
        let _ = fs::remove_file(&target);
        let mut copy = File::open(format!(
            "/proc/self/fd/{}",
            std::os::fd::AsRawFd::as_raw_fd(copy)
        ))?;
        io::copy(&mut copy, &mut File::create(&target)?)?;
        let own = files_below(&room.folder, allow_read)
            .into_iter()
            .chain([below(&room.folder, plugin)]);
        for library in self.libraries.needed_by(own) {
            link_from_store(&folder, &library)?;
        }
        link_from_store(&folder, Path::new(LOADER_CACHE))?;
        add_devices(&folder, &room.folder)?;
        Ok(hash)
    }

    fn add_runtime(&mut self, room: &Room, program: Option<&Program>) -> io::Result<Vec<PathBuf>> {
        let Some(program) = program else {
            return Ok(Vec::new());
        };
        let writable = room.writable_folder();
        self.runtimes
            .show(program, &self.libraries, &writable, &room.folder)
    }
}

impl Room {
    /// Removes the room; no worker lives in it any more.
    pub(crate) fn remove(&self) {
        for device in DEVICES {
            let path = self.folder.join("dev").join(device);
            let _ = unmount(path, UnmountFlags::DETACH);
        }
        // A folder within another one is unmounted first.
        for path in self.mounts.iter().rev() {
            let _ = unmount(path, UnmountFlags::DETACH);
        }
        // What cannot be removed takes memory until the launcher ends.
        let _ = fs::remove_dir_all(self.writable_folder());
    }

    /// The same folder where the launcher can write.
    fn writable_folder(&self) -> PathBuf {
        Path::new(BASE).join("files").join(self.number.to_string())
    }

    /// Makes this folder the root of this process, and gives up every privilege. Returns
    /// what else could not be done.
    ///
    /// # Errors
    /// When the folder does not become the root.
    pub(super) fn enter(&self, threads: u64) -> io::Result<Vec<String>> {
        let mut lacking = Vec::new();
        if self.user == WorkerUser::Nobody
            && let Err(error) = become_nobody()
        {
            lacking.push(format!("limit of threads: cannot change the user: {error}"));
        }
        let is_own = unshare(CloneFlags::CLONE_NEWUSER);
        let limited = is_own
            .map_err(io::Error::from)
            .and_then(|()| limits::limit_threads(threads));
        if let Err(error) = limited {
            lacking.push(format!("limit of threads: {error}"));
        } else if self.user == WorkerUser::Root {
            lacking.push("limit of threads: root is exempt from it".to_owned());
        }
        rustix::process::chroot(&self.folder)?;
        std::env::set_current_dir("/")?;
        let nothing = CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::empty(),
            inheritable: CapabilitySet::empty(),
        };
        if let Err(error) = set_capabilities(None, nothing) {
            lacking.push(format!("privileges: {error}"));
        }
        Ok(lacking)
    }
}

/// Changes the user, and keeps the privileges that entering the room takes.
fn become_nobody() -> io::Result<()> {
    set_keep_capabilities(true)?;
    setgroups(&[])?;
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    setresgid(group, group, group)?;
    setresuid(user, user, user)?;
    let kept = capabilities(None)?;
    set_capabilities(
        None,
        CapabilitySets {
            effective: kept.permitted,
            ..kept
        },
    )?;
    Ok(())
}

/// The number of the user `nobody`.
const NOBODY: u32 = 65_534;

/// The user that workers run as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkerUser {
    /// The user of the host.
    Same,
    /// The user `nobody`, because the host's user is root, and the limit of threads exempts root.
    Nobody,
    /// Root, because it cannot become another user here.
    Root,
}

/// Enters the namespaces. If the user may not do that, enters a user namespace first.
fn enter_namespaces() -> io::Result<WorkerUser> {
    let own = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWUTS;
    let (user, group) = (geteuid(), getegid());
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let worker_user = if unshare(own).is_ok() {
        worker_user(user, &map)
    } else {
        unshare(CloneFlags::CLONE_NEWUSER | own)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        match worker_user(user, &map) {
            // The new namespace knows no other user.
            WorkerUser::Nobody => WorkerUser::Root,
            other => other,
        }
    };
    sethostname("arena")?;
    Ok(worker_user)
}

/// The user that workers run as under a map of users, whose lines hold the first user inside, the
/// first user outside and the number of users.
fn worker_user(user: Uid, map: &str) -> WorkerUser {
    let ranges: Vec<[u32; 3]> = map
        .lines()
        .filter_map(|line| {
            let numbers = line.split_whitespace().map(str::parse);
            numbers
                .collect::<Result<Vec<u32>, _>>()
                .ok()?
                .try_into()
                .ok()
        })
        .collect();
    let outside = |user: u32| {
        ranges.iter().find_map(|&[inside, outside, length]| {
            let offset = user.checked_sub(inside)?;
            (offset < length).then_some(outside + offset)
        })
    };
    match (outside(user.as_raw()), outside(NOBODY)) {
        (Some(0), Some(_)) => WorkerUser::Nobody,
        (Some(0), None) => WorkerUser::Root,
        _ => WorkerUser::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_becomes_nobody_where_there_is_such_a_user() {
        let user = |user: u32, map: &str| worker_user(Uid::from_raw(user), map);
        assert_eq!(user(0, "0 0 4294967295\n"), WorkerUser::Nobody);
        assert_eq!(user(1000, "0 0 4294967295\n"), WorkerUser::Same);
        // `unshare --map-root-user`, by root and by another user.
        assert_eq!(user(0, "0 0 1\n"), WorkerUser::Root);
        assert_eq!(user(0, "0 1000 1\n"), WorkerUser::Same);
        // A container without privileges.
        assert_eq!(user(0, "0 1000 1\n1 100000 65536\n"), WorkerUser::Same);
    }
}
