//! What the referee asks for moves: an agent in a worker, or one inside the host.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use plugin_api::{
    Allowance, Answer, Board, Direction, Failure, LoadedAgent, LoadedPlugin, Notes, Turn,
    collect_notes,
};

use run::{
    game_record::{Ending, GameRecord},
    thought_files::GameThoughts,
};
use text::{duration_text::format_duration, plugin_words::PluginWords, printable::printable};
use tournament::{Budget, Overrun, Sandbox};
use worker::{
    CannotBeShown, Job, NoAnswer, Patience, PluginCall, PluginFailure, PluginFile, Rehearsal, Task,
    Worker, WorkerOptions, printed_error, sandbox::SandboxRules, sandbox_hint, telling_line,
    uncaught_exception,
};

use crate::clock::{EmptyTurn, TurnClock, TurnTimes};

/// Chooses moves. What it answers is a proposal; the referee judges it.
pub trait Player {
    /// Asks for a move, and returns the answer and what the turn took. There is no answer if
    /// increment and bank are used up, and the host waits no longer.
    ///
    /// # Errors
    /// When no answer comes for another reason.
    fn choose(&mut self, board: &Board, turn: &Turn)
    -> Result<(Option<Answer>, TurnTimes), NoMove>;

    /// The notes on the last answer, once.
    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }

    /// The most threads it was seen with.
    fn n_threads(&mut self) -> u64;

    /// The last lines it printed.
    fn stderr_tail(&mut self) -> String;
}

/// An answer, the time it took, and the notes on it.
#[derive(Clone, Debug)]
pub struct Reply {
    pub answer: Answer,
    pub times: TurnTimes,
    pub notes: Notes,
}

impl Reply {
    /// Adds what the agent reported about the move that it chose.
    pub fn add_to(&self, thoughts: &mut GameThoughts, chosen: Direction) {
        let value = self.answer.values[chosen as usize];
        thoughts.add(value, self.answer.depth, self.times.cpu, &self.notes);
    }
}

/// Why an agent gives no move: the one type for it from the agent's start to its last turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// The agent did something wrong.
    Fault(Fault),
    /// Something came in between that is not the agent's doing.
    Interrupted(Interruption),
}

/// Why a game cannot go on, although its agent did nothing wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The run is to stop.
    Stopped,
    /// A signal that neither the host nor the agent sent has killed the worker.
    Killed(String),
    /// The worker was stopped by a signal for a while, or the machine was suspended.
    Paused {
        /// Whether the sandbox keeps the agent from sending itself that signal.
        is_confined: bool,
    },
    /// There is no worker, for this reason.
    NotStarted(String),
}

impl Interruption {
    /// Its name, and what happened in one sentence.
    #[must_use]
    pub fn in_words(self) -> (&'static str, String) {
        match self {
            Self::Stopped => ("stopped", "was stopped".to_owned()),
            Self::Killed(signal) => (
                "killed",
                format!("the worker was killed by another process ({signal})"),
            ),
            Self::Paused { .. } => ("paused", "the worker was stopped by a signal".to_owned()),
            Self::NotStarted(reason) => (
                "not-started",
                format!("a worker could not be started: {reason}"),
            ),
        }
    }
}

/// What an agent did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub ending: Ending,
    /// One sentence, the agent being its subject: "panicked in `choose`: “…”".
    pub sentence: String,
    /// The last lines it printed.
    pub stderr_tail: String,
    /// Whether it used up a limit that protects the run.
    pub is_timeout: bool,
}

impl Fault {
    #[must_use]
    pub fn new(ending: Ending, sentence: impl Into<String>) -> Self {
        Self {
            ending,
            // The agent may have a hand in it: a panic's message is quoted.
            sentence: printable(&sentence.into(), GameRecord::LONGEST_SENTENCE),
            stderr_tail: String::new(),
            is_timeout: false,
        }
    }

    /// The fault of an agent that did not do what the host asked for. The hint follows the
    /// sentence, and begins with a separator.
    #[must_use]
    pub fn of_plugin(failure: &PluginFailure, call: PluginCall, hint: &str) -> Self {
        let ending = match failure {
            PluginFailure::Unusable(_) | PluginFailure::Refused(_) => Ending::Refused,
            PluginFailure::Panicked(_) | PluginFailure::ReportedError(_) => Ending::Panic,
            PluginFailure::Broken(_)
            | PluginFailure::UnknownExtension
            | PluginFailure::WrongLine(_) => Ending::BadAnswer,
        };
        Self::new(ending, failure.sentence(call) + hint)
    }
}

/// How long a worker may take until it is ready to open the plugin. It runs the host's own
/// code until then.
const START_LIMIT: Duration = Duration::from_secs(30);

