//! All solutions of deterministic 2048, found by a plugin's `solve/1` while the viewer reads.

use std::{
    convert::Infallible,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use axum::response::sse::Event;
use futures_util::Stream;
use plugin_api::{
    Side,
    solve::{self, Solution, SolveAnswer, SolveMessage, SolveProgress, SolveRequest},
};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::Sender;

use play::agents::{extension_call::ExtensionCall, plugin_finder::PluginFinder, solved};
use tournament::is_plain_name;
use worker::PluginFile;

use crate::{
    error_response::{ApiResult, ErrorResponse},
    event_stream::events_from,
    game_moves::check_goal,
    session_registry::AskedPlaces,
};

/// How many solutions a viewer gets. The others are counted.
const MOST_SENT: u64 = 1000;
/// How many examples a viewer gets if solutions are only counted.
const EXAMPLES: u64 = 20;
/// How much memory a search may use, in bytes.
const MEMORY: u64 = 1 << 30;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolveQuery {
    size: u8,
    goal: u64,
    /// Whether every solution is found one by one, in the order of the search.
    #[serde(default)]
    list: bool,
    #[serde(default = "usual_plugin")]
    plugin: String,
}

fn usual_plugin() -> String {
    "backtracking".to_owned()
}

/// One line of the stream.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum SolveEvent {
    Progress(SolveProgress),
    Solution(Solution),
    Answer(SolveAnswer),
    Failed { sentence: String },
}

impl SolveQuery {
    /// Starts the search.
    ///
    /// # Errors
    /// When a field is invalid.
    pub(super) fn solve(
        &self,
        finder: &PluginFinder,
        places: AskedPlaces,
    ) -> ApiResult<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let size = Side::new(self.size)
            .ok_or_else(|| ErrorResponse::of_field("size", "use a board size of 2 to 8"))?;
        check_goal(self.goal)?;
        if !is_plain_name(&self.plugin) {
            let message = format!("{:?} is not a plugin name", self.plugin);
            return Err(ErrorResponse::of_field("plugin", message));
        }
        let plugin = finder
            .find(&self.plugin, None)
            .map_err(|error| ErrorResponse::of_field("plugin", error.to_string()))?;
        let plugin = PluginFile::seal(&plugin)
            .map_err(|error| ErrorResponse::of_field("plugin", error.to_string()))?;
        let request = SolveRequest {
            size,
            goal: self.goal,
            list: self.list,
            examples: if self.list { 0 } else { EXAMPLES },
            memory: Some(MEMORY),
            order: None,
            unpruned: false,
        };
        Ok(events_from(move |sender, stop| {
            thread::spawn(move || {
                let _held = places;
                let call = ExtensionCall {
                    plugin: &plugin,
                    name: solve::NAME,
                    request: serde_json::to_string(&request).expect("plain data turns into JSON"),
                    memory: MEMORY,
                    allow_read: &[],
                };
                // Without a viewer the answer is not needed.
                let _ = sender.blocking_send(answer(&call, &sender, &stop));
            });
        }))
    }
}

/// Makes the call; sends what the plugin sends, as far as it is meaningful.
fn answer(call: &ExtensionCall<'_>, sender: &Sender<SolveEvent>, stop: &AtomicBool) -> SolveEvent {
    let mut n_sent = 0;
    let receive = |message: &str| {
        let event = match solved::message(message) {
            Some(SolveMessage::Progress(progress)) => SolveEvent::Progress(progress),
            Some(SolveMessage::Solution(solution)) if n_sent < MOST_SENT => {
                n_sent += 1;
                SolveEvent::Solution(solution)
            }
            _ => return ControlFlow::Continue(()),
        };
        match sender.blocking_send(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    let result = call.make(receive, || stop.load(Ordering::Relaxed));
    let answer = result.map_err(|error| error.to_string());
    match answer.and_then(|answer| solved::answer(&answer)) {
        Ok(answer) => SolveEvent::Answer(answer),
        Err(sentence) => SolveEvent::Failed { sentence },
    }
}
