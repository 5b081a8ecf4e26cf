//! The games that can be watched: the best, the median and the worst of each agent.
//!
//! The page knows the rules of sliding and merging, but not how tiles are drawn: two
//! letters a move hold the direction and the tile that followed it, so that a game
//! of 15,000 moves takes 30 kB.

use std::collections::HashMap;

use plugin_api::{Board, Spawn};

use super::{
    agent_games::AgentGames,
    markup::{Append, Escaped},
};
use crate::{
    game_record::GameRecord,
    replay::{Replay, ReplayError},
    report::number_text::{count, counted},
    run_plan::RunPlan,
    statistics::outcome::{Measure, Outcome},
};

/// The moves of all games in the page together: two megabytes of letters.
const MOST_MOVES: u64 = 1_000_000;

/// Six bits each, as in web addresses.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A game worth watching.
pub(super) struct ChosenGame<'r> {
    /// Who played it, under which budget.
    label: String,
    which: &'static str,
    pub(super) game: &'r GameRecord,
}

/// The games to show, the best agents first, and how many agents are left out to keep
/// the page small.
pub(super) fn choose_games<'r>(
    parts: &[Vec<AgentGames<'r>>],
    goal: Option<u64>,
) -> (Vec<ChosenGame<'r>>, u64) {
    let (mut chosen, mut n_moves, mut n_left_out) = (Vec::new(), 0, 0);
    for agent in by_rank(parts) {
        let games = telling_games(&agent.games, goal);
        let more: u64 = games.iter().map(|(_, game)| game.n_moves).sum();
        if n_moves + more > MOST_MOVES {
            n_left_out += 1;
            continue;
        }
        n_moves += more;
        let label = match agent.budget {
            Some(budget) => format!("{}, {budget}", agent.name),
            None => agent.name.to_owned(),
        };
        chosen.extend(games.into_iter().map(|(which, game)| ChosenGame {
            label: label.clone(),
            which,
            game,
        }));
    }
    (chosen, n_left_out)
}

/// Markup of the section's content; `replayed` are whole records, with their moves.
pub(super) fn replays(
    plan: &RunPlan,
    parts: &[Vec<AgentGames>],
    replayed: &[GameRecord],
) -> String {
    let by_number: HashMap<u64, &GameRecord> = replayed
        .iter()
        .map(|record| (record.game, record))
        .collect();
    let (chosen, n_left_out) = choose_games(parts, plan.tournament.goal);
    let (mut options, mut rows, mut n_broken) = (String::new(), String::new(), 0);
    for chosen in &chosen {
        let whole = by_number.get(&chosen.game.game);
        let Some(Ok(steps)) = whole.map(|record| encoded(plan, record)) else {
            n_broken += 1;
            continue;
        };
        options.append(format_args!(
            "<option>{}, {}: {}, seed {}</option>",
            Escaped(&chosen.label),
            chosen.which,
            count(chosen.game.score),
            chosen.game.seed
        ));
        rows += &row(chosen, &steps);
    }
    let remarks = remarks(n_left_out, n_broken);
    if rows.is_empty() {
        return format!("<p>No game can be shown.</p>\n{remarks}");
    }
    let player = include_str!("player.html")
        .replace("{side}", &plan.tournament.side.length().to_string())
        .replace("{options}", &options);
    format!(
        "{player}{remarks}<details><summary>The games</summary><div class=\"scroll\" tabindex=\"0\">\
         <table id=\"games\"><thead><tr><th>Agent</th><th>Game</th><th class=\"n\">Seed</th>\
         <th class=\"n\">Score</th><th class=\"n\">Moves</th><th class=\"n\">Highest</th>\
         <th>Ending</th></tr></thead><tbody>\n{rows}</tbody></table></div></details>\n"
    )
}

fn remarks(n_left_out: u64, n_broken: u64) -> String {
    let mut remarks = String::new();
    if n_left_out > 0 {
        remarks.append(format_args!(
            "<p class=\"meta\">The games of {} are left out to keep this page small; \
             <code>host replay</code> shows every game of a run.</p>\n",
            counted(n_left_out, "agent")
        ));
    }
    if n_broken > 0 {
        remarks.append(format_args!(
            "<p class=\"meta\">{} cannot be replayed; <code>host verify</code> says why.</p>\n",
            counted(n_broken, "record")
        ));
    }
    remarks
}

/// The first agents of all budgets, then the second, so that what is left out for
/// lack of room is last everywhere.
fn by_rank<'p, 'r>(parts: &'p [Vec<AgentGames<'r>>]) -> impl Iterator<Item = &'p AgentGames<'r>> {
    let most = parts.iter().map(Vec::len).max().unwrap_or(0);
    (0..most).flat_map(move |place| parts.iter().filter_map(move |part| part.get(place)))
}

