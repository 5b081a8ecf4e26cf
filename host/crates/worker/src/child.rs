//! The worker process: enter the sandbox, load the plugin, answer turns.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    ops::ControlFlow,
    os::fd::{AsFd, AsRawFd, OwnedFd},
    path::PathBuf,
    time::Duration,
};

use nix::{
    fcntl::{FcntlArg, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{prctl, signal::Signal},
    unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, getppid},
};
use plugin_api::{
    Allowance, Answer, Clock, Failure, LoadedAgent, LoadedPlugin, Notes, Turn, collect_notes,
};

use super::{
    PluginFailure, PluginLibrary,
    program::become_program,
    protocol::{
        Job, LONGEST_TEXT, REPLY_SIZE, REQUEST_SIZE, Rehearsal, Task, TurnReply, WorkerReport,
        decode_open, decode_turn, token_of,
    },
    sandbox::{self, Surroundings},
    stop_timer,
};
use tournament::Sandbox;

/// Runs a worker that was started as a program of its own, without the launcher.
///
/// # Errors
/// As for `run`.
pub fn run_alone(parent: u32) -> io::Result<()> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    let parent = i32::try_from(parent).map_err(io::Error::other)?;
    if getppid() != Pid::from_raw(parent) {
        return Ok(());
    }
    sandbox::close_descriptors_from(3, &[]);
    run(&Surroundings {
        room: Err("room: the worker was started without the launcher".to_owned()),
        threads: sandbox::MOST_THREADS,
        sealed: None,
        filters: None,
        shared_pages: None,
    })
}

/// Runs the worker until its pipe closes.
///
/// # Errors
/// When the host is gone or does not keep to the protocol.
pub(super) fn run(surroundings: &Surroundings) -> io::Result<()> {
    // The worker must not outlive its host, however that ends.
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    let mut pipe = Pipe::take_over_standard_streams()?;
    // The kernel kills the worker first when memory runs out. If this write fails, nothing is
    // lost.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let task: Task = serde_json::from_slice(&pipe.read_text()?)?;
    if let Job::Play {
        rehearsal: Some(Rehearsal::OnlyStdout),
        ..
    } = task.job
    {
        dup2_stderr(nothing()?.as_fd())?;
    }
    let program = task.plugin.program();
    let plugin = match &surroundings.sealed {
        Some(copy) => PathBuf::from(format!("/proc/self/fd/{}", copy.as_raw_fd())),
        None => task.plugin.path().to_path_buf(),
    };
    // The kernel counts timers for each user: an agent shall not pay for what others took.
    if let Err(error) = stop_timer::create() {
        let sentence = format!("found no timer for the stop flag: {error}");
        return pipe.send(&WorkerReport::Unfit(sentence));
    }
    let lacking = sandbox::enter(&task.sandbox, surroundings, &plugin, program)?;
    let is_refused = lacking.is_some() && task.sandbox.mode == Sandbox::Required;
    pipe.send(&WorkerReport::Confined { lacking })?;
    if is_refused {
        return Ok(());
    }
    let empty_turn = match task.job {
        Job::Play { .. } => pipe.echo_until_told_to_open()?,
        Job::Describe | Job::Extension { .. } => Duration::ZERO,
    };
    if let Some(program) = program {
        let memory = task.sandbox.memory;
        let error = become_program(program, memory, &pipe.input, &pipe.output);
        // The host expects lines from now on.
        let line = format!("error cannot be executed: {error}\n");
        return pipe.output.write_all(line.as_bytes());
    }
    let opened = match task.plugin.known_abi() {
        Some(abi) => PluginLibrary::open_compatible(&plugin, abi),
        None => PluginLibrary::open(&plugin),
    };
    let library = match opened {
        Ok(library) => library,
        Err(reason) => {
            let failure = PluginFailure::Unusable(reason);
            return pipe.send(&WorkerReport::Failed(failure));
        }
    };
    match task.job {
        Job::Describe => pipe.send(&match library.plugin.info() {
            Ok(info) => WorkerReport::Described {
                info,
                abi: library.abi,
                is_unoptimised: library.is_unoptimised,
            },
            Err(failure) => failure.into(),
        }),
        Job::Play {
            params,
            setup,
            notes,
            rehearsal,
        } => match make_agents(library.plugin.as_ref(), &params, &setup, rehearsal) {
            Ok(agents) => {
                let clock = OwnClock::new(empty_turn);
                pipe.send(&WorkerReport::Ready)?;
                answer_turns(&mut pipe, agents, notes, clock)
            }
            Err(failure) => pipe.send(&failure.into()),
        },
        Job::Extension { name, request } => {
            let answer = library
                .plugin
                .call_extension(&name, &request, &mut |message| pipe.converse(message));
            pipe.send(&match answer {
                Ok(answer) => WorkerReport::Answered(answer),
                Err(failure) => failure.into(),
            })
        }
    }
}

