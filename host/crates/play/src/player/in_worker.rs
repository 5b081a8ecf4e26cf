//! An agent in a worker process.

use std::time::Duration;

use plugin_api::{Allowance, Answer, Board, Clock, Turn};

use super::{
    Fault, Interruption, Player, PlayerError, Reply, TurnTimes, empty_turn::EmptyTurn,
    sleep_account::SleepAccount, turn_clock::TurnClock,
};
use run::game_record::{Ending, GameRecord};
use text::{duration_text::format_duration, plugin_words::PluginWords, printable::printable};
use tournament::{Budget, Overrun, Sandbox};
use worker::{
    Conversation, Job, Lost, Patience, PluginCall, PluginFile, Rehearsal, Task, WorkerOptions,
    WorkerProcess, WorkerReport, printed_error,
    sandbox::{SandboxRules, report_missing_layer},
    sandbox_hint, telling_line, uncaught_exception,
};

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
    pub error: PlayerError,
    /// CPU time of the attempt.
    pub setup_cpu: Duration,
}

impl From<PlayerError> for FailedStart {
    fn from(error: PlayerError) -> Self {
        Self {
            error,
            setup_cpu: Duration::ZERO,
        }
    }
}

impl From<FailedStart> for PlayerError {
    fn from(failed: FailedStart) -> Self {
        failed.error
    }
}

