//! The report as one page that opens anywhere: no network, no library, no server.
//!
//! A further rendering of the same figures: what it draws stands in the tables of
//! the terminal, too, and the same log gives the same bytes. Drawings are written by
//! hand (see `drawing`), for a page that is kept with its run must open in ten
//! years. The only script replays games; a policy in the page forbids everything
//! else, whatever an agent's name may contain.

mod agent_games;
mod board;
mod budget_curve;
mod budget_section;
mod curve_style;
mod distribution_chart;
mod drawing;
mod fault_cards;
pub(super) mod markup;
mod pair_chart;
mod provenance;
mod ranking_chart;
mod replays;
mod row_chart;
mod scale;
mod script_hash;
mod tile_chart;
mod time_chart;

#[cfg(test)]
pub(crate) mod example;

use std::collections::BTreeSet;

use super::{
    Note, Report,
    number_text::{count, counted},
};
use crate::{game_record::GameRecord, run_plan::RunPlan};
use agent_games::{AgentGames, agent_games};
use budget_section::budget_section;
use fault_cards::fault_cards;
use markup::{Append, Escaped, Figure};
use provenance::provenance;
use replays::{choose_games, replays};
use script_hash::script_hash;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/replay.js");

/// What a page is made of.
pub struct Page<'p> {
    report: &'p Report,
    plan: &'p RunPlan,
    n_games: usize,
    /// One list a budget.
    games: Vec<Vec<AgentGames<'p>>>,
}

impl<'p> Page<'p> {
    /// `report` is the report of these records, which need no moves where tiles are random.
    #[must_use]
    pub fn new(report: &'p Report, plan: &'p RunPlan, records: &'p [GameRecord]) -> Self {
        Self {
            report,
            plan,
            n_games: records.len(),
            games: agent_games(report, &plan.report_input(), records),
        }
    }

    /// The numbers of the games whose moves the page needs.
    #[must_use]
    pub fn games_to_replay(&self) -> BTreeSet<u64> {
        let chosen = choose_games(&self.games, self.report.goal).0;
        chosen.iter().map(|chosen| chosen.game.game).collect()
    }

    /// The page; `replayed` are the whole records of these games.
    #[must_use]
    pub fn html(&self, replayed: &[GameRecord]) -> String {
        let Self {
            report,
            plan,
            games,
            ..
        } = self;
        let mut sections: Vec<Section> = Vec::new();
        if report.budgets.len() > 1 {
            let content = strength(report, plan);
            sections.push(Section::new("strength", "Strength against budget", content));
        }
        for (number, (part, games)) in report.budgets.iter().zip(games).enumerate() {
            let title = match &part.budget.label {
                Some(label) if report.budgets.len() > 1 => format!("Budget {label}"),
                _ => "Result".to_owned(),
            };
            let content = budget_section(part, games, report.goal, number);
            sections.push(Section::new(&format!("result-{number}"), &title, content));
        }
        let faults = fault_cards(report);
        if !faults.is_empty() {
            sections.push(Section::new("faults", "Faults", faults));
        }
        let games = replays(plan, games, replayed);
        sections.push(Section::new("replay", "Replay", games));
        sections.push(Section::new("provenance", "Provenance", provenance(plan)));
        page(report, plan, self.n_games, &sections)
    }
}

struct Section {
    id: String,
    title: String,
    /// Markup.
    content: String,
}

impl Section {
    fn new(id: &str, title: &str, content: String) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            content,
        }
    }
}

fn page(report: &Report, plan: &RunPlan, n_games: usize, sections: &[Section]) -> String {
    let name = Escaped(&report.name);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src '{}'; base-uri 'none'; form-action 'none'\">\n\
         <title>{name} – Arena 2048</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"kicker\">Arena 2048 tournament</p>\n<h1>{name}</h1>\n<p class=\"summary\">{}</p>\n",
        script_hash(SCRIPT),
        Escaped(&summary(report, plan, n_games))
    );
    page += &notes(report);
    page += "<nav aria-label=\"Sections\">";
    for Section { id, title, .. } in sections {
        page.append(format_args!("<a href=\"#{id}\">{}</a>", Escaped(title)));
    }
    page += "</nav>\n</header>\n<main>\n";
    for Section { id, title, content } in sections {
        page.append(format_args!(
            "<section id=\"{id}\">\n<h2>{}</h2>\n{content}</section>\n",
            Escaped(title)
        ));
    }
    page + &format!(
        "</main>\n<footer><p>Made by <code>host report RUN --html FILE</code> from the game log alone; \
         RUN is the folder of the run. <code>host verify RUN</code> replays every record.</p></footer>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn summary(report: &Report, plan: &RunPlan, n_games: usize) -> String {
    let tournament = &plan.tournament;
    let n_seeds = match &report.decision {
        Some(decision) => decision.seeds(),
        None => tournament.seeds.len(),
    };
    let budgets = match tournament.budgets.as_slice() {
        [only] => only.label(),
        several => format!("{} budgets", several.len()),
    };
    format!(
        "{} · {} · {} · {budgets} · board {}",
        counted(plan.entrants.len() as u64, "agent"),
        counted(n_seeds, "seed"),
        counted(n_games as u64, "game"),
        tournament.side
    )
}