/// Best, median and worst; the earlier game where two are equal. Of an even number
/// of games the median is the worse of the two in the middle.
fn telling_games<'r>(
    games: &[&'r GameRecord],
    goal: Option<u64>,
) -> Vec<(&'static str, &'r GameRecord)> {
    let measure = if goal.is_some() {
        Measure::Moves
    } else {
        Measure::Score
    };
    let mut ranked = games.to_vec();
    ranked.sort_by_key(|game| {
        let worth = Outcome::of(game, goal).worth(measure);
        (
            std::cmp::Reverse(worth),
            std::cmp::Reverse(game.score),
            game.game,
        )
    });
    let at = |place: usize| ranked[place];
    match ranked.len() {
        0 => Vec::new(),
        1 => vec![("only game", at(0))],
        2 => vec![("best", at(0)), ("worst", at(1))],
        n => vec![("best", at(0)), ("median", at(n / 2)), ("worst", at(n - 1))],
    }
}

fn row(chosen: &ChosenGame, steps: &str) -> String {
    let ChosenGame { label, which, game } = chosen;
    format!(
        "<tr data-steps=\"{steps}\" data-score=\"{}\"><td>{}</td><td>{which}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        game.score,
        Escaped(label),
        game.seed,
        count(game.score),
        count(game.n_moves),
        game.highest,
        game.ending,
    )
}

/// The two start tiles, then each move with the tile that followed it.
fn encoded(plan: &RunPlan, record: &GameRecord) -> Result<String, ReplayError> {
    let replay = Replay::new(plan.tournament.rules(), &plan.salt(), record);
    let mut text = String::with_capacity(2 * record.moves.len() + 4);
    for spawn in start_tiles(replay.board()) {
        push_step(&mut text, 0, spawn);
    }
    for step in replay {
        let step = step?;
        push_step(&mut text, step.direction.index(), step.spawn);
    }
    Ok(text)
}

fn start_tiles(board: &Board) -> impl Iterator<Item = Spawn> {
    let cells = board.exponents().iter().copied().enumerate();
    cells
        .filter(|(_, exponent)| *exponent > 0)
        .map(|(cell, exponent)| Spawn { cell, exponent })
}

/// Nine bits in two letters: the direction, the cell, whether the tile is a 4.
fn push_step(text: &mut String, direction: usize, spawn: Spawn) {
    let is_four = usize::from(spawn.exponent == 2);
    let step = direction | spawn.cell << 2 | is_four << 8;
    for six_bits in [step >> 6, step & 63] {
        text.push(char::from(LETTERS[six_bits]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example::record;
    use plugin_api::{Direction, Side};

    fn number(letter: u8) -> usize {
        LETTERS.iter().position(|other| *other == letter).unwrap()
    }

    /// What the page does: put the tile, slide, put the next.
    fn decoded(text: &str, side: Side) -> (Board, u64, usize) {
        let steps: Vec<usize> = text
            .as_bytes()
            .chunks_exact(2)
            .map(|pair| number(pair[0]) << 6 | number(pair[1]))
            .collect();
        let tile = |board: Board, step: usize| {
            board.with_tile(step >> 2 & 63, 1 + u8::from(step >> 8 > 0))
        };
        let start = tile(tile(Board::empty(side), steps[0]), steps[1]);
        let (mut board, mut score) = (start, 0);
        for step in &steps[2..] {
            let moved = board.slide(Direction::ALL[step & 3]).unwrap();
            score += moved.gain;
            board = tile(moved.board, *step);
        }
        (board, score, steps.len() - 2)
    }

    #[test]
    fn an_encoded_game_ends_as_its_record() {
        for side in [2, 4, 8] {
            let plan = super::super::example::plan(side, &["a"]);
            let game = super::super::example::played_game(&plan, "a", 7, 5_000);
            let text = encoded(&plan, &game).unwrap();
            let (board, score, n_moves) = decoded(&text, plan.tournament.side);
            assert_eq!((board.tiles(), score), (game.board.clone(), game.score));
            assert_eq!(n_moves as u64, game.n_moves);
        }
    }

    #[test]
    fn best_median_and_worst_are_games_of_the_log() {
        let games: Vec<GameRecord> = [30, 10, 50, 50, 20]
            .into_iter()
            .zip(1..)
            .map(|(score, seed)| record("a", seed, score))
            .collect();
        let chosen = |n: usize| -> Vec<(&str, u64)> {
            let games: Vec<&GameRecord> = games.iter().take(n).collect();
            let chosen = telling_games(&games, None);
            chosen
                .iter()
                .map(|(which, game)| (*which, game.seed))
                .collect()
        };
        assert_eq!(chosen(5), [("best", 3), ("median", 1), ("worst", 2)]);
        assert_eq!(chosen(2), [("best", 1), ("worst", 2)]);
        assert_eq!(chosen(1), [("only game", 1)]);
        assert_eq!(chosen(0), []);
    }
}
