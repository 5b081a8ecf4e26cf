//! What of a tree is drawn, and where: one layout for SVG and `TikZ`.
//!
//! Lengths are CSS pixels, 96 per inch, so texts of 8 pixels are 6 points in print. A page has as
//! many columns as boards fit beside each other. What does not fit is folded: its parent says how
//! many nodes there are. The principal line is drawn to its end, or as far as the page is high.

use std::{cmp::Reverse, ops::RangeInclusive};

use plugin_api::{
    Board,
    explain::{CutReason, Node, NodeKind},
};
use statistics::as_f64;
use text::number_text::{count, counted};

use crate::{
    ExplainedTree,
    words::{self, number},
};

/// Pixels per millimetre.
const PER_MM: f64 = 96.0 / 25.4;
/// The width of a page in millimetres.
pub const PAGE_WIDTH: f64 = 180.0;
/// The widths that a drawing may have, in millimetres; the smallest holds at least two boards.
pub const WIDTHS: RangeInclusive<f64> = 40.0..=2000.0;
/// The most levels that are drawn.
const MOST_LEVELS: usize = 8;
/// How many nodes there may be for each column: 40 on a page of 12 columns.
const NODES_PER_COLUMN: f64 = 3.4;

const MARGIN: f64 = 6.0;
/// The size of the words, and the height of a line of them.
pub(crate) const SMALL: f64 = 7.5;
pub(crate) const NORMAL: f64 = 8.5;
pub(crate) const LARGE: f64 = 11.0;
const LINE: f64 = 10.0;
/// From the end of the words of a node to the words above its children.
const EDGE: f64 = 26.0;
/// Between boards that are beside each other.
const GAP: f64 = 6.0;
/// The room of the shape before a value.
const SHAPE: f64 = 9.0;
const WIDEST_COLUMN: f64 = 96.0;

/// The colours of lines and words. Shapes, dashes and words say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Normal,
    /// What was not searched, and what matters less.
    Grey,
    /// The principal line.
    Line,
    Cut,
    Goal,
}

impl Ink {
    pub(crate) const ALL: [Self; 5] = [Self::Normal, Self::Grey, Self::Line, Self::Cut, Self::Goal];

    /// Its name in `TikZ`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Normal => "ink",
            Self::Grey => "faint",
            Self::Line => "line",
            Self::Cut => "cut",
            Self::Goal => "goal",
        }
    }

    /// `#rrggbb`.
    pub(crate) fn colour(self) -> &'static str {
        match self {
            Self::Normal => "#1d1f24",
            Self::Grey => "#6f6a61",
            Self::Line => "#1d5fae",
            Self::Cut => "#a8401c",
            Self::Goal => "#1f7a4a",
        }
    }
}

/// A tree on a page.
#[derive(Clone, Debug)]
pub struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: String,
    pub(crate) marks: Vec<Mark>,
    /// The nodes that are drawn, each with the number of those below that are not.
    pub(crate) shown: Vec<(usize, u64)>,
}

/// A part of the drawing; its place is in pixels from the top left.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    Edge {
        from: (f64, f64),
        to: (f64, f64),
        style: EdgeStyle,
    },
    /// A branch that was cut: it ends in a bar.
    Stump {
        from: (f64, f64),
        to: (f64, f64),
    },
    Board {
        board: Board,
        at: (f64, f64),
        size: f64,
        look: BoardLook,
    },
    /// A shape that says what happens at a node, with its middle.
    Shape {
        kind: NodeKind,
        at: (f64, f64),
        ink: Ink,
    },
    Words(Words),
    /// The number of a node in the order of the search, with the right end of its frame.
    Number {
        number: usize,
        at: (f64, f64),
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) text: String,
    /// The middle or the left end of the baseline.
    pub(crate) at: (f64, f64),
    pub(crate) size: f64,
    pub(crate) is_centred: bool,
    pub(crate) is_bold: bool,
    pub(crate) ink: Ink,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeStyle {
    Plain,
    Principal,
    Killed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardLook {
    Plain,
    Principal,
    Goal,
    /// Faded.
    Lost,
    /// Faded and crossed out.
    Killed,
}

/// What stands below a node.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    /// The value, or the word that takes its place.
    pub(crate) value: String,
    pub(crate) ink: Ink,
    /// Short pieces; several fit on a line if there is room.
    pub(crate) pieces: Vec<(String, Ink)>,
}

