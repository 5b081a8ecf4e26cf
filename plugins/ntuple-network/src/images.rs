//! The eight images of a board: turned and mirrored.

/// The board and its seven other images. Tiles appear in every empty cell alike, so all
/// eight are worth the same.
#[must_use]
#[inline]
pub fn images(board: u64) -> [u64; 8] {
    let (mirrored, transposed) = (rows_reversed(board), transposed(board));
    let turned = rows_reversed(transposed);
    [
        board,
        mirrored,
        rows_swapped(board),
        rows_swapped(mirrored),
        transposed,
        turned,
        rows_swapped(transposed),
        rows_swapped(turned),
    ]
}

#[inline]
fn transposed(board: u64) -> u64 {
    let low = (board ^ board >> 12) & 0x0000_f0f0_0000_f0f0;
    let board = board ^ low ^ low << 12;
    let high = (board ^ board >> 24) & 0x0000_0000_ff00_ff00;
    board ^ high ^ high << 24
}

/// Every row from its last cell to its first.
#[inline]
fn rows_reversed(board: u64) -> u64 {
    let board = (board & 0x00ff_00ff_00ff_00ff) << 8 | board >> 8 & 0x00ff_00ff_00ff_00ff;
    (board & 0x0f0f_0f0f_0f0f_0f0f) << 4 | board >> 4 & 0x0f0f_0f0f_0f0f_0f0f
}

/// The rows from the last to the first.
#[inline]
fn rows_swapped(board: u64) -> u64 {
    let board = board.rotate_left(32);
    (board & 0x0000_ffff_0000_ffff) << 16 | board >> 16 & 0x0000_ffff_0000_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_images_are_the_eight_symmetries_of_the_square() {
        let mut all = images(0xfedc_ba98_7654_3210);
        all.sort_unstable();
        assert_eq!(
            all,
            [
                0x0123_4567_89ab_cdef,
                0x048c_159d_26ae_37bf,
                0x3210_7654_ba98_fedc,
                0x37bf_26ae_159d_048c,
                0xc840_d951_ea62_fb73,
                0xcdef_89ab_4567_0123,
                0xfb73_ea62_d951_c840,
                0xfedc_ba98_7654_3210,
            ]
        );
    }
}
