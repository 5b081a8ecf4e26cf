//! What was submitted, so that the same command follows it instead of doing it twice.

use std::{fs, io, path::Path};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{hex::hex, run_plan::RunPlan};

/// The jobs of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Version of this format: 1.
    pub v: u32,
    /// Identifies the tournament and its plugins.
    pub plan: String,
    /// The numbers of the jobs, oldest first.
    pub jobs: Vec<String>,
}

const FILE: &str = "submission.json";

impl Submission {
    /// Before the first job.
    #[must_use]
    pub fn new(plan: &RunPlan) -> Self {
        Self {
            v: 1,
            plan: identity(plan),
            jobs: Vec::new(),
        }
    }

    /// Whether its jobs play this plan.
    #[must_use]
    pub fn is_of(&self, plan: &RunPlan) -> bool {
        self.plan == identity(plan)
    }

    /// What an earlier command left; nothing where there was none.
    ///
    /// # Errors
    /// When there is something that is not understood.
    pub fn read(folder: &Path) -> io::Result<Option<Self>> {
        match fs::read(folder.join(FILE)) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// In one step: either the old file is there or the whole new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let new = folder.join("submission.json.new");
        fs::write(&new, serde_json::to_vec_pretty(self)?)?;
        fs::rename(new, folder.join(FILE))
    }
}

/// Of what decides the games; the salt is part of every record's fingerprint.
fn identity(plan: &RunPlan) -> String {
    let entrants: Vec<_> = plan
        .entrants
        .iter()
        .map(|entrant| (&entrant.name, &entrant.sha256, &entrant.params))
        .collect();
    let decisive = serde_json::json!({"tournament": plan.tournament, "entrants": entrants});
    hex(&Sha256::digest(decisive.to_string().as_bytes())[..16])
}
