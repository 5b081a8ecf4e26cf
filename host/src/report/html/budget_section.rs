//! The results under one budget: the ranking as chart and sentences, then the games behind it.

use std::borrow::Cow;

use maud::{Markup, html};

use super::{
    agent_games::AgentGames,
    charts::{
        distribution_chart::{Distribution, MOST_NAMES, MOST_STEPS, distribution_chart},
        pair_chart::{self, pair_chart},
        ranking_chart::{ranking_caption, ranking_chart},
        survival_chart::{survival_chart, survival_table},
        tile_chart::tile_chart,
        time_chart::time_chart,
    },
    figure::{Figure, confidence_level},
};
use crate::{
    report::{
        budget_report::BudgetReport,
        tables::{
            fairness_table::fairness_table,
            pair_tables::{DETECTABLE, detectable_list, full_pair_list},
            ranked_table::ranked_table,
            tile_table::tile_table_with_intervals,
        },
        verdict::verdicts,
    },
    text::number_text::{count, counted},
};

/// A table of more pairs would be most of the page.
const MOST_PAIRS: usize = 500;

/// Further comparisons are folded away.
const MOST_VERDICTS: usize = 12;

/// The figures of one budget; `number` makes their ids unique.
pub(super) fn budget_figures<'f>(
    part: &'f BudgetReport,
    games: &[AgentGames],
    goal: Option<u64>,
    number: usize,
) -> Vec<Figure<'f>> {
    let id = |what: &str| format!("{what}-{number}");
    let ranking = Figure {
        id: id("ranking"),
        title: "Ranking",
        caption: ranking_caption(part, goal),
        chart: ranking_chart(part, goal),
        below: verdict_list(part),
        table: Some(ranked_table(part, goal).to_html()),
    };
    let tiles_reached = Figure {
        id: id("tiles"),
        title: "Tiles reached",
        caption: format!(
            "Bars: the share of games, in percent, that reached the tile or a higher one. \
             Whiskers: the {} interval.",
            confidence_level(part)
        ),
        chart: tile_chart(part),
        below: Markup::default(),
        table: Some(tile_table_with_intervals(part).to_html()),
    };
    let time_per_move = Figure {
        id: id("times"),
        title: "Time per move",
        caption: "Dot: the median. Line: up to the 99th percentile. Ring: the slowest move. \
                  The axis is logarithmic."
            .to_owned(),
        chart: time_chart(part),
        below: Markup::default(),
        table: Some(fairness_table(part).to_html()),
    };
    let survival = survival_chart(part).map(|chart| Figure {
        id: id("survival"),
        title: "From tile to tile",
        caption: format!(
            "Of the games that made a tile, the share that went on to make the next one: a low \
             point is where an agent loses. Bars: {} intervals; the axis is in percent.",
            confidence_level(part)
        ),
        chart,
        below: Markup::default(),
        table: Some(survival_table(part).to_html()),
    });
    let pairs = (!part.pairs.is_empty()).then(|| pairs(part, id("pairs")));
    [
        Some(ranking),
        distributions(games, goal, id("distribution")),
        Some(tiles_reached),
        survival,
        pairs,
        Some(time_per_move),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn verdict_list(part: &BudgetReport) -> Markup {
    let verdicts = verdicts(part);
    let list = |sentences: &[String]| {
        html! { ul.verdicts { @for sentence in sentences { li { (sentence) } } } }
    };
    let (shown, folded) = verdicts.split_at(verdicts.len().min(MOST_VERDICTS));
    html! {
        @if !shown.is_empty() { (list(shown)) }
        @if !folded.is_empty() {
            details {
                summary { (counted(folded.len() as u64, "more comparison")) }
                (list(folded))
            }
        }
    }
}

fn distributions(games: &[AgentGames], goal: Option<u64>, id: String) -> Option<Figure<'static>> {
    let distributions: Vec<Distribution> = games
        .iter()
        .filter_map(|agent| Distribution::of(agent.name, &agent.games, goal))
        .collect();
    if distributions.is_empty() {
        return None;
    }
    let (title, caption) = match goal {
        None => (
            "Score distributions",
            "The share of games, in percent, with at most the score below. \
             The further right a curve, the better the games.",
        ),
        Some(_) => (
            "Moves to the goal",
            "The share of games, in percent, that had reached the goal after the moves below. \
             A curve ends at the share that reached it at all.",
        ),
    };
    let mut sentences: Vec<Cow<str>> = vec![caption.into()];
    if distributions.iter().any(Distribution::has_zeros) {
        sentences.push("Games with a score of 0 are at the left edge.".into());
    }
    if distributions.len() > MOST_NAMES {
        let n_drawn = distributions.len();
        let sentence = format!("The best {MOST_NAMES} agents are named; all {n_drawn} are drawn.");
        sentences.push(sentence.into());
    }
    if games.iter().any(|agent| agent.games.len() > MOST_STEPS) {
        let sentence = format!(
            "Curves of more than {MOST_STEPS} games are drawn through {MOST_STEPS} of them, \
             evenly spaced by rank."
        );
        sentences.push(sentence.into());
    }
    Some(Figure {
        id,
        title,
        caption: sentences.join(" "),
        chart: distribution_chart(&distributions, goal),
        below: Markup::default(),
        table: None,
    })
}

fn pairs(part: &BudgetReport, id: String) -> Figure<'_> {
    let caption = "Row against column: ▲ better, ▼ worse, = cannot be distinguished, \
                   ≈ practically equal, with the mean difference on common seeds. The darker a \
                   cell, the more of the seeds were won.";
    let n_ranked = part.agents.iter().filter(|agent| agent.rank.is_some());
    let caption = match n_ranked.count() {
        n if n > pair_chart::MOST_AGENTS => {
            let most = pair_chart::MOST_AGENTS;
            format!("{caption} Only the first {most} of {n} agents are shown.")
        }
        _ => caption.to_owned(),
    };
    let mut table = full_pair_list(part);
    for column in &mut table.columns {
        column.cells.truncate(MOST_PAIRS);
    }
    let table = html! {
        (table.to_html())
        @if part.pairs.len() > MOST_PAIRS {
            p.meta {
                "The first " (MOST_PAIRS) " of " (count(part.pairs.len() as u64)) " pairs; "
                code { "host report RUN --format json" } " prints all of them."
            }
        }
        @if let Some(detectable) = detectable_list(part) {
            p { (DETECTABLE) "." }
            (detectable.to_html())
        }
    };
    Figure {
        id,
        title: "Who beats whom",
        caption,
        chart: pair_chart(part),
        below: Markup::default(),
        table: Some(table),
    }
}
