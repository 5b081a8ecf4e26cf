//! The agent in games, with and without luck.

use backtracking::{Backtracking, Params};
use plugin_api::{Agent, Board, Game, GameSetup, Limit, Rules, Salt, Side, Status, Tiles, Turn};
use search_kit::trial::play_game;

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

/// Plays to the goal without luck and returns the number of moves.
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
fn without_luck_it_wastes_next_to_no_move_on_the_way_to_the_goal() {
    // G/2 + log2(G) - 3 are the fewest.
    assert_eq!(n_moves_to(2, 16, 1000), 9);
    assert!((262..=265).contains(&n_moves_to(4, 512, 20_000)));
    assert!((1032..=1040).contains(&n_moves_to(4, 2048, 20_000)));
}

#[test]
fn boards_beyond_the_packed_ones_are_played_legally() {
    let boards = [
        "65536 65536 4 2 / 2 4 8 16 / 4 8 16 32 / 8 16 32 64",
        "131072 65536 4 2 / 2 4 8 16 / 4 8 16 32 / 8 16 32 32",
        "32768 32768 4 2 / 2 4 8 16 / 4 8 16 32 / 8 16 32 64",
        "131072 2 4 2 / 2 4 8 4 / 4 8 4 8 / 8 4 8 8",
    ];
    for board in boards.map(|text| text.parse::<Board>().unwrap()) {
        for tiles in [Tiles::Random, Tiles::Deterministic] {
            let setup = setup(4, tiles, Limit::None);
            let mut agent = Backtracking::new(Params::default(), &setup).unwrap();
            for turn in [
                Turn::unlimited(),
                Turn::with_nodes(1),
                Turn::with_nodes(5000),
            ] {
                let choice = agent.choose(&board, &turn);
                assert!(board.slide(choice.direction).is_some());
            }
        }
    }
}

#[test]
fn a_board_it_does_not_play_is_refused() {
    let setup = setup(5, Tiles::Random, Limit::None);
    let refusal = Backtracking::new(Params::default(), &setup).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "it plays boards of 2×2 to 4×4, not 5×5"
    );
}