impl Drawing {
    /// The tree on a page of this width, in millimetres: 88 for a column, 180 for a page.
    #[must_use]
    pub fn new(tree: &ExplainedTree, millimetres: f64) -> Self {
        let width = millimetres * PER_MM;
        let board_size = board_size(tree.board());
        let inner = width - 2.0 * MARGIN;
        let narrowest = board_size.max(widest_value(tree)) + GAP;
        let n_columns = at_least_one((inner + GAP) / narrowest);
        let fold = Fold::of(tree, n_columns);
        let leaves = as_f64(fold.leaves(0));
        let column = (inner / leaves).min(WIDEST_COLUMN);
        let mut layout = Layout {
            tree,
            fold: &fold,
            column,
            centres: vec![0.0; tree.n_nodes()],
            marks: Vec::new(),
        };
        layout.place(0, (width - column * leaves) / 2.0);
        layout.draw(width, board_size)
    }
}

/// The side of a board in pixels: a cell has room for three digits of 6 points.
fn board_size(board: &Board) -> f64 {
    (13.0 * as_f64(board.side().length())).clamp(30.0, 84.0)
}

/// The width of the longest value with its shape. Values of one search differ in digits that no
/// shorter form would show.
fn widest_value(tree: &ExplainedTree) -> f64 {
    let values = tree.explanation().nodes.iter().filter_map(words::value);
    let widths = values.map(|value| text_width(&value, NORMAL) + SHAPE);
    widths.fold(0.0, f64::max).min(WIDEST_COLUMN)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a page has few columns"
)]
fn at_least_one(number: f64) -> usize {
    number.clamp(1.0, 1000.0) as usize
}

/// Which nodes are drawn.
#[derive(Clone, Debug)]
struct Fold {
    /// The children that are drawn, of every node that is.
    children: Vec<Vec<usize>>,
    is_shown: Vec<bool>,
    /// The number of nodes below that are not drawn, of every node.
    hidden: Vec<u64>,
}

impl Fold {
    /// Level by level, as long as there are columns; the principal line goes on below.
    fn of(tree: &ExplainedTree, n_columns: usize) -> Self {
        let most_nodes = at_least_one(NODES_PER_COLUMN * as_f64(n_columns));
        let mut fold = Self {
            children: vec![Vec::new(); tree.n_nodes()],
            is_shown: vec![false; tree.n_nodes()],
            hidden: vec![0; tree.n_nodes()],
        };
        fold.is_shown[0] = true;
        let (mut level, mut n_leaves, mut n_shown) = (vec![0], 1, 1);
        let mut is_cramped = false;
        for depth in 1..MOST_LEVELS {
            // The principal line first: it has the first choice of columns.
            level.sort_by_key(|&number| (Reverse(tree.is_on_line(number)), number));
            let is_on_line = |number: &usize| tree.is_on_line(*number);
            let parents: Vec<usize> = level
                .iter()
                .copied()
                .filter(|number| !tree.children(*number).is_empty())
                .filter(|number| !is_cramped || is_on_line(number))
                .collect();
            let wanted: usize = parents.iter().map(|&p| tree.children(p).len()).sum();
            let goes_on = tree.explanation().line.len() > depth + 1;
            // What the levels below the page's last whole one need for the principal line.
            let reserve = if goes_on && !is_cramped { 2 } else { 0 };
            let free = n_columns.saturating_sub(n_leaves);
            let mut extra = if wanted - parents.len().min(wanted) <= free {
                free
            } else {
                is_cramped |= depth > 1;
                free.saturating_sub(reserve)
            };
            let mut room = most_nodes.saturating_sub(n_shown);
            let mut chosen: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
            for round in 0.. {
                let mut has_grown = false;
                for (place, &parent) in parents.iter().enumerate() {
                    let candidates = by_interest(tree, parent);
                    let Some(&child) = candidates.get(round) else {
                        continue;
                    };
                    let is_needed = tree.is_on_line(child);
                    if (round > 0 && extra == 0) || (room == 0 && !is_needed) {
                        continue;
                    }
                    extra -= usize::from(round > 0);
                    n_leaves += usize::from(round > 0);
                    room = room.saturating_sub(1);
                    n_shown += 1;
                    chosen[place].push(child);
                    has_grown = true;
                }
                if !has_grown {
                    break;
                }
            }
            level.clear();
            for (parent, mut children) in parents.into_iter().zip(chosen) {
                children.sort_unstable();
                for &child in &children {
                    fold.is_shown[child] = true;
                }
                level.extend(&children);
                fold.children[parent] = children;
            }
        }
        fold.count_hidden(tree);
        fold
    }