/// What is needed to start an agent in a worker.
#[derive(Clone, Debug)]
pub struct GameTask {
    pub plugin: PluginFile,
    pub sandbox: SandboxRules,
    pub params: String,
    pub setup: String,
    pub budget: Budget,
}

/// An agent that could not be made.
#[derive(Debug)]
pub struct FailedStart {
    pub reason: NoMove,
    /// CPU time of the attempt.
    pub setup_cpu: Duration,
}

impl From<NoMove> for FailedStart {
    fn from(reason: NoMove) -> Self {
        Self {
            reason,
            setup_cpu: Duration::ZERO,
        }
    }
}

impl From<FailedStart> for NoMove {
    fn from(failed: FailedStart) -> Self {
        failed.reason
    }
}

/// An agent in a process of its own.
pub struct WorkerPlayer<'a> {
    worker: Worker<'a>,
    plugin: PluginFile,
    sandbox: SandboxRules,
    budget: Budget,
    clock: TurnClock,
    most_threads: u64,
    setup_cpu: Duration,
    sandbox_lacks: Option<String>,
}

impl<'a> WorkerPlayer<'a> {
    /// Starts a worker and makes the agent in it.
    ///
    /// # Errors
    /// When the agent cannot be made within its limits.
    pub fn start(task: &GameTask, options: WorkerOptions<'a>) -> Result<Self, FailedStart> {
        Self::start_with(task, None, options)
    }

    /// Starts a worker that makes its agent in a way of its own; for `host check`.
    ///
    /// # Errors
    /// As for [`WorkerPlayer::start`].
    pub fn rehearse(
        task: &GameTask,
        rehearsal: Rehearsal,
        options: WorkerOptions<'a>,
    ) -> Result<Self, FailedStart> {
        Self::start_with(task, Some(rehearsal), options)
    }

    fn start_with(
        task: &GameTask,
        rehearsal: Option<Rehearsal>,
        options: WorkerOptions<'a>,
    ) -> Result<Self, FailedStart> {
        let worker_task = Task {
            plugin: task.plugin.clone(),
            sandbox: task.sandbox.clone(),
            job: Job::Play {
                params: task.params.clone(),
                setup: task.setup.clone(),
                notes: options.notes,
                rehearsal,
            },
        };
        let mut worker =
            Worker::start(&worker_task, options).map_err(|error| not_started(&error))?;
        let sandbox_lacks = confine(&mut worker, task.sandbox.mode == Sandbox::Required)?;
        let empty = EmptyTurn::of(&mut worker).map_err(before_opening)?;
        let mut player = Self {
            worker,
            plugin: worker_task.plugin,
            sandbox: worker_task.sandbox,
            budget: task.budget,
            clock: TurnClock::new(&task.budget, empty, options.core),
            most_threads: 1,
            setup_cpu: Duration::ZERO,
            sandbox_lacks,
        };
        player.open(empty).map_err(|reason| FailedStart {
            reason,
            setup_cpu: player.setup_cpu,
        })?;
        player.clock.reset(player.worker.cpu_time());
        Ok(player)
    }

    /// CPU time for making the agent.
    #[must_use]
    pub fn setup_cpu(&self) -> Duration {
        self.setup_cpu
    }

