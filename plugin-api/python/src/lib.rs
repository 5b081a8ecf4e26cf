//! The rules of Arena 2048 for Python: the very code with which the host plays.
//!
//! What Python sees has doc comments for its users, whom `help(arena2048.Game)` shows them;
//! `arena2048/_rules.pyi` has the types. The rest of the package is Python.

use numpy::{
    AllowTypeChange, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayLike1, PyReadonlyArrayDyn,
    PyUntypedArrayMethods, ndarray::ArrayD,
};
use plugin_api::{
    Board, Direction, FourShare, Game as RustGame, MAX_SEED, Rules, Salt, Side, Status, Tiles,
};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyTuple};

fn invalid(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// A salt as it stands in a plan, or its bytes.
#[derive(FromPyObject)]
enum SaltArgument {
    Hex(String),
    Bytes(Vec<u8>),
}

fn salt(argument: Option<SaltArgument>) -> PyResult<Salt> {
    match argument {
        None => Ok(Salt::NONE),
        Some(SaltArgument::Hex(digits)) => Salt::from_hex(&digits).map_err(invalid),
        Some(SaltArgument::Bytes(bytes)) => {
            let bytes = bytes.try_into().map_err(|bytes: Vec<u8>| {
                invalid(format!(
                    "a salt has {} bytes, not {}",
                    Salt::N_BYTES,
                    bytes.len()
                ))
            })?;
            Ok(Salt::from_bytes(bytes))
        }
    }
}

fn seed(number: u64) -> PyResult<u64> {
    if number > MAX_SEED {
        return Err(invalid(format!(
            "a seed is a number from 0 to {MAX_SEED}, not {number}"
        )));
    }
    Ok(number)
}

fn side(length: u8) -> PyResult<Side> {
    Side::new(length)
        .ok_or_else(|| invalid(format!("a board has a size from 2 to 8, not {length}")))
}

fn four_share(share: f64) -> PyResult<FourShare> {
    FourShare::new(share).ok_or_else(|| {
        invalid(format!(
            "the share of 4s is a number from 0 to 1, not {share}"
        ))
    })
}

/// A move as its number, its letter in a record or its word in the text protocol.
#[derive(FromPyObject)]
enum MoveArgument {
    Number(i64),
    Word(String),
}

fn direction(argument: MoveArgument) -> PyResult<Direction> {
    let (found, named) = match argument {
        MoveArgument::Number(number) => {
            let index = u8::try_from(number).ok();
            (index.and_then(Direction::from_index), number.to_string())
        }
        MoveArgument::Word(word) => {
            let is_meant = |direction: &Direction| {
                word == direction.to_string() || word == direction.letter().to_string()
            };
            (
                Direction::ALL.into_iter().find(is_meant),
                format!("`{word}`"),
            )
        }
    };
    found.ok_or_else(|| {
        invalid(format!(
            "{named} is not a move; moves are up, right, down and left, U, R, D and L, or 0 to 3"
        ))
    })
}

fn face_values(board: &Board) -> Vec<Vec<i64>> {
    let face = |tile: u64| {
        i64::try_from(tile).expect("the highest tile is 2^63 at most, which no game reaches")
    };
    board
        .tiles()
        .into_iter()
        .map(|row| row.into_iter().map(face).collect())
        .collect()
}

fn status_word(status: Status) -> Option<&'static str> {
    match status {
        Status::Running => None,
        Status::GoalReached => Some("goal-reached"),
        Status::NoMoveLeft => Some("no-move-left"),
        Status::MoveLimit => Some("move-limit"),
    }
}

