//! Where an agent stands: its figures, and its difference from another agent.

use maud::{Markup, html};

use text::number_text::{NONE, amount, counted, p_value, percent};

use crate::{
    AgentReport, BudgetReport, PairVerdict,
    estimate_text::{of_measure, with_interval},
    html::figure::confidence_level,
    tables::agent_tables::PARTICIPANT_PAGE,
};

/// A text with more letters takes a row of its own.
const LONG: usize = 60;

/// The rank and the figures of an agent.
pub(super) fn place(agent: &AgentReport, part: &BudgetReport) -> Markup {
    let n_ranked = part
        .agents
        .iter()
        .filter(|agent| agent.rank.is_some())
        .count();
    let level = confidence_level(part);
    let summary = &agent.summary;
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |term: &str, text: String| facts.push((term.to_owned(), text));
    match (agent.rank, agent.rank_range) {
        (Some(rank), Some(range)) => {
            fact("Rank", format!("{rank} of {n_ranked}"));
            fact(
                &format!("Rank range ({level})"),
                format!("{} to {}", range.best, range.worst),
            );
        }
        _ => fact("Rank", "none".to_owned()),
    }
    if let Some(disqualified) = &agent.disqualified {
        fact("Disqualified", disqualified.fault.clone());
    }
    if let Some(mean) = summary.mean {
        let text = with_interval(mean, summary.mean_interval, amount);
        fact(&format!("Mean score [{level}]"), text);
    }
    if let Some(goal) = summary.goal {
        fact("Goal reached", percent(goal.rate));
    }
    for (term, column) in PARTICIPANT_PAGE {
        fact(term, column.cell(agent));
    }
    fact(
        "Faults",
        format!(
            "{} in {}",
            summary.n_faults(),
            counted(summary.games as u64, "game")
        ),
    );
    html! {
        dl.facts {
            @for (term, text) in &facts {
                div.wide[text.len() > LONG] { dt { (term) } dd { (text) } }
            }
        }
    }
}

pub(super) fn rank(agent: &AgentReport) -> String {
    agent.rank.map_or(NONE.into(), |rank| rank.to_string())
}

pub(super) fn mean(agent: &AgentReport) -> String {
    agent.summary.mean.map_or(NONE.into(), amount)
}

/// Three cells: the difference, its p-value and what follows, from the agent's point of view.
pub(super) fn comparison(part: &BudgetReport, own: &str, other: &str) -> Markup {
    let place = |name: &str| part.agents.iter().position(|agent| agent.name == name);
    let places = place(own).zip(place(other));
    let Some((pair, is_first)) = places.and_then(|(own, other)| part.pair(own, other)) else {
        return html! { td {} td {} td { "not compared" } };
    };
    let verdict = if is_first {
        pair.verdict
    } else {
        pair.verdict.mirrored()
    };
    let verdict = match verdict {
        PairVerdict::FirstIsBetter => "you are better",
        PairVerdict::SecondIsBetter => "is better than you",
        PairVerdict::Equal => "practically equal",
        PairVerdict::Open => "cannot be distinguished",
    };
    let mirrored = |number: f64| if is_first { number } else { -number };
    let interval = pair.interval.map(|interval| {
        if is_first {
            interval
        } else {
            interval.negated()
        }
    });
    let measure = pair.comparison.measure;
    let difference = pair
        .comparison
        .mean_difference
        .map_or(NONE.into(), |difference| {
            with_interval(mirrored(difference), interval, |number| {
                of_measure(measure, number)
            })
        });
    let p_value = pair.p_adjusted.map_or(NONE.into(), p_value);
    html! { td { (difference) } td.n { (p_value) } td { (verdict) } }
}
