//! The styles of curves, which differ in colour and in dashes, so that either is enough.

use crate::statistics::length;

/// The number of styles in the style sheet; further curves repeat them.
const N_STYLES: usize = 8;

/// The class of the curve at this place of the ranking. The first `n_named` have a style of their
/// own; the others are thin and grey.
pub(in crate::report::html) fn curve_class(place: usize, n_named: usize) -> String {
    if place < n_named {
        format!("curve c{}", place % N_STYLES + 1)
    } else {
        "curve other".to_owned()
    }
}

/// The height nearest to the wanted one, between `top` and `bottom`, at which no other name is.
pub(in crate::report::html) fn free_height(
    taken: &mut Vec<f64>,
    wanted: f64,
    (top, bottom): (f64, f64),
) -> f64 {
    const LINE: f64 = 14.0;
    let is_free = |y: &f64| taken.iter().all(|other| (other - y).abs() >= LINE);
    let is_inside = |y: &f64| *y >= top + LINE / 2.0 && *y <= bottom - 2.0;
    let steps = (0..80).flat_map(|step| [-length(step), length(step)]);
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
    fn names_do_not_cover_each_other() {
        let mut taken = Vec::new();
        let heights = [100.0, 101.0, 99.0, 0.0].map(|y| free_height(&mut taken, y, (10.0, 200.0)));
        assert_eq!(heights.map(|y| y.to_string()), ["100", "115", "85", "17.5"]);
    }
}
