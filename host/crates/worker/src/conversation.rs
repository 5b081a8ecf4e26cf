//! How an agent is asked during a game: in frames if it is a library, in lines if it is a
//! program.
//!
//! Everything else about a turn (what it costs, how long the host waits, what is a fault) is
//! the same for both, so the difference ends here.

use std::time::Duration;

use plugin_api::{Answer, Board, Turn};

use super::{
    IncomingReply, Lost, Patience, PluginFailure, PluginFile, WorkerProcess, WorkerReport,
    line_buffer::{LineBuffer, ProgramLine},
    protocol::{encode_open, encode_turn},
    text_protocol::{END, HELLO, LineError, Said, new_line, parse, shown, turn_line},
};

/// The answer to a turn, in words.
const MOVE: &str = "`move DIRECTION`";

/// How much of what a program writes is taken at once.
const PIECE: usize = 1 << 12;

/// What is in the air between the host and an agent.
pub enum Conversation {
    Frames {
        incoming: IncomingReply,
        /// Of the turn that was asked.
        token: u64,
    },
    Lines(ProgramConversation),
}

/// What is in the air between the host and a program.
pub struct ProgramConversation {
    buffer: LineBuffer,
    /// The line that begins the game.
    new_line: String,
    /// The length of the line that was sent last.
    n_sent: usize,
    /// What is wrong with what the program has written.
    failure: Option<PluginFailure>,
}

impl Conversation {
    /// A conversation with an agent that gets these parameters and this setup.
    #[must_use]
    pub fn new(plugin: &PluginFile, params: &str, setup: &str) -> Self {
        match plugin.program() {
            None => Self::Frames {
                incoming: IncomingReply::default(),
                token: 0,
            },
            Some(_) => Self::Lines(ProgramConversation {
                buffer: LineBuffer::default(),
                new_line: new_line(params, setup),
                n_sent: 0,
                failure: None,
            }),
        }
    }

    /// Lets the worker open the plugin and make the agent; returns what it says to that.
    ///
    /// # Errors
    /// When it says nothing in time.
    pub fn open(
        &mut self,
        worker: &mut WorkerProcess<'_>,
        empty_turn: Duration,
        patience: &mut Patience,
    ) -> Result<WorkerReport, Lost> {
        worker.send(&encode_open(empty_turn))?;
        match self {
            Self::Frames { .. } => worker.report(patience),
            Self::Lines(program) => program.open(worker, patience),
        }
    }

    /// Sends a turn.
    ///
    /// # Errors
    /// When the worker is gone.
    pub fn ask(
        &mut self,
        worker: &mut WorkerProcess<'_>,
        board: &Board,
        turn: &Turn,
    ) -> Result<(), Lost> {
        match self {
            Self::Frames { incoming, token } => {
                *incoming = IncomingReply::default();
                *token = worker.new_token();
                worker.send(&encode_turn(board, turn, *token))
            }
            Self::Lines(program) => program.ask(worker, board, turn),
        }
    }

    /// Waits for the answer to a turn; there is none if the agent has failed. After an
    /// error the wait can go on.
    ///
    /// # Errors
    /// When the worker's time is up, or it is gone.
    pub fn answer(
        &mut self,
        worker: &mut WorkerProcess<'_>,
        patience: &mut Patience,
    ) -> Result<Option<Answer>, Lost> {
        match self {
            Self::Frames { incoming, token } => {
                Ok(worker.receive(*token, incoming, patience)?.answer)
            }
            Self::Lines(program) => program.answer(worker, patience),
        }
    }

    /// Tells a program that the game is over. It is about to be killed, so nobody waits.
    pub fn end(&self, worker: &mut WorkerProcess<'_>) {
        if let Self::Lines(_) = self {
            worker.write_now(END.as_bytes());
        }
    }

    /// Why there is no answer.
    ///
    /// # Errors
    /// When the worker does not say so in time.
    pub fn failure(
        &mut self,
        worker: &mut WorkerProcess<'_>,
        patience: &mut Patience,
    ) -> Result<WorkerReport, Lost> {
        match self {
            Self::Frames { .. } => worker.report(patience),
            Self::Lines(program) => {
                let failure = program.failure.take();
                failure.map(WorkerReport::Failed).ok_or(Lost::Garbage)
            }
        }
    }
}

impl ProgramConversation {
    fn open(
        &mut self,
        worker: &mut WorkerProcess<'_>,
        patience: &mut Patience,
    ) -> Result<WorkerReport, Lost> {
        if let failed @ WorkerReport::Failed(_) = describe(worker, &mut self.buffer, patience)? {
            return Ok(failed);
        }
        if let Some(failure) = unasked(worker, &mut self.buffer)? {
            return Ok(WorkerReport::Failed(failure));
        }
        send_text(worker, &self.new_line)?;
        let said = say(worker, &mut self.buffer, patience)?;
        Ok(match said {
            Ok(Said::Ready) => WorkerReport::Ready,
            Ok(Said::Error(words)) => WorkerReport::Failed(PluginFailure::Refused(words)),
            other => WorkerReport::Failed(wrong(other, "`ready`")),
        })
    }

