//! What is known about moved boards, by the number of tiles to come.

use plugin_api::PackedBoard;

use crate::TranspositionTable;

/// The sizes of the tables for boards with more than one tile to come, and with one.
/// They are separate because the many cheap entries would replace the expensive ones.
/// They are small because a search of a millisecond needs no more, and they stay in the
/// nearest caches.
const N_FAR: usize = 1 << 15;
const N_NEAR: usize = 1 << 12;

/// Two tables of moved boards. They exist as long as their search.
pub struct SearchedBoards<T> {
    far: TranspositionTable<T>,
    near: TranspositionTable<T>,
}

impl<T: Copy + Default> SearchedBoards<T> {
    /// Two empty tables.
    #[must_use]
    pub fn new() -> Self {
        Self {
            far: TranspositionTable::with_places(N_FAR),
            near: TranspositionTable::with_places(N_NEAR),
        }
    }

    /// What is known about a board that is to be searched to this depth.
    #[must_use]
    #[inline]
    pub fn get(&self, board: PackedBoard, depth: i32) -> Option<T> {
        let table = if depth == 1 { &self.near } else { &self.far };
        table.get(board)
    }

    /// Stores what a search to this depth found.
    #[inline]
    pub fn put(&mut self, board: PackedBoard, depth: i32, known: T) {
        let table = if depth == 1 {
            &mut self.near
        } else {
            &mut self.far
        };
        table.put(board, known);
    }
}

impl<T: Copy + Default> Default for SearchedBoards<T> {
    fn default() -> Self {
        Self::new()
    }
}
