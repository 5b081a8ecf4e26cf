//! Somebody who watches a show: what is new to them, as server-sent events.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::response::sse::Event;
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use super::{PaceView, Show, lane::Known};

/// More pictures a second nobody sees.
const FRAME: Duration = Duration::from_millis(33);

/// Counted while they watch.
struct Viewer {
    show: Arc<Show>,
    news: watch::Receiver<u64>,
    lanes: Vec<Option<Known>>,
    pace: Option<PaceView>,
    is_greeted: bool,
    last_frame: Instant,
}

/// All that is to be told of a show, from its beginning, for as long as it is read.
pub(in crate::serve) fn viewer_events(
    show: Arc<Show>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let batches = stream::unfold(Viewer::new(show), |mut viewer| async move {
        let events = viewer.next_frame().await?;
        Some((stream::iter(events.into_iter().map(Ok)), viewer))
    });
    futures_util::StreamExt::flatten(batches)
}

impl Viewer {
    fn new(show: Arc<Show>) -> Self {
        let n_lanes = {
            let mut stage = show.stage();
            stage.n_viewers += 1;
            stage.lanes.len()
        };
        Self {
            news: show.news.subscribe(),
            show,
            lanes: vec![None; n_lanes],
            pace: None,
            is_greeted: false,
            last_frame: Instant::now(),
        }
    }

    /// Waits until there is something to tell; `None` when nothing more will come.
    async fn next_frame(&mut self) -> Option<Vec<Event>> {
        loop {
            if self.is_greeted {
                self.news.changed().await.ok()?;
                sleep_until(self.last_frame + FRAME).await;
            }
            self.news.mark_unchanged();
            let events = self.events();
            if !events.is_empty() {
                self.last_frame = Instant::now();
                return Some(events);
            }
        }
    }

    fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        if !self.is_greeted {
            self.is_greeted = true;
            events.extend(event("show", &self.show.view()));
        }
        let stage = self.show.stage();
        for (index, (lane, known)) in stage.lanes.iter().zip(&mut self.lanes).enumerate() {
            if let Some(news) = lane.news(index, *known) {
                events.extend(event("lane", &news));
            }
            *known = Some(lane.known());
        }
        let pace = stage.pace_view();
        if self.pace.as_ref() != Some(&pace) {
            events.extend(event("pace", &pace));
            self.pace = Some(pace);
        }
        events
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let mut stage = self.show.stage();
        stage.n_viewers -= 1;
        stage.unwatched_since = std::time::Instant::now();
    }
}

fn event(name: &str, data: &impl Serialize) -> Option<Event> {
    // All data are numbers and texts, which JSON takes.
    Event::default().event(name).json_data(data).ok()
}
