//! The search step by step, as text.

use plugin_api::{
    Board,
    explain::{Cut, CutReason, Node, NodeKind},
};
use text::number_text::{count, counted};

use crate::{
    ExplainedTree,
    words::{self, number},
};

/// Boards are written beside each step if they are at most this long.
const SHORT_BOARD: usize = 24;

/// Every step of the search in its order, then the result. Nodes have the numbers that drawings
/// give them.
#[must_use]
pub fn trace(tree: &ExplainedTree) -> String {
    let explanation = tree.explanation();
    let mut lines = vec![format!("{}: {}", tree.agent, explanation.method)];
    lines.extend(explanation.formula.clone());
    lines.push(String::new());
    lines.extend(
        tree.board()
            .to_string()
            .lines()
            .map(|row| format!("    {row}")),
    );
    lines.push(String::new());
    let mut steps = Steps {
        tree,
        lines,
        width: tree.n_nodes().to_string().len(),
        n_solutions: 0,
    };
    steps.walk();
    steps.result();
    steps.lines.join("\n") + "\n"
}

struct Steps<'t> {
    tree: &'t ExplainedTree,
    lines: Vec<String>,
    /// The digits of the largest number of a node.
    width: usize,
    n_solutions: u64,
}

impl Steps<'_> {
    /// Enters and leaves every node. The nodes that are open wait on a stack, because the tree of
    /// an agent may be deep.
    fn walk(&mut self) {
        let mut open: Vec<(usize, usize)> = Vec::new();
        self.enter(0);
        open.push((0, 0));
        while let Some((node, next)) = open.pop() {
            if let Some(&child) = self.tree.children(node).get(next) {
                open.push((node, next + 1));
                self.enter(child);
                open.push((child, 0));
            } else {
                self.leave(node);
            }
        }
    }

    fn line(&mut self, number: Option<usize>, level: usize, step: &str) {
        let (width, indent) = (self.width, 2 * level);
        let number = number.map_or_else(String::new, |number| (number + 1).to_string());
        self.lines
            .push(format!("{number:>width$}  {:indent$}{step}", ""));
    }

    fn enter(&mut self, number: usize) {
        let (tree, node) = (self.tree, self.tree.node(number));
        let mut words = vec![lead(tree, node)];
        let board = one_line(tree.board_of(number));
        let is_short = board.len() <= SHORT_BOARD;
        let mut add = |said: &str| words.push(said.to_owned());
        match node.kind {
            NodeKind::Dead if tree.changes_nothing(number) => {
                add("the board does not change, node killed");
            }
            NodeKind::Dead if node.cut.is_some() => add("known to lead nowhere, node killed"),
            NodeKind::Dead => add("no move is left"),
            NodeKind::Goal => {
                self.n_solutions += 1;
                add(&format!("goal, solution {}", count(self.n_solutions)));
            }
            NodeKind::Leaf => {}
            NodeKind::Max | NodeKind::Min | NodeKind::Chance => {
                if let Some(words) = turn_of(tree, node) {
                    add(&words);
                }
            }
        }
        if self.is_told_at_once(number) {
            words.extend(worth(node));
            let said = node.note.as_ref();
            words.extend(said.filter(|_| !tree.changes_nothing(number)).cloned());
        }
        let mut step = words.join(": ");
        if is_short && number > 0 && !tree.changes_nothing(number) {
            step = format!("{step}  → {board}");
        }
        self.line(Some(number), tree.level(number), &step);
        if self.is_told_at_once(number)
            && let Some(cut) = node.cut.as_ref()
            && node.kind != NodeKind::Dead
        {
            self.cut(number, cut);
        }
    }

    /// Whether nothing happens between entering and leaving the node.
    fn is_told_at_once(&self, number: usize) -> bool {
        self.tree.children(number).is_empty() && self.tree.node(number).left_out == 0
    }

    fn leave(&mut self, number: usize) {
        let (tree, node) = (self.tree, self.tree.node(number));
        if self.is_told_at_once(number) {
            return;
        }
        let below = tree.level(number) + 1;
        if node.left_out > 0 {
            self.line(
                None,
                below,
                &format!(
                    "… {} below, not listed",
                    counted(node.left_out, "more node")
                ),
            );
        }
        if let Some(cut) = &node.cut {
            self.cut(number, cut);
        }
        let mut words = vec![match number {
            0 => "the search ends".to_owned(),
            _ => format!("back to node {}", node.parent.unwrap_or_default() + 1),
        }];
        let name = match number {
            0 => "the board".to_owned(),
            _ => bare_lead(tree, node),
        };
        words.extend(worth(node).map(|worth| format!("{name} is {worth}")));
        words.extend(node.note.clone());
        self.line(None, tree.level(number).max(1) - 1, &words.join(": "));
    }

    fn cut(&mut self, number: usize, cut: &Cut) {
        let node = self.tree.node(number);
        let skipped = words::skipped(node, cut);
        let bound = words::bound(node, cut);
        let step = match (cut.reason, skipped, bound) {
            (CutReason::Table, _, _) => "known from the table: not searched again".to_owned(),
            (_, Some(skipped), Some(bound)) => format!("cut: {skipped} not tried, {bound}"),
            (_, Some(skipped), None) => format!("cut: {skipped} not tried"),
            (_, None, Some(bound)) => format!("cut: {bound}"),
            (_, None, None) => "cut".to_owned(),
        };
        self.line(None, self.tree.level(number) + 1, &step);
    }

    fn result(&mut self) {
        let tree = self.tree;
        let explanation = tree.explanation();
        self.lines.push(String::new());
        let choice = explanation.choice;
        self.lines
            .extend(choice.map(|choice| format!("choice: {choice}")));
        if explanation.line.len() > 2 {
            let nodes = explanation.line.iter().skip(1);
            let leads: Vec<String> = nodes
                .map(|&number| bare_lead(tree, tree.node(number)))
                .collect();
            self.lines.push(format!("line:   {}", leads.join(", ")));
        }
        if explanation.depths.len() > 1 {
            let depths: Vec<String> = explanation
                .depths
                .iter()
                .map(|found| match found.value {
                    Some(value) => {
                        format!("{} {} {}", found.depth, found.direction, number(value))
                    }
                    None => format!("{} {}", found.depth, found.direction),
                })
                .collect();
            self.lines.push(format!("depths: {}", depths.join(", ")));
        }
        let last = explanation.line.last();
        let grid = last.and_then(|&last| tree.node(last).grid);
        if let Some(grid) = grid.and_then(|grid| explanation.grids.get(grid)) {
            self.lines
                .push(format!("weights at the end of the line: {}", grid.name));
            for row in &grid.weights {
                let weights: Vec<String> = row.iter().map(|&weight| number(weight)).collect();
                self.lines.push(format!("    {}", weights.join("  ")));
            }
        }
        self.lines.push(format!("nodes:  {}", words::counts(tree)));
    }
}

