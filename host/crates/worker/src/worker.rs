//! The host's side of a worker: it sends a turn, and gets an answer or the reason why there is
//! none.
//!
//! The host asks a library in frames and a program in lines. Everything else about a turn (what
//! it costs, how long the host waits, what is a fault) is the same for both, so the difference
//! ends here.

use std::{
    hash::{BuildHasher, RandomState},
    io,
    time::Duration,
};

use plugin_api::{Allowance, Answer, Board, Notes, Side, Turn};
use tournament::Sandbox;

use super::{
    Abi, Job, NoAnswer, Patience, PluginFailure, Task, WorkerOptions, WorkerReport, WorkerState,
    process::WorkerProcess,
    protocol::{LONGEST_NOTES, LONGEST_TEXT, REPLY_SIZE, TurnReply, encode_open, encode_turn},
    sandbox::report_missing_layer,
    text_protocol::{
        END, HELLO, LONGEST_LINE, LineError, ProgramLine, STOP, Said, extension_line, new_line,
        offers, parse, shown, take_line, turn_line, unasked,
    },
};

/// The answer to a turn, in words.
const MOVE: &str = "`move DIRECTION`";

/// A worker and the agent in it. Dropping it kills its whole process group.
pub struct Worker<'a> {
    process: WorkerProcess<'a>,
    speaks: Language,
    is_sandbox_required: bool,
    token_keys: RandomState,
    n_tokens: u64,
    /// On the last answer.
    notes: Notes,
}

/// What an agent speaks, as soon as it is made.
enum Language {
    /// Spoken by the worker around a library.
    Frames,
    /// Spoken by a program, which has taken the place of its worker.
    Lines {
        /// The line that begins the game or calls the extension.
        opening: String,
        /// The extension that is called.
        extension: Option<String>,
        /// Whether the program was opened to play.
        plays: bool,
    },
}

/// What a plugin is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// What it says about itself, in JSON.
    pub info: String,
    pub abi: Abi,
    pub is_unoptimised: bool,
}

impl<'a> Worker<'a> {
    /// Starts a worker and tells it its task.
    ///
    /// # Errors
    /// When the system cannot start another process.
    pub fn start(task: &Task, options: WorkerOptions<'a>) -> io::Result<Self> {
        let speaks = match task.plugin.program() {
            None => Language::Frames,
            Some(_) => Language::Lines {
                opening: match &task.job {
                    Job::Play { params, setup, .. } => new_line(params, setup),
                    Job::Extension { name, request } => extension_line(name, request),
                    Job::Describe => String::new(),
                },
                extension: match &task.job {
                    Job::Extension { name, .. } => Some(name.clone()),
                    Job::Play { .. } | Job::Describe => None,
                },
                plays: false,
            },
        };
        Ok(Self {
            process: WorkerProcess::start(task, options)?,
            speaks,
            is_sandbox_required: task.sandbox.mode == Sandbox::Required,
            token_keys: RandomState::new(),
            n_tokens: 0,
            notes: Notes::default(),
        })
    }

    /// Waits until the worker is in its sandbox, and returns the layer that this machine
    /// lacks. No plugin is open yet: what goes wrong here is no agent's doing. A missing layer
    /// is announced, unless the sandbox is required: then the worker ends, and the caller says
    /// why.
    ///
    /// # Errors
    /// When the worker does not get there.
    pub fn confine(&mut self, patience: &mut Patience) -> Result<Option<String>, NoAnswer> {
        let lacking = match self.report(patience)? {
            WorkerReport::Confined { lacking } => lacking,
            WorkerReport::Unfit(sentence) => return Err(NoAnswer::Died(sentence)),
            _ => return Err(NoAnswer::Garbage),
        };
        // A program takes the place of its worker.
        let keeps_own_part = matches!(self.speaks, Language::Frames);
        self.process.limit_memory(keeps_own_part);
        if let Some(layer) = &lacking
            && !self.is_sandbox_required
        {
            report_missing_layer(layer);
        }
        Ok(lacking)
    }

    /// Exchanges a turn with the worker before it opens the plugin.
    ///
    /// # Errors
    /// When the worker does not reply.
    pub fn empty_turn(&mut self, patience: &mut Patience) -> Result<(), NoAnswer> {
        let turn = Turn {
            move_number: 1,
            score: 0,
            allowance: Allowance::Unlimited,
        };
        let token = self.send_frame(&Board::empty(Side::FOUR), &turn)?;
        match self.reply(token, patience)? {
            None => Ok(()),
            Some(_) => Err(NoAnswer::Garbage),
        }
    }

