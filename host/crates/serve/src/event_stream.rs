//! Streams of server-sent events, limited in number.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    http::StatusCode,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::error_response::{ApiResult, ErrorResponse};

/// How many event streams may be open at once.
const MAX_STREAMS: usize = 256;
/// How often an idle stream sends a comment. A failed write is how the server notices
/// that the browser has closed the connection.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// How many events wait for a slow viewer before their sender waits as well.
const MOST_WAITING: usize = 64;

/// Events that other threads send. When the viewer is gone, it sets `stop`, so that work which
/// makes the events ends.
pub(super) fn events_from<E: Serialize + Send + 'static>(
    start: impl FnOnce(Sender<E>, Arc<AtomicBool>),
) -> impl Stream<Item = Result<Event, Infallible>> {
    let (sender, events) = channel(MOST_WAITING);
    let stop = StopOnDrop::default();
    start(sender, stop.flag());
    stream::unfold(
        (events, stop),
        |(mut events, stop): (Receiver<E>, _)| async {
            let event = events.recv().await?;
            // Events consist of numbers and strings, which always serialize.
            let event = Event::default().json_data(&event).unwrap_or_default();
            Some((Ok(event), (events, stop)))
        },
    )
}

/// A flag that is set when this is dropped: the viewer is gone.
#[derive(Default)]
pub(super) struct StopOnDrop(Arc<AtomicBool>);

impl StopOnDrop {
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Responds with a stream that occupies a slot for as long as it is open.
///
/// # Errors
/// When too many streams are open.
pub(super) fn stream_response(
    n_streams: &Arc<AtomicUsize>,
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
) -> ApiResult<Response> {
    let slot = StreamSlot::take(n_streams)?;
    let events = events.map(move |event| {
        let _held = &slot;
        event
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE_INTERVAL);
    Ok(Sse::new(events).keep_alive(keep_alive).into_response())
}

/// One of the streams that may be open; dropping it frees the slot.
struct StreamSlot(Arc<AtomicUsize>);

impl StreamSlot {
    fn take(n_streams: &Arc<AtomicUsize>) -> ApiResult<Self> {
        let slot = Self(Arc::clone(n_streams));
        if slot.0.fetch_add(1, Ordering::Relaxed) < MAX_STREAMS {
            return Ok(slot);
        }
        let message = format!("{MAX_STREAMS} windows are already open; close one of them");
        Err(ErrorResponse::new(StatusCode::SERVICE_UNAVAILABLE, message))
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
