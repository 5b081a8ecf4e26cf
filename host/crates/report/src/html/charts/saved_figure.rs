//! A chart as a file of its own: an SVG with a fixed width, its styles and its fonts, for papers
//! and slides.
//!
//! Colours are written out and nothing depends on a browser, because other programs that draw
//! SVG know neither variables nor media queries.

use std::fmt::Write;

use maud::{Markup, html};

use super::drawing::Drawing;
use crate::board_svg::pixels;
use statistics::as_f64;

/// How wide a figure is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FigureWidth {
    /// 720 pixels, for screens.
    #[default]
    Screen,
    /// So many millimetres on paper, with text of 8 points.
    Print(f64),
}

impl FigureWidth {
    fn pixels(self) -> f64 {
        // 12 pixels of text are 8 points, and an inch is 25.4 mm or 72 points.
        const PER_MM: f64 = 12.0 / 8.0 * 72.0 / 25.4;
        match self {
            Self::Screen => 720.0,
            Self::Print(mm) => mm * PER_MM,
        }
    }

    /// Pixels as the file states them.
    fn length(self, length: f64) -> String {
        match self {
            Self::Screen => pixels(length),
            Self::Print(mm) => format!("{}mm", pixels(length * mm / self.pixels())),
        }
    }
}

const MARGIN: f64 = 16.0;

/// The width of a letter, on average. Programs that draw SVG do not wrap text.
const LETTER: f64 = 7.3;

const STYLE: &str = "\
text{font-family:\"Helvetica Neue\",Helvetica,Arial,\"Liberation Sans\",\"DejaVu Sans\",sans-serif;font-size:12px;fill:#1d2025}\
.tick,.axis-name,.number{fill:#5c626b}.label{font-weight:600}\
.grid{stroke:#e4e4df}.base{stroke:#c9cac5}\
.iqr,rect.mark{fill:#c9dbef}.top{stroke:#1f5fa8;stroke-width:2}\
.whisker{stroke:#1f5fa8;stroke-width:2}.thin{stroke-width:1;stroke-dasharray:2 3}\
circle.mark{fill:#1f5fa8;stroke:#fff;stroke-width:1.5}\
.slowest{fill:#fff;stroke:#1f5fa8;stroke-width:1.5}\
.budget{stroke:#a63f0c;stroke-width:1.5;stroke-dasharray:5 3}.budget-name{fill:#a63f0c}\
.curve{fill:none;stroke-width:2;stroke-linejoin:round}.other{stroke:#c9cac5;stroke-width:1}\
.diagonal{fill:none;stroke:#8a8f98;stroke-dasharray:4 4}\
circle.seed{fill-opacity:.6}circle.won{fill:#1f5fa8}circle.lost{fill:#ba5414}circle.missing{display:none}\
.better{fill:#1f5fa8}.worse{fill:#ba5414}.open{fill:#f0f0ec}\
.s1{fill-opacity:.14}.s2{fill-opacity:.28}.s3{fill-opacity:.42}.s4{fill-opacity:.56}";

/// Colour and dashes of the curves, as in the style sheet of the page.
const CURVES: [(&str, &str); 8] = [
    ("#1f5fa8", "none"),
    ("#b4460f", "9 3"),
    ("#2a7d4f", "3 3"),
    ("#8a3d9c", "12 3 3 3"),
    ("#8a6d00", "none"),
    ("#0b7a8a", "9 3"),
    ("#b03060", "3 3"),
    ("#4d5561", "12 3 3 3"),
];

/// A figure that is drawn from the top.
pub(in crate::html) struct SavedFigure {
    width: FigureWidth,
    /// Between the margins.
    pub(in crate::html) inner_width: f64,
    y: f64,
    body: String,
}

impl SavedFigure {
    pub(in crate::html) fn new(width: FigureWidth) -> Self {
        Self {
            width,
            inner_width: width.pixels() - 2.0 * MARGIN,
            y: MARGIN,
            body: String::new(),
        }
    }

    /// A drawing below what was drawn so far.
    pub(in crate::html) fn place(&mut self, drawing: &Drawing, x: f64, width: f64) {
        self.push(&drawing.placed((MARGIN + x, self.y), width));
    }

    /// A text; `y` is the height of its baseline below what was drawn so far.
    pub(in crate::html) fn text(&mut self, x: f64, y: f64, anchor: &str, class: &str, text: &str) {
        let (x, y) = (pixels(MARGIN + x), pixels(self.y + y));
        self.push(&html! { text class=(class) x=(x) y=(y) text-anchor=(anchor) { (text) } });
    }

    pub(in crate::html) fn rect(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        class: &str,
    ) {
        self.push(&html! {
            rect class=(class) x=(pixels(MARGIN + x)) y=(pixels(self.y + y))
                width=(pixels(width)) height=(pixels(height)) rx="3" {}
        });
    }

    /// What is drawn next is this much further down.
    pub(in crate::html) fn advance(&mut self, height: f64) {
        self.y += height;
    }

    fn push(&mut self, element: &Markup) {
        self.body += &element.0;
    }

    pub(in crate::html) fn finish(self, title: &str) -> String {
        let size = [self.inner_width + 2.0 * MARGIN, self.y + MARGIN];
        let [width, height] = size.map(pixels);
        let [stated_width, stated_height] = size.map(|length| self.width.length(length));
        let mut style = STYLE.to_owned();
        for (number, (colour, dashes)) in (1..).zip(CURVES) {
            write!(
                style,
                ".c{number}{{stroke:{colour};stroke-dasharray:{dashes}}}\
                 circle.c{number}{{fill:{colour};stroke:#fff;stroke-width:1.5;stroke-dasharray:none}}\
                 text.c{number}{{fill:{colour};stroke:#fff;stroke-width:4px;stroke-dasharray:none;stroke-linejoin:round;paint-order:stroke;font-weight:600}}\
                 line.c{number}{{stroke-width:1.5;stroke-dasharray:none;opacity:.65}}"
            )
            .expect("a string takes what is written");
        }
        let title = html! { title { (title) } }.into_string();
        // `maud` writes HTML, in which elements are never empty; both are valid XML here.
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{stated_width}\" height=\"{stated_height}\">{title}<style>{style}</style>\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>{}</svg>\n",
            self.body
        )
    }
}

/// A text that is not much wider than this.
pub(in crate::html) fn shortened(text: &str, width: f64) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if text_width(&short) + 2.0 * LETTER > width {
            break;
        }
        short.push(letter);
    }
    short + "…"
}

/// About how wide a text is.
pub(in crate::html) fn text_width(text: &str) -> f64 {
    LETTER * as_f64(text.chars().count())
}
