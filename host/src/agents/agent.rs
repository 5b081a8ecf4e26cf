//! An agent that is ready to play: its plugin has been found, inspected and hashed.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
    thread,
    time::Duration,
};

use plugin_api::{GameSetup, Salt, agent_random_seed, parameter_mistakes};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    agents::{
        file_identity::FileIdentity,
        inspection::{Inspection, InspectionError, inspect_file},
        plugin_finder::PluginFinder,
    },
    text::{hex::hex, nearest_name::nearest_name},
    tournament::{
        AgentEntry, Budget, Tournament,
        file::{Diagnostic, KeyPath},
    },
    worker::{LibraryError, PluginFile, sandbox::sha256_of_files},
};

/// An agent of a tournament with its plugin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// The agent's name in the ranking.
    pub name: String,
    /// The absolute path of the plugin's file.
    pub path: PathBuf,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    pub plugin: Inspection,
    /// The parameters as JSON.
    pub params: String,
    pub allow_read: Vec<PathBuf>,
    /// SHA-256 of what `allow_read` names, if it names anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_read_sha256: Option<String>,
    /// The copy of the plugin that was hashed. For a plan read from a run folder there is none
    /// before the first game.
    #[serde(skip)]
    pub sealed: OnceLock<PluginFile>,
    /// The identity of the file that was hashed; unknown for a plan read from a run
    /// folder.
    #[serde(skip)]
    pub file: Option<FileIdentity>,
}

/// A plugin that has been inspected.
#[derive(Clone, Debug)]
struct KnownPlugin {
    sealed: PluginFile,
    file: FileIdentity,
    sha256: String,
    inspection: Inspection,
}

/// Why agents cannot play.
#[derive(Debug)]
pub enum EntryError {
    /// Errors of the tournament file, with their positions.
    Invalid(Vec<Diagnostic>),
    /// The machine is the reason, not a plugin.
    Machine(String),
}

/// How long a machine gets to recover before a plugin is inspected again.
const RECOVERY: Duration = Duration::from_millis(500);

/// Finds and inspects the plugins of all agents, each plugin once.
///
/// # Errors
/// All errors, with their position in the tournament file, or what the machine lacks.
pub fn enter_agents(
    tournament: &Tournament,
    finder: &PluginFinder,
    folder: Option<&Path>,
) -> Result<Vec<Agent>, EntryError> {
    let mut seen: HashMap<PathBuf, Result<KnownPlugin, String>> = HashMap::new();
    let mut diagnostics = Vec::new();
    let mut agents = Vec::new();
    for (index, entry) in tournament.agents.iter().enumerate() {
        let place = KeyPath::root().key("agents").index(index);
        let path = match finder.find(&entry.plugin, folder) {
            Ok(path) => path,
            Err(error) => {
                diagnostics.push(Diagnostic::at_value(
                    &place.key("plugin"),
                    error.to_string(),
                ));
                continue;
            }
        };
        let looked_at = match seen.entry(path.clone()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let looked_at = look_at(&path, tournament);
                if let Err(error) = &looked_at
                    && error.is_of_the_machine()
                {
                    let message = format!("cannot inspect `{}`: {error}", path.display());
                    return Err(EntryError::Machine(message));
                }
                entry.insert(looked_at.map_err(|error| error.to_string()))
            }
        };
        match looked_at {
            Err(sentence) => {
                let message = format!("plugin `{}` {sentence}", path.display());
                diagnostics.push(Diagnostic::at_value(&place.key("plugin"), message));
            }
            Ok(known) => {
                diagnostics.extend(misfits(tournament, entry, &known.inspection, &place));
                let allow_read = readable(&entry.allow_read, folder);
                for (index, path) in allow_read.iter().enumerate() {
                    if let Err(error) = fs::metadata(path) {
                        let message = format!("cannot read `{}`: {error}", path.display());
                        let place = place.key("allow_read").index(index);
                        diagnostics.push(Diagnostic::at_value(&place, message));
                    }
                }
                let allow_read_sha256 = hash_of(&allow_read).unwrap_or_else(|error| {
                    let message = format!("cannot be read: {error}");
                    diagnostics.push(Diagnostic::at_value(&place.key("allow_read"), message));
                    None
                });
                agents.push(Agent {
                    name: entry.name.clone(),
                    path: known.sealed.path().to_path_buf(),
                    sealed: known.sealed.clone().into(),
                    file: Some(known.file),
                    sha256: known.sha256.clone(),
                    plugin: known.inspection.clone(),
                    params: serde_json::Value::Object(entry.params.clone()).to_string(),
                    allow_read,
                    allow_read_sha256,
                });
            }
        }
    }
    if diagnostics.is_empty() {
        Ok(agents)
    } else {
        Err(EntryError::Invalid(diagnostics))
    }
}