/// What leads to a node, as a step: `try left`, `2 at d3 (90%)`.
fn lead(tree: &ExplainedTree, node: &Node) -> String {
    match node.direction {
        Some(direction) => format!("try {direction}"),
        None => match (words::tile(tree, node), words::probability(node)) {
            (Some(tile), Some(share)) => format!("{tile} ({share})"),
            (Some(tile), None) => tile,
            (None, _) if node.parent.is_none() => "root".to_owned(),
            (None, _) => "sample".to_owned(),
        },
    }
}

fn bare_lead(tree: &ExplainedTree, node: &Node) -> String {
    match node.direction {
        Some(direction) => direction.to_string(),
        None => words::tile(tree, node).unwrap_or_else(|| "sample".to_owned()),
    }
}

/// Whose turn it is, with what both players are sure of.
fn turn_of(tree: &ExplainedTree, node: &Node) -> Option<String> {
    let turn = words::turn(tree, node.kind);
    let bounds: Vec<String> = [("α", node.alpha), ("β", node.beta)]
        .into_iter()
        .filter_map(|(name, bound)| Some(format!("{name} = {}", number(bound?))))
        .collect();
    match (bounds.is_empty(), node.visits) {
        (false, _) => Some(format!("{turn}, {}", bounds.join(", "))),
        (true, None) => Some(turn.to_owned()),
        (true, Some(_)) => None,
    }
}

/// `worth −4,804 = 4,096·2 − 10·…`, with the visits of a sampling search.
fn worth(node: &Node) -> Option<String> {
    let value = words::value(node);
    // A single term may be the value itself.
    let sum = words::sum(&node.terms).filter(|sum| value.as_ref() != Some(sum));
    match (value, node.visits, sum) {
        (Some(value), None, Some(sum)) => Some(format!("worth {value} = {sum}")),
        (Some(value), None, None) => Some(format!("worth {value}")),
        (Some(value), Some(visits), _) => {
            let mean = if visits == 1 { "" } else { "the mean of " };
            Some(format!("worth {value}, {mean}{}", counted(visits, "visit")))
        }
        (None, Some(visits), _) => Some(format!("visited {}", counted(visits, "time"))),
        (None, None, _) => None,
    }
}

/// `2 . / 4 8`.
fn one_line(board: &Board) -> String {
    let text = board.to_string();
    let rows = text
        .lines()
        .map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "));
    rows.collect::<Vec<_>>().join(" / ")
}
