//! The claim about what the sandbox denies.
//!
//! A plugin that wants more than it gets often says nothing, or something about a file that
//! does not exist. So it is watched: once what the filter of system calls denies, once which
//! files it wants. It plays few turns, because being watched takes time.

use std::{collections::BTreeSet, time::Duration};

use super::{
    behaviour_claims::ask_many,
    candidate::Candidate,
    verdict::{ClaimResult, ClaimVerdict},
};
use crate::{
    agents::inspection::inspect_watched,
    play::player::PlayerError,
    text::printable::printable,
    worker::{Denial, DenialWatch, PluginFile, Watched},
};

/// A plugin waits for every answer of this process, which a busy machine delays.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// How many denials are named.
const SHOWN: usize = 8;
/// The longest name of a file that is shown.
const LONGEST: usize = 200;

/// Calls that interpreters and the C library try on their own and do without.
const OF_INTERPRETERS: [&str; 8] = [
    "capget",
    "clock_getres",
    "madvise",
    "pkey_alloc",
    "prctl",
    "prlimit64",
    Denial::LOCAL_SOCKET,
    "sysinfo",
];

/// Where interpreters look for settings of the machine when they start.
const SETTINGS: [&str; 5] = ["/etc/", "/proc/", "/sys/", "/usr/lib/", "/usr/share/"];

pub(super) fn is_denied_nothing(candidate: &Candidate<'_>) -> ClaimResult {
    const N_TURNS: u64 = 24;
    let mut trial = candidate.short_trial();
    trial.budget.sleep = Some(LONGEST_WAIT);
    let mut interrupted = None;
    let denials = denials(&candidate.plugin, |watch| {
        let played = candidate
            .start_watched(&trial, watch)
            .and_then(|mut player| {
                watch.agent_is_ready();
                ask_many(candidate, &mut player, &trial, N_TURNS)
            });
        // A fault is the matter of other claims, and may come of what was denied.
        if let Err(error @ PlayerError::Interrupted(_)) = played {
            interrupted = Some(error);
        }
    });
    if let Some(error) = interrupted {
        return Err(error);
    }
    Ok(match denials {
        None => ClaimVerdict::skipped("this machine does not report what the sandbox denies"),
        Some(denials) => match sentence(&denials) {
            None => ClaimVerdict::passed(""),
            Some(sentence) => ClaimVerdict::warned(sentence),
        },
    })
}

/// What a plugin was denied that could not even describe itself.
pub(super) fn denied_while_described(plugin: &PluginFile) -> Option<String> {
    let denials = denials(plugin, |watch| {
        // Why it fails is known.
        let _ = inspect_watched(plugin, watch, LONGEST_WAIT);
    });
    sentence(&denials?)
}

/// What was denied in two trials; nothing when this machine cannot tell.
fn denials(plugin: &PluginFile, mut trial: impl FnMut(&DenialWatch)) -> Option<BTreeSet<Denial>> {
    let mut all = BTreeSet::new();
    for watched in [Watched::Calls, Watched::Files] {
        let watch = DenialWatch::new(watched, plugin).ok()?;
        trial(&watch);
        all.extend(watch.denials()?);
    }
    if plugin.program().is_some() {
        all.retain(|denial| !is_of_interpreter(denial));
    }
    Some(all)
}

fn is_of_interpreter(denial: &Denial) -> bool {
    let is_setting = |path: &String| SETTINGS.iter().any(|folder| path.starts_with(folder));
    OF_INTERPRETERS.contains(&denial.call.as_str())
        || (denial.is_early && denial.path.as_ref().is_some_and(is_setting))
}

fn sentence(denials: &BTreeSet<Denial>) -> Option<String> {
    if denials.is_empty() {
        return None;
    }
    let mut shown: Vec<String> = denials
        .iter()
        .map(|denial| printable(&denial.to_string(), LONGEST))
        .collect();
    shown.dedup();
    let n_all = shown.len();
    shown.truncate(SHOWN);
    if let Some(n_more @ 1..) = n_all.checked_sub(SHOWN) {
        shown.push(format!("and {n_more} more"));
    }
    Some(format!("was not allowed {}", shown.join(", ")))
}
