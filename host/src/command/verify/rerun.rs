//! Plays the games of records again and compares the moves.

use std::{
    path::{Path, PathBuf},
    sync::{OnceLock, atomic::Ordering},
};

use play::{
    agents::{companion_files::companion_files, plugin_finder::PluginFinder},
    referee::PlayedGame,
    runner::play_again,
};
use run::{
    agent::Agent,
    game_plan::GamePlan,
    game_record::{Ending, GameRecord},
    run_plan::RunPlan,
};
use text::{plugin_words::name_as_code, shell_word::quoted};
use tournament::{AgentEntry, BudgetLimit, Isolation, Sandbox};
use worker::PluginFile;

use crate::command::{command_line::VerifyArguments, interruption::InterruptionWatch};

/// Plays games again: those that are repeatable, or those of a chosen agent, whose endings
/// are then printed.
pub(super) struct Rerun {
    plan: RunPlan,
    games: GamePlan,
    pub(super) is_chosen: bool,
    show_stderr: bool,
    pub(super) n_played: u64,
    pub(super) n_skipped: u64,
    /// How the games of the chosen agent ended.
    pub(super) endings: Vec<String>,
}

impl Rerun {
    /// # Errors
    /// If an agent cannot play, with the reason.
    pub(super) fn new(
        plan: &RunPlan,
        arguments: &VerifyArguments,
        allow_read: &[PathBuf],
    ) -> Result<Self, String> {
        let finder = PluginFinder::new(&arguments.plugins.folders, None);
        let has_repeatable_games = plan
            .tournament
            .budgets
            .iter()
            .any(|budget| is_repeatable(budget.limit));
        let plays = |agent: &Agent| match &arguments.agent {
            Some(chosen) => *chosen == agent.name,
            None => has_repeatable_games,
        };
        Ok(Self {
            plan: on_own_terms(plan, &finder, allow_read, plays)?,
            games: plan.games(),
            is_chosen: arguments.agent.is_some(),
            show_stderr: arguments.show_stderr,
            n_played: 0,
            n_skipped: 0,
            endings: Vec::new(),
        })
    }

    pub(super) fn difference(
        &mut self,
        record: &GameRecord,
        watch: &InterruptionWatch,
    ) -> Option<String> {
        if watch.stop().load(Ordering::Relaxed) {
            return None;
        }
        let game = self.games.game(record.game)?;
        let plan = &self.plan;
        let limit = plan.tournament.budgets[game.budget].limit;
        let was_ended_by_clock = matches!(record.ending, Ending::Hang | Ending::Overrun);
        let is_repeatable = is_repeatable(limit) && !was_ended_by_clock;
        if !is_repeatable && !self.is_chosen {
            self.n_skipped += 1;
            return None;
        }
        self.n_played += 1;
        let played = match play_again(plan, &game, self.show_stderr, watch.stop()) {
            Err(_) if watch.stop().load(Ordering::Relaxed) => return None,
            Err(sentence) => return Some(format!("could not be played again: {sentence}")),
            Ok(played) => played,
        };
        if self.is_chosen {
            self.endings.push(ending(record, &played));
        }
        match &played.moves {
            moves if *moves == record.moves || !is_repeatable => None,
            // For example an agent that is out of memory here: it did not play at all.
            _ if played.fault.is_some() && record.fault.is_none() => {
                Some(format!("played again, {}", ending(record, &played)))
            }
            moves => {
                let same = moves
                    .bytes()
                    .zip(record.moves.bytes())
                    .take_while(|(a, b)| a == b)
                    .count();
                Some(format!(
                    "`{}` plays seed {} differently from move {} on; has the plugin file changed?",
                    record.agent,
                    record.seed,
                    same + 1
                ))
            }
        }
    }
}

/// Whether games under a budget are the same again.
fn is_repeatable(limit: BudgetLimit) -> bool {
    !matches!(limit, BudgetLimit::Time { .. })
}

fn ending(record: &GameRecord, played: &PlayedGame) -> String {
    let how = match &played.fault {
        Some(fault) => format!("{}: {}", fault.ending, fault.sentence),
        None => format!("{}, score {}", played.ending, played.game.score()),
    };
    format!(
        "{} on seed {} ended after {} moves: {how}",
        record.agent,
        record.seed,
        played.game.n_moves()
    )
}

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
