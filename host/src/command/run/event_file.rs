//! The events of a run as JSON Lines, for programs that watch it: `--events FILE`.
//!
//! `docs/records.md` describes every event. A thread writes a sign of life every ten
//! seconds, so that a watcher can tell a long game from a host that has died.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};

use play::runner::{Event, Outcome, RunError};
use run::{
    game_record::GameRecord,
    leftovers::{Leftovers, Tally},
    run_plan::RunPlan,
    shard::Shard,
};
use text::timestamp::timestamp;

/// How often a heartbeat is written.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How many heartbeats there are between two standings.
const STANDING_EVERY: u32 = 6;

/// The version of the events.
const VERSION: u32 = 1;

/// Writes events to a file, if there is one.
pub(super) struct EventFile(Option<(Arc<SharedEvents>, thread::JoinHandle<()>)>);

struct SharedEvents {
    state: Mutex<RunCounts>,
    changed: Condvar,
}

struct RunCounts {
    file: File,
    /// Why an event could not be written, the first time.
    refused: Option<io::Error>,
    /// Games of the plan that have a record.
    n_played: u64,
    /// Games that this execution has still to play.
    n_left: u64,
    /// Games and sum of scores by agent and budget.
    tallies: BTreeMap<(String, Option<String>), Tally>,
    is_over: bool,
}

fn opened(path: &Path) -> io::Result<File> {
    crate::command::create_folder_of(path)?;
    OpenOptions::new().create(true).append(true).open(path)
}

impl EventFile {
    /// Appends to a file.
    pub(super) fn open(
        path: Option<&Path>,
        plan: &RunPlan,
        leftovers: &Leftovers,
    ) -> io::Result<Self> {
        let Some(path) = path else {
            return Ok(Self(None));
        };
        let mut state = RunCounts {
            file: opened(path).map_err(|error| {
                let message = format!("cannot write events to `{}`: {error}", path.display());
                io::Error::new(error.kind(), message)
            })?,
            refused: None,
            n_played: 0,
            n_left: 0,
            tallies: BTreeMap::new(),
            is_over: false,
        };
        for (series, tally) in &leftovers.tallies {
            let label = plan.budget_label(series.budget);
            state.count(plan.agents[series.agent].name.clone(), label, *tally);
        }
        let names: Vec<&str> = plan
            .agents
            .iter()
            .map(|agent| agent.name.as_str())
            .collect();
        state.write(
            "start",
            json!({
                "v": VERSION,
                "host": env!("CARGO_PKG_VERSION"),
                "tournament": plan.tournament.name,
                "agents": names,
                "shard": plan.shard,
                "planned": Shard::n_games_of_run(plan.shard, &plan.games()),
                "played": state.n_played,
            }),
        );
        let shared = Arc::new(SharedEvents {
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("events".to_owned())
            .spawn(move || of_thread.beat())?;
        Ok(Self(Some((shared, thread))))
    }

    pub(super) fn observe(&self, event: &Event<'_>) {
        let Self(Some((shared, _))) = self else {
            return;
        };
        let mut state = shared.state();
        match event {
            Event::Started { games, n_workers } => {
                state.n_left = games.values().sum();
                let n_left = state.n_left;
                state.write("games", json!({"left": n_left, "workers": n_workers}));
            }
            Event::GameEnded { record, .. } => {
                let tally = Tally::of(record, None);
                state.count(record.agent.clone(), record.budget.clone(), tally);
                state.n_left = state.n_left.saturating_sub(1);
                let kind = if record.ending.is_fault() {
                    "fault"
                } else {
                    "game"
                };
                state.write(kind, game(record));
            }
            Event::Disqualified { agent, n_games, .. } => {
                state.n_left = state.n_left.saturating_sub(*n_games);
                state.write("disqualified", json!({"agent": agent, "games": n_games}));
            }
            Event::SandboxLacks(sentence) | Event::Warning(sentence) => {
                state.write("warning", json!({"sentence": sentence}));
            }
            // The heartbeat is a thread of its own.
            Event::Playing(_) => (),
            // The program ends at once.
            Event::Unanswered(_) => state.write_end("interrupted", None),
        }
    }

    /// Writes the last event. Every event is on disk when this returns, unless it returns why
    /// one could not be written.
    pub(super) fn end(self, outcome: &Result<Outcome, RunError>) -> Option<io::Error> {
        let (shared, thread) = self.0?;
        let mut state = shared.state();
        let (outcome, error) = match outcome {
            Ok(Outcome::Finished) => ("finished", None),
            Ok(Outcome::Interrupted) => ("interrupted", None),
            Err(error) => ("failed", Some(error.to_string())),
        };
        state.write_end(outcome, error.as_deref());
        let refused = state.refused.take();
        drop(state);
        shared.changed.notify_all();
        let _ = thread.join();
        // A watcher that is gone misses nothing.
        refused.filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }
}

impl SharedEvents {
    fn state(&self) -> MutexGuard<'_, RunCounts> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of the thread.
    fn beat(&self) {
        for number in 1_u32.. {
            let waited = self
                .changed
                .wait_timeout_while(self.state(), HEARTBEAT, |state| !state.is_over);
            let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if state.is_over {
                return;
            }
            let (played, left) = (state.n_played, state.n_left);
            state.write("heartbeat", json!({"played": played, "left": left}));
            if number % STANDING_EVERY == 0 {
                state.write_standing();
            }
        }
    }
}

impl RunCounts {
    fn count(&mut self, agent: String, budget: Option<String>, tally: Tally) {
        self.n_played += tally.n_games;
        self.tallies.entry((agent, budget)).or_default().add(tally);
    }

    /// Writes the last event; all of them are on disk then.
    fn write_end(&mut self, outcome: &str, error: Option<&str>) {
        self.write_standing();
        let (played, left) = (self.n_played, self.n_left);
        let end = json!({"outcome": outcome, "played": played, "left": left, "error": error});
        self.write("end", end);
        self.is_over = true;
        // Events are for watchers; the records are safe without them.
        let _ = self.file.sync_data();
    }

    fn write_standing(&mut self) {
        let agents: Vec<Value> = self
            .tallies
            .iter()
            .map(|((agent, budget), tally)| {
                let (n_games, sum) = (tally.n_games, tally.sum_of_scores);
                json!({"agent": agent, "budget": budget, "games": n_games, "sum_of_scores": sum})
            })
            .collect();
        self.write("standing", json!({ "agents": agents }));
    }

    fn write(&mut self, kind: &str, mut event: Value) {
        event["event"] = kind.into();
        event["time"] = timestamp(SystemTime::now()).into();
        // After a refusal, a part of the line before may be there.
        let start = if self.refused.is_some() { "\n" } else { "" };
        // One call for a whole line. A watcher that is gone does not stop the run.
        let written = self.file.write_all(format!("{start}{event}\n").as_bytes());
        if let Err(error) = written {
            self.refused.get_or_insert(error);
        }
    }
}

fn game(record: &GameRecord) -> Value {
    json!({
        "game": record.game,
        "agent": record.agent,
        "budget": record.budget,
        "seed": record.seed,
        "score": record.score,
        "highest": record.highest,
        "moves": record.n_moves,
        "ending": record.ending,
        "fault": record.fault,
    })
}
