//! What an agent built from this kit has to keep to, for its tests to call.
//!
//! Each function plays and panics where a rule is broken: these agents share one way
//! to the packed board and one way to spend a budget, and so they share its proofs.

use std::time::Duration;

use plugin_api::{Agent, Board, Clock, Dice, GameSetup, Limit, Rules, Side, Turn};

use crate::trial::play_game;

/// Games of every side are played to their end by legal moves, without a limit and
/// within few nodes or none.
///
/// # Panics
/// When one is not.
pub fn games_of_every_side_are_played_to_their_end<A: Agent<Params: Clone>>(params: &A::Params) {
    let limits = [0, 7, 300].map(Limit::Nodes);
    for limit in limits.into_iter().chain([Limit::None]) {
        for side in sides() {
            for seed in 1..=3 {
                play_game::<A>(params.clone(), &setup(side, limit), seed)
                    .expect("every move is legal and within its nodes");
            }
        }
    }
}

/// Without a clock the same game is played twice.
///
/// # Panics
/// When it is not.
pub fn games_without_a_clock_repeat<A: Agent<Params: Clone>>(params: &A::Params) {
    for limit in [Limit::None, Limit::Nodes(500)] {
        let play = || {
            let trial = play_game::<A>(params.clone(), &setup(Side::FOUR, limit), 7);
            trial
                .map(|trial| (trial.score, trial.nodes))
                .expect("it plays")
        };
        assert_eq!(play(), play());
    }
}

/// Many nodes make more than half as much again as few.
///
/// # Panics
/// When they do not.
pub fn more_nodes_play_better<A: Agent<Params: Clone>>(params: &A::Params) {
    let score = |nodes| -> u64 {
        let setup = setup(Side::FOUR, Limit::Nodes(nodes));
        let score = |seed| play_game::<A>(params.clone(), &setup, seed).map(|trial| trial.score);
        (1..=8).map(|seed| score(seed).expect("it plays")).sum()
    };
    let (few, many) = (score(10), score(500));
    assert!(3 * few < 2 * many, "{few} {many}");
}

/// A turn with time ends about when its time does.
///
/// # Panics
/// When it takes ten times as long: other tests run on the same clock.
pub fn a_turn_ends_when_its_time_does<A: Agent<Params: Clone>>(params: &A::Params) {
    let income = Duration::from_millis(20);
    let limit = Limit::Time {
        clock: Clock::Cpu,
        per_move: income,
        bank: Duration::ZERO,
    };
    let board: Board = "2 4 8 16 / 0 0 4 32 / 0 2 0 64 / 0 0 0 2"
        .parse()
        .expect("it is a board");
    let mut agent = A::new(params.clone(), &setup(board.side(), limit)).expect("it plays 4×4");
    let turn = Turn::with_time(Clock::Cpu, income);
    let start_ns = Clock::Cpu.now_ns();
    agent.choose(&board, &turn);
    let took = Duration::from_nanos(Clock::Cpu.now_ns() - start_ns);
    assert!(took < 10 * income, "{took:?}");
}

/// Moves are legal and within their nodes on boards of any side, crowded or not, with
/// tiles up to 131072: more than a packed board holds.
///
/// # Panics
/// When one is not.
pub fn moves_are_legal_beyond_packed_boards<A: Agent<Params: Clone>>(params: &A::Params) {
    let mut dice = Dice::new(2048);
    for side in sides() {
        for nodes in [0, 1, 19, 400] {
            let limited = setup(side, Limit::Nodes(nodes));
            let mut limited = A::new(params.clone(), &limited).expect("it plays the side");
            let free = setup(side, Limit::None);
            let mut free = A::new(params.clone(), &free).expect("it plays the side");
            for board in (0..50).map(|_| large_board(side, &mut dice)) {
                if board.is_over() {
                    continue;
                }
                let choice = limited.choose(&board, &Turn::with_nodes(nodes));
                assert!(board.slide(choice.direction).is_some(), "{board:?}");
                assert!(choice.nodes.is_none_or(|spent| spent <= nodes), "{board:?}");
                let choice = free.choose(&board, &Turn::unlimited());
                assert!(board.slide(choice.direction).is_some(), "{board:?}");
            }
        }
    }
}

fn sides() -> impl Iterator<Item = Side> {
    (2..=4).filter_map(Side::new)
}

fn setup(side: Side, limit: Limit) -> GameSetup {
    let rules = Rules {
        side,
        ..Rules::default()
    };
    GameSetup::new().with_rules(rules).with_limit(limit)
}

/// Small tiles, large ones and some empty cells.
fn large_board(side: Side, dice: &mut Dice) -> Board {
    const EXPONENTS: [u8; 16] = [0, 0, 0, 1, 1, 2, 3, 8, 13, 14, 15, 15, 16, 16, 17, 17];
    (0..side.n_cells()).fold(Board::empty(side), |board, cell| {
        board.with_tile(cell, EXPONENTS[dice.below(16) as usize])
    })
}
