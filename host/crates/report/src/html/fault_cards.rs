//! Faults: the first of each kind and agent, with the board before it and the stderr tail.

use maud::{Markup, html};

use super::served_run::ServedRun;
use text::{
    duration_text::readable_times,
    number_text::{count, counted},
    program,
};

use crate::{FaultExample, Report, board_svg, budget_report::AgentReport};

/// The width of a board beside a fault, in pixels.
const BOARD: f64 = 120.0;

/// The most faults that are shown, of all agents together.
const MOST: usize = 60;

/// `None` where no game ended with a fault.
/// In the page of `host serve`, `run` is the run whose games it replays.
pub(super) fn fault_cards(report: &Report, run: Option<ServedRun>) -> Option<Markup> {
    let cards: Vec<Markup> = report
        .budgets
        .iter()
        .flat_map(|part| {
            let budget = part.label.as_deref();
            part.agents.iter().map(move |agent| (agent, budget))
        })
        .flat_map(|(agent, budget)| {
            let faults = agent.faults.iter();
            faults.map(move |fault| card(agent, fault, budget, run))
        })
        .collect();
    if cards.is_empty() {
        return None;
    }
    let agents = report.budgets.iter().flat_map(|part| &part.agents);
    let n_faults: u64 = agents.map(|agent| agent.summary.n_faults()).sum();
    Some(html! {
        p {
            (counted(n_faults, "game")) " ended with a fault and count with the score at that point. "
            "The first fault of each kind is shown with the board before it. "
            @if run.is_none() {
                "RUN stands for the run folder and PLUGINS for the folder of the plugin."
            }
            @if cards.len() > MOST {
                " Only " (MOST) " of " (cards.len()) " are shown; the game log contains all of them."
            }
        }
        ul.cards { @for card in cards.iter().take(MOST) { (card) } }
    })
}

pub(super) fn card(
    agent: &AgentReport,
    fault: &FaultExample,
    budget: Option<&str>,
    run: Option<ServedRun>,
) -> Markup {
    let faults = &agent.summary.faults;
    let n_alike = faults.get(&fault.ending).copied().unwrap_or(1);
    html! {
        li.fault-card {
            div {
                h3 { (agent.name) " " em { (fault.ending) } }
                p.sentence { (fault.sentence) }
                p.meta {
                    (count(n_alike)) " of " (counted(agent.summary.games as u64, "game"))
                    " ended this way; the first was game " (fault.game) ", seed " (fault.seed)
                    @if let Some(label) = budget { ", budget " (readable_times(label)) }
                    ", after " (counted(fault.n_moves, "move"))
                }
                @if !fault.stderr.is_empty() {
                    pre aria-label="End of the agent's stderr" { (fault.stderr.join("\n")) }
                }
                p.meta {
                    @if let Some(run) = run {
                        a href=(run.game(fault.game)) { "Replay" }
                        @if let Some(again) = &fault.again { br; code { (program::command(again)) } }
                    } @else {
                        code { (program::command("replay RUN ")) (fault.game_options()) }
                        @if let Some(again) = &fault.again_on_page { br; code { (program::command(again)) } }
                    }
                }
            }
            (board_svg(&fault.board, (0.0, 0.0), BOARD))
        }
    }
}
