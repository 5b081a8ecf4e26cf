//! The conformance test of a plugin: a list of claims, each tested in its own sandboxed
//! processes.
//!
//! An author wants to know before a tournament what the referee will object to, and a teacher
//! wants one page about a folder of submissions. Therefore every claim is tested with the worker,
//! the player and the limits of a tournament, and no claim affects another. If a claim fails, those
//! that depend on it are skipped, so a plugin with one error shows one error.

mod behaviour_claims;
mod candidate;
mod check_report;
mod claim;
mod description_claims;
mod loading_claims;
mod parameter_claims;
mod playing_claims;
mod positions;
mod time_claims;
mod verdict;

use std::path::{Path, PathBuf};

use plugin_api::PluginInfo;

use play::player::{Interruption, NoMove};
use text::duration_text::format_duration;
use tournament::AgentEntry;
use worker::Abi;

use candidate::Candidate;
pub use candidate::{CheckOptions, DEFAULT_CPU_LIMIT};
pub use check_report::CheckReport;
use claim::{CLAIMS, ClaimTest, NOT_FOR_PROGRAMS, PluginClaim};
use loading_claims::cpu_of_children;
pub use verdict::{ClaimOutcome, ClaimVerdict};

/// The findings about one plugin.
#[derive(Clone, Debug)]
pub struct PluginCheck {
    /// The plugin's name: its own, or that of its file.
    pub name: String,
    pub path: PathBuf,
    /// The file that was checked, relative to its folder if the user named a folder.
    pub file: String,
    /// The plugin's description and ABI, if it could be read.
    pub description: Option<(PluginInfo, Abi)>,
    pub findings: Vec<Finding>,
}

/// A claim and its verdict.
#[derive(Clone, Debug)]
pub struct Finding {
    pub id: &'static str,
    pub sentence: &'static str,
    pub verdict: ClaimVerdict,
}

impl PluginCheck {
    /// The findings with this outcome.
    pub fn with_outcome(&self, outcome: ClaimOutcome) -> impl Iterator<Item = &Finding> {
        let has_it = move |finding: &&Finding| finding.verdict.outcome == outcome;
        self.findings.iter().filter(has_it)
    }

    /// The check of a file in a folder of submissions. Its agent is named after the file, so the
    /// plugin may have any name.
    #[must_use]
    pub fn of_submission(mut self, file: String) -> Self {
        self.file = file;
        let about_name = |finding: &&mut Finding| finding.id == claim::FILE_NAME;
        for finding in self.findings.iter_mut().filter(about_name) {
            if finding.verdict.outcome == ClaimOutcome::Warned {
                finding.verdict = ClaimVerdict::passed("");
            }
        }
        self
    }
}

/// The number of claims.
#[must_use]
pub fn n_claims() -> usize {
    CLAIMS.len()
}

/// The claims in the order in which they are tested: the id and the sentence of each.
pub fn claims() -> impl Iterator<Item = (&'static str, &'static str)> {
    CLAIMS.iter().map(|claim| (claim.id, claim.sentence))
}

/// Tests all claims about a plugin; `begin` is called with each sentence before its
/// test.
#[must_use]
pub fn check_plugin(
    path: &Path,
    options: &CheckOptions,
    mut begin: impl FnMut(&'static str),
) -> PluginCheck {
    let cpu_before = cpu_of_children();
    let cpu_limit = options.cpu_limit.unwrap_or(DEFAULT_CPU_LIMIT);
    let mut findings: Vec<Finding> = Vec::new();
    let mut candidate: Option<Candidate<'_>> = None;
    for claim in CLAIMS {
        begin(claim.sentence);
        let verdict = match failed_before(claim, &findings) {
            Some(sentence) => {
                ClaimVerdict::skipped(format!("depends on a failed claim: {sentence}"))
            }
            None if cpu_of_children().saturating_sub(cpu_before) > cpu_limit => {
                let limit = format_duration(cpu_limit);
                ClaimVerdict::failed(format!(
                    "was not tested: this plugin has used more than {limit} of CPU time in this check (`--cpu-limit`)"
                ))
            }
            None => try_claim(claim, path, candidate.as_ref()),
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
    let description = candidate.map(|candidate| (candidate.info, candidate.abi));
    let file_name = AgentEntry::default_name(&path.to_string_lossy()).to_owned();
    PluginCheck {
        name: description
            .as_ref()
            .map(|(info, _)| info.name.clone())
            .filter(|name| tournament::is_plain_name(name))
            .unwrap_or(file_name),
        path: path.to_path_buf(),
        file: path.display().to_string(),
        description,
        findings,
    }
}

fn try_claim(claim: &PluginClaim, path: &Path, candidate: Option<&Candidate<'_>>) -> ClaimVerdict {
    let exemption = NOT_FOR_PROGRAMS.iter().find(|(id, _)| *id == claim.id);
    if let (Some((_, reason)), true) = (exemption, candidate.is_some_and(Candidate::is_program)) {
        return ClaimVerdict::skipped(*reason);
    }
    match (claim.test, candidate) {
        (ClaimTest::File(test), _) => test(path),
        (ClaimTest::Plugin(test), Some(candidate)) => test(candidate),
        (ClaimTest::Agent(test), Some(candidate)) => match test(candidate) {
            Ok(verdict) => verdict,
            Err(NoMove::Fault(fault)) => ClaimVerdict::from_fault(&fault),
            Err(NoMove::Interrupted(interruption)) => match interruption {
                Interruption::Killed(signal) => ClaimVerdict::skipped(format!(
                    "its process was killed by another process ({signal}); run the check again"
                )),
                Interruption::Paused { .. } | Interruption::Stopped => ClaimVerdict::skipped(
                    "its process was stopped by another process; run the check again",
                ),
                Interruption::NotStarted(reason) => {
                    ClaimVerdict::skipped(format!("a worker could not be started: {reason}"))
                }
            },
        },
        (ClaimTest::Plugin(_) | ClaimTest::Agent(_), None) => {
            ClaimVerdict::skipped("its description could not be read")
        }
    }
}

/// The sentence of the claim that this one depends on, if that one did not pass.
fn failed_before(claim: &PluginClaim, findings: &[Finding]) -> Option<&'static str> {
    let needed = claim.needs?;
    let finding = findings.iter().find(|finding| finding.id == needed)?;
    match finding.verdict.outcome {
        ClaimOutcome::Passed | ClaimOutcome::Warned => None,
        ClaimOutcome::Failed => Some(finding.sentence),
        // The claim it depends on was skipped, for a reason that applies here too.
        ClaimOutcome::Skipped => CLAIMS
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
    fn there_are_at_least_25_claims_with_unique_ids_after_those_they_depend_on() {
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
    fn a_file_that_is_not_a_library_fails_one_claim_and_skips_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libx.so");
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        let check = check_plugin(&path, &CheckOptions::default(), |_| {});
        let failed: Vec<&str> = check
            .with_outcome(ClaimOutcome::Failed)
            .map(|found| found.id)
            .collect();
        assert_eq!(failed, [CLAIMS[0].id]);
        assert_eq!(
            check.with_outcome(ClaimOutcome::Skipped).count(),
            n_claims() - 1
        );
        assert_eq!(check.name, "x");
    }
}
