//! The agents that a visitor can choose: every plugin found, inspected once.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use plugin_api::PluginInfo;
use serde::Serialize;

use super::live_session::MAX_AGENTS;
use play::agents::{inspection::inspect, plugin_finder::PluginFinder};
use run::agent::FileIdentity;
use tournament::Sandbox;
use worker::started_file;

/// Finds plugins and remembers what their inspection showed.
pub(super) struct AgentCatalog {
    finder: PluginFinder,
    /// By path. A plugin whose file has changed is inspected again.
    inspected: Mutex<HashMap<PathBuf, InspectedPlugin>>,
}

#[derive(Clone)]
struct InspectedPlugin {
    file: FileIdentity,
    info: Result<PluginInfo, String>,
}

/// All plugins found.
#[derive(Debug, Serialize)]
pub(super) struct CatalogView {
    agents: Vec<CatalogAgent>,
    rejected: Vec<RejectedPlugin>,
    limits: SessionLimits,
}

#[derive(Debug, Serialize)]
struct SessionLimits {
    /// How many agents can play side by side.
    agents: usize,
}

#[derive(Debug, Serialize)]
struct CatalogAgent {
    plugin: String,
    info: PluginInfo,
}

#[derive(Debug, Serialize)]
struct RejectedPlugin {
    plugin: String,
    reason: String,
}

impl AgentCatalog {
    pub(super) fn new(finder: PluginFinder) -> Self {
        Self {
            finder,
            inspected: Mutex::default(),
        }
    }

    pub(super) fn finder(&self) -> &PluginFinder {
        &self.finder
    }

    /// Searches the folders again on every call, so that a new plugin appears at once.
    pub(super) fn agents(&self) -> CatalogView {
        let mut view = CatalogView {
            agents: Vec::new(),
            rejected: Vec::new(),
            limits: SessionLimits { agents: MAX_AGENTS },
        };
        for (plugin, path) in self.finder.all() {
            match self.inspect_once(&path) {
                Ok(info) => view.agents.push(CatalogAgent { plugin, info }),
                Err(reason) => view.rejected.push(RejectedPlugin { plugin, reason }),
            }
        }
        view
    }

    fn inspect_once(&self, path: &PathBuf) -> Result<PluginInfo, String> {
        let file = FileIdentity::of(&started_file(path)).map_err(|error| error.to_string())?;
        let inspected = || {
            self.inspected
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(known) = inspected().get(path)
            && known.file == file
        {
            return known.info.clone();
        }
        // Without holding the lock: a plugin may take seconds to describe itself.
        let info = match inspect(path, Sandbox::On) {
            Ok(inspection) => Ok(inspection.info),
            Err(error) => Err(error.to_string()),
        };
        let plugin = InspectedPlugin { file, info };
        inspected().insert(path.clone(), plugin.clone());
        plugin.info
    }
}
