//! All live sessions, with limits that keep visitors from filling the machine with games.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::http::StatusCode;

use super::{
    error_response::{ApiResult, ErrorResponse},
    live_session::{LiveSession, SessionRequest, budget_label},
    results::{GameResult, ResultQuery},
    saved_session::EndedGame,
};
use play::agents::plugin_finder::PluginFinder;
use run::run_plan::RunPlan;

/// How many agents may play at once, in all sessions together.
const MAX_PLAYING: usize = 8;
/// How many sessions are kept, finished ones included.
const MAX_SESSIONS: usize = 64;
/// How long a session without viewers continues. Long enough for reloading the page.
const GRACE_PERIOD: Duration = Duration::from_secs(10);
/// How many results of ended sessions are kept.
const MAX_RESULTS: usize = 500;

pub(super) struct SessionRegistry {
    /// The beginning of the identifiers of all sessions of this server. By it the server
    /// recognises a page from before a restart and says what happened to its game.
    prefix: String,
    sessions: Mutex<Sessions>,
    /// How many agents are being asked about positions.
    n_asked: Arc<AtomicUsize>,
}

/// Agents that are being asked; they count as playing until this is dropped.
pub(super) struct AskedPlaces {
    n_agents: usize,
    n_asked: Arc<AtomicUsize>,
}

impl Drop for AskedPlaces {
    fn drop(&mut self) {
        self.n_asked.fetch_sub(self.n_agents, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Sessions {
    by_id: HashMap<String, Arc<LiveSession>>,
    /// Results of sessions that have been removed.
    results: Vec<(RunPlan, GameResult)>,
}

impl Default for SessionRegistry {
    fn default() -> Self {
        Self {
            prefix: format!("{:016x}", random_number()),
            sessions: Mutex::default(),
            n_asked: Arc::default(),
        }
    }
}

impl SessionRegistry {
    /// Starts a session and returns its identifier; `None` if the request asks only whether
    /// it is valid.
    ///
    /// # Errors
    /// When the request is invalid or too many agents are playing.
    pub(super) fn start(
        &self,
        request: &SessionRequest,
        finder: &PluginFinder,
    ) -> ApiResult<Option<String>> {
        // Checked before the plugins are inspected as well: an inspection starts a worker.
        self.check_capacity(request.n_agents())?;
        let plan = request.plan(finder)?;
        if request.check_only {
            return Ok(None);
        }
        let id = format!("{}{:016x}", self.prefix, random_number());
        self.check_capacity(request.n_agents())?;
        let session = LiveSession::start(id.clone(), plan, request.running, request.speed);
        self.sessions().by_id.insert(id.clone(), session);
        Ok(Some(id))
    }

    /// Makes room for agents that are asked about positions.
    ///
    /// # Errors
    /// When too many agents are playing.
    pub(super) fn reserve(&self, n_agents: usize) -> ApiResult<AskedPlaces> {
        self.check_capacity(n_agents)?;
        self.n_asked.fetch_add(n_agents, Ordering::Relaxed);
        Ok(AskedPlaces {
            n_agents,
            n_asked: Arc::clone(&self.n_asked),
        })
    }

    fn check_capacity(&self, n_agents: usize) -> ApiResult<()> {
        let sessions = self.sessions();
        let playing = sessions.by_id.values().map(|session| session.n_playing());
        let n_playing: usize = playing.sum::<usize>() + self.n_asked.load(Ordering::Relaxed);
        if n_playing + n_agents <= MAX_PLAYING && sessions.by_id.len() < MAX_SESSIONS {
            return Ok(());
        }
        Err(ErrorResponse::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!(
                "{n_playing} agents are playing and the limit is {MAX_PLAYING}; stop another game or try again in a moment"
            ),
        ))
    }

    /// # Errors
    /// When there is no such session, or it has been removed.
    pub(super) fn find(&self, id: &str) -> ApiResult<Arc<LiveSession>> {
        let session = self.sessions().by_id.get(id).cloned();
        session.ok_or_else(|| {
            ErrorResponse::not_found(if id.starts_with(&self.prefix) {
                "this game was ended because no page was showing it; press Run to play it again"
            } else if id.len() == 2 * self.prefix.len() {
                "this game ended when the server was stopped; press Run to play it again"
            } else {
                "game not found"
            })
        })
    }

    /// Ends and removes the sessions that have had no viewers for a while.
    pub(super) fn end_unwatched(&self, now: Instant) {
        let mut sessions = self.sessions();
        let is_unwatched = |session: &LiveSession| {
            session
                .unwatched_since()
                .is_some_and(|since| now.saturating_duration_since(since) > GRACE_PERIOD)
        };
        let unwatched = sessions
            .by_id
            .extract_if(|_, session| is_unwatched(session));
        let unwatched: Vec<Arc<LiveSession>> = unwatched.map(|(_, session)| session).collect();
        for session in unwatched {
            session.stop();
            sessions.results.extend(results_of(&session));
        }
        let n_excess = sessions.results.len().saturating_sub(MAX_RESULTS);
        sessions.results.drain(..n_excess);
    }

    /// Results of live games on the same tiles.
    pub(super) fn results(&self, query: &ResultQuery) -> Vec<GameResult> {
        let sessions = self.sessions();
        let current = sessions.by_id.values().flat_map(|it| results_of(it));
        let earlier = sessions.results.iter().cloned();
        earlier
            .chain(current)
            .filter(|(plan, _)| query.has_same_tiles(plan))
            .map(|(_, result)| result)
            .collect()
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number that cannot be guessed, so only visitors with the address of a session can reach it.
fn random_number() -> u64 {
    rand::Rng::next_u64(&mut rand::make_rng::<rand::rngs::StdRng>())
}

fn results_of(session: &LiveSession) -> Vec<(RunPlan, GameResult)> {
    let plan = session.plan();
    let games = session.ended_games();
    let result = |EndedGame { record, .. }: &EndedGame| {
        let agent = plan
            .agents
            .iter()
            .find(|agent| agent.name == record.agent)?;
        let budget = budget_label(plan);
        let params = Some(agent.params.as_str()).filter(|params| *params != "{}");
        let detail: Vec<&str> = params.into_iter().chain(budget.as_deref()).collect();
        let detail = detail.join(", ");
        Some((plan.clone(), GameResult::of_live_game(record, detail)))
    };
    games.iter().filter_map(result).collect()
}
