//! `host merge`: makes one run of the shards of a tournament and prints its ranking.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::anyhow;
use arena2048::{
    exit_code,
    merge::{Disagreement, MergeError, Merger, MissingGames, Part, disagreements, listed},
    run_folder::{FolderError, RunFolder},
    run_plan::{PlanError, RunPlan},
};

use super::{CommandError, CommandResult, report::print_run};
use crate::command_line::{Format, MergeArguments};

/// What to do where the usual is not wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MergeOptions {
    /// Make a run though games are missing.
    pub(super) partial: bool,
    /// Set aside what the folder of the run holds.
    pub(super) fresh: bool,
    pub(super) format: Format,
}

pub(crate) fn merge(arguments: &MergeArguments) -> CommandResult {
    let options = MergeOptions {
        partial: arguments.partial,
        fresh: arguments.fresh,
        format: arguments.format.format,
    };
    merge_into(&arguments.out, &arguments.run, options)?;
    Ok(exit_code::OK)
}

/// Makes one run of these and of what its folder holds already, which is never lost;
/// prints its ranking.
pub(super) fn merge_into(
    out: &Path,
    runs: &[PathBuf],
    options: MergeOptions,
) -> Result<(), CommandError> {
    let mut parts = Vec::new();
    for folder in runs {
        let plan =
            RunPlan::read(folder).map_err(|error| CommandError::new(exit_code::USAGE, error))?;
        parts.push(Part {
            folder: folder.clone(),
            plan,
        });
    }
    let found = disagreements(&parts);
    if !found.is_empty() {
        return Err(disagreeing(&found, None));
    }
    if !options.fresh {
        parts.extend(earlier_run(out, runs)?);
    }
    let found = disagreements(&parts);
    if !found.is_empty() {
        return Err(disagreeing(&found, Some(out)));
    }
    let merger = Merger::new(&parts).map_err(in_merge)?;
    if !merger.damaged.is_empty() {
        say(&format!(
            "warning: lines that hold no game of this plan:{}",
            listed(&merger.damaged)
        ));
    }
    if !merger.missing.is_empty() {
        if !options.partial {
            return Err(incomplete(&merger.missing));
        }
        say(&format!("games are missing:{}", listed(&merger.missing)));
    }
    if merger.n_superfluous > 0 {
        say(&format!(
            "{} records were left out: one machine would have stopped before them, after a \
             disqualification or when the ranking was settled",
            merger.n_superfluous
        ));
    }
    let unexpected = |error: FolderError| CommandError::new(exit_code::UNEXPECTED, error);
    let folder = RunFolder::open(out).map_err(unexpected)?;
    if options.fresh {
        folder.start_anew().map_err(unexpected)?;
    }
    let n_records = merger.n_records();
    let (plan, report) = merger.write(&folder)?;
    print_run(&report, out, &plan, options.format)?;
    say(&format!(
        "{n_records} records of {} runs are in {}; its page is report.html there",
        runs.len(),
        out.display()
    ));
    Ok(())
}

pub(super) fn in_merge(error: MergeError) -> CommandError {
    let code = match error {
        MergeError::Unreadable { .. } => exit_code::UNEXPECTED,
        MergeError::Contradictions(_) => exit_code::VERIFICATION,
    };
    CommandError::new(code, error)
}

/// Whether a run of this plan could go into a folder, which is better known before it
/// is played.
pub(super) fn check_fits(out: &Path, plan: &RunPlan) -> Result<(), CommandError> {
    let Some(earlier) = earlier_run(out, &[])? else {
        return Ok(());
    };
    // A secret salt is drawn for the shards; the merge will compare it.
    let planned = Part {
        folder: "the tournament file".into(),
        plan: RunPlan {
            salt: earlier.plan.salt.clone(),
            ..plan.clone()
        },
    };
    let found = disagreements(&[planned, earlier]);
    if found.is_empty() {
        Ok(())
    } else {
        Err(disagreeing(&found, Some(out)))
    }
}

/// The run that the folder holds already, unless it was named, too.
fn earlier_run(out: &Path, runs: &[PathBuf]) -> Result<Option<Part>, CommandError> {
    if out.exists() && !out.is_dir() {
        let message = format!(
            "`{}` is no folder; choose another with --out",
            out.display()
        );
        return Err(CommandError::new(exit_code::USAGE, anyhow!(message)));
    }
    let plan = match RunPlan::read(out) {
        Ok(plan) => plan,
        Err(PlanError::NoRun(_)) => return Ok(None),
        Err(error) => {
            let error = FolderError::Plan(error);
            return Err(CommandError::new(exit_code::UNEXPECTED, error));
        }
    };
    if let Some(shard) = plan.shard {
        return Err(CommandError::new(
            exit_code::USAGE,
            anyhow!(
                "`{}` is the folder of shard {shard}; choose another with --out",
                out.display()
            ),
        ));
    }
    let is_named = runs.iter().any(|run| is_same(run, out));
    Ok((!is_named).then(|| Part {
        folder: out.to_path_buf(),
        plan,
    }))
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The way out stands there only where it is one: what the folder holds differs.
fn disagreeing(found: &[Disagreement], earlier: Option<&Path>) -> CommandError {
    let way_out = match earlier {
        Some(out) => format!(
            "\nwhere `{}` is the one that differs, --fresh sets what it holds aside",
            out.display()
        ),
        None => String::new(),
    };
    CommandError::new(
        exit_code::VERIFICATION,
        anyhow!("these are not parts of one run:{}{way_out}", listed(found)),
    )
}

fn incomplete(missing: &[MissingGames]) -> CommandError {
    CommandError::new(
        exit_code::VERIFICATION,
        anyhow!(
            "games are missing, and nothing was written (--partial takes what there is):{}",
            listed(missing)
        ),
    )
}

fn say(line: &str) {
    // Without a standard error output there is nobody to tell.
    let _ = writeln!(io::stderr(), "{line}");
}
