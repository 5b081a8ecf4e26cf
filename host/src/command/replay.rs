//! `host replay`: one game of a run in the terminal, move by move.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    thread,
    time::Duration,
};

use clap::ValueEnum;
use report::board_picture;
use run::{
    game_record::GameRecord,
    replay::{Replay, ReplayedMove},
    run_plan::RunPlan,
    thought_files::{GameThoughts, ThoughtFiles},
};
use text::{
    number_text::{count, decimals},
    plugin_words::{PluginWords, word_or_quotation},
    wrap::wrapped,
};

use crate::command::{
    chosen_games::{Options, game_of_run},
    exit_code,
    interruption::InterruptionWatch,
};
use anyhow::anyhow;
use console::{Style, Term, truncate_str};
use plugin_api::{Board, face_value};

use super::{CommandError, CommandResult, StandardOutput, converter::convert, explain::write_file};
use crate::command::command_line::{FigureFormat, ReplayArguments};

pub(crate) fn replay(arguments: &ReplayArguments) -> CommandResult {
    let usage = |error: anyhow::Error| CommandError::new(exit_code::USAGE, error);
    let plan = RunPlan::read(&arguments.run)?;
    let budget = arguments.budget.as_deref();
    let (folder, agent) = (&arguments.run, &arguments.agent);
    let record = game_of_run(folder, &plan, Options::USUAL, agent, arguments.seed, budget)?;
    let last = arguments.to.unwrap_or(u64::MAX).min(record.n_moves);
    if arguments.from > last {
        return Err(usage(anyhow!(
            "--from {}: must not be after the last move shown, {last}",
            arguments.from
        )));
    }
    let thoughts = ThoughtFiles::of_run(&arguments.run).read(&record);
    let thoughts = thoughts.unwrap_or_default();
    if let Some(file) = &arguments.picture {
        let frames = frames(&plan, &record, &thoughts, arguments.from..=arguments.from)?;
        write_picture(&frames[0], file)?;
        return Ok(exit_code::OK);
    }
    let frames = frames(&plan, &record, &thoughts, arguments.from..=last)?;
    Ok(if io::stdout().is_terminal() {
        draw_in_place(&frames, &record, arguments.speed)?
    } else {
        print_lines(&frames, &record)?
    })
}

/// A board to show and the move that led to it.
struct Frame {
    number: u64,
    step: Option<ReplayedMove>,
    board: Board,
    /// What the agent noted about the move.
    notes: String,
}

impl Frame {
    fn score(&self) -> u64 {
        self.step.as_ref().map_or(0, |step| step.score)
    }
}

fn write_picture(frame: &Frame, file: &Path) -> Result<(), CommandError> {
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let format = FigureFormat::from_str(&ending, true).map_err(|_| {
        let message = anyhow!(
            "--picture {}: the ending must be svg, pdf or png",
            file.display()
        );
        CommandError::new(exit_code::USAGE, message)
    })?;
    let words = format!(
        "score {}, move {}",
        count(frame.score()),
        count(frame.number)
    );
    let picture = board_picture(&frame.board.tiles(), &words);
    let picture = convert(&picture, format, "name an .svg file")
        .map_err(|error| CommandError::new(exit_code::UNEXPECTED, error))?;
    write_file(file, &picture)
}

fn frames(
    plan: &RunPlan,
    record: &GameRecord,
    thoughts: &GameThoughts,
    wanted: std::ops::RangeInclusive<u64>,
) -> Result<Vec<Frame>, CommandError> {
    let replay = Replay::new(plan.tournament.rules(), &plan.salt, record);
    let mut frames = Vec::new();
    if wanted.contains(&0) {
        frames.push(Frame {
            number: 0,
            step: None,
            board: *replay.board(),
            notes: String::new(),
        });
    }
    for step in replay {
        let step = step.map_err(|error| {
            CommandError::new(
                exit_code::VERIFICATION,
                anyhow!("the record of game {} is wrong: {error}", record.game),
            )
        })?;
        if wanted.contains(&step.number) {
            frames.push(Frame {
                number: step.number,
                board: step.board,
                notes: notes(thoughts, step.number),
                step: Some(step),
            });
        }
    }
    Ok(frames)
}

fn notes(thoughts: &GameThoughts, number: u64) -> String {
    let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
    let numbers = thoughts.numbers.iter().filter_map(|(name, values)| {
        let value = values.get(index).copied().flatten()?;
        Some((name.as_str(), value))
    });
    let text = thoughts.texts.get(index).and_then(Option::as_deref);
    notes_line(numbers, text)
}

