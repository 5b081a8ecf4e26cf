//! The progress and the ranking of a run, sent to everyone who follows it.
//!
//! One task per run reads the log and computes the ranking, regardless of the number of
//! viewers. It then rests sixty times as long as that took, so that following a
//! tournament does not slow it down.

use std::{
    convert::Infallible,
    sync::{Arc, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::response::sse::Event;
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::{task::spawn_blocking, time::sleep};

use super::{
    latest_update::LatestUpdate,
    served_run::{RunStatus, ServedRun},
};
use crate::report::formats::json::as_json;

/// How often the folder is checked for new records.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How long the task rests after an update, as a multiple of the time it took.
const REST_FACTOR: u32 = 60;

#[derive(Serialize)]
struct RunUpdate<R> {
    running: bool,
    /// Whether no game remains to be played.
    finished: bool,
    recorded: u64,
    planned: u64,
    report: R,
}

/// The current update and every later one, for as long as the stream is read.
pub(in crate::serve) fn run_updates(
    run: Arc<ServedRun>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    // Subscribe before the task starts: without subscribers it ends.
    let mut updates = run.latest_update.subscribe();
    start_updating(&run);
    // This viewer has not seen the current update, however old it is.
    updates.mark_changed();
    stream::unfold((run, updates), |(run, mut updates)| async move {
        loop {
            updates.changed().await.ok()?;
            let latest = updates.borrow_and_update().clone();
            match latest {
                LatestUpdate::NotYet => {}
                LatestUpdate::Update(text) => {
                    let event = Event::default().event("update").data(&*text);
                    return Some((Ok(event), (run, updates)));
                }
                // The page reconnects and receives "run not found".
                LatestUpdate::Deleted => return None,
            }
        }
    })
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

/// Sends updates until nobody follows the run or its folder is deleted.
async fn keep_updating(run: Arc<ServedRun>) {
    let mut sent: Option<RunStatus> = None;
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
        let last_sent = sent.clone();
        let reading = Arc::clone(&run);
        let is_rested = Instant::now() >= not_before;
        let update = spawn_blocking(move || next_update(&reading, last_sent.as_ref(), is_rested));
        if let Ok(Some((status, text, took))) = update.await {
            not_before = Instant::now() + took * REST_FACTOR;
            sent = Some(status);
            run.latest_update
                .send_replace(LatestUpdate::Update(text.into()));
        }
        sleep(CHECK_INTERVAL).await;
    }
}

/// The update to send now, with the time its computation took. `None` if nothing has
/// changed or the task still rests; the end of a run is sent without resting.
fn next_update(
    run: &ServedRun,
    sent: Option<&RunStatus>,
    is_rested: bool,
) -> Option<(RunStatus, String, Duration)> {
    let status = run.status().ok()?;
    if sent == Some(&status) {
        return None;
    }
    let has_ended = sent.is_some_and(|sent| sent.running) && !status.running;
    if !is_rested && !has_ended {
        return None;
    }
    let start = Instant::now();
    let (status, conclusions) = run.report().ok()?;
    let update = RunUpdate {
        running: status.running,
        finished: conclusions.finished,
        recorded: status.recorded,
        planned: status.planned,
        report: as_json(&conclusions.report),
    };
    let text = serde_json::to_string(&update).ok()?;
    Some((status, text, start.elapsed()))
}
