//! Entering a tournament: its file is read, its folders are listed, and the plugin of every
//! agent is found, inspected and hashed.

use std::{
    collections::{HashMap, HashSet, hash_map},
    fmt, fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use plugin_api::{ParameterMistake, parameter_mistakes};

use super::{
    companion_files::companion_files,
    folder_listing::{
        FolderListing, ListedPlugin, long_name, several_names, short_name, unmistakable_name,
    },
    inspection::{InspectionError, inspect_file},
    parameter_lists::each_value,
    plugin_finder::{NotFound, PluginFinder},
};
use run::agent::{Agent, AgentProgram, FileIdentity, Inspection, LeftOut, sorted_text};
use text::{names::nearest_name, plugin_words::name_as_code};
use tournament::{
    AgentEntry, AgentFolder, Entry, Tournament,
    file::{Diagnostic, KeyPath, ReadTournament, TournamentSource, read_what_is_there},
    twin_name,
};
use worker::{LibraryError, PluginFile, has_several_names, sandbox::sha256_of_files};

/// A tournament whose agents are ready to play.
#[derive(Debug)]
pub struct EnteredTournament {
    /// With the agents that play.
    pub tournament: Tournament,
    /// One for each agent of the tournament.
    pub agents: Vec<Agent>,
    /// Files of folders that do not play.
    pub left_out: Vec<LeftOut>,
    /// Files of folders that belong to a plugin there.
    pub beside: Vec<String>,
}

/// Why a tournament cannot be played.
#[derive(Debug)]
pub enum EntryError {
    /// Errors of the tournament file, and of the plugins that it names as far as it can be read.
    File(Vec<Diagnostic>),
    /// The file is valid, but not what it names.
    Plugins(Vec<Diagnostic>),
    /// The machine is the reason, not a plugin.
    Machine(String),
}

/// Reads a tournament file, and finds and inspects the plugins of all agents, each plugin once.
/// It leaves out those of a folder that cannot play. Paths are relative to `folder`.
///
/// Every entry is one agent, so a list of values is right only where a parameter takes one.
///
/// # Errors
/// All errors of the file and its plugins together, or what the machine lacks.
pub fn enter(
    source: &TournamentSource,
    finder: &PluginFinder,
    folder: Option<&Path>,
) -> Result<EnteredTournament, EntryError> {
    enter_listed(source, finder, folder, |listed, _| Ok(listed))
}

/// The same, but a list of values enters one agent for each.
///
/// # Errors
/// All errors of the file and its plugins together, or what the machine lacks.
pub fn enter_each_value(
    source: &TournamentSource,
    finder: &PluginFinder,
    folder: Option<&Path>,
) -> Result<EnteredTournament, EntryError> {
    enter_listed(source, finder, folder, |listed, known| {
        listed.with_each_value(finder, folder, known)
    })
}

fn enter_listed(
    source: &TournamentSource,
    finder: &PluginFinder,
    folder: Option<&Path>,
    complete: impl Fn(ListedAgents, &mut KnownPlugins) -> Result<ListedAgents, EntryError>,
) -> Result<EnteredTournament, EntryError> {
    let mut diagnostics = Vec::new();
    let read = read_what_is_there(source, &mut diagnostics);
    let entered = read.map(|read| {
        let listed = ListedAgents::of(&read, folder).map_err(EntryError::Plugins)?;
        let mut known = KnownPlugins::new();
        complete(listed, &mut known)?.enter(finder, folder, &mut known)
    });
    match entered {
        Some(entered) if diagnostics.is_empty() => entered,
        Some(Err(EntryError::Plugins(found))) => {
            diagnostics.extend(found);
            Err(EntryError::File(diagnostics))
        }
        _ => Err(EntryError::File(diagnostics)),
    }
}

/// A tournament whose agents are all listed, before any plugin is opened.
#[derive(Debug)]
struct ListedAgents {
    /// With the agents of its folders, of which some may be left out later.
    tournament: Tournament,
    /// Where each agent comes from, as a place in the tournament file.
    places: Vec<KeyPath>,
    /// Files of folders that cannot be plugins.
    left_out: Vec<LeftOut>,
    beside: Vec<String>,
    /// Whether the file names all of them, so that what is wrong with all agents together has
    /// been reported.
    are_checked: bool,
}

impl ListedAgents {
    /// Lists the files of the folders. It returns as errors folders that cannot be read or have
    /// no plugin.
    fn of(read: &ReadTournament, base: Option<&Path>) -> Result<Self, Vec<Diagnostic>> {
        let tournament = &read.tournament;
        let (mut agents, mut places) = (Vec::new(), Vec::new());
        let mut diagnostics = Vec::new();
        let (mut left_out, mut beside) = (Vec::new(), Vec::new());
        for (place, entry) in &read.entries {
            let folder = match entry {
                Entry::Agent(agent) => {
                    agents.push(agent.clone());
                    places.push(place.clone());
                    continue;
                }
                Entry::Folder(folder) => folder,
            };
            let path = base.unwrap_or(Path::new("")).join(&folder.folder);
            match plugins_in(folder, &path) {
                Ok(listing) => {
                    for plugin in listing.plugins {
                        agents.push(entry_of(folder, plugin));
                        places.push(place.clone());
                    }
                    left_out.extend(listing.left_out);
                    beside.extend(listing.beside);
                }
                Err(message) => {
                    diagnostics.push(Diagnostic::at_value(&place.key("folder"), message));
                }
            }
        }
        // The name of the control's second series is taken too.
        let twin = tournament.control.as_deref().map(twin_name);
        let is_named = |agent: &&AgentEntry| agent.submission.is_none();
        let of_file = agents
            .iter()
            .filter(is_named)
            .map(|agent| agent.name.clone());
        let taken: Vec<String> = of_file.chain(twin).collect();
        let submissions = agents.iter_mut().filter_map(|agent| {
            Some(NamedFile {
                name: &mut agent.name,
                file: agent.submission.as_deref()?,
                path: &agent.plugin,
            })
        });
        tell_apart(&mut submissions.collect::<Vec<_>>(), &taken);
        let taken: Vec<String> = agents.iter().map(|agent| agent.name.clone()).collect();
        let files = left_out.iter_mut().map(|left_out: &mut LeftOut| NamedFile {
            name: &mut left_out.name,
            file: &left_out.file,
            path: &left_out.file,
        });
        tell_apart(&mut files.collect::<Vec<_>>(), &taken);
        let tournament = Tournament {
            agents,
            ..tournament.clone()
        };
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        Ok(Self {
            tournament,
            places,
            left_out,
            beside,
            are_checked: !read.has_unnamed_agents(),
        })
    }

    /// With an agent for each value of a list. What is wrong with a plugin or a parameter is
    /// found later.
    fn with_each_value(
        self,
        finder: &PluginFinder,
        folder: Option<&Path>,
        known: &mut KnownPlugins,
    ) -> Result<Self, EntryError> {
        let (mut agents, mut places, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        for (entry, place) in self.tournament.agents.iter().zip(&self.places) {
            let source = PluginSource::of(entry, finder, folder);
            let expanded = match source {
                Ok(source) if entry.has_list() && entry.submission.is_none() => {
                    match known_plugin(&source, &self.tournament, known)? {
                        Ok(known) => each_value(entry, &known.inspection.info.params),
                        Err(_) => Ok(vec![entry.clone()]),
                    }
                }
                _ => Ok(vec![entry.clone()]),
            };
            match expanded {
                Ok(expanded) => {
                    places.extend(expanded.iter().map(|_| place.clone()));
                    agents.extend(expanded);
                }
                Err(lists) => wrong.extend(lists.into_iter().map(|list| {
                    let place = place.key("params").key(&list.key);
                    Diagnostic::at_value(
                        &place,
                        format!("parameter `{}`: {}", list.key, list.message),
                    )
                })),
            }
        }
        if !wrong.is_empty() {
            return Err(EntryError::Plugins(wrong));
        }
        let tournament = Tournament {
            agents,
            ..self.tournament
        };
        Ok(Self {
            tournament,
            places,
            ..self
        })
    }

    /// Finds and inspects the plugins.
    fn enter(
        self,
        finder: &PluginFinder,
        folder: Option<&Path>,
        known: &mut KnownPlugins,
    ) -> Result<EnteredTournament, EntryError> {
        let Self {
            mut tournament,
            places,
            mut left_out,
            beside,
            are_checked,
        } = self;
        if !are_checked && let Err(message) = tournament.check() {
            let place = KeyPath::root().key("agents");
            return Err(EntryError::Plugins(vec![Diagnostic::at_value(
                &place, message,
            )]));
        }
        let (mut agents, mut diagnostics) = (Vec::new(), Vec::new());
        let mut playing = Vec::new();
        for (entry, place) in tournament.agents.iter().zip(&places) {
            let found = match agent_of(entry, place, &tournament, finder, folder, known) {
                Ok(agent) => {
                    agents.push(agent);
                    playing.push(entry.clone());
                    continue;
                }
                Err(EntryError::Plugins(found)) => found,
                Err(error) => return Err(error),
            };
            match &entry.submission {
                // What all agents of the folder may read is not one agent's fault.
                Some(file) if !found.iter().any(|d| is_about_reading(d, place)) => {
                    let reasons: Vec<String> = found.into_iter().map(|d| d.message).collect();
                    left_out.push(LeftOut {
                        file: file.clone(),
                        name: entry.name.clone(),
                        reason: reasons.join("; "),
                    });
                }
                _ => diagnostics.extend(found),
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
            return Err(EntryError::Plugins(diagnostics));
        }
        tournament.agents = playing;
        Ok(EnteredTournament {
            tournament,
            agents,
            left_out,
            beside,
        })
    }
}

fn plugins_in(folder: &AgentFolder, path: &Path) -> Result<FolderListing, String> {
    let shown = path.display();
    let listing = FolderListing::of(path, |name| folder.includes(name))
        .map_err(|error| format!("cannot read the folder `{shown}`: {error}"))?;
    if !listing.plugins.is_empty() {
        return Ok(listing);
    }
    let reasons: Vec<String> = listing.left_out.iter().map(LeftOut::sentence).collect();
    Err(match &folder.pattern {
        _ if !reasons.is_empty() => {
            format!("no plugin in the folder `{shown}`: {}", reasons.join(", "))
        }
        Some(pattern) => format!("no file in the folder `{shown}` matches `{pattern}`"),
        None => format!("the folder `{shown}` is empty"),
    })
}

/// The entry of a plugin in a folder, with its shortest name.
fn entry_of(folder: &AgentFolder, plugin: ListedPlugin) -> AgentEntry {
    AgentEntry {
        plugin: (folder.folder.join(plugin.file))
            .to_string_lossy()
            .into_owned(),
        name: short_name(&plugin.submission),
        params: folder.params.clone(),
        allow_read: folder.allow_read.clone(),
        submission: Some(plugin.submission),
        program: Vec::new(),
        memory: folder.memory,
    }
}

/// A file of a folder, or another submission there, and the name made from it.
struct NamedFile<'f> {
    name: &'f mut String,
    file: &'f str,
    path: &'f str,
}

/// Gives files with the same name longer ones: `anna.so` and `anna.py`. If all of these are
/// taken, the later file gets a number: a hostile file can have any name.
fn tell_apart(files: &mut [NamedFile], taken: &[String]) {
    let longer_names: [fn(&NamedFile) -> String; 2] = [
        |file| long_name(file.file),
        |file| unmistakable_name(file.file, file.path),
    ];
    for name_of in longer_names {
        let mut counted: HashMap<String, usize> = HashMap::new();
        for name in files.iter().map(|file| &*file.name).chain(taken) {
            *counted.entry(name.clone()).or_default() += 1;
        }
        for file in files.iter_mut().filter(|file| counted[&*file.name] > 1) {
            *file.name = name_of(file);
        }
    }
    let names = files.iter().map(|file| &*file.name).chain(taken);
    let mut known: HashSet<String> = names.cloned().collect();
    let mut given: HashSet<String> = taken.iter().cloned().collect();
    for file in files {
        if !given.insert(file.name.clone()) {
            let numbered = (2..).map(|number: u64| format!("{}-{number}", file.name));
            let mut free = numbered.filter(|name| known.insert(name.clone()));
            *file.name = free.next().expect("there is always another number");
        }
    }
}

type KnownPlugins = HashMap<PluginSource, Result<KnownPlugin, String>>;

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

/// How long a machine gets to recover before the host inspects a plugin again.
const RECOVERY: Duration = Duration::from_millis(500);

fn is_about_reading(diagnostic: &Diagnostic, place: &KeyPath) -> bool {
    let path = diagnostic.path();
    path.is_some_and(|path| path.is_within(&place.key("allow_read")))
}

/// Makes an agent of an entry, or says what is wrong with it. Sentences about a file of a
/// folder have the file as their subject.
fn agent_of(
    entry: &AgentEntry,
    place: &KeyPath,
    tournament: &Tournament,
    finder: &PluginFinder,
    folder: Option<&Path>,
    known: &mut KnownPlugins,
) -> Result<Agent, EntryError> {
    let key = if entry.program.is_empty() {
        "plugin"
    } else {
        "program"
    };
    let plugin_place = place.key(key);
    let wrong = |message: String| {
        let diagnostic = Diagnostic::at_value(&plugin_place, message);
        Err(EntryError::Plugins(vec![diagnostic]))
    };
    let source = match PluginSource::of(entry, finder, folder) {
        Ok(source) => source,
        Err(error) => return wrong(error.to_string()),
    };
    let known = match (known_plugin(&source, tournament, known)?, &entry.submission) {
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
    let is_linked =
        |path: &&PathBuf| fs::symlink_metadata(path).is_ok_and(|it| has_several_names(&it));
    if entry.submission.is_some()
        && let Some(file) = own.iter().find(is_linked)
    {
        let name = file.file_name().unwrap_or_default();
        return wrong(several_names(&name.to_string_lossy()));
    }
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
        return Err(EntryError::Plugins(diagnostics));
    }
    Ok(Agent {
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
    })
}

/// The plugin, or why it cannot be used. It is inspected once.
fn known_plugin<'s>(
    source: &PluginSource,
    tournament: &Tournament,
    known: &'s mut KnownPlugins,
) -> Result<&'s Result<KnownPlugin, String>, EntryError> {
    Ok(match known.entry(source.clone()) {
        hash_map::Entry::Occupied(entry) => entry.into_mut(),
        hash_map::Entry::Vacant(entry) => {
            let inspected = inspect(source, tournament);
            if let Err(error) = &inspected
                && error.is_of_the_machine()
            {
                let message = format!("cannot inspect `{source}`: {error}");
                return Err(EntryError::Machine(message));
            }
            entry.insert(inspected.map_err(|error| error.to_string()))
        }
    })
}