    fn ask(
        &mut self,
        worker: &mut WorkerProcess<'_>,
        board: &Board,
        turn: &Turn,
    ) -> Result<(), Lost> {
        self.failure = unasked(worker, &mut self.buffer)?;
        if self.failure.is_some() {
            return Ok(());
        }
        let line = turn_line(board, turn);
        self.n_sent = line.len();
        send_text(worker, &line)
    }

    fn answer(
        &mut self,
        worker: &mut WorkerProcess<'_>,
        patience: &mut Patience,
    ) -> Result<Option<Answer>, Lost> {
        if self.failure.is_some() {
            return Ok(None);
        }
        self.failure = Some(match say(worker, &mut self.buffer, patience)? {
            // Two answers in two writes would otherwise answer the next turn too.
            Ok(Said::Move(_)) if worker.n_unread() >= self.n_sent => PluginFailure::WrongLine(
                "answered before it had read the turn; each line of the host has one answer"
                    .to_owned(),
            ),
            Ok(Said::Move(answer)) => return Ok(Some(answer)),
            Ok(Said::Error(words)) => PluginFailure::ReportedError(words),
            other => wrong(other, MOVE),
        });
        Ok(None)
    }
}

/// Asks a program for its description.
///
/// # Errors
/// When it says nothing in time.
pub fn describe(
    worker: &mut WorkerProcess<'_>,
    buffer: &mut LineBuffer,
    patience: &mut Patience,
) -> Result<WorkerReport, Lost> {
    send_text(worker, HELLO)?;
    let said = say(worker, buffer, patience)?;
    Ok(match said {
        Ok(Said::Agent(info)) => WorkerReport::Described {
            info,
            abi: super::Abi::Text,
            is_unoptimised: false,
        },
        Ok(Said::Error(words)) => WorkerReport::Failed(PluginFailure::Refused(words)),
        other => WorkerReport::Failed(wrong(other, "`agent {…}`")),
    })
}

fn send_text(worker: &mut WorkerProcess<'_>, text: &str) -> Result<(), Lost> {
    worker.write(text.as_bytes()).map_err(|_| worker.death())
}

/// Waits until a program has written something.
fn receive_more(
    worker: &mut WorkerProcess<'_>,
    buffer: &mut LineBuffer,
    patience: &mut Patience,
) -> Result<(), Lost> {
    let mut piece = [0; PIECE];
    let (n_read, look) = worker.read_some(&mut piece, patience)?;
    buffer.push(&piece[..n_read]);
    match look {
        // A program that writes its line in small pieces is judged as well.
        Some(look) if !buffer.has_line() => patience.judge(look),
        _ => Ok(()),
    }
}

/// A line that is not what was expected.
struct WrongLine {
    line: Vec<u8>,
    error: LineError,
}

/// What the program says next.
fn say(
    worker: &mut WorkerProcess<'_>,
    buffer: &mut LineBuffer,
    patience: &mut Patience,
) -> Result<Result<Said, WrongLine>, Lost> {
    let next = loop {
        if let Some(next) = buffer.take() {
            break next;
        }
        receive_more(worker, buffer, patience)?;
    };
    Ok(match next {
        ProgramLine::Whole(line) => parse(&line).map_err(|error| WrongLine { line, error }),
        ProgramLine::TooLong(line) => Err(WrongLine {
            line,
            error: LineError::Foreign("is longer than 65,536 bytes"),
        }),
    })
}

/// What to say about a line where another one was expected.
fn wrong(said: Result<Said, WrongLine>, expected: &str) -> PluginFailure {
    const HINT: &str = "only the protocol goes to standard output; print to standard error";
    PluginFailure::WrongLine(match said {
        Err(WrongLine { line, error }) => match error {
            LineError::Foreign(reason) => format!(
                "wrote the line {}, which {reason}, where {expected} was expected ({HINT})",
                shown(&line)
            ),
            LineError::Move(reason) if expected == MOVE => {
                format!("wrote the line {}, which {reason}", shown(&line))
            }
            LineError::Move(_) => format!("wrote `move …` where {expected} was expected"),
        },
        Ok(said) => {
            let word = match said {
                Said::Agent(_) => "agent",
                Said::Ready => "ready",
                Said::Move(_) => "move",
                Said::Error(_) => "error",
            };
            format!("wrote `{word} …` where {expected} was expected")
        }
    })
}

/// What a program has written without being asked.
fn unasked(
    worker: &mut WorkerProcess<'_>,
    buffer: &mut LineBuffer,
) -> Result<Option<PluginFailure>, Lost> {
    let mut piece = [0; PIECE];
    let n_read = worker.read_now(&mut piece)?;
    buffer.push(&piece[..n_read]);
    let line = buffer.unasked().map(shown);
    Ok(line.map(|line| {
        PluginFailure::WrongLine(format!(
            "wrote the line {line} before it was asked; each line of the host has one answer"
        ))
    }))
}
