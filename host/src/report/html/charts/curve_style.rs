//! The styles of curves, which differ in colour and in dashes, so that either is enough.

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
