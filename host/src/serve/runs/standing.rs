//! The standing of a run, told to everybody who follows it.
//!
//! One task a run reads and computes, however many watch, and rests sixty times as
//! long as that took: following a tournament must not slow it down.

use std::{
    convert::Infallible,
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use axum::response::sse::Event;
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::time::sleep;

use super::watched_run::{Progress, WatchedRun};
use crate::report::json::as_json;

/// How often the folder is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// Computing takes at most so much of one core while a run goes on: one part of these.
const REST: u32 = 60;

#[derive(Serialize)]
struct Standing<R> {
    running: bool,
    recorded: u64,
    planned: u64,
    report: R,
}

/// The standing now and whenever it changes, for as long as it is read.
pub(in crate::serve) fn standing_events(
    run: Arc<WatchedRun>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let mut news = run.standing.subscribe();
    // The first standing was not seen by this viewer, however old it is.
    news.mark_changed();
    keep_up_to_date(&run);
    stream::unfold((run, news), |(run, mut news)| async move {
        loop {
            news.changed().await.ok()?;
            let text = news.borrow_and_update().clone();
            if let Some(text) = text {
                let event = Event::default().event("standing").data(&*text);
                return Some((Ok(event), (run, news)));
            }
        }
    })
}

/// Starts the task of a run, unless it is there.
fn keep_up_to_date(run: &Arc<WatchedRun>) {
    let mut is_followed = run
        .is_followed
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if !std::mem::replace(&mut *is_followed, true) {
        tokio::spawn(follow(Arc::clone(run)));
    }
}

async fn follow(run: Arc<WatchedRun>) {
    let mut told: Option<Progress> = None;
    let mut not_before = Instant::now();
    loop {
        {
            // Under the lock, so that a viewer who comes now starts another task.
            let mut is_followed = run
                .is_followed
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if run.standing.receiver_count() == 0 {
                *is_followed = false;
                return;
            }
        }
        let last = told.clone();
        let reading = Arc::clone(&run);
        let is_rested = Instant::now() >= not_before;
        let news = tokio::task::spawn_blocking(move || news(&reading, last.as_ref(), is_rested));
        if let Ok(Some((progress, text, took))) = news.await {
            not_before = Instant::now() + took * REST;
            told = Some(progress);
            run.standing.send_replace(Some(text.into()));
        }
        sleep(LOOK).await;
    }
}

/// The standing, if it is another one than was told last and it is time for it. When
/// the run has just ended it is always time.
fn news(
    run: &WatchedRun,
    told: Option<&Progress>,
    is_rested: bool,
) -> Option<(Progress, String, Duration)> {
    let progress = run.progress().ok()?;
    if told == Some(&progress) {
        return None;
    }
    let has_ended = told.is_some_and(|told| told.running) && !progress.running;
    if !is_rested && !has_ended {
        return None;
    }
    let start = Instant::now();
    let (progress, report) = run.report().ok()?;
    let standing = Standing {
        running: progress.running,
        recorded: progress.recorded,
        planned: progress.planned,
        report: as_json(&report),
    };
    let text = serde_json::to_string(&standing).ok()?;
    Some((progress, text, start.elapsed()))
}
