//! What went wrong: the first fault of each kind, with the board before it and the
//! agent's last words.

use super::{
    board::board,
    markup::{Append, Escaped},
};
use crate::report::{
    FaultExample, Report,
    budget_report::AgentReport,
    number_text::{count, counted},
};

/// So many are shown of all agents together.
const MOST: usize = 60;

/// Markup; empty where nothing went wrong.
pub(super) fn fault_cards(report: &Report) -> String {
    let has_several = report.budgets.len() > 1;
    let examples: Vec<String> = report
        .budgets
        .iter()
        .flat_map(|part| {
            let budget = part.budget.label.as_deref().filter(|_| has_several);
            part.agents.iter().map(move |agent| (agent, budget))
        })
        .flat_map(|(agent, budget)| {
            let faults = agent.faults.iter();
            faults.map(move |fault| card(agent, fault, budget))
        })
        .collect();
    if examples.is_empty() {
        return String::new();
    }
    let agents = report.budgets.iter().flat_map(|part| &part.agents);
    let n_faults: u64 = agents.map(|agent| agent.summary.n_faults()).sum();
    let mut markup = format!(
        "<p>{} ended with a fault; scores count as they stood. \
         Shown is the first of each kind, with the board before it. RUN is the folder of the run.",
        counted(n_faults, "game")
    );
    if examples.len() > MOST {
        markup.append(format_args!(
            " These are {MOST} of {}; the game log has them all.",
            examples.len()
        ));
    }
    markup += "</p>\n<ul class=\"cards\">\n";
    markup.extend(examples.into_iter().take(MOST));
    markup + "</ul>\n"
}

fn card(agent: &AgentReport, fault: &FaultExample, budget: Option<&str>) -> String {
    let n_alike = agent
        .summary
        .faults
        .get(&fault.ending)
        .copied()
        .unwrap_or(1);
    let of_budget = budget.map_or(String::new(), |label| format!(", budget {label}"));
    let choice = budget.map_or(String::new(), |label| format!(" --budget '{label}'"));
    let mut card = format!(
        "<li class=\"fault\"><div><h3>{name} <em>{ending}</em></h3><p class=\"sentence\">{sentence}</p>\
         <p class=\"meta\">{n_alike} of {n_games} ended so; the first was game {game}, seed {seed}{of_budget}, \
         after {moves}</p>",
        name = Escaped(&agent.name),
        ending = fault.ending,
        sentence = Escaped(&fault.sentence),
        n_alike = count(n_alike),
        n_games = counted(agent.summary.games as u64, "game"),
        game = fault.game,
        seed = fault.seed,
        of_budget = Escaped(&of_budget),
        moves = counted(fault.n_moves, "move"),
    );
    if !fault.stderr.is_empty() {
        let lines = fault.stderr.join("\n");
        card.append(format_args!(
            "<pre aria-label=\"What the agent printed last\">{}</pre>",
            Escaped(&lines)
        ));
    }
    let who = format!("--agent {} --seed {}{choice}", agent.name, fault.seed);
    card.append(format_args!(
        "<p class=\"meta\"><code>host replay RUN {who}</code><br>\
         <code>host verify RUN --rerun {who} --show-stderr</code></p></div>{}</li>\n",
        board(&fault.board),
        who = Escaped(&who)
    ));
    card
}
