//! Writes to the run's folder what is not a record: the machine, and stderr before faults.

use play::runner::Event;
use run::{machine::Machine, run_folder::RunFolder, run_plan::RunPlan, stderr_files::StderrFiles};
use tournament::SaltChoice;

use super::run_progress::RunProgress;

pub(super) struct FolderWriter<'r> {
    folder: &'r RunFolder,
    plan: &'r RunPlan,
    /// Whether the log had records before.
    has_records: bool,
    stderr_files: StderrFiles,
    /// The plan with this machine, written when the first game begins.
    written: Option<RunPlan>,
}

impl<'r> FolderWriter<'r> {
    pub(super) fn new(folder: &'r RunFolder, plan: &'r RunPlan, has_records: bool) -> Self {
        Self {
            folder,
            plan,
            has_records,
            stderr_files: StderrFiles::of_run(folder.path()),
            written: None,
        }
    }

    pub(super) fn observe(&mut self, event: &Event<'_>, progress: &RunProgress) {
        match event {
            Event::Started { games, .. } if !games.is_empty() && self.written.is_none() => {
                let is_secret = self.plan.tournament.salt == SaltChoice::Secret;
                if is_secret && self.plan.published_salt.is_some() {
                    progress.print_line(
                        "warning: the run had ended and its salt was published, so agents may \
                         know the tiles of further games; --fresh draws a new salt",
                    );
                }
                self.write_machine(progress);
            }
            Event::GameEnded {
                record,
                stderr_tail,
            } if record.ending.is_fault() => {
                if let Err(error) = self.stderr_files.keep(record, stderr_tail) {
                    progress.print_line(&format!(
                        "warning: cannot write the stderr of {}: {error}",
                        record.agent
                    ));
                }
            }
            _ => (),
        }
    }

    /// Measures the machine while no worker plays, so that nothing disturbs the measurement.
    fn write_machine(&mut self, progress: &RunProgress) {
        let before = self.written.as_ref().map(|plan| &plan.machine);
        let machine = Machine::this().calibrated_at_best(before);
        let plan = self.plan.clone().continued_on(machine, self.has_records);
        if let Err(error) = plan.write(self.folder.path()) {
            progress.print_line(&format!(
                "warning: cannot write the machine to the plan: {error}"
            ));
        }
        self.written = Some(plan);
    }

    /// Measures the machine again after the games and keeps the higher speed, because other
    /// programs can only lower it. Returns the plan as it is in the folder.
    pub(super) fn finish(mut self, progress: &RunProgress) -> RunPlan {
        if self.written.is_some() {
            self.write_machine(progress);
        }
        self.written.unwrap_or_else(|| self.plan.clone())
    }
}
