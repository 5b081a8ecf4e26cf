//! A board as it is seen: a square of tiles.

use plugin_api::Side;

use super::markup::Append;

/// The board with these rows of face values; empty where they are no board, for a
/// log can hold anything.
pub(super) fn board(tiles: &[Vec<u64>]) -> String {
    let side = u8::try_from(tiles.len()).ok().and_then(Side::new);
    let is_tile = |tile: &u64| *tile == 0 || (*tile >= 2 && tile.is_power_of_two());
    let is_row = |row: &Vec<u64>| row.len() == tiles.len() && row.iter().all(is_tile);
    if side.is_none() || !tiles.iter().all(is_row) {
        return String::new();
    }
    let mut markup = format!(
        "<div class=\"board\" role=\"img\" aria-label=\"{}\" style=\"--side:{}\">",
        in_words(tiles),
        tiles.len()
    );
    for tile in tiles.iter().flatten() {
        match tile {
            0 => markup += "<span></span>",
            _ => markup.append(format_args!(
                "<span class=\"{}\" style=\"--e:{1}\">{tile}</span>",
                tile_class(*tile),
                tile.trailing_zeros()
            )),
        }
    }
    markup + "</div>"
}

/// Long numbers are smaller, dark tiles have light numbers.
fn tile_class(tile: u64) -> String {
    let digits = tile.to_string().len().min(9);
    let depth = if tile.trailing_zeros() > 8 {
        " deep"
    } else {
        ""
    };
    format!("tile d{digits}{depth}")
}

fn in_words(tiles: &[Vec<u64>]) -> String {
    let row = |row: &Vec<u64>| {
        let words: Vec<String> = row
            .iter()
            .map(|tile| {
                if *tile == 0 {
                    ".".to_owned()
                } else {
                    tile.to_string()
                }
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
    fn a_board_has_a_field_for_each_cell() {
        let markup = board(&[vec![2, 0], vec![131_072, 4]]);
        assert_eq!(markup.matches("<span").count(), 4);
        assert!(markup.contains("aria-label=\"2 . / 131072 4\""));
        assert!(markup.contains("<span class=\"tile d6 deep\" style=\"--e:17\">131072</span>"));
    }

    #[test]
    fn what_is_no_board_is_not_drawn() {
        for tiles in [
            vec![],
            vec![vec![2]],
            vec![vec![2, 3], vec![0, 0]],
            vec![vec![2; 3]; 2],
        ] {
            assert_eq!(board(&tiles), "");
        }
    }
}
