//! A board as a square of tiles.
//!
//! The markup is that of `board.js`, which draws the boards of the player: `tiles.css` styles
//! both.

use maud::{Markup, html};
use plugin_api::Side;

/// The highest exponent with a colour of its own; higher tiles share it.
const LAST_COLOUR: u32 = 18;

/// The board with these rows of face values. Empty where they are not a board, because a log
/// can contain anything.
pub(super) fn board(tiles: &[Vec<u64>]) -> Markup {
    let side = u8::try_from(tiles.len()).ok().and_then(Side::new);
    let is_tile = |tile: &u64| *tile == 0 || (*tile >= 2 && tile.is_power_of_two());
    let is_row = |row: &Vec<u64>| row.len() == tiles.len() && row.iter().all(is_tile);
    if side.is_none() || !tiles.iter().all(is_row) {
        return Markup::default();
    }
    html! {
        div.board role="img" aria-label=(in_words(tiles)) style={ "--side:" (tiles.len()) } {
            @for (y, row) in tiles.iter().enumerate() {
                @for (x, tile) in row.iter().enumerate() {
                    span class=(tile_class(*tile)) style={ "--x:" (x) ";--y:" (y) } {
                        @if *tile > 0 { (tile) }
                    }
                }
            }
        }
    }
}

/// The class gives a tile its colour, and long numbers a smaller size.
fn tile_class(tile: u64) -> String {
    if tile == 0 {
        return "cell".to_owned();
    }
    let colour = tile.trailing_zeros().min(LAST_COLOUR);
    let n_digits = tile.to_string().len().min(9);
    format!("tile e{colour} d{n_digits}")
}

fn in_words(tiles: &[Vec<u64>]) -> String {
    let row = |row: &Vec<u64>| {
        let words: Vec<String> = row
            .iter()
            .map(|tile| match tile {
                0 => ".".to_owned(),
                tile => tile.to_string(),
            })
            .collect();
        words.join(" ")
    };
    tiles.iter().map(row).collect::<Vec<_>>().join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_place_on_the_board() {
        let markup = board(&[vec![2, 0], vec![131_072, 4]]).into_string();
        assert_eq!(markup.matches("<span").count(), 4);
        assert!(markup.contains("aria-label=\"2 . / 131072 4\""));
        let tile = "<span class=\"tile e17 d6\" style=\"--x:0;--y:1\">131072</span>";
        assert!(markup.contains(tile), "{markup}");
    }

    #[test]
    fn rows_that_are_not_a_board_are_not_drawn() {
        for tiles in [
            vec![],
            vec![vec![2]],
            vec![vec![2, 3], vec![0, 0]],
            vec![vec![2; 3]; 2],
        ] {
            assert_eq!(board(&tiles).into_string(), "");
        }
    }
}
