//! What an agent takes from the machine: no more than its limits, and nothing of a rival's share.

use crate::support::attack::attack;

/// The kernel counts memory while it can be written, so an agent fills it and protects it.
#[test]
fn memory_that_can_no_longer_be_written_counts() {
    for params in ["hides: 0", "hides: 1", "per_move: 8"] {
        let runs = attack("hoarder", |kind| {
            format!(
                "seeds: 1..1\nmemory: 64MiB\nsandbox: required\nagents: [{{{kind}, params: {{{params}}}}}]\n"
            )
        });
        for record in runs.iter().flatten() {
            let fault = record.fault.as_deref().unwrap_or_default();
            assert_eq!(record.ending.name(), "crash", "{params}: {fault}");
            assert!(
                fault.contains("MiB of memory; its `memory` is 64 MiB"),
                "{fault}"
            );
        }
        assert!(runs.len() >= 2);
    }
}
