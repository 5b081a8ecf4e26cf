//! The drawing for LaTeX, in the same places as in SVG.

use plugin_api::{Board, explain::NodeKind, face_value};
use report::{HOLLOW, TileLook, WELL, tile_look};
use statistics::as_f64;
use text::escape::latex;

use crate::drawing::{BoardLook, Drawing, EdgeStyle, Ink, Mark, SMALL, Words, text_width};

/// Points of LaTeX in a pixel.
const POINTS: f64 = 72.27 / 96.0;

/// A `tikzpicture`, to be read by `\input` in a document that uses the package `tikz`.
#[must_use]
pub fn tikz(drawing: &Drawing) -> String {
    let mut lines = vec![
        "% \\usepackage{tikz} and \\input this file; LuaLaTeX, XeLaTeX or pdfLaTeX".to_owned(),
        format!("\\begin{{tikzpicture}}[x={POINTS:.4}pt, y=-{POINTS:.4}pt, font=\\sffamily,"),
        "  every node/.style={inner sep=0pt, outer sep=0pt, anchor=base}]".to_owned(),
        // The filled ones are of the package amssymb.
        "\\providecommand\\blacktriangle{\\bigtriangleup}".to_owned(),
        "\\providecommand\\blacktriangledown{\\bigtriangledown}".to_owned(),
    ];
    for ink in Ink::ALL {
        lines.push(definition(ink.name(), ink.colour()));
    }
    lines.push(definition("well", WELL));
    lines.push(definition("hollow", HOLLOW));
    lines.push(format!(
        "\\useasboundingbox (0,0) rectangle ({},{});",
        px(drawing.width),
        px(drawing.height)
    ));
    let (edges, others): (Vec<&Mark>, Vec<&Mark>) = drawing
        .marks
        .iter()
        .partition(|mark| matches!(mark, Mark::Edge { .. }));
    for mark in edges.into_iter().chain(others) {
        draw(mark, &mut lines);
    }
    lines.push("\\end{tikzpicture}".to_owned());
    lines.join("\n") + "\n"
}

fn draw(mark: &Mark, lines: &mut Vec<String>) {
    match mark {
        Mark::Edge { from, to, style } => lines.push(edge(*from, *to, *style)),
        Mark::Stump { from, to } => {
            let (x, y) = *to;
            lines.push(format!(
                "\\draw[faint, dashed] {} -- {};",
                at(*from),
                at(*to)
            ));
            lines.push(format!(
                "\\draw[cut, line width=1.2pt] {} -- {};",
                at((x - 3.0, y + 4.0)),
                at((x + 3.0, y - 4.0))
            ));
        }
        Mark::Board {
            board,
            at,
            size,
            look,
        } => draw_board(board, *at, *size, *look, lines),
        Mark::Shape {
            kind,
            at: (x, y),
            ink,
        } => {
            let ink = ink.name();
            let triangle = |base: f64| {
                let corners = [(x - 3.4, y + base), (*x, y - base), (x + 3.4, y + base)];
                let [left, top, right] = corners.map(at);
                format!("\\fill[{ink}] {left} -- {top} -- {right} -- cycle;")
            };
            lines.push(match kind {
                NodeKind::Max => triangle(3.0),
                NodeKind::Min => triangle(-3.0),
                _ => format!("\\fill[{ink}] {} circle[radius=2.2pt];", at((*x, *y))),
            });
        }
        Mark::Words(words) => lines.push(node(words)),
        Mark::Number { number, at: (x, y) } => {
            let text = number.to_string();
            let width = text_width(&text, 6.0) + 4.5;
            let (from, to) = (at((x - width, y - 4.5)), at((*x, y + 4.5)));
            lines.push(format!(
                "\\filldraw[draw=faint, fill=white, line width=0.4pt, rounded corners=3pt] {from} \
                 rectangle {to};"
            ));
            let size = font(6.0);
            let middle = at((x - width / 2.0, y + 2.2));
            lines.push(format!("\\node[ink] at {middle} {{{size}{text}}};"));
        }
    }
}

fn edge((x1, y1): (f64, f64), (x2, y2): (f64, f64), style: EdgeStyle) -> String {
    let middle = f64::midpoint(y1, y2);
    let style = match style {
        EdgeStyle::Plain => "ink, line width=0.6pt",
        EdgeStyle::Principal => "line, line width=1.8pt",
        EdgeStyle::Killed => "faint, line width=0.6pt, dashed",
    };
    let [from, one, two, to] = [(x1, y1), (x1, middle), (x2, middle), (x2, y2)].map(at);
    format!("\\draw[{style}] {from} .. controls {one} and {two} .. {to};")
}

