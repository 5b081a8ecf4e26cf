//! Claims about the file of a plugin, and about loading it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use nix::sys::resource::{UsageWho, getrusage};

use super::verdict::ClaimVerdict;
use play::agents::inspection::{InspectionError, inspect};
use text::plugin_words::{PluginWords, name_as_code};
use tournament::Sandbox;
use worker::{Abi, PluginFailure, PluginFile, UnusableLibrary};

const SOON: Duration = Duration::from_millis(100);
/// The limit for a program, whose interpreter must start as well.
const SOON_FOR_A_PROGRAM: Duration = Duration::from_secs(1);
/// A plugin that takes this long is slow even on a busy machine.
const NOT_THE_MACHINE: Duration = Duration::from_secs(1);

pub(super) fn is_a_library(path: &Path) -> ClaimVerdict {
    match PluginFile::seal(path) {
        Ok(plugin) => ClaimVerdict::passed(
            plugin
                .program()
                .map_or("", |program| program.runtime.version.as_str()),
        ),
        Err(error) => ClaimVerdict::failed(error.to_string()),
    }
}

/// What prevents a library from being described.
#[derive(Debug, PartialEq, Eq)]
enum Obstacle {
    /// The loader found that something is missing.
    Dependency(String),
    /// It was loaded, but it is not a plugin for this host.
    Abi(String),
    /// It is a plugin, but its description is unusable.
    Description(String),
}

fn obstacle(error: InspectionError) -> Obstacle {
    match error {
        InspectionError::Failed {
            failure: PluginFailure::Unusable(reason),
            ..
        } => match &reason {
            UnusableLibrary::Unloadable(words) => {
                Obstacle::Dependency(format!("{reason}{}", remedy(words)))
            }
            _ => Obstacle::Abi(reason.to_string()),
        },
        error => Obstacle::Description(error.to_string()),
    }
}

/// What the author can do about an error of the loader.
fn remedy(words: &PluginWords) -> &'static str {
    if words.mention("GLIBC") {
        "; build it on a system as old as this one, or in a container of this system"
    } else if words.mention("cannot open shared object file") {
        "; link that library statically, or install it in a system folder (the sandbox allows no others)"
    } else if words.mention("undefined symbol") {
        "; link the library that defines it"
    } else {
        ""
    }
}

pub(super) fn finds_its_libraries(path: &Path) -> ClaimVerdict {
    match inspect(path, Sandbox::On).map_err(obstacle) {
        Err(Obstacle::Dependency(sentence)) => ClaimVerdict::failed(sentence),
        _ => ClaimVerdict::passed(""),
    }
}

pub(super) fn uses_a_supported_abi(path: &Path) -> ClaimVerdict {
    match inspect(path, Sandbox::On).map_err(obstacle) {
        Ok(inspection) => ClaimVerdict::passed(match inspection.abi {
            Abi::Rust => format!(
                "Rust, plugin-api {}",
                PluginWords::new(&inspection.info.api)
            ),
            Abi::C => "C, agent2048.h 1.x".to_owned(),
            Abi::Text => "text protocol, version 1".to_owned(),
        }),
        Err(Obstacle::Dependency(sentence) | Obstacle::Abi(sentence)) => {
            ClaimVerdict::failed(sentence)
        }
        Err(Obstacle::Description(_)) => ClaimVerdict::passed(""),
    }
}

pub(super) fn describes_itself(path: &Path) -> ClaimVerdict {
    match inspect(path, Sandbox::On) {
        Ok(inspection) => ClaimVerdict::passed(format!(
            "{} {}",
            name_as_code(&inspection.info.name),
            PluginWords::new(&inspection.info.version)
        )),
        Err(error) => ClaimVerdict::failed(format!("{error}; see docs/writing-an-agent.md")),
    }
}

/// The best of a few attempts counts because other programs use this machine too.
pub(super) fn loads_quickly(path: &Path) -> ClaimVerdict {
    const ATTEMPTS: usize = 5;
    let is_program = PluginFile::seal(path).is_ok_and(|plugin| plugin.program().is_some());
    let soon = if is_program { SOON_FOR_A_PROGRAM } else { SOON };
    let (mut best_wall, mut best_cpu) = (Duration::MAX, Duration::MAX);
    for _ in 0..ATTEMPTS {
        let (start, cpu_before) = (Instant::now(), cpu_of_children());
        // Whether it can be loaded is a different claim.
        let _ = inspect(path, Sandbox::On);
        best_wall = best_wall.min(start.elapsed());
        best_cpu = best_cpu.min(cpu_of_children().saturating_sub(cpu_before));
        if best_wall <= soon {
            break;
        }
    }
    let times = format!(
        "{} ms, {} ms of CPU time, including the start of a worker",
        best_wall.as_millis(),
        best_cpu.as_millis()
    );
    // Other programs can only lengthen the wall time.
    let is_soon = best_cpu <= soon && (is_program || best_wall <= NOT_THE_MACHINE);
    if best_wall <= soon || is_soon {
        ClaimVerdict::passed(times)
    } else {
        ClaimVerdict::failed(format!(
            "takes {times}; move the work to `new` or `create`, which has its own limit"
        ))
    }
}

/// The CPU time of all processes that this one has started and that have ended: while a
/// plugin is checked, of its workers.
pub(super) fn cpu_of_children() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return Duration::ZERO;
    };
    let microseconds = |time: nix::sys::time::TimeVal| {
        u64::try_from(time.tv_sec() * 1_000_000 + time.tv_usec()).unwrap_or_default()
    };
    Duration::from_micros(microseconds(usage.user_time()) + microseconds(usage.system_time()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loader_messages_come_with_a_way_to_fix_them() {
        let unusable = |reason| InspectionError::Failed {
            failure: PluginFailure::Unusable(reason),
            hint: String::new(),
        };
        let missing = UnusableLibrary::Unloadable(PluginWords::new(
            "libfoo.so.1: cannot open shared object file: No such file or directory",
        ));
        let Obstacle::Dependency(sentence) = obstacle(unusable(missing)) else {
            panic!("a missing library is a missing dependency");
        };
        assert!(sentence.contains("libfoo.so.1"), "{sentence}");
        assert!(sentence.contains("statically"), "{sentence}");
        let newer = UnusableLibrary::Unloadable(PluginWords::new(
            "libc.so.6: version `GLIBC_2.99' not found",
        ));
        let Obstacle::Dependency(sentence) = obstacle(unusable(newer)) else {
            panic!("a newer glibc is a missing dependency");
        };
        assert!(sentence.contains("GLIBC_2.99"), "{sentence}");
        assert!(sentence.contains("as old as this one"), "{sentence}");
        assert!(matches!(
            obstacle(unusable(UnusableLibrary::NotAPlugin)),
            Obstacle::Abi(_)
        ));
        assert!(matches!(
            obstacle(InspectionError::Crashed("aborted".to_owned())),
            Obstacle::Description(_)
        ));
    }
}
