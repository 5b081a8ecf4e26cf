//! Plays the games of records again and compares the moves.

use std::{path::PathBuf, sync::atomic::Ordering};

use play::agents::plugin_finder::PluginFinder;
use play::{referee::PlayedGame, runner::play_again};
use run::{
    agent::Agent,
    game_plan::GamePlan,
    game_record::{Ending, GameRecord},
    run_plan::RunPlan,
};
use tournament::BudgetLimit;

use crate::command::{command_line::VerifyArguments, interruption::InterruptionWatch};

use super::own_terms::on_own_terms;

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
