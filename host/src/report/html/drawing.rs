//! A drawing that is as wide as its place while its text keeps its size.
//!
//! Distances along the width are shares of it, heights are pixels: so one drawing
//! suits a phone and a desk, and no script has to measure anything. Curves lie in an
//! inner drawing that is stretched, with lines that are not.

use super::{
    markup::{Append, Escaped},
    scale::Scale,
};
use crate::statistics::length;

/// The width of a letter of an axis on a phone, as a share of the drawing's.
const LETTER: f64 = 0.022;

/// The width of the inner drawing in its own units.
const INNER_WIDTH: f64 = 1000.0;

/// Which end of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Drawing {
    height: f64,
    title: String,
    body: String,
}

impl Drawing {
    /// The title is read aloud and shown when the pointer rests on the drawing.
    pub(super) fn new(height: f64, title: impl Into<String>) -> Self {
        Self {
            height,
            title: title.into(),
            body: String::new(),
        }
    }

    /// A drawing that says nothing new, such as an axis.
    pub(super) fn decoration(height: f64) -> Self {
        Self::new(height, "")
    }

    pub(super) fn horizontal(&mut self, (from, to): (f64, f64), y: f64, class: &str) {
        self.body.append(format_args!(
            "<line class=\"{class}\" x1=\"{}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>",
            percent(from),
            percent(to)
        ));
    }

    pub(super) fn vertical(&mut self, x: f64, (from, to): (f64, f64), class: &str) {
        let x = percent(x);
        self.body.append(format_args!(
            "<line class=\"{class}\" x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{}\"/>",
            pixels(from),
            pixels(to)
        ));
    }

    pub(super) fn bar(
        &mut self,
        (left, right): (f64, f64),
        (top, bottom): (f64, f64),
        class: &str,
    ) {
        self.body.append(format_args!(
            "<rect class=\"{class}\" x=\"{}\" width=\"{}\" y=\"{}\" height=\"{}\"/>",
            percent(left),
            percent((right - left).max(0.0)),
            pixels(top),
            pixels((bottom - top).max(0.0))
        ));
    }

    pub(super) fn dot(&mut self, x: f64, y: f64, class: &str) {
        self.body.append(format_args!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
            percent(x),
            pixels(y)
        ));
    }

    /// A text beside its place, or in the middle of it.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let shift = match anchor {
            Anchor::Start => 6,
            Anchor::Middle => 0,
            Anchor::End => -6,
        };
        self.text_at((x, y), (anchor, shift), class, text);
    }

    fn text_at(
        &mut self,
        (x, y): (f64, f64),
        (anchor, shift): (Anchor, i32),
        class: &str,
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.body.append(format_args!(
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" dx=\"{shift}\" text-anchor=\"{anchor}\">{}</text>",
            percent(x),
            pixels(y),
            Escaped(text)
        ));
    }

    /// The axis's marks as lines from top to bottom.
    pub(super) fn grid(&mut self, scale: &Scale, span: (f64, f64)) {
        for tick in &scale.ticks {
            self.vertical(scale.place(*tick), span, "grid");
        }
    }

    /// The axis's marks in words.
    pub(super) fn tick_labels(&mut self, scale: &Scale, y: f64, text: impl Fn(f64) -> String) {
        let labels = scale
            .ticks
            .iter()
            .map(|tick| (scale.place(*tick), text(*tick)));
        self.spaced_labels(labels, y, LETTER);
    }

    /// Words along an axis, from left to right; the outermost stay inside the drawing,
    /// and a word without room on a phone is left out. `letter` is the width of a
    /// letter there, as a share of the drawing's.
    pub(super) fn spaced_labels(
        &mut self,
        labels: impl IntoIterator<Item = (f64, String)>,
        y: f64,
        letter: f64,
    ) {
        let mut taken = f64::NEG_INFINITY;
        for (x, text) in labels {
            let width = letter * length(text.chars().count());
            let (anchor, from) = match x {
                x if x < width / 2.0 => (Anchor::Start, x),
                x if x > 1.0 - width / 2.0 => (Anchor::End, x - width),
                x => (Anchor::Middle, x - width / 2.0),
            };
            if from > taken {
                self.text_at((x, y), (anchor, 0), "tick", &text);
                taken = from + width + letter;
            }
        }
    }

    /// A curve through points (share of the width, pixels from the top).
    pub(super) fn curve(&mut self, points: &[(f64, f64)], class: &str, title: &str) {
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{:.1} {:.1}", x * INNER_WIDTH, y))
            .collect();
        self.path(&format!("M{}", path.join("L")), class, title);
    }

    /// A path in the inner drawing's units.
    pub(super) fn path(&mut self, path: &str, class: &str, title: &str) {
        self.body.append(format_args!(
            "<svg width=\"100%\" height=\"{0}\" viewBox=\"0 0 {INNER_WIDTH} {0}\" preserveAspectRatio=\"none\">\
             <path class=\"{class}\" d=\"{path}\"><title>{1}</title></path></svg>",
            self.height,
            Escaped(title)
        ));
    }

    pub(super) fn into_svg(self) -> String {
        let Self {
            height,
            title,
            body,
        } = self;
        let (role, title) = if title.is_empty() {
            ("aria-hidden=\"true\"", String::new())
        } else {
            (
                "role=\"img\"",
                format!("<title>{}</title>", Escaped(&title)),
            )
        };
        format!("<svg {role} width=\"100%\" height=\"{height}\">{title}{body}</svg>")
    }
}

/// The place of a share of the width in the units of paths.
pub(super) fn inner(x: f64) -> f64 {
    x * INNER_WIDTH
}

fn percent(share: f64) -> String {
    format!("{}%", rounded(share * 100.0))
}

fn pixels(length: f64) -> String {
    rounded(length)
}

fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_an_axis_do_not_overlap_on_a_phone() {
        let labels = |values: [f64; 2]| {
            let mut drawing = Drawing::decoration(20.0);
            drawing.tick_labels(&Scale::logarithmic(values), 14.0, |tick| {
                format!("{tick} µs")
            });
            drawing.into_svg().matches("<text").count()
        };
        assert_eq!(labels([1.0, 10.0]), 4);
        // Of 1, 2, 5, 10, …, 200 µs those between have no room.
        assert!(labels([1.0, 200.0]) < 8);
    }

    #[test]
    fn widths_are_shares_and_heights_are_pixels() {
        let mut drawing = Drawing::new(20.0, "a < b");
        drawing.bar((0.25, 0.5), (2.0, 18.5), "middle");
        drawing.text((1.0, 12.0), Anchor::End, "tick", "<1k>");
        assert_eq!(
            drawing.into_svg(),
            "<svg role=\"img\" width=\"100%\" height=\"20\"><title>a &lt; b</title>\
             <rect class=\"middle\" x=\"25%\" width=\"25%\" y=\"2\" height=\"16.5\"/>\
             <text class=\"tick\" x=\"100%\" y=\"12\" dx=\"-6\" text-anchor=\"end\">&lt;1k&gt;</text></svg>"
        );
    }
}
