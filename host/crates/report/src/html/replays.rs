//! The games that the page replays: the best, the median and the worst of each agent, and those
//! on which neighbours in the ranking differ most.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};

use super::{game_code::game_code, player::player};
use run::{game_figures::GameFigures, game_record::GameRecord, run_plan::RunPlan};
use statistics::game_outcome::Measure;
use text::{
    duration_text::readable_times,
    number_text::{count, counted},
    program,
};

use crate::agent_games::AgentGames;

/// The most moves of all games together; keeps the page below a megabyte.
const MOST_MOVES: u64 = 160_000;

/// Neighbours in the ranking whose most different games are replayed, where there is room.
const MOST_NEIGHBOURS: usize = 7;

/// A game of the page.
pub(super) struct ChosenGame<'r> {
    agent: &'r str,
    /// The number of its budget, and its label where there are several.
    budget: (usize, Option<&'r str>),
    /// `best`, `median`, `worst`, `only game`, or what a game is compared with.
    which: String,
    pub(super) game: &'r GameFigures,
}

impl ChosenGame<'_> {
    /// The agent, with its budget where there are several.
    fn label(&self) -> String {
        match self.budget.1 {
            Some(budget) => format!("{}, {}", self.agent, readable_times(budget)),
            None => self.agent.to_owned(),
        }
    }

    fn name(&self) -> String {
        let Self { which, game, .. } = self;
        format!(
            "{}, {which}: {}, seed {}",
            self.label(),
            count(game.score),
            game.seed
        )
    }
}

/// The games to show, best agents first, and the number of agents that are left out to keep
/// the page small.
pub(super) fn choose_games<'r>(
    parts: &[Vec<AgentGames<'r>>],
    goal: Option<u64>,
) -> (Vec<ChosenGame<'r>>, u64) {
    let (mut chosen, mut n_moves, mut n_left_out) = (Vec::new(), 0, 0);
    for (budget, agent) in by_rank(parts) {
        let games = typical_games(&agent.games, goal);
        let more: u64 = games.iter().map(|(_, game)| game.n_moves).sum();
        if n_moves + more > MOST_MOVES {
            n_left_out += 1;
            continue;
        }
        n_moves += more;
        chosen.extend(games.into_iter().map(|(which, game)| ChosenGame {
            agent: agent.name,
            budget: (budget, agent.budget),
            which: which.to_owned(),
            game,
        }));
    }
    if goal.is_none() {
        add_most_different(parts, &mut chosen, n_moves);
    }
    (chosen, n_left_out)
}

/// Adds the games of neighbours in the ranking on the seed on which they differ most, as long as
/// there is room.
fn add_most_different<'r>(
    parts: &[Vec<AgentGames<'r>>],
    chosen: &mut Vec<ChosenGame<'r>>,
    mut n_moves: u64,
) {
    let mut known: HashSet<u64> = chosen.iter().map(|chosen| chosen.game.game).collect();
    for (budget, part) in parts.iter().enumerate() {
        for pair in part.windows(2).take(MOST_NEIGHBOURS) {
            let [one, other] = pair else { continue };
            let Some((ours, theirs)) = most_different(&one.games, &other.games) else {
                continue;
            };
            for (agent, game, against) in [(one, ours, other.name), (other, theirs, one.name)] {
                if n_moves + game.n_moves > MOST_MOVES || !known.insert(game.game) {
                    continue;
                }
                n_moves += game.n_moves;
                chosen.push(ChosenGame {
                    agent: agent.name,
                    budget: (budget, agent.budget),
                    which: format!("most different from {against}"),
                    game,
                });
            }
        }
    }
}

