//! Replays every record of a run, without the plugins, and reports the differences.

use std::{
    collections::BTreeSet,
    fmt,
    io::{self, Write},
    path::Path,
};

use plugin_api::{Game, Status};

use text::{plugin_words::PluginWords, program};

use crate::{
    atomic_file::replace_with,
    game_log::{self, LineNumbers, LogLine, OpenLog, RecordFilter, Unfit},
    game_plan::GamePlan,
    game_record::{Ending, GameCourse, GameRecord},
    replay::Replay,
    run_files,
    run_folder::RunFolder,
    run_plan::RunPlan,
};

/// The result of verifying a run.
#[derive(Debug, Default)]
pub struct Verification {
    /// How many records were replayed without a difference.
    pub n_verified: u64,
    /// How many records there are.
    pub n_records: u64,
    /// The lines that are damaged.
    pub wrong_lines: LineNumbers,
    /// The lines whose records are sound, but not of a game of the plan.
    pub lines_out_of_plan: LineNumbers,
    /// What is wrong with the first lines of both kinds.
    pub differences: Vec<Difference>,
}

/// How many differences are described.
const MOST_DESCRIBED: usize = 20;

/// A line of a log that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the log, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub sentence: String,
}

/// The records that are replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    All,
    /// Those in these lines of the log, from 1.
    Lines(BTreeSet<u64>),
}

impl Verification {
    /// How many lines are not as they should be.
    #[must_use]
    pub fn n_differences(&self) -> u64 {
        self.wrong_lines.n_lines() + self.lines_out_of_plan.n_lines()
    }
}

impl Extent {
    fn has(&self, line: u64) -> bool {
        match self {
            Self::All => true,
            Self::Lines(lines) => lines.contains(&line),
        }
    }
}

/// Verifies the log of a run: reads every line, and replays the chosen ones. Every record without a difference is passed to
/// `further_check`, which returns what else is wrong with it.
///
/// # Errors
/// When the log cannot be read.
pub fn verify(
    folder: &Path,
    plan: &RunPlan,
    extent: &Extent,
    mut further_check: impl FnMut(&GameRecord) -> Option<String>,
) -> io::Result<Verification> {
    let games = plan.games();
    let mut filter = RecordFilter::of(plan);
    let mut verification = Verification::default();
    game_log::read_run(folder, plan, |line, content| {
        verification.n_records += u64::from(matches!(content, LogLine::Record(_)));
        let mut is_out_of_plan = false;
        let sentence = match content {
            LogLine::Record(record) => match filter.admit(&record) {
                Err(Unfit::Repeated) => Some(format!(
                    "duplicates an earlier record of game {}",
                    record.game
                )),
                _ if !extent.has(line) => return,
                Err(unfit) => {
                    is_out_of_plan = true;
                    let difference = difference_from_plan(plan, &games, &record);
                    difference.or_else(|| Some(unfit.sentence().to_owned()))
                }
                Ok(_) => difference_from_replay(plan, &record).or_else(|| further_check(&record)),
            },
            LogLine::Malformed { sentence, .. } => Some(sentence),
            LogLine::CutOff { .. } => Some(format!(
                "is cut off; `{}` plays the game again",
                program::command("run")
            )),
        };
        match sentence {
            None => verification.n_verified += 1,
            Some(sentence) => {
                let lines = if is_out_of_plan {
                    &mut verification.lines_out_of_plan
                } else {
                    &mut verification.wrong_lines
                };
                lines.push(line);
                if verification.differences.len() < MOST_DESCRIBED {
                    verification.differences.push(Difference { line, sentence });
                }
            }
        }
    })?;
    Ok(verification)
}

/// Moves the lines that are wrong out of the log of a run.
///
/// # Errors
/// When a file cannot be read or written; no line is lost then.
pub fn set_wrong_lines_aside(folder: &RunFolder, lines: &LineNumbers) -> io::Result<()> {
    let path = folder.log_path();
    game_log::unpack(&path)?;
    let Some(log) = OpenLog::open(&path)? else {
        return Ok(());
    };
    let split = |wanted: bool, visit: &mut dyn FnMut(&[u8]) -> io::Result<()>| {
        log.read_bytes(|position, bytes| {
            if lines.contains(u64::from(position.number)) == wanted {
                visit(bytes)?;
            }
            Ok(())
        })
    };
    let damaged = run_files::damaged_lines(folder.path());
    game_log::set_aside(&damaged, |write| split(true, write))?;
    replace_with(&path, |writer| {
        split(false, &mut |bytes| writer.write_all(bytes))
    })
}

/// The first difference between a record and its game in the plan.
fn difference_from_plan(plan: &RunPlan, games: &GamePlan, record: &GameRecord) -> Option<String> {
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
    let budget = &plan.tournament.budgets[planned.budget];
    let fingerprint = agent.fingerprint(&plan.tournament, budget, &plan.salt);
    if record.fingerprint != fingerprint {
        return Some(format!(
            "the fingerprint of game {} is {fingerprint} according to the plan, the record says {}",
            record.game, record.fingerprint
        ));
    }
    let other = record.budget.as_ref().filter(|it| **it != budget.label())?;
    Some(format!(
        "game {} has the budget {}, the record says {}",
        record.game,
        budget.label(),
        PluginWords::new(other)
    ))
}

/// The first difference between a record and its replay.
fn difference_from_replay(plan: &RunPlan, record: &GameRecord) -> Option<String> {
    match Replay::new(plan.tournament.rules(), &plan.salt, record).finish() {
        Ok((game, course)) => {
            difference_at_end(&game, record).or_else(|| difference_in_course(&game, course, record))
        }
        Err(error) => Some(error.to_string()),
    }
}

/// Compares what a record says about the course of its game.
fn difference_in_course(game: &Game, course: GameCourse, record: &GameRecord) -> Option<String> {
    let figures = [
        ("highest_at", record.highest_at, course.highest_at()),
        (
            "crowded_moves",
            record.crowded_moves,
            course.crowded_moves(game),
        ),
    ];
    figures.into_iter().find_map(|(field, recorded, replayed)| {
        let recorded = recorded.filter(|recorded| *recorded != replayed)?;
        Some(format!(
            "`{field}` is {replayed} in the replay, the record says {recorded}"
        ))
    })
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
