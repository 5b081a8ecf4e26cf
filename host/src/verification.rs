//! Plays every record of a run again, without the plugins, and says where it differs.

use std::{io, path::Path};

use plugin_api::{Direction, Game, Status};

use crate::{
    game_log::{self, LogLine},
    game_plan::{GamePlan, PlannedGame},
    game_record::{Ending, GameRecord},
    run_plan::RunPlan,
};

/// What verification found.
#[derive(Debug, Default)]
pub struct Verdict {
    pub n_verified: u64,
    pub differences: Vec<Difference>,
}

/// Something in a log that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the log, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub sentence: String,
}

/// Verifies the log of a run. Every good record is also handed to `and_then`, whose
/// sentence, if it has one, is another difference.
///
/// # Errors
/// When the log cannot be read.
pub fn verify(
    folder: &Path,
    plan: &RunPlan,
    mut and_then: impl FnMut(&GameRecord) -> Option<String>,
) -> io::Result<Verdict> {
    let games = planned_games(plan);
    let mut seen = std::collections::HashSet::new();
    let mut verdict = Verdict::default();
    game_log::read(&folder.join("games.jsonl"), |line, content| {
        let sentence = match content {
            LogLine::Record(record) if !seen.insert(record.game) => {
                Some(format!("game {} stands in the log twice", record.game))
            }
            LogLine::Record(record) => {
                difference(plan, &games, &record).or_else(|| and_then(&record))
            }
            LogLine::Malformed { reason, .. } => Some(format!("is not a game record: {reason}")),
            LogLine::CutOff { .. } => {
                Some("is cut off; `host run` plays its game again".to_owned())
            }
        };
        match sentence {
            None => verdict.n_verified += 1,
            Some(sentence) => verdict.differences.push(Difference { line, sentence }),
        }
    })?;
    Ok(verdict)
}

fn planned_games(plan: &RunPlan) -> std::collections::HashMap<u64, PlannedGame> {
    GamePlan::new(&plan.tournament)
        .games()
        .map(|game| (game.number, game))
        .collect()
}

/// The first thing in which a record differs from its plan or its replay.
fn difference(
    plan: &RunPlan,
    games: &std::collections::HashMap<u64, PlannedGame>,
    record: &GameRecord,
) -> Option<String> {
    let Some(planned) = games.get(&record.game) else {
        return Some(format!("the plan has no game {}", record.game));
    };
    let entrant = &plan.entrants[planned.agent];
    if record.agent != entrant.name {
        return Some(format!(
            "game {} is one of agent `{}`, the record says `{}`",
            record.game, entrant.name, record.agent
        ));
    }
    if record.seed != planned.seed {
        return Some(format!(
            "game {} has seed {}, the record says {}",
            record.game, planned.seed, record.seed
        ));
    }
    replay_difference(plan, record)
}

fn replay_difference(plan: &RunPlan, record: &GameRecord) -> Option<String> {
    let mut game = Game::start(plan.tournament.rules(), &plan.salt(), record.seed);
    for (letter, number) in record.moves.chars().zip(1..) {
        let Some(direction) = Direction::from_letter(letter) else {
            return Some(format!(
                "move {number} is `{letter}`, which is no direction"
            ));
        };
        if game.play(direction).is_none() {
            return Some(format!(
                "move {number}, {direction}, is illegal in the replay"
            ));
        }
    }
    let differ =
        |what: &str, replayed: &dyn std::fmt::Display, recorded: &dyn std::fmt::Display| {
            Some(format!(
                "{what} is {replayed} in the replay, the record says {recorded}"
            ))
        };
    // A plugin that would not start the game scores nothing; the board stays.
    if game.score() != record.score {
        return differ("the score", &game.score(), &record.score);
    }
    if game.n_moves() != record.n_moves {
        return differ("the number of moves", &game.n_moves(), &record.n_moves);
    }
    if game.board().tiles() != record.board {
        let recorded = format!("{:?}", record.board);
        return differ(
            "the final board",
            &format!("{:?}", game.board().tiles()),
            &recorded,
        );
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
            differ("the ending", &"open: a move is left", &record.ending)
        }
        _ if record.ending.is_fault() != record.fault.is_some() => Some(format!(
            "the ending `{}` and the fault do not agree",
            record.ending
        )),
        _ => None,
    }
}