    /// A node that is not drawn counts at the nearest one that is.
    fn count_hidden(&mut self, tree: &ExplainedTree) {
        for number in (0..tree.n_nodes()).rev() {
            let node = tree.node(number);
            // The counts are the agent's word.
            let hidden = self.hidden[number].saturating_add(node.left_out);
            self.hidden[number] = hidden;
            if !self.is_shown[number]
                && let Some(parent) = node.parent
            {
                let above = self.hidden[parent].saturating_add(1);
                self.hidden[parent] = above.saturating_add(hidden);
            }
        }
    }

    /// The number of columns that a node and what is below it need.
    fn leaves(&self, number: usize) -> usize {
        let below: usize = self.children[number]
            .iter()
            .map(|&child| self.leaves(child))
            .sum();
        below.max(1)
    }
}

/// The children of a node, the most interesting first: the principal line, then the best for the
/// side whose turn it is, or the most visited or probable.
fn by_interest(tree: &ExplainedTree, parent: usize) -> Vec<usize> {
    let mut children = tree.children(parent).to_vec();
    // All moves of a player are drawn in the order of the search if they fit.
    let rank = |number: &usize| {
        let node = tree.node(*number);
        let value = node.value.unwrap_or(f64::NEG_INFINITY);
        match tree.node(parent).kind {
            NodeKind::Min => (0.0, value),
            NodeKind::Chance => (
                -as_f64_of(node.visits.unwrap_or(0)),
                -node.probability.unwrap_or(0.0),
            ),
            _ => (-as_f64_of(node.visits.unwrap_or(0)), -value),
        }
    };
    children.sort_by(|one, other| {
        let is_on_line = |number: &usize| Reverse(tree.is_on_line(*number));
        let ranks = (rank(one), rank(other));
        let order = ranks.0.0.total_cmp(&ranks.1.0);
        let order = order.then(ranks.0.1.total_cmp(&ranks.1.1));
        is_on_line(one).cmp(&is_on_line(other)).then(order)
    });
    children
}

#[expect(clippy::cast_precision_loss, reason = "a number to look at")]
fn as_f64_of(number: u64) -> f64 {
    number as f64
}

struct Layout<'t> {
    tree: &'t ExplainedTree,
    fold: &'t Fold,
    column: f64,
    /// The middle of every node that is drawn.
    centres: Vec<f64>,
    marks: Vec<Mark>,
}

