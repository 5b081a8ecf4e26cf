//! The namespaces in which rooms are made, and the user that lives in them.

use std::{fs, io};

use nix::{
    sched::{CloneFlags, unshare},
    unistd::{Uid, getegid, geteuid, sethostname},
};

/// The user that nobody is.
pub(super) const NOBODY: u32 = 65_534;

/// As which user workers run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerUser {
    /// The user of the host.
    Same,
    /// Nobody, because the host's user is root, who is exempt from the limit of threads.
    Nobody,
    /// Root, who cannot become another user here.
    Root,
}

/// Enters the namespaces; a user who may not do that enters a user namespace first.
pub(super) fn enter_namespaces() -> io::Result<WorkerUser> {
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

/// As which user workers run where users are mapped so: lines of first user inside, first
/// user outside, number of users.
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
        // `unshare --map-root-user`, by root and by somebody else.
        assert_eq!(user(0, "0 0 1\n"), WorkerUser::Root);
        assert_eq!(user(0, "0 1000 1\n"), WorkerUser::Same);
        // A container without privileges.
        assert_eq!(user(0, "0 1000 1\n1 100000 65536\n"), WorkerUser::Same);
    }
}
