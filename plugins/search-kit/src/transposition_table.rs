//! A table of fixed size with information about boards.
//!
//! Different moves lead to the same boards, and a search that stores them searches each
//! once. Every board has one slot; newer information replaces older because it belongs
//! to the current search. The full key is stored, so a slot with a different board is
//! recognised and never used.

use plugin_api::PackedBoard;

/// Information about boards, at most one board per slot.
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
    /// How far a hash is shifted to obtain the index of a slot.
    shift: u32,
}

impl<T: Copy + Default> TranspositionTable<T> {
    /// An empty table with this many slots, rounded up to a power of two.
    #[must_use]
    pub fn with_places(n_places: usize) -> Self {
        let n_places = n_places.clamp(2, 1 << 28).next_power_of_two();
        // No search looks up the empty board, so its key marks a free slot.
        Self {
            places: vec![(PackedBoard::EMPTY, T::default()); n_places].into(),
            shift: 64 - n_places.trailing_zeros(),
        }
    }

    /// The information about a board.
    #[must_use]
    #[inline]
    pub fn get(&self, board: PackedBoard) -> Option<T> {
        let (key, known) = self.places[self.place(board)];
        (key == board && board != PackedBoard::EMPTY).then_some(known)
    }

    /// Stores information about a board, replacing the contents of its slot.
    #[inline]
    pub fn put(&mut self, board: PackedBoard, known: T) {
        let place = self.place(board);
        self.places[place] = (board, known);
    }

    /// Removes all information.
    pub fn clear(&mut self) {
        self.places.fill((PackedBoard::EMPTY, T::default()));
    }

    /// Boards that differ in one or two tiles get distant slots: the multiplier is 2^64
    /// divided by the golden ratio, and the product's highest bits depend on all bits
    /// of the mixed board.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the shift leaves the index of a slot, which is a usize"
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
    fn a_slot_with_a_different_board_is_not_used() {
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
    fn boards_are_spread_over_the_slots() {
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
