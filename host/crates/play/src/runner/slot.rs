//! One worker slot: plays one game after the other, each in a new worker. Also single games and
//! single turns outside a run, for viewers and for verification.

use std::{
    collections::{HashMap, hash_map::Entry},
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
};

use nix::unistd::Pid;
use plugin_api::{Direction, Game, RulesName};

use super::{
    Playing,
    attempts::{Attempts, NextAttempt},
    dispatcher::{Dispatcher, lock},
};
use run::{
    agent::Agent,
    game_log::LogError,
    game_plan::PlannedGame,
    game_record::{Ending, GameRecord},
    run_plan::RunPlan,
    thought_files::{GameThoughts, ThoughtKeeper},
};
use tournament::{Budget, Isolation, Sandbox};
use worker::{
    Place, PluginFile, PluginLibrary, WorkerOptions, bind_to_core, sandbox::SandboxRules,
};

use crate::{
    player::{Fault, GameTask, InProcessPlayer, Interruption, NoMove, Reply, WorkerPlayer},
    referee::{self, InterruptedGame, PlayedGame, Watcher},
};

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("no worker can be started for agent `{agent}` on seed {seed}: {reason}")]
    NoWorker {
        agent: String,
        seed: u64,
        reason: String,
    },
    #[error(
        "the plugin of agent `{agent}`, {file}, was changed while the run was going on; \
         the new file plays all games of this agent anew"
    )]
    PluginReplaced { agent: String, file: String },
    #[error("{0}; `sandbox: required` needs memory for all workers")]
    MemoryShortage(String),
}

impl RunError {
    fn plugin_replaced(agent: &Agent) -> Self {
        Self::PluginReplaced {
            agent: agent.name.clone(),
            file: agent.path.display().to_string(),
        }
    }
}

/// What a slot hands over.
pub(super) enum Delivery {
    Record {
        record: Box<GameRecord>,
        stderr_tail: String,
    },
    SandboxLacks(String),
    Warning(String),
    /// The run cannot go on.
    Broken(RunError),
}

pub(super) struct Slot<'a> {
    plan: &'a RunPlan,
    options: WorkerOptions<'a>,
    /// Whether people see what agents print.
    show_stderr: bool,
    stop: &'a AtomicBool,
    thoughts: Option<&'a ThoughtKeeper>,
    /// Where others see the game that is being played.
    playing: Option<&'a Mutex<Option<Playing>>>,
}

/// A game that a slot played, and what it noticed on the way.
struct SlotResult {
    played: PlayedGame,
    setup_ms: f64,
    sandbox_lacks: Option<String>,
}

impl<'a> Slot<'a> {
    /// A slot for single games, on any core that is free.
    pub(super) fn new(plan: &'a RunPlan, show_stderr: bool, stop: &'a AtomicBool) -> Self {
        Self {
            plan,
            options: WorkerOptions {
                stop: Some(stop),
                ..WorkerOptions::default()
            },
            show_stderr,
            stop,
            thoughts: None,
            playing: None,
        }
    }

    /// The slot at a place of a run, with a core of its own, if cores are assigned, with the
    /// thoughts it keeps, and the place where it shows its game.
    pub(super) fn in_run(
        self,
        core: Option<usize>,
        place: Place,
        thoughts: Option<&'a ThoughtKeeper>,
        playing: &'a Mutex<Option<Playing>>,
    ) -> Self {
        let options = WorkerOptions {
            core,
            place: Some(place),
            notes: thoughts.is_some(),
            ..self.options
        };
        Self {
            options,
            thoughts,
            playing: Some(playing),
            ..self
        }
    }

    /// Shows the game that is being played, or that there is none.
    fn show(&self, now: Option<Playing>) {
        if let Some(playing) = self.playing {
            *lock(playing) = now;
        }
    }

    /// Plays games until there are none or the run is to stop.
    pub(super) fn work(
        &self,
        dispatcher: &Mutex<Dispatcher<'_>>,
        sender: &Sender<Delivery>,
        give_up: &AtomicBool,
    ) {
        self.pin();
        let mut libraries = Libraries::default();
        while !self.stop.load(Ordering::Relaxed) && !give_up.load(Ordering::Relaxed) {
            let Some(game) = lock(dispatcher).next_game() else {
                return;
            };
            self.show(Some(Playing {
                game,
                n_moves: 0,
                score: 0,
            }));
            let deliveries = self.deliver(&game, &mut libraries);
            self.show(None);
            for delivery in deliveries {
                // Without a receiver the run is over, and so is the slot.
                if sender.send(delivery).is_err() {
                    return;
                }
            }
        }
    }

