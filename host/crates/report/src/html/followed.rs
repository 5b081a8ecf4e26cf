//! The report as a part of the page of `host serve`, for a run that is followed there.
//!
//! It has the figures of the report page. The rankings are open and the others folded; games
//! are not part of it but linked.

use std::fmt::Write;

use maud::{Markup, html};

use super::{
    budget_section::budget_figures, fault_cards::fault_cards, figure::Figure, notes,
    page_frame::without_harmful,
};
use text::duration_text::readable_times;

use crate::{Report, agent_games::AgentGames};

/// A run of `host serve`, whose page replays its games.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServedRun<'r> {
    id: &'r str,
}

impl ServedRun<'_> {
    /// The address of a game in the page.
    pub(super) fn game(self, game: u64) -> String {
        format!("#replay/{}/{game}", encoded(self.id))
    }

    /// Links to the games of an agent that are worth looking at first.
    pub(super) fn extremes(self, agent: &AgentGames) -> Markup {
        if agent.games.len() < 2 {
            return Markup::default();
        }
        let link = |order: &str| {
            let mut game = format!("{order}:{}", agent.name);
            if let Some(budget) = agent.budget {
                game = game + ":" + budget;
            }
            let address = format!("#replay/{}/{}", encoded(self.id), encoded(&game));
            let name = format!("{order} game of {}", agent.name);
            html! { a href=(address) aria-label=(name) { (order) " game" } }
        };
        html! { small.extremes { (link("worst")) " · " (link("best")) } }
    }
}

/// The markup, without an attribute `style`: the policy of that page allows none. Its script sets
/// the styles in `data-style`.
pub(super) fn followed(
    report: &Report,
    strength: Option<&Figure>,
    games: &[Vec<AgentGames>],
    id: &str,
) -> String {
    let run = ServedRun { id };
    let n_budgets = report.budgets.len();
    let markup = html! {
        @if let Some(strength) = strength { (strength.followed(true)) }
        @for (number, (part, games)) in report.budgets.iter().zip(games).enumerate() {
            section data-budget=(part.label.as_deref().unwrap_or_default()) {
                @if let Some(label) = &part.label {
                    h3.budget-name { "Budget " (readable_times(label)) }
                }
                @for (place, figure) in
                    budget_figures(part, games, report.goal, (number, n_budgets), Some(run))
                        .iter()
                        .enumerate()
                {
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

/// A part of an address.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("a string takes what is written");
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{ReportPage, example::*};
    use run::{
        example::{figures_in, plan},
        game_record::Ending,
    };

    #[test]
    fn text_is_escaped_and_no_style_is_inline() {
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
}
