//! How fast the rules are: moves of random games on packed and on exact boards.
//!
//! Every benchmark asserts the result it times: a change that makes play faster and
//! other is no improvement.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plugin_api::{
    Dice, Direction, FourShare, Game, PackedBoard, PlayOut, Rules, Salt, Side, Status,
};

/// Plays random games on packed boards; returns the moves made and the score.
fn packed_games(play_out: PlayOut, n_games: u64) -> (u64, u64) {
    let (mut n_moves, mut score) = (0, 0);
    let mut dice = Dice::new(1);
    for _ in 0..n_games {
        let mut board = play_out.spawn(PackedBoard::EMPTY, &mut dice);
        board = play_out.spawn(board, &mut dice);
        while let Some((moved, gain)) = play_out.slide(board, &mut dice) {
            n_moves += 1;
            score += u64::from(gain);
            board = play_out.spawn(moved, &mut dice);
        }
    }
    (n_moves, score)
}

/// Plays random games by the exact rules; returns the moves made and the score.
fn exact_games(n_games: u64) -> (u64, u64) {
    let (mut n_moves, mut score) = (0, 0);
    let mut dice = Dice::new(1);
    for seed in 0..n_games {
        let mut game = Game::start(Rules::default(), &Salt::NONE, seed);
        while game.status() == Status::Running {
            game.play(Direction::ALL[dice.below(4) as usize]);
        }
        n_moves += game.n_moves();
        score += game.score();
    }
    (n_moves, score)
}

fn random_game(criterion: &mut Criterion) {
    let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).expect("4×4 can be packed");
    let mut group = criterion.benchmark_group("random game, moves");

    let packed = packed_games(play_out, 1000);
    group.throughput(Throughput::Elements(packed.0));
    group.bench_function("packed board", |bencher| {
        bencher.iter(|| assert_eq!(packed_games(black_box(play_out), 1000), packed));
    });

    let exact = exact_games(200);
    group.throughput(Throughput::Elements(exact.0));
    group.bench_function("exact game", |bencher| {
        bencher.iter(|| assert_eq!(exact_games(black_box(200)), exact));
    });
    group.finish();
}

criterion_group!(benches, random_game);
criterion_main!(benches);
