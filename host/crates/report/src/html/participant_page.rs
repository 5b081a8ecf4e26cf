//! The page of one participant: the place, the neighbours, the faults and all games of an agent.
//!
//! It is meant for its author alone. About the agent itself it hides nothing; all others are
//! called as in the ranking that is published.

mod standing;

use maud::{Markup, html};

use super::{
    fault_cards::card,
    figure::confidence_level,
    game_code::game_code,
    page_frame::{PageFrame, Section},
    player::player,
};
use run::{
    game_record::GameRecord,
    run_plan::{LeftOut, RunPlan},
};
use text::{
    duration_text::readable_times,
    number_text::{count, counted},
    program,
};

use crate::{BudgetReport, Report};
use standing::{comparison, mean, place, rank};

/// How many agents above and below are compared.
const NEIGHBOURS: usize = 2;

/// What the page of a participant is made of.
pub struct ParticipantPage<'p> {
    pub report: &'p Report,
    pub plan: &'p RunPlan,
    /// The agent's own name.
    pub name: &'p str,
    /// Its games in the order of the plan; those without moves cannot be replayed.
    pub games: &'p [GameRecord],
    /// What agents are called in the published ranking.
    pub shown: &'p dyn Fn(&str) -> String,
}

impl ParticipantPage<'_> {
    /// The text of the file.
    #[must_use]
    pub fn html(&self) -> String {
        let Self { report, name, .. } = self;
        let mut sections = Vec::new();
        for (number, part) in report.budgets.iter().enumerate() {
            let label = part.label.as_deref();
            let title = |what: &str| match label {
                Some(label) => format!("{what}, budget {}", readable_times(label)),
                None => what.to_owned(),
            };
            let own = part.agents.iter().position(|agent| agent.name == *name);
            if let Some(position) = own {
                let id = |what: &str| format!("{what}-{number}");
                let place = place(&part.agents[position], part);
                sections.push(Section::new(&id("place"), &title("Your place"), place));
                let neighbours = self.neighbours(part, position);
                sections.push(Section::new(
                    &id("rivals"),
                    &title("Your neighbours"),
                    neighbours,
                ));
            }
        }
        if let Some(faults) = self.faults() {
            sections.push(Section::new("faults", "Faults", faults));
        }
        sections.push(Section::new("games", "Your games", self.games()));
        let published = (self.shown)(name);
        let mut entries = self.plan.tournament.agents.iter();
        let entry = entries.find(|entry| entry.name == *name);
        let file = entry.and_then(|entry| entry.submission.as_deref());
        let introduction = html! {
            p.summary {
                (report.name) " · " (counted(self.games.len() as u64, "game"))
                @if let Some(file) = file { " · your file is " b { (file) } }
                @if published != *name { " · in the published ranking you are " b { (published) } }
            }
        };
        frame(name, introduction, sections)
    }

    fn neighbours(&self, part: &BudgetReport, position: usize) -> Markup {
        let own = &part.agents[position];
        if own.rank.is_none() {
            return html! { p { "Agents without a rank are not compared." } };
        }
        let first = position.saturating_sub(NEIGHBOURS);
        let around = part.agents.iter().enumerate().skip(first);
        let around = around.take(position - first + NEIGHBOURS + 1);
        let level = confidence_level(part);
        html! {
            p {
                "On the same tiles. A difference above 0 is in your favour. The intervals hold \
                 together for all pairs of the tournament (" (level) ")."
            }
            div.scroll tabindex="0" {
                table {
                    thead {
                        tr {
                            th.n { "#" } th { "Agent" } th.n { "Mean score" }
                            th { "Difference [" (level) "]" } th.n { "p corrected" } th { "Verdict" }
                        }
                    }
                    tbody {
                        @for (place, agent) in around.filter(|(_, agent)| agent.rank.is_some()) {
                            @if place == position {
                                tr {
                                    td.n { (rank(agent)) } td { b { "you" } }
                                    td.n { (mean(agent)) } td {} td {} td {}
                                }
                            } @else {
                                tr {
                                    td.n { (rank(agent)) } td { ((self.shown)(&agent.name)) }
                                    td.n { (mean(agent)) }
                                    (comparison(part, &own.name, &agent.name))
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn faults(&self) -> Option<Markup> {
        let own = self.report.budgets.iter().flat_map(|part| {
            let label = part.label.as_deref();
            let agents = part.agents.iter().filter(|agent| agent.name == self.name);
            agents.flat_map(move |agent| {
                agent
                    .faults
                    .iter()
                    .map(move |fault| card(agent, fault, label, None))
            })
        });
        let cards: Vec<Markup> = own.collect();
        (!cards.is_empty()).then(|| {
            html! {
                p {
                    "The first fault of each kind, with the board before it. Games that ended \
                     with a fault are marked in the list of games below and can be replayed there. "
                    "RUN stands for the run folder and PLUGINS for the folder of the plugin."
                }
                ul.cards { @for card in &cards { (card) } }
            }
        })
    }

    /// The player and the table of all games.
    fn games(&self) -> Markup {
        let (mut names, mut rows, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for game in self.games {
            let code = game_code(self.plan, game).ok();
            match code.filter(|_| !game.moves.is_empty()) {
                Some(code) => {
                    names.push(title(game));
                    rows.push(self.row(game, Some(&code)));
                }
                None => others.push(self.row(game, None)),
            }
        }
        html! {
            @if !rows.is_empty() {
                (player(self.plan.tournament.side, &names))
                details open { summary { "The games" } (self.table(Some("games"), &rows)) }
            }
            @if !others.is_empty() {
                h3 { "Games without a replay" }
                p.meta { code { (program::command("replay")) } " shows those that have moves." }
                (self.table(None, &others))
            }
            @if self.games.is_empty() { p { "There is no game." } }
        }
    }

    fn row(&self, game: &GameRecord, code: Option<&str>) -> Markup {
        let budget = game.budget.as_deref().unwrap_or_default();
        html! {
            tr data-code=[code] data-moves=(game.n_moves) data-score=(game.score)
                data-agent=(self.name) data-seed=(game.seed) data-budget=(budget)
            {
                td.n { (game.seed) }
                @if self.has_budgets() { td { (readable_times(budget)) } }
                td.n { (count(game.score)) }
                td.n { (count(game.n_moves)) } td.n { (game.highest) }
                td { @if game.ending.is_fault() { b { (game.ending) } } @else { (game.ending) } }
            }
        }
    }

    /// Records of a tournament with one budget do not name it.
    fn has_budgets(&self) -> bool {
        self.plan.tournament.budgets.len() > 1
    }

    fn table(&self, id: Option<&str>, rows: &[Markup]) -> Markup {
        html! {
            div.scroll tabindex="0" {
                table id=[id] {
                    thead {
                        tr {
                            th.n { "Seed" }
                            @if self.has_budgets() { th { "Budget" } }
                            th.n { "Score" } th.n { "Moves" } th.n { "Highest" } th { "Ending" }
                        }
                    }
                    tbody { @for row in rows { (row) } }
                }
            }
        }
    }
}

/// The page of a participant whose submission does not play.
#[must_use]
pub fn left_out_page(report: &Report, left_out: &LeftOut) -> String {
    let introduction = html! { p.summary { (report.name) } };
    let reason = html! {
        p { "Your submission does not play: " b { (left_out.file) } " " (left_out.reason) "." }
    };
    let section = Section::new("left-out", "Left out", reason);
    frame(&left_out.name, introduction, vec![section])
}

fn frame(name: &str, introduction: Markup, sections: Vec<Section>) -> String {
    let frame = PageFrame {
        title: name.to_owned(),
        kicker: "Arena 2048 participant",
        introduction,
        sections,
        footer: html! {
            p { "Made from the game log by " code { (program::command("report RUN --participants DIR")) } "." }
        },
    };
    frame.to_html()
}

fn title(game: &GameRecord) -> String {
    let fault = if game.ending.is_fault() {
        format!(", {}", game.ending)
    } else {
        String::new()
    };
    format!("seed {}: {}{fault}", game.seed, count(game.score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::example::played_games;
    use run::{
        example::{figures_in, plan},
        game_record::Ending,
    };

    #[test]
    fn a_page_shows_all_of_its_own_agent_and_hides_the_others() {
        let names = ["anna", "bert", "carl"];
        let plan = plan(4, &names);
        let mut records = played_games(&plan, &names, 4);
        for record in &mut records {
            if record.seed == 2 {
                record.ending = Ending::Panic;
                record.fault = Some(format!("panicked in {}.rs", record.agent));
            }
        }
        let figures = figures_in(&plan, &records);
        let report = Report::new(&plan, &figures);
        let own: Vec<GameRecord> = records
            .iter()
            .filter(|r| r.agent == "anna")
            .cloned()
            .collect();
        let page = ParticipantPage {
            report: &report,
            plan: &plan,
            name: "anna",
            games: &own,
            shown: &|name| format!("animal-{}", name.len() + usize::from(name.as_bytes()[0])),
        };
        let html = page.html();
        for part in [
            "panicked in anna.rs",
            " of 3<",
            "Rank range",
            "Difference [95%]",
        ] {
            assert!(html.contains(part), "{part}");
        }
        assert!(!html.contains("bert") && !html.contains("carl"));
        assert_eq!(html.matches("data-code=").count(), 4);
        assert_eq!(html.matches("animal-").count(), 3);
        let left_out = LeftOut {
            file: "<dora>.zip".into(),
            name: "dora".into(),
            reason: "is an archive".into(),
        };
        let html = left_out_page(&report, &left_out);
        assert!(html.contains("<b>&lt;dora&gt;.zip</b> is an archive"));
    }
}
