//! What the referee and a worker say to each other.
//!
//! Before and after a game they exchange JSON, each text behind its length: it is
//! rare and may grow. A turn is a frame of fixed size in each direction, because it
//! happens thousands of times per game, and its cost is what the referee adds to an
//! agent's own time. Both ends are the same binary, so the frames carry no version.

use std::time::Duration;

use plugin_api::{
    Answer, Board, Turn,
    wire::{WireBoard, WireTurn},
};
use serde::{Deserialize, Serialize};

use super::{Abi, PluginFailure, PluginFile, sandbox::SandboxRules};

/// The longest JSON text either end accepts.
pub(super) const LONGEST_TEXT: usize = 64 << 20;

/// The longest notes as JSON, in which a character takes up to six bytes.
pub(super) const LONGEST_NOTES: usize = 8 << 10;

/// The task of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub plugin: PluginFile,
    pub sandbox: SandboxRules,
    pub job: Job,
}

/// What a worker can do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Job {
    /// Say what the plugin is.
    Describe,
    /// Make an agent and answer turns until the pipe closes.
    Play {
        params: String,
        setup: String,
        /// Whether the host wants the notes of the agent.
        notes: bool,
        /// A way to make agents that no game uses; for `host check`.
        rehearsal: Option<Rehearsal>,
    },
    /// Let an extension answer a request.
    Extension { name: String, request: String },
}

/// What `host check` asks of a worker beside a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rehearsal {
    /// Make two agents, which answer in turn.
    TwoAgents,
    /// Play with the standard error output closed: what still comes out of it was
    /// printed to the standard output.
    OnlyStdout,
    /// Make an agent and end it, a few times, before making the one that plays.
    MakeAndEnd,
}

/// What a worker says in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkerReport {
    /// The plugin's description and the ABI it speaks.
    Described {
        info: String,
        abi: Abi,
        is_unoptimised: bool,
    },
    /// The sandbox is entered, except for what this machine lacks. The worker says so
    /// once, before it opens the plugin.
    Confined { lacking: Option<String> },
    /// The machine denies the worker something, before any plugin is open.
    Unfit(String),
    /// The agent is made; turns may come.
    Ready,
    /// A message of an extension. One byte from the host tells it to stop.
    Message(String),
    /// An extension's answer.
    Answered(String),
    /// The plugin did not do what the host asked for.
    Failed(PluginFailure),
}

/// A turn as sent to the worker. The clock's start is not in it: the worker reads
/// the clock itself.
pub(super) const REQUEST_SIZE: usize = 1 + Board::MAX_CELLS + 5 * 8 + 1 + 8;

/// An answer as sent by the worker: status, what the agent said, the turn's token. What it
/// used is not in it: the host reads the worker's clock itself.
pub(super) const REPLY_SIZE: usize = 1 + 1 + 4 + 8 + 4 * 8 + 8;

/// The status of a reply.
const NO_ANSWER: u8 = 0;
const ANSWER: u8 = 1;
const ANSWER_WITH_NOTES: u8 = 2;

/// The side of a board that means: open the plugin.
const OPEN: u8 = 0;

/// Writes a frame that tells the worker to open the plugin. The worker answers the frames before
/// it without an agent, which shows what its own part of a turn costs; this frame tells it the
/// result.
pub(super) fn encode_open(empty_turn: Duration) -> [u8; REQUEST_SIZE] {
    let nanoseconds = u64::try_from(empty_turn.as_nanos()).unwrap_or(u64::MAX);
    let mut frame = [0; REQUEST_SIZE];
    frame[0] = OPEN;
    frame[1..9].copy_from_slice(&nanoseconds.to_le_bytes());
    frame
}

/// The cost of an empty turn, when the frame tells to open the plugin.
pub(super) fn decode_open(frame: &[u8; REQUEST_SIZE]) -> Option<Duration> {
    let mut frame = FrameReader(frame);
    (frame.byte() == OPEN).then(|| Duration::from_nanos(frame.word()))
}

/// Writes a turn into a frame. The reply must repeat the token, which stands at the end: so
/// an answer cannot be sent before all of its turn was read.
pub(super) fn encode_turn(board: &Board, turn: &Turn, token: u64) -> [u8; REQUEST_SIZE] {
    let board = WireBoard::from(board);
    let wire = WireTurn::from(turn);
    let mut frame = FrameWriter::<REQUEST_SIZE>::new();
    frame.put(&[board.side]);
    frame.put(&board.cells);
    for word in [
        wire.move_number,
        wire.score,
        wire.nodes,
        wire.income_ns,
        wire.bank_ns,
    ] {
        frame.put(&word.to_le_bytes());
    }
    frame.put(&[u8::try_from(wire.clock).expect("clocks are numbered 0 to 2")]);
    frame.put(&token.to_le_bytes());
    frame.done()
}

/// The token of a turn.
pub(super) fn token_of(frame: &[u8; REQUEST_SIZE]) -> u64 {
    let (_, token) = frame
        .split_last_chunk()
        .expect("a frame holds all of its parts");
    u64::from_le_bytes(*token)
}

/// Reads a turn from a frame; `None` when it is none.
pub(super) fn decode_turn(frame: &[u8; REQUEST_SIZE]) -> Option<(Board, Turn)> {
    let mut frame = FrameReader(frame);
    let board = WireBoard {
        side: frame.byte(),
        cells: frame.take(),
        reserved: [0; 7],
    };
    let turn = WireTurn {
        move_number: frame.word(),
        score: frame.word(),
        nodes: frame.word(),
        income_ns: frame.word(),
        bank_ns: frame.word(),
        clock: frame.byte().into(),
        ..WireTurn::default()
    };
    Some((board.to_board()?, Turn::from(&turn)))
}

