//! An agent that is ready to play: its plugin has been found, inspected and hashed; and a
//! submission that is left out.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use plugin_api::{GameSetup, PluginInfo, Salt, agent_random_seed};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use text::{hex::hex, plugin_words::name_as_code, printable::printable};
use tournament::{Budget, Tournament};
use worker::{Abi, PluginFile};

/// The plugins that come with the host. A new plugin of the same name would hide one of them, and
/// none of them is a submission.
pub const SHIPPED: [&str; 8] = [
    "backtracking",
    "expectimax",
    "greedy",
    "mcts",
    "minimax",
    "ntuple",
    "random",
    "snake",
];

/// How much is kept of its name, version, author and description, each.
const LONGEST_TEXT: usize = 1000;

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
    /// What it may read besides its own file: the files that the plugin names, then what the
    /// tournament allows.
    pub allow_read: Vec<PathBuf>,
    /// SHA-256 of what `allow_read` names, if it names anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_read_sha256: Option<String>,
    /// What it is started by, if it is a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<AgentProgram>,
    /// The copy of the plugin that was hashed. For a plan read from a run folder there is none
    /// before the first game.
    #[serde(skip)]
    pub sealed: OnceLock<PluginFile>,
    /// The identity of the file that was hashed; unknown for a plan read from a run
    /// folder.
    #[serde(skip)]
    pub file: Option<FileIdentity>,
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
        let file = match &self.program {
            Some(program) if !program.command.is_empty() => {
                let folder = program.folder.as_deref().unwrap_or(Path::new("/"));
                PluginFile::seal_command(&program.command, folder)
            }
            _ => PluginFile::seal(&self.path),
        };
        let file = file.map_err(|error| error.to_string())?;
        match file.sha256() {
            Ok(hash) if hash == self.sha256 => Ok(self.sealed.get_or_init(|| file).clone()),
            Ok(_) => Err("is not the file that the plan names: its SHA-256 differs".to_owned()),
            Err(error) => Err(format!("cannot be read: {error}")),
        }
    }

    /// What the host tells the agent before a game.
    #[must_use]
    pub fn setup(
        &self,
        tournament: &Tournament,
        budget: &Budget,
        salt: &Salt,
        seed: u64,
    ) -> String {
        let setup = GameSetup::new()
            .with_rules(tournament.rules())
            .with_limit(budget.limit_for_agents())
            .with_random_seed(agent_random_seed(salt, seed, &self.name));
        with_folder_of_companions(setup, &self.path, &self.plugin.info).to_json()
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
        if let Some(program) = &self.program {
            decisive["runtime"] = program.runtime.as_str().into();
            decisive["command"] = program.command.clone().into();
        }
        let digest = Sha256::digest(sorted_text(decisive).as_bytes());
        hex(&digest[..8])
    }
}

/// A plugin's description of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    pub info: PluginInfo,
    pub abi: Abi,
}

/// The identity of a file: its inode and change time, not its contents. The check runs after every
/// game, and every write or replacement changes one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIdentity {
    device: u64,
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl FileIdentity {
    /// # Errors
    /// If the file does not exist.
    pub fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// Whether the path still leads to this file, unchanged.
    #[must_use]
    pub fn is_still_at(&self, path: &Path) -> bool {
        Self::of(path).is_ok_and(|now| now == *self)
    }
}

/// Puts the texts of a description on one line each and cuts them. A plan repeats them, and may
/// come from a stranger.
pub fn cut_texts(info: &mut PluginInfo) {
    let PluginInfo {
        name,
        version,
        author,
        description,
        ..
    } = info;
    for text in [name, version, author, description] {
        *text = printable(text, LONGEST_TEXT);
    }
}
/// The setup that says where those files lie, if there are any.
#[must_use]
pub fn with_folder_of_companions(setup: GameSetup, plugin: &Path, info: &PluginInfo) -> GameSetup {
    match plugin.parent() {
        Some(folder) if !info.files.is_empty() => setup.with_folder(folder.to_path_buf()),
        _ => setup,
    }
}

/// JSON with sorted keys: the order in which they were written has no effect.
pub fn sorted_text(mut value: serde_json::Value) -> String {
    value.sort_all_objects();
    value.to_string()
}

/// How an agent that is a program is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentProgram {
    /// The interpreter and its version.
    pub runtime: String,
    /// The words of its command, as written in the tournament file; none for a plugin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The folder to which the words are relative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
}

/// A submission that is left out of a tournament. The others play without it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// The file, relative to its folder.
    pub file: String,
    /// The name that the agent would have.
    pub name: String,
    /// Why it does not play: one sentence with the file as its subject.
    pub reason: String,
}

impl LeftOut {
    /// The file, whose name may be anything, and the reason.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{} {}", name_as_code(&self.file), self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_decides_nothing() {
        let written = serde_json::json!({"b": 1, "a": {"d": [{"f": 1, "e": 2}], "c": 2}});
        let text = r#"{"a":{"c":2,"d":[{"e":2,"f":1}]},"b":1}"#;
        assert_eq!(sorted_text(written), text);
    }

    #[test]
    fn writing_and_replacing_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plugin.so");
        fs::write(&path, "one").unwrap();
        let first = FileIdentity::of(&path).unwrap();
        assert!(first.is_still_at(&path));
        // A copy of the same size and content is a different file.
        let other = folder.path().join("other.so");
        fs::write(&other, "one").unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(!first.is_still_at(&path));
        let second = FileIdentity::of(&path).unwrap();
        fs::write(&path, "three").unwrap();
        assert!(!second.is_still_at(&path));
        fs::remove_file(&path).unwrap();
        assert!(!second.is_still_at(&path));
    }
}