/// Inspects a plugin; once more if the machine did not let it.
fn inspect(source: &PluginSource, tournament: &Tournament) -> Result<KnownPlugin, InspectionError> {
    match inspect_once(source, tournament) {
        Err(error) if error.is_of_the_machine() => {
            thread::sleep(RECOVERY);
            inspect_once(source, tournament)
        }
        result => result,
    }
}

fn inspect_once(
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

/// What an entry of a tournament names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum PluginSource {
    Path(PathBuf),
    /// A file in a folder that was handed in as a whole.
    InOwnFolder(PathBuf),
    /// Words, and the folder to which they are relative.
    Command(Vec<String>, PathBuf),
}

impl PluginSource {
    /// What an entry names; paths are relative to a folder.
    fn of(
        entry: &AgentEntry,
        finder: &PluginFinder,
        folder: Option<&Path>,
    ) -> Result<Self, NotFound> {
        if !entry.program.is_empty() {
            let folder = absolute(folder.unwrap_or(Path::new("")));
            return Ok(Self::Command(entry.program.clone(), folder));
        }
        let path = finder.find(&entry.plugin, folder)?;
        let is_whole_folder = entry.submission.as_ref().is_some_and(|submission| {
            let parent = path.parent().and_then(Path::file_name);
            parent.is_some_and(|parent| parent == submission.as_str())
                && path
                    .file_name()
                    .is_some_and(|name| name != submission.as_str())
        });
        Ok(if is_whole_folder {
            Self::InOwnFolder(path)
        } else {
            Self::Path(path)
        })
    }

