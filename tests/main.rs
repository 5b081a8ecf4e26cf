//! The tests of the whole program: real files, real processes, real plugins.

/// Runs the host as a person would; builds plugins; reads records.
mod support;

/// A tournament from its file to its ranking.
mod tournament_runs;

/// Repeatability: workers, isolation, kills and extensions leave the same records.
mod same_records;

/// A tournament played in shards.
mod shards;

/// `host merge`: shards become the run that one machine would have made.
mod merging;

/// `host submit` without a cluster: what it prints, checks and refuses.
mod submitting;

/// Tournaments that extend themselves until neighbours are separated.
mod stopping;

/// What `host verify` finds.
mod verification;

/// What `host replay` shows.
mod replaying;

/// Files, folders and plugins that are wrong: a clear message, and nothing lost.
mod bad_input;

/// Agents that misbehave: each ends at most its own game.
mod misbehaving_agents;

/// What others do to a run while it goes on: workers killed, plugins replaced.
mod outside_events;

/// What an agent cannot do in the sandbox, and can without it.
mod sandbox;

/// No agent gets more time than another.
mod equal_time;

/// What shows that a run can be believed: the control's twin, and the salt.
mod controls;

/// Many agents and many games: the host stays small and leaves nothing behind.
mod load;

/// Arbitrary bytes in tournament files, game logs and on the workers' pipes.
mod arbitrary_bytes;

/// Agents by people who never saw the code of this project, in Rust and in C.
mod third_party_agents;

/// `host new`: an agent of one's own that builds and plays at once.
mod new_agents;

/// A running `host serve`.
mod serving_host;

/// The page of a running host, asked over real HTTP.
mod served_page;

/// What `host serve` answers: games for viewers, runs, and refusals.
mod web_server;

/// What `host check` says of good plugins and of broken ones.
mod checks;

/// Old plugin and new host, new plugin and old host, in both ABIs.
mod abi_compatibility;

/// `host solve` and the backtracking paper.
mod solving;

/// The documents: their code is compiled, their commands are run.
mod documentation;

/// The repository itself: documents, tournaments, module docs.
mod repository_is_tidy;
