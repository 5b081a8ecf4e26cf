//! Claims about a file that is to be a plugin, and about opening it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use nix::sys::resource::{UsageWho, getrusage};

use super::verdict::Verdict;
use crate::{
    plugin_inspection::{InspectionError, inspect},
    tournament::Sandbox,
    worker::{Abi, check_file},
};

const SOON: Duration = Duration::from_millis(100);
/// A plugin that sleeps this long is slow even on the busiest machine.
const NOT_THE_MACHINE: Duration = Duration::from_secs(1);

pub(super) fn is_a_library(path: &Path) -> Verdict {
    match check_file(path) {
        Ok(_) => Verdict::passed(""),
        Err(error) => Verdict::failed(error.to_string()),
    }
}

/// What stands between a library and its description.
#[derive(Debug, PartialEq, Eq)]
enum Obstacle {
    /// The loader found something missing.
    Dependency(String),
    /// It opened, but is no plugin for this host.
    Abi(String),
    /// It is one, but does not say what it is.
    Description(String),
}

fn obstacle(error: InspectionError) -> Obstacle {
    match error {
        InspectionError::Unusable(sentence) if sentence.starts_with("cannot be loaded") => {
            Obstacle::Dependency(explained(&sentence))
        }
        InspectionError::Unusable(sentence)
            if sentence.starts_with("is a shared library, but")
                || sentence.starts_with("cannot be used") =>
        {
            Obstacle::Abi(sentence)
        }
        error => Obstacle::Description(error.to_string()),
    }
}

/// The loader's words, and the way out.
fn explained(sentence: &str) -> String {
    if sentence.contains("GLIBC") {
        format!(
            "{sentence}; build it on a system as old as this one, or in a container of this system"
        )
    } else if sentence.contains("cannot open shared object file") {
        format!(
            "{sentence}; link that library statically, or install it in a system folder (agents read no other)"
        )
    } else if sentence.contains("undefined symbol") {
        format!("{sentence}; link the library that defines it")
    } else {
        sentence.to_owned()
    }
}

pub(super) fn finds_its_libraries(path: &Path) -> Verdict {
    match inspect(path, Sandbox::On).map_err(obstacle) {
        Err(Obstacle::Dependency(sentence)) => Verdict::failed(sentence),
        _ => Verdict::passed(""),
    }
}

pub(super) fn speaks_the_abi(path: &Path) -> Verdict {
    match inspect(path, Sandbox::On).map_err(obstacle) {
        Ok(inspection) => Verdict::passed(match inspection.abi {
            Abi::Rust => format!("Rust, plugin-api {}", inspection.info.api),
            Abi::C => "C, agent2048.h 1.x".to_owned(),
        }),
        Err(Obstacle::Dependency(sentence) | Obstacle::Abi(sentence)) => Verdict::failed(sentence),
        Err(Obstacle::Description(_)) => Verdict::passed(""),
    }
}

pub(super) fn describes_itself(path: &Path) -> Verdict {
    match inspect(path, Sandbox::On) {
        Ok(inspection) => Verdict::passed(format!(
            "`{}` {}",
            inspection.info.name, inspection.info.version
        )),
        Err(error) => Verdict::failed(format!("{error}; see docs/writing-an-agent.md")),
    }
}

/// The best of a few attempts counts: others use this machine, too.
pub(super) fn loads_quickly(path: &Path) -> Verdict {
    const ATTEMPTS: usize = 5;
    let (mut best_wall, mut best_cpu) = (Duration::MAX, Duration::MAX);
    for _ in 0..ATTEMPTS {
        let (start, cpu_before) = (Instant::now(), cpu_of_children());
        // Whether it can be opened is the matter of another claim.
        let _ = inspect(path, Sandbox::On);
        best_wall = best_wall.min(start.elapsed());
        best_cpu = best_cpu.min(cpu_of_children().saturating_sub(cpu_before));
        if best_wall <= SOON {
            break;
        }
    }
    let times = format!(
        "{} ms, {} ms of CPU, the start of a worker included",
        best_wall.as_millis(),
        best_cpu.as_millis()
    );
    if best_wall <= SOON {
        Verdict::passed(times)
    } else if best_cpu > SOON || best_wall > NOT_THE_MACHINE {
        Verdict::failed(format!(
            "takes {times}; do the work in `new` or `create`, which has its own limit"
        ))
    } else {
        Verdict::warned(format!("takes {times}: is this machine busy?"))
    }
}

fn cpu_of_children() -> Duration {
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
    use crate::worker::LibraryError;

    #[test]
    fn the_loaders_words_come_with_a_way_out() {
        let unusable = |error: LibraryError| InspectionError::Unusable(error.to_string());
        let missing = LibraryError::Unloadable(
            "libfoo.so.1: cannot open shared object file: No such file or directory".to_owned(),
        );
        let Obstacle::Dependency(sentence) = obstacle(unusable(missing)) else {
            panic!("a missing library is a missing dependency");
        };
        assert!(sentence.contains("libfoo.so.1"), "{sentence}");
        assert!(sentence.contains("statically"), "{sentence}");
        let newer =
            LibraryError::Unloadable("libc.so.6: version `GLIBC_2.99' not found".to_owned());
        let Obstacle::Dependency(sentence) = obstacle(unusable(newer)) else {
            panic!("a newer glibc is a missing dependency");
        };
        assert!(sentence.contains("GLIBC_2.99"), "{sentence}");
        assert!(sentence.contains("as old as this one"), "{sentence}");
        assert!(matches!(
            obstacle(unusable(LibraryError::NotAPlugin)),
            Obstacle::Abi(_)
        ));
        assert!(matches!(
            obstacle(InspectionError::Crashed("aborted".to_owned())),
            Obstacle::Description(_)
        ));
    }
}
