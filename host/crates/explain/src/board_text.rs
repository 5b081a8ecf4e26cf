//! A board as people write it.
//!
//! Three notations are understood: rows of tiles, `2 4 8 16/4 8 16 32/…`; 16 hexadecimal digits
//! of exponents in reading order, as macroxue's engine and 2048EndgameTablebase use them,
//! `EDC1BA9187611110`; and the same with `0x` before it, whose leading zeros may be missing.

use plugin_api::{Board, Side};
use text::{number_text::counted, plugin_words::name_as_code};

/// The cells of a board in hexadecimal notation.
const N_DIGITS: usize = 16;

/// The largest power of two that a tile can be.
const LARGEST_TILE: u64 = 1 << 63;

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotABoard {
    #[error(
        "is empty; write rows of tiles, for example '2 4 8 16/4 8 16 32/0 0 2 4/0 0 0 2', or 16 \
         hexadecimal digits"
    )]
    Empty,
    #[error(
        "row {row}, number {number}: {} is not a tile; tiles are 0 or . for an empty cell, 2, 4, 8, …",
        name_as_code(word)
    )]
    NotATile {
        row: usize,
        number: usize,
        word: String,
    },
    #[error(
        "row {row}, number {number}: {} is too large; the largest tile is {LARGEST_TILE}",
        name_as_code(word)
    )]
    TooLarge {
        row: usize,
        number: usize,
        word: String,
    },
    #[error("has no tile; a board of a game has at least one")]
    NoTile,
    #[error(
        "has {}; a board has 2 to 8 rows, separated by `/`",
        counted(*.0 as u64, "row")
    )]
    WrongRows(usize),
    #[error("row {row} has {found} numbers, but the board has {side} rows; boards are square")]
    NotASquare {
        row: usize,
        found: usize,
        side: usize,
    },
    #[error(
        "has {}; the notation of 4×4 boards has 16, one exponent per cell",
        counted(*.0 as u64, "hexadecimal digit")
    )]
    WrongDigits(usize),
}

/// Parses a board.
///
/// ```
/// # use explain::board_text::board;
/// let rows = board("16384 8192 4096 2/2048 1024 512 2/256 128 64 2/2 2 2 0").unwrap();
/// assert_eq!(board("EDC1BA9187611110"), Ok(rows));
/// assert_eq!(
///     board("2 4/8 x").unwrap_err().to_string(),
///     "row 2, number 2: `x` is not a tile; tiles are 0 or . for an empty cell, 2, 4, 8, …"
/// );
/// ```
///
/// # Errors
/// If it is none, with the place of the mistake.
pub fn board(text: &str) -> Result<Board, NotABoard> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NotABoard::Empty);
    }
    let board = match hexadecimal(text) {
        Some(digits) => of_digits(&digits?)?,
        None => of_rows(text)?,
    };
    if board.exponents().iter().all(|&exponent| exponent == 0) {
        return Err(NotABoard::NoTile);
    }
    Ok(board)
}

/// The exponents of a text in hexadecimal notation; `None` for another notation.
fn hexadecimal(text: &str) -> Option<Result<Vec<u8>, NotABoard>> {
    let prefixed = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let digits = prefixed.unwrap_or(text);
    let exponents: Option<Vec<u8>> = digits
        .chars()
        .map(|digit| {
            digit
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect();
    let exponents = exponents?;
    Some(match exponents.len() {
        N_DIGITS => Ok(exponents),
        n_digits if n_digits < N_DIGITS && prefixed.is_some() => {
            let mut padded = vec![0; N_DIGITS - n_digits];
            padded.extend(exponents);
            Ok(padded)
        }
        n_digits => Err(NotABoard::WrongDigits(n_digits)),
    })
}

fn of_digits(exponents: &[u8]) -> Result<Board, NotABoard> {
    let board = Board::from_exponents(Side::FOUR, exponents);
    board.map_err(|_| NotABoard::WrongDigits(exponents.len()))
}

fn of_rows(text: &str) -> Result<Board, NotABoard> {
    let text = text.trim_matches(['/', '\n']);
    let mut rows = Vec::new();
    for (row, line) in (1..).zip(text.split(['/', '\n'])) {
        let words = line.split(|c: char| c.is_whitespace() || c == ',');
        let words = words.filter(|word| !word.is_empty());
        let tiles: Result<Vec<u8>, NotABoard> = (1..)
            .zip(words)
            .map(|(number, word)| {
                exponent(word).ok_or_else(|| {
                    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
                    let word = word.to_owned();
                    if is_number && word.parse::<u64>().is_err() {
                        NotABoard::TooLarge { row, number, word }
                    } else {
                        NotABoard::NotATile { row, number, word }
                    }
                })
            })
            .collect();
        rows.push(tiles?);
    }
    let Some(side) = u8::try_from(rows.len()).ok().and_then(Side::new) else {
        return Err(NotABoard::WrongRows(rows.len()));
    };
    for (row, tiles) in (1..).zip(&rows) {
        if tiles.len() != rows.len() {
            return Err(NotABoard::NotASquare {
                row,
                found: tiles.len(),
                side: rows.len(),
            });
        }
    }
    let board = Board::from_exponents(side, &rows.concat());
    Ok(board.expect("the rows have the right length and hold exponents of tiles"))
}

/// The exponent of a tile as it is written.
fn exponent(word: &str) -> Option<u8> {
    if word == "." {
        return Some(0);
    }
    match word.parse::<u64>().ok()? {
        0 => Some(0),
        tile if tile >= 2 && tile.is_power_of_two() => u8::try_from(tile.trailing_zeros()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_gives_the_same_board() {
        let expected: Board = "0 0 0 2/4 8 16 32/0 0 0 0/2048 0 0 32768".parse().unwrap();
        for text in [
            "0 0 0 2/4 8 16 32/0 0 0 0/2048 0 0 32768",
            " . . . 2 / 4 8 16 32 / . . . . / 2048 . . 32768 /",
            "0,0,0,2\n4,8,16,32\n0,0,0,0\n2048,0,0,32768\n",
            "000123450000b00f",
            "0x123450000B00F",
        ] {
            assert_eq!(board(text), Ok(expected), "{text}");
        }
        assert_eq!(board("2 2/0 0").unwrap().side().length(), 2);
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text: &str| board(text).unwrap_err().to_string();
        assert!(error("  ").starts_with("is empty"));
        assert!(error("2 4/8 6").starts_with("row 2, number 2: `6` is not a tile"));
        assert!(error("1 2/8 4").starts_with("row 1, number 1: `1` is not a tile"));
        assert!(error("2 4 8").starts_with("has 1 row;"));
        assert!(error("2 4 8/2 4").starts_with("row 1 has 3 numbers, but the board has 2 rows"));
        assert!(error("2 4//8 16").starts_with("row 1 has 2 numbers, but the board has 3 rows"));
        assert!(error("EDC1BA918761111").starts_with("has 15 hexadecimal digits"));
        assert!(error("2").starts_with("has 1 hexadecimal digit;"));
        assert_eq!(
            error("2 18446744073709551616/2 2"),
            "row 1, number 2: `18446744073709551616` is too large; the largest tile is \
             9223372036854775808"
        );
        assert!(error("0 0/. 0").starts_with("has no tile"));
    }
}
