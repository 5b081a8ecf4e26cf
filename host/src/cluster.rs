//! Several machines: job arrays that play the shards of a tournament, and merging the shards.
//!
//! A plan enters; submitted jobs and, when they have finished, one merged run leave.
//!
//! Imports `text`, `tournament`, `run`, `statistics`, `report`.

pub(crate) mod job_array;
pub(crate) mod merge;
pub(crate) mod scheduler;
pub(crate) mod slurm;
pub(crate) mod stage;
pub(crate) mod submission;
