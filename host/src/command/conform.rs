//! `host conform`: checks the rules of another environment against the published vectors.
//!
//! The environment is a program that answers one line for every line, as `docs/conform.md` says.
//! It chooses the new tiles, so an answer is right if some tile explains it.

use std::{
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use anyhow::anyhow;
use plugin_api::{Board, Dice, Direction, Side, Slide};
use serde::Deserialize;
use text::{number_text::counted, plugin_words::PluginWords, printable::PrintableWriter};

use super::{CommandError, CommandResult, StandardOutput, board_line, exit_code};
use crate::command::command_line::ConformArguments;

const SLIDES: &str = include_str!("../../../docs/vectors/slides.jsonl");
const RULES: &str = "2048-v1";

/// A board on which either legal move ends the game, whichever tile appears.
const BEFORE_END: [[u64; 4]; 4] = [
    [8, 8, 32, 64],
    [32, 64, 16, 8],
    [64, 16, 32, 16],
    [16, 32, 8, 32],
];

const N_STARTS: usize = 100;
const N_GAMES: usize = 5;

/// New tiles that are counted after one move, which leaves 14 cells empty.
const N_SPAWNS: usize = 3000;
const BEFORE_SPAWN: &str = "2 2 0 0/4 0 0 0/0 0 0 0/0 0 0 0";
/// What a fair environment exceeds once in a million: see the test of uniformity in
/// `docs/rules.md`, and for a normal distribution in standard deviations.
const MOST_CHI_SQUARED: f64 = 52.75;
const MOST_DEVIATIONS: f64 = 4.89;
const FOURS: f64 = 0.1;

/// A line of `docs/vectors/slides.jsonl`; what follows from the board is computed.
#[derive(Deserialize)]
struct Vector {
    rule: String,
    board: Vec<Vec<u64>>,
}

/// What an environment says of a move.
struct Answer {
    gain: Option<u64>,
    is_over: bool,
    board: Board,
}

/// Why an environment does not conform to a rule: what was asked, expected and found.
struct Difference {
    request: String,
    expected: String,
    found: String,
}

/// One rule and what came of it.
struct Checked {
    rule: String,
    n_answers: usize,
    n_unsupported: usize,
    difference: Option<Difference>,
}

pub(crate) fn conform(arguments: &ConformArguments) -> CommandResult {
    let mut environment = Environment::start(&arguments.command)?;
    let mut out = PrintableWriter(StandardOutput::default());
    let mut checks: Vec<Checked> = Vec::new();
    let mut show = |checked: Checked| -> io::Result<()> {
        // The vectors of finished boards have no legal move.
        if checked.n_answers + checked.n_unsupported == 0 {
            return Ok(());
        }
        print_check(&mut out, &checked)?;
        checks.push(checked);
        Ok(())
    };
    show(check_start(&mut environment, arguments.size)?)?;
    let vectors = vectors(arguments.size);
    for of_rule in vectors.chunk_by(|one, other| one.rule == other.rule) {
        show(check_moves(&mut environment, of_rule)?)?;
    }
    show(check_games(&mut environment, arguments.size)?)?;
    if arguments.size == Side::FOUR {
        for checked in check_new_tiles(&mut environment)? {
            show(checked)?;
        }
    }
    drop(environment);
    let n_rules = checks.len();
    let different = checks.iter().filter(|check| check.difference.is_some());
    let different: Vec<&str> = different.map(|check| check.rule.as_str()).collect();
    let Some(first) = different.first() else {
        let n_unsupported = checks
            .iter()
            .filter(|check| check.n_unsupported > 0)
            .count();
        let except = match n_unsupported {
            0 => String::new(),
            n => format!(
                ", except what it does not support in {}",
                counted(n as u64, "rule")
            ),
        };
        writeln!(out, "\nconforms to {RULES}{except}")?;
        return Ok(exit_code::OK);
    };
    Err(CommandError::new(
        exit_code::PLUGIN,
        anyhow!(
            "the environment differs from {RULES} in {} of {n_rules} rules, first in `{first}`",
            different.len()
        ),
    ))
}

fn print_check(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    let result = match &checked.difference {
        Some(_) => "differs".to_owned(),
        None if checked.n_answers == 0 => "not supported".to_owned(),
        None if checked.n_unsupported > 0 => {
            format!("ok, {} not supported", checked.n_unsupported)
        }
        None => "ok".to_owned(),
    };
    writeln!(
        out,
        "{:<14} {:>5}  {result}",
        checked.rule, checked.n_answers
    )?;
    if let Some(difference) = &checked.difference {
        writeln!(out, "    asked     {}", difference.request)?;
        writeln!(out, "    expected  {}", difference.expected)?;
        writeln!(out, "    found     {}", difference.found)?;
    }
    Ok(())
}

/// The vectors of one size, the rules in the order of the file.
fn vectors(side: Side) -> Vec<Vector> {
    let vectors = SLIDES.lines().map(serde_json::from_str::<Vector>);
    let vectors = vectors.map(|vector| vector.expect("the vectors are of this form"));
    let of_side = vectors.filter(|vector| vector.board.len() == side.length());
    let mut rules: Vec<String> = Vec::new();
    let before_end = (side == Side::FOUR).then(|| Vector {
        rule: "end".to_owned(),
        board: BEFORE_END.map(Vec::from).into(),
    });
    let mut of_side: Vec<Vector> = of_side.chain(before_end).collect();
    for vector in &of_side {
        if !rules.contains(&vector.rule) {
            rules.push(vector.rule.clone());
        }
    }
    of_side.sort_by_key(|vector| rules.iter().position(|rule| *rule == vector.rule));
    of_side
}

fn check_start(environment: &mut Environment, side: Side) -> Result<Checked, CommandError> {
    let mut checked = Checked::new("start");
    for _ in 0..N_STARTS {
        let request = format!("start {}", side.length());
        let Some(board) = environment.board(&request)? else {
            checked.n_unsupported += 1;
            continue;
        };
        checked.n_answers += 1;
        let tiles = board.exponents().iter().filter(|&&exponent| exponent > 0);
        let is_right = board.side() == side
            && tiles.clone().count() == 2
            && tiles.clone().all(|&exponent| exponent <= 2);
        if !is_right {
            checked.differs(request, "two tiles, each a 2 or a 4", &shown(&board));
            break;
        }
    }
    Ok(checked)
}

fn check_moves(environment: &mut Environment, vectors: &[Vector]) -> Result<Checked, CommandError> {
    let mut checked = Checked::new(&vectors[0].rule);
    for vector in vectors {
        let board = Board::from_tiles(&vector.board).expect("the vectors have boards");
        // Illegal moves are a rule of their own.
        let is_asked = |direction: &Direction| {
            board.slide(*direction).is_some() || vector.rule == "illegal-move"
        };
        for direction in Direction::ALL.into_iter().filter(is_asked) {
            if checked.difference.is_none() {
                check_move(environment, &mut checked, &board, direction)?;
            }
        }
    }
    Ok(checked)
}

/// Checks one move and returns the board after it, unless the answer is wrong or missing.
fn check_move(
    environment: &mut Environment,
    checked: &mut Checked,
    board: &Board,
    direction: Direction,
) -> Result<Option<Answer>, CommandError> {
    let request = format!("move {} {}", direction.letter(), shown(board));
    let Some(answer) = environment.answer(&request)? else {
        checked.n_unsupported += 1;
        return Ok(None);
    };
    checked.n_answers += 1;
    let slide = board.slide(direction);
    let (gain, what, is_right) = match &slide {
        Some(Slide { board: slid, gain }) => {
            let what = format!("{} and a new 2 or 4", shown(slid));
            (*gain, what, spawned(slid, &answer.board).is_some())
        }
        None => (0, "the same board".to_owned(), answer.board == *board),
    };
    let state = |is_over| if is_over { "over" } else { "playing" };
    // Of a wrong board the answer may be right or wrong.
    let is_over = answer.board.is_over();
    let is_gain = answer.gain.is_none_or(|found| found == gain);
    if is_right && is_gain && answer.is_over == is_over {
        return Ok(Some(answer));
    }
    let expected = if is_right {
        format!("gain {gain}, {}, this board", state(is_over))
    } else {
        format!("gain {gain}, {what}")
    };
    let found = answer.gain.map_or("-".to_owned(), |gain| gain.to_string());
    let found = format!(
        "gain {found}, {}, {}",
        state(answer.is_over),
        shown(&answer.board)
    );
    checked.differs(request, &expected, &found);
    Ok(None)
}

/// The cell and the exponent of the one new tile; `None` if that is not the difference.
fn spawned(slid: &Board, found: &Board) -> Option<(usize, u8)> {
    if slid.side() != found.side() {
        return None;
    }
    let cells = slid.exponents().iter().zip(found.exponents()).enumerate();
    let mut different = cells.filter(|(_, (before, after))| before != after);
    match (different.next()?, different.next()) {
        ((cell, (0, &exponent @ 1..=2)), None) => Some((cell, exponent)),
        _ => None,
    }
}

/// Whole games with random moves, illegal ones among them.
fn check_games(environment: &mut Environment, side: Side) -> Result<Checked, CommandError> {
    let mut checked = Checked::new("games");
    let mut dice = Dice::new(1);
    for _ in 0..N_GAMES {
        let Some(mut board) = environment.board(&format!("start {}", side.length()))? else {
            checked.n_unsupported += 1;
            continue;
        };
        while !board.is_over() {
            let direction = Direction::ALL[dice.below(4) as usize];
            match check_move(environment, &mut checked, &board, direction)? {
                Some(answer) => board = answer.board,
                None => return Ok(checked),
            }
        }
    }
    Ok(checked)
}

/// Whether every empty cell is equally likely, and a 4 has its probability.
fn check_new_tiles(environment: &mut Environment) -> Result<Vec<Checked>, CommandError> {
    let (mut cells, mut values) = (Checked::new("new-cells"), Checked::new("new-fours"));
    let board: Board = BEFORE_SPAWN.parse().expect("a board");
    let slide = board.slide(Direction::Left).expect("a legal move");
    let request = format!("move L {BEFORE_SPAWN}");
    let mut counts = vec![0.0; board.side().n_cells()];
    let mut fours = 0.0;
    for _ in 0..N_SPAWNS {
        let answer = environment.answer(&request)?;
        // What else is wrong with an answer was said above.
        let Some((cell, exponent)) = answer.and_then(|it| spawned(&slide.board, &it.board)) else {
            continue;
        };
        cells.n_answers += 1;
        counts[cell] += 1.0;
        fours += if exponent == 2 { 1.0 } else { 0.0 };
    }
    values.n_answers = cells.n_answers;
    if cells.n_answers == 0 {
        return Ok(vec![cells, values]);
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of some thousands")]
    let (n, n_empty) = (cells.n_answers as f64, slide.board.n_empty() as f64);
    let expected = n / n_empty;
    let empty = counts.iter().zip(slide.board.exponents());
    let empty = empty.filter(|(_, exponent)| **exponent == 0);
    let squares = empty.map(|(count, _)| (count - expected) * (count - expected));
    let chi_squared = squares.sum::<f64>() / expected;
    if chi_squared > MOST_CHI_SQUARED {
        let expected = format!("about {expected:.0} in each empty cell, χ² ≤ {MOST_CHI_SQUARED}");
        let counts: Vec<String> = counts.iter().map(f64::to_string).collect();
        let found = format!("χ² = {chi_squared:.1}: {}", counts.join(" "));
        cells.differs(request.clone(), &expected, &found);
    }
    let deviations = (fours - n * FOURS) / (n * FOURS * (1.0 - FOURS)).sqrt();
    if deviations.abs() > MOST_DEVIATIONS {
        let expected = format!("about {:.0} fours of {n} tiles", n * FOURS);
        values.differs(request, &expected, &format!("{fours} fours"));
    }
    Ok(vec![cells, values])
}

impl Checked {
    fn new(rule: &str) -> Self {
        Self {
            rule: rule.to_owned(),
            n_answers: 0,
            n_unsupported: 0,
            difference: None,
        }
    }

    fn differs(&mut self, request: String, expected: &str, found: &str) {
        self.difference = Some(Difference {
            request,
            expected: expected.to_owned(),
            found: found.to_owned(),
        });
    }
}

fn shown(board: &Board) -> String {
    board_line(&board.tiles(), "/")
}

/// The other program. Dropping it closes its input and ends it.
struct Environment {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Environment {
    fn start(command: &[String]) -> Result<Self, CommandError> {
        let [program, arguments @ ..] = command else {
            return Err(CommandError::new(exit_code::USAGE, anyhow!("no command")));
        };
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let message = anyhow!("cannot start the environment `{program}`: {error}");
                CommandError::new(exit_code::USAGE, message)
            })?;
        let input = process.stdin.take().expect("stdin is a pipe");
        let output = process.stdout.take().expect("stdout is a pipe");
        Ok(Self {
            process,
            input,
            output: BufReader::new(output),
        })
    }

    /// The answer to a request, without its line end; `None` if it is not supported.
    fn line(&mut self, request: &str) -> Result<Option<String>, CommandError> {
        let mut line = String::new();
        let sent = writeln!(self.input, "{request}");
        let read = sent.and_then(|()| self.output.read_line(&mut line));
        match read {
            Ok(1..) if line.trim() == "unsupported" => Ok(None),
            Ok(1..) => Ok(Some(line.trim().to_owned())),
            Ok(0) | Err(_) => Err(CommandError::new(
                exit_code::PLUGIN,
                anyhow!(
                    "the environment ended, or closed its output, instead of answering `{request}`"
                ),
            )),
        }
    }

    fn board(&mut self, request: &str) -> Result<Option<Board>, CommandError> {
        let line = self.line(request)?;
        line.map(|line| parsed_board(&line, request, &line))
            .transpose()
    }

    fn answer(&mut self, request: &str) -> Result<Option<Answer>, CommandError> {
        let Some(line) = self.line(request)? else {
            return Ok(None);
        };
        let mut words = line.splitn(3, ' ');
        let gain = match words.next() {
            Some("-") => None,
            word => {
                let gain = word.and_then(|word| word.parse().ok());
                Some(gain.ok_or_else(|| not_an_answer(request, &line))?)
            }
        };
        let is_over = match words.next() {
            Some("over") => true,
            Some("playing") => false,
            _ => return Err(not_an_answer(request, &line)),
        };
        let board = parsed_board(words.next().unwrap_or_default(), request, &line)?;
        Ok(Some(Answer {
            gain,
            is_over,
            board,
        }))
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn parsed_board(text: &str, request: &str, line: &str) -> Result<Board, CommandError> {
    text.parse().map_err(|_| not_an_answer(request, line))
}

fn not_an_answer(request: &str, line: &str) -> CommandError {
    const LONGEST: usize = 200;
    let expected = if request.starts_with("start") {
        "a board, such as `0 0 2 0/0 0 0 0/0 4 0 0/0 0 0 0`"
    } else {
        "gain, `playing` or `over`, and the board, such as `4 playing 4 0/0 2`"
    };
    CommandError::new(
        exit_code::PLUGIN,
        anyhow!(
            "the environment answered `{request}` with {} instead of {expected} (docs/conform.md)",
            PluginWords::cut(line, LONGEST)
        ),
    )
}
