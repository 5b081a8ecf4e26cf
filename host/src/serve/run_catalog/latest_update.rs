//! The update of a run that was sent last.

use std::sync::Arc;

/// What the viewers of a run receive.
#[derive(Clone, Debug)]
pub(super) enum LatestUpdate {
    NotYet,
    /// The update as JSON.
    Update(Arc<str>),
    /// The folder of the run was deleted.
    Deleted,
}
