//! Slurm's queue: jobs go in, and one can ask which tasks are still there.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};

/// Why Slurm did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    #[error("there is no command `{0}` here")]
    NoCommand(String),
    #[error("`{program}` cannot be started: {source}")]
    CannotStart { program: String, source: io::Error },
    #[error("`{command}` failed: {message}")]
    Failed { command: String, message: String },
}

/// How many tasks of some jobs have not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TasksInQueue {
    pub n_running: u64,
    pub n_waiting: u64,
}

impl TasksInQueue {
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// Slurm as its commands show it.
#[derive(Debug)]
pub struct Queue {
    _private: (),
}

impl Queue {
    /// Makes sure that the commands are there.
    ///
    /// # Errors
    /// When one is missing or does not work.
    pub fn find() -> Result<Self, SlurmError> {
        for program in ["sbatch", "squeue"] {
            run(program, &["--version"])?;
        }
        Ok(Self { _private: () })
    }

    /// Submits some tasks of a job array; returns the job's number.
    ///
    /// # Errors
    /// When `sbatch` refuses.
    pub fn submit(&self, script: &Path, tasks: &[u32]) -> Result<String, SlurmError> {
        let array = format!("--array={}", ranges(tasks));
        let script = script.display().to_string();
        let answer = run("sbatch", &["--parsable", &array, &script])?;
        // On some clusters the number is followed by the cluster's name.
        let job = answer.trim().split(';').next().unwrap_or_default();
        if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SlurmError::Failed {
                command: "sbatch --parsable".to_owned(),
                message: format!("{answer:?} is no job number"),
            });
        }
        Ok(job.to_owned())
    }

    /// What is in the queue of these jobs.
    ///
    /// # Errors
    /// When `squeue` fails, which may pass.
    pub fn tasks_of(&self, jobs: &[String]) -> Result<TasksInQueue, SlurmError> {
        if jobs.is_empty() {
            return Ok(TasksInQueue::default());
        }
        // All jobs of this user: asked for one that has ended, `squeue` would fail.
        let answer = run(
            "squeue",
            &["--me", "--noheader", "--array", "--format=%F %T"],
        )?;
        Ok(count(&answer, jobs))
    }
}

fn count(answer: &str, jobs: &[String]) -> TasksInQueue {
    let mut tasks = TasksInQueue::default();
    for line in answer.lines() {
        if let Some((job, state)) = line.split_once(' ')
            && jobs.iter().any(|ours| ours == job)
        {
            match state.trim() {
                "RUNNING" | "COMPLETING" => tasks.n_running += 1,
                _ => tasks.n_waiting += 1,
            }
        }
    }
    tasks
}

/// Numbers as `sbatch` reads them: `1-3,5`.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let texts = ranges.iter().map(|(first, last)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    });
    texts.collect::<Vec<_>>().join(",")
}

fn run(program: &str, arguments: &[&str]) -> Result<String, SlurmError> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => SlurmError::NoCommand(program.to_owned()),
            _ => SlurmError::CannotStart {
                program: program.to_owned(),
                source,
            },
        })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let message = match stderr.trim() {
        "" => output.status.to_string(),
        text => text.to_owned(),
    };
    Err(SlurmError::Failed {
        command: format!("{program} {}", arguments.join(" ")),
        message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_named_in_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1-3,5,7-8");
        assert_eq!(ranges(&[4]), "4");
    }

    #[test]
    fn only_our_own_jobs_count() {
        let answer = "12 RUNNING\n12 PENDING\n12 COMPLETING\n13 RUNNING\n14 REQUEUED\nnonsense\n";
        let tasks = count(answer, &["12".to_owned(), "14".to_owned()]);
        assert_eq!((tasks.n_running, tasks.n_waiting), (2, 2));
    }
}
