//! Slurm as a [`Scheduler`], through its commands `sbatch`, `squeue` and
//! `scancel`.

use std::{collections::BTreeSet, fs::File, path::Path, process::Stdio};
use text::program;

use super::{
    job_array::JobArray,
    scheduler::{
        BatchResult, Piece, Scheduler, SchedulerError, TaskStates, output_of, output_with,
    },
};

/// The variable in which Slurm passes the number of the task.
const TASK: &str = "$SLURM_ARRAY_TASK_ID";

/// Where Slurm does not say how large an array may be.
const USUAL_LARGEST_ARRAY: u32 = 1000;

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

    fn largest_array(&self) -> u32 {
        let config = output_of("scontrol", &["show", "config"]).unwrap_or_default();
        largest_array(&config).unwrap_or(USUAL_LARGEST_ARRAY)
    }

    fn submit(&self, script: &Path, job: &Piece<'_>, lock: File) -> BatchResult<String> {
        let tasks: Vec<u32> = job.shards.iter().map(|shard| shard - job.offset).collect();
        let array = format!("--array={}", ranges(&tasks));
        let name = format!("--job-name={}", job.name);
        let mut arguments = vec!["--parsable".to_owned(), array, name];
        let (folder, offset) = (script.parent(), job.offset.to_string());
        if let Some(folder) = folder.filter(|_| job.offset > 0) {
            // The script writes to the file of its shard; the rest is what Slurm has to say.
            let folder = folder.display().to_string().replace('%', "%%");
            arguments.push(format!("--output={folder}/slurm.log"));
        }
        arguments.push(script.display().to_string());
        arguments.extend((job.offset > 0).then_some(offset));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        // `sbatch` reads no input if it is given a script; an open file keeps its lock.
        let answer = output_with("sbatch", &arguments, Stdio::from(lock))?;
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

    fn find_jobs(&self, name: &str) -> BatchResult<BTreeSet<String>> {
        let answer = queue("%F %j")?;
        let jobs = answer.lines().filter_map(|line| line.split_once(' '));
        let found = jobs.filter(|(_, other)| Piece::is_of(other.trim(), name));
        Ok(found.map(|(job, _)| job.to_owned()).collect())
    }

    fn tasks(&self, jobs: &[String]) -> BatchResult<TaskStates> {
        if jobs.is_empty() {
            return Ok(TaskStates::default());
        }
        Ok(states(&queue("%F %K %T %j")?, jobs))
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
        let &[job, task, state, name] = words.as_slice() else {
            continue;
        };
        if !jobs.iter().any(|ours| ours == job) {
            continue;
        }
        let task = task.parse::<u32>().ok();
        let shard = task.map(|task| task + Piece::offset_of(name));
        tasks.known.extend(shard);
        match state {
            "CANCELLED" => tasks.cancelled.extend(shard),
            "BOOT_FAIL" | "COMPLETED" | "DEADLINE" | "FAILED" | "NODE_FAIL" | "OUT_OF_MEMORY"
            | "PREEMPTED" | "TIMEOUT" => (),
            state => {
                tasks.active.extend(shard);
                match state {
                    "RUNNING" | "COMPLETING" => tasks.n_running += 1,
                    _ => tasks.n_waiting += 1,
                }
            }
        }
    }
    tasks
}

/// The largest array that the configuration allows: its tasks are numbered from 1.
fn largest_array(config: &str) -> Option<u32> {
    let mut lines = config.lines();
    let limit = lines.find_map(|line| line.trim().strip_prefix("MaxArraySize"))?;
    let limit: u32 = limit.trim().strip_prefix('=')?.trim().parse().ok()?;
    Some(limit.saturating_sub(1).max(1))
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
        "#!/bin/bash\n# Written by `{}`: plays the shards of tournament {}, one per task.\n\
         {}\n{}",
        program::command("submit"),
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

    #[test]
    fn task_numbers_are_written_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1-3,5,7-8");
        assert_eq!(ranges(&[4]), "4");
    }

    #[test]
    fn only_tasks_of_the_given_jobs_are_counted() {
        let answer = "12 1 RUNNING a\n12 2 PENDING a\n12 3 COMPLETING a\n13 1 RUNNING b\n\
                      14 1 REQUEUED a+1000\nnonsense\n12 4 CANCELLED a\n13 2 CANCELLED b\n\
                      12 5 TIMEOUT a\n14 N/A CANCELLED a+1000\n";
        let tasks = states(answer, &["12".to_owned(), "14".to_owned()]);
        assert_eq!((tasks.n_running, tasks.n_waiting), (2, 2));
        assert_eq!(tasks.active, BTreeSet::from([1, 2, 3, 1001]));
        assert_eq!(tasks.cancelled, BTreeSet::from([4]));
    }

    #[test]
    fn the_configuration_says_how_large_an_array_may_be() {
        let config = "MaxArraySize            = 1001\nMaxBatchRequeue         = 5\n";
        assert_eq!(largest_array(config), Some(1000));
        assert_eq!(largest_array("slurm_load_ctl_conf error"), None);
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
