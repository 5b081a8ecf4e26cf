//! A show: one to four agents that play one seed while people watch.
//!
//! It is a tournament of one seed. Each game is played by the referee and worker of
//! a tournament, on a thread that waits between moves for its leave; viewers read
//! the state of the show, not a queue of its events, so that one who comes late,
//! reloads or lags sees the same as the others.

mod lane;
mod pace;
mod request;
mod viewer;

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use plugin_api::Game;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;

use crate::{
    game_plan::{GamePlan, PlannedGame},
    game_record::GameRecord,
    run_plan::RunPlan,
    tournament::BudgetLimit,
    tournament_runner::play_for_viewers,
};
use lane::Lane;
use pace::{Leave, Pace};

use super::saved_show::SavedShow;
pub(super) use request::{MOST_LANES, ShowRequest, check_seed};
pub(super) use viewer::viewer_events;

pub(super) struct Show {
    id: String,
    plan: RunPlan,
    stage: Mutex<Stage>,
    /// Wakes the lanes that wait for their leave.
    stage_changed: Condvar,
    /// Wakes the viewers; the number means nothing.
    news: watch::Sender<u64>,
    is_stopped: AtomicBool,
    saving: Mutex<()>,
}

/// What changes in the course of a show.
struct Stage {
    lanes: Vec<Lane>,
    pace: Pace,
    saved: Option<SavedShow>,
    n_viewers: usize,
    /// When the last viewer left, or the show began.
    unwatched_since: Instant,
}

/// What a visitor wants of a running show; what is left out stays as it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaceRequest {
    running: Option<bool>,
    #[serde(default, deserialize_with = "given")]
    speed: Option<Speed>,
    #[serde(default)]
    step: bool,
}

/// Moves a second; `null` is as fast as it goes.
#[derive(Debug, Deserialize)]
struct Speed(Option<f64>);

/// Tells `null` from nothing.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Speed>, D::Error> {
    Speed::deserialize(deserializer).map(Some)
}

/// What a viewer is told first.
#[derive(Debug, Serialize)]
struct ShowView<'s> {
    id: &'s str,
    seed: u64,
    size: usize,
    four_share: f64,
    budget: Option<String>,
    lanes: Vec<LaneView<'s>>,
}

#[derive(Debug, Serialize)]
struct LaneView<'s> {
    name: &'s str,
    plugin: &'s str,
    params: Value,
}

/// Where the controls of a show stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct PaceView {
    running: bool,
    speed: Option<f64>,
    over: bool,
    saved: Option<SavedShow>,
}

impl Show {
    /// Begins to play, one thread a lane.
    pub(super) fn begin(id: String, plan: RunPlan, running: bool, speed: Option<f64>) -> Arc<Self> {
        let now = Instant::now();
        let mut pace = Pace::new(running, now);
        // The request was checked; an odd speed would only be slow to show.
        let _ = pace.set_speed(speed, now);
        let games: Vec<PlannedGame> = GamePlan::new(&plan.tournament).games().collect();
        let (rules, salt) = (plan.tournament.rules(), plan.salt());
        let start = |game: &PlannedGame| Lane::new(*Game::start(rules, &salt, game.seed).board());
        let stage = Stage {
            lanes: games.iter().map(start).collect(),
            pace,
            saved: None,
            n_viewers: 0,
            unwatched_since: now,
        };
        let show = Arc::new(Self {
            id,
            plan,
            stage: Mutex::new(stage),
            stage_changed: Condvar::new(),
            news: watch::Sender::new(0),
            is_stopped: AtomicBool::new(false),
            saving: Mutex::default(),
        });
        for (lane, game) in games.into_iter().enumerate() {
            let show = Arc::clone(&show);
            thread::spawn(move || show.play(lane, &game));
        }
        show
    }

    pub(super) fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// Plays the game of a lane to its end.
    fn play(&self, lane: usize, game: &PlannedGame) {
        let result = match self.wait_for_leave(lane) {
            ControlFlow::Break(()) => Err(crate::referee::Interruption::Stopped),
            ControlFlow::Continue(()) => {
                play_for_viewers(&self.plan, game, &self.is_stopped, &mut |made| {
                    self.change(|stage| {
                        let n_before = stage.n_in_all();
                        stage.lanes[lane].add_move(&made);
                        if stage.n_in_all() > n_before {
                            stage.pace.advance(Instant::now());
                        }
                    });
                    if made.game.status() == plugin_api::Status::Running {
                        self.wait_for_leave(lane)
                    } else {
                        ControlFlow::Continue(())
                    }
                })
            }
        };
        self.change(|stage| stage.lanes[lane].finish(result));
    }