type Agents = Vec<Box<dyn LoadedAgent>>;

/// Makes the agent of a game; for a rehearsal, perhaps more than one.
fn make_agents(
    plugin: &dyn LoadedPlugin,
    params: &str,
    setup: &str,
    rehearsal: Option<Rehearsal>,
) -> Result<Agents, Failure> {
    const N_ENDED: usize = 3;
    let agent = || plugin.create(params, setup);
    match rehearsal {
        None | Some(Rehearsal::OnlyStdout) => Ok(vec![agent()?]),
        Some(Rehearsal::TwoAgents) => Ok(vec![agent()?, agent()?]),
        Some(Rehearsal::MakeAndEnd) => {
            for _ in 0..N_ENDED {
                drop(agent()?);
            }
            Ok(vec![agent()?])
        }
    }
}

/// Answers turns until the referee closes the pipe; several agents answer in turn. The worker
/// does not drop them: the host is about to kill it, and a destructor could only delay that.
fn answer_turns(
    pipe: &mut Pipe,
    agents: Agents,
    wants_notes: bool,
    mut clock: OwnClock,
) -> io::Result<()> {
    let agents = agents.leak();
    let mut frame = [0; REQUEST_SIZE];
    for number in 0_usize.. {
        let agent = &mut agents[number % agents.len()];
        pipe.input.read_exact(&mut frame)?;
        let (board, mut turn) =
            decode_turn(&frame).ok_or_else(|| io::Error::other("the referee sent no turn"))?;
        clock.start(&mut turn);
        stop_timer::begin(&turn);
        let (answer, notes) = if wants_notes {
            collect_notes(|| agent.choose(&board, &turn))
        } else {
            (agent.choose(&board, &turn), Notes::default())
        };
        stop_timer::end();
        clock.stop(&turn);
        pipe.send_reply(answer, &notes, token_of(&frame))?;
    }
    Ok(())
}

/// What tells an agent where its turn began. The host charges by its own readings; this
/// clock only lets an honest agent see what it will be charged.
///
/// The host charges all CPU time from one answer to the next except for the cost of an
/// empty turn. So a turn begins on this clock where the last answer was ready, plus that
/// cost: an agent sees when the way through the pipe cost more, or when a thread of its own
/// went on working in between.
struct OwnClock {
    empty_turn_ns: u64,
    last_answer_ns: u64,
}

impl OwnClock {
    fn new(empty_turn: Duration) -> Self {
        Self {
            empty_turn_ns: u64::try_from(empty_turn.as_nanos()).unwrap_or(0),
            last_answer_ns: Clock::Cpu.now_ns(),
        }
    }

    fn start(&self, turn: &mut Turn) {
        if let Allowance::Time {
            clock, start_ns, ..
        } = &mut turn.allowance
        {
            let now = clock.now_ns();
            *start_ns = match clock {
                // Never later than now, for agents subtract it from their own reading.
                Clock::Cpu => now.min(self.last_answer_ns + self.empty_turn_ns),
                Clock::Wall => now,
            };
        }
    }

