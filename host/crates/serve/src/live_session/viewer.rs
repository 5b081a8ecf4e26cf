//! A viewer of a live session: the changes since the last frame, as server-sent events.
//!
//! The page says which frame it has received. Without that, buffers along a slow connection
//! would fill with old boards, and Pause would wait behind all of them.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::response::sse::Event;
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until, timeout_at},
};

use super::{LONGEST_WAIT, LiveSession, PaceView, live_game::ViewerPosition};

/// The shortest time between two frames. People cannot see more than 30 per second.
const FRAME: Duration = Duration::from_millis(33);
/// How many frames may be under way to a viewer that acknowledges them. A frame has less than
/// 1 KB per game, so even a connection of 20 KB/s is less than a second behind.
const MAX_UNSEEN: u64 = 6;

/// Known to the session from creation to drop.
struct Viewer {
    session: Arc<LiveSession>,
    number: u64,
    n_frames: u64,
    changes: watch::Receiver<u64>,
    /// How much of each game has been sent.
    positions: Vec<Option<ViewerPosition>>,
    pace: Option<PaceView>,
    has_session_view: bool,
    last_frame: Instant,
}

/// All events of a session from its start, for as long as the stream is read.
pub(crate) fn viewer_events(
    session: Arc<LiveSession>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let frames = stream::unfold(Viewer::new(session), |mut viewer| async move {
        let events = viewer.next_frame().await?;
        Some((stream::iter(events.into_iter().map(Ok)), viewer))
    });
    futures_util::StreamExt::flatten(frames)
}

impl Viewer {
    fn new(session: Arc<LiveSession>) -> Self {
        let (number, n_games) = {
            let mut state = session.state();
            state.n_viewers_ever += 1;
            let number = state.n_viewers_ever;
            state.viewers.insert(number, None);
            (number, state.games.len())
        };
        Self {
            changes: session.changes.subscribe(),
            session,
            number,
            n_frames: 0,
            positions: vec![None; n_games],
            pace: None,
            has_session_view: false,
            last_frame: Instant::now(),
        }
    }

    /// Waits until there is something to send; `None` when the session has ended for good.
    async fn next_frame(&mut self) -> Option<Vec<Event>> {
        loop {
            if self.has_session_view {
                self.changes.changed().await.ok()?;
                sleep_until(self.last_frame + FRAME).await;
            }
            self.changes.mark_unchanged();
            while self.must_wait() {
                // A lost acknowledgement must not stop the stream for good.
                let late = self.last_frame + LONGEST_WAIT;
                match timeout_at(late, self.changes.changed()).await {
                    Ok(changed) => changed.ok()?,
                    Err(_) => break,
                }
            }
            let events = self.events();
            if !events.is_empty() {
                self.n_frames += 1;
                self.last_frame = Instant::now();
                return Some(events);
            }
        }
    }

    fn events(&mut self) -> Vec<Event> {
        let id = format!("{}.{}", self.number, self.n_frames + 1);
        let mut events = Vec::new();
        if !self.has_session_view {
            self.has_session_view = true;
            events.extend(event("session", &id, &self.session.view()));
        }
        let state = self.session.state();
        for (index, (game, position)) in state.games.iter().zip(&mut self.positions).enumerate() {
            if let Some(update) = game.update_since(index, *position) {
                events.extend(event("game", &id, &update));
            }
            *position = Some(game.position());
        }
        let pace = state.pace_view();
        if self.pace.as_ref() != Some(&pace) {
            events.extend(event("pace", &id, &pace));
            self.pace = Some(pace);
        }
        events
    }

    /// Whether enough frames are under way. A change of the pace is sent in any case.
    fn must_wait(&self) -> bool {
        let state = self.session.state();
        let seen = state.viewers.get(&self.number).copied().flatten();
        seen.is_some_and(|seen| self.n_frames >= seen + MAX_UNSEEN)
            && self.pace.as_ref() == Some(&state.pace_view())
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let mut state = self.session.state();
        state.viewers.remove(&self.number);
        state.unwatched_since = std::time::Instant::now();
    }
}

fn event(name: &str, id: &str, data: &impl Serialize) -> Option<Event> {
    // The data consist of numbers and strings, which always serialize.
    Event::default().event(name).id(id).json_data(data).ok()
}
