//! The nodes of a drawing for Graphviz, which places them itself.

use maud::{Markup, html};
use plugin_api::{Board, explain::NodeKind, face_value};
use report::{HOLLOW, WELL, tile_look};

use crate::{
    ExplainedTree,
    drawing::{Drawing, Ink, label},
    words,
};

/// The size of a cell in points.
const CELL: f64 = 16.0;

/// A graph with boards as tables, for `dot -Tpdf`.
#[must_use]
pub fn dot(tree: &ExplainedTree, drawing: &Drawing) -> String {
    let mut lines = vec![
        "digraph explanation {".to_owned(),
        format!("  label={}; labelloc=t;", quoted(&drawing.title)),
        "  node [shape=plain, fontname=\"Helvetica\", fontsize=9];".to_owned(),
        "  edge [fontname=\"Helvetica\", fontsize=9, arrowhead=none];".to_owned(),
        "  ordering=out;".to_owned(),
    ];
    for &(number, hidden) in &drawing.shown {
        let text = table(tree, number, hidden).into_string();
        lines.push(format!("  n{} [label=<{text}>];", number + 1));
        let node = tree.node(number);
        if let Some(parent) = node.parent {
            let lead = node.direction.map(words::direction);
            let lead = lead.or_else(|| words::tile(tree, node)).unwrap_or_default();
            let style = match node.kind {
                _ if tree.is_on_line(number) => {
                    format!(", penwidth=3, color=\"{}\"", Ink::Line.colour())
                }
                NodeKind::Dead => format!(", style=dashed, color=\"{}\"", Ink::Grey.colour()),
                _ => String::new(),
            };
            let (from, to, lead) = (parent + 1, number + 1, quoted(&lead));
            lines.push(format!("  n{from} -> n{to} [label={lead}{style}];"));
        }
    }
    lines.push("}".to_owned());
    lines.join("\n") + "\n"
}

/// A label of Graphviz, which has a few elements of HTML.
fn table(tree: &ExplainedTree, number: usize, hidden: u64) -> Markup {
    let label = label(tree, number, hidden);
    let frame = match tree.node(number).kind {
        NodeKind::Goal => Ink::Goal,
        NodeKind::Dead => Ink::Cut,
        _ if tree.is_on_line(number) => Ink::Line,
        _ => Ink::Grey,
    };
    html! {
        TABLE BORDER="0" CELLBORDER="0" CELLSPACING="1" {
            TR { TD { (number + 1) } }
            TR { TD { (board_table(tree.board_of(number), frame)) } }
            @if !label.value.is_empty() {
                TR { TD { B { FONT COLOR=(label.ink.colour()) { (label.value) } } } }
            }
            @for (piece, ink) in &label.pieces {
                TR { TD { FONT COLOR=(ink.colour()) { (piece) } } }
            }
        }
    }
}

fn board_table(board: &Board, frame: Ink) -> Markup {
    html! {
        TABLE BORDER="2" COLOR=(frame.colour()) BGCOLOR=(WELL) CELLBORDER="0" CELLSPACING="1"
            CELLPADDING="0"
        {
            @for row in board.rows() {
                TR {
                    @for &exponent in row {
                        @if exponent == 0 {
                            TD BGCOLOR=(HOLLOW) WIDTH=(CELL) HEIGHT=(CELL) FIXEDSIZE="TRUE" {}
                        } @else {
                            (tile(face_value(exponent)))
                        }
                    }
                }
            }
        }
    }
}

fn tile(tile: u64) -> Markup {
    let look = tile_look(tile, CELL);
    let ink = if look.ink == "#fff" {
        "#ffffff"
    } else {
        look.ink
    };
    html! {
        TD BGCOLOR=(look.colour) WIDTH=(CELL) HEIGHT=(CELL) FIXEDSIZE="TRUE" {
            FONT POINT-SIZE=(format!("{:.1}", look.font_size)) COLOR=(ink) { (look.face) }
        }
    }
}

/// A string of DOT.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