    /// Copies what is played.
    fn seal(&self) -> Result<PluginFile, LibraryError> {
        match self {
            Self::Path(path) => PluginFile::seal(path),
            Self::InOwnFolder(path) => PluginFile::seal(path)?.showing_its_folder(),
            Self::Command(words, folder) => PluginFile::seal_command(words, folder),
        }
    }

    /// The file that is played.
    fn main_file(&self) -> Result<PathBuf, LibraryError> {
        match self {
            Self::Path(path) | Self::InOwnFolder(path) if !path.is_dir() => Ok(path.clone()),
            _ => Ok(self.seal()?.path().to_path_buf()),
        }
    }

    /// The part of an agent's description that is known from the tournament file.
    fn as_program(&self) -> AgentProgram {
        let (command, folder) = match self {
            Self::Path(_) | Self::InOwnFolder(_) => (Vec::new(), None),
            Self::Command(words, folder) => (words.clone(), Some(folder.clone())),
        };
        AgentProgram {
            runtime: String::new(),
            command,
            folder,
        }
    }
}

impl fmt::Display for PluginSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) | Self::InOwnFolder(path) => path.display().fmt(f),
            Self::Command(words, _) => f.write_str(&words.join(" ")),
        }
    }
}

/// A folder as an absolute path, if it exists.
fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_path_buf())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use tournament::file::read;

    fn entries(folder: &Path, agents: &str) -> Result<ListedAgents, Vec<Diagnostic>> {
        let text = format!("agents: [{agents}]\n");
        let read = read(&TournamentSource::new("x.yaml", &text)).unwrap();
        ListedAgents::of(&read, Some(folder))
    }

    fn names(entries: &ListedAgents) -> Vec<&str> {
        let agents = entries.tournament.agents.iter();
        agents.map(|agent| agent.name.as_str()).collect()
    }

    #[test]
    fn the_name_of_the_controls_second_series_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("greedy-twin.py"), "").unwrap();
        let text = "control: greedy\nagents: [{plugin: greedy}, {folder: .}]\n";
        let read = read(&TournamentSource::new("x.yaml", text)).unwrap();
        let entries = ListedAgents::of(&read, Some(folder.path())).unwrap();
        assert_eq!(names(&entries), ["greedy", "greedy-twin.py"]);
    }

    #[test]
    fn the_files_of_a_folder_stand_in_its_place_and_keep_different_names() {
        let folder = tempfile::tempdir().unwrap();
        for (inner, files) in [
            ("a", &["libanna.so", "anna.so", "greedy.so", "zoe.so"][..]),
            ("b", &["zoe.so"]),
        ] {
            fs::create_dir(folder.path().join(inner)).unwrap();
            for file in files {
                fs::write(folder.path().join(inner).join(file), "").unwrap();
            }
        }
        for file in ["bert.c", "bert.zip", "carl.txt"] {
            fs::write(folder.path().join("a").join(file), "").unwrap();
        }
        let text = "{plugin: greedy}, {folder: a}, {plugin: random}, {folder: b/*.so, \
                    params: {depth: 2}}, {plugin: snake}";
        let found = entries(folder.path(), text).unwrap();
        let names = names(&found);
        assert_eq!(
            names[..5],
            ["greedy", "anna.so", "greedy.so", "libanna.so", names[4]]
        );
        assert!(names[4].starts_with("zoe.so-") && names[6].starts_with("zoe.so-"));
        assert_ne!(names[4], names[6]);
        assert_eq!([names[5], names[7]], ["random", "snake"]);
        let left_out: Vec<&str> = found.left_out.iter().map(|l| l.name.as_str()).collect();
        assert_eq!(left_out, ["bert.c", "bert.zip", "carl"]);
        let agents = &found.tournament.agents;
        assert_eq!(agents[1].plugin, "a/anna.so");
        assert_eq!(agents[6].params["depth"], 2);
        let places: Vec<_> = found.places.iter().map(ToString::to_string).collect();
        assert_eq!(places[0], "agents[0]");
        assert_eq!(places[3], "agents[1]");
        assert_eq!([places[5].as_str(), &places[7]], ["agents[2]", "agents[4]"]);
    }

    #[test]
    fn no_choice_of_file_names_gives_two_agents_one_name() {
        let folder = tempfile::tempdir().unwrap();
        let unmistakable = unmistakable_name("a.so", "./a.so");
        let files = ["a.so", "a.py", "a.so.py", &format!("{unmistakable}.py")];
        for file in files {
            fs::write(folder.path().join(file), "").unwrap();
        }
        let found = entries(folder.path(), "{plugin: greedy}, {folder: .}").unwrap();
        let rival = format!("{unmistakable}-2");
        let expected = ["greedy", "a.py", &unmistakable, &rival];
        assert_eq!(&names(&found)[..4], expected);
    }

    #[test]
    fn a_folder_without_a_plugin_is_an_error_that_names_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let message = |agents: &str| {
            entries(folder.path(), agents).unwrap_err()[0]
                .message
                .clone()
        };
        fs::create_dir(folder.path().join("a")).unwrap();
        assert!(message("{folder: a}").ends_with("is empty"));
        assert!(message("{folder: nowhere}").starts_with("cannot read the folder"));
        fs::write(folder.path().join("a/anna.c"), "").unwrap();
        assert!(message("{folder: a}").contains("`anna.c` is source code"));
        assert!(message("{folder: a/*.so}").ends_with("matches `*.so`"));
    }
}
