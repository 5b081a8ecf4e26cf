//! Rebuilds a plan that was damaged or deleted, from the tournament file and the salt.
//!
//! The fingerprint of a record stands for the plugin, the parameters, the rules, the budget and the
//! salt of its game. So where all records fit, the plan is the one that they were played under, and
//! no game is played again. What only the plan knew is lost: the machines that played before.

use std::fs;

use anyhow::anyhow;
use run::{
    atomic_file,
    game_log::GameLog,
    leftovers::Leftovers,
    run_files,
    run_folder::{FolderError, RunFolder},
    run_plan::RunPlan,
    shard::Shard,
};
use text::number_text::counted;

use crate::command::{CommandError, command_line::RunArguments, exit_code};

/// A run whose plan cannot be used.
pub(super) struct LostPlan {
    why: FolderError,
    /// What is left of it, for the user.
    rest: Option<Vec<u8>>,
}

impl LostPlan {
    /// The plan of an earlier execution, if there is one; or what is left of it.
    pub(super) fn or_earlier_plan(
        folder: &RunFolder,
    ) -> Result<(Option<RunPlan>, Option<Self>), CommandError> {
        match folder.earlier_plan() {
            Ok(earlier) => Ok((earlier, None)),
            Err(why) if why.is_loss_of_plan() => {
                let rest = fs::read(run_files::plan(folder.path())).ok();
                Ok((None, Some(Self { why, rest })))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Takes over what is in the folder if it fits the plan, or the user accepts that not all of
    /// it does.
    pub(super) fn rebuild(
        &self,
        arguments: &RunArguments,
        folder: &RunFolder,
        plan: &RunPlan,
        has_salt: bool,
    ) -> Result<(Leftovers, GameLog), CommandError> {
        let name = folder.path().file_name().and_then(|name| name.to_str());
        let of_name = name.and_then(|name| name.replace("-of-", "/").parse::<Shard>().ok());
        if let Some(shard) = of_name.filter(|_| plan.shard.is_none()) {
            return Err(self.refused(&format!("to rebuild it, add --shard {shard}")));
        }
        if !has_salt {
            return Err(self.refused("to rebuild it, give the salt of the run with --salt-file"));
        }
        let taken_over = folder.take_over(plan, |_| arguments.supersede);
        let taken_over = taken_over.map_err(|error| match error {
            FolderError::Superseding {
                n_superseded,
                n_records,
                whose,
                ..
            } => self.refused(&format!(
                "it cannot be rebuilt as it was: {n_superseded} of {n_records} records were played \
                 with another tournament file, plugin or salt ({whose}); give the command with \
                 those that they were played with, or use --supersede to set these records aside"
            )),
            error => error.into(),
        })?;
        if let Some(rest) = &self.rest {
            atomic_file::replace(&run_files::damaged_plan(folder.path()), rest)?;
        }
        Ok(taken_over)
    }

    /// Says what was done.
    pub(super) fn note(
        &self,
        arguments: &RunArguments,
        folder: &RunFolder,
        leftovers: &Leftovers,
    ) -> String {
        let was = match self.rest {
            Some(_) => "could not be used",
            None => "was missing",
        };
        format!(
            "{} {was} and was rebuilt from {}, which fits {}",
            run_files::plan(folder.path()).display(),
            arguments.file.display(),
            counted(leftovers.played.len(), "record")
        )
    }

    fn refused(&self, way_out: &str) -> CommandError {
        let code = match self.why {
            FolderError::NoPlan(_) => exit_code::USAGE,
            _ => exit_code::VERIFICATION,
        };
        CommandError::new(code, anyhow!("{}\n{way_out}", self.why))
    }
}
