//! The machines that a run was played on.

pub mod calibration;

use std::{collections::BTreeMap, fs};

use serde::{Deserialize, Serialize};

use crate::shard::Shard;

/// How much faster one machine may be than another before a report warns. In 20 runs on
/// one virtual machine with three busy processes per core, 19 measurements agreed within
/// 3 % and one was lower by a factor of 1.21; a report should not warn about noise.
pub const TOLERATED_FACTOR: f64 = 1.25;

/// A machine that played games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
    pub kernel: String,
    /// The speed of the fixed search in [`calibration`]; unknown before the first game and
    /// in runs of older hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes_per_second: Option<u64>,
}

/// A machine and the shard that it played, if the run was split into shards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedOn {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    #[serde(flatten)]
    pub machine: Machine,
}

impl Machine {
    /// The machine this program runs on.
    #[must_use]
    pub fn this() -> Self {
        let field = |file: &str, key: &str| {
            let text = fs::read_to_string(file).ok()?;
            let line = text.lines().find(|line| line.starts_with(key))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let unknown = || "unknown".to_owned();
        Self {
            cpu: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")
                .map_or_else(|_| unknown(), |text| text.trim().to_owned()),
            nodes_per_second: None,
        }
    }

    /// The same machine with its measured speed, or with the earlier measurement if that
    /// was higher. Measuring takes tens of milliseconds.
    #[must_use]
    pub fn calibrated_at_best(self, before: Option<&Self>) -> Self {
        let before = before.and_then(|before| before.nodes_per_second);
        Self {
            nodes_per_second: Some(calibration::nodes_per_second()).max(before),
            ..self
        }
    }

    /// Whether a time budget allows as much work on this machine as on another.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.cpu == other.cpu
            && factor([self, other]).is_none_or(|factor| factor <= TOLERATED_FACTOR)
    }
}

/// How much faster the fastest machine is than the slowest; `None` if fewer than two were
/// measured.
pub fn factor<'m>(machines: impl IntoIterator<Item = &'m Machine>) -> Option<f64> {
    let mut speeds: Vec<u64> = machines
        .into_iter()
        .filter_map(|machine| machine.nodes_per_second)
        .collect();
    speeds.sort_unstable();
    let (slowest, fastest) = (*speeds.first()?, *speeds.last()?);
    #[expect(
        clippy::cast_precision_loss,
        reason = "a factor is shown with two digits"
    )]
    (speeds.len() > 1).then(|| fastest as f64 / slowest.max(1) as f64)
}

/// Machines with the same processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineKind<'m> {
    pub cpu: &'m str,
    /// How many parts of a run they played.
    pub n_parts: u64,
    /// The lowest and the highest speed that was measured.
    pub nodes_per_second: Option<(u64, u64)>,
}

/// The kinds of machine that played a run, sorted by processor.
#[must_use]
pub fn kinds(parts: &[PlayedOn]) -> Vec<MachineKind<'_>> {
    let mut kinds: BTreeMap<&str, MachineKind<'_>> = BTreeMap::new();
    for PlayedOn { machine, .. } in parts {
        let kind = kinds.entry(&machine.cpu).or_insert(MachineKind {
            cpu: &machine.cpu,
            n_parts: 0,
            nodes_per_second: None,
        });
        kind.n_parts += 1;
        if let Some(speed) = machine.nodes_per_second {
            let (low, high) = kind.nodes_per_second.unwrap_or((speed, speed));
            kind.nodes_per_second = Some((low.min(speed), high.max(speed)));
        }
    }
    kinds.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::machine;

    #[test]
    fn machines_are_alike_within_the_tolerated_factor() {
        let old = machine("A", Some(20_000_000));
        assert!(old.is_like(&machine("A", Some(24_900_000))));
        assert!(!old.is_like(&machine("A", Some(25_100_000))));
        assert!(!old.is_like(&machine("B", Some(20_000_000))));
        assert!(
            old.is_like(&machine("A", None)),
            "an older host measured nothing"
        );
    }

    #[test]
    fn machines_with_the_same_processor_are_one_kind() {
        let parts = [("B", Some(9)), ("A", Some(5)), ("A", None), ("A", Some(4))];
        let parts = parts.map(|(cpu, speed)| PlayedOn {
            shard: None,
            machine: machine(cpu, speed),
        });
        let kinds = kinds(&parts);
        let kinds: Vec<_> = kinds
            .iter()
            .map(|k| (k.cpu, k.n_parts, k.nodes_per_second))
            .collect();
        assert_eq!(kinds, [("A", 3, Some((4, 5))), ("B", 1, Some((9, 9)))]);
    }

    #[test]
    fn a_plan_of_an_older_host_has_no_speed() {
        let text = r#"{"cpu":"A","cores":2,"kernel":"6.1"}"#;
        let read: Machine = serde_json::from_str(text).unwrap();
        assert_eq!(read, machine("A", None));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}