impl Layout<'_> {
    /// Places a node and what is below it from this position on; a parent is above the middle of
    /// its children.
    fn place(&mut self, number: usize, left: f64) {
        let children = &self.fold.children[number];
        let mut x = left;
        for &child in children {
            self.place(child, x);
            x += self.column * as_f64(self.fold.leaves(child));
        }
        self.centres[number] = match (children.first(), children.last()) {
            (Some(&first), Some(&last)) => f64::midpoint(self.centres[first], self.centres[last]),
            _ => left + self.column / 2.0,
        };
    }

    fn draw(mut self, width: f64, board_size: f64) -> Drawing {
        let tree = self.tree;
        let shown: Vec<usize> = (0..tree.n_nodes())
            .filter(|&number| self.fold.is_shown[number])
            .collect();
        let title = title(tree);
        let mut top = self.paragraph(&title, 0.0, width, LARGE, Ink::Normal) + 6.0;
        let deepest = shown.iter().map(|&number| tree.level(number)).max();
        let mut bottoms = vec![0.0; tree.n_nodes()];
        for level in 0..=deepest.unwrap_or(0) {
            let nodes: Vec<usize> = shown
                .iter()
                .copied()
                .filter(|&number| tree.level(number) == level)
                .collect();
            let lead_lines = nodes.iter().map(|&number| leads(tree, number).len()).max();
            let board_top = top + LINE * as_f64(lead_lines.unwrap_or(0)) + 3.0;
            let mut lowest = board_top;
            for (place, &number) in nodes.iter().enumerate() {
                let x = self.centres[number];
                let is_near = |other: Option<&usize>| other.map(|&it| (self.centres[it] - x).abs());
                let left = place.checked_sub(1).and_then(|it| is_near(nodes.get(it)));
                let right = is_near(nodes.get(place + 1));
                let to_edge = 2.0 * x.min(width - x);
                let room = left.unwrap_or(to_edge).min(right.unwrap_or(to_edge)) - GAP / 2.0;
                if let Some(parent) = tree.node(number).parent {
                    self.edge(number, (self.centres[parent], bottoms[parent]), (x, top));
                }
                let n_leads = leads(tree, number).len();
                let lead_top = board_top - 3.0 - LINE * as_f64(n_leads);
                self.lead(number, (x, lead_top));
                let bottom = self.node(number, (x, board_top), board_size, room);
                bottoms[number] = bottom;
                lowest = lowest.max(bottom);
            }
            top = lowest + EDGE;
        }
        let bottom = top - EDGE + 8.0;
        let caption = caption(tree, self.fold, &shown);
        let height = self.paragraph(&caption, bottom, width, SMALL, Ink::Grey) + MARGIN;
        let hidden = |number: usize| (number, self.fold.hidden[number]);
        Drawing {
            width,
            height,
            title,
            shown: shown.into_iter().map(hidden).collect(),
            marks: self.marks,
        }
    }

    /// Draws words on as many lines as they need, and returns where they end.
    fn paragraph(&mut self, text: &str, top: f64, width: f64, size: f64, ink: Ink) -> f64 {
        let mut bottom = top;
        for line in wrapped(text, width - 2.0 * MARGIN, size) {
            bottom += size * 1.35;
            self.marks.push(Mark::Words(Words {
                text: line,
                at: (MARGIN, bottom),
                size,
                is_centred: false,
                is_bold: size >= LARGE,
                ink,
            }));
        }
        bottom
    }

    fn edge(&mut self, number: usize, from: (f64, f64), to: (f64, f64)) {
        let style = if self.tree.is_on_line(number) {
            EdgeStyle::Principal
        } else if self.tree.node(number).kind == NodeKind::Dead {
            EdgeStyle::Killed
        } else {
            EdgeStyle::Plain
        };
        self.marks.push(Mark::Edge { from, to, style });
    }

    fn centred(&mut self, text: String, at: (f64, f64), size: f64, is_bold: bool, ink: Ink) {
        self.marks.push(Mark::Words(Words {
            text,
            at,
            size,
            is_centred: true,
            is_bold,
            ink,
        }));
    }

    /// What leads to a node, above its board.
    fn lead(&mut self, number: usize, (x, top): (f64, f64)) {
        let is_on_line = self.tree.is_on_line(number);
        let ink = match self.tree.node(number).kind {
            _ if is_on_line => Ink::Line,
            NodeKind::Dead => Ink::Grey,
            _ => Ink::Normal,
        };
        for (line, text) in (1..).zip(leads(self.tree, number)) {
            let size = if line == 1 { NORMAL } else { SMALL };
            let y = top + LINE * f64::from(line) - 2.0;
            self.centred(text, (x, y), size, is_on_line && line == 1, ink);
        }
    }

    /// Draws a board and the words below it, and returns where they end.
    fn node(&mut self, number: usize, (x, top): (f64, f64), size: f64, room: f64) -> f64 {
        let (tree, node) = (self.tree, self.tree.node(number));
        let look = match node.kind {
            NodeKind::Goal => BoardLook::Goal,
            NodeKind::Dead if is_killed(tree, number) => BoardLook::Killed,
            NodeKind::Dead => BoardLook::Lost,
            _ if tree.is_on_line(number) => BoardLook::Principal,
            _ => BoardLook::Plain,
        };
        self.marks.push(Mark::Board {
            board: *tree.board_of(number),
            at: (x - size / 2.0, top),
            size,
            look,
        });
        self.marks.push(Mark::Number {
            number: number + 1,
            at: (x - size / 2.0 + 1.5, top - 1.5),
        });
        let label = label(tree, number, self.fold.hidden[number]);
        let mut y = top + size + LINE;
        let is_shape = is_expanded(tree, node) == Some(false);
        let shift = if is_shape { 5.0 } else { 0.0 };
        if is_shape {
            let width = text_width(&label.value, NORMAL);
            let at = (x - width / 2.0 - 2.5, y - 3.0);
            let (kind, ink) = (node.kind, label.ink);
            self.marks.push(Mark::Shape { kind, at, ink });
        }
        let mut last = y - LINE;
        if !label.value.is_empty() {
            self.centred(label.value, (x + shift, y), NORMAL, true, label.ink);
            last = y;
            y += LINE;
        } else if is_shape {
            last = y;
            y += LINE;
        }
        for (line, ink) in packed(&label.pieces, room.max(self.column - GAP / 2.0)) {
            self.centred(line, (x, y), SMALL, false, ink);
            last = y;
            y += LINE;
        }
        let bottom = last + 4.0;
        if node.cut.as_ref().is_some_and(|cut| cut.skipped.is_some()) {
            self.marks.push(Mark::Stump {
                from: (x, bottom),
                to: (x + 15.0, bottom + 11.0),
            });
        }
        bottom
    }
}

