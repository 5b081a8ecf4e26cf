//! Every request that the server answers, each with its handler.

use std::{
    cmp::Reverse,
    path::PathBuf,
    sync::{Arc, atomic::AtomicUsize},
};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Path, State},
    http::{HeaderValue, StatusCode, header},
    middleware,
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tower_http::compression::CompressionLayer;

use super::{
    agent_catalog::AgentCatalog,
    error_response::{ApiResult, ErrorResponse, RequestBody, RequestQuery},
    event_stream::{StopOnDrop, stream_response},
    live_session::{PaceRequest, SeenFrame, SessionRequest, viewer_events},
    page::page_router,
    person_game::{PersonRequest, PersonView},
    question::{AskQuery, BoardQuery, ExplainQuery, GameOfQuestion, QuestionRequest, answers},
    request_check::check_request,
    results::ResultQuery,
    run_catalog::{GameCurve, GameQuery, RunCatalog, StepQuery, run_updates},
    saved_session::{SavedSession, save},
    session_registry::SessionRegistry,
    solving::SolveQuery,
};

/// The page never sends a longer request.
const MAX_REQUEST_BYTES: usize = 64 << 10;

/// The state that all requests share.
pub(super) struct ServerState {
    pub(super) agents: AgentCatalog,
    pub(super) sessions: SessionRegistry,
    pub(super) runs: RunCatalog,
    pub(super) saved: PathBuf,
    /// How many event streams are open.
    pub(super) n_streams: Arc<AtomicUsize>,
}

pub(super) fn router(state: Arc<ServerState>) -> Router {
    page_router()
        .route("/api/health", get(health))
        .route("/api/agents", get(list_agents))
        .route("/api/sessions", post(start_session))
        .route("/api/sessions/{id}/events", get(watch_session))
        .route("/api/sessions/{id}/seen", post(acknowledge))
        .route("/api/sessions/{id}/pace", post(set_pace))
        .route("/api/sessions/{id}/stop", post(stop_session))
        .route("/api/sessions/{id}/save", post(save_session))
        .route("/api/sessions/{id}/games/{game}/curve", get(live_curve))
        .route("/api/person", post(play_as_person))
        .route("/api/questions", post(ask_agents))
        .route("/api/board", get(read_board))
        .route("/api/ask", get(ask_about_board))
        .route("/api/explain", get(explain_move))
        .route("/api/solve", get(solve))
        .route("/api/results", get(results_on_seed))
        .route("/api/runs", get(list_runs))
        .route("/api/standings", get(standings))
        .route("/api/runs/{run}/games", get(list_games))
        .route("/api/runs/{run}/games/{game}", get(game))
        .route("/api/runs/{run}/games/{game}/steps", get(steps))
        .route("/api/runs/{run}/games/{game}/curve", get(curve))
        .route("/api/runs/{run}/events", get(follow_run))
        .route("/runs/{run}/report.html", get(report_page))
        .method_not_allowed_fallback(|| async {
            ErrorResponse::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed")
        })
        .fallback(|| async { ErrorResponse::not_found("page not found") })
        .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
        .layer(middleware::from_fn(check_request))
        .layer(CompressionLayer::new())
        .with_state(state)
}

/// Tells a monitor that the server answers.
async fn health() -> Json<Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

async fn list_agents(State(state): State<Arc<ServerState>>) -> ApiResult<Response> {
    blocking(move || Ok(Json(state.agents.agents()).into_response())).await
}

async fn start_session(
    State(state): State<Arc<ServerState>>,
    RequestBody(request): RequestBody<SessionRequest>,
) -> ApiResult<Response> {
    let id = blocking(move || state.sessions.start(&request, state.agents.finder())).await?;
    let status = match id {
        Some(_) => StatusCode::CREATED,
        None => StatusCode::OK,
    };
    Ok((status, Json(json!({ "id": id }))).into_response())
}

async fn watch_session(
    State(state): State<Arc<ServerState>>,
    Path(id): Path<String>,
) -> ApiResult<Response> {
    let session = state.sessions.find(&id)?;
    stream_response(&state.n_streams, viewer_events(session))
}