/// The notes on a move in one line: `play-outs 1,200, “few empty cells”`.
pub(super) fn notes_line<'a>(
    numbers: impl Iterator<Item = (&'a str, f64)>,
    text: Option<&str>,
) -> String {
    let numbers =
        numbers.map(|(name, value)| format!("{} {}", word_or_quotation(name), own_number(value)));
    let text = text.map(|text| PluginWords::new(text).to_string());
    numbers.chain(text).collect::<Vec<_>>().join(", ")
}

/// A number on a scale that only its agent knows.
fn own_number(value: f64) -> String {
    let text = match value.abs() {
        size if size != 0.0 && !(1e-3..1e12).contains(&size) => format!("{value:.3e}"),
        _ if value.fract() == 0.0 => decimals(value, 0),
        _ => decimals(value, 3),
    };
    text.replace('-', "−")
}

/// For pipes: one line per move, for `grep` and `tail`.
fn print_lines(frames: &[Frame], record: &GameRecord) -> io::Result<u8> {
    let mut out = io::BufWriter::new(StandardOutput::default());
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
            "{:>6} {direction:<5} {gain:>7} {:>8}  {}{}{}",
            frame.number,
            frame.score(),
            rows.join(" / "),
            if frame.notes.is_empty() { "" } else { "  " },
            frame.notes
        )?;
    }
    writeln!(out, "{}", ending(frames, record))?;
    out.flush()?;
    Ok(exit_code::OK)
}

/// For terminals: each board is drawn over the previous one.
fn draw_in_place(frames: &[Frame], record: &GameRecord, speed: f64) -> io::Result<u8> {
    let watch = InterruptionWatch::start()?;
    let term = Term::buffered_stdout();
    let pause = Duration::from_secs_f64((1.0 / speed).min(60.0));
    term.hide_cursor()?;
    let most = frames.iter().map(|frame| note_lines(frame, &term).len());
    let n_note_lines = most.max().unwrap_or(0);
    let mut n_lines = 0;
    let mut interrupted = false;
    for (index, frame) in frames.iter().enumerate() {
        if index > 0 {
            thread::sleep(pause);
        }
        interrupted = watch.stop().load(std::sync::atomic::Ordering::Relaxed);
        if interrupted {
            break;
        }
        let text = drawn(frame, record, &note_lines(frame, &term), n_note_lines);
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

/// The notes on a move in as many lines as a terminal has room for beside the board.
fn note_lines(frame: &Frame, term: &Term) -> Vec<String> {
    /// Agent, move, an empty line, how the game ended, and the prompt.
    const OTHERS: usize = 5;
    if frame.notes.is_empty() {
        return Vec::new();
    }
    let (height, width) = term.size();
    let n_board_lines = 2 * frame.board.side().length();
    let room = usize::from(height).saturating_sub(n_board_lines + OTHERS);
    let text = wrapped(&frame.notes, "  ", Some(width.into()));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.len() > room.max(1) {
        lines.truncate(room.max(1));
        lines.last_mut().into_iter().for_each(|line| line.push('…'));
    }
    // A line that wraps would not be drawn over.
    let fitted = lines
        .iter()
        .map(|line| truncate_str(line, width.into(), "…"));
    fitted.map(Into::into).collect()
}

/// The notes take the same number of lines on every move, so that the board stays in its place.
fn drawn(frame: &Frame, record: &GameRecord, notes: &[String], n_note_lines: usize) -> String {
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
    if n_note_lines > 0 {
        text.pop();
        for number in 0..n_note_lines {
            text += notes.get(number).map_or("", String::as_str);
            text.push('\n');
        }
        text.push('\n');
    }
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

/// Higher tiles have warmer colours.
fn style(exponent: u8) -> Style {
    const COLOURS: [u8; 12] = [250, 229, 222, 215, 209, 203, 197, 199, 201, 171, 141, 111];
    let Some(index) = exponent.checked_sub(1) else {
        return Style::new().dim();
    };
    let index = usize::from(index).min(COLOURS.len() - 1);
    Style::new().color256(COLOURS[index]).bold()
}

fn ending(frames: &[Frame], record: &GameRecord) -> String {
    if frames
        .last()
        .is_none_or(|frame| frame.number < record.n_moves)
    {
        return format!("the game continues to move {}", record.n_moves);
    }
    match &record.fault {
        Some(fault) => format!("ended with {}: {fault}", record.ending),
        None => format!(
            "ended with {}, score {}, highest tile {}",
            record.ending, record.score, record.highest
        ),
    }
}
