//! The drawing as SVG, for the page and for print.

use maud::{Markup, html};
use plugin_api::explain::NodeKind;
use report::board_svg;

use crate::drawing::{BoardLook, Drawing, EdgeStyle, Ink, Mark, Words};

const FONT: &str = "system-ui, Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// The drawing; everything is in attributes, so it needs no style sheet.
#[must_use]
pub fn svg(drawing: &Drawing) -> String {
    let (width, height) = (drawing.width, drawing.height);
    let size = |pixels: f64| format!("{:.1}mm", pixels * 25.4 / 96.0);
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" role="img" width=(size(width)) height=(size(height))
            viewBox={ "0 0 " (px(width)) " " (px(height)) } font-family=(FONT)
        {
            title { (drawing.title) }
            rect width="100%" height="100%" fill="#fff" {}
            // Edges lie below boards.
            @for mark in &drawing.marks {
                @if let Mark::Edge { from, to, style } = mark { (edge(*from, *to, *style)) }
            }
            @for mark in &drawing.marks { (drawn(mark)) }
        }
    };
    markup.into_string() + "\n"
}

fn drawn(mark: &Mark) -> Markup {
    match mark {
        Mark::Edge { .. } => Markup::default(),
        Mark::Stump { from, to } => stump(*from, *to),
        Mark::Board {
            board,
            at: (x, y),
            size,
            look,
        } => {
            let is_faded = matches!(look, BoardLook::Lost | BoardLook::Killed);
            let frame = match look {
                BoardLook::Plain | BoardLook::Lost | BoardLook::Killed => None,
                BoardLook::Principal => Some((Ink::Line, 2.0)),
                BoardLook::Goal => Some((Ink::Goal, 2.5)),
            };
            html! {
                g opacity=[is_faded.then_some("0.4")] {
                    (board_svg(&board.tiles(), (*x, *y), *size))
                }
                @if let Some((ink, width)) = frame {
                    rect x=(px(x - 1.5)) y=(px(y - 1.5)) width=(px(size + 3.0))
                        height=(px(size + 3.0)) rx="2.5" fill="none" stroke=(ink.colour())
                        stroke-width=(width) {}
                }
                @if *look == BoardLook::Killed {
                    path d={ "M" (px(*x)) " " (px(*y)) "l" (px(*size)) " " (px(*size))
                        "m0 " (px(-size)) "l" (px(-size)) " " (px(*size)) }
                        fill="none" stroke=(Ink::Cut.colour()) stroke-width="1.2" {}
                }
            }
        }
        Mark::Shape { kind, at, ink } => shape(*kind, *at, *ink),
        Mark::Words(words) => text(words),
        Mark::Number { number, at: (x, y) } => {
            let text = number.to_string();
            let width = crate::drawing::text_width(&text, 6.0) + 4.5;
            html! {
                rect x=(px(x - width)) y=(px(y - 4.5)) width=(px(width)) height="9" rx="4.5"
                    fill="#fff" stroke=(Ink::Grey.colour()) stroke-width="0.6" {}
                text x=(px(x - width / 2.0)) y=(px(y + 2.2)) font-size="6" text-anchor="middle"
                    fill=(Ink::Normal.colour()) { (text) }
            }
        }
    }
}

fn edge((x1, y1): (f64, f64), (x2, y2): (f64, f64), style: EdgeStyle) -> Markup {
    let middle = f64::midpoint(y1, y2);
    let (ink, width, dashes) = match style {
        EdgeStyle::Plain => (Ink::Normal, "0.8", None),
        EdgeStyle::Principal => (Ink::Line, "2.4", None),
        EdgeStyle::Killed => (Ink::Grey, "0.8", Some("3 2.5")),
    };
    html! {
        path d={ "M" (px(x1)) " " (px(y1)) "C" (px(x1)) " " (px(middle)) " " (px(x2)) " "
            (px(middle)) " " (px(x2)) " " (px(y2)) }
            fill="none" stroke=(ink.colour()) stroke-width=(width) stroke-dasharray=[dashes] {}
    }
}

fn stump((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Markup {
    html! {
        path d={ "M" (px(x1)) " " (px(y1)) "L" (px(x2)) " " (px(y2)) } fill="none"
            stroke=(Ink::Grey.colour()) stroke-width="0.8" stroke-dasharray="3 2.5" {}
        path d={ "M" (px(x2 - 3.0)) " " (px(y2 + 4.0)) "l6 -8" } fill="none"
            stroke=(Ink::Cut.colour()) stroke-width="1.6" {}
    }
}

fn shape(kind: NodeKind, (x, y): (f64, f64), ink: Ink) -> Markup {
    let at = format!("translate({} {})", px(x), px(y));
    let colour = ink.colour();
    match kind {
        NodeKind::Max => html! { path transform=(at) d="M-3.4 3l3.4 -6 3.4 6z" fill=(colour) {} },
        NodeKind::Min => html! { path transform=(at) d="M-3.4 -3l3.4 6 3.4 -6z" fill=(colour) {} },
        _ => html! { circle transform=(at) r="3" fill=(colour) {} },
    }
}

fn text(words: &Words) -> Markup {
    let (x, y) = words.at;
    html! {
        text x=(px(x)) y=(px(y)) font-size=(words.size) fill=(words.ink.colour())
            font-weight=[words.is_bold.then_some("700")]
            text-anchor=[words.is_centred.then_some("middle")] { (words.text) }
    }
}

/// A length with a tenth of a pixel.
fn px(length: f64) -> String {
    text::number_text::needed_decimals(length, 1)
}
