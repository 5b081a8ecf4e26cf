//! Slurm, through its own commands: the job array of a tournament, and what became of
//! it.
//!
//! Nothing of Slurm is relied on but `sbatch` and `squeue`. How far a shard is, its own
//! game log says: accounting is often switched off, and exit codes get lost.

mod job_script;
mod queue;
mod submission;

pub use job_script::JobScript;
pub use queue::{Queue, SlurmError, TasksInQueue};
pub use submission::Submission;
