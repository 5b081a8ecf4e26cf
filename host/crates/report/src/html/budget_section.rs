//! The results under one budget: the ranking as chart and sentences, then the games behind it.

use std::borrow::Cow;

use maud::{Markup, html};

use super::{
    charts::{
        Chart,
        curve_style::MOST_NAMES,
        distribution_chart::{Distribution, MOST_STEPS, distribution_chart},
        empty_cells_chart::empty_cells_chart,
        pair_chart::pair_chart,
        ranking_chart::{ranking_caption, ranking_chart},
        seed_chart::SeedScores,
        survival_chart::survival_chart,
        tile_chart::tile_chart,
        time_chart::time_chart,
    },
    figure::{Figure, confidence_level},
    served_run::ServedRun,
};
use text::{
    number_text::{count, counted},
    program,
};

use crate::{
    agent_games::AgentGames,
    budget_report::{BudgetReport, MOST_IN_FULL},
    loss::loss_sentences,
    tables::{
        agent_tables::{ENDS, end_table, ranked_table, time_table},
        pair_tables::{DETECTABLE, detectable_list, full_pair_list, page_pairs},
        tile_tables::{empty_cells_table, step_table, tile_table_with_intervals},
    },
    verdict::verdicts,
};

/// Further sentences are folded away.
const MOST_SENTENCES: usize = 12;

/// The figures of one budget, of which there are `n_budgets`; `number` makes their ids unique.
/// `run` is where the page of `host serve` shows them.
pub(super) fn budget_figures<'f>(
    part: &'f BudgetReport,
    games: &[AgentGames<'f>],
    goal: Option<u64>,
    (number, n_budgets): (usize, usize),
    run: Option<ServedRun>,
) -> Vec<Figure<'f>> {
    let id = |what: &str| match n_budgets {
        1 => what.to_owned(),
        _ => format!("{what}-{number}"),
    };
    let mut ranking_caption = ranking_caption(part, goal);
    if run.is_some() {
        ranking_caption += " The small curve: the mean game by game, with its interval as a band.";
    }
    let ranking = Figure {
        id: id("ranking"),
        title: "Ranking",
        caption: ranking_caption,
        chart: ranking_chart(part, goal, run.map(|run| (run, games))),
        below: verdict_list(part),
        table: Some(ranked_table(part, goal).to_html()),
    };
    let tiles_reached = Figure {
        id: id("tiles"),
        title: "Tiles reached",
        caption: format!(
            "Bars: the share of games, in percent, that reached the tile or a higher one. \
             Whiskers: the {} interval. In the table, * marks a rate that differs from that of \
             the agent above, corrected for the table.",
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
        table: Some(time_table(part).to_html()),
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
        table: Some(step_table(part).to_html()),
    });
    let by_empty_cells = empty_cells_chart(part).map(|chart| Figure {
        id: id("empty-cells"),
        title: "Time per move by empty cells",
        caption: "The mean CPU time of a move, by the number of empty cells before it: whether an \
                  agent thinks longest when the board is full. The axis of times is logarithmic."
            .to_owned(),
        chart,
        below: Markup::default(),
        table: empty_cells_table(part).map(|table| table.to_html()),
    });
    let pairs = (!part.pairs.is_empty()).then(|| pairs(part, id("pairs")));
    [
        Some(ranking),
        distributions(games, goal, id("distribution")),
        Some(tiles_reached),
        survival,
        ends(part, games, id("ends")),
        pairs,
        seeds(games, goal, id("seeds"), (number, n_budgets), run),
        Some(time_per_move),
        by_empty_cells,
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn verdict_list(part: &BudgetReport) -> Markup {
    sentence_list(&verdicts(part), "more comparison")
}

/// Sentences, of which the first are shown and the `noun`s after them are folded away.
fn sentence_list(sentences: &[String], noun: &str) -> Markup {
    let list = |sentences: &[String]| {
        html! { ul.verdicts { @for sentence in sentences { li { (sentence) } } } }
    };
    let (shown, folded) = sentences.split_at(sentences.len().min(MOST_SENTENCES));
    html! {
        @if !shown.is_empty() { (list(shown)) }
        @if !folded.is_empty() {
            details {
                summary { (counted(folded.len() as u64, noun)) }
                (list(folded))
            }
        }
    }
}

fn distributions<'f>(games: &[AgentGames], goal: Option<u64>, id: String) -> Option<Figure<'f>> {
    let distributions: Vec<Distribution> = games
        .iter()
        .filter_map(|agent| Distribution::of(agent, goal))
        .collect();
    if distributions.is_empty() {
        return None;
    }
    let (axis, title, caption) = match goal {
        None => (
            "score".to_owned(),
            "Score distributions",
            "The share of games, in percent, with at most the score below. \
             The further right a curve, the better the games.",
        ),
        Some(goal) => (
            format!("number of moves to {goal}"),
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
        chart: distribution_chart(&distributions, &axis),
        below: Markup::default(),
        table: None,
    })
}

/// How games end, and one sentence per agent; `None` where no game was lost or the records do
/// not tell.
fn ends<'f>(part: &BudgetReport, games: &[AgentGames<'f>], id: String) -> Option<Figure<'f>> {
    let distributions: Vec<Distribution> = games
        .iter()
        .filter_map(Distribution::since_highest)
        .collect();
    (!distributions.is_empty()).then(|| Figure {
        id,
        title: "How games are lost",
        caption: "The share of lost games, in percent, that ended within the moves below of a new \
                  highest tile. The further left a curve, the sooner an agent fails after its \
                  best tile. The axis is logarithmic. A board is crowded while fewer than a \
                  quarter of its cells are empty: few crowded moves are a sudden end, many a \
                  slow one."
            .to_owned(),
        chart: distribution_chart(&distributions, "moves after the highest tile was made"),
        below: sentence_list(&loss_sentences(part), "more agent"),
        table: Some(html! { (end_table(part).to_html()) p.meta { (ENDS) "." } }),
    })
}