    /// Lets the worker open the plugin and make the agent, and tells it what an empty turn costs.
    ///
    /// # Errors
    /// When there is no agent.
    pub fn open(&mut self, empty_turn: Duration, patience: &mut Patience) -> Result<(), NoAnswer> {
        self.process.write(&encode_open(empty_turn))?;
        let new_line = match &mut self.speaks {
            Language::Frames => {
                return match self.report(patience)? {
                    WorkerReport::Ready => Ok(()),
                    WorkerReport::Failed(failure) => Err(NoAnswer::Failed(failure)),
                    _ => Err(NoAnswer::Garbage),
                };
            }
            Language::Lines { opening, plays, .. } => {
                *plays = true;
                opening.clone()
            }
        };
        self.describe_program(patience)?;
        self.expect_silence()?;
        self.process.write(new_line.as_bytes())?;
        match self.line(patience)? {
            Ok(Said::Ready) => Ok(()),
            Ok(Said::Error(words)) => Err(NoAnswer::Failed(PluginFailure::Refused(words))),
            other => Err(wrong(other, "`ready`")),
        }
    }

    /// Asks what the plugin is; for [`Job::Describe`].
    ///
    /// # Errors
    /// When it has no description.
    pub fn describe(&mut self, patience: &mut Patience) -> Result<Description, NoAnswer> {
        match &self.speaks {
            Language::Frames => match self.report(patience)? {
                WorkerReport::Described {
                    info,
                    abi,
                    is_unoptimised,
                } => Ok(Description {
                    info,
                    abi,
                    is_unoptimised,
                }),
                WorkerReport::Failed(failure) => Err(NoAnswer::Failed(failure)),
                _ => Err(NoAnswer::Garbage),
            },
            Language::Lines { .. } => self.describe_program(patience),
        }
    }

    fn describe_program(&mut self, patience: &mut Patience) -> Result<Description, NoAnswer> {
        self.process.write(HELLO.as_bytes())?;
        match self.line(patience)? {
            Ok(Said::Agent(info)) => Ok(Description {
                info,
                abi: Abi::Text,
                is_unoptimised: false,
            }),
            Ok(Said::Error(words)) => Err(NoAnswer::Failed(PluginFailure::Refused(words))),
            other => Err(wrong(other, "`agent {…}`")),
        }
    }

    /// Calls the extension of [`Job::Extension`]: a library is called by its worker, a program gets
    /// the request if its description lists the extension. Programs of earlier versions of the
    /// protocol get none.
    ///
    /// # Errors
    /// When there is no such extension, or no description.
    pub fn call_extension(&mut self, patience: &mut Patience) -> Result<(), NoAnswer> {
        let (name, line) = match &self.speaks {
            Language::Lines {
                opening,
                extension: Some(name),
                ..
            } => (name.clone(), opening.clone()),
            Language::Lines { .. } | Language::Frames => return Ok(()),
        };
        let description = self.describe_program(patience)?;
        if !offers(&description.info, &name) {
            return Err(NoAnswer::Failed(PluginFailure::UnknownExtension));
        }
        self.expect_silence()?;
        self.process.write(line.as_bytes())
    }

    /// What the extension says next.
    ///
    /// # Errors
    /// When it says nothing sensible in time.
    pub fn extension_report(&mut self, patience: &mut Patience) -> Result<WorkerReport, NoAnswer> {
        if matches!(self.speaks, Language::Frames) {
            return self.report(patience);
        }
        match self.line_of_at_most(LONGEST_TEXT, patience)? {
            Ok(Said::Message(json)) => Ok(WorkerReport::Message(json)),
            Ok(Said::Answer(json)) => Ok(WorkerReport::Answered(json)),
            Ok(Said::Error(words)) => Ok(WorkerReport::Failed(PluginFailure::Refused(words))),
            other => Err(wrong(other, "`message {…}` or `answer {…}`")),
        }
    }