async fn acknowledge(
    State(state): State<Arc<ServerState>>,
    Path(id): Path<String>,
    RequestBody(request): RequestBody<SeenFrame>,
) -> ApiResult<StatusCode> {
    state.sessions.find(&id)?.acknowledge(&request);
    Ok(StatusCode::NO_CONTENT)
}

async fn set_pace(
    State(state): State<Arc<ServerState>>,
    Path(id): Path<String>,
    RequestBody(request): RequestBody<PaceRequest>,
) -> ApiResult<StatusCode> {
    let session = state.sessions.find(&id)?;
    session
        .set_pace(&request)
        .map_err(|message| ErrorResponse::of_field("speed", message))?;
    Ok(StatusCode::NO_CONTENT)
}

async fn stop_session(
    State(state): State<Arc<ServerState>>,
    Path(id): Path<String>,
    RequestBody(_): RequestBody<Value>,
) -> ApiResult<StatusCode> {
    state.sessions.find(&id)?.stop();
    Ok(StatusCode::NO_CONTENT)
}

async fn save_session(
    State(state): State<Arc<ServerState>>,
    Path(id): Path<String>,
    RequestBody(_): RequestBody<Value>,
) -> ApiResult<Json<SavedSession>> {
    let session = state.sessions.find(&id)?;
    blocking(move || {
        let games = session.ended_games();
        if games.len() < session.plan().agents.len() {
            let message = "only games that were played to their end can be saved";
            return Err(ErrorResponse::new(StatusCode::CONFLICT, message));
        }
        let saved = session.save_once(|| {
            let folder = save(&state.saved, session.plan(), &games)?;
            anyhow::Ok(SavedSession::new(state.runs.id_of(&folder), &folder))
        });
        saved.map(Json).map_err(|error| {
            ErrorResponse::internal(format!(
                "cannot save the game in `{}`: {error:#}; start the server with --out DIR to choose another folder",
                state.saved.display()
            ))
        })
    })
    .await
}

async fn live_curve(
    State(state): State<Arc<ServerState>>,
    Path((id, game)): Path<(String, String)>,
) -> ApiResult<Response> {
    let session = state.sessions.find(&id)?;
    blocking(move || {
        let number = usize::try_from(game_number(&game)?).unwrap_or(usize::MAX);
        let moves = session.moves(number);
        let moves = moves.ok_or_else(|| ErrorResponse::not_found("game not found"))?;
        Ok(Json(GameCurve::new(&moves)?).into_response())
    })
    .await
}

async fn ask_agents(
    State(state): State<Arc<ServerState>>,
    RequestBody(request): RequestBody<QuestionRequest>,
) -> ApiResult<Response> {
    let known = Arc::clone(&state);
    let (question, places) = blocking(move || {
        let places = known.sessions.reserve(request.n_agents())?;
        let game = match &request.game {
            GameOfQuestion::Recorded(name) => known.runs.find(&name.run)?.moves(name.game)?,
            GameOfQuestion::Moves(moves) => moves.moves()?,
        };
        Ok((request.prepare(game, known.agents.finder())?, places))
    })
    .await?;
    stream_response(&state.n_streams, answers(question, places))
}

async fn read_board(RequestQuery(query): RequestQuery<BoardQuery>) -> ApiResult<Json<Value>> {
    query.view().map(Json)
}

async fn ask_about_board(
    State(state): State<Arc<ServerState>>,
    RequestQuery(query): RequestQuery<AskQuery>,
) -> ApiResult<Response> {
    // Dropped with this future when the viewer is gone.
    let viewer = StopOnDrop::default();
    let stop = viewer.flag();
    blocking(move || {
        let entries = query.entries()?;
        let _places = state.sessions.reserve(entries.len())?;
        let answer = query.answer(&entries, state.agents.finder(), &stop)?;
        Ok(Json(answer).into_response())
    })
    .await
}

async fn explain_move(
    State(state): State<Arc<ServerState>>,
    RequestQuery(query): RequestQuery<ExplainQuery>,
) -> ApiResult<Response> {
    // Dropped with this future when the viewer is gone.
    let viewer = StopOnDrop::default();
    let stop = viewer.flag();
    blocking(move || {
        let _places = state.sessions.reserve(1)?;
        query.answer(state.agents.finder(), &stop)
    })
    .await
}

