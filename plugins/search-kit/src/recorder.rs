//! Records the tree that a search visits, for `explain/1`.
//!
//! A search is generic over its recorder: with [`NoRecorder`] every call compiles to nothing,
//! so the search that is explained is the one that plays. A search visits nodes depth-first:
//! it opens a node, searches its children, and closes it with its value.

use std::cmp::Ordering;

use plugin_api::{
    Choice, Direction, PackedBoard, Side,
    explain::{Cut, CutReason, Explanation, Node, NodeKind, SearchedDepth, Term},
    face_value,
};

/// What a search tells about its nodes.
pub trait Recorder {
    /// Whether anything is recorded.
    const IS_ON: bool;

    /// Begins a tree: a first one, or one of a deeper search.
    fn begin(&mut self);

    /// Says what leads to the node that is opened next.
    fn announce(&mut self, lead: impl FnOnce() -> Node);

    /// Visits a child of the open node, or the root.
    fn open(&mut self, kind: NodeKind);

    /// Says more about the open node.
    fn add(&mut self, change: impl FnOnce(&mut Node));

    /// Leaves the open node.
    fn close(&mut self, change: impl FnOnce(&mut Node));

    /// Forgets the last child of the open node: it is searched again.
    fn search_again(&mut self);

    /// Ends the tree of a depth.
    fn complete(&mut self, depth: impl FnOnce() -> SearchedDepth);
}

/// Records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecorder;

impl Recorder for NoRecorder {
    const IS_ON: bool = false;
    #[inline]
    fn begin(&mut self) {}
    #[inline]
    fn announce(&mut self, _: impl FnOnce() -> Node) {}
    #[inline]
    fn open(&mut self, _: NodeKind) {}
    #[inline]
    fn add(&mut self, _: impl FnOnce(&mut Node)) {}
    #[inline]
    fn close(&mut self, _: impl FnOnce(&mut Node)) {}
    #[inline]
    fn search_again(&mut self) {}
    #[inline]
    fn complete(&mut self, _: impl FnOnce() -> SearchedDepth) {}
}

/// A node to which a move leads.
#[must_use]
pub fn after_move(direction: Direction) -> Node {
    Node {
        direction: Some(direction),
        ..Node::default()
    }
}

/// A node to which a new tile leads: the one by which the boards differ.
#[must_use]
pub fn after_tile(moved: PackedBoard, board: PackedBoard, side: Side) -> Node {
    let difference = moved.bits() ^ board.bits();
    let place = difference.trailing_zeros() / 4;
    let (row, column) = (place as usize / 4, place as usize % 4);
    let exponent = (difference >> (4 * place)).to_le_bytes()[0] & 15;
    Node {
        tile: Some(face_value(exponent)),
        cell: Some(row * side.length() + column),
        ..Node::default()
    }
}

/// A cut because the board was searched before.
#[must_use]
pub fn known_from_table() -> Option<Cut> {
    Some(Cut {
        reason: CutReason::Table,
        ..Cut::default()
    })
}

/// Records a tree of bounded size.
///
/// A search may visit millions of nodes. The recorder keeps those near the root, and below
/// them the best line of each; at the end, as many as were asked for, with the principal line.
#[derive(Clone, Debug)]
pub struct TreeRecorder {
    /// The largest number of nodes of the result.
    limit: usize,
    tree: Tree,
    /// The tree of the last depth that was completed.
    complete: Option<Tree>,
    depths: Vec<SearchedDepth>,
    lead: Option<Node>,
}

/// How many times as many nodes as the result may have are kept while searching.
const RESERVE: usize = 16;
/// The deepest results that are kept: a board with few moves left is searched very deep.
const MOST_DEPTHS: usize = 100;

#[derive(Clone, Debug, Default)]
struct Tree {
    /// In the order of the search: a node comes before its children.
    nodes: Vec<Recorded>,
    /// The nodes that are open, the root first.
    open: Vec<usize>,
    /// The number of nodes at which the tree is folded next.
    full: usize,
    /// How often the search was cut short, by the index in [`REASONS`].
    n_cuts: [u32; REASONS.len()],
}

/// The reasons of a cut, with their names.
const REASONS: [(CutReason, &str); 3] = [
    (CutReason::Table, "known from the table"),
    (CutReason::Alpha, "alpha cuts"),
    (CutReason::Beta, "beta cuts"),
];

