//! The sentences of the methods section on intervals, tests and ranks, with their sources.

use std::collections::BTreeSet;

use plugin_api::Tiles;

use super::{all_agents, reference::Reference};
use crate::{
    report::{
        Report, ReportInput,
        budget_report::BudgetReport,
        decision::{Decision, DecisionState},
    },
    run::run_plan::RunPlan,
    statistics::{FEW_GAMES, effort::Effort, joint_flips::Patterns, mean_interval::MeanMethod},
    text::{
        number_text::{count, counted, percent_with_digits},
        word_list::list,
    },
};

/// The most looks that a sentence names.
const MOST_LOOKS: usize = 12;

/// The sentences, and the sources that they name.
pub(super) fn inference(plan: &RunPlan, report: &Report) -> (Vec<String>, Vec<Reference>) {
    if plan.tournament.tiles == Tiles::Deterministic {
        let sentence = "With deterministic tiles there is nothing to infer: an agent ranks above \
                        another if each of its games is better than each game of the other.";
        return (vec![sentence.to_owned()], Vec::new());
    }
    let (mut sentences, mut references) = match &report.decision {
        Some(decision) => race(plan, report, decision),
        None => fixed_number_of_games(plan, report),
    };
    sentences.extend(checks_of_the_run(report));
    references.push(Reference::WILSON);
    if n_pairs(report) == 0 {
        return (sentences, references);
    }
    sentences.push(
        "Agents have different ranks only where every agent of the better rank is significantly \
         better than every agent of the worse rank; rank ranges follow Mogstad, Romano, Shaikh and \
         Wilhelm (2024)."
            .to_owned(),
    );
    references.push(Reference::MOGSTAD);
    references.sort_unstable();
    (sentences, references)
}

fn n_pairs(report: &Report) -> usize {
    report.budgets.iter().map(|part| part.pairs.len()).sum()
}

/// The tests of the run itself: the control and the private seeds.
fn checks_of_the_run(report: &Report) -> impl Iterator<Item = String> {
    let control = report.budgets.iter().find_map(|part| part.control.as_ref());
    let control = control.map(|pair| {
        format!(
            "As a control, {} entered twice with different random seeds of its own; the run would \
             have been suspect if its two entries had differed at the 1% level.",
            pair.a
        )
    });
    let has_private = all_agents(report).any(|agent| agent.private_seeds.is_some());
    let private = has_private.then(|| {
        "Each agent also played private seeds, which no other agent played, and its scores on \
         shared seeds were tested for being higher; games on private seeds count in no other figure."
            .to_owned()
    });
    control.into_iter().chain(private)
}

fn compared(plan: &RunPlan, report: &Report) -> String {
    let measure = if plan.tournament.ranking_goal().is_some() {
        "the rate of reaching the goal and, between equal rates, the moves to it"
    } else {
        "the score"
    };
    format!(
        "Agents were compared in {} by {measure} on the seeds that both played",
        counted(n_pairs(report) as u64, "pair")
    )
}

/// Claims under different budgets are not corrected for each other.
fn under_each_budget(report: &Report) -> &'static str {
    match report.budgets.len() {
        1 => "",
        _ => " under each budget",
    }
}

fn fixed_number_of_games(plan: &RunPlan, report: &Report) -> (Vec<String>, Vec<Reference>) {
    let confidence = ReportInput::of(plan).confidence();
    let level = percent_with_digits(confidence.level);
    let error = percent_with_digits(confidence.significance());
    let patterns: Vec<Patterns> = report
        .budgets
        .iter()
        .filter_map(|part: &BudgetReport| part.patterns)
        .collect();
    let few = all_agents(report).any(|agent| agent.summary.few);
    let mean_methods = mean_methods(report);
    let means = if mean_methods.is_empty() {
        "Means of one game have no interval".to_owned()
    } else {
        let methods: Vec<String> = mean_methods.iter().map(|m| mean_method(*m)).collect();
        format!("Means have {level} intervals: {}", list(&methods))
    };
    let mut sentences = vec![format!(
        "{means}; rates have Wilson intervals (1927){}.",
        small_samples(few)
    )];
    let used = |condition: bool, reference| condition.then_some(reference);
    let mut references = Vec::new();
    references.extend(used(
        mean_methods.contains(&MeanMethod::Bootstrap),
        Reference::EFRON,
    ));
    references.extend(used(
        mean_methods.contains(&MeanMethod::ClosedForm),
        Reference::HALL,
    ));
    if n_pairs(report) == 0 {
        return (sentences, references);
    }
    sentences.extend([
        format!(
            "{}, with a two-sided sign-flip test of the mean difference (Fisher 1935). The signs of \
             all differences of a seed were flipped together, and each pair was compared with the \
             largest statistic among itself and the pairs with less evidence (Westfall and Young \
             1993; Romano and Wolf 2005), over {}. Among agents with equally distributed scores, the \
             probability of any false claim is at most {error}{}.",
            compared(plan, report),
            effort(&patterns),
            under_each_budget(report)
        ),
        format!(
            "Intervals of differences invert this test with the largest statistic over all pairs, at \
             a level that allows for skewed scores, so that their joint coverage is about \
             {level}; an interval ends at 0 where the stepped-down test decides its sign."
        ),
    ]);
    references.extend([Reference::FISHER, Reference::WESTFALL, Reference::ROMANO]);
    references.extend(used(patterns.iter().any(|p| !p.all), Reference::DAVISON));
    (sentences, references)
}

