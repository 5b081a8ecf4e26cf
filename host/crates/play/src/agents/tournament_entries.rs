//! The entries of a tournament with the files of its folders, before any plugin is opened.

use std::{collections::HashMap, path::Path};

use super::{
    folder_listing::{FolderListing, ListedPlugin},
    name_of_file::{long_name, short_name, unmistakable_name},
};
use run::agent::LeftOut;
use tournament::{
    AgentEntry, AgentFolder, Entry, Tournament,
    file::{Diagnostic, KeyPath, ReadTournament},
    twin_name,
};

/// A tournament whose agents are all listed, one by one.
#[derive(Clone, Debug)]
pub struct TournamentEntries {
    /// With the agents of its folders, of which some may be left out later.
    pub tournament: Tournament,
    /// Files of folders that cannot be plugins.
    pub left_out: Vec<LeftOut>,
    /// Files of folders that belong to a plugin there.
    pub beside: Vec<String>,
    /// Where each agent comes from, as a place in the tournament file.
    pub(super) places: Vec<KeyPath>,
}

impl TournamentEntries {
    /// Lists the files of the folders; paths are relative to `base`.
    ///
    /// # Errors
    /// Folders that cannot be read or have no plugin, or all agents together are invalid.
    pub fn of(read: &ReadTournament, base: Option<&Path>) -> Result<Self, Vec<Diagnostic>> {
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
        let twin = tournament.control.as_deref().map(twin_name);
        name_submissions(&mut agents, twin.as_deref());
        name_left_out(&mut left_out, &agents);
        let tournament = Tournament {
            agents,
            ..tournament.clone()
        };
        if diagnostics.is_empty() && read.has_folders() {
            let place = KeyPath::root().key("agents");
            let invalid = tournament.check().err();
            diagnostics.extend(invalid.map(|message| Diagnostic::at_value(&place, message)));
        }
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        Ok(Self {
            tournament,
            left_out,
            beside,
            places,
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

/// Gives submissions with the same name longer ones: `anna.so` and `anna.py`. The name of the
/// control's second series counts as taken too.
fn name_submissions(entries: &mut [AgentEntry], twin: Option<&str>) {
    for name_of in LONGER_NAMES {
        let names = entries.iter().map(|entry| entry.name.as_str());
        let counted = number_of_each(names.chain(twin));
        for entry in entries.iter_mut().filter(|entry| counted[&entry.name] > 1) {
            if let Some(file) = &entry.submission {
                entry.name = name_of(file, &entry.plugin);
            }
        }
    }
}

/// The same for files that are left out, of which pages and pseudonyms are made too.
fn name_left_out(left_out: &mut [LeftOut], entries: &[AgentEntry]) {
    for name_of in LONGER_NAMES {
        let names = left_out.iter().map(|left_out| left_out.name.as_str());
        let playing = entries.iter().map(|entry| entry.name.as_str());
        let counted = number_of_each(names.chain(playing));
        for left_out in left_out.iter_mut().filter(|file| counted[&file.name] > 1) {
            left_out.name = name_of(&left_out.file, &left_out.file);
        }
    }
}

/// Names for a file and its path, each longer than the one before.
const LONGER_NAMES: [fn(&str, &str) -> String; 2] = [
    |file, _| long_name(file),
    |file, path| unmistakable_name(file, path),
];

fn number_of_each<'n>(names: impl Iterator<Item = &'n str>) -> HashMap<String, usize> {
    let mut counted = HashMap::new();
    for name in names {
        *counted.entry(name.to_owned()).or_default() += 1;
    }
    counted
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use tournament::file::{TournamentSource, read};

    fn entries(folder: &Path, agents: &str) -> Result<TournamentEntries, Vec<Diagnostic>> {
        let text = format!("agents: [{agents}]\n");
        let read = read(&TournamentSource::new("x.yaml", &text)).unwrap();
        TournamentEntries::of(&read, Some(folder))
    }

    fn names(entries: &TournamentEntries) -> Vec<&str> {
        let agents = entries.tournament.agents.iter();
        agents.map(|agent| agent.name.as_str()).collect()
    }

    #[test]
    fn the_name_of_the_controls_second_series_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("greedy-twin.py"), "").unwrap();
        let text = "control: greedy\nagents: [{plugin: greedy}, {folder: .}]\n";
        let read = read(&TournamentSource::new("x.yaml", text)).unwrap();
        let entries = TournamentEntries::of(&read, Some(folder.path())).unwrap();
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
