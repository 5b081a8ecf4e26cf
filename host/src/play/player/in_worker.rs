//! An agent in a worker process.

use std::time::{Duration, Instant};

use plugin_api::{Allowance, Board, Clock, Turn};

use super::{Fault, LONGEST_SENTENCE, Player, PlayerError, Reply, stolen_time::StolenTime};
use crate::{
    run::game_record::Ending,
    text::{duration_text::format_duration, printable::printable},
    tournament::{Budget, Sandbox},
    worker::{
        Job, Lost, PluginFile, Rehearsal, Task, WorkerOptions, WorkerProcess, WorkerReport,
        protocol::encode_turn,
        sandbox::{SandboxRules, report_missing_layer},
    },
};

/// What the worker does on every turn besides thinking, on the CPU clock, at most.
const PIPE_COST: Duration = Duration::from_micros(50);
/// A turn that takes so much more than its income may have been robbed of it.
const HICCUP: Duration = Duration::from_millis(5);
/// How far the worker's own readings may stay behind those from outside over a
/// whole game before they count as wrong.
const SLACK: Duration = Duration::from_millis(50);
/// How long a worker may sleep in its start-up, as a multiple of its CPU limit.
const SLEEPY: u32 = 6;

/// What is needed to start an agent in a worker.
#[derive(Clone, Debug)]
pub struct GameTask {
    pub plugin: PluginFile,
    pub sandbox: SandboxRules,
    pub params: String,
    pub setup: String,
    pub budget: Budget,
}

/// An agent in a process of its own.
pub struct WorkerPlayer<'a> {
    worker: WorkerProcess<'a>,
    hang: Duration,
    /// CPU time of the worker before its first turn, read from outside.
    cpu_before: Duration,
    /// CPU time of all turns as the worker read it.
    cpu_inside: Duration,
    /// CPU time up to the last turn, read from outside.
    cpu_outside: Duration,
    n_turns: u32,
    most_threads: u64,
    setup_cpu: Duration,
    stolen_time: StolenTime,
    sandbox_lacks: Option<String>,
}

