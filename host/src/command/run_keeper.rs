//! Keeps what belongs into a run's folder beside the log: which machine played, and
//! what agents printed before their faults.

use arena2048::{
    last_words::LastWords, machine::Machine, run_folder::RunFolder, run_plan::RunPlan,
    tournament_runner::Event,
};

use super::run_progress::Progress;

pub(super) struct RunKeeper<'r> {
    folder: &'r RunFolder,
    plan: &'r RunPlan,
    /// Whether games were played before.
    has_records: bool,
    last_words: LastWords,
    /// The plan with this machine, once a game is to be played.
    written: Option<RunPlan>,
}

impl<'r> RunKeeper<'r> {
    pub(super) fn new(folder: &'r RunFolder, plan: &'r RunPlan, has_records: bool) -> Self {
        Self {
            folder,
            plan,
            has_records,
            last_words: LastWords::of_run(folder.path()),
            written: None,
        }
    }

    pub(super) fn hear(&mut self, event: &Event<'_>, progress: &Progress) {
        match event {
            Event::Started { games, .. } if !games.is_empty() && self.written.is_none() => {
                self.note_machine(progress);
            }
            Event::GameEnded { record, last_words } if record.ending.is_fault() => {
                if let Err(error) = self.last_words.keep(record, last_words) {
                    progress.say(&format!(
                        "warning: what {} printed cannot be kept: {error}",
                        record.agent
                    ));
                }
            }
            _ => (),
        }
    }

    /// While no worker plays, so that nothing of ours disturbs the measurement.
    fn note_machine(&mut self, progress: &Progress) {
        let before = self.written.as_ref().map(|plan| &plan.machine);
        let machine = Machine::this().calibrated_at_best(before);
        let plan = self.plan.clone().continued_on(machine, self.has_records);
        if let Err(error) = plan.write(self.folder.path()) {
            progress.say(&format!("warning: the machine cannot be noted: {error}"));
        }
        self.written = Some(plan);
    }

    /// Measures the machine once more, now that the games have ended, and keeps the
    /// better figure: what shared the machine for a moment is not its speed. Returns
    /// the plan as it stands in the folder.
    pub(super) fn finish(mut self, progress: &Progress) -> RunPlan {
        if self.written.is_some() {
            self.note_machine(progress);
        }
        self.written.unwrap_or_else(|| self.plan.clone())
    }
}
