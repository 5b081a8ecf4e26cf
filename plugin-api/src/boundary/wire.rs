//! The three structs of the hot path, as they cross the plugin boundary.
//!
//! Both ABIs pass them by reference; `include/agent2048.h` declares the same layout for
//! C. Their size never changes: reserved words are zero today and may get a meaning in
//! a later minor version.

use std::time::Duration;

use abi_stable::StableAbi;

use crate::{
    Allowance, Answer, Board, Choice, Clock, Side, Turn,
    contract::{notes, stop_flag},
};

/// A board: `agent2048_board` in C.
///
/// ```
/// # use plugin_api::{Board, wire::WireBoard};
/// let board: Board = "2 0 / 4 65536".parse().unwrap();
/// let wire = WireBoard::from(&board);
/// assert_eq!((wire.side, &wire.cells[..4]), (2, [1, 0, 2, 16].as_slice()));
/// assert_eq!(wire.to_board(), Some(board));
/// ```
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct WireBoard {
    /// The number of cells per row, 2 to 8.
    pub side: u8,
    /// Zero.
    pub reserved: [u8; 7],
    /// Exponents in reading order, `side` per row; zero after the last cell.
    pub cells: [u8; Board::MAX_CELLS],
}

/// A turn: `agent2048_turn` in C.
///
/// ```
/// # use plugin_api::{Allowance, Turn, wire::WireTurn};
/// let wire = WireTurn::from(&Turn::with_nodes(500));
/// assert_eq!((wire.nodes, wire.clock), (500, 0));
/// assert_eq!(Turn::from(&wire).allowance, Allowance::Nodes(500));
/// ```
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug, Default)]
pub struct WireTurn {
    /// The number of the move to be chosen, from 1.
    pub move_number: u64,
    /// The score so far.
    pub score: u64,
    /// The node budget; 0 if nodes are not limited.
    pub nodes: u64,
    /// 0: time is not limited; 1: CPU time of the process; 2: wall time.
    pub clock: u32,
    /// Zero.
    pub reserved_word: u32,
    /// The clock's reading at the start of the turn.
    pub clock_start_ns: u64,
    /// The time that this turn adds (the increment).
    pub income_ns: u64,
    /// The time saved on earlier turns (the bank).
    pub bank_ns: u64,
    /// Addresses of functions, or zero: since version 1.1 a
    /// [`StartStopFlag`](crate::StartStopFlag), since 1.2 those that take notes. The others
    /// are zero.
    pub reserved: [u64; 5],
}

/// A choice: `agent2048_choice` in C.
///
/// ```
/// # use plugin_api::{Answer, Choice, Direction, wire::WireChoice};
/// let wire = WireChoice::from(&Choice::from(Direction::Left).depth(3));
/// assert_eq!((wire.direction, wire.depth), (3, 3));
/// assert_eq!(Answer::from(&WireChoice::UNSAID).direction, 255, "no direction");
/// ```
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct WireChoice {
    /// 0 up, 1 right, 2 down, 3 left. A plain number, for which 77 is an error and not
    /// undefined behaviour.
    pub direction: u8,
    /// Zero.
    pub reserved_bytes: [u8; 3],
    /// How many moves ahead the agent looked; 0 if it does not report it.
    pub depth: u32,
    /// How many nodes it searched; 0 if it does not report it.
    pub nodes: u64,
    /// The value of each direction according to the agent; NaN where it reports none.
    pub values: [f64; 4],
    /// Zero.
    pub reserved: [u64; 4],
}

/// Which of a turn's reserved words leads to its stop flag.
pub(crate) const STOP_FLAG: usize = 0;
/// Which lead to the functions that take a named number, and a text.
pub(crate) const NOTES: [usize; 2] = [1, 2];

const NO_CLOCK: u32 = 0;
const CPU_CLOCK: u32 = 1;
const WALL_CLOCK: u32 = 2;

impl From<&Board> for WireBoard {
    fn from(board: &Board) -> Self {
        let exponents = board.exponents();
        let mut cells = [0; Board::MAX_CELLS];
        cells[..exponents.len()].copy_from_slice(exponents);
        let side = u8::try_from(board.side().length()).expect("a side is at most 8");
        Self {
            side,
            reserved: [0; 7],
            cells,
        }
    }
}

