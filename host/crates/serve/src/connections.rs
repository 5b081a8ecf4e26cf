//! The connections of the server, limited in number and in patience.
//!
//! Every machine that reaches the server can open connections and say nothing. A request has to
//! arrive within seconds, and an idle connection is closed. When all connections are
//! taken, the one that has been quiet longest makes room for a new one, so a monitor that
//! asks for the health of the server still gets an answer.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{Router, http::header, response::Response};
use hyper::{
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use nix::sys::resource::{Resource, getrlimit};
use tokio::{
    net::{TcpListener, TcpStream},
    task::AbortHandle,
    time::sleep,
};

/// How many connections may be open at once: more than there may be event streams.
const MOST_CONNECTIONS: usize = 512;
/// Descriptors that are not connections: workers, logs, the program itself.
const OTHER_DESCRIPTORS: u64 = 128;
/// How long the head of a request may take.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// A pause after a failed accept: descriptors may become free.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections and answers their requests, until it is dropped.
pub(super) async fn accept(listener: TcpListener, router: Router) -> io::Result<()> {
    let connections = Connections::default();
    let limit = most_connections();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors, or the peer is gone already.
            sleep(PAUSE).await;
            continue;
        };
        let number = connections.enter(limit);
        let answered = answer(stream, router.clone(), connections.clone(), number);
        let task = tokio::spawn(answered).abort_handle();
        connections.can_be_closed(number, task);
    }
}

async fn answer(stream: TcpStream, router: Router, connections: Connections, number: u64) {
    let entry = Entry {
        connections,
        number,
    };
    let inner = TowerToHyperService::new(router);
    let service = service_fn(|request| {
        entry.connections.ask(number);
        let answer = inner.call(request);
        async {
            let response = answer.await?;
            if is_event_stream(&response) {
                entry.connections.become_stream(number);
            }
            Ok::<Response, std::convert::Infallible>(response)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service);
    // Whatever the error, the connection is over.
    let _ = connection.await;
}

fn is_event_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// Fewer where the system allows few descriptors.
fn most_connections() -> usize {
    let descriptors = getrlimit(Resource::RLIMIT_NOFILE).map_or(1024, |(soft, _)| soft);
    let free = descriptors.saturating_sub(OTHER_DESCRIPTORS) / 2;
    usize::try_from(free).map_or(MOST_CONNECTIONS, |free| free.clamp(1, MOST_CONNECTIONS))
}

/// All open connections, by number.
#[derive(Clone, Default)]
struct Connections(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    open: HashMap<u64, OpenConnection>,
    /// Grows with every connection and request: a clock without time.
    now: u64,
}

struct OpenConnection {
    last_request: u64,
    /// Event streams are limited on their own, and quiet by nature.
    is_stream: bool,
    task: Option<AbortHandle>,
}

/// The place of a connection in the table, freed when it ends in whatever way.
struct Entry {
    connections: Connections,
    number: u64,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.connections.table().open.remove(&self.number);
    }
}

impl Connections {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room if needed and returns the number of a new connection.
    fn enter(&self, limit: usize) -> u64 {
        let mut table = self.table();
        while table.open.len() >= limit {
            let quietest = table
                .open
                .iter()
                .filter(|(_, connection)| !connection.is_stream)
                .min_by_key(|(_, connection)| connection.last_request);
            let Some(number) = quietest.map(|(number, _)| *number) else {
                break;
            };
            if let Some(task) = table.open.remove(&number).and_then(|closed| closed.task) {
                task.abort();
            }
        }
        table.now += 1;
        let number = table.now;
        let connection = OpenConnection {
            last_request: number,
            is_stream: false,
            task: None,
        };
        table.open.insert(number, connection);
        number
    }

    fn can_be_closed(&self, number: u64, task: AbortHandle) {
        if let Some(connection) = self.table().open.get_mut(&number) {
            connection.task = Some(task);
        }
    }

    fn ask(&self, number: u64) {
        let mut table = self.table();
        table.now += 1;
        let now = table.now;
        if let Some(connection) = table.open.get_mut(&number) {
            connection.last_request = now;
        }
    }

    fn become_stream(&self, number: u64) {
        if let Some(connection) = self.table().open.get_mut(&number) {
            connection.is_stream = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quietest_connection_makes_room_and_streams_stay() {
        let connections = Connections::default();
        let [first, second, third] = [0; 3].map(|_| connections.enter(3));
        connections.become_stream(second);
        connections.ask(first);
        let open = || {
            let mut numbers: Vec<u64> = connections.table().open.keys().copied().collect();
            numbers.sort_unstable();
            numbers
        };
        let fourth = connections.enter(3);
        assert_eq!(open(), [first, second, fourth], "{third} was quietest");
        let fifth = connections.enter(3);
        assert_eq!(open(), [second, fourth, fifth], "its request was earlier");
    }
}
