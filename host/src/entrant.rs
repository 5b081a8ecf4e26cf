//! An agent that is ready to take part: its plugin found, looked at and hashed.

use std::{
    collections::HashMap,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use plugin_api::{GameSetup, Salt, agent_random_seed, parameter_mistakes};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    file_identity::FileIdentity,
    hex::hex,
    nearest_name::nearest_name,
    plugin_finder::PluginFinder,
    plugin_inspection::{Inspection, inspect},
    tournament::{AgentEntry, Budget, Tournament},
    tournament_file::{KeyPath, Mistake},
};

/// An agent of a tournament with its plugin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// The agent's name in the ranking.
    pub name: String,
    /// The plugin's file, absolute.
    pub path: PathBuf,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    pub plugin: Inspection,
    /// The parameters as JSON text.
    pub params: String,
    pub allow_read: Vec<PathBuf>,
    /// The file that was hashed; unknown for a plan read from a folder.
    #[serde(skip)]
    pub file: Option<FileIdentity>,
}

/// A plugin that was looked at.
#[derive(Clone, Debug)]
struct KnownPlugin {
    path: PathBuf,
    file: FileIdentity,
    sha256: String,
    inspection: Inspection,
}

/// Finds and looks at the plugins of all agents, each plugin once.
///
/// # Errors
/// With everything that is wrong, at its place in the tournament file.
pub fn enter_agents(
    tournament: &Tournament,
    finder: &PluginFinder,
    folder: Option<&Path>,
) -> Result<Vec<Entrant>, Vec<Mistake>> {
    let mut seen: HashMap<PathBuf, Result<KnownPlugin, String>> = HashMap::new();
    let mut mistakes = Vec::new();
    let mut entrants = Vec::new();
    for (index, entry) in tournament.agents.iter().enumerate() {
        let place = KeyPath::root().key("agents").index(index);
        let path = match finder.find(&entry.plugin, folder) {
            Ok(path) => path,
            Err(error) => {
                mistakes.push(Mistake::at_value(&place.key("plugin"), error.to_string()));
                continue;
            }
        };
        let looked_at = seen
            .entry(path.clone())
            .or_insert_with(|| look_at(&path, tournament));
        match looked_at {
            Err(sentence) => {
                let message = format!("plugin `{}` {sentence}", path.display());
                mistakes.push(Mistake::at_value(&place.key("plugin"), message));
            }
            Ok(known) => {
                mistakes.extend(misfits(tournament, entry, &known.inspection, &place));
                entrants.push(Entrant {
                    name: entry.name.clone(),
                    path: known.path.clone(),
                    file: Some(known.file),
                    sha256: known.sha256.clone(),
                    plugin: known.inspection.clone(),
                    params: serde_json::Value::Object(entry.params.clone()).to_string(),
                    allow_read: readable(&entry.allow_read, folder),
                });
            }
        }
    }
    if mistakes.is_empty() {
        Ok(entrants)
    } else {
        Err(mistakes)
    }
}

fn look_at(path: &Path, tournament: &Tournament) -> Result<KnownPlugin, String> {
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    let inspection = inspect(path, tournament.sandbox).map_err(|error| error.to_string())?;
    let path = path.canonicalize().map_err(unreadable)?;
    // Before the hash: a file that changes in between is noticed later.
    let file = FileIdentity::of(&path).map_err(unreadable)?;
    let sha256 = sha256_of(&path).map_err(unreadable)?;
    Ok(KnownPlugin {
        path,
        file,
        sha256,
        inspection,
    })
}

/// What the plugin says it does not take: this board, or a parameter.
fn misfits(
    tournament: &Tournament,
    entry: &AgentEntry,
    plugin: &Inspection,
    place: &KeyPath,
) -> Vec<Mistake> {
    let info = &plugin.info;
    let mut mistakes = Vec::new();
    if !info.boards.contains(tournament.side) {
        mistakes.push(Mistake::at_value(
            &place.key("plugin"),
            format!(
                "`{}` plays boards of {}, not {}",
                info.name, info.boards, tournament.side
            ),
        ));
    }
    let params = serde_json::Value::Object(entry.params.clone());
    for mistake in parameter_mistakes(&info.params, &params) {
        let known = info.params["properties"].as_object();
        let hint = known
            .filter(|known| !known.contains_key(&mistake.key))
            .and_then(|known| nearest_name(&mistake.key, known.keys().map(String::as_str)))
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        let message = format!("{mistake}{hint}");
        let params = place.key("params");
        mistakes.push(if mistake.key.is_empty() {
            Mistake::at_value(&params, message)
        } else {
            Mistake::at_value(&params.key(&mistake.key), message)
        });
    }
    mistakes
}

fn readable(paths: &[PathBuf], folder: Option<&Path>) -> Vec<PathBuf> {
    paths
        .iter()
        .map(|path| folder.map_or_else(|| path.clone(), |folder| folder.join(path)))
        .map(|path| path.canonicalize().unwrap_or(path))
        .collect()
}

fn sha256_of(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher))?;
    Ok(hex(&hasher.finalize()))
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Entrant {
    /// What the agent is told before a game.
    #[must_use]
    pub fn setup(
        &self,
        tournament: &Tournament,
        budget: &Budget,
        salt: &Salt,
        seed: u64,
    ) -> String {
        GameSetup::new()
            .with_rules(tournament.rules())
            .with_limit(budget.limit_for_agents())
            .with_random_seed(agent_random_seed(salt, seed, &self.name))
            .to_json()
    }

    /// Identifies what decides a game besides its seed: plugin file, parameters,
    /// rules, budget, salt. A record is reused where it is the same.
    #[must_use]
    pub fn fingerprint(&self, tournament: &Tournament, budget: &Budget, salt: &Salt) -> String {
        let decisive = serde_json::json!({
            "plugin": self.sha256,
            "params": self.params,
            "rules": tournament.rules(),
            "budget": budget,
            "salt": salt.to_string(),
        });
        let digest = Sha256::digest(decisive.to_string().as_bytes());
        hex(&digest[..8])
    }
}
