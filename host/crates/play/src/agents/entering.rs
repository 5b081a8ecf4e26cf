//! Entering a tournament: the plugin of every agent is found, inspected and hashed.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use plugin_api::{ParameterMistake, parameter_mistakes};

use super::{
    companion_files::companion_files,
    inspection::{InspectionError, inspect_file},
    plugin_finder::PluginFinder,
    plugin_source::PluginSource,
    tournament_entries::TournamentEntries,
};
use run::agent::{Agent, AgentProgram, FileIdentity, Inspection, LeftOut, sorted_text};
use text::{names::nearest_name, plugin_words::name_as_code};
use tournament::{
    AgentEntry, Tournament,
    file::{Diagnostic, KeyPath},
};
use worker::{LibraryError, PluginFile, sandbox::sha256_of_files};

/// A plugin that has been inspected.
#[derive(Clone, Debug)]
struct KnownPlugin {
    sealed: PluginFile,
    file: FileIdentity,
    sha256: String,
    inspection: Inspection,
    /// The files beside it that it reads.
    companions: Vec<PathBuf>,
}

/// Why agents cannot play.
#[derive(Debug)]
pub enum EntryError {
    /// Errors of the tournament file, with their positions.
    Invalid(Vec<Diagnostic>),
    /// The machine is the reason, not a plugin.
    Machine(String),
}

/// How long a machine gets to recover before the host inspects a plugin again.
const RECOVERY: Duration = Duration::from_millis(500);

/// A tournament whose agents are ready to play.
#[derive(Debug)]
pub struct EnteredAgents {
    /// With the agents that play.
    pub tournament: Tournament,
    /// One for each agent of the tournament.
    pub agents: Vec<Agent>,
    /// Files of folders that do not play.
    pub left_out: Vec<LeftOut>,
}

type KnownPlugins = HashMap<PluginSource, Result<KnownPlugin, String>>;

/// Finds and inspects the plugins of all agents, each plugin once. It leaves out those of a
/// folder that cannot play.
///
/// # Errors
/// All errors, with their position in the tournament file, or what the machine lacks.
pub fn enter_agents(
    entries: TournamentEntries,
    finder: &PluginFinder,
    folder: Option<&Path>,
) -> Result<EnteredAgents, EntryError> {
    let TournamentEntries {
        mut tournament,
        mut left_out,
        places,
        ..
    } = entries;
    let mut seen = KnownPlugins::new();
    let (mut agents, mut diagnostics) = (Vec::new(), Vec::new());
    let mut playing = Vec::new();
    for (entry, place) in tournament.agents.iter().zip(&places) {
        let entered = enter(entry, place, &tournament, finder, folder, &mut seen)?;
        match (entered, &entry.submission) {
            (Ok(agent), _) => {
                agents.push(agent);
                playing.push(entry.clone());
            }
            // What all agents of the folder may read is not one agent's fault.
            (Err(found), Some(file)) if !found.iter().any(|d| is_about_reading(d, place)) => {
                let reasons: Vec<String> = found.into_iter().map(|d| d.message).collect();
                left_out.push(LeftOut {
                    file: file.clone(),
                    name: entry.name.clone(),
                    reason: reasons.join("; "),
                });
            }
            (Err(found), _) => diagnostics.extend(found),
        }
    }
    left_out.sort_unstable();
    // A file without agents is reported as such.
    if playing.is_empty() && diagnostics.is_empty() && !left_out.is_empty() {
        let reasons = left_out.iter().map(LeftOut::sentence);
        let reasons = reasons.collect::<Vec<_>>().join(", ");
        let message = format!("no agent can play: {reasons}");
        let place = KeyPath::root().key("agents");
        diagnostics.push(Diagnostic::at_value(&place, message));
    }
    diagnostics.dedup();
    if !diagnostics.is_empty() {
        return Err(EntryError::Invalid(diagnostics));
    }
    tournament.agents = playing;
    Ok(EnteredAgents {
        tournament,
        agents,
        left_out,
    })
}

fn is_about_reading(diagnostic: &Diagnostic, place: &KeyPath) -> bool {
    let path = diagnostic.path();
    path.is_some_and(|path| path.is_within(&place.key("allow_read")))
}

