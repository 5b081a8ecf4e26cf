//! A board as a drawing that does not move.
//!
//! The report page shows it with a fault, and it fits into other drawings: everything is in
//! attributes, so it needs no style sheet. Boards whose tiles slide are drawn by
//! `html/shared/board.js`. Both have the colours of `tiles.css`.

use maud::{Markup, html};
use plugin_api::Side;
use statistics::as_f64;
use text::number_text::needed_decimals;

const TILES_CSS: &str = include_str!("html/shared/tiles.css");
/// Higher exponents share the last colour.
const LAST_COLOUR: u32 = 18;
/// From this exponent on, colours are so dark that numbers are white.
const FIRST_DARK: u32 = 12;

const FONT: &str = "system-ui, Helvetica, Arial, 'Liberation Sans', sans-serif";
/// The width of a bold digit, as a share of the font size.
const DIGIT: f64 = 0.58;
/// The smallest font size of a number that is written in full, in pixels.
const LEGIBLE: f64 = 8.0;

/// A board as a drawing of its own, 60 mm wide, with words below it.
#[must_use]
pub fn board_picture(rows: &[Vec<u64>], words: &str) -> String {
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" width="60mm" height="66mm" viewBox="0 0 240 264"
            font-family=(FONT)
        {
            rect width="100%" height="100%" fill="#fff" {}
            (board_svg(rows, (0.0, 0.0), 240.0))
            text x="120" y="257" font-size="14" text-anchor="middle" { (words) }
        }
    };
    markup.into_string() + "\n"
}

/// The board with these rows of face values, `size` pixels wide, at a position of the drawing
/// around it. Empty where the rows are not a board, because a log can contain anything.
///
/// A number that would be too small to read is written shorter: `1k` is 1024, `128k` is 131,072.
#[must_use]
pub fn board_svg(rows: &[Vec<u64>], (x, y): (f64, f64), size: f64) -> Markup {
    let length = u8::try_from(rows.len()).ok().and_then(Side::new);
    let is_tile = |tile: &u64| *tile == 0 || (*tile >= 2 && tile.is_power_of_two());
    let is_row = |row: &Vec<u64>| row.len() == rows.len() && row.iter().all(is_tile);
    if length.is_none() || !rows.iter().all(is_row) {
        return Markup::default();
    }
    let gap = size * 0.1 / as_f64(rows.len());
    let cell = (size - gap) / as_f64(rows.len()) - gap;
    let corner = |place: usize| gap + (cell + gap) * as_f64(place);
    html! {
        svg.still-board xmlns="http://www.w3.org/2000/svg" role="img" x=(pixels(x)) y=(pixels(y))
            width=(pixels(size)) height=(pixels(size))
            viewBox={ "0 0 " (pixels(size)) " " (pixels(size)) }
            font-family=(FONT) font-weight="700" text-anchor="middle"
        {
            title { (in_words(rows)) }
            rect.well width="100%" height="100%" rx=(pixels(size * 0.02)) fill=(WELL) {}
            @for (row, tiles) in rows.iter().enumerate() {
                @for (column, tile) in tiles.iter().enumerate() {
                    (drawn_cell(*tile, (corner(column), corner(row)), cell))
                }
            }
        }
    }
}

/// A length in a drawing.
pub(crate) fn pixels(length: f64) -> String {
    needed_decimals(length, 2)
}

fn drawn_cell(tile: u64, (x, y): (f64, f64), size: f64) -> Markup {
    let square = |class: Option<&str>, colour: &str| {
        html! {
            rect class=[class] x=(pixels(x)) y=(pixels(y)) width=(pixels(size)) height=(pixels(size))
                rx=(pixels(size * 0.06)) fill=(colour) {}
        }
    };
    if tile == 0 {
        return square(Some("hollow"), HOLLOW);
    }
    let TileLook {
        colour,
        ink,
        face,
        font_size,
    } = tile_look(tile, size);
    html! {
        (square(None, colour))
        text.face x=(pixels(x + size / 2.0)) y=(pixels(y + size / 2.0 + 0.36 * font_size))
            font-size=(pixels(font_size)) fill=(ink)
        { (face) }
    }
}

