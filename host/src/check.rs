//! The conformance test of a plugin: a list of claims, each tried in sandboxed
//! processes of its own.
//!
//! A plugin's author wants to know before a tournament what the referee will say in
//! it, and a teacher wants one page about a folder of submissions. So every claim is
//! tried with the worker, the player and the limits of a tournament, and none can
//! spoil another. A claim that makes no sense without an earlier one is skipped when
//! that one failed, so that a plugin with one mistake shows one mistake.

mod behaviour_claims;
mod candidate;
mod claim;
mod description_claims;
mod extension_claims;
mod loading_claims;
mod page;
mod parameter_claims;
mod playing_claims;
mod positions;
mod time_claims;
mod verdict;

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use plugin_api::PluginInfo;

use crate::{player::PlayerError, plugin_finder::plugin_name, worker::Abi};

use candidate::Candidate;
use claim::{CLAIMS, Claim, Test};
pub use page::Page;
pub use verdict::{Outcome, Verdict};

/// How plugins are checked.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions<'a> {
    /// Parameters that every agent is made with.
    pub params: serde_json::Map<String, serde_json::Value>,
    /// Files the sandbox lets the agents read.
    pub allow_read: Vec<PathBuf>,
    /// Set when the check is to stop.
    pub stop: Option<&'a AtomicBool>,
}

/// What became of all claims about a plugin.
#[derive(Clone, Debug)]
pub struct PluginCheck {
    /// The plugin's name: its own, or that of its file.
    pub name: String,
    pub path: PathBuf,
    /// What it says of itself, when it does.
    pub said: Option<(PluginInfo, Abi)>,
    pub findings: Vec<Finding>,
}

/// A claim and what became of it.
#[derive(Clone, Debug)]
pub struct Finding {
    pub id: &'static str,
    pub sentence: &'static str,
    pub verdict: Verdict,
}

impl PluginCheck {
    /// The findings with this outcome.
    pub fn with(&self, outcome: Outcome) -> impl Iterator<Item = &Finding> {
        let has_it = move |finding: &&Finding| finding.verdict.outcome == outcome;
        self.findings.iter().filter(has_it)
    }
}

/// The check was to stop.
#[derive(Debug)]
pub struct Stopped;

/// How many claims there are.
#[must_use]
pub fn n_claims() -> usize {
    CLAIMS.len()
}

/// The claims in the order in which they are tried: the id and the sentence of each.
pub fn claims() -> impl Iterator<Item = (&'static str, &'static str)> {
    CLAIMS.iter().map(|claim| (claim.id, claim.sentence))
}

/// Tries all claims about a plugin; `begin` is told each sentence before it is tried.
///
/// # Errors
/// When the check was to stop.
pub fn check_plugin(
    path: &Path,
    options: &CheckOptions<'_>,
    mut begin: impl FnMut(&'static str),
) -> Result<PluginCheck, Stopped> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut candidate: Option<Candidate<'_>> = None;
    for claim in CLAIMS {
        if options
            .stop
            .is_some_and(|stop| stop.load(Ordering::Relaxed))
        {
            return Err(Stopped);
        }
        begin(claim.sentence);
        let verdict = match failed_before(claim, &findings) {
            Some(sentence) => Verdict::skipped(format!("it was found not to hold that {sentence}")),
            None => try_claim(claim, path, candidate.as_ref())?,
        };
        findings.push(Finding {
            id: claim.id,
            sentence: claim.sentence,
            verdict,
        });
        if claim.id == claim::DESCRIPTION {
            candidate = Candidate::new(path, options);
        }
    }
    let said = candidate.map(|candidate| (candidate.info, candidate.abi));
    let file_name = plugin_name(path).unwrap_or_else(|| path.display().to_string());
    Ok(PluginCheck {
        name: said
            .as_ref()
            .map(|(info, _)| info.name.clone())
            .filter(|name| crate::tournament::is_plain_name(name))
            .unwrap_or(file_name),
        path: path.to_path_buf(),
        said,
        findings,
    })
}

fn try_claim(
    claim: &Claim,
    path: &Path,
    candidate: Option<&Candidate<'_>>,
) -> Result<Verdict, Stopped> {
    let verdict = match (claim.test, candidate) {
        (Test::File(test), _) => test(path),
        (Test::Plugin(test), Some(candidate)) => test(candidate),
        (Test::Agent(test), Some(candidate)) => match test(candidate) {
            Ok(verdict) => verdict,
            Err(PlayerError::Stopped) => return Err(Stopped),
            Err(PlayerError::Fault(fault)) => Verdict::from_fault(&fault),
            Err(PlayerError::KilledFromOutside(signal)) => Verdict::skipped(format!(
                "its process was killed from outside ({signal}); check it again"
            )),
        },
        (Test::Plugin(_) | Test::Agent(_), None) => Verdict::skipped("it could not be asked"),
    };
    Ok(verdict)
}

/// The sentence of the claim this one builds on, when it does not hold.
fn failed_before(claim: &Claim, findings: &[Finding]) -> Option<&'static str> {
    let needed = claim.needs?;
    let finding = findings.iter().find(|finding| finding.id == needed)?;
    match finding.verdict.outcome {
        Outcome::Passed | Outcome::Warned => None,
        Outcome::Failed => Some(finding.sentence),
        // What it builds on was skipped for a reason that holds here, too.
        Outcome::Skipped => CLAIMS
            .iter()
            .find(|claim| claim.id == needed)
            .and_then(|claim| failed_before(claim, findings))
            .or(Some(finding.sentence)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_at_least_25_claims_with_ids_of_their_own_in_order_of_need() {
        assert!(n_claims() >= 25, "{}", n_claims());
        for (index, claim) in CLAIMS.iter().enumerate() {
            let earlier = &CLAIMS[..index];
            assert!(
                earlier.iter().all(|other| other.id != claim.id),
                "{}",
                claim.id
            );
            if let Some(needed) = claim.needs {
                assert!(
                    earlier.iter().any(|other| other.id == needed),
                    "{}",
                    claim.id
                );
            }
        }
    }

    #[test]
    fn a_file_that_is_no_library_fails_one_claim_and_skips_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libx.so");
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        let check = check_plugin(&path, &CheckOptions::default(), |_| {}).unwrap();
        let failed: Vec<&str> = check.with(Outcome::Failed).map(|found| found.id).collect();
        assert_eq!(failed, [CLAIMS[0].id]);
        assert_eq!(check.with(Outcome::Skipped).count(), n_claims() - 1);
        assert_eq!(check.name, "x");
    }
}
