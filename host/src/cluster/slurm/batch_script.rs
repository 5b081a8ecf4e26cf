//! The batch script of a job array: Slurm's options, then the commands of a task.

use std::path::Path;

use crate::cluster::job_array::JobArray;

/// The variable in which Slurm passes the number of the task.
const TASK: &str = "$SLURM_ARRAY_TASK_ID";

/// The script as `sbatch` reads it.
pub(super) fn batch_script(jobs: &JobArray) -> String {
    let options: Vec<String> = options(jobs)
        .into_iter()
        .map(|option| format!("#SBATCH {option}\n"))
        .collect();
    format!(
        "#!/bin/sh\n# Written by `host submit`: plays the shards of tournament {}, one per task.\n\
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
    use crate::cluster::job_array::tests::job_array;

    #[test]
    fn options_come_before_the_first_command() {
        let script = batch_script(&job_array());
        let (head, commands) = script.split_once("\n\n").unwrap();
        insta::assert_snapshot!(head, @r##"
        #!/bin/sh
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
