//! The agent in games with random and with deterministic tiles.

use backtracking::{Backtracking, Params};
use plugin_api::{Agent, Game, GameSetup, Limit, Rules, Salt, Side, Status, Tiles, Turn};
use search_kit::{conduct, trial::play_game};

fn rules(side: u8, tiles: Tiles) -> Rules {
    Rules {
        side: Side::new(side).unwrap(),
        tiles,
        ..Rules::default()
    }
}

fn setup(side: u8, tiles: Tiles, limit: Limit) -> GameSetup {
    GameSetup::new()
        .with_rules(rules(side, tiles))
        .with_limit(limit)
}

#[test]
fn games_on_all_its_boards_are_legal_and_keep_to_their_nodes() {
    for side in 2..=4 {
        for nodes in [1, 2, 3, 7, 1000] {
            let setup = setup(side, Tiles::Random, Limit::Nodes(nodes));
            play_game::<Backtracking>(Params::default(), &setup, 1).unwrap();
        }
        for tiles in [Tiles::Random, Tiles::Deterministic] {
            let mut setup = setup(side, tiles, Limit::Nodes(2000));
            setup.rules.max_moves = Some(500);
            play_game::<Backtracking>(Params::default(), &setup, 1).unwrap();
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_play() {
    let setup = setup(4, Tiles::Random, Limit::Nodes(500));
    let score = || play_game::<Backtracking>(Params::default(), &setup, 7).unwrap();
    let (first, second) = (score(), score());
    assert_eq!((first.score, first.nodes), (second.score, second.nodes));
}

/// Plays to the goal with deterministic tiles and returns the number of moves.
fn n_moves_to(side: u8, goal: u64, nodes: u64) -> u64 {
    let rules = Rules {
        goal: Some(goal),
        ..rules(side, Tiles::Deterministic)
    };
    let setup = GameSetup::new().with_rules(rules);
    let mut agent = Backtracking::new(Params::default(), &setup).unwrap();
    let mut game = Game::start(rules, &Salt::NONE, 0);
    while game.status() == Status::Running {
        let choice = agent.choose(game.board(), &Turn::with_nodes(nodes));
        game.play(choice.direction).unwrap();
    }
    assert_eq!(game.status(), Status::GoalReached);
    game.n_moves()
}

#[test]
fn with_deterministic_tiles_it_wastes_almost_no_moves() {
    // The smallest number is G/2 + log2(G) - 3.
    assert_eq!(n_moves_to(2, 16, 1000), 9);
    assert!((262..=265).contains(&n_moves_to(4, 512, 20_000)));
    assert!((1032..=1040).contains(&n_moves_to(4, 2048, 20_000)));
}

#[test]
fn moves_are_legal_with_the_highest_tiles() {
    for tiles in [Tiles::Random, Tiles::Deterministic] {
        let setup = setup(4, tiles, Limit::None);
        conduct::moves_are_legal_with_the_highest_tiles::<Backtracking>(&Params::default(), &setup);
    }
}

#[test]
fn an_unsupported_board_is_rejected() {
    let setup = setup(5, Tiles::Random, Limit::None);
    let refusal = Backtracking::new(Params::default(), &setup).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "it supports boards of 2×2 to 4×4, not 5×5"
    );
}