    /// The worker that the agent lives in, for the caller to examine from outside.
    pub fn worker(&mut self) -> &mut Worker<'a> {
        &mut self.worker
    }

    /// The layer of the sandbox that this machine lacks.
    #[must_use]
    pub fn sandbox_lacks(&self) -> Option<&str> {
        self.sandbox_lacks.as_deref()
    }

    /// Lets the worker open the plugin and make the agent, within the limits of `setup`.
    fn open(&mut self, empty: EmptyTurn) -> Result<(), NoMove> {
        let limit = self.budget.setup;
        let before = self.worker.cpu_time();
        let mut patience = Patience::new(before, limit, self.budget.sleep_limit());
        let opened = self.worker.open(empty.cpu, &mut patience);
        self.setup_cpu = self.worker.cpu_time().saturating_sub(before);
        match opened {
            Ok(()) if self.setup_cpu <= limit => Ok(()),
            Ok(()) | Err(NoAnswer::UsedUp) => {
                let limit = format_duration(limit);
                let sentence = format!("used more than {limit} of CPU before the first move");
                Err(self.timeout(Ending::Overrun, sentence))
            }
            Err(NoAnswer::Asleep) => {
                let limit = format_duration(self.budget.sleep_limit());
                let sentence = format!("slept for more than {limit} before the first move");
                Err(self.fault(Ending::Hang, sentence))
            }
            // An agent that has had no turn gains nothing by stopping itself.
            Err(NoAnswer::Paused) => Err(before_opening(NoAnswer::Paused)),
            Err(reason) => Err(self.no_move(reason, PluginCall::New)),
        }
    }

    /// What it means that there is no answer, unless time is what was missing.
    fn no_move(&mut self, reason: NoAnswer, call: PluginCall) -> NoMove {
        match reason {
            NoAnswer::Stopped => NoMove::Interrupted(Interruption::Stopped),
            NoAnswer::Paused => self.paused(),
            NoAnswer::KilledFromOutside(signal) => {
                NoMove::Interrupted(Interruption::Killed(signal))
            }
            NoAnswer::Failed(failure) => {
                let hint = failure.sandbox_hint(&self.plugin, &self.sandbox);
                NoMove::Fault(Fault {
                    stderr_tail: self.worker.stderr_tail(),
                    ..Fault::of_plugin(&failure, call, &hint)
                })
            }
            NoAnswer::Died(sentence) => {
                const LONGEST_WORDS: usize = 300;
                let printed = self.worker.stderr_tail();
                // A library runs in no interpreter.
                let error = self.plugin.program().and_then(|_| printed_error(&printed));
                let sentence = match (uncaught_exception(&printed), &error) {
                    (Some(exception), _) => {
                        format!("threw an exception that it did not catch: {exception}")
                    }
                    (None, Some(words)) => {
                        format!("{sentence}: {}", PluginWords::cut(words, LONGEST_WORDS))
                    }
                    (None, None) => sentence,
                };
                let words = error.as_deref().or_else(|| telling_line(&printed));
                let hint = sandbox_hint(words.unwrap_or_default(), &self.plugin, &self.sandbox);
                self.fault(Ending::Crash, sentence + &hint)
            }
            NoAnswer::Garbage => self.fault(
                Ending::BadAnswer,
                "wrote garbage where its answer was expected",
            ),
            NoAnswer::Unexplained | NoAnswer::UsedUp | NoAnswer::Asleep => {
                self.fault(Ending::Hang, "did not say in time what went wrong")
            }
        }
    }

    fn paused(&self) -> NoMove {
        NoMove::Interrupted(Interruption::Paused {
            is_confined: self.sandbox.mode != Sandbox::Off && self.sandbox_lacks.is_none(),
        })
    }

    fn fault(&mut self, ending: Ending, sentence: impl Into<String>) -> NoMove {
        NoMove::Fault(Fault {
            stderr_tail: self.worker.stderr_tail(),
            ..Fault::new(ending, sentence)
        })
    }

    /// A fault that cost the run as much time as it lets an agent have.
    fn timeout(&mut self, ending: Ending, sentence: String) -> NoMove {
        NoMove::Fault(Fault {
            stderr_tail: self.worker.stderr_tail(),
            is_timeout: true,
            ..Fault::new(ending, sentence)
        })
    }

    fn count_threads(&mut self) {
        self.most_threads = self.most_threads.max(self.worker.n_threads().unwrap_or(1));
    }
}

/// Waits until the worker is in its sandbox, and returns what that lacks.
fn confine(worker: &mut Worker<'_>, is_required: bool) -> Result<Option<String>, NoMove> {
    let mut patience = Patience::new(worker.cpu_time(), START_LIMIT, START_LIMIT);
    let lacking = worker.confine(&mut patience).map_err(before_opening)?;
    let Some(layer) = lacking else {
        return Ok(None);
    };
    if is_required {
        let sentence = format!("cannot be sandboxed here: {layer}");
        return Err(NoMove::Fault(Fault::new(Ending::Refused, sentence)));
    }
    Ok(Some(printable(&layer, GameRecord::LONGEST_SENTENCE)))
}

/// What it means that there is no worker: no agent's doing, unless its files do not fit.
fn not_started(error: &io::Error) -> NoMove {
    let reason = error.get_ref().and_then(|reason| reason.downcast_ref());
    match reason {
        Some(CannotBeShown::TooLarge { .. }) => {
            NoMove::Fault(Fault::new(Ending::Refused, error.to_string()))
        }
        _ => NoMove::Interrupted(Interruption::NotStarted(error.to_string())),
    }
}

/// What it means that a worker is lost before it has opened its plugin: no agent's doing.
fn before_opening(reason: NoAnswer) -> NoMove {
    NoMove::Interrupted(match reason {
        NoAnswer::Stopped => Interruption::Stopped,
        NoAnswer::Paused => Interruption::Paused { is_confined: true },
        NoAnswer::KilledFromOutside(signal) => Interruption::Killed(signal),
        NoAnswer::Died(sentence) => Interruption::NotStarted(format!("the worker {sentence}")),
        NoAnswer::Garbage | NoAnswer::Failed(_) => {
            Interruption::NotStarted("the worker sent garbage".to_owned())
        }
        NoAnswer::UsedUp | NoAnswer::Asleep | NoAnswer::Unexplained => {
            Interruption::NotStarted("the worker did not get ready".to_owned())
        }
    })
}

