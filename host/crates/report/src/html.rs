//! The report as one HTML page that needs no network, no library and no server.
//!
//! The page shows the same numbers as the tables in the terminal, and the same log gives the
//! same bytes. Charts are written by hand (see `charts`), because a page that is archived
//! with its run must still open in ten years. Text is escaped by `maud`. The only script
//! replays games; a content security policy forbids every other one.

mod budget_section;
mod charts;
mod fault_cards;
mod figure;
mod game_code;
mod page_frame;
mod participant_page;
mod player;
mod provenance;
mod replays;
mod served_run;

#[cfg(any(test, feature = "testing"))]
pub mod example;

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::{
    Methods, Note, NoteKind, Report,
    agent_games::{AgentGames, agent_games},
    budget_report::BudgetReport,
    headline::headline,
    parameter_family::{SweptParameter, swept_parameters},
};
use budget_section::budget_figures;
use charts::{
    Chart,
    curve_style::MOST_NAMES,
    strength_curve::{budget_curves, parameter_curves},
};
use fault_cards::fault_cards;
use figure::{Figure, confidence_level};
use page_frame::{PageFrame, Section, without_harmful};
use provenance::provenance;
use replays::{choose_games, replays};
use run::{game_figures::GameFigures, game_record::GameRecord, run_plan::RunPlan};
use served_run::ServedRun;
use text::{
    duration_text::readable_times,
    number_text::{count, counted},
    program,
};

pub use charts::FigureWidth;
pub use figure::FigureFile;
pub use participant_page::{ParticipantPage, left_out_page};

/// Lists the files of the folder `shared` as pairs of name and content.
macro_rules! shared_files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("html/shared/", $name)))),*]
    };
}

/// Styles and modules that this page shares with that of `host serve`.
pub const SHARED_FILES: &[(&str, &str)] = shared_files![
    "base.css",
    "board.js",
    "figures.css",
    "number.js",
    "playback.js",
    "seed_chart.js",
    "tiles.css",
];

/// A report with the plan and the games that it is made of.
pub struct ReportPage<'p> {
    report: &'p Report,
    plan: &'p RunPlan,
    /// One list per budget.
    games: Vec<Vec<AgentGames<'p>>>,
}

impl<'p> ReportPage<'p> {
    /// `report` is the report of these records.
    #[must_use]
    pub fn new(report: &'p Report, plan: &'p RunPlan, records: &'p [GameFigures]) -> Self {
        Self {
            report,
            plan,
            games: agent_games(report, plan, records),
        }
    }

    /// The numbers of the games whose moves the page needs.
    #[must_use]
    pub fn games_to_replay(&self) -> BTreeSet<u64> {
        let chosen = choose_games(&self.games, self.report.goal).0;
        chosen.iter().map(|chosen| chosen.game.game).collect()
    }

    /// Every chart of the page as a file of its own.
    #[must_use]
    pub fn figures(&self, width: FigureWidth) -> Vec<FigureFile> {
        let Self { report, plan, .. } = self;
        let of_all = strength(report, plan)
            .into_iter()
            .map(|figure| (figure, None));
        let parts = report.budgets.iter().enumerate();
        let of_parts = parts.flat_map(|(number, part)| {
            let figures = self.part(number, None).into_iter();
            figures.map(move |figure| (figure, Some(part)))
        });
        of_all
            .chain(of_parts)
            .map(|(figure, part)| figure.to_file(width, &about_games(report, plan, part)))
            .collect()
    }

