//! The styles of curves. They differ in colour and in dashes; either tells them apart.

use super::drawing::LINE;
use statistics::as_f64;

/// The most curves with a name; the style sheet has a style for each of them.
pub(in crate::html) const MOST_NAMES: usize = 8;

/// The class of the curve of the agent at this place of the ranking. Those without a name are thin
/// and grey.
pub(in crate::html) fn curve_class(place: usize) -> String {
    if place < MOST_NAMES {
        format!("curve c{}", place + 1)
    } else {
        "curve other".to_owned()
    }
}

/// A name beside a curve. The middle of a long one is left out: names that differ little
/// usually differ at an end, and the whole name is in the title of the curve.
pub(in crate::html) fn curve_name(name: &str) -> String {
    const LONGEST: usize = 22;
    const END: usize = 8;
    let n_letters = name.chars().count();
    if n_letters <= LONGEST {
        return name.to_owned();
    }
    let start = name.chars().take(LONGEST - END - 1);
    let end = name.chars().skip(n_letters - END);
    start.chain(['…']).chain(end).collect()
}

/// The height nearest to the wanted one, between `top` and `bottom`, at which no other name is.
pub(in crate::html) fn free_height(
    taken: &mut Vec<f64>,
    wanted: f64,
    (top, bottom): (f64, f64),
) -> f64 {
    let is_free = |y: &f64| taken.iter().all(|other| (other - y).abs() >= LINE);
    let is_inside = |y: &f64| *y >= top + LINE / 2.0 && *y <= bottom - 2.0;
    let steps = (0..80).flat_map(|step| [-as_f64(step), as_f64(step)]);
    let mut heights = steps.map(|step| wanted + step * LINE / 4.0);
    let free = heights.find(|y| is_inside(y) && is_free(y));
    let height = free.unwrap_or(wanted);
    taken.push(height);
    height
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_keeps_both_ends() {
        assert_eq!(
            curve_name("expectimax-with-depth-3"),
            "expectimax-wi…-depth-3"
        );
        assert_eq!(
            curve_name("expectimax-and-depth-3"),
            "expectimax-and-depth-3"
        );
        assert_eq!(curve_name(&"ä".repeat(90)).chars().count(), 22);
    }

    #[test]
    fn names_do_not_cover_each_other() {
        let mut taken = Vec::new();
        let heights = [100.0, 101.0, 99.0, 0.0].map(|y| free_height(&mut taken, y, (10.0, 200.0)));
        assert_eq!(heights.map(|y| y.to_string()), ["100", "115", "85", "17.5"]);
    }
}
