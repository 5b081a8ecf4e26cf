//! Announcing, once per process, that a layer of the sandbox is missing.
//!
//! Every command that opens a plugin has to say it, whichever worker finds it out.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

use text::printable::printable;

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();
static IS_ANNOUNCED: AtomicBool = AtomicBool::new(false);

/// What announces a missing layer; the first call counts.
pub fn announce_missing_layers(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// Whether a missing layer has been announced.
#[must_use]
pub fn is_missing_layer_announced() -> bool {
    IS_ANNOUNCED.load(Ordering::Relaxed)
}

/// Announces a layer that a worker could not set up.
pub(crate) fn report_missing_layer(layer: &str) {
    const LONGEST: usize = 500;
    if let Some(listener) = LISTENER.get()
        && !IS_ANNOUNCED.swap(true, Ordering::Relaxed)
    {
        listener(&printable(layer, LONGEST));
    }
}