impl Player for WorkerPlayer<'_> {
    fn choose(
        &mut self,
        board: &Board,
        turn: &Turn,
    ) -> Result<(Option<Answer>, TurnTimes), NoMove> {
        let mut patience = self.clock.start(turn);
        let clock = &mut self.clock;
        let answer = (self.worker).ask(board, turn, &mut patience, |cpu| clock.credit(cpu));
        let cpu = self.worker.cpu_time();
        let times = self.clock.stop(cpu);
        let number = turn.move_number;
        let has_spoken = matches!(
            answer,
            Ok(_) | Err(NoAnswer::Failed(_) | NoAnswer::Unexplained)
        );
        if has_spoken && patience.is_from_suspended_host(cpu) {
            return Err(self.paused());
        }
        let ends_game = self.budget.overrun == Overrun::EndGame;
        let answer = match (answer, turn.allowance) {
            (Ok(answer), _) => answer,
            (Err(NoAnswer::UsedUp), Allowance::Time { .. }) if ends_game => {
                return Ok((None, times));
            }
            (Err(NoAnswer::UsedUp), _) => {
                let limit = format_duration(self.budget.hang);
                let sentence =
                    format!("gave no answer within {limit} of CPU time on move {number}");
                return Err(self.timeout(Ending::Hang, sentence));
            }
            (Err(NoAnswer::Asleep), _) => {
                let limit = self.budget.sleep_text();
                let sentence =
                    format!("slept on move {number}; in all, it has slept for more than {limit}");
                return Err(self.fault(Ending::Hang, sentence));
            }
            (Err(reason), _) => return Err(self.no_move(reason, PluginCall::Choose)),
        };
        self.clock.pay_sleep(&patience, times);
        // Looking costs more than a turn: at moves 1, 2, 4, 8, … and at the end.
        if number.is_power_of_two() {
            self.count_threads();
        }
        Ok((Some(answer), times))
    }

    fn take_notes(&mut self) -> Notes {
        self.worker.take_notes()
    }

    fn n_threads(&mut self) -> u64 {
        self.count_threads();
        self.most_threads
    }

    fn stderr_tail(&mut self) -> String {
        self.worker.stderr_tail()
    }
}

/// An agent inside the host: for plugins that the user trusts, at top speed.
///
/// The host reads only the wall clock here: the CPU time of this process is not that of one
/// agent, and reading it would cost more than the rest of a turn.
pub struct InProcessPlayer<'s> {
    agent: Box<dyn LoadedAgent>,
    stop: &'s AtomicBool,
    /// On the last answer, if the host wants any.
    notes: Option<Notes>,
}

impl<'s> InProcessPlayer<'s> {
    /// Makes an agent. It has no further turn once `stop` is set.
    ///
    /// # Errors
    /// When the plugin refuses or panics.
    pub fn start(
        plugin: &dyn LoadedPlugin,
        params: &str,
        setup: &str,
        stop: &'s AtomicBool,
    ) -> Result<Self, Fault> {
        let agent = (plugin.create(params, setup))
            .map_err(|failure| own_fault(failure, PluginCall::New))?;
        Ok(Self {
            agent,
            stop,
            notes: None,
        })
    }

    /// The same, with the notes of the agent if they are wanted.
    #[must_use]
    pub fn with_notes(self, is_wanted: bool) -> Self {
        Self {
            notes: is_wanted.then(Notes::default),
            ..self
        }
    }
}

impl Player for InProcessPlayer<'_> {
    fn choose(
        &mut self,
        board: &Board,
        turn: &Turn,
    ) -> Result<(Option<Answer>, TurnTimes), NoMove> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(NoMove::Interrupted(Interruption::Stopped));
        }
        let start = Instant::now();
        let answer = match &mut self.notes {
            None => self.agent.choose(board, turn),
            Some(notes) => {
                let (answer, taken) = collect_notes(|| self.agent.choose(board, turn));
                *notes = taken;
                answer
            }
        };
        let wall = start.elapsed();
        let answer =
            answer.map_err(|failure| NoMove::Fault(own_fault(failure, PluginCall::Choose)))?;
        let times = TurnTimes {
            cpu: wall,
            wall,
            stolen: Duration::ZERO,
        };
        Ok((Some(answer), times))
    }

    fn take_notes(&mut self) -> Notes {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn n_threads(&mut self) -> u64 {
        1
    }

    /// What it prints goes where the host's own words go.
    fn stderr_tail(&mut self) -> String {
        String::new()
    }
}

/// The fault of an agent inside the host.
fn own_fault(failure: Failure, call: PluginCall) -> Fault {
    Fault::of_plugin(&failure.into(), call, "")
}
