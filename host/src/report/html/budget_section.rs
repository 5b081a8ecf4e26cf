//! Everything about one budget: the ranking in a picture and in words, then the games
//! behind it.

use super::{
    agent_games::AgentGames,
    distribution_chart::{Distribution, MOST_NAMES, MOST_STEPS, distribution_chart},
    markup::{Append, Escaped, Figure, confidence},
    pair_chart::{self, pair_chart},
    ranking_chart::{ranking_caption, ranking_chart},
    tile_chart::tile_chart,
    time_chart::time_chart,
};
use crate::report::{
    budget_report::BudgetReport, fairness_table::fairness_table, number_text::count,
    pair_tables::pair_list, ranked_table::ranked_table, tile_table::tile_table_with_intervals,
    verdict::verdicts,
};

/// A table of more pairs would be most of the page.
const MOST_PAIRS: usize = 500;

/// So many comparisons are told in words before the rest is folded away.
const MOST_VERDICTS: usize = 12;

/// Markup; `number` makes the names of its parts unique.
pub(super) fn budget_section(
    part: &BudgetReport,
    games: &[AgentGames],
    goal: Option<u64>,
    number: usize,
) -> String {
    let id = |what: &str| format!("{what}-{number}");
    let mut section = Figure {
        id: &id("ranking"),
        title: "Ranking",
        caption: &ranking_caption(part, goal),
        chart: &format!("{}{}", ranking_chart(part, goal), in_words(part)),
        table: &ranked_table(part, goal).to_html(),
    }
    .to_string();
    section += &distributions(games, goal, &id("distribution"));
    section += &Figure {
        id: &id("tiles"),
        title: "Tiles reached",
        caption: &format!(
            "Bars: the share of games, in percent, that reached the tile or a higher one. Whiskers: {} interval.",
            confidence(part)
        ),
        chart: &tile_chart(part),
        table: &tile_table_with_intervals(part).to_html(),
    }
    .to_string();
    if !part.pairs.is_empty() {
        section += &pairs(part, &id("pairs"));
    }
    section += &Figure {
        id: &id("times"),
        title: "Time of a move",
        caption: "Dot: the median. Line: up to 99 of 100 moves. Ring: the slowest move. Logarithmic axis.",
        chart: &time_chart(part),
        table: &fairness_table(part).to_html(),
    }
    .to_string();
    section
}

fn in_words(part: &BudgetReport) -> String {
    let verdicts = verdicts(part);
    let list = |sentences: &[String]| {
        let items: Vec<String> = sentences
            .iter()
            .map(|sentence| format!("<li>{}</li>", Escaped(sentence)))
            .collect();
        format!("<ul class=\"verdicts\">{}</ul>\n", items.join("\n"))
    };
    let (shown, folded) = verdicts.split_at(verdicts.len().min(MOST_VERDICTS));
    match (shown, folded) {
        ([], _) => String::new(),
        (shown, []) => list(shown),
        (shown, folded) => format!(
            "{}<details><summary>{} more comparisons</summary>{}</details>\n",
            list(shown),
            folded.len(),
            list(folded)
        ),
    }
}

fn distributions(games: &[AgentGames], goal: Option<u64>, id: &str) -> String {
    let distributions: Vec<Distribution> = games
        .iter()
        .filter_map(|agent| Distribution::of(agent.name, &agent.games, goal))
        .collect();
    if distributions.is_empty() {
        return String::new();
    }
    let (title, caption) = match goal {
        None => (
            "Score distributions",
            "The share of games, in percent, that scored no more than the number below. \
             The further right a curve, the better the games.",
        ),
        Some(_) => (
            "Moves to the goal",
            "The share of games, in percent, that had reached the goal after the moves below. \
             A curve ends at the share that ever got there.",
        ),
    };
    let mut caption = caption.to_owned();
    if distributions.iter().any(Distribution::has_zeros) {
        caption += " Games without a point stand at the left edge.";
    }
    if distributions.len() > MOST_NAMES {
        caption.append(format_args!(
            " The {MOST_NAMES} best are named, all {} are drawn.",
            distributions.len()
        ));
    }
    if games.iter().any(|agent| agent.games.len() > MOST_STEPS) {
        caption.append(format_args!(
            " A curve of more than {MOST_STEPS} games is drawn through {MOST_STEPS} of them, evenly by rank."
        ));
    }
    Figure {
        id,
        title,
        caption: &caption,
        chart: &distribution_chart(&distributions, goal),
        table: "",
    }
    .to_string()
}

fn pairs(part: &BudgetReport, id: &str) -> String {
    let mut caption = "Row against column: ▲ better, ▼ worse, = not told apart, with the mean difference on common seeds. \
                       The darker, the more of the seeds were won."
        .to_owned();
    let n_ranked = part
        .agents
        .iter()
        .filter(|agent| agent.rank.is_some())
        .count();
    if n_ranked > pair_chart::MOST_AGENTS {
        caption.append(format_args!(
            " Shown are the first {} of {n_ranked} agents.",
            pair_chart::MOST_AGENTS
        ));
    }
    let mut table = pair_list(part);
    let mut rest = String::new();
    if part.pairs.len() > MOST_PAIRS {
        for column in &mut table.columns {
            column.cells.truncate(MOST_PAIRS);
        }
        rest = format!(
            "<p class=\"meta\">The first {MOST_PAIRS} of {} pairs; <code>host report RUN --format json</code> has them all.</p>",
            count(part.pairs.len() as u64)
        );
    }
    Figure {
        id,
        title: "Who beats whom",
        caption: &caption,
        chart: &pair_chart(part),
        table: &(table.to_html() + &rest),
    }
    .to_string()
}
