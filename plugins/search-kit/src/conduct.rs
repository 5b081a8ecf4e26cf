//! Rules that every agent of this kit must follow, as functions for their tests.
//!
//! Each function plays and panics if a rule is broken. The agents convert boards and
//! spend budgets in the same way, so they share the tests for it.

use std::{fs, time::Duration};

use plugin_api::{Agent, Board, Clock, Dice, GameSetup, Limit, Rules, Side, Turn};

use crate::trial::play_game;

/// Plays games of every side to their end with legal moves, without a limit and with
/// few or no nodes.
///
/// # Panics
/// If a game fails.
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

/// Plays the same game twice without a clock.
///
/// # Panics
/// If the two games differ.
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

/// Compares games with many nodes and with few.
///
/// # Panics
/// If the scores with many nodes are not more than 1.5 times as high.
pub fn more_nodes_play_better<A: Agent<Params: Clone>>(params: &A::Params) {
    let score = |nodes| -> u64 {
        let setup = setup(Side::FOUR, Limit::Nodes(nodes));
        let score = |seed| play_game::<A>(params.clone(), &setup, seed).map(|trial| trial.score);
        (1..=8).map(|seed| score(seed).expect("it plays")).sum()
    };
    let (few, many) = (score(10), score(500));
    assert!(3 * few < 2 * many, "{few} {many}");
}

/// Plays a turn with a time limit. Its clock counts all threads of the process, so other
/// tests can only end it earlier.
///
/// # Panics
/// If its thread uses more than twice the time.
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
    let before = cpu_time_of_thread();
    agent.choose(&board, &turn);
    let took = cpu_time_of_thread().saturating_sub(before);
    assert!(took < 2 * income, "{took:?}");
}

/// As the kernel counted it at its last tick, a few milliseconds ago at most.
fn cpu_time_of_thread() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split_whitespace().next().expect("three numbers");
    Duration::from_nanos(nanoseconds.parse().expect("a number"))
}

/// Plays a hundred moves with 2 ms each. Call it in a process without other tests, because
/// the clock counts the CPU time of all threads.
///
/// # Panics
/// If the median turn uses less than half of its time or more than 1.2 times as much.
pub fn a_turn_uses_its_time_and_no_more<A: Agent<Params: Clone>>(params: &A::Params) {
    let mut setup = GameSetup::new().with_limit(Limit::Time {
        clock: Clock::Cpu,
        per_move: Duration::from_millis(2),
        bank: Duration::ZERO,
    });
    setup.rules.max_moves = Some(100);
    let mut trial = play_game::<A>(params.clone(), &setup, 1).expect("every move is legal");
    trial.turn_ns.sort_unstable();
    let median = trial.turn_ns[trial.turn_ns.len() / 2];
    assert!((1_000_000..2_400_000).contains(&median), "{median} ns");
}

/// Asks for moves on 4×4 boards with tiles that a packed board cannot hold.
///
/// # Panics
/// If a move is illegal.
pub fn moves_are_legal_with_the_highest_tiles<A: Agent<Params: Clone>>(
    params: &A::Params,
    setup: &GameSetup,
) {
    let boards = [
        "65536 65536 4 2 / 2 4 8 16 / 4 8 16 32 / 8 16 32 64",
        "131072 65536 4 2 / 2 4 8 16 / 4 8 16 32 / 8 16 32 32",
        "32768 32768 4 2 / 2 4 8 16 / 4 8 16 32 / 8 16 32 64",
        "131072 2 4 2 / 2 4 8 4 / 4 8 4 8 / 8 4 8 8",
    ];
    for board in boards.map(|text| text.parse::<Board>().expect("it is a board")) {
        let mut agent = A::new(params.clone(), setup).expect("it plays 4×4");
        for turn in [
            Turn::unlimited(),
            Turn::with_nodes(1),
            Turn::with_nodes(5000),
        ] {
            let choice = agent.choose(&board, &turn);
            assert!(board.slide(choice.direction).is_some(), "{board}");
        }
    }
}

/// Asks for moves on boards of any side, crowded or not, with tiles up to 131072, which
/// a packed board cannot hold.
///
/// # Panics
/// If a move is illegal or exceeds its nodes.
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

/// Small tiles, large tiles and some empty cells.
fn large_board(side: Side, dice: &mut Dice) -> Board {
    const EXPONENTS: [u8; 16] = [0, 0, 0, 1, 1, 2, 3, 8, 13, 14, 15, 15, 16, 16, 17, 17];
    (0..side.n_cells()).fold(Board::empty(side), |board, cell| {
        board.with_tile(cell, EXPONENTS[dice.below(16) as usize])
    })
}