/// Inspects a plugin; once more if the machine did not let it.
fn look_at(path: &Path, tournament: &Tournament) -> Result<KnownPlugin, InspectionError> {
    match look_once(path, tournament) {
        Err(error) if error.is_of_the_machine() => {
            thread::sleep(RECOVERY);
            look_once(path, tournament)
        }
        result => result,
    }
}

fn look_once(path: &Path, tournament: &Tournament) -> Result<KnownPlugin, InspectionError> {
    let unreadable = |error: io::Error| InspectionError::File(LibraryError::Unreadable(error));
    // Taken before the copy, so that a change in between is noticed later.
    let file = FileIdentity::of(path).map_err(unreadable)?;
    let sealed = PluginFile::seal(path)?;
    let sha256 = sealed.sha256().map_err(unreadable)?;
    let inspection = inspect_file(&sealed, tournament.sandbox)?;
    Ok(KnownPlugin {
        sealed,
        file,
        sha256,
        inspection,
    })
}

/// What the plugin does not support according to its description: this board, or a
/// parameter.
fn misfits(
    tournament: &Tournament,
    entry: &AgentEntry,
    plugin: &Inspection,
    place: &KeyPath,
) -> Vec<Diagnostic> {
    let info = &plugin.info;
    let mut diagnostics = Vec::new();
    if !info.boards.contains(tournament.side) {
        diagnostics.push(Diagnostic::at_value(
            &place.key("plugin"),
            format!(
                "`{}` supports boards of {}, not {}",
                info.name, info.boards, tournament.side
            ),
        ));
    }
    let params = serde_json::Value::Object(entry.params.clone());
    for diagnostic in parameter_mistakes(&info.params, &params) {
        let known = info.params["properties"].as_object();
        let hint = known
            .filter(|known| !known.contains_key(&diagnostic.key))
            .and_then(|known| nearest_name(&diagnostic.key, known.keys().map(String::as_str)))
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        let message = format!("{diagnostic}{hint}");
        let params = place.key("params");
        let is_known = known.is_some_and(|known| known.contains_key(&diagnostic.key));
        diagnostics.push(if diagnostic.key.is_empty() {
            Diagnostic::at_value(&params, message)
        } else if is_known {
            Diagnostic::at_value(&params.key(&diagnostic.key), message)
        } else {
            Diagnostic::at_key(&params.key(&diagnostic.key), message)
        });
    }
    diagnostics
}

fn readable(paths: &[PathBuf], folder: Option<&Path>) -> Vec<PathBuf> {
    paths
        .iter()
        .map(|path| folder.map_or_else(|| path.clone(), |folder| folder.join(path)))
        .map(|path| path.canonicalize().unwrap_or(path))
        .collect()
}

fn hash_of(files: &[PathBuf]) -> io::Result<Option<String>> {
    if files.is_empty() {
        return Ok(None);
    }
    sha256_of_files(files).map(Some)
}

impl Agent {
    /// The plugin as it is played: the copy that was hashed. For a plan read from a folder
    /// it is made at the first call, and has to have the hash that the plan names.
    ///
    /// # Errors
    /// When there is no such file any more, with the reason.
    pub fn plugin_file(&self) -> Result<PluginFile, String> {
        if let Some(sealed) = self.sealed.get() {
            return Ok(sealed.clone());
        }
        let file = PluginFile::seal(&self.path).map_err(|error| error.to_string())?;
        match file.sha256() {
            Ok(hash) if hash == self.sha256 => Ok(self.sealed.get_or_init(|| file).clone()),
            Ok(_) => Err("is not the file that the plan names: its SHA-256 differs".to_owned()),
            Err(error) => Err(format!("cannot be read: {error}")),
        }
    }

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

    /// Identifies everything that determines a game besides its seed: plugin file, files it
    /// may read, parameters, rules, budget, salt. A record can be reused if it is equal.
    #[must_use]
    pub fn fingerprint(&self, tournament: &Tournament, budget: &Budget, salt: &Salt) -> String {
        let mut decisive = serde_json::json!({
            "plugin": self.sha256,
            "params": self.params,
            "rules": tournament.rules(),
            "budget": budget,
            "salt": salt.to_string(),
        });
        if let Some(hash) = &self.allow_read_sha256 {
            decisive["allow_read"] = hash.as_str().into();
        }
        let digest = Sha256::digest(decisive.to_string().as_bytes());
        hex(&digest[..8])
    }
}
