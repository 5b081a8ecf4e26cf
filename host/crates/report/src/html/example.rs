//! Small runs of games that were played, for the tests of the page.

use plugin_api::{Direction, Game, Status};

use run::{
    example::record,
    game_record::{Ending, GameRecord},
    run_plan::RunPlan,
};

/// A game of at most this many moves. Each is the first legal one of up, left, right and down,
/// except for a few that depend on the agent's name.
pub(super) fn played_game(plan: &RunPlan, agent: &str, seed: u64, most_moves: u64) -> GameRecord {
    use Direction::{Down, Left, Right, Up};
    let mut game = Game::start(plan.tournament.rules(), &plan.salt, seed);
    let mut moves = String::new();
    while game.status() == Status::Running && game.n_moves() < most_moves {
        let turn = usize::from(game.n_moves() % 7 == agent.len() as u64 % 7);
        let mut order = [Up, Left, Right, Down];
        order.rotate_left(turn);
        let legal = order.into_iter().find(|way| game.play(*way).is_some());
        moves.push(legal.expect("a running game has a legal move").letter());
    }
    GameRecord {
        n_moves: game.n_moves(),
        highest: game.board().highest(),
        board: game.board().tiles(),
        moves,
        ending: Ending::NoMoveLeft,
        ..record(agent, seed, game.score())
    }
}

/// The games of all agents on the first seeds, in the order of the plan.
pub fn played_games(plan: &RunPlan, agents: &[&str], n_seeds: u64) -> Vec<GameRecord> {
    let games = (1..=n_seeds).flat_map(|seed| agents.iter().map(move |agent| (seed, agent)));
    (0..)
        .zip(games)
        .map(|(game, (seed, agent))| GameRecord {
            game,
            ..played_game(plan, agent, seed, 10_000)
        })
        .collect()
}
