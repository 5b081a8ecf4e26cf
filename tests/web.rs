//! `host serve` over real HTTP.

/// An HTTP client for a running `host serve`.
pub(crate) mod served_page;

/// Live sessions: started, watched, stepped, stopped and saved.
mod live_sessions;

/// Agents that are asked about positions of a game.
mod questions;

/// Boards of visitors: which move agents play there, and how they search.
mod boards;

/// Deterministic 2048: played by hand and solved.
mod solving;

/// Programs in Python and JavaScript: offered, watched and asked.
mod program_agents;

/// Runs: listed, followed and replayed.
mod recorded_runs;

/// Requests that the server rejects.
mod rejected_requests;

/// Clients that open connections and say little.
mod silent_clients;

/// Numbers, written by the page as by the host.
mod number_texts;