/// What leads to a node: the move, the tile, its probability.
fn leads(tree: &ExplainedTree, number: usize) -> Vec<String> {
    let node = tree.node(number);
    let tile = words::tile(tree, node).map(|tile| match words::probability(node) {
        // The usual tile of a deterministic game is not worth a line.
        Some(share) => vec![tile, share],
        None => vec![tile],
    });
    let direction = node.direction.map(words::direction);
    let mut leads: Vec<String> = direction.into_iter().collect();
    if leads.is_empty() {
        leads.extend(tile.unwrap_or_default());
    }
    leads
}

/// What stands below a node.
pub(crate) fn label(tree: &ExplainedTree, number_of_node: usize, hidden: u64) -> Label {
    let node = tree.node(number_of_node);
    let is_on_line = tree.is_on_line(number_of_node);
    let mut pieces: Vec<(String, Ink)> = Vec::new();
    let value = words::value(node);
    let (value, ink) = match node.kind {
        NodeKind::Dead if tree.changes_nothing(number_of_node) => ("killed".to_owned(), Ink::Cut),
        NodeKind::Dead => (value.unwrap_or_else(|| "dead".to_owned()), Ink::Cut),
        NodeKind::Goal => {
            let solution = || format!("solution {}", solution(tree, number_of_node));
            (value.unwrap_or_else(solution), Ink::Goal)
        }
        _ if is_on_line => (value.unwrap_or_default(), Ink::Line),
        _ => (value.unwrap_or_default(), Ink::Normal),
    };
    match node.kind {
        _ if is_expanded(tree, node) == Some(true) => {
            pieces.push(("expanded".to_owned(), Ink::Grey));
        }
        NodeKind::Max | NodeKind::Min | NodeKind::Chance => {
            pieces.push((words::kind(node.kind).to_owned(), Ink::Grey));
            for (name, bound) in [("α", node.alpha), ("β", node.beta)] {
                let bound = bound.map(|bound| (format!("{name} {}", number(bound)), Ink::Grey));
                pieces.extend(bound);
            }
        }
        NodeKind::Dead if tree.changes_nothing(number_of_node) => {
            pieces.push(("no change".to_owned(), Ink::Cut));
        }
        NodeKind::Dead if node.cut.is_some() => pieces.push(("known".to_owned(), Ink::Cut)),
        NodeKind::Dead => pieces.push(("no move".to_owned(), Ink::Cut)),
        NodeKind::Leaf | NodeKind::Goal => {}
    }
    let visits = node
        .visits
        .map(|visits| (counted(visits, "visit"), Ink::Grey));
    pieces.extend(visits);
    let terms = node.terms.iter();
    pieces.extend(terms.map(|term| (format!("{} {}", term.name, number(term.value)), Ink::Grey)));
    let grids = &tree.explanation().grids;
    let grid = node.grid.and_then(|grid| grids.get(grid));
    pieces.extend(grid.map(|grid| (grid.name.clone(), Ink::Grey)));
    if let Some(cut) = node.cut.as_ref().filter(|_| node.kind != NodeKind::Dead) {
        pieces.extend(cut_pieces(node, cut));
    }
    let said = node.note.as_ref();
    let said = said.filter(|_| !tree.changes_nothing(number_of_node));
    pieces.extend(said.map(|said| (said.clone(), Ink::Grey)));
    if hidden > 0 {
        pieces.push((format!("+{}", count(hidden)), Ink::Grey));
    }
    Label { value, ink, pieces }
}