async fn solve(
    State(state): State<Arc<ServerState>>,
    RequestQuery(query): RequestQuery<SolveQuery>,
) -> ApiResult<Response> {
    let known = Arc::clone(&state);
    let events = blocking(move || {
        let places = known.sessions.reserve(1)?;
        query.solve(known.agents.finder(), places)
    })
    .await?;
    stream_response(&state.n_streams, events)
}

async fn play_as_person(
    RequestBody(request): RequestBody<PersonRequest>,
) -> ApiResult<Json<PersonView>> {
    blocking(move || request.play().map(Json)).await
}

async fn results_on_seed(
    State(state): State<Arc<ServerState>>,
    RequestQuery(query): RequestQuery<ResultQuery>,
) -> ApiResult<Response> {
    blocking(move || {
        let mut results = state.sessions.results(&query);
        results.extend(state.runs.results(&query));
        results.sort_by_key(|result| Reverse(result.score));
        Ok(Json(json!({ "results": results })).into_response())
    })
    .await
}

async fn list_runs(State(state): State<Arc<ServerState>>) -> ApiResult<Response> {
    blocking(move || Ok(Json(json!({ "runs": state.runs.list() })).into_response())).await
}

/// The runs whose results are wanted, separated by commas.
#[derive(Deserialize)]
struct StandingsQuery {
    runs: String,
}

async fn standings(
    State(state): State<Arc<ServerState>>,
    RequestQuery(query): RequestQuery<StandingsQuery>,
) -> ApiResult<Response> {
    blocking(move || Ok(Json(state.runs.standings(&query.runs)).into_response())).await
}

async fn list_games(
    State(state): State<Arc<ServerState>>,
    Path(run): Path<String>,
    RequestQuery(query): RequestQuery<GameQuery>,
) -> ApiResult<Response> {
    blocking(move || Ok(Json(state.runs.find(&run)?.games(&query)?).into_response())).await
}

async fn game(
    State(state): State<Arc<ServerState>>,
    Path((run, game)): Path<(String, String)>,
) -> ApiResult<Response> {
    blocking(move || {
        let run = state.runs.find(&run)?;
        Ok(Json(run.game(game_number(&game)?)?).into_response())
    })
    .await
}

async fn steps(
    State(state): State<Arc<ServerState>>,
    Path((run, game)): Path<(String, String)>,
    RequestQuery(query): RequestQuery<StepQuery>,
) -> ApiResult<Response> {
    blocking(move || {
        let run = state.runs.find(&run)?;
        Ok(Json(run.steps(game_number(&game)?, &query)?).into_response())
    })
    .await
}

async fn curve(
    State(state): State<Arc<ServerState>>,
    Path((run, game)): Path<(String, String)>,
) -> ApiResult<Response> {
    blocking(move || {
        let run = state.runs.find(&run)?;
        Ok(Json(run.curve(game_number(&game)?)?).into_response())
    })
    .await
}

async fn follow_run(
    State(state): State<Arc<ServerState>>,
    Path(run): Path<String>,
) -> ApiResult<Response> {
    let catalog = Arc::clone(&state);
    let run = blocking(move || catalog.runs.find(&run)).await?;
    stream_response(&state.n_streams, run_updates(run))
}

async fn report_page(
    State(state): State<Arc<ServerState>>,
    Path(run): Path<String>,
) -> ApiResult<Response> {
    let page = blocking(move || state.runs.find(&run)?.page()).await?;
    // The report contains its own policy, with the hash of its script.
    let policy = HeaderValue::from_static("frame-ancestors 'self'");
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
}

fn game_number(text: &str) -> ApiResult<u64> {
    text.parse()
        .map_err(|_| ErrorResponse::not_found("game not found"))
}

/// Runs work that waits for disks, plugins or long computations on a separate thread,
/// so that the server keeps answering other requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    // In a box, because the compiler copies much of tokio for every type of work.
    let work: Box<dyn FnOnce() -> ApiResult<T> + Send> = Box::new(work);
    match spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(ErrorResponse::internal(error)),
    }
}
