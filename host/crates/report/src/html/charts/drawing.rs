//! A drawing that fills the width of its container while its text keeps its size.
//!
//! Positions along the width are shares of it, heights are pixels. One drawing therefore fits
//! phones and large screens without a script that measures. Curves are in an inner drawing
//! that is stretched; the width of their lines is not. A figure that is saved has a fixed
//! width, so its curves need no inner drawing, which not every program can draw.

use maud::{Markup, PreEscaped, html};

use super::scale::Scale;
use crate::board_svg::pixels;
use statistics::as_f64;
use text::number_text::needed_decimals;

/// The width of a letter on an axis on a phone, as a share of the drawing's width.
pub(in crate::html) const LETTER: f64 = 0.022;

/// The height of a line of labels.
pub(in crate::html) const LINE: f64 = 14.0;

/// The width of a letter in a figure of its own, in pixels.
const FIGURE_LETTER: f64 = 7.0;

/// The width of the inner drawing in its own units.
const INNER_WIDTH: f64 = 1000.0;

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::html) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Debug)]
pub(in crate::html) struct Drawing {
    height: f64,
    title: String,
    marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
enum Mark {
    /// Markup whose horizontal positions are percentages.
    Element(String),
    /// A label of an axis, which is left out where its neighbour takes its place.
    Tick {
        x: f64,
        y: f64,
        text: String,
        element: String,
    },
    Curve {
        /// Share of the width, pixels from the top.
        points: Vec<(f64, f64)>,
        shape: Shape,
        class: String,
        title: String,
    },
}

/// How the points of a curve are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Straight,
    /// First across, then up.
    Steps,
}

impl Drawing {
    /// Screen readers read the title; browsers show it under the pointer.
    pub(in crate::html) fn new(height: f64, title: impl Into<String>) -> Self {
        Self {
            height,
            title: title.into(),
            marks: Vec::new(),
        }
    }

    /// A drawing that screen readers skip, such as an axis.
    pub(in crate::html) fn decoration(height: f64) -> Self {
        Self::new(height, "")
    }

    pub(in crate::html) fn horizontal(&mut self, (from, to): (f64, f64), y: f64, class: &str) {
        let (from, to) = (percent(from), percent(to));
        self.push(&html! { line class=(class) x1=(from) x2=(to) y1=(y) y2=(y) {} });
    }

    pub(in crate::html) fn vertical(&mut self, x: f64, (from, to): (f64, f64), class: &str) {
        let (x, from, to) = (percent(x), pixels(from), pixels(to));
        self.push(&html! { line class=(class) x1=(x) x2=(x) y1=(from) y2=(to) {} });
    }

    pub(in crate::html) fn bar(
        &mut self,
        (left, right): (f64, f64),
        (top, bottom): (f64, f64),
        class: &str,
    ) {
        let (width, height) = ((right - left).max(0.0), (bottom - top).max(0.0));
        self.push(&html! {
            rect class=(class) x=(percent(left)) width=(percent(width))
                y=(pixels(top)) height=(pixels(height)) {}
        });
    }

    pub(in crate::html) fn dot(&mut self, x: f64, y: f64, class: &str) {
        self.push(&html! { circle class=(class) cx=(percent(x)) cy=(pixels(y)) r="4" {} });
    }

    /// A text beside its position, or centred on it.
    pub(in crate::html) fn text(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        class: &str,
        text: &str,
    ) {
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
        self.push(&html! {
            text class=(class) x=(percent(x)) y=(pixels(y)) dx=(shift) text-anchor=(anchor) { (text) }
        });
    }

    /// The ticks of an axis as lines from top to bottom.
    pub(in crate::html) fn grid(&mut self, scale: &Scale, span: (f64, f64)) {
        for tick in &scale.ticks {
            self.vertical(scale.place(*tick), span, "grid");
        }
    }

    /// The ticks of an axis as text.
    pub(in crate::html) fn tick_labels(
        &mut self,
        scale: &Scale,
        y: f64,
        text: impl Fn(f64) -> String,
    ) {
        let labels = scale
            .ticks
            .iter()
            .map(|tick| (scale.place(*tick), text(*tick)));
        self.spaced_labels(labels, y, LETTER);
    }

