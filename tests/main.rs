//! The tests of the whole program: real files, real processes, real plugins.

/// What several tests use.
mod support;

/// Tournaments run, resumed, cut into shards, merged, verified and replayed.
mod running;

/// Agents that misbehave, time and sandbox: no agent gains anything by them.
mod fair_play;

/// What the author of an agent meets: `host new`, `host check`, both ABIs.
mod authors;

/// `host serve` over real HTTP.
mod web;

/// The rules of the game, in another language and in environments of others.
mod rules;

/// The repository itself: its documents and its files.
mod repository;
