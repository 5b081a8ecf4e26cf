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
    nearest_name::suggestion,
    referee::PlayedGame,
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
    check_selection(arguments, &plan)?;
    let mut rerun = Rerun::new(&plan, arguments);
    let verdict = verify_run(&arguments.run, &plan, |record| {
        if !arguments.rerun || !is_selected(arguments, record) {
            return None;
        }
        rerun.difference(record, &watch)
    })?;
    let mut out = io::stdout().lock();
    for line in &rerun.told {
        writeln!(out, "{line}")?;
    }
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
    match verdict.n_verified {
        1 => writeln!(out, "1 record holds")?,
        n_verified => writeln!(out, "{n_verified} records hold")?,
    }
    let n_planned = GamePlan::new(&plan.tournament).n_games();
    if verdict.n_verified < n_planned {
        // A run may be unfinished or have lost an agent; a reader must know it.
        writeln!(out, "the plan has {n_planned} games")?;
    }
    if arguments.rerun && arguments.agent.is_none() {
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

/// Whether a record's game is to be played again.
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
    let names: Vec<&str> = plan.entrants.iter().map(|e| e.name.as_str()).collect();
    if names.contains(&agent.as_str()) {
        return Ok(());
    }
    Err(CommandError::new(
        exit_code::USAGE,
        anyhow!(
            "--agent {agent}: no agent of this run has this name; {}",
            suggestion(agent, "agents", &names)
        ),
    ))
}

/// Plays the games of records again: all where play is repeatable, or those a person
/// has chosen, who then wants to see how they end.
struct Rerun<'p> {
    plan: &'p RunPlan,
    games: HashMap<u64, PlannedGame>,
    is_chosen: bool,
    show_stderr: bool,
    n_played: u64,
    n_skipped: u64,
    /// How chosen games ended.
    told: Vec<String>,
}

impl<'p> Rerun<'p> {
    fn new(plan: &'p RunPlan, arguments: &VerifyArguments) -> Self {
        let games = GamePlan::new(&plan.tournament)
            .games()
            .map(|game| (game.number, game))
            .collect();
        Self {
            plan,
            games,
            is_chosen: arguments.agent.is_some(),
            show_stderr: arguments.show_stderr,
            n_played: 0,
            n_skipped: 0,
            told: Vec::new(),
        }
    }

    fn difference(&mut self, record: &GameRecord, watch: &InterruptionWatch) -> Option<String> {
        let game = self.games.get(&record.game)?;
        let limit = self.plan.tournament.budgets[game.budget].limit;
        let by_the_clock = matches!(record.ending, Ending::Hang | Ending::Overrun);
        let is_repeatable = !matches!(limit, BudgetLimit::Time { .. }) && !by_the_clock;
        if !is_repeatable && !self.is_chosen {
            self.n_skipped += 1;
            return None;
        }
        self.n_played += 1;
        let played = match play_again(self.plan, game, self.show_stderr, watch.stop()) {
            Err(sentence) => return Some(format!("could not be played again: {sentence}")),
            Ok(played) => played,
        };
        if self.is_chosen {
            self.told.push(told(record, &played));
        }
        match played.moves {
            moves if moves == record.moves || !is_repeatable => None,
            moves => {
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

fn told(record: &GameRecord, played: &PlayedGame) -> String {
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
