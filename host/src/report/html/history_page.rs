//! The page of several runs: the places of all agents, as a chart and as a table.

use maud::html;

use super::{
    charts::{distribution_chart::MOST_NAMES, places_chart::places_chart},
    figure::Figure,
    page_frame::{PageFrame, Section},
};
use crate::{
    report::history::{AgentHistory, History},
    text::{duration_text::readable_times, number_text::counted},
};

/// The text of the file.
#[must_use]
pub fn history_page(history: &History) -> String {
    let budgets: Vec<&[AgentHistory]> = history
        .agents
        .chunk_by(|one, other| one.budget == other.budget)
        .collect();
    let sections = budgets.iter().enumerate().map(|(number, agents)| {
        let title = match &agents[0].budget {
            Some(label) => format!("Places, budget {}", readable_times(label)),
            None => "Places".to_owned(),
        };
        let id = format!("places-{number}");
        let drawn: Vec<&AgentHistory> = agents.iter().collect();
        let figure = places_chart(&history.runs, &drawn).map(|chart| Figure {
            id: format!("chart-of-{id}"),
            title: "From run to run",
            caption: "Each curve is an agent, the first place is on top. Agents that cannot be \
                      distinguished share a place; the table has the range of places that an \
                      agent may truly have."
                .to_owned(),
            chart,
            below: html! {
                @if agents.len() > MOST_NAMES {
                    p { "The best " (MOST_NAMES) " agents of the last run are named; all are drawn." }
                }
            },
            table: None,
        });
        let table = history.table_of(agents).to_html();
        let content = html! {
            @if let Some(figure) = &figure { (figure) }
            div.scroll tabindex="0" { (table) }
        };
        Section::new(&id, &title, content)
    });
    let frame = PageFrame {
        title: "Places over runs".to_owned(),
        kicker: "Arena 2048 history",
        introduction: html! {
            p.summary {
                (counted(history.runs.len() as u64, "run")) ", oldest first: " (history.runs.join(", "))
                ". Every run is judged by itself."
            }
        },
        sections: sections.collect(),
        footer: html! { p { "Made from the game logs by " code { "host report RUN --history EARLIER… --html FILE" } "." } },
    };
    frame.to_html()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::history::Place;

    #[test]
    fn every_place_is_a_dot_and_a_missing_run_interrupts_the_curve() {
        let place = |rank| {
            Some(Place {
                rank: Some(rank),
                rank_best: Some(rank),
                rank_worst: Some(rank),
                ranked: 2,
                mean: Some(1.0),
                games: 3,
                disqualified: false,
            })
        };
        let agent = |name: &str, places: Vec<Option<Place>>| AgentHistory {
            name: name.into(),
            budget: None,
            places,
        };
        let history = History {
            runs: vec!["week-1".into(), "week-2".into(), "<week-3>".into()],
            agents: vec![
                agent("fox", vec![place(2), None, place(1)]),
                agent("owl", vec![place(1), place(1), place(2)]),
            ],
        };
        let html = history_page(&history);
        let page = &html[..html.find("<template>").unwrap()];
        assert_eq!(page.matches("<circle").count(), 5, "{page}");
        // One curve: the fox has no two runs in a row.
        assert_eq!(page.matches("<path").count(), 1, "{page}");
        assert!(html.contains("&lt;week-3&gt;") && html.contains("fox"));
    }
}
