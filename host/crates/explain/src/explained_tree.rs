//! The tree that an agent says it searched, checked, with the board of every node.

use plugin_api::{
    Board, Direction,
    explain::{Explanation, Grid, Node, NodeKind},
};
use text::printable::printable;

/// A longer line of moves is no explanation.
const DEEPEST: usize = 1000;
/// The most named numbers of a node, other numbers, grids and completed depths.
const MOST_TERMS: usize = 32;
const MOST_DEPTHS: usize = 1000;
/// How much is kept of each text of the agent.
const LONGEST_TEXT: usize = 200;

/// An explanation that is right as far as the rules decide it: every node is a child of an earlier
/// one, every move changes the board or is given up, every tile lies on an empty cell.
#[derive(Clone, Debug)]
pub struct ExplainedTree {
    /// The agent's name.
    pub agent: String,
    explanation: Explanation,
    /// One per node.
    places: Vec<Place>,
}

/// Where a node is in the tree.
#[derive(Clone, Debug)]
struct Place {
    board: Board,
    level: usize,
    children: Vec<usize>,
    is_on_line: bool,
}

/// What is wrong with an explanation. Nodes are counted from 0, as in the answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadExplanation {
    #[error("it has no node")]
    Empty,
    #[error("it has {found} nodes, but at most {allowed} were asked for")]
    TooManyNodes { found: usize, allowed: usize },
    #[error("it chooses {0}, which is illegal on the board")]
    IllegalChoice(Direction),
    #[error("it has {found} {what}; at most {allowed} are allowed")]
    TooMany {
        what: &'static str,
        found: usize,
        allowed: usize,
    },
    #[error("node {node}: {error}")]
    Node { node: usize, error: BadNode },
    #[error("its line has node {0} where no child of the node before is")]
    BrokenLine(usize),
    #[error("grid {grid} does not have the shape of the board")]
    Grid { grid: usize },
}

/// What is wrong with a node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNode {
    #[error("it is the root and has a parent, a move or a tile")]
    Root,
    #[error("it has no parent")]
    NoParent,
    #[error("its parent, {0}, is not an earlier node")]
    ParentIsLater(usize),
    #[error("it is deeper than {DEEPEST} levels")]
    TooDeep,
    #[error("the move {0} changes nothing on the board of its parent, and the kind is not `dead`")]
    IllegalMove(Direction),
    #[error("a tile needs both `tile` and `cell`")]
    HalfATile,
    #[error("there is no tile {0}")]
    NoTile(u64),
    #[error("the cell {0} is not empty")]
    Occupied(usize),
    #[error("the board has no cell {0}")]
    NoCell(usize),
    #[error("its probability is not from 0 to 1")]
    Probability,
    #[error("there is no grid {0}")]
    NoGrid(usize),
    #[error("it has more than {MOST_TERMS} terms")]
    Terms,
}

impl ExplainedTree {
    /// Checks what an agent answered about a board when at most `most_nodes` nodes were asked
    /// for. Its principal line and the first moves may go beyond that number.
    ///
    /// # Errors
    /// With the first thing that is wrong.
    pub fn check(
        agent: &str,
        board: Board,
        most_nodes: usize,
        explanation: Explanation,
    ) -> Result<Self, BadExplanation> {
        let allowed = most_nodes.max(5).max(explanation.line.len().min(DEEPEST));
        let found = explanation.nodes.len();
        if found > allowed {
            return Err(BadExplanation::TooManyNodes { found, allowed });
        }
        for (what, found, allowed) in [
            ("counts", explanation.counts.len(), MOST_TERMS),
            ("grids", explanation.grids.len(), MOST_TERMS),
            ("depths", explanation.depths.len(), MOST_DEPTHS),
        ] {
            if found > allowed {
                return Err(BadExplanation::TooMany {
                    what,
                    found,
                    allowed,
                });
            }
        }
        let side = board.side().length();
        for (grid, Grid { weights, .. }) in explanation.grids.iter().enumerate() {
            if weights.len() != side || weights.iter().any(|row| row.len() != side) {
                return Err(BadExplanation::Grid { grid });
            }
        }
        if let Some(choice) = explanation.choice
            && board.slide(choice).is_none()
        {
            return Err(BadExplanation::IllegalChoice(choice));
        }
        let mut places: Vec<Place> = Vec::with_capacity(found);
        for (number, node) in explanation.nodes.iter().enumerate() {
            let place = place_of(node, &places, board, explanation.grids.len());
            let place = place.map_err(|error| BadExplanation::Node {
                node: number,
                error,
            })?;
            if let Some(parent) = node.parent {
                places[parent].children.push(number);
            }
            places.push(place);
        }
        if places.is_empty() {
            return Err(BadExplanation::Empty);
        }
        let mut before = None;
        for &number in &explanation.line {
            match explanation.nodes.get(number) {
                Some(node) if node.parent == before && (before.is_some() || number == 0) => {
                    places[number].is_on_line = true;
                }
                _ => return Err(BadExplanation::BrokenLine(number)),
            }
            before = Some(number);
        }
        Ok(Self {
            agent: agent.to_owned(),
            explanation: with_short_texts(explanation),
            places,
        })
    }