/// One game, with exactly the tiles of a tournament on this seed.
///
/// `salt` is that of the tournament, as 48 hexadecimal digits or 24 bytes; `four` is the share of 4s
/// among the new tiles.
#[pyclass(module = "arena2048")]
struct Game {
    game: RustGame,
    seed: u64,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (seed, salt=None, size=4, four=0.1, *, deterministic=false, goal=None, max_moves=None))]
    fn new(
        seed: u64,
        salt: Option<SaltArgument>,
        size: u8,
        four: f64,
        deterministic: bool,
        goal: Option<u64>,
        max_moves: Option<u64>,
    ) -> PyResult<Self> {
        let rules = Rules {
            side: side(size)?,
            four: four_share(four)?,
            tiles: if deterministic {
                Tiles::Deterministic
            } else {
                Tiles::Random
            },
            goal,
            max_moves,
        };
        let seed = self::seed(seed)?;
        Ok(Self {
            game: RustGame::start(rules, &self::salt(salt)?, seed),
            seed,
        })
    }

    /// The seed of the game.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// A copy of the board: its tiles, 0 for an empty cell.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        Ok(PyArray2::from_vec2(py, &face_values(self.game.board()))?)
    }

    /// A copy of the board: k for the tile 2^k, 0 for an empty cell.
    #[getter]
    fn exponents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<u8>> {
        let board = self.game.board();
        let length = board.side().length();
        array(py, &[length, length], board.exponents().to_vec())
    }

    /// 1 for each legal move and 0 for the others: up, right, down, left.
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        action_mask(&self.game).to_vec().into_pyarray(py)
    }

    /// The moves that change the board, of "up", "right", "down" and "left"; none after the end.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        self.game
            .board()
            .legal_moves()
            .map(|direction| direction.to_string())
            .collect()
    }

    /// The sum of the tiles made by merging.
    #[getter]
    fn score(&self) -> u64 {
        self.game.score()
    }

    /// The highest tile.
    #[getter]
    fn highest(&self) -> u64 {
        self.game.board().highest()
    }

    /// The number of moves played.
    #[getter]
    fn n_moves(&self) -> u64 {
        self.game.n_moves()
    }

    /// Whether no further move can be played.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.status() != Status::Running
    }

    /// Why the game is over: "no-move-left", "goal-reached" or "move-limit"; `None` if it is not.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        status_word(self.game.status())
    }

    /// Plays a move ("up", "U" or 0) and returns what it scores.
    ///
    /// Raises `ValueError` if it is illegal; then nothing has changed.
    fn play(&mut self, r#move: MoveArgument) -> PyResult<u64> {
        let direction = direction(r#move)?;
        self.game
            .play(direction)
            .ok_or_else(|| match self.ending() {
                Some(ending) => invalid(format!("the game is over: {ending}")),
                None => invalid(format!("{direction} is illegal: it changes nothing")),
            })
    }

    /// A game that goes on from here by itself, with the same tiles.
    fn copy(&self) -> Self {
        Self {
            game: self.game.clone(),
            seed: self.seed,
        }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn _repr_html_<'py>(this: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("arena2048._html")?
            .call_method1("of_game", (this,))
    }

    fn __repr__(&self) -> String {
        format!(
            "Game(seed={}): score {}, {} moves{}\n{}",
            self.seed,
            self.score(),
            self.n_moves(),
            self.ending()
                .map(|ending| format!(", {ending}"))
                .unwrap_or_default(),
            self.game.board(),
        )
    }
}

/// 1 for each legal move and 0 for the others, as Gymnasium expects it.
fn action_mask(game: &RustGame) -> [i8; 4] {
    let is_running = game.status() == Status::Running;
    Direction::ALL.map(|direction| i8::from(is_running && game.board().slide(direction).is_some()))
}

/// What the games of a vectorised environment show after a step: exponents of all boards, gains,
/// which games are over, and which moves are legal.
type Step<'py> = (
    Bound<'py, PyArrayDyn<u8>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArrayDyn<i8>>,
);

/// Many games at once, for the vectorised environment.
#[pyclass]
struct Batch {
    games: Vec<RustGame>,
    rules: Rules,
    salt: Salt,
}

impl Batch {
    fn shown<'py>(&self, py: Python<'py>, gains: Vec<f64>) -> Step<'py> {
        let (n, side) = (self.games.len(), self.rules.side.length());
        let (boards, over, masks) = py.detach(|| {
            let mut boards = Vec::with_capacity(n * side * side);
            let mut masks = Vec::with_capacity(4 * n);
            for game in &self.games {
                boards.extend_from_slice(game.board().exponents());
                masks.extend(action_mask(game));
            }
            let over: Vec<bool> = self
                .games
                .iter()
                .map(|game| game.status() != Status::Running)
                .collect();
            (boards, over, masks)
        });
        (
            array(py, &[n, side, side], boards),
            gains.into_pyarray(py),
            over.into_pyarray(py),
            array(py, &[n, 4], masks),
        )
    }
}

