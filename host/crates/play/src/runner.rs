//! Plays the games of a plan that are missing: hands them to workers, records to
//! the log, news to the caller.
//!
//! One thread a worker slot asks for the next game, plays it to its end and hands the record
//! over; this thread alone writes the log. It holds a record back while a game of the same agent
//! that stands before it in the plan could still disqualify the agent, so the log never depends
//! on the number of workers.

mod attempts;
mod core_claim;
mod dispatcher;
mod slot;

use std::{
    fs,
    num::NonZeroUsize,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use core_claim::{claim_cores, usable_cores};
use dispatcher::{Dispatcher, lock};
use run::{
    game_log::GameLog,
    game_plan::{GamesOfSeries, PlannedGame, Series},
    game_record::{Ending, GameRecord},
    leftovers::Leftovers,
    run_plan::RunPlan,
    thought_files::ThoughtKeeper,
};
use slot::{Delivery, Slot};
use tournament::{Isolation, Sandbox};
use worker::{
    Place,
    sandbox::{kept_memory, memory_shortage, size_of_files_beside, threads_for_each},
};

pub use slot::{AskedAgent, RunError, play_again, play_for_viewers};

/// What to play and how.
pub struct RunOptions<'a> {
    /// How many games are played at once at the most.
    pub workers: Option<NonZeroUsize>,
    /// Whether every worker is bound to a core of its own.
    pub pinned: bool,
    /// Whether people see what agents print.
    pub show_stderr: bool,
    /// Whether a planned game is to be played now.
    pub wanted: &'a (dyn Fn(&PlannedGame) -> bool + Sync),
    /// Set when the run is to stop.
    pub stop: &'a AtomicBool,
    /// Where thoughts are kept.
    pub thoughts: Option<&'a ThoughtKeeper>,
}

/// A game that is being played.
#[derive(Clone, Copy, Debug)]
pub struct Playing {
    pub game: PlannedGame,
    pub n_moves: u64,
    pub score: u64,
}

