//! A copy of a run in which agents have pseudonyms.
//!
//! It is a run like any other: reports are made from it, and everyone can replay and verify
//! its games. What could tell who is who is not in it: names, files, hashes and descriptions
//! of plugins, their parameters, what they printed, the words of their errors, and the order
//! of the agents, in which they played and which numbers the games. The language of an agent
//! is not in it either: its ABI, the time of its start and the number of its threads.

use std::{
    io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use plugin_api::PluginInfo;

use super::Pseudonyms;
use crate::{
    agents::inspection::Inspection,
    run::{
        atomic_file,
        game_log::{self, LogLine},
        game_plan::GamePlan,
        game_record::GameRecord,
        record_line::line_of,
        run_files,
        run_plan::{Agent, LeftOut, RunPlan},
    },
    tournament::{AgentEntry, Tournament},
    worker::Abi,
};

/// The hash of a plugin that is not to be recognized.
const HIDDEN_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Why a run has no disguised copy.
#[derive(Debug, thiserror::Error)]
pub enum DisguiseError {
    #[error("pseudonyms: {0}")]
    Names(String),
    #[error(
        "a run with `private_seeds` cannot have pseudonyms: its seeds tell which agent played them"
    )]
    PrivateSeeds,
    #[error("a shard cannot have pseudonyms; merge the shards first")]
    Shard,
    #[error("cannot write the run with pseudonyms: {0}")]
    Io(#[from] io::Error),
}

/// A plan with pseudonyms, and how records become those of it.
pub struct DisguisedRun<'p> {
    pub plan: RunPlan,
    games: GamePlan,
    pseudonyms: &'p Pseudonyms,
}

impl<'p> DisguisedRun<'p> {
    /// # Errors
    /// When the pseudonyms do not fit the plan, or cannot hide who is who.
    pub fn new(plan: &RunPlan, pseudonyms: &'p Pseudonyms) -> Result<Self, DisguiseError> {
        if plan.tournament.private_seeds > 0 {
            return Err(DisguiseError::PrivateSeeds);
        }
        if !plan.is_whole() {
            return Err(DisguiseError::Shard);
        }
        pseudonyms.check(plan).map_err(DisguiseError::Names)?;
        let plan = disguised_plan(plan, pseudonyms);
        Ok(Self {
            games: plan.games(),
            plan,
            pseudonyms,
        })
    }

    /// Writes the copy of a run.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn write(&self, run: &Path, copy: &Path) -> Result<(), DisguiseError> {
        atomic_file::create_folders(copy)?;
        let mut lines: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut result = Ok(());
        game_log::read(&run_files::game_log(run), |_, line| {
            let LogLine::Record(record) = line else {
                return;
            };
            if let Some(record) = self.record(*record) {
                match line_of(&record) {
                    Ok(line) => lines.push((record.game, line)),
                    Err(error) => result = Err(io::Error::from(error)),
                }
            }
        })?;
        result?;
        // In the order in which they were played, the games of a seed would be in the order of
        // the files.
        lines.sort();
        let lines: Vec<u8> = lines.into_iter().flat_map(|(_, line)| line).collect();
        atomic_file::replace(&run_files::game_log(copy), lines)?;
        self.plan.write(copy)?;
        Ok(())
    }

    /// The record of the same game; `None` if it is not one of the plan.
    fn record(&self, record: GameRecord) -> Option<GameRecord> {
        let name = self.pseudonyms.shown(&record.agent).into_owned();
        let agent = self
            .plan
            .agents
            .iter()
            .position(|agent| agent.name == name)?;
        let budgets = &self.plan.tournament.budgets;
        let budget = match &record.budget {
            Some(label) => budgets.iter().position(|budget| budget.label() == *label)?,
            None => 0,
        };
        let Agent { sha256, .. } = &self.plan.agents[agent];
        let record = if sha256 == HIDDEN_HASH {
            GameRecord {
                fault: record.fault.map(|_| record.ending.sentence().to_owned()),
                setup_ms: 0.0,
                threads: 1,
                ..record
            }
        } else {
            record
        };
        Some(GameRecord {
            game: self.games.number_of(record.seed, budget, agent)?,
            fingerprint: self.plan.agents[agent].fingerprint(
                &self.plan.tournament,
                &budgets[budget],
                &self.plan.salt,
            ),
            agent: name,
            ..record
        })
    }
}

impl RunPlan {
    /// Whether agents have pseudonyms, so that their plugins are not known.
    #[must_use]
    pub fn is_disguised(&self) -> bool {
        self.agents.iter().any(Agent::is_disguised)
    }
}

impl Agent {
    /// Whether the plugin is not to be recognized.
    #[must_use]
    pub fn is_disguised(&self) -> bool {
        self.sha256 == HIDDEN_HASH
    }
}

