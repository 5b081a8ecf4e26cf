//! The plugins that are opened in the host's own process, with `isolation: none`.

use std::{
    collections::{HashMap, hash_map::Entry},
    path::PathBuf,
    sync::atomic::AtomicBool,
};

use crate::{
    agents::agent::Agent,
    play::player::{Fault, InProcessPlayer},
    run::game_record::Ending,
    worker::PluginLibrary,
};

/// Plugins opened in this process, each once: opening checks layouts, which costs
/// more than a game of a fast agent.
#[derive(Default)]
pub(super) struct Libraries(HashMap<PathBuf, PluginLibrary>);

impl Libraries {
    pub(super) fn start<'s>(
        &mut self,
        agent: &Agent,
        setup: &str,
        stop: &'s AtomicBool,
    ) -> Result<InProcessPlayer<'s>, Fault> {
        let library = match self.0.entry(agent.path.clone()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let library = PluginLibrary::open(&agent.path)
                    .map_err(|reason| Fault::new(Ending::Refused, reason.to_string()))?;
                entry.insert(library)
            }
        };
        InProcessPlayer::start(library.plugin.as_ref(), &agent.params, setup, stop)
    }
}
