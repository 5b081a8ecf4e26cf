//! Landlock: which files a worker may read. It may write none, and execute none but the
//! program that it holds.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};

use super::{Program, system_loader::loader_of};

/// Folders that hold the system's libraries, what its loader reads, and two devices.
const SYSTEM: [&str; 8] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/dev/null",
    "/dev/urandom",
];

/// Restricts this process for good. A room holds only what may be read, so all of it may.
pub(super) fn restrict(
    allow_read: &[PathBuf],
    plugin: Option<&Path>,
    program: Option<&Program>,
    is_in_room: bool,
) -> Result<(), String> {
    let readable: Vec<&Path> = if is_in_room {
        vec![Path::new("/")]
    } else {
        SYSTEM
            .iter()
            .map(Path::new)
            .chain(plugin)
            .chain(allow_read.iter().map(PathBuf::as_path))
            .chain(
                program
                    .into_iter()
                    .flat_map(|program| &program.runtime.readable)
                    .map(PathBuf::as_path),
            )
            .collect()
    };
    let executable: Vec<PathBuf> = match program {
        None => Vec::new(),
        Some(program) => {
            let file = &program.runtime.executable;
            let loader = loader_of(program, file).ok().flatten();
            [file.clone()].into_iter().chain(loader).collect()
        }
    };
    match apply(&readable, &executable) {
        Ok(RulesetStatus::FullyEnforced) => Ok(()),
        Ok(RulesetStatus::PartiallyEnforced) => {
            Err("Landlock: this kernel has only a part of it; Linux 6.12 has all of it".to_owned())
        }
        Ok(RulesetStatus::NotEnforced) => Err("Landlock: this kernel does not have it".to_owned()),
        Err(error) => Err(format!("Landlock: {error}")),
    }
}

fn apply(
    readable: &[&Path],
    executable: &[PathBuf],
) -> Result<RulesetStatus, Box<dyn std::error::Error>> {
    // The newest set of rights this program knows; an older kernel takes what it has.
    const NEWEST: ABI = ABI::V6;
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for path in readable {
        // What does not exist needs no rule.
        let Ok(descriptor) = PathFd::new(path) else {
            continue;
        };
        let access = if path.is_dir() {
            AccessFs::ReadFile | AccessFs::ReadDir
        } else {
            AccessFs::ReadFile.into()
        };
        ruleset = ruleset.add_rule(PathBeneath::new(descriptor, access))?;
    }
    for path in executable {
        if let Ok(descriptor) = PathFd::new(path) {
            let access = AccessFs::ReadFile | AccessFs::Execute;
            ruleset = ruleset.add_rule(PathBeneath::new(descriptor, access))?;
        }
    }
    Ok(ruleset.restrict_self()?.ruleset)
}
