//! Several machines: job arrays that play the shards of a tournament, and merging the shards.
//!
//! A plan enters; submitted jobs and, when they have finished, one merged run leave.
//!
//! Imports `text`, `tournament`, `run`, `statistics`, `report`.

pub mod job_array;
pub mod merge;
pub mod scheduler;
pub mod slurm;
pub mod stage;
pub mod submission;
