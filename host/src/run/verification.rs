//! Replays every record of a run, without the plugins, and reports the differences.

use std::{collections::HashSet, fmt, io, path::Path};

use plugin_api::{Game, Status};

use crate::run::{
    game_log::{self, LogLine},
    game_plan::GamePlan,
    game_record::{Ending, GameRecord},
    replay::Replay,
    run_files,
    run_plan::RunPlan,
};

/// The result of verifying a run.
#[derive(Debug, Default)]
pub struct Verification {
    pub n_verified: u64,
    pub differences: Vec<Difference>,
}

/// A line of a log that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the log, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub sentence: String,
}

/// Verifies the log of a run. Every record without a difference is passed to
/// `further_check`, which returns what else is wrong with it.
///
/// # Errors
/// When the log cannot be read.
pub fn verify(
    folder: &Path,
    plan: &RunPlan,
    mut further_check: impl FnMut(&GameRecord) -> Option<String>,
) -> io::Result<Verification> {
    let games = plan.games();
    let mut seen = HashSet::new();
    let mut verification = Verification::default();
    game_log::read(&run_files::game_log(folder), |line, content| {
        let sentence = match content {
            LogLine::Record(record) if !seen.insert(record.game) => Some(format!(
                "duplicates an earlier record of game {}",
                record.game
            )),
            LogLine::Record(record) => {
                difference(plan, &games, &record).or_else(|| further_check(&record))
            }
            LogLine::Malformed { reason, .. } => Some(format!("is not a game record: {reason}")),
            LogLine::CutOff { .. } => {
                Some("is cut off; `host run` plays the game again".to_owned())
            }
        };
        match sentence {
            None => verification.n_verified += 1,
            Some(sentence) => verification.differences.push(Difference { line, sentence }),
        }
    })?;
    Ok(verification)
}

/// The first difference between a record and its plan or its replay.
fn difference(plan: &RunPlan, games: &GamePlan, record: &GameRecord) -> Option<String> {
    let Some(planned) = games.game(record.game) else {
        return Some(format!("the plan has no game {}", record.game));
    };
    let agent = &plan.agents[planned.agent];
    if record.agent != agent.name {
        return Some(format!(
            "game {} belongs to agent `{}`, the record says `{}`",
            record.game, agent.name, record.agent
        ));
    }
    if record.seed != planned.seed {
        return Some(format!(
            "game {} has seed {}, the record says {}",
            record.game, planned.seed, record.seed
        ));
    }
    match Replay::new(plan.tournament.rules(), &plan.salt, record).finish() {
        Ok(game) => difference_at_end(&game, record),
        Err(error) => Some(error.to_string()),
    }
}

/// Compares a record with the game that its moves lead to.
fn difference_at_end(game: &Game, record: &GameRecord) -> Option<String> {
    let differ = |what: &str, replayed: &dyn fmt::Display, recorded: &dyn fmt::Display| {
        Some(format!(
            "{what} is {replayed} in the replay, the record says {recorded}"
        ))
    };
    if game.score() != record.score {
        return differ("the score", &game.score(), &record.score);
    }
    if game.n_moves() != record.n_moves {
        return differ("the number of moves", &game.n_moves(), &record.n_moves);
    }
    if game.board().tiles() != record.board {
        let replayed = format!("{:?}", game.board().tiles());
        return differ("the final board", &replayed, &format!("{:?}", record.board));
    }
    if game.board().highest() != record.highest {
        return differ("the highest tile", &game.board().highest(), &record.highest);
    }
    let ending = match game.status() {
        Status::NoMoveLeft => Some(Ending::NoMoveLeft),
        Status::GoalReached => Some(Ending::GoalReached),
        Status::MoveLimit => Some(Ending::MoveLimit),
        Status::Running => None,
    };
    match ending {
        Some(ending) if ending != record.ending => differ("the ending", &ending, &record.ending),
        None if !record.ending.is_fault() => {
            differ("the ending", &"open (a move is left)", &record.ending)
        }
        _ if record.ending.is_fault() != record.fault.is_some() => Some(format!(
            "the ending `{}` does not match the fault",
            record.ending
        )),
        _ => None,
    }
}
