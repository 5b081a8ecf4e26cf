//! What a worker gives up before it opens a plugin.
//!
//! Three layers, each without privileges: Landlock leaves the system's libraries,
//! the plugin and what the tournament file allows readable, and nothing writable;
//! seccomp leaves the system calls that computing, memory and threads need; limits
//! bound memory, CPU time, file sizes and descriptors. A layer the kernel lacks is
//! reported, not ignored.
#![expect(
    unsafe_code,
    reason = "closing descriptors that nobody in this process owns"
)]

mod system_calls;

use std::{
    io,
    os::fd::{FromRawFd, OwnedFd, RawFd},
    path::{Path, PathBuf},
    time::Duration,
};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::sys::resource::{Resource, setrlimit};
use serde::{Deserialize, Serialize};

use crate::tournament::Sandbox;

/// What holds for one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SandboxRules {
    pub mode: Sandbox,
    /// The most address space, in bytes.
    pub memory: u64,
    /// The most CPU time of the whole process, after which the kernel kills it.
    pub cpu: Option<Duration>,
    /// Files the plugin may read besides its own.
    pub allow_read: Vec<PathBuf>,
}

/// Folders that hold the system's libraries and what its loader reads.
const SYSTEM_LIBRARIES: [&str; 6] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
];

/// Gives up what the rules say, for this process and for good.
///
/// # Errors
/// With what could not be given up, one sentence.
pub fn enter(rules: &SandboxRules, plugin: &Path) -> Result<(), String> {
    limit_resources(rules).map_err(|error| format!("resource limits: {error}"))?;
    if rules.mode == Sandbox::Off {
        return Ok(());
    }
    let mut lacking = Vec::new();
    // Nothing may be written to files, not even to those in memory, which count for
    // no other limit.
    if let Err(error) = setrlimit(Resource::RLIMIT_FSIZE, 0, 0) {
        lacking.push(format!("limit of file sizes: {error}"));
    }
    lacking.extend(restrict_files(rules, plugin).err());
    lacking.extend(system_calls::restrict().err());
    if lacking.is_empty() {
        Ok(())
    } else {
        Err(lacking.join("; "))
    }
}

fn limit_resources(rules: &SandboxRules) -> io::Result<()> {
    const DESCRIPTORS: u64 = 256;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    setrlimit(Resource::RLIMIT_AS, rules.memory, rules.memory)?;
    setrlimit(Resource::RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS)?;
    if let Some(cpu) = rules.cpu {
        // One second more for SIGXCPU to be noticed before SIGKILL comes.
        let seconds = cpu.as_secs().saturating_add(1);
        setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
    }
    Ok(())
}

fn restrict_files(rules: &SandboxRules, plugin: &Path) -> Result<(), String> {
    // The newest set of rights this program knows; an older kernel takes what it has.
    const NEWEST: ABI = ABI::V6;
    let apply = || -> Result<RulesetStatus, Box<dyn std::error::Error>> {
        let mut ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?;
        let readable = SYSTEM_LIBRARIES
            .iter()
            .map(Path::new)
            .chain([plugin])
            .chain(rules.allow_read.iter().map(PathBuf::as_path));
        for path in readable {
            // What does not exist needs no rule.
            let Ok(descriptor) = PathFd::new(path) else {
                continue;
            };
            let mut access = AccessFs::ReadFile | AccessFs::ReadDir;
            if path.is_file() {
                access = AccessFs::ReadFile.into();
            }
            ruleset = ruleset.add_rule(PathBeneath::new(descriptor, access))?;
        }
        Ok(ruleset.restrict_self()?.ruleset)
    };
    match apply() {
        Ok(RulesetStatus::NotEnforced) => Err("Landlock: the kernel does not have it".to_owned()),
        Ok(RulesetStatus::PartiallyEnforced) => {
            Err("Landlock: the kernel has only a part of it; Linux 6.12 has all".to_owned())
        }
        Ok(RulesetStatus::FullyEnforced) => Ok(()),
        Err(error) => Err(format!("Landlock: {error}")),
    }
}

/// Closes every descriptor from `first` on: whoever started the host may have left
/// some open, and a plugin has no business with them.
pub fn close_descriptors_from(first: RawFd) {
    let Ok(folder) = std::fs::read_dir("/proc/self/fd") else {
        return;
    };
    let open: Vec<RawFd> = folder
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&descriptor| descriptor >= first)
        .collect();
    for descriptor in open {
        // SAFETY: nothing in this process owns a descriptor above the ones it has
        // just set up; the one that listed them is closed already, and closing it
        // again only fails.
        let _ = unsafe { nix::libc::close(descriptor) };
    }
}

/// Takes a descriptor that `fcntl` has just made.
#[must_use]
pub fn adopt_descriptor(number: RawFd) -> OwnedFd {
    // SAFETY: the caller has it fresh from the kernel, so nobody else owns it.
    unsafe { OwnedFd::from_raw_fd(number) }
}