/// The games on the common seed with the largest difference of scores.
fn most_different<'r>(
    ones: &[&'r GameFigures],
    others: &[&'r GameFigures],
) -> Option<(&'r GameFigures, &'r GameFigures)> {
    let by_seed: HashMap<u64, &GameFigures> =
        others.iter().map(|game| (game.seed, *game)).collect();
    let pairs = ones
        .iter()
        .filter_map(|one| Some((*one, *by_seed.get(&one.seed)?)));
    pairs.max_by_key(|(one, other)| (one.score.abs_diff(other.score), u64::MAX - one.seed))
}

/// The player and the table of its games; `replayed` are whole records, with their moves.
pub(super) fn replays(
    plan: &RunPlan,
    parts: &[Vec<AgentGames>],
    replayed: &[GameRecord],
) -> Markup {
    let by_number: HashMap<u64, &GameRecord> = replayed
        .iter()
        .map(|record| (record.game, record))
        .collect();
    let (chosen, n_left_out) = choose_games(parts, plan.tournament.ranking_goal());
    let (mut names, mut rows, mut n_broken) = (Vec::new(), Vec::new(), 0);
    for chosen in &chosen {
        let whole = by_number.get(&chosen.game.game);
        let Some(Ok(code)) = whole.map(|record| game_code(plan, record)) else {
            n_broken += 1;
            continue;
        };
        names.push(chosen.name());
        rows.push(row(chosen, &code));
    }
    if rows.is_empty() {
        return html! { p { "There is no game to replay." } (remarks(n_left_out, n_broken)) };
    }
    html! {
        (player(plan.tournament.side, &names))
        (remarks(n_left_out, n_broken))
        details {
            summary { "The games" }
            div.scroll tabindex="0" { (table(&rows)) }
        }
    }
}

fn remarks(n_left_out: u64, n_broken: u64) -> Markup {
    html! {
        @if n_left_out > 0 {
            p.meta {
                "The games of " (counted(n_left_out, "agent")) " are left out to keep this page \
                 small; " code { (program::command("replay")) } " shows every game of a run."
            }
        }
        @if n_broken > 0 {
            p.meta {
                (counted(n_broken, "record")) " cannot be replayed; "
                code { (program::command("verify")) } " says why."
            }
        }
    }
}

fn table(rows: &[Markup]) -> Markup {
    html! {
        table #games {
            thead {
                tr {
                    th { "Agent" } th { "Game" } th.n { "Seed" } th.n { "Score" }
                    th.n { "Moves" } th.n { "Highest" } th { "Ending" }
                }
            }
            tbody { @for row in rows { (row) } }
        }
    }
}

fn row(chosen: &ChosenGame, code: &str) -> Markup {
    let ChosenGame {
        agent,
        budget: (budget, _),
        which,
        game,
    } = chosen;
    html! {
        tr data-code=(code) data-moves=(game.n_moves) data-score=(game.score) data-agent=(agent)
            data-seed=(game.seed) data-budget=(budget)
        {
            td { (chosen.label()) } td { (which) } td.n { (game.seed) } td.n { (count(game.score)) }
            td.n { (count(game.n_moves)) } td.n { (game.highest) } td { (game.ending) }
        }
    }
}

/// The first agent of each budget, then the second of each, so that agents low in every
/// ranking are left out first; each with the number of its budget.
fn by_rank<'p, 'r>(
    parts: &'p [Vec<AgentGames<'r>>],
) -> impl Iterator<Item = (usize, &'p AgentGames<'r>)> {
    let most = parts.iter().map(Vec::len).max().unwrap_or(0);
    (0..most).flat_map(move |place| {
        let parts = parts.iter().enumerate();
        parts.filter_map(move |(budget, part)| Some((budget, part.get(place)?)))
    })
}

/// Best, median and worst; of equal games the earlier. For an even number of games, the median
/// is the worse of the two in the middle.
fn typical_games<'r>(
    games: &[&'r GameFigures],
    goal: Option<u64>,
) -> Vec<(&'static str, &'r GameFigures)> {
    let measure = if goal.is_some() {
        Measure::Moves
    } else {
        Measure::Score
    };
    let mut ranked = games.to_vec();
    ranked.sort_unstable_by_key(|game| {
        let worth = game.outcome(goal).worth(measure);
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

#[cfg(test)]
mod tests {
    use super::*;
    use run::example::figures;

    #[test]
    fn best_median_and_worst_are_games_of_the_log() {
        let games: Vec<GameFigures> = [30, 10, 50, 50, 20]
            .into_iter()
            .zip(1..)
            .map(|(score, seed)| figures(0, seed, score))
            .collect();
        let chosen = |n: usize| -> Vec<(&str, u64)> {
            let games: Vec<&GameFigures> = games.iter().take(n).collect();
            let chosen = typical_games(&games, None);
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
