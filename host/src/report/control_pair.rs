//! The control: one agent that plays twice, under two random seeds.
//!
//! Whatever separates the twins separates equals: time that was not equal, tiles that
//! were not the same, a machine that changed in mid-run. So if they separate, no other
//! difference of the run is to be believed.

use super::{
    budget_report::AgentReport,
    input::ReportInput,
    pair_report::{PairReport, compare_all},
};
use crate::statistics::{effort::Effort, outcome::Outcome};

/// Twins that differ more than this by luck would do so in one honest run of a hundred.
const SUSPICIOUS: f64 = 0.01;

/// The name under which the control plays for the second time.
#[must_use]
pub fn twin_name(agent: &str) -> String {
    format!("{agent}-twin")
}

/// Compares the control with its twin, where both have played.
pub(super) fn compare_twins(
    entries: &[(AgentReport, Vec<Outcome>)],
    input: &ReportInput,
) -> Option<PairReport> {
    let control = input.control.as_ref()?;
    let of = |name: &str| {
        let entry = entries.iter().find(|(agent, _)| agent.name == name)?;
        let (agent, outcomes) = entry;
        Some((agent.name.as_str(), outcomes.as_slice())).filter(|(_, games)| !games.is_empty())
    };
    let twin = twin_name(control);
    let pair = [of(control)?, of(&twin)?];
    compare_all(&pair, input, Effort::FULL).pop()
}

/// Whether the twins differ more than luck explains.
pub(super) fn is_suspicious(twins: &PairReport) -> bool {
    let p_value = twins.comparison.p_value;
    p_value.is_some_and(|p_value| p_value <= SUSPICIOUS)
}

#[cfg(test)]
mod tests {
    use crate::report::{
        Report, ReportInput,
        example::{input, record},
    };

    /// 40 seeds of `a`, of its twin, which has `advantage` on every seed, and of `b`.
    fn report(advantage: u64) -> Report {
        let input = ReportInput {
            control: Some("a".into()),
            ..input(&["a", "b", "a-twin"])
        };
        let records: Vec<_> = (1..=40)
            .flat_map(|seed| {
                // Both twins win half of the seeds, by the same amounts.
                let luck = if seed % 2 == 0 { 300 } else { 0 };
                [
                    record("a", seed, 1_000 + luck),
                    record("b", seed, 500),
                    record("a-twin", seed, 1_300 - luck + advantage),
                ]
            })
            .collect();
        Report::new(&input, &records)
    }

    #[test]
    fn equal_twins_are_mentioned_and_one_of_them_ranked() {
        let report = report(0);
        let agents = report.budgets[0].agents.iter();
        let ranks: Vec<_> = agents.map(|a| (a.name.as_str(), a.rank)).collect();
        assert_eq!(ranks, [("a", Some(1)), ("b", Some(2)), ("a-twin", None)]);
        assert_eq!(report.budgets[0].pairs.len(), 1);
        let note = report.notes[0].to_string();
        assert!(
            note.starts_with("control: a and its twin cannot be told apart"),
            "{note}"
        );
    }

    #[test]
    fn twins_that_separate_make_the_run_suspect() {
        let note = report(400).notes[0].to_string();
        assert!(
            note.starts_with("THIS RUN IS SUSPECT: a and its twin"),
            "{note}"
        );
    }
}
