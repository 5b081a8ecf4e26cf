//! What went wrong: the first faults of each agent, with the board before each.

use super::{
    agent_games::AgentGames,
    board::board,
    markup::{Append, Escaped},
};
use crate::{
    game_record::GameRecord,
    report::number_text::{count, counted},
};

/// So many faults of an agent under one budget are shown.
const MOST_OF_AN_AGENT: usize = 3;

/// So many are shown of all agents together.
const MOST: usize = 60;

/// Markup; empty where nothing went wrong.
pub(super) fn fault_cards(agents: &[AgentGames]) -> String {
    let faulty: Vec<(&AgentGames, Vec<&GameRecord>)> = agents
        .iter()
        .map(|agent| {
            let faults = agent.games.iter().copied();
            let faults = faults.filter(|game| game.ending.is_fault());
            (agent, faults.collect())
        })
        .filter(|(_, faults): &(_, Vec<_>)| !faults.is_empty())
        .collect();
    let n_faults: usize = faulty.iter().map(|(_, faults)| faults.len()).sum();
    if n_faults == 0 {
        return String::new();
    }
    let cards: Vec<String> = faulty
        .iter()
        .flat_map(|(agent, faults)| {
            let shown = faults.iter().take(MOST_OF_AN_AGENT);
            shown.map(|game| card(agent, game, faults.len()))
        })
        .take(MOST)
        .collect();
    let mut markup = format!(
        "<p>{} ended with a fault; scores count as they stood. ",
        counted(n_faults as u64, "game")
    );
    if cards.len() < n_faults {
        markup.append(format_args!(
            "Shown are the first {MOST_OF_AN_AGENT} of each agent, {} together; the game log has them all. ",
            count(cards.len() as u64)
        ));
    }
    markup += "Each board is the one before the fault.</p>\n<ul class=\"cards\">\n";
    for card in cards {
        markup += &card;
    }
    markup + "</ul>\n"
}

fn card(agent: &AgentGames, game: &GameRecord, n_faults: usize) -> String {
    let sentence = game
        .fault
        .as_deref()
        .unwrap_or("the record does not say more");
    let budget = match agent.budget {
        Some(label) => format!(", budget {}", Escaped(label)),
        None => String::new(),
    };
    let budget_option = match agent.budget {
        Some(label) => format!(" --budget '{}'", Escaped(label)),
        None => String::new(),
    };
    format!(
        "<li class=\"fault\"><div><h4>{name} <em>{ending}</em></h4>\
         <p class=\"sentence\">{sentence}</p>\
         <p class=\"meta\">game {number}, seed {seed}{budget}, after {moves} · score {score} · {n_faults} of {n_games} games faulty</p>\
         <p class=\"meta\"><code>host replay RUN --agent {name} --seed {seed}{budget_option}</code></p></div>{board}</li>\n",
        name = Escaped(agent.name),
        ending = game.ending,
        sentence = Escaped(sentence),
        number = game.game,
        seed = game.seed,
        moves = counted(game.n_moves, "move"),
        score = count(game.score),
        n_games = agent.games.len(),
        board = board(&game.board),
    )
}
