//! The tree's memory: a table of nodes of fixed size, found by their boards.
//!
//! A node is a board on which a move is chosen. Nodes are not linked: the tile that a
//! chance node draws leads to a board, and the board to its node. So positions that
//! are reached in several ways share what is known of them, the part of the tree
//! below the move that was played is there on the next turn, and memory is bounded:
//! a new node takes the place of the one among a few neighbours that was not needed
//! for longest.

use plugin_api::PackedBoard;

/// Places where a node may stand.
const N_NEIGHBOURS: usize = 4;

/// What is known of a direction: the chance node behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge {
    /// How often it was tried; 0 when it is illegal, and a first look counts.
    pub(crate) n_visits: u32,
    /// The mean of what came of it.
    pub(crate) mean: f32,
}

impl Edge {
    /// Adds what came of one try.
    #[inline]
    pub(crate) fn add(&mut self, value: f32) {
        self.n_visits += 1;
        #[expect(
            clippy::cast_precision_loss,
            reason = "a mean of millions needs no more"
        )]
        let weight = self.n_visits as f32;
        self.mean += (value - self.mean) / weight;
    }
}

/// A board on which a move is chosen. It fills one line of the processor's cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Node {
    board: PackedBoard,
    /// How often a move was chosen here.
    pub(crate) n_visits: u32,
    /// The number of the search that needed it last.
    pub(crate) last_search: u32,
    /// What is known of each direction, by its number.
    pub(crate) edges: [Edge; 4],
}

impl Node {
    /// A node that was not visited yet.
    #[must_use]
    pub(crate) fn new(board: PackedBoard, edges: [Edge; 4], search: u32) -> Self {
        Self {
            board,
            n_visits: 0,
            last_search: search,
            edges,
        }
    }

    /// The board on which a move is chosen.
    pub(crate) fn board(&self) -> PackedBoard {
        self.board
    }

    /// Who is lower gives way.
    fn worth_keeping(&self) -> (u32, u32) {
        (self.last_search, self.n_visits)
    }
}

/// The nodes of a tree.
#[derive(Debug)]
pub(crate) struct NodeTable {
    nodes: Box<[Node]>,
    /// How far a hash is shifted to become a place.
    shift: u32,
}

/// Where a board's node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is here.
    Known(usize),
    /// It is not there, and would stand here.
    Free(usize),
}

impl NodeTable {
    /// A table with room for 2^`bits` nodes of 64 bytes.
    #[must_use]
    pub(crate) fn new(bits: u32) -> Self {
        Self {
            nodes: vec![Node::default(); 1 << bits].into_boxed_slice(),
            shift: 64 - bits,
        }
    }

    /// Where the node of a board stands. No board in a game is empty, as that of an
    /// unused place is.
    #[must_use]
    #[inline]
    pub(crate) fn find(&self, board: PackedBoard) -> Place {
        let hash = board.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        #[expect(clippy::cast_possible_truncation, reason = "a place in the table fits")]
        let first = (hash >> self.shift) as usize;
        let mut least = first;
        for place in (first..first + N_NEIGHBOURS).map(|place| place & (self.nodes.len() - 1)) {
            if self.nodes[place].board == board {
                return Place::Known(place);
            }
            if self.nodes[place].worth_keeping() < self.nodes[least].worth_keeping() {
                least = place;
            }
        }
        Place::Free(least)
    }

    /// The node at a place.
    #[must_use]
    #[inline]
    pub(crate) fn node(&self, place: usize) -> &Node {
        &self.nodes[place]
    }

    /// The node at a place, to be changed or replaced.
    #[inline]
    pub(crate) fn node_mut(&mut self, place: usize) -> &mut Node {
        &mut self.nodes[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_stands_where_it_was_put() {
        let mut table = NodeTable::new(4);
        let board = PackedBoard::from_bits(0x1234);
        let Place::Free(place) = table.find(board) else {
            panic!("an empty table knows no board");
        };
        *table.node_mut(place) = Node::new(board, [Edge::default(); 4], 1);
        assert_eq!(table.find(board), Place::Known(place));
    }

    #[test]
    fn a_full_table_gives_up_what_was_not_needed_for_longest() {
        let mut table = NodeTable::new(2);
        for (bits, search) in [(1, 5), (2, 3), (3, 9), (4, 4)] {
            let board = PackedBoard::from_bits(bits);
            let Place::Free(place) = table.find(board) else {
                panic!("the board is new");
            };
            *table.node_mut(place) = Node::new(board, [Edge::default(); 4], search);
        }
        let Place::Known(oldest) = table.find(PackedBoard::from_bits(2)) else {
            panic!("four boards fit into four places");
        };
        assert_eq!(table.find(PackedBoard::from_bits(5)), Place::Free(oldest));
    }

    #[test]
    fn an_edge_keeps_the_mean() {
        let mut edge = Edge::default();
        for value in [3.0, 5.0, 10.0] {
            edge.add(value);
        }
        assert_eq!(edge.n_visits, 3);
        assert!((edge.mean - 6.0).abs() < 1e-6);
    }
}