impl<'a> WorkerPlayer<'a> {
    /// Starts a worker and makes the agent in it.
    ///
    /// # Errors
    /// When the agent cannot be made within its limits.
    pub fn start(task: &GameTask, options: WorkerOptions<'a>) -> Result<Self, PlayerError> {
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
    ) -> Result<Self, PlayerError> {
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
    ) -> Result<Self, PlayerError> {
        let worker_task = Task {
            plugin: task.plugin.clone(),
            sandbox: task.sandbox.clone(),
            job,
        };
        let worker = WorkerProcess::start(&worker_task, options).map_err(|error| {
            PlayerError::KilledFromOutside(format!("a worker could not be started: {error}"))
        })?;
        let mut player = Self {
            worker,
            hang: task.budget.hang,
            cpu_before: Duration::ZERO,
            cpu_inside: Duration::ZERO,
            cpu_outside: Duration::ZERO,
            n_turns: 0,
            most_threads: 1,
            setup_cpu: Duration::ZERO,
            stolen_time: StolenTime::of_core(options.core),
            sandbox_lacks: None,
        };
        player.wait_until_ready(task.budget.setup, task.sandbox.mode == Sandbox::Required)?;
        player.cpu_before = player.worker.cpu_time().unwrap_or_default();
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

    fn wait_until_ready(&mut self, limit: Duration, is_required: bool) -> Result<(), PlayerError> {
        const LOOK: Duration = Duration::from_millis(50);
        let give_up = Instant::now() + limit * SLEEPY;
        loop {
            match self.worker.wait_for_output(LOOK) {
                Ok(()) if Instant::now() < give_up => {}
                Ok(()) | Err(Lost::Silent) => {
                    let used = self.worker.cpu_time().unwrap_or_default();
                    let limit_text = format_duration(limit);
                    if used > limit {
                        let sentence =
                            format!("used more than {limit_text} of CPU before the first move");
                        return Err(self.fault(Ending::Overrun, sentence));
                    }
                    if Instant::now() > give_up {
                        let sentence = format!(
                            "was not ready after {}, though it had used little of its {limit_text} of CPU",
                            format_duration(limit * SLEEPY)
                        );
                        return Err(self.fault(Ending::Hang, sentence));
                    }
                    continue;
                }
                Err(lost) => return Err(self.lost(lost)),
            }
            match self.worker.report(limit).map_err(|lost| self.lost(lost))? {
                WorkerReport::Ready { setup_cpu } => {
                    self.setup_cpu = setup_cpu;
                    return Ok(());
                }
                // The worker stops then; one that goes on is the agent's doing.
                report @ WorkerReport::SandboxLacks(_) if is_required => {
                    return Err(self.failed(report));
                }
                WorkerReport::SandboxLacks(layer) => {
                    report_missing_layer(&layer);
                    self.sandbox_lacks = Some(printable(&layer, LONGEST_SENTENCE));
                }
                report => return Err(self.failed(report)),
            }
        }
    }

    /// The CPU time to charge for a turn: the worker's own reading, unless it has
    /// fallen behind what the host sees from outside by more than the pipe explains.
    fn audited(&mut self, inside: Duration) -> Duration {
        self.n_turns += 1;
        let Some(outside) = self.worker.cpu_time() else {
            self.cpu_inside += inside;
            return inside;
        };
        let outside = outside.saturating_sub(self.cpu_before);
        // Nor can it have used more than is seen from outside: who overstates one turn
        // would hide another behind it.
        let inside = inside.min(outside.saturating_sub(self.cpu_outside));
        self.cpu_outside = outside;
        self.cpu_inside += inside;
        let explained = self.cpu_inside + PIPE_COST * self.n_turns + SLACK;
        let hidden = outside.saturating_sub(explained);
        self.cpu_inside += hidden;
        inside + hidden
    }

    /// What the hypervisor took of a turn that took suspiciously long.
    fn stolen(&mut self, cpu: Duration, income: Duration) -> Duration {
        let excess = cpu.saturating_sub(income);
        if excess < HICCUP {
            return Duration::ZERO;
        }
        self.stolen_time.look().min(excess)
    }

    fn failed(&mut self, report: WorkerReport) -> PlayerError {
        match report {
            WorkerReport::Refused(sentence) | WorkerReport::Unusable(sentence) => {
                self.fault(Ending::Refused, sentence)
            }
            WorkerReport::SandboxLacks(layer) => self.fault(
                Ending::Refused,
                format!("cannot be sandboxed here: {layer}"),
            ),
            WorkerReport::Panicked(sentence) => self.fault(Ending::Panic, sentence),
            WorkerReport::Broken(sentence) => self.fault(Ending::BadAnswer, sentence),
            WorkerReport::Ready { .. }
            | WorkerReport::Described { .. }
            | WorkerReport::Message(_)
            | WorkerReport::Answered(_) => self.lost(Lost::Garbage),
        }
    }

    fn lost(&mut self, lost: Lost) -> PlayerError {
        match lost {
            Lost::Stopped => PlayerError::Stopped,
            Lost::KilledFromOutside(signal) => PlayerError::KilledFromOutside(signal),
            Lost::Died(sentence) => self.fault(Ending::Crash, sentence),
            Lost::Garbage => self.fault(
                Ending::BadAnswer,
                "wrote garbage where its answer was expected",
            ),
            Lost::Silent => {
                let sentence = format!("gave no answer within {}", format_duration(self.hang));
                self.fault(Ending::Hang, sentence)
            }
        }
    }

    fn fault(&mut self, ending: Ending, sentence: impl Into<String>) -> PlayerError {
        PlayerError::Fault(Fault {
            stderr_tail: self.worker.stderr_tail(),
            ..Fault::new(ending, sentence)
        })
    }

    fn count_threads(&mut self) {
        self.most_threads = self.most_threads.max(self.worker.n_threads().unwrap_or(1));
    }
}

/// The wall time of a turn: the worker's reading, as far as the host's own bears it out.
fn audited_wall(inside: Duration, outside: Duration) -> Duration {
    inside.clamp(outside.saturating_sub(PIPE_COST), outside)
}

/// What a turn adds to the bank, where CPU time is what counts.
fn income_on_cpu_clock(turn: &Turn) -> Option<Duration> {
    match turn.allowance {
        Allowance::Time {
            clock: Clock::Cpu,
            income,
            ..
        } => Some(income),
        _ => None,
    }
}

impl Player for WorkerPlayer<'_> {
    fn choose(&mut self, board: &Board, turn: &Turn) -> Result<Reply, PlayerError> {
        if income_on_cpu_clock(turn).is_some() {
            self.stolen_time.look_if_due();
        }
        let frame = encode_turn(board, turn);
        let asked = Instant::now();
        let reply = match self.worker.ask(&frame, self.hang) {
            Ok(reply) => reply,
            Err(lost) => return Err(self.lost(lost)),
        };
        let Some(answer) = reply.answer else {
            let report = self
                .worker
                .report(self.hang)
                .map_err(|lost| self.lost(lost))?;
            return Err(self.failed(report));
        };
        let (cpu, stolen) = match income_on_cpu_clock(turn) {
            Some(income) => {
                let cpu = self.audited(reply.cpu);
                (cpu, self.stolen(cpu, income))
            }
            None => (reply.cpu, Duration::ZERO),
        };
        // Looking costs more than a turn: at moves 1, 2, 4, 8, … and at the end.
        if turn.move_number.is_power_of_two() {
            self.count_threads();
        }
        Ok(Reply {
            answer,
            cpu,
            wall: audited_wall(reply.wall, asked.elapsed()),
            stolen,
        })
    }

    fn n_threads(&mut self) -> u64 {
        self.count_threads();
        self.most_threads
    }

    fn stderr_tail(&mut self) -> String {
        self.worker.stderr_tail()
    }
}
