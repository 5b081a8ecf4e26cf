//! Which cores the workers of this host use: hosts on one machine spread.
//!
//! Shards that are started side by side see the same cores and would all bind their
//! workers to the first ones. A claim is the name of an abstract socket and the lock of a
//! file in memory: one process can hold them, and the kernel frees them however that
//! process ends. The file is for hosts in other network namespaces, which have names of
//! their own. Containers that share neither need cpusets or `--no-pin`.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    os::{
        linux::net::SocketAddrExt,
        unix::{
            fs::OpenOptionsExt,
            net::{SocketAddr, UnixListener},
        },
    },
    path::Path,
};

use nix::{
    sched::{CpuSet, sched_getaffinity},
    unistd::Pid,
};

use worker::open_regular_with;

/// Where the files lie that are locked.
const LOCKS: &str = "/dev/shm";

/// More hosts than this on one core are no longer distinguished.
const MOST_HOSTS: usize = 64;

/// A core for one worker of this host, while this value lives.
#[derive(Debug)]
pub(super) struct CoreClaim {
    pub(super) core: usize,
    /// Where names cannot be claimed, the core is used without.
    _name: Option<Name>,
}

/// A name that no other host of the machine can hold.
#[derive(Debug)]
struct Name {
    _socket: UnixListener,
    /// Where there is no such folder, the socket has to do.
    _file: Option<File>,
}

/// Claims as many of these cores: free ones first, then those that the fewest other
/// hosts use. Never more than there are, for two agents on one core would take each
/// other's time.
pub(super) fn claim_cores(usable: &[usize], wanted: usize) -> Vec<CoreClaim> {
    let wanted = wanted.min(usable.len());
    let mut claims: Vec<CoreClaim> = Vec::new();
    for n_others in 0..MOST_HOSTS {
        for &core in usable {
            let is_ours = |claim: &CoreClaim| claim.core == core;
            if claims.len() == wanted {
                return claims;
            }
            if !claims.iter().any(is_ours)
                && let Some(name) = claim(core, n_others)
            {
                claims.push(CoreClaim {
                    core,
                    _name: Some(name),
                });
            }
        }
    }
    let is_left = |core: &&usize| !claims.iter().any(|claim| claim.core == **core);
    let left: Vec<usize> = usable.iter().filter(is_left).copied().collect();
    let unnamed = left.into_iter().map(|core| CoreClaim { core, _name: None });
    claims.extend(unnamed);
    claims.truncate(wanted);
    claims
}

fn claim(core: usize, n_others: usize) -> Option<Name> {
    let name = format!("arena2048-core-{core}-{n_others}");
    let address = SocketAddr::from_abstract_name(&name).ok()?;
    let socket = UnixListener::bind_addr(&address).ok()?;
    let file = match lock_file(&name) {
        Err(TryLockError::WouldBlock) => return None,
        Err(TryLockError::Error(_)) => None,
        Ok(file) => Some(file),
    };
    Some(Name {
        _socket: socket,
        _file: file,
    })
}

/// Locks a file of this name. It may belong to another user, so it is only read.
fn lock_file(name: &str) -> Result<File, TryLockError> {
    let path = Path::new(LOCKS).join(name);
    let open = |options: &mut OpenOptions| open_regular_with(&path, options.mode(0o644));
    let file = match open(OpenOptions::new().read(true)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            open(OpenOptions::new().write(true).create(true).truncate(false))
        }
        result => result,
    };
    let file = file.map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}

/// The cores this process may use.
pub(super) fn usable_cores() -> Vec<usize> {
    let cores = sched_getaffinity(Pid::from_raw(0)).unwrap_or_else(|_| CpuSet::new());
    let usable: Vec<usize> = (0..CpuSet::count())
        .filter(|&core| cores.is_set(core).unwrap_or(false))
        .collect();
    if usable.is_empty() { vec![0] } else { usable }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(claims: &[CoreClaim]) -> Vec<usize> {
        claims.iter().map(|claim| claim.core).collect()
    }

    /// Cores that no machine has: hosts that play meanwhile do not disturb.
    #[test]
    fn hosts_spread_over_the_cores_and_share_them_evenly_when_none_is_free() {
        let usable = [90_001, 90_002, 90_003];
        let first = claim_cores(&usable, 1);
        let second = claim_cores(&usable, 1);
        assert_eq!(
            (cores(&first), cores(&second)),
            (vec![90_001], vec![90_002])
        );
        let third = claim_cores(&usable, 3);
        assert_eq!(cores(&third), [90_003, 90_001, 90_002]);
        drop(second);
        assert_eq!(cores(&claim_cores(&usable, 1)), [90_002]);
        drop((first, third));
        assert_eq!(cores(&claim_cores(&usable, 7)), usable);
    }

    #[test]
    fn a_host_in_another_network_namespace_is_seen_by_its_lock() {
        let elsewhere = lock_file("arena2048-core-90011-0").unwrap();
        let usable = [90_011, 90_012];
        assert_eq!(cores(&claim_cores(&usable, 1)), [90_012]);
        drop(elsewhere);
        assert_eq!(cores(&claim_cores(&usable, 1)), [90_011]);
        for core in [90_001, 90_002, 90_003, 90_011, 90_012] {
            for n_others in 0..3 {
                let name = format!("arena2048-core-{core}-{n_others}");
                let _ = std::fs::remove_file(Path::new(LOCKS).join(name));
            }
        }
    }
}