/// What a reader must know before believing the figures. Faults have a section.
fn notes(report: &Report) -> String {
    let about_figures = |note: &&Note| !matches!(note, Note::Faults { .. });
    let kept: Vec<&Note> = report.notes.iter().filter(about_figures).collect();
    if kept.is_empty() {
        return String::new();
    }
    let mut notes = "<ul class=\"notes\">\n".to_owned();
    for note in kept {
        notes.append(format_args!("<li>{}</li>\n", Escaped(&note.to_string())));
    }
    notes + "</ul>\n"
}

fn strength(report: &Report, plan: &RunPlan) -> String {
    let chart = budget_curve::budget_curve(report, &plan.tournament.budgets);
    let what = match report.goal {
        Some(goal) => format!("The share of games that reached {goal}"),
        None => "The mean score, on a logarithmic axis,".to_owned(),
    };
    let first = report.budgets.first();
    let confidence = first.map_or_else(String::new, markup::confidence);
    let n_agents = plan.entrants.len();
    let limit = if n_agents > distribution_chart::MOST_NAMES {
        format!(
            " The {} best under the last budget are named, all {} are drawn.",
            distribution_chart::MOST_NAMES,
            count(n_agents as u64)
        )
    } else {
        String::new()
    };
    let figure = Figure {
        id: "strength-chart",
        title: "What more budget buys",
        caption: &format!("{what} under each budget; bars are {confidence} intervals.{limit}"),
        chart: &chart,
        table: "",
    };
    figure.to_string()
}

#[cfg(test)]
mod tests {
    use super::{example::*, *};

    #[test]
    fn the_same_log_gives_the_same_page() {
        let plan = plan(4, &["left", "right"]);
        let mut records = played_games(&plan, &["left", "right"], 5);
        let first = page_of(&plan, &records);
        records.reverse();
        assert_eq!(page_of(&plan, &records), first);
        assert!(first.ends_with("</html>\n"));
    }

    #[test]
    fn only_the_games_to_replay_need_their_moves() {
        let plan = plan(4, &["left", "right"]);
        let records = played_games(&plan, &["left", "right"], 5);
        let mut figures = records.clone();
        for record in &mut figures {
            record.moves.clear();
        }
        let report = Report::new(&plan.report_input(), &figures);
        let page = Page::new(&report, &plan, &figures);
        let wanted = page.games_to_replay();
        assert_eq!(wanted.len(), 6, "best, median and worst of two agents");
        let is_wanted = |record: &&GameRecord| wanted.contains(&record.game);
        let replayed: Vec<GameRecord> = records.iter().filter(is_wanted).cloned().collect();
        assert_eq!(page.html(&replayed), page_of(&plan, &records));
    }

    #[test]
    fn every_kind_of_text_is_escaped() {
        let evil = "<script>alert(1)</script>\"'&";
        let mut plan = plan(4, &["good", evil]);
        plan.tournament.name = evil.into();
        plan.machine.cpu = evil.into();
        plan.entrants[1].plugin.info.author = evil.into();
        plan.entrants[1].params = format!("{{\"x\":\"{evil}\"}}");
        let mut records = played_games(&plan, &["good", evil], 3);
        records[1].ending = crate::game_record::Ending::Panic;
        records[1].fault = Some(evil.into());
        let page = page_of(&plan, &records);
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(page.matches("&lt;script&gt;").count() > 10);
    }

    #[test]
    fn a_log_without_games_gives_a_page_that_says_so() {
        let page = page_of(&plan(4, &["a"]), &[]);
        assert!(page.contains("No game can be shown"));
        assert!(page.contains("a played no game"));
    }

    #[test]
    fn a_record_that_cannot_be_replayed_is_left_out_and_said() {
        let plan = plan(4, &["a"]);
        let mut records = played_games(&plan, &["a"], 3);
        for record in &mut records {
            record.moves.insert(0, 'x');
        }
        assert!(page_of(&plan, &records).contains("3 records cannot be replayed"));
    }

    #[test]
    fn a_hundred_agents_make_no_huge_page() {
        let names: Vec<String> = (0..100).map(|number| format!("agent-{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let plan = plan(4, &names);
        let page = page_of(&plan, &played_games(&plan, &names, 2));
        assert!(page.len() < 1_500_000, "{} bytes", page.len());
        assert!(page.contains("the first 30 of 100 agents"));
    }
}
