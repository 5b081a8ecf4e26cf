//! `plan.json`: what a run is, kept beside its game log.
//!
//! With it a log can be verified, reported and continued without the tournament
//! file: the resolved tournament, the salt that was drawn, what each plugin was, and
//! the machine it ran on.

use std::{fs, io, path::Path};

use plugin_api::{Clock, Salt, Tiles};
use serde::{Deserialize, Serialize};

use crate::{
    entrant::Entrant,
    machine::{Machine, PlayedOn},
    report::{ReportBudget, ReportInput, control_pair::twin_name},
    shard::Shard,
    statistics::{agent_summary::Luck, time_use::BudgetClock},
    tournament::{AgentEntry, BudgetLimit, SaltChoice, StopRule, Tournament, is_plain_name},
};

/// Of the format of `plan.json`.
const VERSION: u32 = 1;

/// The plan of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Version of this format: 1.
    pub v: u32,
    pub host_version: String,
    /// Where it was played last.
    pub machine: Machine,
    /// All that played a part of it, where there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<PlayedOn>,
    /// The salt as 48 hexadecimal digits.
    pub salt: String,
    /// Which part of the games this run plays; without it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    pub tournament: Tournament,
    /// The agents in the order of the tournament file.
    pub entrants: Vec<Entrant>,
}

/// Why a plan cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("`{0}` is not the folder of a run: it has no plan.json")]
    NoRun(String),
    #[error("`{file}` cannot be read: {source}")]
    Unreadable { file: String, source: io::Error },
    #[error("`{file}` is not a plan this version understands: {source}")]
    Malformed {
        file: String,
        source: serde_json::Error,
    },
}

impl RunPlan {
    /// The plan of a tournament. A secret salt is the one that all shards share, or
    /// taken from an earlier plan of the same run, or drawn.
    #[must_use]
    pub fn new(
        mut tournament: Tournament,
        mut entrants: Vec<Entrant>,
        earlier: Option<&Self>,
        shared_salt: Option<Salt>,
    ) -> Self {
        add_twin(&mut tournament, &mut entrants);
        let earlier_salt = || {
            earlier
                .filter(|earlier| earlier.tournament.salt == SaltChoice::Secret)
                .map(Self::salt)
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
            salt: salt.to_string(),
            shard: None,
            tournament,
            entrants,
        }
    }

    /// The same plan, of which only a shard is played.
    #[must_use]
    pub fn for_shard(self, shard: Option<Shard>) -> Self {
        Self { shard, ..self }
    }

    /// The same plan, of which games are played on a machine now. Those that played a
    /// part before are remembered, if it played one, where they differ.
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

    /// All machines that played a part.
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

    /// Whether no other run plays games of this plan.
    fn is_whole(&self) -> bool {
        self.shard.is_none_or(Shard::is_whole)
    }

    /// Faults in a row after which an agent plays no further game. A shard does not
    /// see the games between its own, so it disqualifies only where one fault does.
    #[must_use]
    pub fn disqualify_after(&self) -> Option<u64> {
        let after = self.tournament.disqualify_after?.get();
        (self.is_whole() || after == 1).then(|| u64::from(after))
    }

    /// The stop rule. A shard has none: neighbours are judged by the games of all.
    #[must_use]
    pub fn stop(&self) -> Option<StopRule> {
        self.tournament.stop.filter(|_| self.is_whole())
    }

    /// The salt of its tiles.
    #[must_use]
    pub fn salt(&self) -> Salt {
        Salt::from_hex(&self.salt).unwrap_or(Salt::NONE)
    }

    /// What a report needs to know of it.
    #[must_use]
    pub fn report_input(&self) -> ReportInput {
        let tournament = &self.tournament;
        let budgets = tournament.budgets.iter().map(|budget| ReportBudget {
            label: Some(budget.label()).filter(|_| tournament.budgets.len() > 1),
            per_move: match budget.limit {
                BudgetLimit::Time { per_move } => Some(per_move),
                BudgetLimit::Nodes(_) | BudgetLimit::None => None,
            },
            clock: match budget.clock {
                Clock::Cpu => BudgetClock::Cpu,
                Clock::Wall => BudgetClock::Wall,
            },
        });
        ReportInput {
            name: tournament.name.clone(),
            agents: self
                .entrants
                .iter()
                .map(|entrant| entrant.name.clone())
                .collect(),
            budgets: budgets.collect(),
            goal: tournament.goal,
            luck: match tournament.tiles {
                Tiles::Random => Luck::Random,
                Tiles::Deterministic => Luck::None,
            },
            open_tiles: self.salt().is_none(),
            disqualify_after: self.disqualify_after(),
            control: tournament.control.clone(),
            n_seeds: usize::try_from(tournament.seeds.len()).unwrap_or(usize::MAX),
            stop: self.stop(),
            shard: self.shard,
            machines: self.machines.clone(),
        }
    }

    /// Reads the plan of a run's folder.
    ///
    /// # Errors
    /// When there is none, or none that is understood.
    pub fn read(folder: &Path) -> Result<Self, PlanError> {
        let path = folder.join("plan.json");
        let file = path.display().to_string();
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
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
                "version {v} of the format is not known here"
            )));
        }
        Salt::from_hex(&plan.salt).map_err(|error| malformed(error.to_string()))?;
        let mut names = plan.entrants.iter().map(|entrant| &entrant.name);
        if let Some(name) = names.find(|name| !is_plain_name(name)) {
            return Err(malformed(format!("{name:?} is no agent's name")));
        }
        Ok(plan)
    }

    /// Writes the plan into a run's folder, in one step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let new = folder.join("plan.json.new");
        fs::write(&new, serde_json::to_vec_pretty(self)?)?;
        fs::rename(new, folder.join("plan.json"))
    }
}

/// Lets the control play a second time: another name gives it another random seed.
fn add_twin(tournament: &mut Tournament, entrants: &mut Vec<Entrant>) {
    let Some(control) = &tournament.control else {
        return;
    };
    let name = twin_name(control);
    let entry = tournament
        .agents
        .iter()
        .find(|agent| agent.name == *control);
    let entrant = entrants.iter().find(|entrant| entrant.name == *control);
    if let (Some(entry), Some(entrant)) = (entry.cloned(), entrant.cloned()) {
        tournament.agents.push(AgentEntry {
            name: name.clone(),
            ..entry
        });
        entrants.push(Entrant { name, ..entrant });
    }
}

/// A salt nobody knows.
#[must_use]
pub fn draw_salt() -> Salt {
    let mut bytes = [0; 24];
    rand::Rng::fill_bytes(&mut rand::make_rng::<rand::rngs::StdRng>(), &mut bytes);
    Salt::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use crate::{machine::tests::machine, report::html::example::plan};

    #[test]
    fn machines_that_differ_are_remembered_when_a_run_goes_on() {
        let speeds = |plan: &super::RunPlan| {
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