    /// Binds this thread to the core of its workers: referee and agent take turns, and
    /// waking each other up is quickest on one core.
    fn pin(&self) {
        if let Some(core) = self.options.core {
            bind_to_core(Pid::from_raw(0), core);
        }
    }

    fn deliver(&self, game: &PlannedGame, libraries: &mut Libraries) -> Vec<Delivery> {
        let agent = &self.plan.agents[game.agent];
        let mut attempts = Attempts::default();
        let (result, thoughts) = loop {
            let mut thoughts = GameThoughts::default();
            let attempt = self.play(game, libraries, &mut |made| {
                self.show(Some(Playing {
                    game: *game,
                    n_moves: made.game.n_moves(),
                    score: made.game.score(),
                }));
                if self.thoughts.is_some() {
                    made.reply.add_to(&mut thoughts, made.direction);
                }
                ControlFlow::Continue(())
            });
            match attempt {
                Ok(result) => break (result, thoughts),
                Err(interrupted) => match attempts.after(interrupted) {
                    NextAttempt::Again(pause) => thread::sleep(pause),
                    NextAttempt::Never => return Vec::new(),
                    NextAttempt::EndedBy(game, fault) => {
                        break (SlotResult::of_game(game.ended_by(fault)), thoughts);
                    }
                    NextAttempt::NoWorker(reason) => {
                        return vec![Delivery::Broken(RunError::NoWorker {
                            agent: agent.name.clone(),
                            seed: game.seed,
                            reason,
                        })];
                    }
                },
            }
        };
        // A game is worth nothing when the host does not know which file played it.
        if self.plays_the_file_itself(agent, &result) && is_replaced(agent) {
            return vec![Delivery::Broken(RunError::plugin_replaced(agent))];
        }
        let fault = result.played.fault.as_ref();
        let stderr_tail = fault.map(|fault| fault.stderr_tail.clone());
        let lacks = result.sandbox_lacks.clone().map(Delivery::SandboxLacks);
        let record = GameRecord {
            retries: attempts.retries,
            ..self.record(game, result)
        };
        let kept = (self.thoughts).and_then(|keeper| keeper.keep(&record, &thoughts));
        let notes = lacks.into_iter().chain(kept.map(Delivery::Warning));
        let record = Delivery::Record {
            record: Box::new(record),
            stderr_tail: stderr_tail.unwrap_or_default(),
        };
        notes.chain([record]).collect()
    }

    /// Whether games are played with the plugin's file, not with the copy that was hashed:
    /// where nothing is protected from the agent anyway, and for programs without a room.
    fn plays_the_file_itself(&self, agent: &Agent, result: &SlotResult) -> bool {
        let tournament = &self.plan.tournament;
        tournament.isolation == Isolation::None
            || tournament.sandbox == Sandbox::Off
            || (agent.program.is_some() && result.sandbox_lacks.is_some())
    }

    fn play(
        &self,
        planned: &PlannedGame,
        libraries: &mut Libraries,
        watcher: &mut Watcher<'_>,
    ) -> Result<SlotResult, InterruptedGame> {
        let tournament = &self.plan.tournament;
        let agent = &self.plan.agents[planned.agent];
        let budget = &tournament.budgets[planned.budget];
        let salt = self.plan.salt;
        let game = Game::start(tournament.rules(), &salt, planned.seed);
        let setup = agent.setup(tournament, budget, &salt, planned.seed);
        // A program cannot be loaded into the host.
        let isolation = match agent.program {
            Some(_) => Isolation::Process,
            None => tournament.isolation,
        };
        match isolation {
            Isolation::Process => {
                let plugin = match plugin_file(agent, tournament.sandbox) {
                    Ok(plugin) => plugin,
                    Err(sentence) => {
                        let fault = Fault::new(Ending::Refused, sentence);
                        return Ok(SlotResult::not_started(game, fault));
                    }
                };
                let task = game_task(self.plan, planned.agent, plugin, budget, setup);
                let label = format!("{} seed {}", agent.name, planned.seed);
                let options = WorkerOptions {
                    stderr_label: self.show_stderr.then_some(&label),
                    ..self.options
                };
                match WorkerPlayer::start(&task, options) {
                    Ok(mut player) => {
                        let game = referee::play_watched(game, &mut player, budget, watcher)?;
                        Ok(SlotResult {
                            played: game,
                            setup_ms: player.setup_cpu().as_secs_f64() * 1000.0,
                            sandbox_lacks: player.sandbox_lacks().map(str::to_owned),
                        })
                    }
                    Err(failed) => match failed.reason {
                        NoMove::Fault(fault) => Ok(SlotResult {
                            setup_ms: failed.setup_cpu.as_secs_f64() * 1000.0,
                            ..SlotResult::not_started(game, fault)
                        }),
                        NoMove::Interrupted(interruption) => {
                            Err(InterruptedGame::before_start(game, interruption))
                        }
                    },
                }
            }
            Isolation::None => match libraries.start(agent, &setup, self.stop) {
                Ok(player) => {
                    let mut player = player.with_notes(self.options.notes);
                    let game = referee::play_watched(game, &mut player, budget, watcher)?;
                    Ok(SlotResult::of_game(game))
                }
                Err(fault) => Ok(SlotResult::not_started(game, fault)),
            },
        }
    }

