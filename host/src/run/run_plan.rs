//! `plan.json`: everything about a run except its games.
//!
//! It holds the resolved tournament, the salt that was drawn, the identity of each plugin
//! and the machine. With it a log can be verified and reported without the tournament
//! file, and a run can be resumed.

use std::{
    fs,
    io::{self, ErrorKind},
    path::Path,
};

use plugin_api::Salt;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    run::{
        atomic_file,
        game_plan::GamePlan,
        machine::{Machine, PlayedOn},
        run_files,
        shard::Shard,
    },
    tournament::{AgentEntry, SaltChoice, StopRule, Tournament, is_plain_name, twin_name},
};

// A part of the plan, for folders that import only `run`.
pub use crate::agents::agent::Agent;

/// The version of the format of `plan.json`.
const VERSION: u32 = 1;

/// The plan of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Version of this format: 1.
    pub v: u32,
    pub host_version: String,
    /// The machine that played last.
    pub machine: Machine,
    /// All machines that played a part of the run, if there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<PlayedOn>,
    /// The salt of the tiles, written as 48 hexadecimal digits.
    #[serde(serialize_with = "write_salt", deserialize_with = "read_salt")]
    pub salt: Salt,
    /// The part of the games that this run plays; all of them if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    pub tournament: Tournament,
    /// The agents in the order of the tournament file.
    #[serde(rename = "entrants")]
    pub agents: Vec<Agent>,
}

/// Why a plan cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(
        "`{0}` is not the folder of a run: it has no {file}; give a folder that `host run` wrote, \
         such as runs/NAME",
        file = run_files::PLAN
    )]
    NoRun(String),
    #[error("cannot read `{file}`: {source}")]
    Unreadable { file: String, source: io::Error },
    #[error("`{file}` is not a plan that this version of the host can read: {source}")]
    Malformed {
        file: String,
        source: serde_json::Error,
    },
}

impl RunPlan {
    /// The plan of a tournament. A secret salt is the one that all shards share, or that of
    /// an earlier plan of the same run, or a new random one.
    #[must_use]
    pub fn new(
        mut tournament: Tournament,
        mut agents: Vec<Agent>,
        earlier: Option<&Self>,
        shared_salt: Option<Salt>,
    ) -> Self {
        add_twin(&mut tournament, &mut agents);
        let earlier_salt = || {
            earlier
                .filter(|earlier| earlier.tournament.salt == SaltChoice::Secret)
                .map(|earlier| earlier.salt)
        };
        let salt = match tournament.salt {
            SaltChoice::None => Salt::NONE,
            SaltChoice::Given(salt) => salt,
            SaltChoice::Secret => shared_salt.or_else(earlier_salt).unwrap_or_else(draw_salt),
        };
        Self {
            v: VERSION,
            host_version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: earlier.map_or_else(Machine::this, |earlier| earlier.machine.clone()),
            machines: earlier.map_or_else(Vec::new, |earlier| earlier.machines.clone()),
            salt,
            shard: None,
            tournament,
            agents,
        }
    }

    /// Its games, those of all shards.
    #[must_use]
    pub fn games(&self) -> GamePlan {
        GamePlan::new(&self.tournament, &self.salt)
    }

    /// The same plan, restricted to a shard.
    #[must_use]
    pub fn for_shard(self, shard: Option<Shard>) -> Self {
        Self { shard, ..self }
    }

    /// The same plan, continued on this machine. If there are records, the machines that
    /// played them are kept, except those that are like this one.
    #[must_use]
    pub fn continued_on(self, machine: Machine, has_records: bool) -> Self {
        let mut machines = if has_records {
            self.played_on()
        } else {
            Vec::new()
        };
        if !machines
            .iter()
            .any(|earlier| earlier.machine.is_like(&machine))
        {
            machines.push(PlayedOn {
                shard: self.shard,
                machine: machine.clone(),
            });
        }
        if machines.len() == 1 {
            machines.clear();
        }
        Self {
            machine,
            machines,
            ..self
        }
    }

    /// All machines that played a part of the run.
    #[must_use]
    pub fn played_on(&self) -> Vec<PlayedOn> {
        if self.machines.is_empty() {
            vec![PlayedOn {
                shard: self.shard,
                machine: self.machine.clone(),
            }]
        } else {
            self.machines.clone()
        }
    }

    /// Whether this run plays all games of the plan.
    fn is_whole(&self) -> bool {
        self.shard.is_none_or(Shard::is_whole)
    }

