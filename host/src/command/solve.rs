//! `host solve`: finds all solutions of deterministic 2048 with a plugin's `solve/1`.

use std::{
    io::{self, IsTerminal, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use ::explain::{Question, drawing::PAGE_WIDTH};
use play::agents::{extension_call::ExtensionCall, plugin_finder::PluginFinder, solved};
use statistics::as_f64;
use text::{
    byte_size::parse_byte_size,
    csv_table::csv_text,
    number_text::{NONE, counted, decimals, microseconds},
    plugin_words::{PluginWords, name_as_code},
    printable::PrintableWriter,
};
use worker::PluginFile;

use crate::command::{
    command_line::{ExplainFormat, Format, SolveArguments},
    exit_code,
    interruption::InterruptionWatch,
};
use anyhow::{Context, anyhow};
use indicatif::ProgressBar;
use plugin_api::{
    Board, Direction, Game, Rules, Salt, Side, Tiles,
    solve::{self, Solution, SolveAnswer, SolveMessage, SolveProgress, SolveRequest, TreeSize},
};
use serde_json::{Value, json};
use tabled::{
    builder::Builder,
    settings::{Alignment, Style, style::HorizontalLine},
};

use super::{
    CommandError, CommandResult, StandardOutput,
    asked::{AgentArgument, Position},
    board_line, explain,
};

/// A request states the memory of a search in MiB.
const LEAST_MEMORY: u64 = 1 << 20;

pub(crate) fn solve(arguments: &SolveArguments) -> CommandResult {
    let requests = requests(arguments)?;
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    if arguments.trace || arguments.tree.is_some() {
        return show_tree(arguments, &requests, &finder);
    }
    let plugin = finder
        .find(&arguments.plugin, None)
        .map_err(|error| CommandError::new(exit_code::PLUGIN, error))?;
    let sealed = PluginFile::seal(&plugin).map_err(|error| {
        let name = name_as_code(&plugin.to_string_lossy());
        CommandError::new(exit_code::PLUGIN, anyhow!("plugin {name}: {error}"))
    })?;
    let search = Search {
        plugin,
        sealed,
        limit: arguments.limit,
        watch: InterruptionWatch::start()?,
    };
    let mut printer = Printer::new(arguments.format.format, requests.len() > 1);
    let solved = search.make_all(&requests, &mut printer);
    printer.progress.finish_and_clear();
    solved?;
    printer.end(arguments.no_prune)?;
    if printer.out.0.get_ref().is_closed() {
        return Ok(exit_code::OK);
    }
    let is_complete = printer.solved.iter().all(|solved| solved.answer.complete);
    Ok(if is_complete || !search.is_interrupted() {
        exit_code::OK
    } else {
        exit_code::INTERRUPTED
    })
}

/// Shows the state-space tree from the initial board, as `host explain` does.
fn show_tree(
    arguments: &SolveArguments,
    requests: &[SolveRequest],
    finder: &PluginFinder,
) -> CommandResult {
    let usage = |message: &str| CommandError::new(exit_code::USAGE, anyhow!("{message}"));
    let [request] = requests else {
        return Err(usage("--trace, --tree: name one board and one goal"));
    };
    let board = start_of(request);
    let position = Position {
        board,
        rules: Rules {
            side: request.size,
            tiles: Tiles::Deterministic,
            goal: Some(request.goal),
            ..Rules::default()
        },
        seed: 1,
    };
    let order = request.order.iter();
    let params = order.map(|order| ("order".to_owned(), json!(order)));
    let agent = AgentArgument::new(&arguments.plugin, params.collect());
    let plan = agent.plan(&position, finder)?;
    let watch = InterruptionWatch::start()?;
    let show_as = |format: ExplainFormat, out: Option<&Path>| {
        let question = Question {
            plan: &plan,
            seed: position.seed,
            board,
            depth: None,
            nodes: explain::usual_nodes(format),
        };
        explain::show(&question, format, PAGE_WIDTH, out, &watch)
    };
    if arguments.trace {
        show_as(ExplainFormat::Text, None)?;
    }
    if let Some(file) = &arguments.tree {
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        let format = ExplainFormat::of_ending(&ending)
            .ok_or_else(|| usage("--tree: the ending of the file says no format, such as svg"))?;
        show_as(format, Some(file))?;
    }
    Ok(exit_code::OK)
}

/// One request for each board and goal.
fn requests(arguments: &SolveArguments) -> Result<Vec<SolveRequest>, CommandError> {
    let usage = |message: String| CommandError::new(exit_code::USAGE, anyhow!(message));
    let memory = parse_byte_size(&arguments.memory)
        .map_err(|error| usage(format!("--memory {}: {error}", arguments.memory)))?;
    if memory < LEAST_MEMORY {
        return Err(usage(format!(
            "--memory {}: not enough for a search; write at least 1MiB",
            arguments.memory
        )));
    }
    let problems = arguments
        .size
        .iter()
        .flat_map(|size| arguments.goal.iter().map(move |goal| (*size, *goal)));
    let problems: Vec<(Side, u64)> = problems.collect();
    if arguments.list && problems.len() > 1 {
        return Err(usage(
            "--list: the solutions of one board and one goal can be listed".into(),
        ));
    }
    let is_only = problems.len() == 1;
    let requests = problems.into_iter().map(|(size, goal)| SolveRequest {
        size,
        goal,
        list: arguments.list,
        examples: if is_only { arguments.examples } else { 0 },
        memory: Some(memory),
        order: arguments.order.clone(),
        unpruned: arguments.no_prune,
    });
    Ok(requests.collect())
}

/// Searches by a plugin, until they are interrupted.
struct Search {
    plugin: PathBuf,
    sealed: PluginFile,
    /// The longest time of each search.
    limit: Option<Duration>,
    watch: InterruptionWatch,
}

impl Search {
    fn make_all(
        &self,
        requests: &[SolveRequest],
        printer: &mut Printer,
    ) -> Result<(), CommandError> {
        for request in requests {
            if self.is_interrupted() {
                break;
            }
            printer.begin(request)?;
            let answer = self.make(request, printer)?;
            printer.solved.push(Solved {
                request: request.clone(),
                answer,
            });
        }
        Ok(())
    }

    fn make(
        &self,
        request: &SolveRequest,
        printer: &mut Printer,
    ) -> Result<SolveAnswer, CommandError> {
        let in_plugin = |error: anyhow::Error| CommandError::new(exit_code::PLUGIN, error);
        let call = ExtensionCall {
            plugin: &self.sealed,
            name: solve::NAME,
            request: serde_json::to_string(&request).map_err(io::Error::from)?,
            memory: request.memory.unwrap_or(LEAST_MEMORY),
            allow_read: &self.sealed.own_files(),
        };
        let started = Instant::now();
        let is_over = || self.limit.is_some_and(|limit| started.elapsed() >= limit);
        let answer = call.make(
            |message| printer.message(message),
            || self.is_interrupted() || is_over(),
        );
        let answer = answer
            .with_context(|| format!("plugin {}", name_as_code(&self.plugin.to_string_lossy())))
            .map_err(|error| {
                if self.is_interrupted() {
                    CommandError::new(exit_code::INTERRUPTED, error.context("interrupted"))
                } else {
                    in_plugin(error)
                }
            })?;
        solved::answer(&answer).map_err(|sentence| in_plugin(anyhow!(sentence)))
    }

    fn is_interrupted(&self) -> bool {
        self.watch.stop().load(Ordering::Relaxed)
    }
}

/// A request with its answer.
struct Solved {
    request: SolveRequest,
    answer: SolveAnswer,
}

/// A figure of an answer: its key for programs, its name for people, and what both read.
struct Figure {
    key: &'static str,
    name: &'static str,
    /// Empty where it is not known.
    value: fn(&Solved) -> String,
}

const FIGURES: [Figure; 12] = [
    Figure {
        key: "size",
        name: "Board",
        value: |solved| solved.request.size.length().to_string(),
    },
    Figure {
        key: "goal",
        name: "Goal",
        value: |solved| solved.request.goal.to_string(),
    },
    Figure {
        key: "solutions",
        name: "Solutions",
        value: |solved| or_empty(solved.answer.solutions.as_ref()),
    },
    Figure {
        key: "min_moves",
        name: "Fewest moves",
        value: |solved| or_empty(solved.answer.min_moves),
    },
    Figure {
        key: "max_moves",
        name: "Most moves",
        value: |solved| or_empty(solved.answer.max_moves),
    },
    Figure {
        key: "states",
        name: "States",
        value: |solved| solved.answer.states.to_string(),
    },
    Figure {
        key: "complete",
        name: "",
        value: |solved| solved.answer.complete.to_string(),
    },
    Figure {
        key: "nodes",
        name: "Nodes",
        value: |solved| of_tree(solved, |tree| Some(&tree.generated)),
    },
    Figure {
        key: "expanded",
        name: "Expanded",
        value: |solved| of_tree(solved, |tree| Some(&tree.expanded)),
    },
    Figure {
        key: "killed",
        name: "Killed",
        value: |solved| of_tree(solved, |tree| Some(&tree.killed)),
    },
    Figure {
        key: "unpruned_nodes",
        name: UNPRUNED,
        value: |solved| of_tree(solved, |tree| tree.unpruned.as_ref()),
    },
    Figure {
        key: "seconds",
        name: TIME,
        value: |solved| or_empty(solved.answer.micros.map(|micros| as_f64(micros) / 1e6)),
    },
];

const UNPRUNED: &str = "Nodes without pruning";
const TIME: &str = "Time";

fn of_tree(solved: &Solved, number: impl Fn(&TreeSize) -> Option<&String>) -> String {
    or_empty(solved.answer.tree.as_ref().and_then(number))
}

/// Prints solutions as they are found, and the answers at the end.
struct Printer {
    format: Format,
    out: PrintableWriter<io::BufWriter<StandardOutput>>,
    progress: ProgressBar,
    /// Whether there are several boards or goals: a table of the figures is printed.
    has_several: bool,
    n_printed: u64,
    /// Solutions kept for the JSON object that is printed at the end.
    solutions: Vec<Solution>,
    solved: Vec<Solved>,
}

impl Printer {
    fn new(format: Format, has_several: bool) -> Self {
        let progress = if io::stderr().is_terminal() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        progress.enable_steady_tick(Duration::from_millis(200));
        Self {
            format,
            out: PrintableWriter(io::BufWriter::new(StandardOutput::default())),
            progress,
            has_several,
            n_printed: 0,
            solutions: Vec::new(),
            solved: Vec::new(),
        }
    }

    /// Prints the initial board and the goal, where sentences follow.
    fn begin(&mut self, request: &SolveRequest) -> io::Result<()> {
        if self.has_several || !matches!(self.format, Format::Table | Format::Markdown) {
            return Ok(());
        }
        writeln!(
            self.out,
            "deterministic 2048 on {}, goal {}\n",
            request.size, request.goal
        )?;
        self.board("initial", &start_of(request).tiles())?;
        writeln!(self.out)
    }

    fn message(&mut self, message: &str) -> ControlFlow<()> {
        let printed = match solved::message(message) {
            Some(SolveMessage::Progress(progress)) => {
                self.progress.set_message(describe(&progress));
                Ok(())
            }
            Some(SolveMessage::Solution(solution)) => self.solution(solution),
            None => Ok(()),
        };
        match printed {
            Ok(()) if !self.out.0.get_ref().is_closed() => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
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
                    "{:>8}  {}: {}  →  {}",
                    self.n_printed,
                    counted(solution.moves.len() as u64, "move"),
                    words(&solution.moves),
                    one_line(&solution.board)
                )
            }
        }
    }

    /// Prints the answers; `unpruned` is whether the plugin was asked for what pruning saves.
    fn end(&mut self, unpruned: bool) -> io::Result<()> {
        let figures: Vec<&Figure> = FIGURES
            .iter()
            .filter(|figure| unpruned || figure.name != UNPRUNED)
            .collect();
        match self.format {
            Format::Json => {
                let mut answers: Vec<Value> = self.solved.iter().map(as_json).collect();
                let text = if self.has_several {
                    Value::Array(answers)
                } else {
                    let mut answer = answers.pop().unwrap_or_default();
                    answer["examples"] = json!(self.solutions);
                    answer
                };
                writeln!(self.out, "{text}")?;
            }
            Format::Csv if self.n_printed > 0 => {}
            Format::Csv => {
                let cells = |solved: &Solved| {
                    figures
                        .iter()
                        .map(|figure| (figure.value)(solved))
                        .collect::<Vec<_>>()
                };
                let header = figures.iter().map(|figure| figure.key.to_owned());
                let text = csv_text(header, self.solved.iter().map(cells));
                write!(self.out, "{text}")?;
            }
            Format::Table | Format::Markdown if self.has_several => self.table(&figures)?,
            Format::Table | Format::Markdown => self.sentences(unpruned)?,
        }
        self.out.flush()
    }

    /// A row per board and goal.
    fn table(&mut self, figures: &[&Figure]) -> io::Result<()> {
        let figures = figures.iter().filter(|figure| !figure.name.is_empty());
        let mut builder = Builder::default();
        builder.push_record(figures.clone().map(|figure| figure.name));
        for solved in &self.solved {
            builder.push_record(figures.clone().map(|figure| cell(figure, solved)));
        }
        let mut table = builder.build();
        if self.format == Format::Markdown {
            table.with(Style::markdown());
        } else {
            let line = HorizontalLine::new('─');
            table.with(Style::empty().horizontals([(1, line)]));
        }
        table.with(Alignment::right());
        for line in table.to_string().lines() {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn sentences(&mut self, unpruned: bool) -> io::Result<()> {
        let Some(Solved { answer, .. }) = self.solved.pop() else {
            return Ok(());
        };
        if self.n_printed > 0 {
            writeln!(self.out)?;
        }
        let out = &mut self.out;
        let at_least = if answer.complete { "" } else { "at least " };
        match &answer.solutions {
            Some(solutions) => writeln!(out, "  solutions   {at_least}{solutions}")?,
            None => writeln!(out, "  solutions   not counted")?,
        }
        if let (Some(min), Some(max)) = (answer.min_moves, answer.max_moves) {
            writeln!(out, "  moves       {min} to {at_least}{max}")?;
        } else if let Some(min) = answer.min_moves {
            writeln!(out, "  moves       at least {min}")?;
        }
        if let Some(tree) = &answer.tree {
            let TreeSize {
                generated,
                expanded,
                killed,
                ..
            } = tree;
            writeln!(
                out,
                "  nodes       {at_least}{generated} generated, {expanded} expanded, {killed} killed"
            )?;
            match &tree.unpruned {
                Some(number) => writeln!(
                    out,
                    "  no pruning  {number} generated{}",
                    times_as_many(number, generated)
                )?,
                None if unpruned => writeln!(out, "  no pruning  not counted")?,
                None => {}
            }
        }
        writeln!(out, "  states      {}", answer.states)?;
        if let Some(micros) = answer.micros {
            writeln!(out, "  time        {}", microseconds(as_f64(micros)))?;
        }
        if let Some(shortest) = &answer.shortest {
            writeln!(out, "  shortest    {}", shortest.moves)?;
        }
        if let Some(shortest) = &answer.shortest {
            self.board("", &shortest.board)?;
        }
        if let Some(reason) = &answer.incomplete_because {
            writeln!(self.out, "  incomplete  {}", PluginWords::new(reason))?;
        }
        Ok(())
    }

    /// A board with a label before its first row.
    fn board(&mut self, label: &str, rows: &[Vec<u64>]) -> io::Result<()> {
        let Some(board) = board_of(rows) else {
            return Ok(());
        };
        for (number, row) in board.to_string().lines().enumerate() {
            let label = if number == 0 { label } else { "" };
            writeln!(self.out, "  {label:<12}{row}")?;
        }
        Ok(())
    }
}

/// The figures of an answer, with its boards.
fn as_json(Solved { request, answer }: &Solved) -> Value {
    let tree = answer.tree.as_ref();
    json!({
        "size": request.size,
        "goal": request.goal,
        "initial": start_of(request).tiles(),
        "solutions": answer.solutions,
        "min_moves": answer.min_moves,
        "max_moves": answer.max_moves,
        "shortest": answer.shortest,
        "states": answer.states,
        "nodes": tree.map(|tree| &tree.generated),
        "expanded": tree.map(|tree| &tree.expanded),
        "killed": tree.map(|tree| &tree.killed),
        "unpruned_nodes": tree.and_then(|tree| tree.unpruned.as_ref()),
        "seconds": answer.micros.map(|micros| as_f64(micros) / 1e6),
        "complete": answer.complete,
        "incomplete_because": answer.incomplete_because,
    })
}

/// A figure as people read it.
fn cell(figure: &Figure, solved: &Solved) -> String {
    let answer = &solved.answer;
    match (figure.name, (figure.value)(solved)) {
        (TIME, _) => answer
            .micros
            .map_or(NONE.to_owned(), |micros| microseconds(as_f64(micros))),
        ("Board", _) => solved.request.size.to_string(),
        ("Goal", goal) => goal,
        (_, value) if value.is_empty() => NONE.to_owned(),
        (_, value) if answer.complete => value,
        (_, value) => format!("≥ {value}"),
    }
}

/// The board at the start of every game.
fn start_of(request: &SolveRequest) -> Board {
    let rules = Rules {
        side: request.size,
        tiles: Tiles::Deterministic,
        ..Rules::default()
    };
    *Game::start(rules, &Salt::NONE, 0).board()
}

/// `, 1.4 times as many`; nothing where the numbers are too large to divide.
fn times_as_many(number: &str, other: &str) -> String {
    let ratio = number.parse::<f64>().ok().zip(other.parse::<f64>().ok());
    match ratio.map(|(number, other)| number / other) {
        Some(ratio) if ratio.is_finite() && ratio < 1e6 => {
            format!(", {} times as many", decimals(ratio, 1))
        }
        Some(ratio) if ratio.is_finite() => format!(", {ratio:.1e} times as many"),
        _ => String::new(),
    }
}

/// The names of moves.
fn words(moves: &str) -> String {
    let directions = moves.chars().filter_map(Direction::from_letter);
    let words: Vec<String> = directions.map(|direction| direction.to_string()).collect();
    words.join(" ")
}

fn describe(progress: &SolveProgress) -> String {
    const LONGEST_STAGE: usize = 40;
    let stage = PluginWords::cut(&progress.stage, LONGEST_STAGE);
    let mut parts = vec![format!("{stage}: {} visited", progress.visited)];
    let solutions = progress.solutions.as_ref();
    parts.extend(solutions.map(|solutions| format!("{solutions} solutions")));
    if progress.memory > 0 {
        parts.push(format!("{} MiB", progress.memory >> 20));
    }
    parts.join(", ")
}

fn or_empty(number: Option<impl ToString>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn one_line(rows: &[Vec<u64>]) -> String {
    board_line(rows, " / ")
}

fn board_of(rows: &[Vec<u64>]) -> Option<Board> {
    one_line(rows).parse().ok()
}