    fn record(&self, planned: &PlannedGame, result: SlotResult) -> GameRecord {
        let tournament = &self.plan.tournament;
        let agent = &self.plan.agents[planned.agent];
        let budget = &tournament.budgets[planned.budget];
        let has_several_budgets = tournament.budgets.len() > 1;
        let played = result.played;
        let milliseconds = |time: std::time::Duration| rounded(time.as_secs_f64() * 1000.0);
        let on_clock = match budget.clock {
            plugin_api::Clock::Cpu => &played.cpu_times,
            plugin_api::Clock::Wall => &played.wall_times,
        };
        GameRecord {
            v: 1,
            rules: RulesName::default(),
            game: planned.number,
            agent: agent.name.clone(),
            budget: has_several_budgets.then(|| budget.label()),
            seed: planned.seed,
            score: played.game.score(),
            highest: played.game.board().highest(),
            n_moves: played.game.n_moves(),
            highest_at: Some(played.course.highest_at()),
            crowded_moves: Some(played.course.crowded_moves(&played.game)),
            board: played.game.board().tiles(),
            ending: played.ending,
            timeout: played.fault.as_ref().is_some_and(|fault| fault.is_timeout),
            fault: played.fault.map(|fault| fault.sentence),
            setup_ms: rounded(result.setup_ms),
            cpu_ms: milliseconds(played.cpu_times.total()),
            wall_ms: milliseconds(played.wall_times.total()),
            cpu_us_histogram: played.cpu_times.histogram(),
            cpu_us_by_empty: played.cpu_times.by_empty_cells(),
            move_us: on_clock.quantiles(),
            stolen_us: microseconds(played.stolen),
            overdrawn_us: microseconds(played.overdrawn),
            overruns: played.n_overruns,
            threads: played.n_threads,
            nodes: played.nodes,
            retries: Vec::new(),
            moves: played.moves,
            fingerprint: agent.fingerprint(tournament, budget, &self.plan.salt),
            host: GameRecord::this_host(),
        }
    }
}

/// Whether the plugin has changed since it was hashed.
fn is_replaced(agent: &Agent) -> bool {
    let file = agent.file;
    file.is_some_and(|file| !file.is_still_at(&agent.path))
}

impl SlotResult {
    fn of_game(played: PlayedGame) -> Self {
        Self {
            played,
            setup_ms: 0.0,
            sandbox_lacks: None,
        }
    }

    fn not_started(game: Game, fault: Fault) -> Self {
        Self::of_game(PlayedGame::not_started(game, fault))
    }
}

fn microseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Microseconds are what a clock gives; more digits would only look exact.
fn rounded(milliseconds: f64) -> f64 {
    (milliseconds * 1000.0).round() / 1000.0
}

/// The file that is played. Without a sandbox it is opened where it lies, so that it finds
/// libraries beside it.
fn plugin_file(agent: &Agent, sandbox: Sandbox) -> Result<PluginFile, String> {
    let sealed = agent.plugin_file()?;
    Ok(match sandbox {
        Sandbox::Off => sealed.unsealed(),
        Sandbox::On | Sandbox::Required => sealed,
    })
}

