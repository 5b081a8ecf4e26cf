//! A live session: one to four agents play one seed while people watch.
//!
//! A session is a tournament of one seed. Each game is played by the referee and a worker,
//! on a thread that waits between moves until the pace permits the next one. Viewers read
//! the current state of the session, not a queue of events: a viewer who joins late,
//! reloads the page or has a slow connection sees the same as the others.

mod live_game;
mod pace;
mod session_request;
mod viewer;

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use plugin_api::{Game, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;

use live_game::LiveGame;
use pace::{NextMove, Pace};
use play::{player::Interruption, runner::play_for_viewers};
use run::{game_plan::PlannedGame, run_plan::RunPlan};
use tournament::BudgetLimit;

use super::{
    game_moves::GameMoves,
    saved_session::{EndedGame, SavedSession},
};
pub(super) use session_request::{AgentRequest, MAX_AGENTS, SessionRequest, check_seed};
pub(super) use viewer::viewer_events;

/// How long a waiting game sleeps at most before it checks again whether it may move.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

pub(super) struct LiveSession {
    id: String,
    plan: RunPlan,
    state: Mutex<SessionState>,
    /// Wakes the games that wait for their next move.
    state_changed: Condvar,
    /// Wakes the viewers. The number itself has no meaning.
    changes: watch::Sender<u64>,
    is_stopped: AtomicBool,
    saving: Mutex<()>,
}

/// The part of a session that changes while it is played.
struct SessionState {
    games: Vec<LiveGame>,
    pace: Pace,
    saved: Option<SavedSession>,
    /// By the number of the viewer: the frame that it has received last, if it said so.
    viewers: HashMap<u64, Option<u64>>,
    n_viewers_ever: u64,
    /// When the last viewer left, or when the session started.
    unwatched_since: Instant,
}

/// A change of the pace. Missing fields leave their setting unchanged.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaceRequest {
    running: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    speed: Option<Speed>,
    #[serde(default)]
    step: bool,
}

/// Moves per second; `null` means no limit.
#[derive(Debug, Deserialize)]
struct Speed(Option<f64>);

/// Distinguishes `null` from a missing field.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Speed>, D::Error> {
    Speed::deserialize(deserializer).map(Some)
}

/// The identifier of a frame, as the page returns it: `viewer.frame`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeenFrame {
    frame: String,
}

impl SeenFrame {
    /// The numbers of the viewer and of the frame.
    fn parse(&self) -> Option<(u64, u64)> {
        let (viewer, frame) = self.frame.split_once('.')?;
        Some((viewer.parse().ok()?, frame.parse().ok()?))
    }
}

/// The first event that a viewer receives.
#[derive(Debug, Serialize)]
struct SessionView<'s> {
    id: &'s str,
    seed: u64,
    size: usize,
    four_share: f64,
    budget: Option<String>,
    games: Vec<SessionGameView<'s>>,
}

#[derive(Debug, Serialize)]
struct SessionGameView<'s> {
    name: &'s str,
    plugin: &'s str,
    params: Value,
}

/// The state of the controls.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct PaceView {
    running: bool,
    speed: Option<f64>,
    over: bool,
    saved: Option<SavedSession>,
}

impl LiveSession {
    /// Starts to play, with one thread per game.
    pub(super) fn start(id: String, plan: RunPlan, running: bool, speed: Option<f64>) -> Arc<Self> {
        let now = Instant::now();
        let mut pace = Pace::new(running, now);
        // The request was validated, so the speed is accepted.
        let _ = pace.set_speed(speed, now);
        let games: Vec<PlannedGame> = plan.games().games().collect();
        let (rules, salt) = (plan.tournament.rules(), plan.salt);
        let start =
            |game: &PlannedGame| LiveGame::new(*Game::start(rules, &salt, game.seed).board());
        let state = SessionState {
            games: games.iter().map(start).collect(),
            pace,
            saved: None,
            viewers: HashMap::new(),
            n_viewers_ever: 0,
            unwatched_since: now,
        };
        let session = Arc::new(Self {
            id,
            plan,
            state: Mutex::new(state),
            state_changed: Condvar::new(),
            changes: watch::Sender::new(0),
            is_stopped: AtomicBool::new(false),
            saving: Mutex::default(),
        });
        for (index, game) in games.into_iter().enumerate() {
            let session = Arc::clone(&session);
            thread::spawn(move || session.play(index, &game));
        }
        session
    }

    pub(super) fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// Plays one of the games to its end.
    fn play(&self, index: usize, game: &PlannedGame) {
        let result = match self.wait_for_permission(index) {
            ControlFlow::Break(()) => Err(Interruption::Stopped),
            ControlFlow::Continue(()) => {
                play_for_viewers(&self.plan, game, &self.is_stopped, &mut |made| {
                    self.change(|state| {
                        let n_before = state.n_common_moves();
                        state.games[index].add_move(&made);
                        if state.n_common_moves() > n_before {
                            state.pace.advance(Instant::now());
                        }
                    });
                    if made.game.status() == Status::Running {
                        self.wait_for_permission(index)
                    } else {
                        ControlFlow::Continue(())
                    }
                })
            }
        };
        self.change(|state| state.games[index].finish(result));
    }

