//! How curves differ: by colour and by dashes, so that either is enough.

/// The style sheet has so many styles; after them they repeat.
const N_STYLES: usize = 8;

/// The class of the curve in this place of the ranking; the first `n_named` have a
/// style of their own, the others are thin and grey.
pub(super) fn curve_class(place: usize, n_named: usize) -> String {
    if place < n_named {
        format!("curve c{}", place % N_STYLES + 1)
    } else {
        "curve other".to_owned()
    }
}
