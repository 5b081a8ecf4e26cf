//! Plays the games of records again and compares the moves.

use crate::{
    agents::plugin_finder::PluginFinder,
    command::{command_line::VerifyArguments, interruption::InterruptionWatch},
    play::{referee::PlayedGame, runner::play_again},
    run::{
        game_plan::GamePlan,
        game_record::{Ending, GameRecord},
        run_plan::RunPlan,
    },
    tournament::BudgetLimit,
};

use super::own_terms::OwnTerms;

/// Plays games again: those that are repeatable, or those of a chosen agent, whose endings
/// are then printed.
pub(super) struct Rerun {
    terms: OwnTerms,
    games: GamePlan,
    pub(super) is_chosen: bool,
    show_stderr: bool,
    pub(super) n_played: u64,
    pub(super) n_skipped: u64,
    /// How the games of the chosen agent ended.
    pub(super) endings: Vec<String>,
}

impl Rerun {
    pub(super) fn new(plan: &RunPlan, arguments: &VerifyArguments) -> Self {
        let finder = PluginFinder::new(&arguments.plugins.folders, None);
        Self {
            terms: OwnTerms::new(plan, &finder),
            games: plan.games(),
            is_chosen: arguments.agent.is_some(),
            show_stderr: arguments.show_stderr,
            n_played: 0,
            n_skipped: 0,
            endings: Vec::new(),
        }
    }

    pub(super) fn difference(
        &mut self,
        record: &GameRecord,
        watch: &InterruptionWatch,
    ) -> Option<String> {
        let game = self.games.game(record.game)?;
        let plan = &self.terms.plan;
        let limit = plan.tournament.budgets[game.budget].limit;
        let was_ended_by_clock = matches!(record.ending, Ending::Hang | Ending::Overrun);
        let is_repeatable = !matches!(limit, BudgetLimit::Time { .. }) && !was_ended_by_clock;
        if !is_repeatable && !self.is_chosen {
            self.n_skipped += 1;
            return None;
        }
        if let Some(obstacle) = self.terms.obstacle(game.agent) {
            return Some(format!("could not be played again: {obstacle}"));
        }
        self.n_played += 1;
        let played = match play_again(plan, &game, self.show_stderr, watch.stop()) {
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