    /// Waits until a game may make its next move; returns `Break` when the session is stopped.
    fn wait_for_permission(&self, index: usize) -> ControlFlow<()> {
        let mut state = self.state();
        loop {
            if self.is_stopped.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let n_moves = state.games[index].n_moves();
            let now = Instant::now();
            let wait = match state.pace.next_move(n_moves, state.n_common_moves(), now) {
                NextMove::Now => return ControlFlow::Continue(()),
                NextMove::At(due) => due.saturating_duration_since(now),
                NextMove::AfterChange => LONGEST_WAIT,
            };
            let woken = self.state_changed.wait_timeout(state, wait);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Changes speed, pauses, resumes or makes a single step.
    ///
    /// # Errors
    /// When the speed is not valid.
    pub(super) fn set_pace(&self, request: &PaceRequest) -> Result<(), String> {
        self.change(|state| {
            if let Some(Speed(speed)) = request.speed {
                state.pace.set_speed(speed, Instant::now())?;
            }
            if let Some(is_running) = request.running {
                state.pace.set_running(is_running);
            }
            if request.step {
                let n_moves = state.n_common_moves();
                state.pace.step(n_moves);
            }
            Ok(())
        })
    }

    /// Ends all games; their workers exit shortly afterwards.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.change(|_| ());
    }

    /// How many agents are still playing.
    pub(super) fn n_playing(&self) -> usize {
        let state = self.state();
        state.games.iter().filter(|game| !game.has_ended()).count()
    }

    /// Since when the session has had no viewers; `None` while it has some.
    pub(super) fn unwatched_since(&self) -> Option<Instant> {
        let state = self.state();
        state.viewers.is_empty().then_some(state.unwatched_since)
    }

    /// Notes which frame a viewer has received.
    pub(super) fn acknowledge(&self, seen: &SeenFrame) {
        self.change(|state| {
            if let Some((viewer, frame)) = seen.parse()
                && let Some(known) = state.viewers.get_mut(&viewer)
            {
                *known = Some(frame.max(known.unwrap_or(0)));
            }
        });
    }

    /// The games that were played to their end.
    pub(super) fn ended_games(&self) -> Vec<EndedGame> {
        let state = self.state();
        state.games.iter().filter_map(LiveGame::ended).collect()
    }

    /// The moves of one of the games so far.
    pub(super) fn moves(&self, index: usize) -> Option<GameMoves> {
        let tournament = &self.plan.tournament;
        Some(GameMoves {
            rules: tournament.rules(),
            salt: self.plan.salt,
            seed: tournament.seeds.iter().next().unwrap_or_default(),
            moves: self.state().games.get(index)?.moves().to_owned(),
        })
    }

    /// Saves the session on the first call; later calls return where it was saved. Calls
    /// at the same time wait for the first one.
    ///
    /// # Errors
    /// When `save` fails.
    pub(super) fn save_once(
        &self,
        save: impl FnOnce() -> anyhow::Result<SavedSession>,
    ) -> anyhow::Result<SavedSession> {
        let _one_at_a_time = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(saved) = self.state().saved.clone() {
            return Ok(saved);
        }
        let saved = save()?;
        self.change(|state| state.saved = Some(saved.clone()));
        Ok(saved)
    }

    fn state(&self) -> MutexGuard<'_, SessionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes all that wait for a change.
    fn change<T>(&self, change: impl FnOnce(&mut SessionState) -> T) -> T {
        let result = change(&mut self.state());
        self.state_changed.notify_all();
        self.changes
            .send_modify(|number| *number = number.wrapping_add(1));
        result
    }

    fn view(&self) -> SessionView<'_> {
        let tournament = &self.plan.tournament;
        let agents = self.plan.agents.iter().zip(&tournament.agents);
        SessionView {
            id: &self.id,
            seed: tournament.seeds.iter().next().unwrap_or_default(),
            size: tournament.side.length(),
            four_share: tournament.four.as_f64(),
            budget: budget_label(&self.plan),
            games: agents
                .map(|(agent, entry)| SessionGameView {
                    name: &agent.name,
                    plugin: &entry.plugin,
                    params: Value::Object(entry.params.clone()),
                })
                .collect(),
        }
    }
}

impl SessionState {
    /// How many moves every game that is still running has made.
    fn n_common_moves(&self) -> u64 {
        let playing = self.games.iter().filter(|game| !game.has_ended());
        playing.map(LiveGame::n_moves).min().unwrap_or_default()
    }

    fn pace_view(&self) -> PaceView {
        PaceView {
            running: self.pace.is_running(),
            speed: self.pace.speed(),
            over: self.games.iter().all(LiveGame::has_ended),
            saved: self.saved.clone(),
        }
    }
}

/// The budget of a session; `None` if it has no budget.
pub(super) fn budget_label(plan: &RunPlan) -> Option<String> {
    let budget = plan.tournament.budgets.first()?;
    (budget.limit != BudgetLimit::None).then(|| budget.label())
}