    /// Consecutive faults after which an agent plays no further game. A shard does not see
    /// the games between its own, so it disqualifies only if one fault is enough.
    #[must_use]
    pub fn disqualify_after(&self) -> Option<u64> {
        let after = self.tournament.disqualify_after?.get();
        (self.is_whole() || after == 1).then(|| u64::from(after))
    }

    /// The stop rule. A shard has none: the decision needs the games of all shards.
    #[must_use]
    pub fn stop(&self) -> Option<StopRule> {
        self.tournament.stop.filter(|_| self.is_whole())
    }

    /// Reads the plan in a run's folder.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn read(folder: &Path) -> Result<Self, PlanError> {
        let path = run_files::plan(folder);
        let file = path.display().to_string();
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Err(PlanError::NoRun(folder.display().to_string()));
            }
            Err(source) => return Err(PlanError::Unreadable { file, source }),
        };
        let plan: Self = serde_json::from_slice(&text).map_err(|source| PlanError::Malformed {
            file: file.clone(),
            source,
        })?;
        let malformed = |error: String| PlanError::Malformed {
            file: file.clone(),
            source: serde::de::Error::custom(error),
        };
        if plan.v != VERSION {
            let v = plan.v;
            return Err(malformed(format!(
                "format version {v} is not supported; expected version {VERSION}"
            )));
        }
        let mut names = plan.agents.iter().map(|agent| &agent.name);
        if let Some(name) = names.find(|name| !is_plain_name(name)) {
            return Err(malformed(format!("{name:?} is not a valid agent name")));
        }
        Ok(plan)
    }

    /// Writes the plan into a run's folder, in one step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        atomic_file::replace(&run_files::plan(folder), serde_json::to_vec_pretty(self)?)
    }
}

fn write_salt<S: Serializer>(salt: &Salt, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(salt)
}

fn read_salt<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Salt, D::Error> {
    let text = String::deserialize(deserializer)?;
    Salt::from_hex(&text)
        .map_err(|error| serde::de::Error::custom(format!("invalid salt: {error}")))
}

/// Enters the control agent a second time. Its new name gives it a different random seed.
fn add_twin(tournament: &mut Tournament, agents: &mut Vec<Agent>) {
    let Some(control) = &tournament.control else {
        return;
    };
    let name = twin_name(control);
    let entry = tournament
        .agents
        .iter()
        .find(|agent| agent.name == *control);
    let agent = agents.iter().find(|agent| agent.name == *control);
    if let (Some(entry), Some(agent)) = (entry.cloned(), agent.cloned()) {
        tournament.agents.push(AgentEntry {
            name: name.clone(),
            ..entry
        });
        agents.push(Agent { name, ..agent });
    }
}

/// Draws a random salt.
#[must_use]
pub fn draw_salt() -> Salt {
    let mut bytes = [0; 24];
    rand::Rng::fill_bytes(&mut rand::make_rng::<rand::rngs::StdRng>(), &mut bytes);
    Salt::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{example::plan, machine::tests::machine};

    #[test]
    fn a_malformed_salt_is_an_error_and_not_an_absent_salt() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(4, &["a"]);
        plan.write(folder.path()).unwrap();
        assert_eq!(RunPlan::read(folder.path()).unwrap(), plan);
        let path = run_files::plan(folder.path());
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(&"0".repeat(48), "xyz")).unwrap();
        let error = RunPlan::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("invalid salt"), "{error}");
    }

    #[test]
    fn different_machines_are_kept_when_a_run_is_resumed() {
        let speeds = |plan: &RunPlan| {
            let speeds = plan.played_on().into_iter();
            let speeds = speeds.map(|part| part.machine.nodes_per_second.unwrap());
            speeds.collect::<Vec<_>>()
        };
        let begun = plan(4, &["a"]).continued_on(machine("A", Some(100)), false);
        assert_eq!((begun.machines.len(), speeds(&begun)), (0, vec![100]));
        let same = begun.continued_on(machine("A", Some(105)), true);
        assert_eq!((same.machines.len(), speeds(&same)), (0, vec![105]));
        let faster = same.continued_on(machine("A", Some(200)), true);
        assert_eq!(speeds(&faster), [105, 200]);
        let back = faster.continued_on(machine("A", Some(101)), true);
        assert_eq!(speeds(&back), [105, 200]);
        assert_eq!(
            speeds(&back.continued_on(machine("B", Some(7)), false)),
            [7]
        );
    }
}