#[derive(Clone, Debug)]
struct Recorded {
    node: Node,
    level: usize,
    /// The best child so far: the principal line goes on with it.
    best: Option<usize>,
}

impl TreeRecorder {
    /// A recorder of trees with at most this many nodes; at least a root and its moves.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit: limit.max(5),
            tree: Tree::default(),
            complete: None,
            depths: Vec::new(),
            lead: None,
        }
    }

    /// The tree of the last depth that was completed, of an agent that made this choice.
    #[must_use]
    pub fn into_explanation(self, method: String, choice: &Choice) -> Explanation {
        let is_usable = self.tree.open.is_empty() && !self.tree.nodes.is_empty();
        let mut tree = match self.complete {
            Some(complete) if !is_usable => complete,
            _ => self.tree,
        };
        if tree.nodes.is_empty() {
            // A single legal move needs no search.
            tree.open(Node {
                kind: NodeKind::Max,
                ..Node::default()
            });
            tree.open(Node {
                parent: Some(0),
                ..after_move(choice.direction)
            });
            tree.close();
        }
        tree.follow(choice.direction);
        tree.fold_to(self.limit);
        let counts = tree.counts();
        Explanation {
            method,
            choice: Some(choice.direction),
            line: tree.principal_line(),
            left_out: tree
                .nodes
                .iter()
                .map(|recorded| recorded.node.left_out)
                .sum(),
            nodes: tree
                .nodes
                .into_iter()
                .map(|recorded| recorded.node)
                .collect(),
            depths: self.depths,
            counts,
            ..Explanation::default()
        }
    }
}

impl Recorder for TreeRecorder {
    const IS_ON: bool = true;

    fn begin(&mut self) {
        let begun = Tree {
            full: RESERVE * self.limit,
            ..Tree::default()
        };
        let before = std::mem::replace(&mut self.tree, begun);
        if before.open.is_empty() && !before.nodes.is_empty() {
            self.complete = Some(before);
        }
        self.lead = None;
    }

    fn announce(&mut self, lead: impl FnOnce() -> Node) {
        self.lead = Some(lead());
    }

    fn open(&mut self, kind: NodeKind) {
        let node = Node {
            kind,
            parent: self.tree.open.last().copied(),
            ..self.lead.take().unwrap_or_default()
        };
        self.tree.open(node);
    }

    fn add(&mut self, change: impl FnOnce(&mut Node)) {
        if let Some(&number) = self.tree.open.last() {
            change(&mut self.tree.nodes[number].node);
        }
    }

    fn close(&mut self, change: impl FnOnce(&mut Node)) {
        self.add(change);
        self.tree.count_cut();
        self.tree.close();
        if self.tree.nodes.len() > self.tree.full {
            self.tree.fold_levels(RESERVE / 4 * self.limit);
            self.tree.full = (RESERVE * self.limit).max(2 * self.tree.nodes.len());
        }
    }

    fn search_again(&mut self) {
        self.lead = self.tree.take_last_child();
    }

    /// A depth may be completed many times, as in made-up games; the last result counts.
    fn complete(&mut self, depth: impl FnOnce() -> SearchedDepth) {
        let found = depth();
        self.depths.retain(|before| before.depth != found.depth);
        self.depths.push(found);
        if self.depths.len() > MOST_DEPTHS {
            self.depths.remove(0);
        }
    }
}

impl Tree {
    fn open(&mut self, node: Node) {
        self.nodes.push(Recorded {
            level: self.open.len(),
            node,
            best: None,
        });
        self.open.push(self.nodes.len() - 1);
    }

    fn close(&mut self) {
        let (Some(closed), Some(&parent)) = (self.open.pop(), self.open.last()) else {
            return;
        };
        let is_better = match self.nodes[parent].best {
            // Random games are no answer that a line could go on with.
            None => {
                let node = &self.nodes[closed].node;
                self.nodes[parent].node.kind != NodeKind::Chance
                    || node.visits.is_some()
                    || node.probability.is_some()
            }
            Some(best) => is_better(
                self.nodes[parent].node.kind,
                &self.nodes[closed].node,
                &self.nodes[best].node,
            ),
        };
        if is_better {
            self.nodes[parent].best = Some(closed);
        }
    }

