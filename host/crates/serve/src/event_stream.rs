//! Streams of server-sent events, limited in number.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
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
use futures_util::{Stream, StreamExt};

use super::error_response::{ApiResult, ErrorResponse};

/// How many event streams may be open at once.
const MAX_STREAMS: usize = 256;
/// How often an idle stream sends a comment. A failed write is how the server notices
/// that the browser has closed the connection.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);

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