/// What a worker answers to a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TurnReply {
    /// The answer, or that a [`WorkerReport`] follows which says what went wrong.
    pub(super) answer: Option<Answer>,
    /// Whether the notes on the answer follow, as JSON.
    pub(super) has_notes: bool,
    /// That of the turn.
    pub(super) token: u64,
}

impl TurnReply {
    /// Writes the reply into a frame.
    pub(super) fn encode(&self) -> [u8; REPLY_SIZE] {
        let answer = self.answer.unwrap_or(Answer {
            direction: u8::MAX,
            values: [f64::NAN; 4],
            depth: 0,
            nodes: 0,
        });
        let mut frame = FrameWriter::<REPLY_SIZE>::new();
        let status = match (self.answer, self.has_notes) {
            (None, _) => NO_ANSWER,
            (Some(_), false) => ANSWER,
            (Some(_), true) => ANSWER_WITH_NOTES,
        };
        frame.put(&[status, answer.direction]);
        frame.put(&answer.depth.to_le_bytes());
        frame.put(&answer.nodes.to_le_bytes());
        for value in answer.values {
            frame.put(&value.to_le_bytes());
        }
        frame.put(&self.token.to_le_bytes());
        frame.done()
    }

    /// Reads a reply from a frame; `None` when it is none.
    pub(super) fn decode(frame: &[u8; REPLY_SIZE]) -> Option<Self> {
        let mut frame = FrameReader(frame);
        let status = frame.byte();
        if !matches!(status, NO_ANSWER | ANSWER | ANSWER_WITH_NOTES) {
            return None;
        }
        let answer = Answer {
            direction: frame.byte(),
            depth: u32::from_le_bytes(frame.take()),
            nodes: frame.word(),
            values: std::array::from_fn(|_| f64::from_le_bytes(frame.take())),
        };
        Some(Self {
            answer: Some(answer).filter(|_| status != NO_ANSWER),
            has_notes: status == ANSWER_WITH_NOTES,
            token: frame.word(),
        })
    }
}

struct FrameWriter<const SIZE: usize> {
    bytes: [u8; SIZE],
    n_put: usize,
}

impl<const SIZE: usize> FrameWriter<SIZE> {
    fn new() -> Self {
        Self {
            bytes: [0; SIZE],
            n_put: 0,
        }
    }

    fn put(&mut self, part: &[u8]) {
        self.bytes[self.n_put..self.n_put + part.len()].copy_from_slice(part);
        self.n_put += part.len();
    }

    fn done(self) -> [u8; SIZE] {
        debug_assert_eq!(self.n_put, SIZE, "a frame is full");
        self.bytes
    }
}

struct FrameReader<'a>(&'a [u8]);

impl FrameReader<'_> {
    fn take<const SIZE: usize>(&mut self) -> [u8; SIZE] {
        let (part, rest) = self
            .0
            .split_first_chunk()
            .expect("a frame holds all of its parts");
        self.0 = rest;
        *part
    }

    fn byte(&mut self) -> u8 {
        let [byte] = self.take();
        byte
    }

    fn word(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

#[cfg(test)]
mod tests {
    use plugin_api::{Allowance, Clock};

    use super::*;

    #[test]
    fn a_turn_crosses_the_pipe_but_for_the_clocks_start() {
        let board: Board = "2 4 8 / 0 65536 0 / 131072 0 2".parse().unwrap();
        let time = |start_ns| Allowance::Time {
            clock: Clock::Cpu,
            start_ns,
            income: Duration::from_millis(1),
            bank: Duration::from_millis(99),
        };
        for (sent, received) in [
            (Allowance::Unlimited, Allowance::Unlimited),
            (Allowance::Nodes(7), Allowance::Nodes(7)),
            (time(5), time(0)),
        ] {
            let turn = Turn {
                move_number: 3,
                score: 1 << 40,
                allowance: sent,
            };
            let (same_board, same_turn) = decode_turn(&encode_turn(&board, &turn, 7)).unwrap();
            assert_eq!(same_board, board);
            assert_eq!(same_turn.allowance, received);
            assert_eq!((same_turn.move_number, same_turn.score), (3, 1 << 40));
        }
    }

    #[test]
    fn a_reply_crosses_the_pipe() {
        for has_notes in [false, true] {
            let reply = TurnReply {
                answer: Some(Answer {
                    direction: 77,
                    values: [1.0, -2.0, f64::INFINITY, 0.5],
                    depth: 9,
                    nodes: u64::MAX,
                }),
                has_notes,
                token: 1 << 63,
            };
            assert_eq!(TurnReply::decode(&reply.encode()), Some(reply));
        }
    }

    #[test]
    fn the_word_to_open_the_plugin_is_no_turn() {
        let cost = Duration::from_nanos(4321);
        assert_eq!(decode_open(&encode_open(cost)), Some(cost));
        assert!(decode_turn(&encode_open(cost)).is_none());
        let turn = Turn {
            move_number: 1,
            score: 0,
            allowance: Allowance::Unlimited,
        };
        let board = "2 0 / 0 2".parse().unwrap();
        let frame = encode_turn(&board, &turn, 7);
        assert_eq!((decode_open(&frame), token_of(&frame)), (None, 7));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_decoded_without_harm(bytes: Vec<u8>) {
            let mut request = [0; REQUEST_SIZE];
            let mut reply = [0; REPLY_SIZE];
            for (target, byte) in request.iter_mut().zip(&bytes) { *target = *byte; }
            for (target, byte) in reply.iter_mut().zip(&bytes) { *target = *byte; }
            let _ = decode_turn(&request);
            let _ = TurnReply::decode(&reply);
        }
    }
}
