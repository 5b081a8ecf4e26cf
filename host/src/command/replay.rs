//! `host replay`: one game of a run in the terminal, move by move.

use std::{
    io::{self, IsTerminal, Write},
    thread,
    time::Duration,
};

use crate::{
    exit_code,
    game_log::{self, LogLine},
    game_record::GameRecord,
    interruption::InterruptionWatch,
    nearest_name::suggestion,
    replay::{Replay, Step},
    run_plan::RunPlan,
    tournament::Budget,
};
use anyhow::anyhow;
use console::{Style, Term};
use plugin_api::{Board, face_value};

use super::{CommandError, CommandResult};
use crate::command_line::ReplayArguments;

pub(crate) fn replay(arguments: &ReplayArguments) -> CommandResult {
    let usage = |error: anyhow::Error| CommandError::new(exit_code::USAGE, error);
    let plan = RunPlan::read(&arguments.run).map_err(|error| usage(error.into()))?;
    let budget = check_names(arguments, &plan).map_err(usage)?;
    let record = find_record(arguments, budget.as_deref())?
        .ok_or_else(|| usage(not_played(arguments, &plan)))?;
    let last = arguments.to.unwrap_or(u64::MAX).min(record.n_moves);
    if arguments.from > last {
        return Err(usage(anyhow!(
            "--from {}: the replay ends with move {last}",
            arguments.from
        )));
    }
    let frames = frames(&plan, &record, arguments.from..=last)?;
    let shown = if io::stdout().is_terminal() {
        draw_in_place(&frames, &record, arguments.speed)
    } else {
        print_lines(&frames, &record)
    };
    match shown {
        // Whoever read it has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(exit_code::OK),
        result => Ok(result?),
    }
}

/// The label of the budget, where a record names it.
fn check_names(arguments: &ReplayArguments, plan: &RunPlan) -> anyhow::Result<Option<String>> {
    let names: Vec<&str> = plan
        .entrants
        .iter()
        .map(|entrant| entrant.name.as_str())
        .collect();
    if !names.contains(&arguments.agent.as_str()) {
        return Err(anyhow!(
            "--agent {}: no agent of this run has this name; {}",
            arguments.agent,
            suggestion(&arguments.agent, "agents", &names)
        ));
    }
    let labels: Vec<String> = plan.tournament.budgets.iter().map(Budget::label).collect();
    let quoted = || format!("'{}'", labels.join("', '"));
    match (&arguments.budget, labels.as_slice()) {
        (None, [_]) => Ok(None),
        (None, _) => Err(anyhow!(
            "the run has several budgets; choose one with --budget: {}",
            quoted()
        )),
        (Some(label), labels) if !labels.contains(label) => Err(anyhow!(
            "--budget '{label}': the run has no such budget; it has {}",
            quoted()
        )),
        (Some(_), [_]) => Ok(None),
        (Some(label), _) => Ok(Some(label.clone())),
    }
}

fn find_record(
    arguments: &ReplayArguments,
    budget: Option<&str>,
) -> Result<Option<GameRecord>, CommandError> {
    let mut found = None;
    game_log::read(&arguments.run.join("games.jsonl"), |_, line| {
        if let LogLine::Record(record) = line
            && record.agent == arguments.agent
            && record.seed == arguments.seed
            && (budget.is_none() || record.budget.as_deref() == budget)
        {
            found = Some(*record);
        }
    })?;
    Ok(found)
}

/// A tournament that extends itself plays more seeds than its file names, so the
/// seeds are looked at only when there is no record.
fn not_played(arguments: &ReplayArguments, plan: &RunPlan) -> anyhow::Error {
    let (agent, seed) = (&arguments.agent, arguments.seed);
    let seeds = &plan.tournament.seeds;
    if seeds.contains(seed) {
        anyhow!("`{agent}` has not played seed {seed} yet; `host run` plays what is missing")
    } else {
        anyhow!("--seed {seed}: not one of the run's seeds, {seeds}")
    }
}

/// A board to show and the move that led to it.
struct Frame {
    number: u64,
    step: Option<Step>,
    board: Board,
}

impl Frame {
    fn score(&self) -> u64 {
        self.step.as_ref().map_or(0, |step| step.score)
    }
}

