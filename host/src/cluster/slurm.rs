//! Slurm as a [`Scheduler`], through its commands `sbatch` and `squeue`.

mod batch_script;

use std::path::Path;

use super::{
    job_array::JobArray,
    scheduler::{Scheduler, SchedulerError, UnfinishedTasks, output_of},
};

/// The Slurm of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Slurm;

impl Scheduler for Slurm {
    fn check(&self) -> Result<(), SchedulerError> {
        for program in ["sbatch", "squeue"] {
            output_of(program, &["--version"])?;
        }
        Ok(())
    }

    fn script(&self, jobs: &JobArray) -> String {
        batch_script::batch_script(jobs)
    }

    fn submit(&self, script: &Path, tasks: &[u32]) -> Result<String, SchedulerError> {
        let array = format!("--array={}", ranges(tasks));
        let script = script.display().to_string();
        let answer = output_of("sbatch", &["--parsable", &array, &script])?;
        // Some clusters append their name to the number.
        let job = answer.trim().split(';').next().unwrap_or_default();
        if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SchedulerError::Failed {
                command: "sbatch --parsable".to_owned(),
                message: format!("expected a job number, found {answer:?}"),
            });
        }
        Ok(job.to_owned())
    }

    fn unfinished_tasks(&self, jobs: &[String]) -> Result<UnfinishedTasks, SchedulerError> {
        if jobs.is_empty() {
            return Ok(UnfinishedTasks::default());
        }
        // Asks for all jobs of this user: `squeue` fails for a job that has ended.
        let answer = output_of(
            "squeue",
            &["--me", "--noheader", "--array", "--format=%F %T"],
        )?;
        Ok(count(&answer, jobs))
    }

    fn cancel_command(&self, jobs: &[String]) -> String {
        format!("scancel {}", jobs.join(" "))
    }
}

fn count(answer: &str, jobs: &[String]) -> UnfinishedTasks {
    let mut tasks = UnfinishedTasks::default();
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

/// Numbers as `sbatch` expects them: `1-3,5`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_numbers_are_written_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1-3,5,7-8");
        assert_eq!(ranges(&[4]), "4");
    }

    #[test]
    fn only_tasks_of_the_given_jobs_are_counted() {
        let answer = "12 RUNNING\n12 PENDING\n12 COMPLETING\n13 RUNNING\n14 REQUEUED\nnonsense\n";
        let tasks = count(answer, &["12".to_owned(), "14".to_owned()]);
        assert_eq!((tasks.n_running, tasks.n_waiting), (2, 2));
    }
}
