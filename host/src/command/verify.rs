//! `host verify`: replays every record of a run and, if asked, lets the agents play again.

use std::io::{self, Write};

use crate::{
    command::{command_line::VerifyArguments, exit_code, interruption::InterruptionWatch},
    play::{referee::PlayedGame, runner::play_again},
    run::{
        game_plan::GamePlan,
        game_record::{Ending, GameRecord},
        run_files,
        run_plan::RunPlan,
        verification::verify as verify_run,
    },
    text::{nearest_name::suggestion, number_text::counted},
    tournament::BudgetLimit,
};
use anyhow::anyhow;

use super::{CommandError, CommandResult};

/// How many differences are shown.
const MOST_SHOWN: usize = 20;

pub(crate) fn verify(arguments: &VerifyArguments) -> CommandResult {
    let plan = RunPlan::read(&arguments.run)
        .map_err(|error| CommandError::new(exit_code::USAGE, error))?;
    let watch = InterruptionWatch::start()?;
    check_selection(arguments, &plan)?;
    let mut rerun = Rerun::new(&plan, arguments);
    let verification = verify_run(&arguments.run, &plan, |record| {
        if !arguments.rerun || !is_selected(arguments, record) {
            return None;
        }
        rerun.difference(record, &watch)
    })?;
    let mut out = io::stdout().lock();
    for line in &rerun.endings {
        writeln!(out, "{line}")?;
    }
    let n_differences = verification.differences.len();
    for difference in verification.differences.iter().take(MOST_SHOWN) {
        writeln!(
            out,
            "{} line {}: {}",
            run_files::GAME_LOG,
            difference.line,
            difference.sentence
        )?;
    }
    if n_differences > MOST_SHOWN {
        writeln!(out, "and {} more", n_differences - MOST_SHOWN)?;
    }
    match verification.n_verified {
        1 => writeln!(out, "1 record verified")?,
        n_verified => writeln!(out, "{n_verified} records verified")?,
    }
    let n_planned = plan.games().n_games();
    if verification.n_verified < n_planned {
        // The run may be unfinished, or an agent may have been disqualified.
        let n_missing = n_planned - verification.n_verified;
        writeln!(
            out,
            "planned games without a verified record: {n_missing} of {n_planned}"
        )?;
    }
    if arguments.rerun && arguments.agent.is_none() {
        writeln!(out, "played again: {}", counted(rerun.n_played, "game"))?;
        if rerun.n_skipped > 0 {
            writeln!(
                out,
                "not played again: {}, because the budget is in time or the clock ended the game",
                counted(rerun.n_skipped, "game")
            )?;
        }
    }
    if n_differences == 0 {
        return Ok(exit_code::OK);
    }
    let lines = if n_differences == 1 { "line" } else { "lines" };
    Err(CommandError::new(
        exit_code::VERIFICATION,
        anyhow!("verification failed for {n_differences} {lines} of the game log"),
    ))
}

/// Whether the game of a record is to be played again.
fn is_selected(arguments: &VerifyArguments, record: &GameRecord) -> bool {
    let is_agent = |name: &String| *name == record.agent;
    let is_budget = |label: &String| Some(label) == record.budget.as_ref();
    arguments.agent.as_ref().is_none_or(is_agent)
        && arguments.seed.is_none_or(|seed| seed == record.seed)
        && arguments.budget.as_ref().is_none_or(is_budget)
}

fn check_selection(arguments: &VerifyArguments, plan: &RunPlan) -> Result<(), CommandError> {
    let Some(agent) = &arguments.agent else {
        return Ok(());
    };
    let names: Vec<&str> = plan.agents.iter().map(|e| e.name.as_str()).collect();
    if names.contains(&agent.as_str()) {
        return Ok(());
    }
    Err(CommandError::new(
        exit_code::USAGE,
        anyhow!(
            "--agent {agent}: the run has no agent of this name; {}",
            suggestion(agent, "agents", &names)
        ),
    ))
}

/// Plays games again: those that are repeatable, or those of a chosen agent, whose endings
/// are then printed.
struct Rerun<'p> {
    plan: &'p RunPlan,
    games: GamePlan,
    is_chosen: bool,
    show_stderr: bool,
    n_played: u64,
    n_skipped: u64,
    /// How the games of the chosen agent ended.
    endings: Vec<String>,
}

impl<'p> Rerun<'p> {
    fn new(plan: &'p RunPlan, arguments: &VerifyArguments) -> Self {
        Self {
            plan,
            games: plan.games(),
            is_chosen: arguments.agent.is_some(),
            show_stderr: arguments.show_stderr,
            n_played: 0,
            n_skipped: 0,
            endings: Vec::new(),
        }
    }

    fn difference(&mut self, record: &GameRecord, watch: &InterruptionWatch) -> Option<String> {
        let game = self.games.game(record.game)?;
        let limit = self.plan.tournament.budgets[game.budget].limit;
        let was_ended_by_clock = matches!(record.ending, Ending::Hang | Ending::Overrun);
        let is_repeatable = !matches!(limit, BudgetLimit::Time { .. }) && !was_ended_by_clock;
        if !is_repeatable && !self.is_chosen {
            self.n_skipped += 1;
            return None;
        }
        self.n_played += 1;
        let played = match play_again(self.plan, &game, self.show_stderr, watch.stop()) {
            Err(sentence) => return Some(format!("could not be played again: {sentence}")),
            Ok(played) => played,
        };
        if self.is_chosen {
            self.endings.push(ending(record, &played));
        }
        match &played.moves {
            moves if *moves == record.moves || !is_repeatable => None,
            // For example a plugin file that has changed: the agent did not play at all.
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