    /// Waits until a lane may move; breaks off when the show is stopped.
    fn wait_for_leave(&self, lane: usize) -> ControlFlow<()> {
        let mut stage = self.stage();
        loop {
            if self.is_stopped.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let n_moves = stage.lanes[lane].n_moves();
            let now = Instant::now();
            let whole_wait = Duration::from_secs(1);
            let wait = match stage.pace.leave(n_moves, stage.n_in_all(), now) {
                Leave::Now => return ControlFlow::Continue(()),
                Leave::At(due) => due.saturating_duration_since(now),
                Leave::Later => whole_wait,
            };
            let waited = self.stage_changed.wait_timeout(stage, wait);
            stage = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Does what a visitor wants.
    ///
    /// # Errors
    /// When the speed is none.
    pub(super) fn set_pace(&self, wanted: &PaceRequest) -> Result<(), String> {
        self.change(|stage| {
            if let Some(Speed(speed)) = wanted.speed {
                stage.pace.set_speed(speed, Instant::now())?;
            }
            if let Some(is_running) = wanted.running {
                stage.pace.set_running(is_running);
            }
            if wanted.step {
                let n_moves = stage.n_in_all();
                stage.pace.step(n_moves);
            }
            Ok(())
        })
    }

    /// Ends all games; their workers are gone a moment later.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.change(|_| ());
    }

    /// How many agents still play.
    pub(super) fn n_playing(&self) -> usize {
        let stage = self.stage();
        stage.lanes.iter().filter(|lane| !lane.has_ended()).count()
    }

    /// Since when nobody watches.
    pub(super) fn unwatched_since(&self) -> Option<Instant> {
        let stage = self.stage();
        (stage.n_viewers == 0).then_some(stage.unwatched_since)
    }

    /// The records of all games that came to their end, with the agents' last words.
    pub(super) fn records(&self) -> Vec<(GameRecord, String)> {
        let stage = self.stage();
        let ended = stage.lanes.iter().filter_map(Lane::record);
        ended
            .map(|(record, last_words)| (record.clone(), last_words.to_owned()))
            .collect()
    }

    /// Saves the show, or says where it was saved before. Who asks meanwhile waits.
    ///
    /// # Errors
    /// When it cannot be saved.
    pub(super) fn save_once(
        &self,
        save: impl FnOnce() -> anyhow::Result<SavedShow>,
    ) -> anyhow::Result<SavedShow> {
        let _one_at_a_time = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(saved) = self.stage().saved.clone() {
            return Ok(saved);
        }
        let saved = save()?;
        self.change(|stage| stage.saved = Some(saved.clone()));
        Ok(saved)
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Stage) -> T) -> T {
        let result = change(&mut self.stage());
        self.stage_changed.notify_all();
        self.news
            .send_modify(|number| *number = number.wrapping_add(1));
        result
    }

    fn view(&self) -> ShowView<'_> {
        let tournament = &self.plan.tournament;
        let entrants = self.plan.entrants.iter().zip(&tournament.agents);
        ShowView {
            id: &self.id,
            seed: tournament.seeds.iter().next().unwrap_or_default(),
            size: tournament.side.length(),
            four_share: tournament.four.as_f64(),
            budget: budget_label(&self.plan),
            lanes: entrants
                .map(|(entrant, entry)| LaneView {
                    name: &entrant.name,
                    plugin: &entry.plugin,
                    params: Value::Object(entry.params.clone()),
                })
                .collect(),
        }
    }
}

impl Stage {
    /// How many moves every lane that still plays has made.
    fn n_in_all(&self) -> u64 {
        let playing = self.lanes.iter().filter(|lane| !lane.has_ended());
        playing.map(Lane::n_moves).min().unwrap_or_default()
    }

    fn pace_view(&self) -> PaceView {
        PaceView {
            running: self.pace.is_running(),
            speed: self.pace.speed(),
            over: self.lanes.iter().all(Lane::has_ended),
            saved: self.saved.clone(),
        }
    }
}

/// The budget of a show, if it has one.
pub(super) fn budget_label(plan: &RunPlan) -> Option<String> {
    let budget = plan.tournament.budgets.first()?;
    (budget.limit != BudgetLimit::None).then(|| budget.label())
}
