//! A memory of fixed size of what is known about boards.
//!
//! Different moves lead to the same boards, and a search that remembers them looks
//! once. Every board has one place; the newer knowledge takes it, for it belongs to
//! what is being searched. The whole key is kept, so that a place taken by another
//! board is seen and never believed.

use plugin_api::PackedBoard;

/// What is known about boards, at most as many as there are places.
///
/// ```
/// # use plugin_api::PackedBoard;
/// # use search_kit::TranspositionTable;
/// let mut table = TranspositionTable::with_places(1 << 4);
/// let board = PackedBoard::from_bits(0x21);
/// assert_eq!(table.get(board), None);
/// table.put(board, 7);
/// assert_eq!(table.get(board), Some(7));
/// ```
pub struct TranspositionTable<T> {
    places: Box<[(PackedBoard, T)]>,
    /// How far a hash is shifted to leave the number of a place.
    shift: u32,
}

impl<T: Copy + Default> TranspositionTable<T> {
    /// An empty table with so many places, rounded up to a power of two.
    #[must_use]
    pub fn with_places(n_places: usize) -> Self {
        let n_places = n_places.clamp(2, 1 << 28).next_power_of_two();
        // No search asks for the board without tiles: its key marks a free place.
        Self {
            places: vec![(PackedBoard::EMPTY, T::default()); n_places].into(),
            shift: 64 - n_places.trailing_zeros(),
        }
    }

    /// What is known about a board.
    #[must_use]
    #[inline]
    pub fn get(&self, board: PackedBoard) -> Option<T> {
        let (key, known) = self.places[self.place(board)];
        (key == board && board != PackedBoard::EMPTY).then_some(known)
    }

    /// Remembers something about a board, in place of what stood there.
    #[inline]
    pub fn put(&mut self, board: PackedBoard, known: T) {
        let place = self.place(board);
        self.places[place] = (board, known);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places.fill((PackedBoard::EMPTY, T::default()));
    }

    /// Boards that differ in a tile or two lie far apart: the multiplier is 2^64
    /// divided by the golden ratio, and the product's highest bits depend on all
    /// bits of the mixed board.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the shift leaves the number of a place, which is a usize"
    )]
    fn place(&self, board: PackedBoard) -> usize {
        let bits = board.bits();
        let hash = (bits ^ bits >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_taken_by_another_board_is_not_believed() {
        let mut table = TranspositionTable::with_places(2);
        let boards: Vec<_> = (1..=100).map(PackedBoard::from_bits).collect();
        for &board in &boards {
            table.put(board, board.bits());
        }
        let known: Vec<_> = boards
            .iter()
            .filter_map(|&board| table.get(board))
            .collect();
        assert!(known.len() <= 2 && known.contains(&100));
        assert!(
            boards
                .iter()
                .all(|&board| table.get(board).is_none_or(|bits| bits == board.bits()))
        );
        table.clear();
        assert!(boards.iter().all(|&board| table.get(board).is_none()));
    }

    #[test]
    fn boards_spread_over_the_places() {
        let mut table = TranspositionTable::with_places(1 << 12);
        let boards: Vec<_> = (0..1u64 << 10)
            .map(|number| PackedBoard::from_bits(0x1234_5000_0000_0001 | number << 20))
            .collect();
        for &board in &boards {
            table.put(board, ());
        }
        let n_kept = boards
            .iter()
            .filter(|&&board| table.get(board).is_some())
            .count();
        // 1024 balls thrown into 4096 boxes leave about 908 boxes with a ball.
        assert!(n_kept > 800, "{n_kept}");
    }
}
