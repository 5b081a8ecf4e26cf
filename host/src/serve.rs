//! `host serve`: a page to watch agents play, replay games and follow tournaments.
//!
//! The server knows no rules and keeps no results of its own: games are played by the
//! referee and workers of a tournament (`show`), runs are read from their folders
//! (`runs`), and the page shows what it is told. Everything it can be asked is in
//! `router`.

mod agent_shelf;
mod gate;
mod page;
mod person;
mod refusal;
mod results;
mod runs;
mod saved_show;
mod show;
mod show_house;
mod views;

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Path, State},
    http::{HeaderValue, StatusCode, header},
    middleware,
    response::{
        Html, IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
    routing::{get, post},
};
use futures_util::{Stream, StreamExt};
use serde_json::json;
use tokio::{net::TcpListener, task::spawn_blocking, time::interval};

use crate::plugin_finder::PluginFinder;
use agent_shelf::AgentShelf;
use person::PersonRequest;
use refusal::{Refusal, RequestBody, RequestQuery};
use results::ResultQuery;
use runs::{GameQuery, RunShelf, StepQuery, standing_events};
use saved_show::SavedShow;
use show::{PaceRequest, ShowRequest, viewer_events};
use show_house::ShowHouse;

/// No request of the page is longer.
const LONGEST_REQUEST: usize = 64 << 10;
/// How many streams of events may be open at once.
const MOST_STREAMS: usize = 256;
/// How often shows without viewers are looked for.
const TIDYING: Duration = Duration::from_secs(1);
/// How often a silent stream shows that it lives, and learns that its viewer has left.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// What a server shows, and where.
pub struct ServerOptions {
    pub address: SocketAddr,
    pub finder: PluginFinder,
    /// Runs, or folders of runs.
    pub runs: Vec<PathBuf>,
    /// Where games that were watched are saved; runs there are shown as well.
    pub saved: PathBuf,
}

/// A server that has its address.
pub struct Server {
    listener: TcpListener,
    house: Arc<House>,
}

/// What all requests share.
struct House {
    agents: AgentShelf,
    shows: ShowHouse,
    runs: RunShelf,
    saved: PathBuf,
    n_streams: AtomicUsize,
}

type Answer<T> = Result<T, Refusal>;

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// When it cannot be had.
    pub async fn bind(options: ServerOptions) -> io::Result<Self> {
        let listener = TcpListener::bind(options.address).await?;
        let mut roots = options.runs;
        roots.push(options.saved.clone());
        Ok(Self {
            listener,
            house: Arc::new(House {
                agents: AgentShelf::new(options.finder),
                shows: ShowHouse::default(),
                runs: RunShelf::new(roots),
                saved: options.saved,
                n_streams: AtomicUsize::new(0),
            }),
        })
    }

    /// Where the page is.
    ///
    /// # Errors
    /// When the system does not know.
    pub fn url(&self) -> io::Result<String> {
        let address = self.listener.local_addr()?;
        // Nobody can open 0.0.0.0.
        let address = match address.ip() {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED) => {
                SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port())
            }
            _ => address,
        };
        Ok(format!("http://{address}/"))
    }

    /// Answers until `end` comes.
    ///
    /// # Errors
    /// When the network fails.
    pub async fn serve_until(self, end: impl Future<Output = ()>) -> io::Result<()> {
        let house = Arc::clone(&self.house);
        let tidy = async move {
            let mut ticks = interval(TIDYING);
            loop {
                ticks.tick().await;
                house.shows.tidy(Instant::now());
            }
        };
        let router = router(self.house);
        tokio::select! {
            // Streams never end by themselves, so there is nothing to wait for.
            result = async { axum::serve(self.listener, router).await } => result,
            () = tidy => Ok(()),
            () = end => Ok(()),
        }
    }
}

/// Everything the page can ask.
fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/", get(|| async { page::page_file("index.html") }))
        .route(
            "/{file}",
            get(|Path(file): Path<String>| async move { page::page_file(&file) }),
        )
        .route("/api/agents", get(agents))
        .route("/api/shows", post(open_show))
        .route("/api/shows/{id}/events", get(watch_show))
        .route("/api/shows/{id}/pace", post(set_pace))
        .route("/api/shows/{id}/stop", post(stop_show))
        .route("/api/shows/{id}/save", post(save_show))
        .route("/api/person", post(play_as_person))
        .route("/api/results", get(results_on_seed))
        .route("/api/runs", get(list_runs))
        .route("/api/runs/{run}/games", get(list_games))
        .route("/api/runs/{run}/games/{game}", get(game))
        .route("/api/runs/{run}/games/{game}/steps", get(steps))
        .route("/api/runs/{run}/events", get(follow_run))
        .route("/runs/{run}/report.html", get(report_page))
        .method_not_allowed_fallback(|| async {
            Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this is not asked in this way",
            )
        })
        .fallback(|| async { Refusal::not_found("there is no such page") })
        .layer(DefaultBodyLimit::max(LONGEST_REQUEST))
        .layer(middleware::from_fn(gate::gate))
        .with_state(house)
}

async fn agents(State(house): State<Arc<House>>) -> Answer<Response> {
    blocking(move || Ok(Json(house.agents.agents()).into_response())).await
}

async fn open_show(
    State(house): State<Arc<House>>,
    RequestBody(request): RequestBody<ShowRequest>,
) -> Answer<Response> {
    let id = blocking(move || house.shows.open(&request, house.agents.finder())).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
}

