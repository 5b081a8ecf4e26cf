//! `host solve`: finds all solutions of deterministic 2048 with a plugin's `solve/1`.

use std::{
    io::{self, IsTerminal, Write},
    ops::ControlFlow,
    sync::atomic::Ordering,
    time::Duration,
};

use play::agents::{extension_call::ExtensionCall, plugin_finder::PluginFinder};
use text::{
    byte_size::parse_byte_size,
    plugin_words::{PluginWords, name_as_code},
    printable::PrintableWriter,
};
use tournament::Tournament;
use worker::PluginFile;

use crate::command::{
    command_line::{Format, SolveArguments},
    exit_code,
    interruption::InterruptionWatch,
};
use anyhow::{Context, anyhow};
use indicatif::ProgressBar;
use plugin_api::{
    Board, Direction,
    solve::{self, Solution, SolveAnswer, SolveMessage, SolveProgress, SolveRequest},
};
use serde_json::json;

use super::{CommandError, CommandResult};

/// No solution of a board that can be searched has more moves, and no number of solutions more
/// digits: an answer beyond them would only fill the screen.
const MOST_MOVES: usize = 100_000;
const MOST_DIGITS: usize = 10_000;
/// A request states the memory of a search in MiB.
const LEAST_MEMORY: u64 = 1 << 20;

pub(crate) fn solve(arguments: &SolveArguments) -> CommandResult {
    let usage = |message: String| CommandError::new(exit_code::USAGE, anyhow!(message));
    let in_plugin = |error: anyhow::Error| CommandError::new(exit_code::PLUGIN, error);
    if !Tournament::is_goal(arguments.goal) {
        return Err(usage(format!(
            "--goal {}: not a tile; use a power of two: 4, 8, 16, …",
            arguments.goal
        )));
    }
    let memory = parse_byte_size(&arguments.memory)
        .map_err(|error| usage(format!("--memory {}: {error}", arguments.memory)))?;
    if memory < LEAST_MEMORY {
        return Err(usage(format!(
            "--memory {}: not enough for a search; write at least 1MiB",
            arguments.memory
        )));
    }
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    let plugin = finder
        .find(&arguments.plugin, None)
        .map_err(|error| in_plugin(error.into()))?;
    let request = SolveRequest {
        size: arguments.size,
        goal: arguments.goal,
        list: arguments.list,
        examples: arguments.examples,
        memory: Some(memory),
    };
    let watch = InterruptionWatch::start()?;
    let mut printer = Printer::new(arguments.format.format);
    let file = PluginFile::seal(&plugin).map_err(|error| {
        let name = name_as_code(&plugin.to_string_lossy());
        in_plugin(anyhow!("plugin {name}: {error}"))
    })?;
    let call = ExtensionCall {
        plugin: &file,
        name: solve::NAME,
        request: serde_json::to_string(&request).map_err(io::Error::from)?,
        memory,
        allow_read: &[],
    };
    let answer = call.make(
        |message| printer.message(message),
        || watch.stop().load(Ordering::Relaxed),
    );
    printer.progress.finish_and_clear();
    let was_stopped = watch.stop().load(Ordering::Relaxed);
    let answer = answer
        .with_context(|| format!("plugin {}", name_as_code(&plugin.to_string_lossy())))
        .map_err(|error| {
            if was_stopped {
                CommandError::new(exit_code::INTERRUPTED, error.context("interrupted"))
            } else {
                in_plugin(error)
            }
        })?;
    let mut answer: SolveAnswer = serde_json::from_str(&answer).map_err(|error| {
        // The error names values, which are the plugin's.
        let error = PluginWords::from(error.to_string());
        in_plugin(anyhow!("the answer of the plugin is malformed: {error}"))
    })?;
    // A number of any size arrives as text, and other text is no answer.
    answer.solutions = answer.solutions.filter(|text| is_number(text));
    answer.shortest = answer.shortest.filter(is_playable);
    match printer.answer(&request, &answer) {
        // The reader of the pipe has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(exit_code::OK),
        result => result?,
    }
    Ok(
        if answer.complete || !watch.stop().load(Ordering::Relaxed) {
            exit_code::OK
        } else {
            exit_code::INTERRUPTED
        },
    )
}

/// Prints solutions as they are found, and the answer at the end.
struct Printer {
    format: Format,
    out: PrintableWriter<io::BufWriter<io::Stdout>>,
    progress: ProgressBar,
    n_printed: u64,
    /// Solutions kept for the JSON object that is printed at the end.
    solutions: Vec<Solution>,
}

impl Printer {
    fn new(format: Format) -> Self {
        let progress = if io::stderr().is_terminal() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        progress.enable_steady_tick(Duration::from_millis(200));
        Self {
            format,
            out: PrintableWriter(io::BufWriter::new(io::stdout())),
            progress,
            n_printed: 0,
            solutions: Vec::new(),
        }
    }

