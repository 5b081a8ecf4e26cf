//! What was sent last about a run: its progress and its ranking.

use std::sync::Arc;

/// What the viewers of a run receive.
#[derive(Clone, Debug)]
pub(super) enum LatestUpdate {
    NotYet,
    /// Both as JSON. The ranking is rarer than the progress, and missing at first.
    Update {
        progress: Arc<str>,
        ranking: Option<Arc<str>>,
    },
    /// The folder of the run was deleted.
    Deleted,
}

impl LatestUpdate {
    pub(super) fn ranking(&self) -> Option<Arc<str>> {
        match self {
            Self::Update { ranking, .. } => ranking.clone(),
            Self::NotYet | Self::Deleted => None,
        }
    }
}