async fn watch_show(State(house): State<Arc<House>>, Path(id): Path<String>) -> Answer<Response> {
    let show = house.shows.find(&id)?;
    stream(house, viewer_events(show))
}

async fn set_pace(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    RequestBody(wanted): RequestBody<PaceRequest>,
) -> Answer<StatusCode> {
    let show = house.shows.find(&id)?;
    show.set_pace(&wanted)
        .map_err(|message| Refusal::of_field("speed", message))?;
    Ok(StatusCode::NO_CONTENT)
}

async fn stop_show(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    RequestBody(_): RequestBody<serde_json::Value>,
) -> Answer<StatusCode> {
    house.shows.find(&id)?.stop();
    Ok(StatusCode::NO_CONTENT)
}

async fn save_show(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    RequestBody(_): RequestBody<serde_json::Value>,
) -> Answer<Json<SavedShow>> {
    let show = house.shows.find(&id)?;
    blocking(move || {
        let records = show.records();
        if records.len() < show.plan().entrants.len() {
            let message = "only games that came to their end can be saved";
            return Err(Refusal::new(StatusCode::CONFLICT, message));
        }
        let saved = show.save_once(|| {
            let folder = saved_show::save(&house.saved, show.plan(), &records)?;
            anyhow::Ok(SavedShow::new(house.runs.id_of(&folder), &folder))
        });
        saved.map(Json).map_err(|error| {
            Refusal::unexpected(format!(
                "the game cannot be saved in `{}`: {error:#}; `host serve --out DIR` chooses another folder",
                house.saved.display()
            ))
        })
    })
    .await
}

async fn play_as_person(
    RequestBody(request): RequestBody<PersonRequest>,
) -> Answer<Json<person::PersonView>> {
    blocking(move || request.play().map(Json)).await
}

async fn results_on_seed(
    State(house): State<Arc<House>>,
    RequestQuery(query): RequestQuery<ResultQuery>,
) -> Answer<Response> {
    blocking(move || {
        let mut results = house.shows.results(&query);
        results.extend(house.runs.results(&query));
        results.sort_by_key(|result| std::cmp::Reverse(result.score));
        Ok(Json(json!({ "results": results })).into_response())
    })
    .await
}

async fn list_runs(State(house): State<Arc<House>>) -> Answer<Response> {
    blocking(move || Ok(Json(json!({ "runs": house.runs.list() })).into_response())).await
}

async fn list_games(
    State(house): State<Arc<House>>,
    Path(run): Path<String>,
    RequestQuery(query): RequestQuery<GameQuery>,
) -> Answer<Response> {
    blocking(move || Ok(Json(house.runs.find(&run)?.games(&query)?).into_response())).await
}

async fn game(
    State(house): State<Arc<House>>,
    Path((run, game)): Path<(String, String)>,
) -> Answer<Response> {
    blocking(move || {
        let run = house.runs.find(&run)?;
        Ok(Json(run.game(game_number(&game)?)?).into_response())
    })
    .await
}

async fn steps(
    State(house): State<Arc<House>>,
    Path((run, game)): Path<(String, String)>,
    RequestQuery(query): RequestQuery<StepQuery>,
) -> Answer<Response> {
    blocking(move || {
        let run = house.runs.find(&run)?;
        Ok(Json(run.steps(game_number(&game)?, &query)?).into_response())
    })
    .await
}

async fn follow_run(State(house): State<Arc<House>>, Path(run): Path<String>) -> Answer<Response> {
    let looking = Arc::clone(&house);
    let run = blocking(move || looking.runs.find(&run)).await?;
    stream(house, standing_events(run))
}

async fn report_page(State(house): State<Arc<House>>, Path(run): Path<String>) -> Answer<Response> {
    let page = blocking(move || house.runs.find(&run)?.page()).await?;
    // Its own policy stands in the page; it knows the hash of its script.
    let policy = HeaderValue::from_static("frame-ancestors 'self'");
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
}

fn game_number(text: &str) -> Answer<u64> {
    text.parse()
        .map_err(|_| Refusal::not_found("there is no such game"))
}

/// Work that waits for disks, plugins or arithmetic, off the threads that answer.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    match spawn_blocking(work).await {
        Ok(answer) => answer,
        Err(error) => Err(Refusal::unexpected(error)),
    }
}

/// A stream of events that counts as long as it is open.
fn stream(
    house: Arc<House>,
    events: impl Stream<Item = Result<Event, std::convert::Infallible>> + Send + 'static,
) -> Answer<Response> {
    let place = StreamPlace::take(house)?;
    let events = events.map(move |event| {
        let _held = &place;
        event
    });
    let keep_alive = KeepAlive::new().interval(SIGN_OF_LIFE);
    Ok(Sse::new(events).keep_alive(keep_alive).into_response())
}

/// One of the streams that may be open.
struct StreamPlace(Arc<House>);

impl StreamPlace {
    fn take(house: Arc<House>) -> Answer<Self> {
        let place = Self(house);
        if place.0.n_streams.fetch_add(1, Ordering::Relaxed) < MOST_STREAMS {
            return Ok(place);
        }
        let message = format!("{MOST_STREAMS} windows are open already; close one");
        Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message))
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        self.0.n_streams.fetch_sub(1, Ordering::Relaxed);
    }
}
