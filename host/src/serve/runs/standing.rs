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

/// What viewers know of a run.
#[derive(Clone, Debug)]
pub(super) enum Told {
    Nothing,
    Standing(Arc<str>),
    /// The run is no longer there.
    Gone,
}

#[derive(Serialize)]
struct Standing<R> {
    running: bool,
    /// Whether no game is left to be played.
    finished: bool,
    recorded: u64,
    planned: u64,
    report: R,
}

/// The standing now and whenever it changes, for as long as it is read.
pub(in crate::serve) fn standing_events(
    run: Arc<WatchedRun>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    // Before the task is started, which ends where nobody listens.
    let mut news = run.standing.subscribe();
    keep_up_to_date(&run);
    // The first standing was not seen by this viewer, however old it is.
    news.mark_changed();
    stream::unfold((run, news), |(run, mut news)| async move {
        loop {
            news.changed().await.ok()?;
            let told = news.borrow_and_update().clone();
            match told {
                Told::Nothing => {}
                Told::Standing(text) => {
                    let event = Event::default().event("standing").data(&*text);
                    return Some((Ok(event), (run, news)));
                }
                // Who asks again is told that there is no such run.
                Told::Gone => return None,
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
        // What was told before may be of a run that was deleted since.
        run.standing.send_replace(Told::Nothing);
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
            let is_gone = !run.is_there();
            if is_gone {
                run.standing.send_replace(Told::Gone);
            }
            if is_gone || run.standing.receiver_count() == 0 {
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
            run.standing.send_replace(Told::Standing(text.into()));
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
    let (progress, standing) = run.report().ok()?;
    let standing = Standing {
        running: progress.running,
        finished: standing.finished,
        recorded: progress.recorded,
        planned: progress.planned,
        report: as_json(&standing.report),
    };
    let text = serde_json::to_string(&standing).ok()?;
    Some((progress, text, start.elapsed()))
}