fn frames(
    plan: &RunPlan,
    record: &GameRecord,
    wanted: std::ops::RangeInclusive<u64>,
) -> Result<Vec<Frame>, CommandError> {
    let replay = Replay::new(plan.tournament.rules(), &plan.salt(), record);
    let mut frames = Vec::new();
    if wanted.contains(&0) {
        frames.push(Frame {
            number: 0,
            step: None,
            board: *replay.board(),
        });
    }
    for step in replay {
        let step = step.map_err(|error| {
            CommandError::new(
                exit_code::VERIFICATION,
                anyhow!("the record of game {} does not hold: {error}", record.game),
            )
        })?;
        if wanted.contains(&step.number) {
            frames.push(Frame {
                number: step.number,
                board: step.board,
                step: Some(step),
            });
        }
    }
    Ok(frames)
}

/// For pipes: one line a move, so that `grep` and `tail` are of use.
fn print_lines(frames: &[Frame], record: &GameRecord) -> io::Result<u8> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for frame in frames {
        let (direction, gain) = match &frame.step {
            Some(step) => (step.direction.to_string(), format!("+{}", step.gain)),
            None => ("start".to_owned(), String::new()),
        };
        let rows: Vec<String> = frame
            .board
            .to_string()
            .lines()
            .map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        writeln!(
            out,
            "{:>6} {direction:<5} {gain:>7} {:>8}  {}",
            frame.number,
            frame.score(),
            rows.join(" / ")
        )?;
    }
    writeln!(out, "{}", ending(frames, record))?;
    out.flush()?;
    Ok(exit_code::OK)
}

/// For terminals: the board is drawn over the one before it.
fn draw_in_place(frames: &[Frame], record: &GameRecord, speed: f64) -> io::Result<u8> {
    let watch = InterruptionWatch::start()?;
    let term = Term::buffered_stdout();
    let pause = Duration::from_secs_f64((1.0 / speed).min(60.0));
    term.hide_cursor()?;
    let mut n_lines = 0;
    let mut interrupted = false;
    for (place, frame) in frames.iter().enumerate() {
        if place > 0 {
            thread::sleep(pause);
        }
        interrupted = watch.stop().load(std::sync::atomic::Ordering::Relaxed);
        if interrupted {
            break;
        }
        let text = drawn(frame, record);
        term.move_cursor_up(n_lines)?;
        for line in text.lines() {
            term.clear_line()?;
            term.write_line(line)?;
        }
        n_lines = text.lines().count();
        term.flush()?;
    }
    term.show_cursor()?;
    if !interrupted {
        term.write_line(&ending(frames, record))?;
    }
    term.flush()?;
    Ok(if interrupted {
        exit_code::INTERRUPTED
    } else {
        exit_code::OK
    })
}

fn drawn(frame: &Frame, record: &GameRecord) -> String {
    let plain = std::env::var_os("NO_COLOR").is_some();
    let last = match &frame.step {
        Some(step) if step.gain > 0 => format!("{} +{}", step.direction, step.gain),
        Some(step) => step.direction.to_string(),
        None => "start".to_owned(),
    };
    let mut text = format!(
        "{}, seed {}\nmove {} of {}  score {}  highest {}  {last}\n\n",
        record.agent,
        record.seed,
        frame.number,
        record.n_moves,
        frame.score(),
        frame.board.highest()
    );
    let width = frame.board.highest().to_string().len().max(4) + 2;
    let spawn = frame.step.as_ref().map(|step| step.spawn.cell);
    let side = frame.board.side().length();
    for (number, row) in frame.board.rows().enumerate() {
        for (column, &exponent) in row.iter().enumerate() {
            let tile = match exponent {
                0 => "·".to_owned(),
                _ => face_value(exponent).to_string(),
            };
            let is_new = spawn == Some(number * side + column);
            let cell = format!("{tile:>width$}{}", if is_new { '*' } else { ' ' });
            text += &if plain {
                cell
            } else {
                style(exponent).apply_to(cell).to_string()
            };
        }
        text += "\n\n";
    }
    text
}

/// The higher a tile, the hotter; the number says the same.
fn style(exponent: u8) -> Style {
    const COLOURS: [u8; 12] = [250, 229, 222, 215, 209, 203, 197, 199, 201, 171, 141, 111];
    let Some(place) = exponent.checked_sub(1) else {
        return Style::new().dim();
    };
    let place = usize::from(place).min(COLOURS.len() - 1);
    Style::new().color256(COLOURS[place]).bold()
}

fn ending(frames: &[Frame], record: &GameRecord) -> String {
    if frames
        .last()
        .is_none_or(|frame| frame.number < record.n_moves)
    {
        return format!("the game goes on to move {}", record.n_moves);
    }
    match &record.fault {
        Some(fault) => format!("ended by {}: {fault}", record.ending),
        None => format!(
            "ended by {} with score {} and tile {}",
            record.ending, record.score, record.highest
        ),
    }
}
