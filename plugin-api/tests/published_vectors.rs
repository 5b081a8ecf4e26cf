//! The vectors in `docs/vectors`, which `docs/rules.md` describes: they are what these rules give.
//!
//! `UPDATE_DOCS=1` writes them anew. Other tests compare the rules with counts and slides from
//! elsewhere, and a Python program that was written from the page passes these vectors.

use std::{env, fs, path::Path};

use plugin_api::{
    Board, Dice, Direction, FourShare, Game, MAX_SEED, Rules, Salt, Side, Slide, Status,
    TileSequence, Tiles, face_value,
};
use serde::Serialize;
use sha2::{Digest, Sha256};

type Faces = Vec<Vec<u64>>;

/// Compares the lines with those of the published file, or writes the file.
#[track_caller]
fn check<L: Serialize>(name: &str, lines: impl IntoIterator<Item = L>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs/vectors")
        .join(name);
    let lines = lines.into_iter().map(|line| serde_json::to_string(&line));
    let text: String = lines.map(|line| line.expect("JSON") + "\n").collect();
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &text).expect("the published file");
    }
    let published = fs::read_to_string(&path).expect("the published file");
    for (number, (published, line)) in (1..).zip(published.lines().zip(text.lines())) {
        assert_eq!(published, line, "line {number} of {}", path.display());
    }
    assert_eq!(published.len(), text.len(), "{}", path.display());
}

fn side(length: u8) -> Side {
    Side::new(length).expect("2 to 8")
}

fn sides() -> impl Iterator<Item = Side> {
    (2..=8).map(side)
}

fn salts() -> [Salt; 2] {
    let bytes = std::array::from_fn(|place| u8::try_from(7 * place + 1).expect("below 256"));
    [Salt::NONE, Salt::from_bytes(bytes)]
}

/// A board and its four moves.
#[derive(Serialize)]
struct SlideVector {
    rule: &'static str,
    board: Faces,
    over: bool,
    #[serde(rename = "U")]
    up: Option<Slid>,
    #[serde(rename = "R")]
    right: Option<Slid>,
    #[serde(rename = "D")]
    down: Option<Slid>,
    #[serde(rename = "L")]
    left: Option<Slid>,
}

#[derive(Serialize)]
struct Slid {
    board: Faces,
    gain: u64,
}

fn slide_vector(rule: &'static str, board: &Board) -> SlideVector {
    let slid = |direction| {
        let slide: Option<Slide> = board.slide(direction);
        slide.map(|Slide { board, gain }| Slid {
            board: board.tiles(),
            gain,
        })
    };
    SlideVector {
        rule,
        board: board.tiles(),
        over: board.is_over(),
        up: slid(Direction::Up),
        right: slid(Direction::Right),
        down: slid(Direction::Down),
        left: slid(Direction::Left),
    }
}

/// Lines of exponents, each under the rule that it shows. They are cut to the side of the board
/// if only empty cells are lost.
const LINES: &[(&str, &[u8])] = &[
    ("slide", &[0, 1]),
    ("slide", &[1, 0, 2, 0, 1, 0, 2]),
    ("slide", &[0, 0, 2, 1]),
    ("merge", &[1, 1]),
    ("merge", &[2, 0, 0, 2]),
    ("merge", &[1, 1, 2, 2, 3, 3, 4, 4]),
    ("merge-once", &[3, 3, 4, 0]),
    ("merge-once", &[4, 3, 3, 0]),
    ("merge-once", &[1, 1, 2, 3]),
    ("merge-once", &[1, 1, 2, 3, 4, 5, 6, 7]),
    ("three-equal", &[1, 1, 1]),
    ("three-equal", &[0, 3, 3, 3]),
    ("three-equal", &[2, 0, 2, 2]),
    ("four-equal", &[1, 1, 1, 1]),
    ("four-equal", &[5, 0, 5, 5, 0, 5]),
    ("five-equal", &[2, 2, 2, 2, 2]),
];

/// One line of tiles in a row and in a column of an otherwise empty board.
fn boards_with_line(side: Side, line: &[u8]) -> Vec<Board> {
    let length = side.length();
    let Some((line, rest)) = line.split_at_checked(length.min(line.len())) else {
        return Vec::new();
    };
    if rest.iter().any(|&exponent| exponent > 0) {
        return Vec::new();
    }
    let along = |step: usize, start: usize| {
        let cells = line.iter().enumerate();
        cells.fold(Board::empty(side), |board, (place, &exponent)| {
            board.with_tile(start + step * place, exponent)
        })
    };
    vec![along(1, length * (length - 1)), along(length, length / 2)]
}

/// A full board without a legal move.
fn checkered(side: Side) -> Board {
    let length = side.length();
    (0..side.n_cells()).fold(Board::empty(side), |board, cell| {
        let is_odd = (cell / length + cell % length) % 2 == 1;
        board.with_tile(cell, if is_odd { 2 } else { 1 })
    })
}