    fn message(&mut self, message: &str) -> ControlFlow<()> {
        let printed = match serde_json::from_str(message) {
            Ok(SolveMessage::Progress(progress)) => {
                self.progress.set_message(describe(&progress));
                Ok(())
            }
            Ok(SolveMessage::Solution(solution)) if is_playable(&solution) => {
                self.solution(solution)
            }
            // Moves that are none, or a message of a later version of the extension.
            Ok(SolveMessage::Solution(_)) | Err(_) => Ok(()),
        };
        match printed {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn solution(&mut self, solution: Solution) -> io::Result<()> {
        self.n_printed += 1;
        match self.format {
            Format::Json => {
                self.solutions.push(solution);
                Ok(())
            }
            Format::Csv => {
                if self.n_printed == 1 {
                    writeln!(self.out, "solution,n_moves,moves,board")?;
                }
                let (n_moves, board) = (solution.moves.len(), one_line(&solution.board));
                writeln!(
                    self.out,
                    "{},{n_moves},{},{board}",
                    self.n_printed, solution.moves
                )
            }
            Format::Table | Format::Markdown => {
                writeln!(
                    self.out,
                    "{:>8}  {:>4} moves  {}  →  {}",
                    self.n_printed,
                    solution.moves.len(),
                    solution.moves,
                    one_line(&solution.board)
                )
            }
        }
    }

    fn answer(&mut self, request: &SolveRequest, answer: &SolveAnswer) -> io::Result<()> {
        match self.format {
            Format::Json => {
                let object = json!({
                    "size": request.size,
                    "goal": request.goal,
                    "solutions": answer.solutions,
                    "min_moves": answer.min_moves,
                    "max_moves": answer.max_moves,
                    "shortest": answer.shortest,
                    "states": answer.states,
                    "complete": answer.complete,
                    "incomplete_because": answer.incomplete_because,
                    "examples": self.solutions,
                });
                writeln!(self.out, "{object}")?;
            }
            Format::Csv if self.n_printed > 0 => {}
            Format::Csv => {
                writeln!(
                    self.out,
                    "size,goal,solutions,min_moves,max_moves,states,complete"
                )?;
                writeln!(
                    self.out,
                    "{},{},{},{},{},{},{}",
                    request.size.length(),
                    request.goal,
                    answer.solutions.as_deref().unwrap_or(""),
                    or_empty(answer.min_moves),
                    or_empty(answer.max_moves),
                    answer.states,
                    answer.complete
                )?;
            }
            Format::Table | Format::Markdown => self.sentences(request, answer)?,
        }
        self.out.flush()
    }

    fn sentences(&mut self, request: &SolveRequest, answer: &SolveAnswer) -> io::Result<()> {
        let out = &mut self.out;
        let at_least = if answer.complete { "" } else { "at least " };
        writeln!(
            out,
            "deterministic 2048 on {}, goal {}",
            request.size, request.goal
        )?;
        match &answer.solutions {
            Some(solutions) => writeln!(out, "  solutions   {at_least}{solutions}")?,
            None => writeln!(out, "  solutions   not counted")?,
        }
        if let (Some(min), Some(max)) = (answer.min_moves, answer.max_moves) {
            writeln!(out, "  moves       {min} to {at_least}{max}")?;
        } else if let Some(min) = answer.min_moves {
            writeln!(out, "  moves       at least {min}")?;
        }
        writeln!(out, "  states      {}", answer.states)?;
        if let Some(shortest) = &answer.shortest {
            writeln!(out, "  shortest    {}", shortest.moves)?;
            if let Some(board) = board_of(&shortest.board) {
                for row in board.to_string().lines() {
                    writeln!(out, "              {row}")?;
                }
            }
        }
        if let Some(reason) = &answer.incomplete_because {
            writeln!(out, "  incomplete  {}", PluginWords::new(reason))?;
        }
        Ok(())
    }
}

fn describe(progress: &SolveProgress) -> String {
    const LONGEST_STAGE: usize = 40;
    let stage = PluginWords::cut(&progress.stage, LONGEST_STAGE);
    let mut parts = vec![format!("{stage}: {} visited", progress.visited)];
    let solutions = progress.solutions.as_ref().filter(|text| is_number(text));
    parts.extend(solutions.map(|solutions| format!("{solutions} solutions")));
    if progress.memory > 0 {
        parts.push(format!("{} MiB", progress.memory >> 20));
    }
    parts.join(", ")
}

fn is_playable(solution: &Solution) -> bool {
    let mut letters = solution.moves.chars();
    solution.moves.len() <= MOST_MOVES
        && letters.all(|letter| Direction::from_letter(letter).is_some())
}

fn is_number(text: &str) -> bool {
    (1..=MOST_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn or_empty(number: Option<u64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn one_line(rows: &[Vec<u64>]) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|row| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    rows.join(" / ")
}

fn board_of(rows: &[Vec<u64>]) -> Option<Board> {
    one_line(rows).parse().ok()
}
