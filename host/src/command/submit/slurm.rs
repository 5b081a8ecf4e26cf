//! Slurm as a [`Scheduler`], through its commands `sbatch`, `squeue` and
//! `scancel`.

use std::{fs::File, path::Path, process::Stdio};

use super::{
    job_array::JobArray,
    scheduler::{BatchResult, Scheduler, SchedulerError, TaskStates, output_of, output_with},
};

/// The variable in which Slurm passes the number of the task.
const TASK: &str = "$SLURM_ARRAY_TASK_ID";

/// The Slurm of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slurm;

impl Scheduler for Slurm {
    fn check(&self) -> BatchResult<()> {
        for program in ["sbatch", "squeue", "scancel"] {
            output_of(program, &["--version"])?;
        }
        Ok(())
    }

    fn script(&self, jobs: &JobArray) -> String {
        batch_script(jobs)
    }

    fn submit(&self, script: &Path, tasks: &[u32], name: &str, lock: File) -> BatchResult<String> {
        let array = format!("--array={}", ranges(tasks));
        let name = format!("--job-name={name}");
        let script = script.display().to_string();
        // `sbatch` reads no input if it is given a script; an open file keeps its lock.
        let answer = output_with(
            "sbatch",
            &["--parsable", &array, &name, &script],
            Stdio::from(lock),
        )?;
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

    fn find_job(&self, name: &str) -> BatchResult<Option<String>> {
        let answer = queue("%F %j")?;
        let mut jobs = answer.lines().filter_map(|line| line.split_once(' '));
        let found = jobs.find(|(_, other)| other.trim() == name);
        Ok(found.map(|(job, _)| job.to_owned()))
    }

    fn tasks(&self, jobs: &[String]) -> BatchResult<TaskStates> {
        if jobs.is_empty() {
            return Ok(TaskStates::default());
        }
        Ok(states(&queue("%F %K %T")?, jobs))
    }

    fn cancel_waiting(&self, jobs: &[String]) -> BatchResult<()> {
        let mut arguments = vec!["--quiet", "--state=PENDING"];
        arguments.extend(jobs.iter().map(String::as_str));
        output_of("scancel", &arguments).map(drop)
    }

    fn cancel_command(&self, jobs: &[String]) -> String {
        format!("scancel {}", jobs.join(" "))
    }
}

/// Asks for all jobs of this user, including those that ended a short time ago: `squeue`
/// fails if it is asked for a job that it has forgotten.
fn queue(format: &str) -> BatchResult<String> {
    let format = format!("--format={format}");
    let arguments = ["--me", "--noheader", "--array", "--states=all", &format];
    output_of("squeue", &arguments)
}

fn states(answer: &str, jobs: &[String]) -> TaskStates {
    let mut tasks = TaskStates::default();
    for line in answer.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[job, task, state] = words.as_slice() else {
            continue;
        };
        if !jobs.iter().any(|ours| ours == job) {
            continue;
        }
        tasks.known.extend(task.parse::<u32>().ok());
        match state {
            "CANCELLED" => {
                let task = task.parse().ok();
                let task = task.map(|task| (job.to_owned(), task));
                tasks.cancelled.extend(task);
            }
            "BOOT_FAIL" | "COMPLETED" | "DEADLINE" | "FAILED" | "NODE_FAIL" | "OUT_OF_MEMORY"
            | "PREEMPTED" | "TIMEOUT" => (),
            "RUNNING" | "COMPLETING" => tasks.n_running += 1,
            _ => tasks.n_waiting += 1,
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

/// The script as `sbatch` reads it: Slurm's options, then the commands of a task.
fn batch_script(jobs: &JobArray) -> String {
    let options: Vec<String> = options(jobs)
        .into_iter()
        .map(|option| format!("#SBATCH {option}\n"))
        .collect();
    format!(
        "#!/bin/bash\n# Written by `host submit`: plays the shards of tournament {}, one per task.\n\
         {}\n{}",
        jobs.name,
        options.concat(),
        jobs.shell_commands(TASK)
    )
}

fn options(jobs: &JobArray) -> Vec<String> {
    let mut options = vec![
        format!("--job-name=arena2048-{}", jobs.name),
        format!("--array=1-{}", jobs.n_shards),
        "--ntasks=1".to_owned(),
        format!("--cpus-per-task={}", jobs.workers),
        "--requeue".to_owned(),
        "--open-mode=append".to_owned(),
        format!("--output={}", in_option(&jobs.output_folder, "/%a.log")),
    ];
    // Slurm wants whole mebibytes; a site may want another option in its place.
    if !jobs
        .options
        .iter()
        .any(|option| option.starts_with("--mem"))
    {
        options.push(format!("--mem={}M", jobs.memory.div_ceil(1 << 20)));
    }
    options.extend(
        jobs.partition
            .iter()
            .map(|name| format!("--partition={name}")),
    );
    options.extend(jobs.time.iter().map(|time| format!("--time={time}")));
    options.extend(jobs.options.iter().cloned());
    options
}

/// A path in an option of `sbatch`, where `%` starts a placeholder.
fn in_option(folder: &Path, more: &str) -> String {
    let folder = folder.display().to_string().replace('%', "%%");
    let escaped = folder.replace('\\', r"\\").replace('"', "\\\"");
    format!("\"{escaped}{more}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::submit::job_array::tests::job_array;
    use std::collections::BTreeSet;

    #[test]
    fn task_numbers_are_written_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1-3,5,7-8");
        assert_eq!(ranges(&[4]), "4");
    }

    #[test]
    fn only_tasks_of_the_given_jobs_are_counted() {
        let answer = "12 1 RUNNING\n12 2 PENDING\n12 3 COMPLETING\n13 1 RUNNING\n14 1 REQUEUED\n\
                      nonsense\n12 4 CANCELLED\n13 2 CANCELLED\n12 5 TIMEOUT\n14 N/A CANCELLED\n";
        let tasks = states(answer, &["12".to_owned(), "14".to_owned()]);
        assert_eq!((tasks.n_running, tasks.n_waiting), (2, 2));
        assert_eq!(tasks.cancelled, BTreeSet::from([("12".to_owned(), 4)]));
    }

    #[test]
    fn options_come_before_the_first_command() {
        let script = batch_script(&job_array());
        let (head, commands) = script.split_once("\n\n").unwrap();
        insta::assert_snapshot!(head, @r##"
        #!/bin/bash
        # Written by `host submit`: plays the shards of tournament spring, one per task.
        #SBATCH --job-name=arena2048-spring
        #SBATCH --array=1-8
        #SBATCH --ntasks=1
        #SBATCH --cpus-per-task=2
        #SBATCH --requeue
        #SBATCH --open-mode=append
        #SBATCH --output="/users/me/runs/100%%/submit-of-8/%a.log"
        #SBATCH --mem=8448M
        #SBATCH --partition=long
        #SBATCH --time=2:00:00
        #SBATCH --account=games
        "##);
        assert_eq!(commands, job_array().shell_commands("$SLURM_ARRAY_TASK_ID"));
        let own = JobArray {
            options: vec!["--mem-per-cpu=1G".into()],
            ..job_array()
        };
        assert!(!batch_script(&own).contains("--mem="));
    }
}
