//! Which cores the workers of this host use, so that hosts on one machine spread.
//!
//! Shards that are started side by side see the same cores and would all bind their
//! workers to the first ones. A claim is the name of an abstract socket: one process
//! of the machine can hold it, and the kernel frees it however that process ends.

use std::os::{
    linux::net::SocketAddrExt,
    unix::net::{SocketAddr, UnixListener},
};

use nix::{
    sched::{CpuSet, sched_getaffinity},
    unistd::Pid,
};

/// More hosts than this on one core are no longer told apart.
const MOST_HOSTS: usize = 64;

/// A core for one worker of this host, while this value lives.
#[derive(Debug)]
pub(super) struct CoreClaim {
    pub(super) core: usize,
    /// Where names cannot be claimed, the core is used without.
    _name: Option<UnixListener>,
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

fn claim(core: usize, n_others: usize) -> Option<UnixListener> {
    let name = format!("arena2048-core-{core}-{n_others}");
    let address = SocketAddr::from_abstract_name(name).ok()?;
    UnixListener::bind_addr(&address).ok()
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

    /// Cores no machine has, so that hosts that play meanwhile do not disturb.
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
}