    /// The figures of one budget; `run` is where the page of `host serve` shows them.
    fn part(&self, number: usize, run: Option<ServedRun>) -> Vec<Figure<'_>> {
        let Self { report, plan, .. } = self;
        let (part, games) = (&report.budgets[number], &self.games[number]);
        // Axes without values would say nothing.
        if part.agents.iter().all(|agent| agent.summary.games == 0) {
            return Vec::new();
        }
        let place = (number, report.budgets.len());
        let mut figures = budget_figures(part, games, report.goal, place, run);
        let parameters = swept_parameters(plan).into_iter();
        let curves = parameters.map(|swept| parameter_figure(part, report.goal, &swept, number));
        figures.splice(1..1, curves);
        figures
    }

    /// The page; `replayed` are the whole records of the games to replay.
    #[must_use]
    pub fn html(&self, replayed: &[GameRecord]) -> String {
        let frame = PageFrame {
            title: self.report.name.clone(),
            kicker: "Arena 2048 tournament",
            introduction: html! {
                (headlines(self.report))
                p.summary { (summary(self.report, self.plan)) }
                (notes(self.report))
            },
            sections: self.sections(replayed),
            footer: html! {
                p {
                    "Made from the game log by " code { (program::command("report RUN --html FILE")) }
                    ", where RUN is the run folder. " code { (program::command("verify RUN")) }
                    " replays every record."
                }
            },
        };
        frame.to_html()
    }

    /// The figures, faults and notes as a part of the page of `host serve`, which knows the run
    /// as `id` and replays its games. The rankings are open and the other figures folded.
    ///
    /// The policy of that page allows no attribute `style`; its script sets the styles in
    /// `data-style`.
    #[must_use]
    pub fn followed(&self, id: &str) -> String {
        let Self { report, plan, .. } = self;
        let run = ServedRun { id };
        let markup = html! {
            @if let Some(strength) = strength(report, plan) { (strength.followed(true)) }
            @for (number, part) in report.budgets.iter().enumerate() {
                section data-budget=(part.label.as_deref().unwrap_or_default()) {
                    @if let Some(label) = &part.label {
                        h3.budget-name { "Budget " (readable_times(label)) }
                    }
                    @for (place, figure) in self.part(number, Some(run)).iter().enumerate() {
                        (figure.followed(place == 0))
                    }
                }
            }
            @if let Some(faults) = fault_cards(report, Some(run)) {
                section.faults data-key="faults" { h3 { "Faults" } (faults) }
            }
            (notes(report))
        };
        // In text and in values of attributes, quotation marks are escaped.
        let html = markup.into_string().replace(" style=\"", " data-style=\"");
        without_harmful(&html)
    }

    fn sections(&self, replayed: &[GameRecord]) -> Vec<Section> {
        let Self {
            report,
            plan,
            games,
            ..
        } = self;
        let mut sections: Vec<Section> = Vec::new();
        if let Some(figure) = strength(report, plan) {
            let content = html! { (figure) };
            sections.push(Section::new("strength", "Strength against budget", content));
        }
        for (number, part) in report.budgets.iter().enumerate() {
            let title = match &part.label {
                Some(label) => format!("Budget {}", readable_times(label)),
                None => "Result".to_owned(),
            };
            let figures = self.part(number, None);
            let content = html! {
                @if figures.is_empty() { p { "No game counts yet." } }
                nav.figures aria-label={ "Figures of " (title) } {
                    @for figure in &figures { a href={ "#" (figure.id) } { (figure.title) } }
                }
                @for figure in &figures { (figure) }
            };
            sections.push(Section::new(&format!("result-{number}"), &title, content));
        }
        if !report.left_out.is_empty() {
            let content = left_out_list(report);
            sections.push(Section::new("left-out", "Left out", content));
        }
        if let Some(faults) = fault_cards(report, None) {
            sections.push(Section::new("faults", "Faults", faults));
        }
        let games = replays(plan, games, replayed);
        sections.push(Section::new("replay", "Replay", games));
        let provenance = html! {
            (provenance(plan))
            @if let Some(methods) = &report.methods { p.meta { (methods) } }
        };
        sections.push(Section::new("provenance", "Provenance", provenance));
        sections
    }
}

/// The result in a sentence for each budget.
fn headlines(report: &Report) -> Markup {
    let parts = report.budgets.iter();
    let sentences = parts.filter_map(|part| Some((part.label.as_deref(), headline(part)?)));
    html! {
        @for (label, sentence) in sentences {
            p.headline {
                @if let Some(label) = label { b { (readable_times(label)) ": " } }
                (sentence)
            }
        }
    }
}