    fn stop(&mut self, turn: &Turn) {
        if let Allowance::Time {
            clock: Clock::Cpu, ..
        } = turn.allowance
        {
            self.last_answer_ns = Clock::Cpu.now_ns();
        }
    }
}

/// The worker's end of the pipe, on descriptors that a plugin does not use by accident.
struct Pipe {
    input: File,
    output: File,
}

impl Pipe {
    /// Moves the protocol away from the standard streams: what a plugin prints goes
    /// to the standard error output, and what it reads is empty.
    fn take_over_standard_streams() -> io::Result<Self> {
        const OUT_OF_REACH: i32 = 200;
        let moved = |stream: &dyn AsFd| -> io::Result<File> {
            let number = fcntl(stream.as_fd(), FcntlArg::F_DUPFD_CLOEXEC(OUT_OF_REACH))?;
            Ok(File::from(sandbox::adopt_descriptor(number)))
        };
        let (input, output) = (moved(&io::stdin())?, moved(&io::stdout())?);
        dup2_stdin(nothing()?.as_fd())?;
        dup2_stdout(io::stderr().as_fd())?;
        debug_assert!(input.as_raw_fd() >= OUT_OF_REACH);
        Ok(Self { input, output })
    }

    fn read_text(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.input.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST_TEXT {
            return Err(io::Error::other("the referee sent too long a text"));
        }
        let mut text = vec![0; length];
        self.input.read_exact(&mut text)?;
        Ok(text)
    }

    fn send(&mut self, report: &WorkerReport) -> io::Result<()> {
        self.output.write_all(&text_frame(report)?)
    }

    /// Answers frames without an agent, until one says to open the plugin; returns what the host
    /// measured as the cost of an empty turn.
    fn echo_until_told_to_open(&mut self) -> io::Result<Duration> {
        let mut frame = [0; REQUEST_SIZE];
        loop {
            self.input.read_exact(&mut frame)?;
            if let Some(empty_turn) = decode_open(&frame) {
                return Ok(empty_turn);
            }
            let empty = TurnReply {
                answer: None,
                has_notes: false,
                token: token_of(&frame),
            };
            self.output.write_all(&empty.encode())?;
        }
    }

    /// A reply and, when the agent failed, what went wrong, or else its notes; in one write.
    fn send_reply(
        &mut self,
        answer: Result<Answer, Failure>,
        notes: &Notes,
        token: u64,
    ) -> io::Result<()> {
        let reply = TurnReply {
            answer: answer.as_ref().ok().copied(),
            has_notes: !notes.is_empty(),
            token,
        };
        let frame: [u8; REPLY_SIZE] = reply.encode();
        let more = match answer {
            Ok(_) if notes.is_empty() => return self.output.write_all(&frame),
            Ok(_) => with_length(notes.to_json().as_bytes())?,
            Err(failure) => text_frame(&failure.into())?,
        };
        self.output.write_all(&[frame.as_slice(), &more].concat())
    }

    /// Passes on an extension's message and checks whether the host wants no more. It
    /// does not wait for an answer: a list of a million solutions is a million messages.
    fn converse(&mut self, message: &str) -> ControlFlow<()> {
        if self
            .send(&WorkerReport::Message(message.to_owned()))
            .is_err()
        {
            return ControlFlow::Break(());
        }
        let mut input = [PollFd::new(self.input.as_fd(), PollFlags::POLLIN)];
        match poll(&mut input, PollTimeout::ZERO) {
            Ok(0) => ControlFlow::Continue(()),
            // The one byte that means "stop", or a host that is gone.
            _ => ControlFlow::Break(()),
        }
    }
}

/// Where reading gives nothing and writing goes nowhere.
fn nothing() -> io::Result<OwnedFd> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    Ok(file.into())
}

fn text_frame(report: &WorkerReport) -> io::Result<Vec<u8>> {
    with_length(&serde_json::to_vec(report)?)
}

fn with_length(text: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    Ok([length.to_le_bytes().as_slice(), text].concat())
}

impl From<Failure> for WorkerReport {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.into())
    }
}