/// The methods that the intervals of means were really computed with.
fn mean_methods(report: &Report) -> BTreeSet<MeanMethod> {
    let n_figures = all_agents(report).count();
    let effort = Effort::FULL.shared_by(n_figures);
    all_agents(report)
        .map(|agent| agent.summary.games)
        .filter(|games| *games > 1)
        .map(|games| MeanMethod::for_sample(games, effort))
        .collect()
}

fn mean_method(method: MeanMethod) -> String {
    match method {
        MeanMethod::Student => "Student's t below 10 games".to_owned(),
        MeanMethod::Bootstrap => format!(
            "bootstrap-t (Efron 1981; {} resamples from a generator with a fixed seed; Student's t \
             where 1% of the resamples have no spread)",
            count(Effort::FULL.resamples as u64)
        ),
        MeanMethod::ClosedForm => {
            "the skewness correction of Hall (1992), for samples too large to resample".to_owned()
        }
    }
}

/// The sign patterns that were really tried.
fn effort(patterns: &[Patterns]) -> String {
    let mut texts: Vec<String> = patterns
        .iter()
        .map(|patterns| {
            let kind = if patterns.all { "all" } else { "random" };
            match (patterns.all, count(patterns.count as u64)) {
                (true, n) if patterns.count == 1 => format!("{n} sign pattern"),
                (true, n) => format!("{kind} {n} sign patterns"),
                (false, n) => format!(
                    "{n} {kind} sign patterns with p-values of (b + 1) / (m + 1) (Davison and Hinkley \
                     1997)"
                ),
            }
        })
        .collect();
    texts.dedup();
    list(&texts)
}

fn small_samples(few: bool) -> &'static str {
    const { assert!(FEW_GAMES == 30, "the sentence names the number") };
    if few {
        "; below 30 games the coverage of intervals is not assured"
    } else {
        ""
    }
}

fn race(plan: &RunPlan, report: &Report, decision: &Decision) -> (Vec<String>, Vec<Reference>) {
    let input = ReportInput::of(plan);
    let level = percent_with_digits(input.confidence().level);
    let looks: Vec<String> = input
        .race_rule()
        .map_or(Vec::new(), |rule| rule.looks)
        .iter()
        .map(|n| count(*n))
        .collect();
    let looks = if looks.len() > MOST_LOOKS {
        format!(
            "{} looks at the data, after {} seeds and then after every tenth part more up to {}",
            looks.len(),
            looks[0],
            looks[looks.len() - 1]
        )
    } else {
        format!("looks after {} seeds", list(&looks))
    };
    let equal = input.stop.and_then(|stop| stop.equal_within).map(|share| {
        format!(
            " Two agents counted as practically equal when there was as much evidence against a \
             difference of {} of the better mean in either direction (Schuirmann 1987).",
            percent_with_digits(share)
        )
    });
    let end = match &decision.state {
        DecisionState::Unfinished { seeds } => {
            format!("the look after {} is not complete", counted(*seeds, "seed"))
        }
        DecisionState::Settled { seeds } => {
            format!("every pair was decided after {}", counted(*seeds, "seed"))
        }
        DecisionState::Open { seeds, pairs } => format!(
            "after {}, the maximum, the decision was open for {}",
            counted(*seeds, "seed"),
            counted(pairs.len() as u64, "pair")
        ),
    };
    let sentences = vec![
        format!(
            "Means have a {level} confidence sequence, which holds at any number of games; rates have \
             Wilson intervals (1927), which do not allow for the choice of that number."
        ),
        format!(
            "{} with a confidence sequence for symmetric differences, the normal mixture of de la \
             Pena (1999) and Howard et al. (2021), and Holm's procedure in sequence (Bartroff and Song \
             2014): the probability of any false decision at any time is at most {}{}.{}",
            compared(plan, report),
            percent_with_digits(input.confidence().significance()),
            under_each_budget(report),
            equal.as_deref().unwrap_or_default()
        ),
        format!(
            "An agent played until all of its pairs were decided (a race, Maron and Moore 1994), with \
             {looks}; {end}."
        ),
    ];
    let mut references = vec![
        Reference::DE_LA_PENA,
        Reference::HOWARD,
        Reference::BARTROFF,
        Reference::MARON,
    ];
    references.extend(equal.map(|_| Reference::SCHUIRMANN));
    (sentences, references)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effort_is_the_one_that_was_spent() {
        let of = |count, all| effort(&[Patterns { count, all }]);
        assert!(of(1_234, false).starts_with("1,234 random sign patterns"));
        assert_eq!(of(1_024, true), "all 1,024 sign patterns");
    }
}
