//! `host verify`: does every record of a run hold?

use std::{
    collections::HashMap,
    io::{self, Write},
};

use anyhow::anyhow;
use arena2048::{
    exit_code,
    game_plan::{GamePlan, PlannedGame},
    game_record::{Ending, GameRecord},
    interruption::InterruptionWatch,
    run_plan::RunPlan,
    tournament::BudgetLimit,
    tournament_runner::play_again,
    verification::verify as verify_run,
};

use super::{CommandError, CommandResult};
use crate::command_line::VerifyArguments;

/// The most differences that are shown.
const MOST_SHOWN: usize = 20;

pub(crate) fn verify(arguments: &VerifyArguments) -> CommandResult {
    let plan = RunPlan::read(&arguments.run)
        .map_err(|error| CommandError::new(exit_code::USAGE, error))?;
    let watch = InterruptionWatch::start()?;
    let mut rerun = Rerun::new(&plan);
    let verdict = verify_run(&arguments.run, &plan, |record| {
        if !arguments.rerun {
            return None;
        }
        rerun.difference(record, &watch)
    })?;
    let mut out = io::stdout().lock();
    for difference in verdict.differences.iter().take(MOST_SHOWN) {
        writeln!(
            out,
            "games.jsonl line {}: {}",
            difference.line, difference.sentence
        )?;
    }
    if let Some(n_more) = verdict.differences.len().checked_sub(MOST_SHOWN + 1) {
        writeln!(out, "and {} more", n_more + 1)?;
    }
    writeln!(out, "{} records hold", verdict.n_verified)?;
    if arguments.rerun {
        writeln!(
            out,
            "{} games were played again by their plugins; {} were not, because their budget is in time or they ended by the clock",
            rerun.n_played, rerun.n_skipped
        )?;
    }
    if verdict.differences.is_empty() {
        return Ok(exit_code::OK);
    }
    Err(CommandError::new(
        exit_code::VERIFICATION,
        anyhow!(
            "{} lines of the game log do not hold",
            verdict.differences.len()
        ),
    ))
}

/// Plays the games of records again, where play is repeatable.
struct Rerun<'p> {
    plan: &'p RunPlan,
    games: HashMap<u64, PlannedGame>,
    n_played: u64,
    n_skipped: u64,
}

impl<'p> Rerun<'p> {
    fn new(plan: &'p RunPlan) -> Self {
        let games = GamePlan::new(&plan.tournament)
            .games()
            .map(|game| (game.number, game))
            .collect();
        Self {
            plan,
            games,
            n_played: 0,
            n_skipped: 0,
        }
    }

    fn difference(&mut self, record: &GameRecord, watch: &InterruptionWatch) -> Option<String> {
        let game = self.games.get(&record.game)?;
        let limit = self.plan.tournament.budgets[game.budget].limit;
        let by_the_clock = matches!(record.ending, Ending::Hang | Ending::Overrun);
        if matches!(limit, BudgetLimit::Time { .. }) || by_the_clock {
            self.n_skipped += 1;
            return None;
        }
        self.n_played += 1;
        match play_again(self.plan, game, watch.stop()) {
            Err(sentence) => Some(format!("could not be played again: {sentence}")),
            Ok(moves) if moves == record.moves => None,
            Ok(moves) => {
                let same = moves
                    .bytes()
                    .zip(record.moves.bytes())
                    .take_while(|(a, b)| a == b)
                    .count();
                Some(format!(
                    "`{}` plays seed {} otherwise from move {} on; is the plugin file still the same?",
                    record.agent,
                    record.seed,
                    same + 1
                ))
            }
        }
    }
}