fn random_board(side: Side, dice: &mut Dice) -> Board {
    // From crowded to sparse, and with few or many different tiles.
    let (n_empty_in_8, n_kinds) = (dice.below(6), 1 + dice.below(4));
    let first = dice.below(8);
    (0..side.n_cells()).fold(Board::empty(side), |board, cell| {
        if dice.below(8) < n_empty_in_8 {
            return board;
        }
        let exponent = 1 + first + dice.below(n_kinds);
        board.with_tile(cell, u8::try_from(exponent).expect("at most 12"))
    })
}

#[test]
fn the_published_slides_are_those_of_the_rules() {
    let mut vectors = Vec::new();
    for side in sides() {
        for (rule, line) in LINES {
            let boards = boards_with_line(side, line);
            vectors.extend(boards.iter().map(|board| slide_vector(rule, board)));
        }
        let over = checkered(side);
        vectors.push(slide_vector("over", &over));
        // One pair in a full board, in its corners and in its middle, and one empty cell.
        let (length, last) = (side.length(), side.n_cells() - 1);
        for cell in [0, length - 1, last / 2, last - length + 1, last] {
            let equal = 3 - over.exponents()[cell];
            vectors.push(slide_vector("full-board", &over.with_tile(cell, equal)));
        }
        vectors.push(slide_vector("illegal-move", &over.with_tile(last, 0)));
        vectors.push(slide_vector("illegal-move", &over.with_tile(last / 2, 0)));
        let mut dice = Dice::new(length as u64);
        for _ in 0..24 {
            vectors.push(slide_vector("any", &random_board(side, &mut dice)));
        }
    }
    for side in sides() {
        for exponent in [14, 15, 16, 20, 30] {
            let pair = Board::empty(side)
                .with_tile(0, exponent)
                .with_tile(1, exponent);
            vectors.push(slide_vector("large-tiles", &pair));
        }
    }
    check("slides.jsonl", vectors);
}

/// The random words of a tile.
#[derive(Serialize)]
struct WordsVector {
    salt: String,
    seed: u64,
    tile: u64,
    four: f64,
    n_empty: usize,
    cell: usize,
    value: u64,
}

fn words_vector(salt: &Salt, seed: u64, tile: u64, share: f64, side: Side) -> WordsVector {
    let board = Board::empty(side);
    let four = FourShare::new(share).expect("a share");
    let spawn = TileSequence::random(salt, seed, four).spawn(tile, &board);
    let spawn = spawn.expect("an empty board");
    WordsVector {
        salt: salt.to_string(),
        seed,
        tile,
        four: share,
        n_empty: board.n_empty(),
        cell: spawn.cell,
        value: face_value(spawn.exponent),
    }
}

#[test]
fn the_published_tiles_are_those_of_the_sequence() {
    let mut vectors = Vec::new();
    let shares = [0.0, 0.1, 0.2, 0.5, 0.9, 1.0];
    for salt in salts() {
        for seed in [0, 1, 7, 1 << 32, MAX_SEED] {
            for tile in [0, 1, 2, 3, 1000, (1 << 32) - 1, 1 << 32, (1 << 40) + 5] {
                let share = shares[vectors.len() % shares.len()];
                let side = sides().nth(vectors.len() % 7).expect("seven");
                vectors.push(words_vector(&salt, seed, tile, share, side));
            }
        }
    }
    // The second word of this tile, which the page gives, and shares whose limits are it and the
    // next number.
    let word = f64::from(0x9ac7_3dc1_u32);
    for limit in [word, word + 0.25, word + 0.5, word + 1.0] {
        let share = limit / 4_294_967_296.0;
        vectors.push(words_vector(&Salt::NONE, 7, 1, share, Side::FOUR));
    }
    check("tiles.jsonl", vectors);
}

/// How often each tile appears in each cell.
#[derive(Serialize)]
struct SpawnVector {
    board: Faces,
    four: f64,
    salt: String,
    n_seeds: u32,
    tile: u64,
    /// By cell of the board.
    twos: Vec<u32>,
    fours: Vec<u32>,
    /// Of the cells, rounded to thousandths.
    chi_squared: f64,
}

