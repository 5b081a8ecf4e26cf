//! The progress and the ranking of a run, sent to all its viewers.
//!
//! One task per run reads the log and computes the ranking, regardless of the number of
//! viewers. The progress is sent every second. After each ranking the task rests sixty times
//! as long as the ranking took, so that following a tournament does not slow it down.

use std::{
    convert::Infallible,
    sync::{Arc, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::response::sse::Event;
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::{sync::watch, task::spawn_blocking, time::sleep};

use super::{
    latest_faults::LatestFaults,
    latest_update::LatestUpdate,
    served_run::{RunConclusions, RunStatus, ServedRun},
};

/// How often the folder is checked for new records.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How long the task rests after an update, as a multiple of the time it took.
const REST_FACTOR: u32 = 60;

#[derive(Serialize)]
struct ProgressEvent<'s> {
    name: &'s str,
    running: bool,
    recorded: u64,
    planned: u64,
    #[serde(flatten)]
    faults: &'s LatestFaults,
}

#[derive(Serialize)]
struct RankingEvent {
    /// How many games the ranking is computed from.
    recorded: u64,
    #[serde(flatten)]
    conclusions: RunConclusions,
}

/// The current update and every later one, for as long as the stream is read.
pub(crate) fn run_updates(run: Arc<ServedRun>) -> impl Stream<Item = Result<Event, Infallible>> {
    // Subscribe before the task starts: without subscribers it ends.
    let mut updates = run.latest_update.subscribe();
    start_updating(&run);
    // This viewer has not seen the current update, however old it is.
    updates.mark_changed();
    let seen = Seen {
        run,
        updates,
        progress: None,
        ranking: None,
    };
    let news = stream::unfold(seen, |mut seen| async move {
        loop {
            seen.updates.changed().await.ok()?;
            let latest = seen.updates.borrow_and_update().clone();
            match latest {
                LatestUpdate::NotYet => {}
                LatestUpdate::Update { progress, ranking } => {
                    let events = seen.events(progress, ranking);
                    return Some((stream::iter(events), seen));
                }
                // The page reconnects and receives "run not found".
                LatestUpdate::Deleted => return None,
            }
        }
    });
    futures_util::StreamExt::flatten(news)
}

/// A viewer, and what was sent to it.
struct Seen {
    /// Keeps the run, and with it the sender of its updates.
    #[expect(dead_code, reason = "it is only kept alive")]
    run: Arc<ServedRun>,
    updates: watch::Receiver<LatestUpdate>,
    progress: Option<Arc<str>>,
    ranking: Option<Arc<str>>,
}

impl Seen {
    /// What is new to the viewer.
    fn events(
        &mut self,
        progress: Arc<str>,
        ranking: Option<Arc<str>>,
    ) -> Vec<Result<Event, Infallible>> {
        let new = |sent: &Option<Arc<str>>, latest: &Arc<str>| {
            !sent.as_ref().is_some_and(|sent| Arc::ptr_eq(sent, latest))
        };
        let event = |name: &str, text: &str| Ok(Event::default().event(name).data(text));
        let mut events = Vec::new();
        if new(&self.progress, &progress) {
            events.push(event("progress", &progress));
            self.progress = Some(progress);
        }
        if let Some(ranking) = ranking
            && new(&self.ranking, &ranking)
        {
            events.push(event("ranking", &ranking));
            self.ranking = Some(ranking);
        }
        events
    }
}

/// Starts the task of a run unless it is already running.
fn start_updating(run: &Arc<ServedRun>) {
    let mut is_updating = is_updating(run);
    if !std::mem::replace(&mut *is_updating, true) {
        // The last update may be of a run that was deleted since.
        run.latest_update.send_replace(LatestUpdate::NotYet);
        tokio::spawn(keep_updating(Arc::clone(run)));
    }
}

fn is_updating(run: &ServedRun) -> MutexGuard<'_, bool> {
    run.is_updating
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Sends updates until the run has no viewers or its folder is deleted.
async fn keep_updating(run: Arc<ServedRun>) {
    let mut sent: Option<RunStatus> = None;
    let mut ranked: Option<RunStatus> = None;
    let mut not_before = Instant::now();
    loop {
        {
            // Under the lock, so that a viewer who connects now starts a new task.
            let mut is_updating = is_updating(&run);
            let is_deleted = !run.exists();
            if is_deleted {
                run.latest_update.send_replace(LatestUpdate::Deleted);
            }
            if is_deleted || run.latest_update.receiver_count() == 0 {
                *is_updating = false;
                return;
            }
        }
        let reading = Arc::clone(&run);
        if let Ok(Ok(status)) = spawn_blocking(move || reading.followed_status()).await {
            if sent.as_ref() != Some(&status) {
                let ranking = run.latest_update.borrow().ranking();
                send(&run, &status, ranking);
            }
            // The end of a run is ranked without resting.
            let has_ended = sent.as_ref().is_some_and(|sent| sent.running) && !status.running;
            sent = Some(status);
            if ranked != sent && (has_ended || Instant::now() >= not_before) {
                let reading = Arc::clone(&run);
                let ranking = spawn_blocking(move || ranking(&reading));
                if let Ok(Some((status, text, took))) = ranking.await {
                    not_before = Instant::now() + took * REST_FACTOR;
                    send(&run, &status, Some(text.into()));
                    ranked = Some(status.clone());
                    sent = Some(status);
                }
            }
        }
        sleep(CHECK_INTERVAL).await;
    }
}

fn send(run: &ServedRun, status: &RunStatus, ranking: Option<Arc<str>>) {
    let progress = ProgressEvent {
        name: &status.name,
        running: status.running,
        recorded: status.recorded,
        planned: status.planned,
        faults: &status.faults,
    };
    if let Ok(text) = serde_json::to_string(&progress) {
        let progress = text.into();
        run.latest_update
            .send_replace(LatestUpdate::Update { progress, ranking });
    }
}

/// The ranking of the current records, with the time its computation took.
fn ranking(run: &ServedRun) -> Option<(RunStatus, String, Duration)> {
    let start = Instant::now();
    let (status, conclusions) = run.report().ok()?;
    let ranking = RankingEvent {
        recorded: status.recorded,
        conclusions,
    };
    let text = serde_json::to_string(&ranking).ok()?;
    Some((status, text, start.elapsed()))
}