fn draw_board(
    board: &Board,
    (x, y): (f64, f64),
    size: f64,
    look: BoardLook,
    lines: &mut Vec<String>,
) {
    let n_rows = as_f64(board.side().length());
    let gap = size * 0.1 / n_rows;
    let cell = (size - gap) / n_rows - gap;
    let faded = match look {
        BoardLook::Lost | BoardLook::Killed => "[opacity=0.4, text opacity=0.4]",
        BoardLook::Plain | BoardLook::Principal | BoardLook::Goal => "",
    };
    lines.push(format!("\\begin{{scope}}{faded}"));
    lines.push(square((x, y), size, "fill=well"));
    for (row, exponents) in board.rows().enumerate() {
        for (column, &exponent) in exponents.iter().enumerate() {
            let left = x + gap + (cell + gap) * as_f64(column);
            let top = y + gap + (cell + gap) * as_f64(row);
            if exponent == 0 {
                lines.push(square((left, top), cell, "fill=hollow"));
                continue;
            }
            let TileLook {
                colour,
                ink,
                face,
                font_size,
            } = tile_look(face_value(exponent), cell);
            let name = format!("tile{}", exponent.min(18));
            // Definitions are local to the picture; a later one of the same name is the same.
            lines.push(definition(&name, colour));
            lines.push(square((left, top), cell, &format!("fill={name}")));
            let ink = if ink == "#fff" { "white" } else { "ink" };
            let middle = at((left + cell / 2.0, top + cell / 2.0 + 0.36 * font_size));
            let size = font(font_size);
            lines.push(format!(
                "\\node[{ink}] at {middle} {{{size}\\bfseries {face}}};"
            ));
        }
    }
    lines.push("\\end{scope}".to_owned());
    let frame = match look {
        BoardLook::Principal => Some("draw=line, line width=1.5pt"),
        BoardLook::Goal => Some("draw=goal, line width=1.9pt"),
        BoardLook::Plain | BoardLook::Lost | BoardLook::Killed => None,
    };
    if let Some(frame) = frame {
        lines.push(square((x - 1.5, y - 1.5), size + 3.0, frame));
    }
    if look == BoardLook::Killed {
        let corners = [(x, y), (x + size, y + size), (x, y + size), (x + size, y)];
        let [one, two, three, four] = corners.map(at);
        lines.push(format!(
            "\\draw[cut, line width=0.9pt] {one} -- {two} {three} -- {four};"
        ));
    }
}

fn square((x, y): (f64, f64), size: f64, style: &str) -> String {
    let (from, to) = (at((x, y)), at((x + size, y + size)));
    format!("\\path[{style}, rounded corners=0.8pt] {from} rectangle {to};")
}

fn node(words: &Words) -> String {
    let anchor = if words.is_centred {
        "base"
    } else {
        "base west"
    };
    let weight = if words.is_bold { "\\bfseries " } else { "" };
    let (ink, place, size) = (words.ink.name(), at(words.at), font(words.size));
    let text = in_latex(&words.text);
    format!("\\node[{ink}, anchor={anchor}] at {place} {{{size}{weight}{text}}};")
}

/// Words in LaTeX, with the signs of drawings in math mode.
fn in_latex(text: &str) -> String {
    let signs = [
        ('−', "$-$"),
        ('≥', "$\\ge$"),
        ('Σ', "$\\Sigma$"),
        ('α', "$\\alpha$"),
        ('β', "$\\beta$"),
        ('·', "$\\cdot$"),
        ('←', "$\\leftarrow$"),
        ('↑', "$\\uparrow$"),
        ('↓', "$\\downarrow$"),
        ('▲', "$\\blacktriangle$"),
        ('▼', "$\\blacktriangledown$"),
        ('●', "$\\bullet$"),
        ('…', "\\dots{}"),
    ];
    let with_signs = |text: String, (sign, command): &(char, &str)| text.replace(*sign, command);
    signs.iter().fold(latex(text), with_signs)
}

fn definition(name: &str, colour: &str) -> String {
    let digits = colour.trim_start_matches('#').to_uppercase();
    format!("\\definecolor{{{name}}}{{HTML}}{{{digits}}}")
}

fn font(size: f64) -> String {
    let points = size * POINTS;
    let line = SMALL.max(size) * POINTS;
    format!("\\fontsize{{{points:.1}}}{{{line:.1}}}\\selectfont ")
}

fn at((x, y): (f64, f64)) -> String {
    format!("({},{})", px(x), px(y))
}

fn px(length: f64) -> String {
    format!("{length:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signs_of_the_bundled_agents_are_commands() {
        let text = in_latex("▲ max, ▼ min, ● chance · Σ weight × tile ≤ −∞ – α, β … ← ↑ → ↓ ≥");
        assert!(text.is_ascii(), "{text}");
    }
}
