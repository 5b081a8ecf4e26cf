//! A viewer of a live session: the changes since the last frame, as server-sent events.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::response::sse::Event;
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use super::{LiveSession, PaceView, live_game::ViewerPosition};

/// The shortest time between two frames. People cannot see more than 30 per second.
const FRAME: Duration = Duration::from_millis(33);

/// Counted by the session from creation to drop.
struct Viewer {
    session: Arc<LiveSession>,
    changes: watch::Receiver<u64>,
    /// How much of each game has been sent.
    positions: Vec<Option<ViewerPosition>>,
    pace: Option<PaceView>,
    has_session_view: bool,
    last_frame: Instant,
}

/// All events of a session from its start, for as long as the stream is read.
pub(in crate::serve) fn viewer_events(
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
        let n_games = {
            let mut state = session.state();
            state.n_viewers += 1;
            state.games.len()
        };
        Self {
            changes: session.changes.subscribe(),
            session,
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
            let events = self.events();
            if !events.is_empty() {
                self.last_frame = Instant::now();
                return Some(events);
            }
        }
    }

    fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        if !self.has_session_view {
            self.has_session_view = true;
            events.extend(event("session", &self.session.view()));
        }
        let state = self.session.state();
        for (index, (game, position)) in state.games.iter().zip(&mut self.positions).enumerate() {
            if let Some(update) = game.update_since(index, *position) {
                events.extend(event("game", &update));
            }
            *position = Some(game.position());
        }
        let pace = state.pace_view();
        if self.pace.as_ref() != Some(&pace) {
            events.extend(event("pace", &pace));
            self.pace = Some(pace);
        }
        events
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let mut state = self.session.state();
        state.n_viewers -= 1;
        state.unwatched_since = std::time::Instant::now();
    }
}

fn event(name: &str, data: &impl Serialize) -> Option<Event> {
    // The data consist of numbers and strings, which always serialize.
    Event::default().event(name).json_data(data).ok()
}