/// Whether an inner node has nothing to tell but that it was expanded, because the search looks
/// for paths, not for values; `None` for other nodes.
fn is_expanded(tree: &ExplainedTree, node: &Node) -> Option<bool> {
    match node.kind {
        NodeKind::Max => Some(tree.looks_for_paths()),
        NodeKind::Min | NodeKind::Chance => Some(false),
        NodeKind::Leaf | NodeKind::Goal | NodeKind::Dead => None,
    }
}

/// Whether the search gave a node up, although the game might go on there.
fn is_killed(tree: &ExplainedTree, number: usize) -> bool {
    let node = tree.node(number);
    node.kind == NodeKind::Dead && (tree.changes_nothing(number) || node.cut.is_some())
}

/// The number of a goal among the goals, from 1.
fn solution(tree: &ExplainedTree, number: usize) -> usize {
    let is_goal = |number: &usize| tree.node(*number).kind == NodeKind::Goal;
    (0..=number).filter(is_goal).count()
}

fn cut_pieces(node: &Node, cut: &plugin_api::explain::Cut) -> Vec<(String, Ink)> {
    if cut.reason == CutReason::Table {
        return vec![("known".to_owned(), Ink::Grey)];
    }
    let skipped = words::skipped(node, cut).map(|skipped| format!("{skipped} cut"));
    let bound = cut.bound.map(|bound| match cut.reason {
        CutReason::Alpha => format!("≤ α {}", number(bound)),
        CutReason::Beta => format!("≥ β {}", number(bound)),
        CutReason::Table | CutReason::Other => number(bound),
    });
    let parts = skipped.into_iter().chain(bound);
    parts.map(|part| (part, Ink::Cut)).collect()
}

