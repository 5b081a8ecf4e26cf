//! A plan whose games are played again on this machine's terms.
//!
//! A run folder may come from a stranger, so its plan may not name files or weaken the sandbox.
//! Agents run in sandboxed processes. A plugin is searched for by name in the folders that the
//! user chose, and must have the hash that the plan gives; the hash is compared before the file is
//! opened as a library. Of the files that the plan lets an agent read, the agent gets only those
//! beside the plugin and those that the user names.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use play::agents::{companion_files::companion_files, plugin_finder::PluginFinder};
use run::{agent::Agent, run_plan::RunPlan};
use text::{plugin_words::name_as_code, shell_word::quoted};
use tournament::{AgentEntry, Isolation, Sandbox};
use worker::PluginFile;

/// The plan to play. Agents that may read files besides their own get `allow_read` for these.
///
/// # Errors
/// If one of the agents that are to play cannot, with the reason.
pub(super) fn on_own_terms(
    plan: &RunPlan,
    finder: &PluginFinder,
    allow_read: &[PathBuf],
    plays: impl Fn(&Agent) -> bool,
) -> Result<RunPlan, String> {
    let mut plan = plan.clone();
    plan.tournament.isolation = Isolation::Process;
    if plan.tournament.sandbox == Sandbox::Off {
        plan.tournament.sandbox = Sandbox::On;
    }
    for (agent, entry) in plan.agents.iter_mut().zip(&plan.tournament.agents) {
        if plays(agent) {
            let found = find(agent, entry, finder)
                .and_then(|file| Ok((readable(agent, entry, &file, allow_read)?, file)));
            let (readable, file) = found
                .map_err(|reason| format!("agent `{}` cannot play again: {reason}", agent.name))?;
            agent.allow_read = readable;
            agent.path = file.path().to_path_buf();
            agent.sealed = OnceLock::from(file);
        }
    }
    Ok(plan)
}

fn find(agent: &Agent, entry: &AgentEntry, finder: &PluginFinder) -> Result<PluginFile, String> {
    if !agent.allow_read.is_empty() && agent.allow_read_sha256.is_none() {
        return Err("the plan lets it read files without saying which content they had".to_owned());
    }
    if !entry.program.is_empty() {
        return Err("it is a command, and commands of a plan are not executed".to_owned());
    }
    // A path of the plan belongs to the machine that played.
    let mut parts = entry.plugin.trim_end_matches('/').rsplit('/');
    let name = parts.next().unwrap_or_default();
    // A submission may be in a folder of its own, whose name it has.
    let own_folder = parts
        .next()
        .filter(|folder| entry.submission.as_deref() == Some(folder));
    let path = match own_folder.and_then(|folder| finder.find_in_folder(folder, name)) {
        Some(path) => path,
        None => finder
            .find(name, None)
            .map_err(|error| format!("{error}; name the folder of the plugin with --plugins"))?,
    };
    let shown = name_as_code(&path.to_string_lossy());
    let file = PluginFile::seal(&path).map_err(|error| format!("{shown} {error}"))?;
    match file.sha256() {
        Ok(hash) if hash == agent.sha256 => Ok(file),
        Ok(_) => Err(format!(
            "{shown} is not the file that played: its SHA-256 is not that of the plan; name the \
             folder of the right one with --plugins"
        )),
        Err(error) => Err(format!("{shown} cannot be read: {error}")),
    }
}

/// An error names at most this many files that the plan lets an agent read.
const MOST_NAMED: usize = 20;

/// The option that allows an agent to read a file. A path that needs quoting is shown as code,
/// because it could contain anything.
fn option_for(path: &Path) -> String {
    let path = path.to_string_lossy();
    if quoted(&path) == path {
        format!("--allow-read {path}")
    } else {
        format!("--allow-read {}", name_as_code(&path))
    }
}

/// What the agent may read: its own files, where this machine has them, and what the user names.
fn readable(
    agent: &Agent,
    entry: &AgentEntry,
    file: &PluginFile,
    allow_read: &[PathBuf],
) -> Result<Vec<PathBuf>, String> {
    let companions = companion_files(file.path(), &agent.plugin.info)
        .map_err(|error| format!("{} {error}", name_as_code(&file.path().to_string_lossy())))?;
    let own = file.own_files().into_iter().chain(companions);
    if entry.allow_read.is_empty() {
        return Ok(own.collect());
    }
    if allow_read.is_empty() {
        let paths = entry.allow_read.iter().take(MOST_NAMED);
        let options: Vec<String> = paths.map(|path| option_for(path)).collect();
        return Err(format!(
            "the plan lets it read files of this machine; allow it with {}",
            options.join(" ")
        ));
    }
    Ok(own.chain(allow_read.iter().cloned()).collect())
}
