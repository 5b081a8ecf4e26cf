//! Plays the first legal move, and misbehaves on request: the agent that shows that
//! no agent can hurt another or the run.
#![expect(unsafe_code, reason = "crashing takes some effort in Rust")]

mod attempt;
mod misdeed;
mod word_of_the_test;

use std::path::Path;

use attempt::Attempt;
use misdeed::Misdeed;
use plugin_api::{
    Agent, Allowance, Board, Choice, Clock, Direction, GameSetup, Info, Limits, Refusal, Turn,
    export_agent,
};

plugin_api::parameters! {
    /// What the agent does and when.
    pub struct Params {
        /// What it does wrong.
        misdeed: Misdeed = Misdeed::None,
        /// On which move it does it.
        #[schemars(range(min = 1))]
        on_move: u64 = 3,
        /// How many microseconds of CPU it burns on every move, by its own reading.
        burn_us: u64 = 0,
        /// Whether it burns no more once the test has told it to go on.
        burn_until_told: bool = false,
        /// On which move it waits until the test tells it to go on; 0 is no move. A budget with
        /// a long `sleep` lets it.
        wait_on_move: u64 = 0,
        /// Whether it waits for the stop flag on every move.
        watch_stop_flag: bool = false,
        /// What it tries to do on that move; it panics and says whether it worked.
        attempt: Attempt = Attempt::None,
        /// The file of an attempt.
        path: String = String::new(),
        /// A text without meaning, so that agents can differ in their parameters.
        label: String = String::new(),
    }
}

struct Scripted {
    params: Params,
    is_told: bool,
}

impl Agent for Scripted {
    const INFO: Info = Info::new("scripted", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("misbehaves on request")
        .honours(&[Limits::Time, Limits::Nodes]);
    type Params = Params;

    fn new(params: Params, _setup: &GameSetup) -> Result<Self, Refusal> {
        params.misdeed.in_new()?;
        Ok(Self {
            params,
            is_told: false,
        })
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        if self.params.wait_on_move == turn.move_number {
            word_of_the_test::wait();
        }
        if self.params.burn_until_told && !self.is_told {
            self.is_told = word_of_the_test::has_come();
        }
        if !self.is_told {
            burn(self.params.burn_us * 1000, turn);
        }
        if self.params.watch_stop_flag {
            let flag = turn.stop_flag().expect("a turn with a time limit has one");
            while !flag.is_set() {
                std::hint::spin_loop();
            }
        }
        if turn.move_number == self.params.on_move {
            self.params.misdeed.in_choose();
            self.params.attempt();
        }
        let n_moves = u32::try_from(turn.move_number).unwrap_or(0);
        turn.note_number("twice the move", f64::from(2 * n_moves));
        if turn.move_number % 9 == 1 {
            turn.note_text("<b>ten</b> \u{202e}moves");
        }
        let may_be_illegal =
            self.params.misdeed == Misdeed::IllegalMove && turn.move_number >= self.params.on_move;
        if let Some(illegal) = illegal_move(board).filter(|_| may_be_illegal) {
            return illegal.into();
        }
        board
            .legal_moves()
            .next()
            .expect("a turn has a legal move")
            .into()
    }
}

/// A move that changes nothing, if the board has one.
fn illegal_move(board: &Board) -> Option<Direction> {
    Direction::ALL
        .into_iter()
        .find(|&direction| board.slide(direction).is_none())
}

impl Params {
    fn attempt(&self) {
        if self.attempt == Attempt::None {
            return;
        }
        match self.attempt.make(Path::new(&self.path)) {
            Ok(()) => panic!("the attempt worked"),
            Err(error) => panic!("the attempt failed: {error}"),
        }
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.params.misdeed.in_drop();
    }
}

/// Burns CPU time, not wall time: on a busy machine the two differ.
fn burn(nanoseconds: u64, turn: &Turn) {
    let start = match turn.allowance {
        Allowance::Time {
            clock: Clock::Cpu,
            start_ns,
            ..
        } => start_ns,
        _ => Clock::Cpu.now_ns(),
    };
    while Clock::Cpu.now_ns() - start < nanoseconds {
        std::hint::spin_loop();
    }
}

export_agent!(Scripted);
