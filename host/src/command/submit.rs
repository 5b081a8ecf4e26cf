//! `host submit`: plays a tournament on a cluster, from the job array to the ranking.

mod cluster_run;
mod following;
mod job_array;
mod scheduler;
mod slurm;
mod submission;
mod submit_progress;

use std::{
    io::{self, Write},
    path::PathBuf,
};
use text::program;

use anyhow::anyhow;
use cluster_run::{ClusterRun, Followed};
use run::run_plan::RunPlan;
use scheduler::{Scheduler, SchedulerError};
use slurm::Slurm;

use super::{
    CommandError, CommandResult, enter,
    merge::{MergeOptions, check_fits, merge_into},
    print, resuming_command,
};
use crate::command::{
    command_line::{Engine, SubmitArguments},
    exit_code,
    interruption::InterruptionWatch,
};

pub(crate) fn submit(arguments: &SubmitArguments) -> CommandResult {
    let scheduler = scheduler(arguments.engine);
    // Opening plugins needs no orderly end: a signal ends the program at once.
    let entered = enter(&arguments.file, &arguments.plugins.folders)?;
    let watch = InterruptionWatch::start()?;
    let plan = RunPlan::new(entered.tournament, entered.agents, None, None)
        .with_left_out(entered.left_out);
    let cluster_run = ClusterRun::new(arguments, plan, scheduler)?;
    if arguments.print {
        print(cluster_run.script().as_bytes())?;
        return Ok(exit_code::OK);
    }
    scheduler
        .check()
        .map_err(|error| no_scheduler(&error, arguments))?;
    if !arguments.fresh {
        check_fits(cluster_run.out(), cluster_run.plan())?;
    }
    let _lock = cluster_run.prepare()?;
    match cluster_run.play(&watch)? {
        Followed::Interrupted(jobs) => {
            // If stderr is closed, the message is lost.
            let _ = writeln!(
                io::stderr(),
                "interrupted; the jobs continue\nfollow them again with:\n  {}\ncancel them \
                 with:\n  {}",
                resuming_command(),
                scheduler.cancel_command(&jobs)
            );
            Ok(exit_code::INTERRUPTED)
        }
        Followed::Cancelled(shards) => {
            let numbers: Vec<String> = shards.iter().map(u32::to_string).collect();
            let _ = writeln!(
                io::stderr(),
                "shards {} were cancelled and are not submitted again; the games that they have \
                 played are kept\nsubmit them again with:\n  {}",
                numbers.join(", "),
                resuming_command()
            );
            Ok(exit_code::INTERRUPTED)
        }
        Followed::Complete => {
            let folders: Vec<PathBuf> = cluster_run.shards().map(|(_, folder)| folder).collect();
            let options = MergeOptions {
                partial: false,
                fresh: arguments.fresh,
                format: arguments.format.format,
            };
            merge_into(cluster_run.out(), &folders, options)?;
            Ok(exit_code::OK)
        }
    }
}

/// The batch system that `--engine` selects.
fn scheduler(engine: Engine) -> &'static dyn Scheduler {
    match engine {
        Engine::Slurm => &Slurm,
    }
}

fn no_scheduler(error: &SchedulerError, arguments: &SubmitArguments) -> CommandError {
    CommandError::new(
        exit_code::UNEXPECTED,
        anyhow!(
            "{error}; a submission needs the commands of the batch system. To submit from another \
             machine, print the script with --print. Without a batch system, run `{} {} \
             --shard I/{}` for every I on any machines, then `{}` (docs/cluster.md)",
            program::command("run"),
            arguments.file.display(),
            arguments.shards,
            program::command("merge")
        ),
    )
}