    /// Labels that are all needed, from left to right: labels that would overlap on a phone
    /// are on different lines. Returns the number of lines.
    pub(in crate::html) fn stacked_labels(
        &mut self,
        labels: &[(f64, String)],
        y: f64,
        letter: f64,
    ) -> usize {
        // Where the last label of each line ends.
        let mut lines: Vec<f64> = Vec::new();
        for (x, text) in labels {
            let width = letter * as_f64(text.chars().count());
            let (anchor, from) = place_label(*x, width);
            let free = lines.iter().position(|end| *end < from);
            let line = free.unwrap_or_else(|| {
                lines.push(0.0);
                lines.len() - 1
            });
            lines[line] = from + width + letter;
            self.text_at((*x, y + LINE * as_f64(line)), (anchor, 0), "tick", text);
        }
        lines.len()
    }

    /// Labels along an axis, from left to right. The outermost stay inside the drawing, and
    /// labels that do not fit on a phone are left out. `letter` is the width of a letter
    /// there, as a share of the drawing's width.
    pub(in crate::html) fn spaced_labels(
        &mut self,
        labels: impl IntoIterator<Item = (f64, String)>,
        y: f64,
        letter: f64,
    ) {
        let mut taken = f64::NEG_INFINITY;
        for (x, text) in labels {
            let width = letter * as_f64(text.chars().count());
            let (anchor, from) = place_label(x, width);
            if from > taken {
                self.text_at((x, y), (anchor, 0), "tick", &text);
                taken = from + width + letter;
                if let Some(Mark::Element(element)) = self.marks.pop() {
                    self.marks.push(Mark::Tick {
                        x,
                        y,
                        text,
                        element,
                    });
                }
            }
        }
    }

    /// A curve through points (share of the width, pixels from the top).
    pub(in crate::html) fn curve(&mut self, points: &[(f64, f64)], class: &str, title: &str) {
        self.add_curve(points, Shape::Straight, class, title);
    }

    /// A curve that goes from point to point in steps: first across, then up.
    pub(in crate::html) fn steps(&mut self, points: &[(f64, f64)], class: &str, title: &str) {
        self.add_curve(points, Shape::Steps, class, title);
    }

    fn add_curve(&mut self, points: &[(f64, f64)], shape: Shape, class: &str, title: &str) {
        self.marks.push(Mark::Curve {
            points: points.to_vec(),
            shape,
            class: class.to_owned(),
            title: title.to_owned(),
        });
    }

    fn push(&mut self, element: &Markup) {
        self.marks.push(Mark::Element(element.0.clone()));
    }

    pub(in crate::html) fn height(&self) -> f64 {
        self.height
    }

    /// The drawing as wide as its container.
    pub(in crate::html) fn to_svg(&self) -> Markup {
        let height = self.height;
        let body = self.body(0.0, |points, shape, class, title| {
            html! {
                svg width="100%" height=(height) viewBox={ "0 0 " (INNER_WIDTH) " " (height) }
                    preserveAspectRatio="none"
                {
                    path class=(class) d=(path(points, shape, INNER_WIDTH)) { title { (title) } }
                }
            }
        });
        if self.title.is_empty() {
            return html! { svg aria-hidden="true" width="100%" height=(height) { (body) } };
        }
        html! {
            svg role="img" width="100%" height=(height) { title { (self.title) } (body) }
        }
    }

    /// The drawing at a position of another one, with this width.
    pub(in crate::html) fn placed(&self, (x, y): (f64, f64), width: f64) -> Markup {
        let body = self.body(FIGURE_LETTER / width, |points, shape, class, _| {
            html! { path class=(class) d=(path(points, shape, width)) {} }
        });
        html! {
            svg x=(pixels(x)) y=(pixels(y)) width=(pixels(width)) height=(pixels(self.height))
                overflow="visible"
            { (body) }
        }
    }