fn summary(report: &Report, plan: &RunPlan) -> String {
    let tournament = &plan.tournament;
    let n_seeds = match &report.counted.decision {
        Some(decision) => decision.seeds(),
        None => tournament.seeds.len(),
    };
    let budgets = match tournament.budgets.as_slice() {
        [only] => readable_times(&only.label()),
        several => format!("{} budgets", several.len()),
    };
    format!(
        "{} · {} · {} · {budgets} · board {}",
        counted(plan.agents.len() as u64, "agent"),
        counted(n_seeds, "seed"),
        counted(report.games.played, "game"),
        tournament.side
    )
}

/// What a caption says of the games behind a figure: run, number, seeds, board and budget, and how
/// intervals were computed.
fn about_games(report: &Report, plan: &RunPlan, part: Option<&BudgetReport>) -> String {
    let tournament = &plan.tournament;
    let parts = part.map_or(report.budgets.as_slice(), std::slice::from_ref);
    let games = parts.iter().flat_map(|part| &part.agents);
    let games = games.filter(|agent| agent.rank.is_some());
    let games: BTreeSet<usize> = games.map(|agent| agent.summary.games).collect();
    let n = match (games.first(), games.last()) {
        (Some(least), Some(most)) if least < most => {
            format!("{} to {}", count(*least as u64), count(*most as u64))
        }
        (Some(only), _) => count(*only as u64),
        _ => "0".to_owned(),
    };
    let budgets: Vec<String> = parts
        .iter()
        .map(|part| readable_times(&part.budget.label()))
        .collect();
    let methods = report.methods.as_ref().and_then(Methods::interval_methods);
    let methods = methods.map_or_else(String::new, |methods| {
        format!(" Intervals of means: {methods}; of rates: Wilson.")
    });
    format!(
        "Run {}: n = {n} games per agent, seeds {}, board {}, budget {}.{methods}",
        report.name,
        tournament.seeds,
        tournament.side,
        budgets.join(", ")
    )
}

fn left_out_list(report: &Report) -> Markup {
    html! {
        p { "These files of the folder of submissions did not play." }
        ul { @for (file, reason) in report.left_out_files() { li { b { (file) } " " (reason) } } }
    }
}

/// What a reader must know before relying on the figures. Faults have their own section.
fn notes(report: &Report) -> Markup {
    let about_figures = |note: &&Note| note.kind == NoteKind::Figures;
    let kept: Vec<&Note> = report.notes.iter().filter(about_figures).collect();
    html! {
        @if !kept.is_empty() {
            details.about-figures {
                summary { (counted(kept.len() as u64, "note")) " on these figures" }
                ul.notes { @for note in kept { li { (in_page(note)) } } }
            }
        }
    }
}

/// The sentence of a note, with its budget as in the headings.
fn in_page(note: &Note) -> String {
    match &note.budget {
        Some(label) => format!("budget {}: {}", readable_times(label), note.text),
        None => note.text.clone(),
    }
}

fn strength_measure(goal: Option<u64>) -> String {
    match goal {
        Some(goal) => format!("The share of games that reached {goal}"),
        None => "The mean score, on a logarithmic axis,".to_owned(),
    }
}

/// Strength against a parameter under one budget; `number` makes its id unique.
fn parameter_figure<'f>(
    part: &'f BudgetReport,
    goal: Option<u64>,
    swept: &SweptParameter,
    number: usize,
) -> Figure<'f> {
    let (what, level) = (strength_measure(goal), confidence_level(part));
    Figure {
        id: format!("parameter-{}-{number}", swept.key),
        title: "Strength against a parameter",
        caption: format!(
            "{what} by the parameter {}, of agents that differ in nothing else. Bars: {level} \
             intervals.",
            swept.key
        ),
        chart: Chart::Strength(parameter_curves(part, goal, swept)),
        below: Markup::default(),
        table: None,
    }
}