    /// The board that is explained.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.places[0].board
    }

    /// What the agent answered; its texts are cut, and safe to print on one line.
    #[must_use]
    pub fn explanation(&self) -> &Explanation {
        &self.explanation
    }

    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.places.len()
    }

    #[must_use]
    pub fn node(&self, number: usize) -> &Node {
        &self.explanation.nodes[number]
    }

    /// The board that the moves and tiles on the way to a node make.
    #[must_use]
    pub fn board_of(&self, number: usize) -> &Board {
        &self.places[number].board
    }

    /// In the order of the search.
    #[must_use]
    pub fn children(&self, number: usize) -> &[usize] {
        &self.places[number].children
    }

    /// The number of moves and tiles from the root.
    #[must_use]
    pub fn level(&self, number: usize) -> usize {
        self.places[number].level
    }

    /// Whether the principal line goes through a node.
    #[must_use]
    pub fn is_on_line(&self, number: usize) -> bool {
        self.places[number].is_on_line
    }

    /// Whether the search looked for paths to a goal, not for values.
    #[must_use]
    pub fn looks_for_paths(&self) -> bool {
        let has_value = |node: &Node| node.value.is_some() || node.visits.is_some();
        !self.explanation.nodes.iter().any(has_value)
    }

    /// Whether the node is a move that changes nothing.
    #[must_use]
    pub fn changes_nothing(&self, number: usize) -> bool {
        let node = self.node(number);
        let parent = node.parent.map(|parent| self.board_of(parent));
        node.direction.is_some() && parent == Some(self.board_of(number))
    }
}

fn place_of(node: &Node, places: &[Place], root: Board, n_grids: usize) -> Result<Place, BadNode> {
    if let Some(probability) = node.probability
        && !(0.0..=1.000_001).contains(&probability)
    {
        return Err(BadNode::Probability);
    }
    if let Some(grid) = node.grid.filter(|&grid| grid >= n_grids) {
        return Err(BadNode::NoGrid(grid));
    }
    if node.terms.len() > MOST_TERMS {
        return Err(BadNode::Terms);
    }
    let place = |board, level| Place {
        board,
        level,
        children: Vec::new(),
        is_on_line: false,
    };
    if places.is_empty() {
        let is_bare = node.parent.is_none() && node.direction.is_none() && node.tile.is_none();
        return is_bare.then(|| place(root, 0)).ok_or(BadNode::Root);
    }
    let parent = node.parent.ok_or(BadNode::NoParent)?;
    let before = places.get(parent).ok_or(BadNode::ParentIsLater(parent))?;
    if before.level >= DEEPEST {
        return Err(BadNode::TooDeep);
    }
    let mut board = before.board;
    if let Some(direction) = node.direction {
        match board.slide(direction) {
            Some(slide) => board = slide.board,
            None if node.kind == NodeKind::Dead && node.tile.is_none() => {}
            None => return Err(BadNode::IllegalMove(direction)),
        }
    }
    match (node.tile, node.cell) {
        (None, None) => {}
        (Some(tile), Some(cell)) => {
            if tile < 2 || !tile.is_power_of_two() {
                return Err(BadNode::NoTile(tile));
            }
            match board.exponents().get(cell) {
                None => return Err(BadNode::NoCell(cell)),
                Some(0) => {}
                Some(_) => return Err(BadNode::Occupied(cell)),
            }
            board = board.with_tile(cell, tile.trailing_zeros().to_le_bytes()[0]);
        }
        _ => return Err(BadNode::HalfATile),
    }
    Ok(place(board, before.level + 1))
}