    /// `letter` is the width of a letter as a share of the drawing's width, where that is known.
    fn body(
        &self,
        letter: f64,
        curve: impl Fn(&[(f64, f64)], Shape, &str, &str) -> Markup,
    ) -> Markup {
        // The height of the last label, and where it ends.
        let mut last = (f64::NAN, f64::NEG_INFINITY);
        let marks = self.marks.iter().map(|mark| match mark {
            Mark::Element(element) => element.clone(),
            Mark::Tick {
                x,
                y,
                text,
                element,
            } => {
                let width = letter * as_f64(text.chars().count());
                let (_, from) = place_label(*x, width);
                let is_same_line = last.0.total_cmp(y).is_eq();
                if is_same_line && letter > 0.0 && from < last.1 {
                    return String::new();
                }
                last = (*y, from + width + letter);
                element.clone()
            }
            Mark::Curve {
                points,
                shape,
                class,
                title,
            } => curve(points, *shape, class, title).into_string(),
        });
        PreEscaped(marks.collect())
    }
}

/// The anchor of a label that stays inside the drawing, and its left end.
fn place_label(x: f64, width: f64) -> (Anchor, f64) {
    match x {
        x if x < width / 2.0 => (Anchor::Start, x),
        x if x > 1.0 - width / 2.0 => (Anchor::End, x - width),
        x => (Anchor::Middle, x - width / 2.0),
    }
}

/// The path of a curve in a drawing of this width.
fn path(points: &[(f64, f64)], shape: Shape, width: f64) -> String {
    let steps = points.iter().enumerate().map(|(place, (x, y))| {
        let x = x * width;
        match shape {
            _ if place == 0 => format!("M{x:.1} {y:.1}"),
            Shape::Straight => format!("L{x:.1} {y:.1}"),
            Shape::Steps => format!("H{x:.1}V{y:.1}"),
        }
    });
    steps.collect()
}

fn percent(share: f64) -> String {
    format!("{}%", needed_decimals(share * 100.0, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_an_axis_do_not_overlap_on_a_phone() {
        let labels = |values: [f64; 2]| {
            let mut drawing = Drawing::decoration(20.0);
            drawing.tick_labels(&Scale::logarithmic(values), 14.0, |tick| {
                format!("{tick} µs")
            });
            drawing.to_svg().into_string().matches("<text").count()
        };
        assert_eq!(labels([1.0, 10.0]), 4);
        // Some of 1, 2, 5, 10, …, 200 µs do not fit.
        assert!(labels([1.0, 200.0]) < 8);
    }

    #[test]
    fn no_stacked_label_is_left_out() {
        let labels: Vec<(f64, String)> = (0_u8..7)
            .map(|place| (0.05 + 0.15 * f64::from(place), "500 µs".to_owned()))
            .collect();
        let mut drawing = Drawing::decoration(60.0);
        // The last one is moved to the left to stay inside, and needs a third line.
        assert_eq!(drawing.stacked_labels(&labels, 14.0, 0.033), 3);
        assert_eq!(drawing.to_svg().into_string().matches("<text").count(), 7);
    }

    #[test]
    fn a_placed_drawing_has_curves_of_its_own_width() {
        let mut drawing = Drawing::decoration(20.0);
        drawing.steps(&[(0.0, 20.0), (0.5, 10.0), (1.0, 0.0)], "curve", "a");
        let placed = drawing.placed((8.0, 4.0), 500.0).into_string();
        assert!(
            placed.contains("d=\"M0.0 20.0H250.0V10.0H500.0V0.0\""),
            "{placed}"
        );
        assert!(
            drawing
                .to_svg()
                .into_string()
                .contains("H500.0V10.0H1000.0V0.0")
        );
    }

    #[test]
    fn widths_are_shares_and_heights_are_pixels() {
        let mut drawing = Drawing::new(20.0, "a < b");
        drawing.bar((0.25, 0.5), (2.0, 18.5), "middle");
        drawing.text((1.0, 12.0), Anchor::End, "tick", "<1k>");
        assert_eq!(
            drawing.to_svg().into_string(),
            "<svg role=\"img\" width=\"100%\" height=\"20\"><title>a &lt; b</title>\
             <rect class=\"middle\" x=\"25%\" width=\"25%\" y=\"2\" height=\"16.5\"></rect>\
             <text class=\"tick\" x=\"100%\" y=\"12\" dx=\"-6\" text-anchor=\"end\">&lt;1k&gt;</text></svg>"
        );
    }
}
