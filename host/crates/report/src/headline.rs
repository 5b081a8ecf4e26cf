//! The result under one budget in a sentence or two.

use text::{
    listing::first_listed,
    number_text::{amount, count, counted, decimals, percent},
};

use crate::{
    budget_report::{AgentReport, BudgetReport},
    pair_report::PairVerdict,
};

/// Further names are counted.
const MOST_NAMES: usize = 4;

/// `None` without a ranked agent.
#[must_use]
pub fn headline(part: &BudgetReport) -> Option<String> {
    let ranked = &part.agents[..part.n_ranked()];
    let first = ranked.first()?;
    let n_first = ranked
        .iter()
        .take_while(|agent| agent.rank == first.rank)
        .count();
    let sentence = match (n_first, ranked.get(1)) {
        (1, None) => format!("{}: {}.", first.name, strength(first)),
        (1, Some(second)) => format!(
            "{} wins: {}{}.",
            first.name,
            strength(first),
            comparison(first, second)
        ),
        _ => {
            let names: Vec<&str> = ranked[..n_first]
                .iter()
                .map(|agent| agent.name.as_str())
                .collect();
            format!(
                "{} share rank 1: these games do not tell which of them is best.",
                first_listed(names, MOST_NAMES)
            )
        }
    };
    let decided = part
        .pairs
        .iter()
        .filter(|pair| pair.verdict != PairVerdict::Open);
    let decided = decided.count() as u64;
    Some(match part.pairs.len() as u64 {
        0 => sentence,
        n_pairs => format!(
            "{sentence} {} of {} {} decided.",
            count(decided),
            counted(n_pairs, "pair"),
            if n_pairs == 1 { "is" } else { "are" }
        ),
    })
}

fn strength(agent: &AgentReport) -> String {
    match agent.summary.goal {
        Some(rate) => format!("it reached the goal in {} of its games", percent(rate.rate)),
        None => format!(
            "mean score {}",
            amount(agent.summary.mean.unwrap_or_default())
        ),
    }
}

/// How far the first is ahead of the second.
fn comparison(first: &AgentReport, second: &AgentReport) -> String {
    match (first.summary.goal, second.summary.goal) {
        (Some(_), Some(rate)) => format!(", {} in {}", second.name, percent(rate.rate)),
        _ => match (first.summary.mean, second.summary.mean) {
            (Some(one), Some(other)) if other > 0.0 => {
                format!(
                    ", {} times that of {}",
                    decimals(one / other, 1),
                    second.name
                )
            }
            _ => String::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{plan, report_of};
    use run::example::figures;

    #[test]
    fn the_winner_is_named_only_where_the_games_show_it() {
        let plan = plan(&["a", "b", "c"]);
        let games = |scores: [u64; 3]| {
            let games = (1..=40_u64).flat_map(|seed| {
                (0..3).map(move |agent| figures(agent, seed, scores[agent] + 10 * (seed % 7)))
            });
            report_of(&plan, games.collect::<Vec<_>>())
        };
        let sentence = |scores| headline(&games(scores).budgets[0]).expect("a sentence");
        assert_eq!(
            sentence([2_000, 1_000, 500]),
            "a wins: mean score 2,030, 2.0 times that of b. 3 of 3 pairs are decided."
        );
        assert_eq!(
            sentence([2_000, 2_000, 500]),
            "a and b share rank 1: these games do not tell which of them is best. 2 of 3 pairs are decided."
        );
    }
}
