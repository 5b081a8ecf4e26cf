//! Running, resuming, splitting, merging, verifying and replaying tournaments.

/// Folders of agents: which play, which are left out, and what the host plays again.
mod agent_folders;

/// Arbitrary bytes in tournament files, game logs and on the workers' pipes.
mod arbitrary_bytes;

/// Invalid files, folders and plugins: a clear message, and nothing is lost.
mod bad_input;

/// Compressed logs, and run folders packed with `tar --zstd`.
mod compressed_logs;

/// `host ask` and `host explain`: positions, drawings, and values that a slow search confirms.
mod explaining;

/// The program under another name, and tournaments by theirs.
mod names;

/// Plans that are damaged or deleted.
mod lost_plans;

/// `host merge`: merged shards equal the run that one machine would have recorded.
mod merging;

/// What operators do: terminals, folders, plugins and disks that change or vanish.
mod operators;

/// Power cuts: nothing that was synced is lost.
mod power_cuts;

/// `host replay` shows a game of a run, move by move.
mod replaying;

/// Repeatability: the records do not depend on workers, isolation, kills or extensions.
mod same_records;

/// Every key of the tournament file and every option of `host run` has an effect.
mod settings;

/// A tournament played in shards.
mod shards;

/// Tournaments with a stop rule: agents race until their places are settled.
mod stopping;

/// `host submit` without a cluster: what it prints, checks and rejects.
mod submitting;

/// A tournament from its file to its ranking.
mod tournament_runs;

/// `host verify` finds every change of a log.
mod verification;

/// What version 1.1 has recorded and built means the same today.
mod version_1_1;
