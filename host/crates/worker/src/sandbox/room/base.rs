//! The file system in memory from which rooms take what they share.

use std::{
    fs::{self, File, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::Path,
};

use nix::sys::stat::{Mode, umask};
use rustix::mount::{
    MountFlags, MountPropagationFlags, mount, mount_bind, mount_change, mount_remount,
};

use crate::{regular_file::open_regular_behind_links, sandbox::allowed_files::below};

/// Where the file system of all rooms is mounted in the launcher's namespace. Any folder
/// would do that exists everywhere and that no agent is allowed to read.
pub(super) const BASE: &str = "/sys";

/// Devices of a room.
pub(super) const DEVICES: [&str; 2] = ["null", "urandom"];

/// Mounts one file system in memory: `files` is where rooms are made, `store` keeps one copy
/// of each library, and `rooms` and `shown` show the same read-only.
pub(super) fn mount_base() -> io::Result<()> {
    umask(Mode::S_IWGRP | Mode::S_IWOTH);
    let base = Path::new(BASE);
    mount_change(
        "/",
        MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
    )?;
    let harmless = MountFlags::NOSUID | MountFlags::NODEV;
    mount("rooms", base, "tmpfs", harmless, c"mode=755")?;
    for folder in ["files", "rooms", "store", "shown", "devices", "pipes"] {
        fs::create_dir(base.join(folder))?;
    }
    // A file system of its own, which counts nothing but pipes.
    mount("pipes", base.join("pipes"), "tmpfs", harmless, c"mode=700")?;
    let read_only = harmless | MountFlags::RDONLY | MountFlags::BIND | MountFlags::NOATIME;
    for (source, target) in [("files", "rooms"), ("store", "shown")] {
        mount_bind(base.join(source), base.join(target))?;
        mount_remount(base.join(target), read_only, c"")?;
    }
    for device in DEVICES {
        let (source, target) = (
            Path::new("/dev").join(device),
            base.join("devices").join(device),
        );
        File::create(&target)?;
        mount_bind(&source, &target)?;
        // The kernel does not let a remount clear flags that the source has.
        let kept = locked_flags(&source)?;
        mount_remount(&target, kept | MountFlags::RDONLY | MountFlags::BIND, c"")?;
    }
    Ok(())
}

/// Flags of a mount that stay when it is made read-only.
pub(super) fn locked_flags(path: &Path) -> io::Result<MountFlags> {
    use rustix::fs::StatVfsMountFlags as Found;
    let found = rustix::fs::statvfs(path)?.f_flag;
    let pairs = [
        (Found::NOSUID, MountFlags::NOSUID),
        (Found::NODEV, MountFlags::NODEV),
        (Found::NOEXEC, MountFlags::NOEXEC),
        (Found::NOATIME, MountFlags::NOATIME),
        (Found::NODIRATIME, MountFlags::NODIRATIME),
        (Found::RELATIME, MountFlags::RELATIME),
    ];
    Ok(pairs
        .into_iter()
        .filter(|(flag, _)| found.contains(*flag))
        .fold(MountFlags::empty(), |flags, (_, flag)| flags | flag))
}

/// Shows devices in a room whose folder can be written at `writable`.
pub(super) fn add_devices(writable: &Path, room: &Path) -> io::Result<()> {
    fs::create_dir_all(writable.join("dev"))?;
    for device in DEVICES {
        File::create(writable.join("dev").join(device))?;
        let source = Path::new(BASE).join("devices").join(device);
        mount_bind(source, room.join("dev").join(device))?;
    }
    Ok(())
}

/// Puts a file of the system into a room. All rooms share one copy of it.
pub(super) fn link_from_store(folder: &Path, file: &Path) -> io::Result<()> {
    let (stored, target) = (
        below(&Path::new(BASE).join("store"), file),
        below(folder, file),
    );
    if !stored.exists() {
        let Ok(mut source) = open_regular_behind_links(file) else {
            return Ok(());
        };
        fs::create_dir_all(stored.parent().unwrap_or(folder))?;
        io::copy(&mut source, &mut File::create(&stored)?)?;
        fs::set_permissions(&stored, Permissions::from_mode(0o444))?;
    }
    fs::create_dir_all(target.parent().unwrap_or(folder))?;
    match fs::hard_link(&stored, &target) {
        // `allow_read` may have brought it along.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    }
}
