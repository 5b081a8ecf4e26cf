//! The agent in games.

use mcts::{Mcts, Params};
use plugin_api::{
    Agent, Board, Direction, Game, GameSetup, Limit, Rules, Salt, Side, Status, Tiles, Turn,
};
use search_kit::{conduct, trial::play_game};

fn setup(side: u8, limit: Limit) -> GameSetup {
    let rules = Rules {
        side: Side::new(side).unwrap(),
        ..Rules::default()
    };
    GameSetup::new().with_rules(rules).with_limit(limit)
}

fn all_methods() -> [Params; 3] {
    let flat = Params {
        tree: false,
        ..Params::default()
    };
    let paper = Params {
        runs: Some(3),
        ..Params::default()
    };
    [Params::default(), flat, paper]
}

#[test]
fn games_on_all_its_boards_are_legal_and_keep_to_their_nodes() {
    for side in 2..=4 {
        for nodes in [1, 2, 5, 6, 7, 500] {
            for params in all_methods() {
                let setup = setup(side, Limit::Nodes(nodes));
                play_game::<Mcts>(params, &setup, 1).unwrap();
            }
        }
    }
}

#[test]
fn play_depends_on_the_random_seed_alone() {
    for params in all_methods() {
        let play = |random_seed| {
            let setup = setup(4, Limit::Nodes(800)).with_random_seed(random_seed);
            let trial = play_game::<Mcts>(params.clone(), &setup, 3).unwrap();
            (trial.score, trial.nodes)
        };
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));
    }
}

#[test]
fn a_tree_beats_random_games_with_the_same_budget() {
    let mean = |tree| -> u64 {
        let params = Params {
            tree,
            ..Params::default()
        };
        let setup = setup(4, Limit::Nodes(1000));
        let score = |seed| {
            play_game::<Mcts>(params.clone(), &setup, seed)
                .unwrap()
                .score
        };
        (1..=8).map(score).sum::<u64>() / 8
    };
    let (tree, flat) = (mean(true), mean(false));
    assert!(tree > 2 * flat, "{tree} against {flat}");
}

#[test]
fn moves_are_legal_with_the_highest_tiles() {
    for params in all_methods() {
        conduct::moves_are_legal_with_the_highest_tiles::<Mcts>(&params, &setup(4, Limit::None));
    }
}

#[test]
fn a_goal_within_reach_is_taken() {
    let mut setup = setup(2, Limit::None);
    setup.rules.goal = Some(16);
    let board: Board = "8 8 / 2 4".parse().unwrap();
    for params in all_methods() {
        let mut agent = Mcts::new(params, &setup).unwrap();
        let choice = agent.choose(&board, &Turn::with_nodes(2000));
        assert!([Direction::Left, Direction::Right].contains(&choice.direction));
    }
}

#[test]
fn deterministic_games_are_played_to_their_end() {
    let mut setup = setup(3, Limit::Nodes(300));
    setup.rules.tiles = Tiles::Deterministic;
    let mut agent = Mcts::new(Params::default(), &setup).unwrap();
    let mut game = Game::start(setup.rules, &Salt::NONE, 0);
    while game.status() == Status::Running {
        let choice = agent.choose(game.board(), &Turn::with_nodes(300));
        game.play(choice.direction).unwrap();
    }
    assert!(game.score() > 500);
}

#[test]
fn an_unsupported_board_is_rejected() {
    let refusal = Mcts::new(Params::default(), &setup(5, Limit::None)).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "it supports boards of 2×2 to 4×4, not 5×5"
    );
}