/// Any two agents on the same seeds. With a goal, games end there and their scores say little.
fn seeds<'f>(
    games: &[AgentGames<'f>],
    goal: Option<u64>,
    id: String,
    (number, n_budgets): (usize, usize),
    run: Option<ServedRun>,
) -> Option<Figure<'f>> {
    let scores = match goal {
        None => SeedScores::of(games, number, n_budgets, run.is_some())?,
        Some(_) => return None,
    };
    let mut caption =
        "One dot per seed, at the scores of two agents on logarithmic axes. Below the \
                       line, the agent on the horizontal axis scored more."
            .to_owned();
    if scores.n_shown() < scores.n_seeds {
        let (n_shown, n_seeds) = (scores.n_shown() as u64, scores.n_seeds as u64);
        let (n_shown, n_seeds) = (count(n_shown), counted(n_seeds, "seed"));
        caption = format!("{caption} Shown are {n_shown} of {n_seeds}, evenly spaced.");
    }
    Some(Figure {
        id,
        title: "Seed by seed",
        caption,
        chart: Chart::Seeds(scores),
        below: html! {
            @if run.is_none() {
                p.meta {
                    "Linked games are replayed below; "
                    code { (program::command("replay RUN --agent AGENT --seed SEED")) } " shows any game."
                }
            }
        },
        table: None,
    })
}

fn pairs(part: &BudgetReport, id: String) -> Figure<'_> {
    let caption = "Row against column: ▲ better, ▼ worse, = cannot be distinguished, \
                   ≈ practically equal, with the mean difference on common seeds. The darker a \
                   cell, the more of the seeds were won.";
    let caption = if part.has_many_agents() {
        let n = part.n_ranked();
        format!("{caption} Only the first {MOST_IN_FULL} of {n} agents are shown.")
    } else {
        caption.to_owned()
    };
    let table = html! {
        (full_pair_list(part).to_html())
        @if page_pairs(part).len() < part.pairs.len() {
            p.meta {
                "Neighbours in the ranking, of " (count(part.pairs.len() as u64)) " pairs; "
                code { (program::command("report RUN --format csv --tables pairs")) } " prints all of them, and "
                code { "--tables matrix" } " who beats whom."
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
        chart: Chart::Pairs(pair_chart(part)),
        below: Markup::default(),
        table: Some(table),
    }
}