/// News of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// The games there are to play now, and with how many workers.
    Started {
        games: &'a GamesOfSeries,
        n_workers: usize,
    },
    /// A moment without other news: the games that are being played, in the order of the plan.
    Playing(&'a [Playing]),
    /// A game has ended.
    GameEnded {
        record: &'a GameRecord,
        /// The last lines the agent printed, when it did something wrong.
        stderr_tail: &'a str,
    },
    /// An agent has committed too many faults in a row, or one that is enough: so many of its
    /// games are not played.
    Disqualified {
        agent: &'a str,
        series: Series,
        n_games: u64,
        /// How the game ended, if its fault alone was enough because it used up a whole limit.
        timeout: Option<Ending>,
    },
    /// A layer of the sandbox is missing on this machine.
    SandboxLacks(&'a str),
    /// Something that may go wrong, and how to avoid it.
    Warning(&'a str),
    /// The run is to stop, but an agent in this process does not return. Only the end of the
    /// program ends it, so the caller ends the program. All records are on disk. The
    /// error is why the run could not go on, if that was the reason to stop.
    Unanswered(Option<&'a RunError>),
}

/// How often the runner checks whether it is to stop.
const CHECK_EVERY: Duration = Duration::from_millis(100);

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Finished,
    /// The caller set [`RunOptions::stop`].
    Interrupted,
}

/// Plays what is missing.
///
/// # Errors
/// When the log cannot be written or the machine starts no workers. What was
/// played before is in the log.
pub fn run(
    plan: &RunPlan,
    leftovers: &Leftovers,
    log: &mut GameLog,
    options: &RunOptions<'_>,
    mut watch: impl FnMut(Event<'_>),
) -> Result<Outcome, RunError> {
    let games = plan.games();
    let is_missing =
        |game: &PlannedGame| !leftovers.played.contains(game.number) && (options.wanted)(game);
    let dispatcher = Dispatcher::new(plan, &games, leftovers, &is_missing);
    let mut missing = GamesOfSeries::new();
    for game in games.games().filter(&is_missing) {
        if dispatcher.plays(&game) {
            *missing.entry(game.series()).or_default() += 1;
        }
    }
    let n_missing = usize::try_from(missing.values().sum::<u64>()).unwrap_or(usize::MAX);
    let dispatcher = Mutex::new(dispatcher);
    let usable = usable_cores();
    let n_workers = options.workers.map_or(usable.len(), NonZeroUsize::get);
    let n_workers = n_workers.min(n_missing.max(1)).min(usable.len());
    let claims = if options.pinned {
        claim_cores(&usable, n_workers)
    } else {
        Vec::new()
    };
    let threads = share_out(plan, n_workers, &mut watch)?;
    watch(Event::Started {
        games: &missing,
        n_workers,
    });
    let is_in_process = plan.tournament.isolation == Isolation::None;
    let (sender, deliveries) = mpsc::channel();
    // Slots stop when the run is to stop, and also when it cannot go on.
    let give_up = AtomicBool::new(false);
    let mut result = Ok(());
    let playing: Vec<Mutex<Option<Playing>>> = (0..n_workers).map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for (number, playing) in playing.iter().enumerate() {
            let core = claims.get(number).map(|claim| claim.core);
            let slot = Slot::new(plan, options.show_stderr, options.stop);
            let slot = slot.in_run(core, Place { number, threads }, options.thoughts, playing);
            let (sender, dispatcher, give_up) = (sender.clone(), &dispatcher, &give_up);
            scope.spawn(move || slot.work(dispatcher, &sender, give_up));
        }
        drop(sender);
        let mut grace = Grace::default();
        loop {
            if is_in_process && grace.is_over(options.stop) {
                // Only this thread writes records, so they are whole; syncing makes them stay.
                if let (true, Err(error)) = (result.is_ok(), log.sync()) {
                    result = Err(error.into());
                }
                watch(Event::Unanswered(result.as_ref().err()));
            }
            let delivery = match deliveries.recv_timeout(CHECK_EVERY) {
                Ok(delivery) => delivery,
                Err(RecvTimeoutError::Timeout) => {
                    watch(Event::Playing(&games_now(&playing)));
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match delivery {
                Delivery::SandboxLacks(layer) => watch(Event::SandboxLacks(&layer)),
                Delivery::Warning(sentence) => watch(Event::Warning(&sentence)),
                Delivery::Broken(error) => {
                    give_up.store(true, Ordering::Relaxed);
                    options.stop.store(true, Ordering::Relaxed);
                    result = Err(error);
                }
                Delivery::Record {
                    record,
                    stderr_tail,
                } => {
                    let ended = lock(&dispatcher).ended(*record, stderr_tail);
                    for (record, stderr_tail) in ended.released {
                        if let Err(error) = log.append(&record) {
                            give_up.store(true, Ordering::Relaxed);
                            options.stop.store(true, Ordering::Relaxed);
                            result = Err(error.into());
                            break;
                        }
                        watch(Event::GameEnded {
                            record: &record,
                            stderr_tail: &stderr_tail,
                        });
                    }
                    if let Some(last) = ended.disqualified_by {
                        let is_skipped = |game: &PlannedGame| last.skips(game) && is_missing(game);
                        watch(Event::Disqualified {
                            agent: &plan.agents[last.series.agent].name,
                            series: last.series,
                            n_games: as_u64(games.games().filter(is_skipped).count()),
                            timeout: last.timeout,
                        });
                    }
                }
            }
        }
    });
    result?;
    Ok(if options.stop.load(Ordering::Relaxed) {
        Outcome::Interrupted
    } else {
        Outcome::Finished
    })
}

/// The games that are being played, in the order of the plan.
fn games_now(playing: &[Mutex<Option<Playing>>]) -> Vec<Playing> {
    let mut games: Vec<Playing> = playing.iter().filter_map(|it| *lock(it)).collect();
    games.sort_by_key(|it| it.game.number);
    games
}

/// Fewer threads than this are worth a warning; the largest interpreters start about thirty.
const FEW_THREADS: u64 = 48;

/// Checks the share of each worker in memory and threads, and returns how many threads it may have.
fn share_out(
    plan: &RunPlan,
    n_workers: usize,
    watch: &mut impl FnMut(Event<'_>),
) -> Result<u64, RunError> {
    check_memory(plan, n_workers, watch)?;
    let threads = threads_for_each(n_workers);
    if threads < FEW_THREADS && plan.tournament.isolation != Isolation::None {
        let sentence = format!(
            "each worker may have {threads} threads, because this machine or a control group has \
             few to spare; an interpreter may need more: use fewer `--workers`"
        );
        watch(Event::Warning(&sentence));
    }
    Ok(threads)
}

/// Warns if the workers may fill more memory than there is.
fn check_memory(
    plan: &RunPlan,
    n_workers: usize,
    watch: &mut impl FnMut(Event<'_>),
) -> Result<(), RunError> {
    let tournament = &plan.tournament;
    if tournament.isolation == Isolation::None {
        return Ok(());
    }
    let size = |agent: &run::agent::Agent| {
        let own = fs::metadata(&agent.path).map_or(0, |file| file.len());
        own + size_of_files_beside(&agent.path, &agent.allow_read)
    };
    let files = match tournament.sandbox {
        Sandbox::Off => 0,
        Sandbox::On | Sandbox::Required => plan.agents.iter().map(size).sum(),
    };
    let kept = kept_memory(files, n_workers);
    match memory_shortage(tournament.largest_memory(), n_workers, kept) {
        Some(shortage) if tournament.sandbox == Sandbox::Required => {
            Err(RunError::MemoryShortage(shortage))
        }
        Some(shortage) => {
            watch(Event::Warning(&shortage));
            Ok(())
        }
        None => Ok(()),
    }
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).expect("a count fits into 64 bits")
}

/// How long a turn may go on after a stop, so that Ctrl-C ends the run within a second.
const TURN_AFTER_STOP: Duration = Duration::from_millis(500);

/// Decides when the runner stops waiting for agents in this process after a stop.
///
/// The host kills a worker when a run stops. It cannot kill an agent inside itself: that agent
/// has no further turn, but nothing ends the turn it has. So the run waits a moment, then leaves
/// it.
#[derive(Default)]
struct Grace {
    start: Option<Instant>,
}

impl Grace {
    /// Whether the run is to stop, and has waited long enough for its agents.
    fn is_over(&mut self, stop: &AtomicBool) -> bool {
        stop.load(Ordering::Relaxed)
            && self.start.get_or_insert_with(Instant::now).elapsed() >= TURN_AFTER_STOP
    }
}
