//! The agents a visitor may choose from: every plugin that is found, looked at once.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use plugin_api::PluginInfo;
use serde::Serialize;

use super::show::MOST_LANES;
use crate::{
    file_identity::FileIdentity, plugin_finder::PluginFinder, plugin_inspection::inspect,
    tournament::Sandbox,
};

/// What is known of the plugins.
pub(super) struct AgentShelf {
    finder: PluginFinder,
    /// By file; another file of the same name is looked at anew.
    seen: Mutex<HashMap<PathBuf, SeenPlugin>>,
}

#[derive(Clone)]
struct SeenPlugin {
    file: FileIdentity,
    info: Result<PluginInfo, String>,
}

/// All plugins that were found.
#[derive(Debug, Serialize)]
pub(super) struct FoundPlugins {
    agents: Vec<Agent>,
    refused: Vec<RefusedPlugin>,
    limits: Limits,
}

#[derive(Debug, Serialize)]
struct Limits {
    /// How many agents may be shown side by side.
    lanes: usize,
}

#[derive(Debug, Serialize)]
struct Agent {
    plugin: String,
    info: PluginInfo,
}

#[derive(Debug, Serialize)]
struct RefusedPlugin {
    plugin: String,
    reason: String,
}

impl AgentShelf {
    pub(super) fn new(finder: PluginFinder) -> Self {
        Self {
            finder,
            seen: Mutex::default(),
        }
    }

    pub(super) fn finder(&self) -> &PluginFinder {
        &self.finder
    }

    /// Looks at what is there now: a plugin that was dropped in a moment ago counts.
    pub(super) fn agents(&self) -> FoundPlugins {
        let mut found = FoundPlugins {
            agents: Vec::new(),
            refused: Vec::new(),
            limits: Limits { lanes: MOST_LANES },
        };
        for (plugin, path) in self.finder.all() {
            match self.look_at(&path) {
                Ok(info) => found.agents.push(Agent { plugin, info }),
                Err(reason) => found.refused.push(RefusedPlugin { plugin, reason }),
            }
        }
        found
    }

    fn look_at(&self, path: &PathBuf) -> Result<PluginInfo, String> {
        let file = FileIdentity::of(path).map_err(|error| error.to_string())?;
        let seen = || self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = seen().get(path)
            && known.file == file
        {
            return known.info.clone();
        }
        // Outside the lock: a plugin may take seconds to say what it is.
        let info = match inspect(path, Sandbox::On) {
            Ok(inspection) => Ok(inspection.info),
            Err(error) => Err(error.to_string()),
        };
        let known = SeenPlugin { file, info };
        seen().insert(path.clone(), known.clone());
        known.info
    }
}