/// Pieces on as few lines as they need; pieces of different ink stand on different lines.
fn packed(pieces: &[(String, Ink)], room: f64) -> Vec<(String, Ink)> {
    let mut lines: Vec<(String, Ink)> = Vec::new();
    let pieces = pieces.iter().flat_map(|(piece, ink)| {
        let lines = wrapped(piece, room, SMALL);
        lines.into_iter().map(|line| (line, *ink))
    });
    for (piece, ink) in pieces {
        if let Some((line, ink_of_line)) = lines.last_mut()
            && *ink_of_line == ink
            && text_width(&format!("{line} · {piece}"), SMALL) <= room
        {
            line.push_str(" · ");
            line.push_str(&piece);
        } else {
            lines.push((piece, ink));
        }
    }
    lines
}

/// Words on lines of this width.
fn wrapped(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// About the width of words in the fonts of drawings.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let of_letter = |letter: char| match letter {
        'i' | 'j' | 'l' | '.' | ',' | '·' | ' ' | '\'' | '|' | ':' | 'I' | 't' | 'f' | 'r' => 0.37,
        'm' | 'w' | 'M' | 'W' | '∞' | '←' | '→' | '%' => 0.98,
        'A'..='Z' | '−' | '≤' | '≥' | '+' | '=' | '–' => 0.74,
        _ => 0.64,
    };
    size * text.chars().map(of_letter).sum::<f64>()
}

fn title(tree: &ExplainedTree) -> String {
    let explanation = tree.explanation();
    let method = format!("{}: {}", tree.agent, explanation.method);
    let Some(choice) = explanation.choice else {
        return method;
    };
    let choice = words::direction(choice);
    match tree.node(0).value {
        Some(worth) => format!("{method}. Choice: {choice}, worth {}", number(worth)),
        None => format!("{method}. Choice: {choice}"),
    }
}

/// What the signs of this drawing mean, and how many nodes there are.
fn caption(tree: &ExplainedTree, fold: &Fold, shown: &[usize]) -> String {
    let explanation = tree.explanation();
    let nodes = || shown.iter().map(|&number| tree.node(number));
    let has = |kind: NodeKind| nodes().any(|node| node.kind == kind);
    let mut parts: Vec<String> = explanation.formula.iter().cloned().collect();
    parts.push(words::counts(tree));
    if shown.len() < tree.n_nodes() {
        parts.push(format!("{} drawn", counted(shown.len() as u64, "node")));
    }
    let mut signs = vec!["number: place among the listed nodes".to_owned()];
    let says_max = explanation.turns.contains_key(&NodeKind::Max) && !tree.looks_for_paths();
    for (is_named, kind, sign) in [
        (has(NodeKind::Min) || says_max, NodeKind::Max, "▲ max"),
        (has(NodeKind::Min), NodeKind::Min, "▼ min"),
        (has(NodeKind::Chance), NodeKind::Chance, "● chance"),
    ] {
        if is_named {
            signs.push(format!("{sign}: {}", words::turn(tree, kind)));
        }
    }
    if explanation.line.len() > 1 {
        signs.push("thick: principal line".to_owned());
    }
    if nodes().any(|node| node.cut.as_ref().is_some_and(|cut| cut.skipped.is_some())) {
        signs.push("dashed branch with a bar: cut, with the bound".to_owned());
    }
    if nodes().any(|node| {
        let cut = node.cut.as_ref();
        cut.is_some_and(|cut| cut.reason == CutReason::Table)
    }) {
        signs.push("known: searched before".to_owned());
    }
    if shown.iter().any(|&number| fold.hidden[number] > 0) {
        signs.push("+n: n nodes that are not drawn".to_owned());
    }
    parts.push(signs.join("; "));
    parts.join(". ") + "."
}
