//! The control, an A/A test: one agent that enters twice, with different random seeds.
//!
//! Both entries are equally strong. If they differ significantly, something other than the
//! agents made the difference, such as unequal time, unequal tiles or a machine that changed
//! during the run. Then no other difference of the run can be trusted.

use super::pair_report::{Compared, PairReport, compare_all};
use run::{counted::BudgetRace, run_plan::RunPlan};
use statistics::effort::Effort;

/// The p-value at which the control or the private seeds make a run suspect: chance alone gives it to
/// one of a hundred honest runs.
pub(super) const SUSPICIOUS: f64 = 0.01;

/// Compares the two entries of the control, where both have played.
pub(super) fn compare_control(
    agents: &[Compared],
    plan: &RunPlan,
    race: Option<&BudgetRace>,
) -> Option<PairReport> {
    let [first, second] = plan.control()?;
    let entry = |index: usize| {
        let agent = agents.iter().find(|agent| agent.agent == index).copied();
        agent.filter(|agent| !agent.outcomes.is_empty())
    };
    let pair = [entry(first)?, entry(second)?];
    let mut pair = compare_all(&pair, plan, None, Effort::FULL).0.pop()?;
    if let Some(BudgetRace { race, racers }) = race {
        // With a stop rule, the number of seeds depends on the scores of the first entry.
        let p_value = race.own_p_value((first, second), racers, pair.comparison.measure);
        pair.comparison.p_value = Some(p_value);
    }
    Some(pair)
}

/// Whether the entries differ more than chance explains.
pub(super) fn is_suspicious(control: &PairReport) -> bool {
    let p_value = control.comparison.p_value;
    p_value.is_some_and(|p_value| p_value <= SUSPICIOUS)
}

#[cfg(test)]
mod tests {
    use crate::{
        Report,
        example::{plan, report_of},
    };
    use run::example::figures;

    /// 40 seeds of `a`, of its second entry, which gains `advantage` on every seed, and of `b`.
    fn report(advantage: u64) -> Report {
        let mut plan = plan(&["a", "b", "a-twin"]);
        plan.tournament.control = Some("a".into());
        let records: Vec<_> = (1..=40)
            .flat_map(|seed| {
                // Each entry wins half of the seeds, by the same amounts.
                let luck = if seed % 2 == 0 { 300 } else { 0 };
                [
                    figures(0, seed, 1_000 + luck),
                    figures(1, seed, 500),
                    figures(2, seed, 1_300 - luck + advantage),
                ]
            })
            .collect();
        report_of(&plan, records)
    }

    #[test]
    fn equal_entries_are_noted_and_one_of_them_is_ranked() {
        let report = report(0);
        let agents = report.budgets[0].agents.iter();
        let ranks: Vec<_> = agents.map(|a| (a.name.as_str(), a.rank)).collect();
        assert_eq!(ranks, [("a", Some(1)), ("b", Some(2)), ("a-twin", None)]);
        assert_eq!(report.budgets[0].pairs.len(), 1);
        let note = report.notes[0].to_string();
        assert!(
            note.starts_with("control: a and its second entry cannot be distinguished"),
            "{note}"
        );
    }

    #[test]
    fn entries_that_differ_make_the_run_suspect() {
        let note = report(400).notes[0].to_string();
        assert!(
            note.starts_with("THIS RUN IS SUSPECT: a and its second entry"),
            "{note}"
        );
    }
}