/// An agent in a process of its own.
pub struct WorkerPlayer<'a> {
    worker: WorkerProcess<'a>,
    conversation: Conversation,
    plugin: PluginFile,
    sandbox: SandboxRules,
    budget: Budget,
    clock: TurnClock,
    sleep: SleepAccount,
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
        let job = Job::Play {
            params: task.params.clone(),
            setup: task.setup.clone(),
        };
        Self::start_with(task, job, options)
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
        let job = Job::Rehearse {
            params: task.params.clone(),
            setup: task.setup.clone(),
            rehearsal,
        };
        Self::start_with(task, job, options)
    }

    fn start_with(
        task: &GameTask,
        job: Job,
        options: WorkerOptions<'a>,
    ) -> Result<Self, FailedStart> {
        let worker_task = Task {
            plugin: task.plugin.clone(),
            sandbox: task.sandbox.clone(),
            job,
        };
        let not_started =
            |reason: String| PlayerError::Interrupted(Interruption::NotStarted(reason));
        let mut worker = WorkerProcess::start(&worker_task, options)
            .map_err(|error| not_started(error.to_string()))?;
        let sandbox_lacks = confine(&mut worker, task.sandbox.mode == Sandbox::Required)?;
        let empty = EmptyTurn::of(&mut worker).map_err(before_opening)?;
        let mut player = Self {
            worker,
            conversation: Conversation::new(&task.plugin, &task.params, &task.setup),
            plugin: worker_task.plugin,
            sandbox: worker_task.sandbox,
            budget: task.budget,
            clock: TurnClock::new(empty, options.core),
            sleep: SleepAccount::new(&task.budget),
            most_threads: 1,
            setup_cpu: Duration::ZERO,
            sandbox_lacks,
        };
        player.open_plugin(empty).map_err(|error| FailedStart {
            error,
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

    /// The process the agent lives in, to be looked at from outside.
    pub fn worker(&mut self) -> &mut WorkerProcess<'a> {
        &mut self.worker
    }

    /// The layer of the sandbox that this machine lacks.
    #[must_use]
    pub fn sandbox_lacks(&self) -> Option<&str> {
        self.sandbox_lacks.as_deref()
    }

    /// Lets the worker open the plugin and make the agent, within the limits of `setup`.
    fn open_plugin(&mut self, empty: EmptyTurn) -> Result<(), PlayerError> {
        let limit = self.budget.setup;
        let before = self.worker.cpu_time();
        let mut patience = Patience::new(before, limit, self.budget.sleep_limit());
        let report = self
            .conversation
            .open(&mut self.worker, empty.cpu, &mut patience);
        self.setup_cpu = self.worker.cpu_time().saturating_sub(before);
        let used_up = || {
            let limit = format_duration(limit);
            format!("used more than {limit} of CPU before the first move")
        };
        match report {
            Err(Lost::UsedUp) => Err(self.timeout(Ending::Overrun, used_up())),
            Ok(WorkerReport::Ready) if self.setup_cpu > limit => {
                Err(self.timeout(Ending::Overrun, used_up()))
            }
            Ok(WorkerReport::Ready) => Ok(()),
            Ok(report) => Err(self.failed(report, PluginCall::New)),
            Err(Lost::Asleep) => {
                let limit = format_duration(self.budget.sleep_limit());
                let sentence = format!("slept for more than {limit} before the first move");
                Err(self.fault(Ending::Hang, sentence))
            }
            Err(lost) => Err(self.lost(lost)),
        }
    }

    /// What the worker may use on a turn before the host waits no longer.
    fn patience(&self, turn: &Turn) -> Patience {
        let empty = self.clock.empty();
        let (cpu, wall) = match (turn.allowance, self.budget.overrun) {
            (
                Allowance::Time {
                    clock,
                    income,
                    bank,
                    ..
                },
                Overrun::EndGame,
            ) => match clock {
                Clock::Cpu => (income + bank + empty.cpu, None),
                Clock::Wall => (self.budget.hang, Some(income + bank + empty.wall)),
            },
            _ => (self.budget.hang, None),
        };
        let sleep = match wall {
            // An agent that sleeps pays for it with the time that is limited.
            Some(wall) => wall,
            None => self.sleep.available(),
        };
        let patience = Patience::new(self.clock.cpu_at_start(), cpu, sleep);
        match wall {
            Some(wall) => patience.within_wall_time(wall),
            None if self.sleep.is_suspicious() => patience.looking_closely(),
            None => patience,
        }
    }

    /// Waits for the reply to a turn that was sent.
    fn receive(&mut self, patience: &mut Patience) -> Result<Option<Answer>, Lost> {
        loop {
            match self.conversation.answer(&mut self.worker, patience) {
                Err(Lost::UsedUp) => {
                    let credit = self.clock.credit(self.worker.cpu_time());
                    if credit.is_zero() {
                        return Err(Lost::UsedUp);
                    }
                    patience.extend(credit);
                }
                result => return result,
            }
        }
    }

    /// What it means that a turn has no reply.
    fn unanswered(&mut self, lost: Lost, turn: &Turn, times: TurnTimes) -> PlayerError {
        let number = turn.move_number;
        match (lost, turn.allowance, self.budget.overrun) {
            (Lost::UsedUp, Allowance::Time { .. }, Overrun::EndGame) => {
                PlayerError::OutOfTime(times)
            }
            (Lost::UsedUp, ..) => {
                let limit = format_duration(self.budget.hang);
                let sentence =
                    format!("gave no answer within {limit} of CPU time on move {number}");
                self.timeout(Ending::Hang, sentence)
            }
            (Lost::Asleep, ..) => {
                let limit = self.budget.sleep_text();
                let sentence =
                    format!("slept on move {number}; in all, it has slept for more than {limit}");
                self.fault(Ending::Hang, sentence)
            }
            (lost, ..) => self.lost(lost),
        }
    }

    fn failed(&mut self, report: WorkerReport, call: PluginCall) -> PlayerError {
        match report {
            WorkerReport::Failed(failure) => {
                let hint = failure.sandbox_hint(&self.plugin, &self.sandbox);
                PlayerError::Fault(Fault {
                    stderr_tail: self.worker.stderr_tail(),
                    ..Fault::of_plugin(&failure, call, &hint)
                })
            }
            WorkerReport::Confined { .. }
            | WorkerReport::Ready
            | WorkerReport::Described { .. }
            | WorkerReport::Message(_)
            | WorkerReport::Answered(_) => self.lost(Lost::Garbage),
        }
    }

    fn lost(&mut self, lost: Lost) -> PlayerError {
        match lost {
            Lost::Stopped => PlayerError::Interrupted(Interruption::Stopped),
            Lost::Paused => PlayerError::Interrupted(Interruption::Paused),
            Lost::KilledFromOutside(signal) => {
                PlayerError::Interrupted(Interruption::Killed(signal))
            }
            Lost::Died(sentence) => {
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
            Lost::Garbage => self.fault(
                Ending::BadAnswer,
                "wrote garbage where its answer was expected",
            ),
            Lost::UsedUp | Lost::Asleep => {
                self.fault(Ending::Hang, "did not say in time what went wrong")
            }
        }
    }

    fn fault(&mut self, ending: Ending, sentence: impl Into<String>) -> PlayerError {
        PlayerError::Fault(Fault {
            stderr_tail: self.worker.stderr_tail(),
            ..Fault::new(ending, sentence)
        })
    }

    /// A fault that cost the run as much time as it lets an agent have.
    fn timeout(&mut self, ending: Ending, sentence: String) -> PlayerError {
        PlayerError::Fault(Fault {
            stderr_tail: self.worker.stderr_tail(),
            is_timeout: true,
            ..Fault::new(ending, sentence)
        })
    }

    fn count_threads(&mut self) {
        self.most_threads = self.most_threads.max(self.worker.n_threads().unwrap_or(1));
    }
}

impl Drop for WorkerPlayer<'_> {
    fn drop(&mut self) {
        self.conversation.end(&mut self.worker);
    }
}

/// Waits until the worker is in its sandbox, and returns what that lacks. No plugin is open
/// yet, so whatever goes wrong here is no agent's doing.
fn confine(
    worker: &mut WorkerProcess<'_>,
    is_required: bool,
) -> Result<Option<String>, PlayerError> {
    let mut patience = Patience::new(worker.cpu_time(), START_LIMIT, START_LIMIT);
    let report = worker.report(&mut patience).map_err(before_opening)?;
    let WorkerReport::Confined { lacking } = report else {
        return Err(before_opening(Lost::Garbage));
    };
    let Some(layer) = lacking else {
        return Ok(None);
    };
    if is_required {
        let sentence = format!("cannot be sandboxed here: {layer}");
        return Err(PlayerError::Fault(Fault::new(Ending::Refused, sentence)));
    }
    report_missing_layer(&layer);
    Ok(Some(printable(&layer, GameRecord::LONGEST_SENTENCE)))
}

/// What it means that a worker is lost before it has opened its plugin.
fn before_opening(lost: Lost) -> PlayerError {
    PlayerError::Interrupted(match lost {
        Lost::Stopped => Interruption::Stopped,
        Lost::Paused => Interruption::Paused,
        Lost::KilledFromOutside(signal) => Interruption::Killed(signal),
        Lost::Died(sentence) => Interruption::NotStarted(format!("the worker {sentence}")),
        Lost::Garbage => Interruption::NotStarted("the worker sent garbage".to_owned()),
        Lost::UsedUp | Lost::Asleep => {
            Interruption::NotStarted("the worker did not get ready".to_owned())
        }
    })
}

impl Player for WorkerPlayer<'_> {
    fn choose(&mut self, board: &Board, turn: &Turn) -> Result<Reply, PlayerError> {
        self.clock.start(turn);
        let mut patience = self.patience(turn);
        let answer = self
            .conversation
            .ask(&mut self.worker, board, turn)
            .and_then(|()| self.receive(&mut patience));
        let times = self.clock.stop(self.worker.cpu_time());
        let answer = answer.map_err(|lost| self.unanswered(lost, turn, times))?;
        if patience.is_from_suspended_host() {
            return Err(PlayerError::Interrupted(Interruption::Paused));
        }
        self.sleep
            .pay(patience.slept(), times.wall.saturating_sub(times.cpu));
        let Some(answer) = answer else {
            let report = self.conversation.failure(&mut self.worker, &mut patience);
            return Err(match report {
                Ok(report) => self.failed(report, PluginCall::Choose),
                Err(lost) => self.lost(lost),
            });
        };
        // Looking costs more than a turn: at moves 1, 2, 4, 8, … and at the end.
        if turn.move_number.is_power_of_two() {
            self.count_threads();
        }
        Ok(Reply { answer, times })
    }

    fn n_threads(&mut self) -> u64 {
        self.count_threads();
        self.most_threads
    }

    fn stderr_tail(&mut self) -> String {
        self.worker.stderr_tail()
    }
}