/// The texts of the agent, cut and on one line each.
fn with_short_texts(mut explanation: Explanation) -> Explanation {
    let shorten = |text: &mut String| *text = printable(text, LONGEST_TEXT);
    shorten(&mut explanation.method);
    explanation.formula.as_mut().map(shorten);
    explanation.turns.values_mut().for_each(shorten);
    for node in &mut explanation.nodes {
        node.note.as_mut().map(shorten);
        node.terms
            .iter_mut()
            .for_each(|term| shorten(&mut term.name));
    }
    let counts = explanation.counts.iter_mut();
    counts.for_each(|count| shorten(&mut count.name));
    let grids = explanation.grids.iter_mut();
    grids.for_each(|grid| shorten(&mut grid.name));
    explanation
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The tree of `2 2 / 0 0` with these nodes.
    fn tree(nodes: &serde_json::Value) -> Result<ExplainedTree, BadExplanation> {
        let explanation = json!({"method": "m", "nodes": nodes});
        check(explanation)
    }

    fn check(explanation: serde_json::Value) -> Result<ExplainedTree, BadExplanation> {
        let board = "2 2 / 0 0".parse().unwrap();
        let explanation = serde_json::from_value(explanation).unwrap();
        ExplainedTree::check("a", board, 10, explanation)
    }

    #[test]
    fn boards_follow_from_moves_and_tiles() {
        let tree = tree(&json!([
            {"kind": "max"},
            {"parent": 0, "kind": "dead", "move": "up"},
            {"parent": 0, "kind": "min", "move": "down"},
            {"parent": 2, "kind": "leaf", "tile": 4, "cell": 1},
            {"parent": 0, "kind": "max", "move": "left", "tile": 2, "cell": 3},
        ]))
        .unwrap();
        let boards: Vec<String> = (0..tree.n_nodes())
            .map(|number| format!("{:?}", tree.board_of(number)))
            .collect();
        let expected = [
            "2 2 / . .",
            "2 2 / . .",
            ". . / 2 2",
            ". 4 / 2 2",
            "4 . / . 2",
        ];
        assert_eq!(boards, expected.map(|board| format!("Board({board})")));
        assert_eq!(tree.children(0), [1, 2, 4]);
        assert!(tree.changes_nothing(1) && !tree.changes_nothing(2));
    }

    #[test]
    fn an_error_names_the_node() {
        let root = json!({"kind": "max"});
        let of_child =
            |child: serde_json::Value| tree(&json!([root, child])).unwrap_err().to_string();
        for (child, expected) in [
            (json!({"kind": "leaf"}), "node 1: it has no parent"),
            (
                json!({"parent": 1, "kind": "leaf"}),
                "node 1: its parent, 1, is not",
            ),
            (
                json!({"parent": 7, "kind": "leaf"}),
                "node 1: its parent, 7, is not",
            ),
            (
                json!({"parent": 0, "kind": "min", "move": "up"}),
                "node 1: the move up changes nothing",
            ),
            (
                json!({"parent": 0, "kind": "leaf", "tile": 2}),
                "node 1: a tile needs both",
            ),
            (
                json!({"parent": 0, "kind": "leaf", "tile": 3, "cell": 3}),
                "node 1: there is no tile 3",
            ),
            (
                json!({"parent": 0, "kind": "leaf", "tile": 2, "cell": 0}),
                "node 1: the cell 0 is not empty",
            ),
            (
                json!({"parent": 0, "kind": "leaf", "tile": 2, "cell": 4}),
                "node 1: the board has no cell 4",
            ),
            (
                json!({"parent": 0, "kind": "leaf", "probability": 1.5}),
                "node 1: its probability",
            ),
            (
                json!({"parent": 0, "kind": "leaf", "grid": 0}),
                "node 1: there is no grid 0",
            ),
        ] {
            let error = of_child(child);
            assert!(error.starts_with(expected), "{error}");
        }
        let root = tree(&json!([{"kind": "max", "move": "left"}])).unwrap_err();
        assert!(
            root.to_string().starts_with("node 0: it is the root"),
            "{root}"
        );
        assert_eq!(tree(&json!([])).unwrap_err(), BadExplanation::Empty);
    }

    #[test]
    fn what_is_not_a_node_is_checked_too() {
        let nodes = json!([{"kind": "max"}, {"parent": 0, "kind": "leaf", "move": "left"}]);
        let error = |key: &str, value: serde_json::Value| {
            let mut explanation = json!({"method": "m", "nodes": nodes});
            explanation[key] = value;
            check(explanation).unwrap_err().to_string()
        };
        assert!(error("choice", json!("up")).starts_with("it chooses up, which is illegal"));
        assert!(error("line", json!([1])).starts_with("its line has node 1"));
        assert!(error("line", json!([0, 0])).starts_with("its line has node 0"));
        assert!(error("line", json!([0, 9])).starts_with("its line has node 9"));
        let grid = json!([{"name": "g", "weights": [[1.0]]}]);
        assert!(error("grids", grid).starts_with("grid 0 does not have the shape"));
        let count = json!({"name": "n", "value": 1.0});
        assert!(error("counts", json!(vec![count; 33])).starts_with("it has 33 counts"));
        let many = vec![json!({"parent": 0, "kind": "leaf"}); 10];
        let mut nodes = vec![json!({"kind": "max"})];
        nodes.extend(many);
        let error = tree(&json!(nodes)).unwrap_err().to_string();
        assert_eq!(error, "it has 11 nodes, but at most 10 were asked for");
    }

    #[test]
    fn texts_of_the_agent_are_cut_and_harmless() {
        let explanation = json!({
            "method": "m".repeat(1000),
            "nodes": [{"kind": "max", "note": "a\u{1b}[31m\nb"}],
        });
        let tree = check(explanation).unwrap();
        assert_eq!(tree.explanation().method.chars().count(), LONGEST_TEXT + 1);
        assert_eq!(tree.node(0).note.as_deref(), Some("a [31m b"));
    }
}