/// The colour of an empty board and of its cells.
pub const WELL: &str = "#dcd8ce";
pub const HOLLOW: &str = "#cec9bd";

/// What a tile looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct TileLook {
    /// `#rrggbb`.
    pub colour: &'static str,
    /// The colour of its number, `#rrggbb` or `#fff`.
    pub ink: &'static str,
    /// Its number.
    pub face: String,
    pub font_size: f64,
}

/// The look of a tile, which is not 0, on a cell of this size in pixels.
#[must_use]
pub fn tile_look(tile: u64, size: f64) -> TileLook {
    let exponent = tile.trailing_zeros();
    let ink = if exponent < FIRST_DARK {
        "#241d16"
    } else {
        "#fff"
    };
    let (face, font_size) = face(tile, size);
    TileLook {
        colour: colour(exponent),
        ink,
        face,
        font_size,
    }
}

/// The number of a tile on a cell of this size, and its font size.
fn face(tile: u64, cell: f64) -> (String, f64) {
    let font_size = |text: &str| (0.92 / (DIGIT * as_f64(text.len()))).min(0.5) * cell;
    let full = tile.to_string();
    if tile < 1024 || font_size(&full) >= LEGIBLE {
        let size = font_size(&full);
        return (full, size);
    }
    let powers = (1..7)
        .map(|power| tile >> (10 * power))
        .zip("kMGTPE".chars());
    let last = powers.take_while(|(number, _)| *number > 0).last();
    let short = last.map_or(full, |(number, unit)| format!("{number}{unit}"));
    let size = font_size(&short);
    (short, size)
}

fn colour(exponent: u32) -> &'static str {
    let rule = format!(".e{} {{ background: ", exponent.min(LAST_COLOUR));
    let rules = TILES_CSS.split_once(&rule);
    let (_, colour) = rules.expect("the style sheet has every colour");
    &colour[.."#rrggbb".len()]
}

/// `2 . / 4 8`, as `board.js` describes a board.
fn in_words(rows: &[Vec<u64>]) -> String {
    let word = |tile: &u64| match tile {
        0 => ".".to_owned(),
        tile => tile.to_string(),
    };
    let words = |row: &Vec<u64>| row.iter().map(word).collect::<Vec<_>>().join(" ");
    rows.iter().map(words).collect::<Vec<_>>().join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: &[Vec<u64>], size: f64) -> String {
        board_svg(rows, (0.0, 0.0), size).into_string()
    }

    #[test]
    fn every_cell_has_its_place_on_the_board() {
        let svg = drawn(&[vec![2, 0], vec![131_072, 4]], 206.0);
        assert_eq!(svg.matches("<rect").count(), 5);
        assert_eq!(svg.matches("<text").count(), 3);
        assert!(svg.contains("<title>2 . / 131072 4</title>"), "{svg}");
        let tile = "x=\"10.3\" y=\"108.15\" width=\"87.55\" height=\"87.55\"";
        assert!(svg.contains(tile), "{svg}");
        assert!(svg.contains("fill=\"#fff\">131072</text>"), "{svg}");
    }

    #[test]
    fn long_numbers_are_short_on_small_cells() {
        let faces = |size| [512, 1024, 131_072, 1 << 20].map(|tile| face(tile, size).0);
        assert_eq!(faces(60.0), ["512", "1024", "131072", "1048576"]);
        assert_eq!(faces(10.0), ["512", "1k", "128k", "1M"]);
    }

    #[test]
    fn every_tile_has_a_colour_and_a_face() {
        for exponent in 1..64 {
            assert!(colour(exponent).starts_with('#'));
            assert!(face(1 << exponent, 8.0).0.len() <= 4);
        }
    }

    #[test]
    fn rows_that_are_not_a_board_are_not_drawn() {
        for rows in [
            vec![],
            vec![vec![2]],
            vec![vec![2, 3], vec![0, 0]],
            vec![vec![2; 3]; 2],
        ] {
            assert_eq!(drawn(&rows, 100.0), "");
        }
    }
}
