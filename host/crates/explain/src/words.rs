//! What is said about nodes, in every format the same.

use plugin_api::{
    Direction,
    explain::{Cut, CutReason, Node, NodeKind, Relation, Term},
};
use text::number_text::{count, counted, decimals, percent_with_digits};

use crate::ExplainedTree;

/// Larger numbers are written with a power of ten.
const LARGE: f64 = 1e12;

/// A value: `−4,804`, `17.25`, `∞`. At least three digits that count.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    let text = match () {
        () if size.is_infinite() => "∞".to_owned(),
        () if size >= LARGE => format!("{size:.5e}"),
        () if size >= 1000.0 || size.fract() == 0.0 => decimals(size, 0),
        () if size >= 100.0 => decimals(size, 1),
        () if size >= 1.0 => decimals(size, 2),
        () => decimals(size, 4),
    };
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && !is_zero {
        format!("−{text}")
    } else {
        text
    }
}

/// The value of a node, with its relation to the true one: `≤ −8,980`.
pub(crate) fn value(node: &Node) -> Option<String> {
    let value = number(node.value?);
    Some(match node.relation {
        _ if node.value.is_some_and(f64::is_infinite) => value,
        Relation::Exact => value,
        Relation::AtLeast => format!("≥ {value}"),
        Relation::AtMost => format!("≤ {value}"),
    })
}

/// The arrow and the name of a move: `← left`.
pub(crate) fn direction(direction: Direction) -> String {
    let arrow = match direction {
        Direction::Up => '↑',
        Direction::Right => '→',
        Direction::Down => '↓',
        Direction::Left => '←',
    };
    format!("{arrow} {direction}")
}

/// A cell as in chess, but with the rows counted from the top: `d1` is the right end of the first
/// row of a 4×4 board.
pub(crate) fn cell(tree: &ExplainedTree, cell: usize) -> String {
    let side = tree.board().side().length();
    let column = "abcdefgh".chars().nth(cell % side).unwrap_or('?');
    format!("{column}{}", cell / side + 1)
}

/// The tile that leads to a node: `2 at d3`.
pub(crate) fn tile(tree: &ExplainedTree, node: &Node) -> Option<String> {
    Some(format!("{} at {}", node.tile?, cell(tree, node.cell?)))
}

/// `90%`.
pub(crate) fn probability(node: &Node) -> Option<String> {
    node.probability.map(|share| {
        // Three digits of a percentage would be more than is to be seen.
        percent_with_digits((1000.0 * share).round() / 1000.0)
    })
}

/// What happens at a node, in a word.
pub(crate) fn kind(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Max => "max",
        NodeKind::Min => "min",
        NodeKind::Chance => "chance",
        NodeKind::Leaf => "leaf",
        NodeKind::Goal => "goal",
        NodeKind::Dead => "dead",
    }
}

/// What an inner node of a kind does.
pub(crate) fn turn(tree: &ExplainedTree, kind: NodeKind) -> &str {
    match (tree.explanation().turns.get(&kind), kind) {
        (Some(words), _) => words,
        (None, NodeKind::Max) => "the best move",
        (None, NodeKind::Min) => "the worst tile",
        (None, _) => "the mean over the tiles",
    }
}

/// The parts of a value as a sum: `4096·5 − 10·74 − 10·16`, with names if no factor tells them
/// apart; `None` without parts.
pub(crate) fn sum(terms: &[Term]) -> Option<String> {
    let mut text = String::new();
    let is_bare = |term: &Term| (term.factor - 1.0).abs() <= f64::EPSILON;
    let has_names = terms.len() > 1 && terms.iter().all(is_bare);
    for term in terms {
        let is_negative = (term.factor < 0.0) != (term.value < 0.0);
        let sign = match (text.is_empty(), is_negative) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        };
        text.push_str(sign);
        let factor = term.factor.abs();
        if !is_bare(term) {
            text.push_str(&number(factor));
            text.push('·');
        }
        text.push_str(&number(term.value.abs()));
        if has_names {
            text.extend([" (", &term.name, ")"]);
        }
    }
    (!text.is_empty()).then_some(text)
}

/// How many of what was not searched: `3 moves`, `1 tile`.
pub(crate) fn skipped(node: &Node, cut: &Cut) -> Option<String> {
    let noun = match node.kind {
        NodeKind::Max => "move",
        _ => "tile",
    };
    Some(counted(cut.skipped?, noun))
}

/// The bound that cut: `−8,980 ≤ α = −4,824`.
pub(crate) fn bound(node: &Node, cut: &Cut) -> Option<String> {
    let (bound, value) = (number(cut.bound?), number(node.value?));
    match cut.reason {
        CutReason::Alpha => Some(format!("{value} ≤ α = {bound}")),
        CutReason::Beta => Some(format!("{value} ≥ β = {bound}")),
        CutReason::Table | CutReason::Other => None,
    }
}

/// The counts of a tree in words, those of the agent last: `10 nodes visited, 2 alpha cuts`.
pub(crate) fn counts(tree: &ExplainedTree) -> String {
    let explanation = tree.explanation();
    let all = (tree.n_nodes() as u64).saturating_add(explanation.left_out);
    let mut parts = vec![format!("{} visited", counted(all, "node"))];
    if explanation.left_out > 0 {
        parts.push(format!("{} of them listed", count(tree.n_nodes() as u64)));
    }
    let named = explanation.counts.iter();
    parts.extend(named.map(|term| format!("{} {}", number(term.value), term.name)));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_count() {
        let texts = [
            -4804.0,
            0.0,
            17.25,
            123.456,
            0.012_34,
            f64::NEG_INFINITY,
            1e15,
        ]
        .map(number);
        let expected = [
            "−4,804",
            "0",
            "17.25",
            "123.5",
            "0.0123",
            "−∞",
            "1.00000e15",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn terms_are_a_sum() {
        let terms = [
            Term::new("E", 5.0).times(4096.0),
            Term::new("D", 74.0).times(-10.0),
            Term::new("P", 0.0).times(-10.0),
        ];
        assert_eq!(sum(&terms).unwrap(), "4,096·5 − 10·74 − 10·0");
        assert_eq!(sum(&[]), None);
    }
}
