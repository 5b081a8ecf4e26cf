//! What an agent has to play, computed from the rules of `plugin-api`.

use plugin_api::{Board, Direction, Game, Rules, Salt, Slide, Status};
use run::game_record::GameRecord;

/// The moves of a game in which `choose` decides, as a record has them.
pub(crate) fn moves(seed: u64, choose: fn(&Board) -> Direction) -> String {
    let mut game = Game::start(Rules::default(), &Salt::NONE, seed);
    let mut moves = String::new();
    while game.status() == Status::Running {
        let direction = choose(game.board());
        game.play(direction).expect("a legal move");
        moves.push(match direction {
            Direction::Up => 'U',
            Direction::Right => 'R',
            Direction::Down => 'D',
            Direction::Left => 'L',
        });
    }
    moves
}

/// Checks that an agent played all of its games like this.
#[track_caller]
pub(crate) fn check(
    records: &[GameRecord],
    agent: &str,
    n_games: usize,
    choose: fn(&Board) -> Direction,
) {
    let games: Vec<&GameRecord> = records.iter().filter(|it| it.agent == agent).collect();
    assert_eq!(games.len(), n_games, "games of {agent}");
    for game in games {
        assert_eq!(game.fault, None, "{agent} on seed {}", game.seed);
        assert_eq!(
            game.moves,
            moves(game.seed, choose),
            "{agent} on seed {}",
            game.seed
        );
    }
}

/// The libraries of docs/other-languages.md: the first legal move of these.
pub(crate) fn corner(board: &Board) -> Direction {
    let wishes = [
        Direction::Down,
        Direction::Left,
        Direction::Right,
        Direction::Up,
    ];
    let mut legal = wishes
        .into_iter()
        .filter(|&wish| board.slide(wish).is_some());
    legal.next().expect("a turn has a legal move")
}

/// The kits: points, room and order, one move ahead; the first of the best moves.
pub(crate) fn kit(board: &Board) -> Direction {
    let slides = board
        .legal_moves()
        .filter_map(|it| Some((it, worth(&board.slide(it)?))));
    let best = slides.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.expect("a turn has a legal move").0
}

fn worth(slide: &Slide) -> i64 {
    let tiles: Vec<Vec<i64>> = slide.board.tiles().into_iter().map(signed).collect();
    let column = |i: usize| tiles.iter().map(|row| row[i]).collect::<Vec<_>>();
    let disorder = |line: &[i64]| {
        let steps = || line.windows(2).map(|pair| pair[1] - pair[0]);
        let rises: i64 = steps().filter(|step| *step > 0).sum();
        let falls: i64 = steps().filter(|step| *step < 0).sum();
        rises.min(-falls)
    };
    let of_rows: i64 = tiles.iter().map(|row| disorder(row)).sum();
    let of_columns: i64 = (0..tiles.len()).map(|i| disorder(&column(i))).sum();
    let room = i64::try_from(slide.board.n_empty()).expect("few cells");
    i64::try_from(slide.gain).expect("a small gain") + 20 * room - of_rows - of_columns
}

fn signed(row: Vec<u64>) -> Vec<i64> {
    let tiles = row.into_iter().map(i64::try_from);
    tiles.collect::<Result<_, _>>().expect("tiles are small")
}