    fn count_cut(&mut self) {
        let open = self.open.last().map(|&number| &self.nodes[number].node);
        if let Some(Cut { reason, .. }) = open.and_then(|node| node.cut.as_ref())
            && let Some(place) = REASONS.iter().position(|(known, _)| known == reason)
        {
            self.n_cuts[place] += 1;
        }
    }

    /// How often the search was cut short, by reason.
    fn counts(&self) -> Vec<Term> {
        let counts = REASONS.iter().zip(self.n_cuts);
        counts
            .filter(|(_, n_cuts)| *n_cuts > 0)
            .map(|((_, name), n_cuts)| Term::new(name, n_cuts.into()))
            .collect()
    }

    /// Removes the last child of the open node, and returns what leads to it.
    fn take_last_child(&mut self) -> Option<Node> {
        let &parent = self.open.last()?;
        let is_child = |recorded: &Recorded| recorded.node.parent == Some(parent);
        let child = self.nodes.iter().rposition(is_child)?;
        let removed = self.nodes.split_off(child);
        let n_removed: u64 = removed
            .iter()
            .map(|recorded| 1 + recorded.node.left_out)
            .sum();
        self.nodes[parent].node.left_out += n_removed;
        let siblings = (parent + 1..child).filter(|&number| is_child(&self.nodes[number]));
        let kind = self.nodes[parent].node.kind;
        self.nodes[parent].best = siblings.reduce(|best, other| {
            let (one, two) = (&self.nodes[other].node, &self.nodes[best].node);
            if is_better(kind, one, two) {
                other
            } else {
                best
            }
        });
        let Node {
            direction,
            tile,
            cell,
            probability,
            ..
        } = removed.into_iter().next()?.node;
        Some(Node {
            direction,
            tile,
            cell,
            probability,
            ..Node::default()
        })
    }

    /// The principal line begins with the move that was chosen, which several trees may decide.
    fn follow(&mut self, choice: Direction) {
        let leads =
            |recorded: &Recorded| recorded.level == 1 && recorded.node.direction == Some(choice);
        self.nodes[0].best = self.nodes.iter().position(leads).or(self.nodes[0].best);
    }

    /// The nodes from the root to the end of the best line.
    fn principal_line(&self) -> Vec<usize> {
        let first = (!self.nodes.is_empty()).then_some(0);
        std::iter::successors(first, |&number| self.nodes[number].best).collect()
    }

    /// Keeps the levels near the root that have this many nodes together, and below them the
    /// best lines.
    fn fold_levels(&mut self, n_nodes: usize) {
        let mut sizes: Vec<usize> = Vec::new();
        for recorded in &self.nodes {
            if sizes.len() <= recorded.level {
                sizes.resize(recorded.level + 1, 0);
            }
            sizes[recorded.level] += 1;
        }
        let mut sum = 0;
        let n_levels = sizes.iter().take_while(|&&size| {
            sum += size;
            sum <= n_nodes
        });
        let n_levels = n_levels.count().max(2);
        let mut keep = vec![false; self.nodes.len()];
        for &number in &self.open {
            keep[number] = true;
        }
        for number in 0..self.nodes.len() {
            let is_on_best_line = self.nodes[number]
                .node
                .parent
                .is_some_and(|parent| keep[parent] && self.nodes[parent].best == Some(number));
            keep[number] |= is_on_best_line || self.nodes[number].level < n_levels;
        }
        self.keep_only(&keep);
    }

    /// Keeps this many nodes: the principal line, then level by level.
    fn fold_to(&mut self, n_nodes: usize) {
        if self.nodes.len() <= n_nodes {
            return;
        }
        let mut keep = vec![false; self.nodes.len()];
        let line = self.principal_line();
        let mut rest = n_nodes.saturating_sub(line.len());
        for number in line {
            keep[number] = true;
        }
        let mut by_level: Vec<usize> = (0..self.nodes.len()).collect();
        by_level.sort_by_key(|&number| self.nodes[number].level);
        for number in by_level {
            let parent = self.nodes[number].node.parent;
            if rest > 0 && !keep[number] && parent.is_none_or(|parent| keep[parent]) {
                keep[number] = true;
                rest -= 1;
            }
        }
        self.keep_only(&keep);
    }

