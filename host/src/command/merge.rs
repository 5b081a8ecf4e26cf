//! `host merge`: merges the shards of a tournament into one run and prints its ranking.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use report::run_report::RunReport;
use run::{
    merge::{
        Disagreement, MergeError, Merger, MissingGames, Part, disagreements, listed, listed_of,
    },
    plan_error::PlanError,
    run_folder::{FolderError, RunFolder},
    run_plan::RunPlan,
};
use text::{number_text::counted, printable::printable_lines};

use crate::command::{
    command_line::{Format, MergeArguments},
    exit_code,
};
use anyhow::anyhow;

use super::{
    CommandError, CommandResult,
    report::{print_run, where_the_rest_is},
};

/// How to merge.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MergeOptions {
    /// Merge although games are missing.
    pub(super) partial: bool,
    /// Do not merge with the run that is already in the folder; set its log aside.
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

/// Merges these runs with the run that is already in the folder, whose records are never
/// lost; prints the ranking.
pub(super) fn merge_into(
    out: &Path,
    runs: &[PathBuf],
    options: MergeOptions,
) -> Result<(), CommandError> {
    let mut parts = Vec::new();
    for folder in runs {
        let plan = RunPlan::read(folder)?;
        parts.push(Part {
            folder: folder.clone(),
            plan,
        });
    }
    let found = disagreements(&parts);
    if !found.is_empty() {
        return Err(not_one_run(&found, None));
    }
    if !options.fresh {
        parts.extend(earlier_run(out, runs)?);
    }
    let found = disagreements(&parts);
    if !found.is_empty() {
        return Err(not_one_run(&found, Some(out)));
    }
    let merger = Merger::new(&parts).map_err(merge_error)?;
    if !merger.damaged.is_empty() {
        print_line(&format!(
            "warning: lines that are not games of this plan:{}",
            listed_of(&merger.damaged, merger.n_damaged)
        ));
    }
    if !merger.missing.is_empty() {
        if !options.partial {
            return Err(incomplete(&merger.missing));
        }
        print_line(&format!("games are missing:{}", listed(&merger.missing)));
    }
    if merger.n_superfluous > 0 {
        print_line(&format!(
            "records left out: {}; one machine would not have played these games, because of a \
             disqualification or because the ranking was settled",
            merger.n_superfluous
        ));
    }
    let unexpected = |error: FolderError| CommandError::new(exit_code::UNEXPECTED, error);
    let folder = RunFolder::open(out).map_err(unexpected)?;
    if options.fresh {
        folder.start_anew().map_err(unexpected)?;
    }
    let n_records = merger.n_records();
    let (plan, records) = merger.write(&folder).map_err(merge_error)?;
    let report = RunReport::of_records(out, &plan, Arc::new(records));
    print_run(&report, out, &plan, options.format)?;
    print_line(&format!(
        "merged {} of {} into {}",
        counted(n_records as u64, "record"),
        counted(runs.len() as u64, "run"),
        out.display()
    ));
    print_line(&where_the_rest_is(out));
    Ok(())
}

pub(super) fn merge_error(error: MergeError) -> CommandError {
    let code = match error {
        MergeError::Unreadable { .. } | MergeError::Unwritable { .. } => exit_code::UNEXPECTED,
        MergeError::Contradictions(..) => exit_code::VERIFICATION,
    };
    CommandError::new(code, error)
}

/// Checks before a tournament is played that its run can be merged into a folder.
pub(super) fn check_fits(out: &Path, plan: &RunPlan) -> Result<(), CommandError> {
    let Some(earlier) = earlier_run(out, &[])? else {
        return Ok(());
    };
    // The secret salt of the shards is not known yet; the merge compares it.
    let planned = Part {
        folder: "the tournament file".into(),
        plan: RunPlan {
            salt: earlier.plan.salt,
            published_salt: earlier.plan.published_salt,
            salt_commitment: earlier.plan.salt_commitment.clone(),
            ..plan.clone()
        },
    };
    let found = disagreements(&[planned, earlier]);
    if found.is_empty() {
        Ok(())
    } else {
        Err(not_one_run(&found, Some(out)))
    }
}

/// The run that is already in the folder, unless it is one of the given runs.
fn earlier_run(out: &Path, runs: &[PathBuf]) -> Result<Option<Part>, CommandError> {
    if out.exists() && !out.is_dir() {
        let message = format!(
            "`{}` is not a folder; choose another with --out",
            out.display()
        );
        return Err(CommandError::new(exit_code::USAGE, anyhow!(message)));
    }
    let plan = match RunPlan::read(out) {
        Ok(plan) => plan,
        Err(PlanError::NoRun(folder)) if RunFolder::holds_records(out) => {
            let error = FolderError::NoPlan(folder);
            return Err(CommandError::new(exit_code::USAGE, error));
        }
        Err(PlanError::NoRun(_) | PlanError::NoFolder(_)) => return Ok(None),
        Err(error) => {
            let code = if error.is_damage() {
                exit_code::VERIFICATION
            } else {
                exit_code::UNEXPECTED
            };
            return Err(CommandError::new(code, FolderError::Plan(error)));
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

/// `earlier` is the folder of the merged run, if the run in it was compared too.
fn not_one_run(found: &[Disagreement], earlier: Option<&Path>) -> CommandError {
    let way_out = match earlier {
        Some(out) => format!(
            "\nif `{}` is the one that differs, use --fresh to set its log aside and start anew",
            out.display()
        ),
        None => String::new(),
    };
    CommandError::new(
        exit_code::VERIFICATION,
        anyhow!(
            "the runs are not parts of one run:{}{way_out}",
            listed(found)
        ),
    )
}

fn incomplete(missing: &[MissingGames]) -> CommandError {
    CommandError::new(
        exit_code::VERIFICATION,
        anyhow!(
            "games are missing; nothing was written (use --partial to merge the games available):{}",
            listed(missing)
        ),
    )
}

fn print_line(line: &str) {
    // A closed stderr is no error: the line has no reader.
    let _ = writeln!(io::stderr(), "{}", printable_lines(line));
}