    /// Sends a turn and waits for the answer. When the worker has used up its time, the host asks
    /// `more_time`, with the worker's CPU clock, how much of it was stolen; the worker gets that
    /// much more.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn ask(
        &mut self,
        board: &Board,
        turn: &Turn,
        patience: &mut Patience,
        mut more_time: impl FnMut(Duration) -> Duration,
    ) -> Result<Answer, NoAnswer> {
        // The number that the answer must fit: the token of a frame, the length of a line.
        let sent = match &self.speaks {
            Language::Frames => self.send_frame(board, turn)?,
            Language::Lines { .. } => {
                self.expect_silence()?;
                let line = turn_line(board, turn);
                self.process.write(line.as_bytes())?;
                line.len() as u64
            }
        };
        let answer = loop {
            let answer = match &self.speaks {
                Language::Frames => self.reply(sent, patience),
                Language::Lines { .. } => self.answer_in_line(sent, patience).map(Some),
            };
            match answer {
                Err(NoAnswer::UsedUp) => {
                    let more = more_time(self.cpu_time());
                    if more.is_zero() {
                        return Err(NoAnswer::UsedUp);
                    }
                    patience.extend(more);
                }
                answer => break answer?,
            }
        };
        match answer {
            Some(answer) => Ok(answer),
            // A library has failed; the reason follows.
            None => Err(match self.report(patience) {
                Ok(WorkerReport::Failed(failure)) => NoAnswer::Failed(failure),
                Ok(_) => NoAnswer::Garbage,
                Err(NoAnswer::UsedUp | NoAnswer::Asleep) => NoAnswer::Unexplained,
                Err(reason) => reason,
            }),
        }
    }

    /// The notes on the last answer, once.
    pub fn take_notes(&mut self) -> Notes {
        std::mem::take(&mut self.notes)
    }

    /// Sends a turn in a frame, and returns its token: a number that nothing can know before
    /// the turn has come.
    fn send_frame(&mut self, board: &Board, turn: &Turn) -> Result<u64, NoAnswer> {
        self.n_tokens += 1;
        let token = self.token_keys.hash_one(self.n_tokens);
        self.process.write(&encode_turn(board, turn, token))?;
        Ok(token)
    }

    /// The reply to the turn with this token; without an answer, a report follows.
    fn reply(&mut self, token: u64, patience: &mut Patience) -> Result<Option<Answer>, NoAnswer> {
        let is_whole = |received: &[u8]| received.len() >= REPLY_SIZE;
        self.process.receive(patience, is_whole)?;
        let received = self.process.received();
        let reply = received.first_chunk().and_then(TurnReply::decode);
        let Some(reply) = reply.filter(|reply| reply.token == token) else {
            return Err(NoAnswer::Garbage);
        };
        if reply.has_notes {
            // They come in the same write. If the host waits twice, it reads the reply twice.
            let text = self.text_after(REPLY_SIZE, LONGEST_NOTES, patience)?;
            self.notes = Notes::from_json(&String::from_utf8_lossy(&text));
        } else {
            received.drain(..REPLY_SIZE);
        }
        Ok(reply.answer)
    }

    /// The answer to a turn that was sent in a line of this length.
    fn answer_in_line(&mut self, n_sent: u64, patience: &mut Patience) -> Result<Answer, NoAnswer> {
        Err(match self.line(patience)? {
            // Two answers in two writes would otherwise answer the next turn too.
            Ok(Said::Move(..)) if self.process.n_unread() as u64 >= n_sent => wrong_line(
                "answered before it had read the turn; each line of the host has one answer",
            ),
            Ok(Said::Move(answer, notes)) => {
                self.notes = notes;
                return Ok(answer);
            }
            Ok(Said::Error(words)) => NoAnswer::Failed(PluginFailure::ReportedError(words)),
            other => wrong(other, MOVE),
        })
    }

    /// What the program says next.
    fn line(&mut self, patience: &mut Patience) -> Result<Result<Said, WrongLine>, NoAnswer> {
        self.line_of_at_most(LONGEST_LINE, patience)
    }

    fn line_of_at_most(
        &mut self,
        longest: usize,
        patience: &mut Patience,
    ) -> Result<Result<Said, WrongLine>, NoAnswer> {
        let process = &mut self.process;
        // Only what is new is searched: an extension may answer with megabytes.
        let mut n_searched = 0;
        process.receive(patience, |received| {
            let is_enough = received.len() > longest || received[n_searched..].contains(&b'\n');
            if !is_enough {
                n_searched = received.len();
            }
            is_enough
        })?;
        let line = take_line(process.received(), longest).ok_or(NoAnswer::Garbage)?;
        Ok(match line {
            ProgramLine::Whole(line) => parse(&line).map_err(|error| WrongLine { line, error }),
            ProgramLine::TooLong(line) => Err(WrongLine {
                line,
                error: LineError::Foreign(match longest {
                    LONGEST_LINE => "is longer than 65,536 bytes",
                    _ => "is longer than 64 MiB",
                }),
            }),
        })
    }

    /// Makes sure that a program has written nothing unasked.
    fn expect_silence(&mut self) -> Result<(), NoAnswer> {
        self.process.receive_now()?;
        match unasked(self.process.received()).map(shown) {
            None => Ok(()),
            Some(line) => Err(wrong_line(format!(
                "wrote the line {line} before it was asked; each line of the host has one answer"
            ))),
        }
    }

    /// Waits for what the worker says in JSON.
    ///
    /// # Errors
    /// When it says nothing sensible in time.
    pub fn report(&mut self, patience: &mut Patience) -> Result<WorkerReport, NoAnswer> {
        let text = self.text_after(0, LONGEST_TEXT, patience)?;
        serde_json::from_slice(&text).map_err(|_| NoAnswer::Garbage)
    }

    /// Waits for a text behind its length, and takes it with the bytes before.
    fn text_after(
        &mut self,
        n_before: usize,
        longest: usize,
        patience: &mut Patience,
    ) -> Result<Vec<u8>, NoAnswer> {
        const N_LENGTH: usize = 4;
        let process = &mut self.process;
        let begin = n_before + N_LENGTH;
        process.receive(patience, |received| received.len() >= begin)?;
        let length = process.received()[n_before..].first_chunk().copied();
        let length = u32::from_le_bytes(length.unwrap_or_default()) as usize;
        if length > longest {
            return Err(NoAnswer::Garbage);
        }
        // The length is the worker's word: memory for the text grows with what comes.
        let end = begin + length;
        process.receive(patience, |received| received.len() >= end)?;
        Ok(process.received().drain(..end).skip(begin).collect())
    }

    /// Waits for a while, and says whether the worker has said something.
    ///
    /// # Errors
    /// When the run is to stop.
    pub fn has_output_within(&mut self, limit: Duration) -> Result<bool, NoAnswer> {
        self.process.has_output_within(limit)
    }

    /// Tells an extension to end with what is known.
    pub fn stop_extension(&mut self) {
        let stop = match self.speaks {
            Language::Frames => [1].as_slice(),
            Language::Lines { .. } => STOP.as_bytes(),
        };
        // If the worker is gone, waiting for its report shows that.
        let _ = self.process.write(stop);
    }

    /// The CPU time of the whole worker, all threads together, read from outside.
    #[must_use]
    pub fn cpu_time(&self) -> Duration {
        self.process.cpu_time()
    }

    /// Whether one of its threads runs or waits for a core.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.process.state() == WorkerState::Busy
    }

    /// How many threads it has.
    #[must_use]
    pub fn n_threads(&self) -> Option<u64> {
        self.process.n_threads()
    }

    /// How much memory it holds, in bytes.
    #[must_use]
    pub fn resident_memory(&self) -> Option<u64> {
        self.process.resident_memory()
    }

    /// The last lines of its standard error output.
    pub fn stderr_tail(&mut self) -> String {
        self.process.stderr_tail()
    }
}

impl Drop for Worker<'_> {
    /// Tells a program that the game is over. It is about to be killed, so nothing waits.
    fn drop(&mut self) {
        if let Language::Lines { plays: true, .. } = self.speaks {
            self.process.write_now(END.as_bytes());
        }
    }
}

/// A line that the host did not expect.
struct WrongLine {
    line: Vec<u8>,
    error: LineError,
}

/// What to say about a line where the host expected another one.
fn wrong(said: Result<Said, WrongLine>, expected: &str) -> NoAnswer {
    const HINT: &str = "only the protocol goes to standard output; print to standard error";
    wrong_line(match said {
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
                Said::Move(..) => "move",
                Said::Message(_) => "message",
                Said::Answer(_) => "answer",
                Said::Error(_) => "error",
            };
            format!("wrote `{word} …` where {expected} was expected")
        }
    })
}

fn wrong_line(sentence: impl Into<String>) -> NoAnswer {
    NoAnswer::Failed(PluginFailure::WrongLine(sentence.into()))
}
