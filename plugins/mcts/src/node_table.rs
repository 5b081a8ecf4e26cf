//! The tree's memory: a table of nodes of fixed size, found by their boards.
//!
//! A node is a board on which a move is chosen. Nodes are not linked: the tile that a
//! chance node draws leads to a board, and the board to its node. Therefore positions
//! that are reached in several ways share their statistics, and the part of the tree
//! below the move that was played is available on the next turn. Memory is bounded: a
//! new node replaces the one among a few neighbours that has not been used for the
//! longest time.

use plugin_api::PackedBoard;

/// The number of slots in which a node may be stored.
const N_NEIGHBOURS: usize = 4;

/// The statistics of a direction: the chance node after it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge {
    /// How often it was tried; 0 if it is illegal. The first evaluation counts.
    pub(crate) n_visits: u32,
    /// The mean of its results.
    pub(crate) mean: f32,
}

impl Edge {
    /// Adds one result.
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

/// A board on which a move is chosen. It fills one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Node {
    board: PackedBoard,
    /// How often a move was chosen here.
    pub(crate) n_visits: u32,
    /// The number of the search that used it last.
    pub(crate) last_search: u32,
    /// The statistics of each direction, by its number.
    pub(crate) edges: [Edge; 4],
}

impl Node {
    /// A node that has not been visited yet.
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

    /// The node with the lower priority is replaced.
    fn worth_keeping(&self) -> (u32, u32) {
        (self.last_search, self.n_visits)
    }
}

/// The nodes of a tree.
#[derive(Debug)]
pub(crate) struct NodeTable {
    nodes: Box<[Node]>,
    /// How far a hash is shifted to become an index.
    shift: u32,
}

/// The slot of a board's node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The node is stored here.
    Known(usize),
    /// The node is not stored; it would go here.
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

    /// Finds the node of a board. No board in a game is empty, and an unused slot
    /// contains the empty board.
    #[must_use]
    #[inline]
    pub(crate) fn find(&self, board: PackedBoard) -> Place {
        let hash = board.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an index of the table fits"
        )]
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

    /// The node in a slot.
    #[must_use]
    #[inline]
    pub(crate) fn node(&self, place: usize) -> &Node {
        &self.nodes[place]
    }

    /// The node in a slot, to be changed or replaced.
    #[inline]
    pub(crate) fn node_mut(&mut self, place: usize) -> &mut Node {
        &mut self.nodes[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_found_where_it_was_stored() {
        let mut table = NodeTable::new(4);
        let board = PackedBoard::from_bits(0x1234);
        let Place::Free(place) = table.find(board) else {
            panic!("an empty table knows no board");
        };
        *table.node_mut(place) = Node::new(board, [Edge::default(); 4], 1);
        assert_eq!(table.find(board), Place::Known(place));
    }

    #[test]
    fn a_full_table_replaces_the_least_recently_used_node() {
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