fn array<'py, T: numpy::Element>(
    py: Python<'py>,
    shape: &[usize],
    values: Vec<T>,
) -> Bound<'py, PyArrayDyn<T>> {
    ArrayD::from_shape_vec(shape, values)
        .expect("one value for each place")
        .into_pyarray(py)
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        seeds: PyArrayLike1<'_, u64, AllowTypeChange>,
        salt: Option<SaltArgument>,
        size: u8,
        four: f64,
    ) -> PyResult<Self> {
        let rules = Rules {
            side: side(size)?,
            four: four_share(four)?,
            ..Rules::default()
        };
        let salt = self::salt(salt)?;
        let start = |&number: &u64| Ok(RustGame::start(rules, &salt, seed(number)?));
        let games = seeds
            .as_array()
            .iter()
            .map(start)
            .collect::<PyResult<_>>()?;
        Ok(Self { games, rules, salt })
    }

    /// The games as they are.
    fn look<'py>(&self, py: Python<'py>) -> Step<'py> {
        self.shown(py, vec![0.0; self.games.len()])
    }

    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let scores: Vec<u64> = self.games.iter().map(RustGame::score).collect();
        scores.into_pyarray(py)
    }

    /// Plays a move in each game. A game that was over starts anew with its seed instead.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        moves: PyArrayLike1<'_, i64, AllowTypeChange>,
        seeds: PyArrayLike1<'_, u64, AllowTypeChange>,
    ) -> PyResult<Step<'py>> {
        let n = self.games.len();
        if (moves.len(), seeds.len()) != (n, n) {
            return Err(invalid(format!(
                "{n} games need {n} moves, not {}",
                moves.len()
            )));
        }
        let direction = |&number: &i64| direction(MoveArgument::Number(number));
        let directions: Vec<Direction> = moves
            .as_array()
            .iter()
            .map(direction)
            .collect::<PyResult<_>>()?;
        let seeds: Vec<u64> = seeds
            .as_array()
            .iter()
            .map(|&number| seed(number))
            .collect::<PyResult<_>>()?;
        let (games, rules, salt) = (&mut self.games, self.rules, self.salt);
        let gains = py.detach(|| {
            let turns = games.iter_mut().zip(directions.iter().zip(&seeds));
            turns
                .map(|(game, (&direction, &seed))| {
                    if game.status() == Status::Running {
                        #[expect(
                            clippy::cast_precision_loss,
                            reason = "rewards are floats; gains are exact below 2^53"
                        )]
                        return game.play(direction).unwrap_or(0) as f64;
                    }
                    *game = RustGame::start(rules, &salt, seed);
                    0.0
                })
                .collect()
        });
        Ok(self.shown(py, gains))
    }
}

/// The boards to which the four moves lead, before a new tile appears.
type Afterstates<'py> = (
    Bound<'py, PyArrayDyn<u8>>,
    Bound<'py, PyArrayDyn<i64>>,
    Bound<'py, PyArrayDyn<bool>>,
);

/// Where the four moves lead, before a new tile appears: boards, what each move scores, and
/// whether it is legal.
///
/// `boards` is one board of exponents or an array of them, with the shape (…, size, size). The
/// answers have the shapes (…, 4, size, size), (…, 4) and (…, 4). An illegal move leaves its board.
#[pyfunction]
fn afterstates<'py>(
    py: Python<'py>,
    boards: PyReadonlyArrayDyn<'py, u8>,
) -> PyResult<Afterstates<'py>> {
    let shape = boards.shape().to_vec();
    let [outer @ .., rows, columns] = shape.as_slice() else {
        return Err(invalid(
            "a board has rows and columns; the array has too few dimensions",
        ));
    };
    if rows != columns {
        return Err(invalid(format!(
            "a board is a square, not {rows} × {columns}"
        )));
    }
    let size = side(u8::try_from(*rows).unwrap_or(u8::MAX))?;
    let exponents: Vec<u8> = boards.as_array().iter().copied().collect();
    let mut after = Vec::with_capacity(4 * exponents.len());
    let (mut gains, mut legal) = (Vec::new(), Vec::new());
    for cells in exponents.chunks_exact(size.n_cells()) {
        let board = Board::from_exponents(size, cells).map_err(invalid)?;
        for direction in Direction::ALL {
            let slide = board.slide(direction);
            after.extend_from_slice(
                slide
                    .as_ref()
                    .map_or(&board, |slide| &slide.board)
                    .exponents(),
            );
            gains.push(
                slide
                    .as_ref()
                    .map_or(0, |slide| i64::try_from(slide.gain).unwrap_or(i64::MAX)),
            );
            legal.push(slide.is_some());
        }
    }
    let moves = [outer, &[4]].concat();
    Ok((
        array(py, &[moves.as_slice(), &[*rows, *columns]].concat(), after),
        array(py, &moves, gains),
        array(py, &moves, legal),
    ))
}

/// The extension module.
#[pymodule]
fn _rules(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MAX_SEED", MAX_SEED)?;
    let words = Direction::ALL.map(|direction| direction.to_string());
    module.add("MOVES", PyTuple::new(module.py(), words)?)?;
    module.add_class::<Game>()?;
    module.add_class::<Batch>()?;
    module.add_function(wrap_pyfunction!(afterstates, module)?)
}