    /// Removes nodes together with all that is below them.
    fn keep_only(&mut self, keep: &[bool]) {
        for number in (1..self.nodes.len()).rev() {
            if !keep[number] {
                let n_removed = 1 + self.nodes[number].node.left_out;
                let parent = self.nodes[number]
                    .node
                    .parent
                    .expect("only node 0 has none");
                self.nodes[parent].node.left_out += n_removed;
            }
        }
        let mut places = vec![None; self.nodes.len()];
        let kept = (0..self.nodes.len()).filter(|&number| keep[number]);
        for (place, number) in kept.enumerate() {
            places[number] = Some(place);
        }
        let new_place = |number: usize| places[number];
        self.open = self.open.iter().copied().filter_map(new_place).collect();
        let nodes = std::mem::take(&mut self.nodes).into_iter().zip(keep);
        self.nodes = nodes
            .filter(|&(_, &is_kept)| is_kept)
            .map(|(mut recorded, _)| {
                recorded.node.parent = recorded.node.parent.and_then(new_place);
                recorded.best = recorded.best.and_then(new_place);
                recorded
            })
            .collect();
    }
}

/// Whether the principal line goes on with this child and not with an earlier one.
fn is_better(parent: NodeKind, node: &Node, before: &Node) -> bool {
    let order = match parent {
        NodeKind::Min => before.value.partial_cmp(&node.value),
        NodeKind::Chance => {
            (node.visits, node.probability).partial_cmp(&(before.visits, before.probability))
        }
        _ => node.value.partial_cmp(&before.value),
    };
    order == Some(Ordering::Greater)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valued(value: f64) -> impl FnOnce(&mut Node) {
        move |node| node.value = Some(value)
    }

    /// A tree in which every node has three children; the second is the best.
    fn grow(recorder: &mut TreeRecorder, levels: usize, value: f64) {
        recorder.open(NodeKind::Max);
        if levels > 0 {
            for child in [1.0, 3.0, 2.0] {
                grow(recorder, levels - 1, child);
            }
        }
        recorder.close(valued(value));
    }

    #[test]
    fn a_tree_that_is_too_large_keeps_the_deepest_line_and_counts_the_rest() {
        for limit in [8, 100, 1000, 100_000] {
            let mut recorder = TreeRecorder::new(limit);
            recorder.begin();
            grow(&mut recorder, 8, 7.0);
            let explanation = recorder.into_explanation(String::new(), &Direction::Up.into());
            // 1 + 3 + 9 + … + 3^8 nodes.
            let n_nodes = explanation.nodes.len();
            assert_eq!(n_nodes as u64 + explanation.left_out, 9841, "{limit}");
            assert!(n_nodes <= limit.max(9), "{n_nodes} of {limit}");
            assert_eq!(explanation.line.len(), 9);
            for (number, node) in explanation.nodes.iter().enumerate().skip(1) {
                assert!(node.parent.unwrap() < number);
            }
            let second = &explanation.nodes[explanation.line[1]];
            assert_eq!((second.parent, second.value), (Some(0), Some(3.0)));
        }
    }

    #[test]
    fn a_child_that_is_searched_again_is_there_once() {
        let mut recorder = TreeRecorder::new(100);
        recorder.begin();
        recorder.open(NodeKind::Max);
        for value in [5.0, 4.0] {
            recorder.open(NodeKind::Leaf);
            recorder.close(valued(value));
        }
        recorder.announce(|| after_move(Direction::Left));
        grow(&mut recorder, 1, 6.0);
        recorder.search_again();
        recorder.open(NodeKind::Leaf);
        recorder.close(valued(3.0));
        recorder.close(valued(5.0));
        let explanation = recorder.into_explanation(String::new(), &Direction::Up.into());
        let values: Vec<_> = explanation.nodes.iter().map(|node| node.value).collect();
        assert_eq!(values, [5.0, 5.0, 4.0, 3.0].map(Some));
        assert_eq!(explanation.nodes[3].direction, Some(Direction::Left));
        assert_eq!((explanation.left_out, explanation.line), (4, vec![0, 1]));
    }

    #[test]
    fn a_depth_that_is_not_completed_leaves_the_one_before() {
        let mut recorder = TreeRecorder::new(100);
        for levels in [1, 2] {
            recorder.begin();
            grow(&mut recorder, levels, 1.0);
        }
        recorder.begin();
        recorder.open(NodeKind::Max);
        assert_eq!(
            recorder
                .into_explanation(String::new(), &Direction::Up.into())
                .nodes
                .len(),
            13
        );
    }
}