impl WireBoard {
    /// The board, if it is valid.
    #[must_use]
    pub fn to_board(&self) -> Option<Board> {
        let side = Side::new(self.side)?;
        Board::from_exponents(side, self.cells.get(..side.n_cells())?).ok()
    }
}

impl From<&Turn> for WireTurn {
    fn from(turn: &Turn) -> Self {
        let mut wire = Self {
            move_number: turn.move_number,
            score: turn.score,
            ..Self::default()
        };
        for (word, address) in NOTES.into_iter().zip(notes::provided()) {
            wire.reserved[word] = address;
        }
        match turn.allowance {
            Allowance::Unlimited => wire.clock = NO_CLOCK,
            Allowance::Nodes(nodes) => wire.nodes = nodes.max(1),
            Allowance::Time {
                clock,
                start_ns,
                income,
                bank,
            } => {
                wire.clock = match clock {
                    Clock::Cpu => CPU_CLOCK,
                    Clock::Wall => WALL_CLOCK,
                };
                wire.clock_start_ns = start_ns;
                wire.income_ns = u64::try_from(income.as_nanos()).unwrap_or(u64::MAX);
                wire.bank_ns = u64::try_from(bank.as_nanos()).unwrap_or(u64::MAX);
                wire.reserved[STOP_FLAG] = stop_flag::provided();
            }
        }
        wire
    }
}

impl From<&WireTurn> for Turn {
    fn from(wire: &WireTurn) -> Self {
        let clock = match wire.clock {
            CPU_CLOCK => Some(Clock::Cpu),
            WALL_CLOCK => Some(Clock::Wall),
            _ => None,
        };
        let allowance = match (wire.nodes, clock) {
            (0, None) => Allowance::Unlimited,
            (0, Some(clock)) => Allowance::Time {
                clock,
                start_ns: wire.clock_start_ns,
                income: Duration::from_nanos(wire.income_ns),
                bank: Duration::from_nanos(wire.bank_ns),
            },
            (nodes, _) => Allowance::Nodes(nodes),
        };
        Self {
            move_number: wire.move_number,
            score: wire.score,
            allowance,
        }
    }
}

impl WireChoice {
    /// A choice without any report yet; its direction is invalid.
    pub const UNSAID: Self = Self {
        direction: u8::MAX,
        reserved_bytes: [0; 3],
        depth: 0,
        nodes: 0,
        values: [f64::NAN; 4],
        reserved: [0; 4],
    };
}

impl From<&Choice> for WireChoice {
    fn from(choice: &Choice) -> Self {
        Self {
            direction: choice.direction as u8,
            depth: choice.depth.unwrap_or(0),
            nodes: choice.nodes.unwrap_or(0),
            values: choice.values.map(|value| value.unwrap_or(f64::NAN)),
            ..Self::UNSAID
        }
    }
}

impl From<&WireChoice> for Answer {
    fn from(wire: &WireChoice) -> Self {
        Self {
            direction: wire.direction,
            values: wire.values,
            depth: wire.depth,
            nodes: wire.nodes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_matches_the_header() {
        assert_eq!(size_of::<WireBoard>(), 72);
        assert_eq!(size_of::<WireTurn>(), 96);
        assert_eq!(size_of::<WireChoice>(), 80);
    }

    #[test]
    fn a_board_crosses_unchanged_and_an_invalid_one_is_rejected() {
        let board: Board = "2 4 8 / 0 65536 0 / 131072 0 2".parse().unwrap();
        let mut wire = WireBoard::from(&board);
        assert_eq!(wire.to_board(), Some(board));
        wire.side = 9;
        assert_eq!(wire.to_board(), None);
    }

    #[test]
    fn an_allowance_crosses_unchanged() {
        let time = Allowance::Time {
            clock: Clock::Wall,
            start_ns: 5,
            income: Duration::from_micros(7),
            bank: Duration::from_secs(1),
        };
        for allowance in [Allowance::Unlimited, Allowance::Nodes(9), time] {
            let turn = Turn {
                move_number: 3,
                score: 4,
                allowance,
            };
            assert_eq!(Turn::from(&WireTurn::from(&turn)).allowance, allowance);
        }
    }
}
