//! `host serve` over real HTTP.

/// An HTTP client for a running `host serve`.
mod served_page;

/// Live sessions: started, watched, stepped, stopped and saved.
mod live_sessions;

/// Runs: listed, followed and replayed.
mod recorded_runs;

/// Requests that the server rejects.
mod rejected_requests;

/// Numbers, written by the page as by the host.
mod number_texts;
