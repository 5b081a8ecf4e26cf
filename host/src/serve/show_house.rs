//! All shows that are on, with their limits: nobody can fill the machine with games.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::http::StatusCode;

use super::{
    refusal::Refusal,
    results::{GameResult, ResultQuery},
    show::{Show, ShowRequest, budget_label},
};
use crate::{plugin_finder::PluginFinder, run_plan::RunPlan};

/// How many agents may play at once, in all shows together.
const MOST_PLAYING: usize = 8;
/// How many shows are kept, those that are over included.
const MOST_SHOWS: usize = 64;
/// How long a show goes on that nobody watches: as long as a reload may take.
const GRACE: Duration = Duration::from_secs(10);
/// How many results are remembered.
const MOST_RESULTS: usize = 500;

#[derive(Default)]
pub(super) struct ShowHouse {
    shows: Mutex<Shows>,
}

#[derive(Default)]
struct Shows {
    on: HashMap<String, Arc<Show>>,
    /// Of shows that are gone.
    results: Vec<(RunPlan, GameResult)>,
}

impl ShowHouse {
    /// Opens a show.
    ///
    /// # Errors
    /// When something is wrong with it, or there is no room for it.
    pub(super) fn open(
        &self,
        request: &ShowRequest,
        finder: &PluginFinder,
    ) -> Result<String, Refusal> {
        // Before the plugins are looked at, which costs workers too.
        self.check_room(request.n_lanes())?;
        let plan = request.plan(finder)?;
        let id = format!("{:016x}", new_number());
        self.check_room(request.n_lanes())?;
        let show = Show::begin(id.clone(), plan, request.running, request.speed);
        self.shows().on.insert(id.clone(), show);
        Ok(id)
    }

    fn check_room(&self, n_lanes: usize) -> Result<(), Refusal> {
        let shows = self.shows();
        let n_playing: usize = shows.on.values().map(|show| show.n_playing()).sum();
        if n_playing + n_lanes <= MOST_PLAYING && shows.on.len() < MOST_SHOWS {
            return Ok(());
        }
        Err(Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!(
                "{n_playing} agents are playing, and {MOST_PLAYING} may at once; stop another game, or wait a moment"
            ),
        ))
    }

    /// # Errors
    /// When it is over and gone.
    pub(super) fn find(&self, id: &str) -> Result<Arc<Show>, Refusal> {
        let show = self.shows().on.get(id).cloned();
        show.ok_or_else(|| {
            Refusal::not_found("there is no such game; one that nobody watches ends by itself")
        })
    }

    /// Ends the shows that nobody has watched for a while.
    pub(super) fn tidy(&self, now: Instant) {
        let mut shows = self.shows();
        let is_left = |show: &Show| {
            show.unwatched_since()
                .is_some_and(|since| now.saturating_duration_since(since) > GRACE)
        };
        let left: Vec<String> = shows
            .on
            .iter()
            .filter(|(_, show)| is_left(show))
            .map(|(id, _)| id.clone())
            .collect();
        for show in left
            .iter()
            .filter_map(|id| shows.on.remove(id))
            .collect::<Vec<_>>()
        {
            show.stop();
            let results = results_of(&show);
            shows.results.extend(results);
        }
        let n_too_many = shows.results.len().saturating_sub(MOST_RESULTS);
        shows.results.drain(..n_too_many);
    }

    /// Games that were played here on the same tiles.
    pub(super) fn results(&self, query: &ResultQuery) -> Vec<GameResult> {
        let shows = self.shows();
        let now = shows.on.values().flat_map(|show| results_of(show));
        let before = shows.results.iter().cloned();
        before
            .chain(now)
            .filter(|(plan, _)| query.is_about(plan))
            .map(|(_, result)| result)
            .collect()
    }

    fn shows(&self) -> MutexGuard<'_, Shows> {
        self.shows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nobody guesses it, so that only who opened a show has its address.
fn new_number() -> u64 {
    rand::Rng::next_u64(&mut rand::make_rng::<rand::rngs::StdRng>())
}

fn results_of(show: &Show) -> Vec<(RunPlan, GameResult)> {
    let plan = show.plan();
    let records = show.records();
    let result = |(record, _): &(crate::game_record::GameRecord, String)| {
        let entrant = plan
            .entrants
            .iter()
            .find(|entrant| entrant.name == record.agent)?;
        let budget = budget_label(plan);
        let params = Some(entrant.params.as_str()).filter(|params| *params != "{}");
        let detail: Vec<&str> = params.into_iter().chain(budget.as_deref()).collect();
        let detail = detail.join(", ");
        Some((plan.clone(), GameResult::played_here(record, detail)))
    };
    records.iter().filter_map(result).collect()
}
