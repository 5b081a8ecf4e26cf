//! Tests that measure: CPU time, wall time, memory. They run last and alone, one after the other.
//!
//! They pass on a busy machine too: CPU time is compared with that of a control agent in the
//! same run, and every bound leaves room for what the machine takes.

#[expect(
    dead_code,
    unused_imports,
    reason = "these tests need only a part of it"
)]
mod support;

/// No agent gets more time than another.
#[path = "timing/equal_time.rs"]
mod equal_time;

/// Agents in C that try to get more time than others.
#[path = "timing/hostile_clocks.rs"]
mod hostile_clocks;

/// What misbehaving agents cost.
#[path = "timing/misbehaving_agents.rs"]
mod misbehaving_agents;

/// Many agents and many games: the host stays small and leaks nothing.
#[path = "timing/many_games.rs"]
mod many_games;

/// What the page cache tells another agent: nothing.
#[path = "timing/covert_channels.rs"]
mod covert_channels;

/// Programs under a time budget.
#[path = "timing/programs.rs"]
mod programs;

/// Which agent pays when memory or threads run out.
#[path = "timing/shortages.rs"]
mod shortages;

/// Runs that are stopped for longer than any limit of a turn.
#[path = "timing/suspended_runs.rs"]
mod suspended_runs;