#[test]
fn the_published_spawns_are_those_of_the_sequence_and_uniform() {
    const N_SEEDS: u32 = 2000;
    // Quantiles of the chi-squared distribution at 1 − 10⁻⁶, from SciPy.
    let cases = [
        ("2 2 / 0 0", 0.1, 1.0, 23.928),
        ("2 4 8 / 0 0 16 / 4 2 0", 0.5, 2.0, 27.631),
        ("2 4 2 4 / 4 0 4 2 / 2 4 2 0 / 0 2 0 0", 0.1, 4.0, 33.377),
        ("0 0 0 0 / 0 2 0 0 / 0 0 2 0 / 0 0 0 0", 0.2, 13.0, 52.747),
        (
            "0 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 0",
            0.1,
            24.0,
            72.229,
        ),
    ];
    let mut vectors = Vec::new();
    for (case, (board, share, freedom, limit)) in cases.into_iter().enumerate() {
        let board: Board = board.parse().expect("a board");
        let (salt, tile) = (salts()[case % 2], 3 * case as u64);
        let n_cells = board.side().n_cells();
        let (mut twos, mut fours) = (vec![0; n_cells], vec![0; n_cells]);
        for seed in 0..N_SEEDS {
            let four = FourShare::new(share).expect("a share");
            let spawn = TileSequence::random(&salt, seed.into(), four).spawn(tile, &board);
            let spawn = spawn.expect("an empty cell");
            let counts = if spawn.exponent == 1 {
                &mut twos
            } else {
                &mut fours
            };
            counts[spawn.cell] += 1;
        }
        let n_empty: f64 = board.empty_cells().fold(0.0, |sum, _| sum + 1.0);
        assert!((n_empty - 1.0 - freedom).abs() < 0.5, "{board:?}");
        let expected = f64::from(N_SEEDS) / n_empty;
        let of_cell = |cell: usize| (f64::from(twos[cell] + fours[cell]) - expected).powi(2);
        let chi_squared = board.empty_cells().map(of_cell).sum::<f64>() / expected;
        assert!(chi_squared < limit, "{chi_squared} on {board:?}");
        let n_fours = f64::from(fours.iter().sum::<u32>());
        let deviation = (f64::from(N_SEEDS) * share * (1.0 - share)).sqrt();
        let distance = (n_fours - f64::from(N_SEEDS) * share).abs() / deviation;
        assert!(distance < 4.892, "{n_fours} fours on {board:?}");
        vectors.push(SpawnVector {
            board: board.tiles(),
            four: share,
            salt: salt.to_string(),
            n_seeds: N_SEEDS,
            tile,
            twos,
            fours,
            chi_squared: (chi_squared * 1000.0).round() / 1000.0,
        });
    }
    check("spawns.jsonl", vectors);
}

/// A whole game.
#[derive(Serialize)]
struct GameVector {
    size: usize,
    tiles: Tiles,
    four: f64,
    salt: String,
    seed: u64,
    goal: Option<u64>,
    max_moves: Option<u64>,
    moves: String,
    score: u64,
    ending: &'static str,
    /// Of the board after the start and after every move.
    hashes: Vec<String>,
}

/// The first 8 hexadecimal digits of the SHA-256 of the tiles in reading order and the score.
fn hash(game: &Game) -> String {
    let mut numbers = game.board().tiles().concat();
    numbers.push(game.score());
    let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let digest = Sha256::digest(words.join(" "));
    let number = digest
        .iter()
        .take(4)
        .fold(0, |number, &byte| number << 8 | u32::from(byte));
    format!("{number:08x}")
}

fn game_vector(rules: Rules, salt: &Salt, seed: u64, dice: &mut Dice) -> GameVector {
    let mut game = Game::start(rules, salt, seed);
    let (mut moves, mut hashes) = (String::new(), vec![hash(&game)]);
    while game.status() == Status::Running {
        let legal: Vec<Direction> = game.board().legal_moves().collect();
        let chosen = dice.below(u32::try_from(legal.len()).expect("at most 4"));
        let direction = legal[chosen as usize];
        game.play(direction).expect("a legal move");
        moves.push(direction.letter());
        hashes.push(hash(&game));
    }
    GameVector {
        size: rules.side.length(),
        tiles: rules.tiles,
        four: rules.four.as_f64(),
        salt: salt.to_string(),
        seed,
        goal: rules.goal,
        max_moves: rules.max_moves,
        moves,
        score: game.score(),
        ending: match game.status() {
            Status::GoalReached => "goal-reached",
            Status::NoMoveLeft => "no-move-left",
            Status::MoveLimit | Status::Running => "move-limit",
        },
        hashes,
    }
}

#[test]
fn the_published_games_are_those_of_the_rules() {
    let mut vectors = Vec::new();
    let mut dice = Dice::new(2048);
    for side in sides() {
        // Random games on 5×5 and larger are long.
        let max_moves = (side.length() > 4).then_some(100);
        let rules = Rules {
            side,
            max_moves,
            ..Rules::default()
        };
        for (seed, share) in [(7, 0.1), (1 << 32, 0.5), (MAX_SEED, 0.0), (0, 1.0)] {
            let four = FourShare::new(share).expect("a share");
            for salt in salts() {
                let rules = Rules { four, ..rules };
                vectors.push(game_vector(rules, &salt, seed, &mut dice));
            }
        }
        let deterministic = Rules {
            tiles: Tiles::Deterministic,
            ..rules
        };
        vectors.push(game_vector(deterministic, &Salt::NONE, 0, &mut dice));
        let to_goal = Rules {
            goal: Some(8),
            max_moves: Some(40),
            ..rules
        };
        vectors.push(game_vector(to_goal, &salts()[1], 1, &mut dice));
    }
    check("games.jsonl", vectors);
}