fn game_task(
    plan: &RunPlan,
    agent: usize,
    plugin: PluginFile,
    budget: &Budget,
    setup: String,
) -> GameTask {
    let memory = plan.tournament.memory_of(agent);
    let agent = &plan.agents[agent];
    GameTask {
        plugin,
        sandbox: SandboxRules {
            mode: plan.tournament.sandbox,
            memory,
            allow_read: agent.allow_read.clone(),
            allow_read_sha256: agent.allow_read_sha256.clone(),
        },
        params: agent.params.clone(),
        setup,
        budget: *budget,
    }
}

/// Plays the game of a record again, or says in a sentence why it cannot be played.
///
/// # Errors
/// When the worker is interrupted.
pub fn play_again(
    plan: &RunPlan,
    game: &PlannedGame,
    show_stderr: bool,
    stop: &AtomicBool,
) -> Result<PlayedGame, String> {
    let slot = Slot::new(plan, show_stderr, stop);
    let mut ignored = |_: referee::WatchedMove<'_>| ControlFlow::Continue(());
    match slot.play(game, &mut Libraries::default(), &mut ignored) {
        Ok(result) => Ok(result.played),
        Err(interrupted) => Err(interrupted.interruption.in_words().1),
    }
}

/// Plays a game with a watcher; with its record come the agent's last lines of stderr.
///
/// # Errors
/// When it was interrupted through no fault of the agent.
pub fn play_for_viewers(
    plan: &RunPlan,
    game: &PlannedGame,
    stop: &AtomicBool,
    watcher: &mut Watcher<'_>,
) -> Result<(GameRecord, String), Interruption> {
    let mut slot = Slot::new(plan, false, stop);
    slot.options.notes = true;
    let result = slot
        .play(game, &mut Libraries::default(), watcher)
        .map_err(|interrupted| interrupted.interruption)?;
    let fault = result.played.fault.as_ref();
    let stderr_tail = fault.map(|fault| fault.stderr_tail.clone());
    Ok((slot.record(game, result), stderr_tail.unwrap_or_default()))
}

/// An agent that is asked what it would play on positions of another game.
///
/// It gets what it would get in a game of its own: a worker, which ends with this value, a
/// sandbox, the setup, and a turn with a full bank. The referee judges its answer.
pub struct AskedAgent<'a> {
    player: WorkerPlayer<'a>,
    budget: Budget,
}

impl<'a> AskedAgent<'a> {
    /// Starts the first agent of a plan under its first budget, as for a game on this seed.
    ///
    /// # Errors
    /// When the agent cannot be started within its limits.
    pub fn start(plan: &RunPlan, seed: u64, stop: &'a AtomicBool) -> Result<Self, NoMove> {
        const FIRST: usize = 0;
        let tournament = &plan.tournament;
        let (agent, budget) = (&plan.agents[FIRST], tournament.budgets[0]);
        let plugin = plugin_file(agent, tournament.sandbox)
            .map_err(|sentence| NoMove::Fault(Fault::new(Ending::Refused, sentence)))?;
        let setup = agent.setup(tournament, &budget, &plan.salt, seed);
        let task = game_task(plan, FIRST, plugin, &budget, setup);
        let options = WorkerOptions {
            stop: Some(stop),
            notes: true,
            ..WorkerOptions::default()
        };
        let player = WorkerPlayer::start(&task, options)?;
        Ok(Self { player, budget })
    }

    /// What it would play on the position that a game has reached; the game must not be over.
    ///
    /// # Errors
    /// When it gives no legal move, or was interrupted.
    pub fn ask(&mut self, game: &Game) -> Result<(Direction, Reply), NoMove> {
        referee::ask(game.clone(), &mut self.player, &self.budget)
    }
}

/// Plugins opened in this process with `isolation: none`, each once: opening checks layouts,
/// which costs more than a game of a fast agent.
#[derive(Default)]
struct Libraries(HashMap<PathBuf, PluginLibrary>);

impl Libraries {
    fn start<'s>(
        &mut self,
        agent: &Agent,
        setup: &str,
        stop: &'s AtomicBool,
    ) -> Result<InProcessPlayer<'s>, Fault> {
        let library = match self.0.entry(agent.path.clone()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let library = PluginLibrary::open(&agent.path)
                    .map_err(|reason| Fault::new(Ending::Refused, reason.to_string()))?;
                entry.insert(library)
            }
        };
        InProcessPlayer::start(library.plugin.as_ref(), &agent.params, setup, stop)
    }
}