/// Makes an agent of an entry, or says what is wrong with it. Sentences about a file of a
/// folder have the file as their subject.
fn enter(
    entry: &AgentEntry,
    place: &KeyPath,
    tournament: &Tournament,
    finder: &PluginFinder,
    folder: Option<&Path>,
    seen: &mut KnownPlugins,
) -> Result<Result<Agent, Vec<Diagnostic>>, EntryError> {
    let key = if entry.program.is_empty() {
        "plugin"
    } else {
        "program"
    };
    let plugin_place = place.key(key);
    let wrong = |message: String| Ok(Err(vec![Diagnostic::at_value(&plugin_place, message)]));
    let source = match PluginSource::of(entry, finder, folder) {
        Ok(source) => source,
        Err(error) => return wrong(error.to_string()),
    };
    let looked_at = match seen.entry(source.clone()) {
        Entry::Occupied(entry) => entry.into_mut(),
        Entry::Vacant(entry) => {
            let looked_at = look_at(&source, tournament);
            if let Err(error) = &looked_at
                && error.is_of_the_machine()
            {
                let message = format!("cannot inspect `{source}`: {error}");
                return Err(EntryError::Machine(message));
            }
            entry.insert(looked_at.map_err(|error| error.to_string()))
        }
    };
    let known = match (looked_at, &entry.submission) {
        (Err(sentence), Some(_)) => return wrong(sentence.clone()),
        (Err(sentence), None) => {
            return wrong(format!("{key} `{source}` {sentence}"));
        }
        (Ok(known), _) => known,
    };
    let mut diagnostics = misfits(tournament, entry, &known.inspection, place, key);
    let allowed = readable(&entry.allow_read, folder);
    for (index, path) in allowed.iter().enumerate() {
        if let Err(error) = fs::metadata(path) {
            let message = format!("cannot read `{}`: {error}", path.display());
            let place = place.key("allow_read").index(index);
            diagnostics.push(Diagnostic::at_value(&place, message));
        }
    }
    let mut allow_read = known.sealed.own_files();
    allow_read.extend(known.companions.clone());
    let own = allow_read.clone();
    allow_read.extend(allowed);
    let allow_read_sha256 = hash_of(&allow_read).unwrap_or_else(|error| {
        let is_own = hash_of(&own).is_err();
        let place = if is_own {
            &plugin_place
        } else {
            &place.key("allow_read")
        };
        let message = format!("cannot be read: {error}");
        diagnostics.push(Diagnostic::at_value(place, message));
        None
    });
    if !diagnostics.is_empty() {
        return Ok(Err(diagnostics));
    }
    Ok(Ok(Agent {
        name: entry.name.clone(),
        path: known.sealed.path().to_path_buf(),
        sealed: known.sealed.clone().into(),
        file: Some(known.file),
        sha256: known.sha256.clone(),
        plugin: known.inspection.clone(),
        params: sorted_text(serde_json::Value::Object(entry.params.clone())),
        allow_read,
        allow_read_sha256,
        program: known.sealed.program().map(|program| AgentProgram {
            runtime: program.runtime.version.clone(),
            ..source.as_program()
        }),
    }))
}

/// Inspects a plugin; once more if the machine did not let it.
fn look_at(source: &PluginSource, tournament: &Tournament) -> Result<KnownPlugin, InspectionError> {
    match look_once(source, tournament) {
        Err(error) if error.is_of_the_machine() => {
            thread::sleep(RECOVERY);
            look_once(source, tournament)
        }
        result => result,
    }
}

fn look_once(
    source: &PluginSource,
    tournament: &Tournament,
) -> Result<KnownPlugin, InspectionError> {
    let unreadable = |error: io::Error| InspectionError::File(LibraryError::Unreadable(error));
    // Taken before the copy that counts, so the host later notices a change in between.
    let file = FileIdentity::of(&source.main_file()?).map_err(unreadable)?;
    let sealed = source.seal()?;
    let sha256 = sealed.sha256().map_err(unreadable)?;
    let inspection = inspect_file(&sealed, tournament.sandbox)?;
    let companions = companion_files(sealed.path(), &inspection.info)
        .map_err(|error| InspectionError::Unusable(error.to_string()))?;
    Ok(KnownPlugin {
        sealed,
        file,
        sha256,
        inspection,
        companions,
    })
}

/// What the plugin does not support according to its description: this board, or a
/// parameter.
fn misfits(
    tournament: &Tournament,
    entry: &AgentEntry,
    plugin: &Inspection,
    place: &KeyPath,
    key: &str,
) -> Vec<Diagnostic> {
    let info = &plugin.info;
    let mut diagnostics = Vec::new();
    if !info.boards.contains(tournament.side) {
        diagnostics.push(Diagnostic::at_value(
            &place.key(key),
            format!(
                "{} supports boards of {}, not {}",
                name_as_code(&info.name),
                info.boards,
                tournament.side
            ),
        ));
    }
    let params = serde_json::Value::Object(entry.params.clone());
    for diagnostic in parameter_mistakes(&info.params, &params) {
        let message = with_suggestion(&diagnostic, &info.params);
        let params = place.key("params");
        let known = info.params["properties"].as_object();
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

/// An error about a parameter, with the name that was probably meant.
#[must_use]
pub fn with_suggestion(mistake: &ParameterMistake, schema: &serde_json::Value) -> String {
    let hint = schema["properties"]
        .as_object()
        .filter(|known| !known.contains_key(&mistake.key))
        .and_then(|known| nearest_name(&mistake.key, known.keys().map(String::as_str)))
        .map(|near| format!("; did you mean {}?", name_as_code(near)))
        .unwrap_or_default();
    format!("{mistake}{hint}")
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