fn disguised_plan(plan: &RunPlan, pseudonyms: &Pseudonyms) -> RunPlan {
    let shown = |name: &str| pseudonyms.shown(name).into_owned();
    let tournament = &plan.tournament;
    let mut both: Vec<(AgentEntry, Agent)> = (tournament.agents.iter().zip(&plan.agents))
        .map(|(entry, agent)| {
            let name = shown(&agent.name);
            if name == agent.name {
                (entry.clone(), agent.clone())
            } else {
                (disguised_entry(&name), disguised_agent(&name))
            }
        })
        .collect();
    // The order of the files would tell the names.
    both.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    let (entries, agents) = both.into_iter().unzip();
    let mut left_out: Vec<LeftOut> = (plan.left_out.iter())
        .map(|left_out| LeftOut {
            file: shown(&left_out.name),
            name: shown(&left_out.name),
            reason: "could not be loaded".to_owned(),
        })
        .collect();
    left_out.sort_by(|a, b| a.file.cmp(&b.file));
    RunPlan {
        tournament: Tournament {
            agents: entries,
            control: tournament.control.as_deref().map(shown),
            ..tournament.clone()
        },
        agents,
        left_out,
        ..plan.clone()
    }
}

fn disguised_entry(name: &str) -> AgentEntry {
    AgentEntry {
        plugin: name.to_owned(),
        name: name.to_owned(),
        params: serde_json::Map::new(),
        allow_read: Vec::new(),
        submission: None,
        program: Vec::new(),
        memory: None,
    }
}

fn disguised_agent(name: &str) -> Agent {
    let nothing_but_the_name = serde_json::json!({ "name": name }).to_string();
    let info = PluginInfo::from_json(&nothing_but_the_name);
    Agent {
        name: name.to_owned(),
        path: PathBuf::from(name),
        sha256: HIDDEN_HASH.to_owned(),
        plugin: Inspection {
            info: info.expect("a name is a description"),
            abi: Abi::Text,
        },
        params: "{}".to_owned(),
        allow_read: Vec::new(),
        allow_read_sha256: None,
        sealed: OnceLock::new(),
        file: None,
        // Its command would tell.
        program: None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::run::{
        example::{plan, record},
        game_record::Ending,
        leftovers::Numbering,
    };

    #[test]
    fn nothing_in_the_copy_tells_who_is_who() {
        let mut plan = plan(4, &["anna", "bert", "greedy"]);
        for entry in &mut plan.tournament.agents[..2] {
            entry.submission = Some(format!("lib{}.so", entry.name));
            entry.plugin = format!("submissions/lib{}.so", entry.name);
        }
        for (agent, author) in plan.agents.iter_mut().zip(["Anna A.", "Bert B."]) {
            agent.plugin.info.author = author.into();
            agent.plugin.info.name = format!("{} agent", agent.name);
            agent.path = format!("/home/{}.so", agent.name).into();
            agent.sha256 = "5ec2e7".repeat(10) + "aaaa";
        }
        plan.left_out.push(LeftOut {
            file: "carl.zip".into(),
            name: "carl".into(),
            reason: "is an archive of carl".into(),
        });
        let folder = tempfile::tempdir().unwrap();
        let numbers = plan.games();
        let mut log = Vec::new();
        for seed in 1..=3 {
            for (agent, name) in ["anna", "bert", "greedy"].into_iter().enumerate() {
                log.extend(
                    line_of(&GameRecord {
                        game: numbers.number_of(seed, 0, agent).unwrap(),
                        ending: Ending::Panic,
                        fault: Some(format!("panicked in {name}.rs")),
                        threads: 9,
                        setup_ms: 80.0,
                        fingerprint: plan.agents[agent].fingerprint(
                            &plan.tournament,
                            &plan.tournament.budgets[0],
                            &plan.salt,
                        ),
                        ..record(name, seed, 100)
                    })
                    .unwrap(),
                );
            }
        }
        fs::write(run_files::game_log(folder.path()), log).unwrap();
        let pseudonyms = Pseudonyms::parse("anna,zebra\nbert,fox\ncarl,elk\n").unwrap();
        let copy = folder.path().join("copy");
        let disguised = DisguisedRun::new(&plan, &pseudonyms).unwrap();
        disguised.write(folder.path(), &copy).unwrap();
        for file in [run_files::plan(&copy), run_files::game_log(&copy)] {
            let text = fs::read_to_string(file).unwrap().to_lowercase();
            for trace in ["anna", "bert", "carl", "5ec2e7", "/home", "archive"] {
                assert!(!text.contains(trace), "{trace}: {text}");
            }
        }
        let read = RunPlan::read(&copy).unwrap();
        assert!(read.is_disguised());
        let names: Vec<&str> = read
            .agents
            .iter()
            .map(|agent| agent.name.as_str())
            .collect();
        assert_eq!(names, ["fox", "greedy", "zebra"]);
        let numbering = Numbering::new(&read);
        let (mut n_records, mut last) = (0, None);
        game_log::read(&run_files::game_log(&copy), |_, line| {
            let LogLine::Record(record) = line else {
                panic!("{line:?}");
            };
            assert_eq!(numbering.number_of(&record), Some(record.game));
            assert!(last < Some(record.game), "the order tells who is who");
            last = Some(record.game);
            let is_hidden = record.agent != "greedy";
            assert_eq!(
                (record.threads == 1, record.setup_ms == 0.0),
                (is_hidden, is_hidden)
            );
            n_records += 1;
        })
        .unwrap();
        assert_eq!(n_records, 9);
    }
}