/// `None` for a tournament with one budget.
fn strength(report: &Report, plan: &RunPlan) -> Option<Figure<'static>> {
    if report.budgets.len() < 2 {
        return None;
    }
    let what = strength_measure(report.goal);
    let first = report.budgets.first();
    let level = first.map_or_else(String::new, confidence_level);
    let (n_agents, n_named) = (plan.agents.len(), MOST_NAMES);
    let named = if n_agents > n_named {
        let n_agents = count(n_agents as u64);
        format!(
            " The best {n_named} agents under the last budget are named; all {n_agents} are drawn."
        )
    } else {
        String::new()
    };
    let caption = format!("{what} under each budget. Bars: {level} intervals.{named}");
    Some(Figure {
        id: "strength-chart".to_owned(),
        title: "Strength under each budget",
        caption,
        chart: Chart::Strength(budget_curves(report, &plan.tournament.budgets)),
        below: Markup::default(),
        table: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::example::*;
    use run::{
        example::{figures_in, plan},
        game_record::Ending,
    };

    fn page_of(plan: &RunPlan, records: &[GameRecord]) -> String {
        let figures = figures_in(plan, records);
        let report = Report::new(plan, &figures);
        ReportPage::new(&report, plan, &figures).html(records)
    }

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
        let figures = figures_in(&plan, &records);
        let report = Report::new(&plan, &figures);
        let page = ReportPage::new(&report, &plan, &figures);
        let wanted = page.games_to_replay();
        assert_eq!(wanted.len(), 6, "best, median and worst of two agents");
        let is_wanted = |record: &&GameRecord| wanted.contains(&record.game);
        let replayed: Vec<GameRecord> = records.iter().filter(is_wanted).cloned().collect();
        assert_eq!(page.html(&replayed), page_of(&plan, &records));
    }

    #[test]
    fn a_followed_report_is_escaped_and_has_no_style_inline() {
        let evil = "<script>alert(1)</script> style=\"color:red\" '&";
        let plan = plan(4, &["good", evil]);
        let mut records = played_games(&plan, &["good", evil], 3);
        records[1].ending = Ending::Panic;
        records[1].fault = Some(evil.into());
        let figures = figures_in(&plan, &records);
        let report = Report::new(&plan, &figures);
        let html = ReportPage::new(&report, &plan, &figures).followed("a run");
        assert_eq!(html.matches("<script").count(), 0);
        assert_eq!(html.matches(" style=\"").count(), 0);
        assert!(html.contains("data-style=\"--n:"));
        assert!(
            html.contains("href=\"#replay/a%20run/worst%3Agood\""),
            "{html}"
        );
        assert!(html.contains("&lt;script&gt;"));
    }

    #[test]
    fn every_kind_of_text_is_escaped() {
        let evil = "<script>alert(1)</script>\"'&";
        let mut plan = plan(4, &["good", evil]);
        plan.tournament.name = evil.into();
        plan.machine.cpu = evil.into();
        plan.agents[1].plugin.info.author = evil.into();
        plan.agents[1].params = format!("{{\"x\":\"{evil}\"}}");
        let mut records = played_games(&plan, &["good", evil], 3);
        records[1].ending = run::game_record::Ending::Panic;
        records[1].fault = Some(evil.into());
        let page = page_of(&plan, &records);
        assert_eq!(page.matches("<script").count(), 1);
        assert!(page.matches("&lt;script&gt;").count() > 10);
    }

    #[test]
    fn a_log_without_games_gives_a_page_that_says_so() {
        let page = page_of(&plan(4, &["a"]), &[]);
        assert!(page.contains("There is no game to replay"));
        assert!(page.contains("No game counts yet"));
    }

    #[test]
    fn a_record_that_cannot_be_replayed_is_left_out_and_counted() {
        let plan = plan(4, &["a"]);
        let mut records = played_games(&plan, &["a"], 3);
        for record in &mut records {
            record.moves.insert(0, 'x');
        }
        assert!(page_of(&plan, &records).contains("3 records cannot be replayed"));
    }

    #[test]
    fn a_page_of_100_agents_stays_small() {
        let names: Vec<String> = (0..100).map(|number| format!("agent-{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let plan = plan(4, &names);
        let page = page_of(&plan, &played_games(&plan, &names, 2));
        assert!(page.len() < 1_500_000, "{} bytes", page.len());
        assert!(page.contains("the first 30 of 100 agents"));
        assert!(page.contains("Neighbours in the ranking, of 4,950 pairs"));
    }
}
