//! The speed of the rules: moves of random games on packed and on exact boards.
//!
//! Every benchmark asserts the result it times, because a faster version with different
//! results is not an improvement. They measure the thread's CPU time, which other
//! programs on the machine do not affect.

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nix::time::ClockId;
use plugin_api::{
    Dice, Direction, FourShare, Game, PackedBoard, PlayOut, RandomGame, Rules, Salt, Side, Status,
};

/// Plays random games on packed boards, as Monte Carlo searches do.
fn play_outs(play_out: PlayOut, n_games: u64) -> RandomGame {
    let mut dice = Dice::new(1);
    let mut total = RandomGame::default();
    for _ in 0..n_games {
        let board = play_out.spawn(PackedBoard::EMPTY, &mut dice);
        let board = play_out.spawn(board, &mut dice);
        let game = play_out.play(board, &mut dice);
        total.n_moves += game.n_moves;
        total.score += game.score;
    }
    total
}

/// Plays random games on packed boards move by move.
fn packed_games(play_out: PlayOut, n_games: u64) -> RandomGame {
    let mut dice = Dice::new(1);
    let mut total = RandomGame::default();
    for _ in 0..n_games {
        let mut board = play_out.spawn(PackedBoard::EMPTY, &mut dice);
        board = play_out.spawn(board, &mut dice);
        while let Some((moved, gain)) = play_out.slide(board, &mut dice) {
            total.n_moves += 1;
            total.score += u64::from(gain);
            board = play_out.spawn(moved, &mut dice);
        }
    }
    total
}

/// The legal moves of random games by the exact rules, one list per seed.
fn random_moves(n_games: u64) -> Vec<Vec<Direction>> {
    let mut dice = Dice::new(1);
    (0..n_games)
        .map(|seed| {
            let mut game = Game::start(Rules::default(), &Salt::NONE, seed);
            let mut moves = Vec::new();
            while game.status() == Status::Running {
                let direction = Direction::ALL[dice.below(4) as usize];
                moves.extend(game.play(direction).map(|_| direction));
            }
            moves
        })
        .collect()
}

/// Replays games by the exact rules.
fn exact_games(games: &[Vec<Direction>]) -> RandomGame {
    let mut total = RandomGame::default();
    for (seed, moves) in (0..).zip(games) {
        let mut game = Game::start(Rules::default(), &Salt::NONE, seed);
        for &direction in moves {
            game.play(direction);
        }
        total.n_moves += game.n_moves();
        total.score += game.score();
    }
    total
}

/// The CPU time of this thread so far.
fn cpu_time() -> Duration {
    let clock = ClockId::CLOCK_THREAD_CPUTIME_ID;
    clock.now().expect("Linux has this clock").into()
}

fn random_game(criterion: &mut Criterion) {
    let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).expect("4×4 can be packed");
    let games = random_moves(100);
    let mut group = criterion.benchmark_group("moves of random games");
    let mut bench = |name: &str, expected: RandomGame, play: &dyn Fn() -> RandomGame| {
        group.throughput(Throughput::Elements(expected.n_moves));
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|n_rounds| {
                let start = cpu_time();
                for _ in 0..n_rounds {
                    assert_eq!(black_box(play()), expected);
                }
                cpu_time().saturating_sub(start)
            });
        });
    };
    let expected = |n_moves, score| RandomGame { score, n_moves };
    bench("play-out", expected(119_520, 1_110_252), &|| {
        play_outs(play_out, 1000)
    });
    bench(
        "packed, move by move",
        expected(115_338, 1_049_696),
        &|| packed_games(play_out, 1000),
    );
    bench("exact game", expected(11_528, 105_532), &|| {
        exact_games(&games)
    });
    group.finish();
}

criterion_group!(benches, random_game);
criterion_main!(benches);
