//! `host run --pseudonyms FILE`: the report of a run that has just ended, without names.

use std::path::Path;

use super::{
    in_format, n_faults, print,
    pseudonym_file::{DisguisedFolder, pseudonyms_in},
    report_of, write_page,
};
use crate::{
    command::{CommandError, output_format::Format},
    run::{
        pseudonyms::{DisguisedRun, Pseudonyms},
        run_files,
        run_plan::RunPlan,
    },
};

/// Pseudonyms that fit a plan.
pub(in crate::command) struct Disguise(Pseudonyms);

impl Disguise {
    /// Reads and completes the file, if there is one, before a game is played.
    pub(in crate::command) fn if_wanted(
        file: Option<&Path>,
        plan: &RunPlan,
    ) -> Result<Option<Self>, CommandError> {
        let Some(file) = file else {
            return Ok(None);
        };
        let pseudonyms = pseudonyms_in(file, plan)?;
        DisguisedRun::new(plan, &pseudonyms)?;
        Ok(Some(Self(pseudonyms)))
    }

    /// Prints the report and writes the page; returns the number of faults.
    pub(in crate::command) fn print_report(
        &self,
        folder: &Path,
        plan: &RunPlan,
        format: Format,
    ) -> Result<u64, CommandError> {
        let hidden = DisguisedFolder::of(folder, plan, &self.0, None)?;
        let run = report_of(&hidden.path, &hidden.plan)?;
        print(&in_format(&run.report, format)?)?;
        let page = run.page(&hidden.path, &hidden.plan)?;
        write_page(&run_files::report_page(folder), &page)?;
        Ok(n_faults(&run.report))
    }
}
