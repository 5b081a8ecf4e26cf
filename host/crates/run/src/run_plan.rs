//! `plan.json`: everything about a run except its games.
//!
//! It holds the resolved tournament, the identity of each plugin and the machine. With it
//! a log can be verified and reported without the tournament file, and a run can be
//! resumed. A secret salt stays in a file of its own until the run has ended; from the
//! start the plan holds the commitment to it. A plan may come from a stranger, so
//! reading one checks it like a tournament file.
//!
//! The last line of the file is a checksum of the others. Some settings, such as those of the
//! ranking, are in no fingerprint: without it, a bit that a disk flipped could change figures.

pub mod plan_aspects;

use std::{
    collections::HashMap,
    io::{self, ErrorKind},
    path::Path,
};

use plugin_api::{RulesName, Salt};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};

use statistics::{
    interval::Confidence,
    race::{RaceRule, looks},
};
use text::{
    escape::json_text,
    hex::{hex, is_hex},
    strangers_words::{beginning_on_one_line, parser_words},
};
use tournament::{AgentEntry, Budget, SaltChoice, StopRule, Tournament, is_plain_name, twin_name};

use crate::{
    agent::cut_texts,
    atomic_file,
    game_plan::{GamePlan, Series},
    game_record::GameRecord,
    machine::{Machine, PlayedOn},
    plan_error::PlanError,
    run_files,
    salt_commitment::SaltCommitment,
    salt_file,
    shard::Shard,
    unlinked,
};

// A part of the plan, for folders that import only `run`.
pub use crate::agent::{Agent, LeftOut};

/// The number of hexadecimal digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// The version of the format of `plan.json`.
const VERSION: u32 = 1;

/// What the last key of the file looks like, before its digits and after them.
const CHECK: &str = ",\n  \"check\": \"";
const END: &str = "\n}";
const CHECK_DIGITS: usize = 16;

/// The plan of a thousand agents with long descriptions is shorter.
const LONGEST_PLAN: u64 = 256 << 20;

const LONGEST_VERSION: usize = 100;
const LONGEST_MACHINE: usize = 200;
/// The longest path of a file.
const LONGEST_FILE: usize = 4096;

/// The plan of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Version of this format: 1.
    pub v: u32,
    /// The rules of the games; hosts up to 1.1.0 did not name them.
    #[serde(default)]
    pub rules: RulesName,
    pub host_version: String,
    /// The machine that played last.
    pub machine: Machine,
    /// All machines that played a part of the run, if there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<PlayedOn>,
    /// The salt of the tiles.
    #[serde(skip, default = "no_salt")]
    pub salt: Salt,
    /// The published salt, as 48 hexadecimal digits; none while it is secret.
    #[serde(
        rename = "salt",
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_salt",
        deserialize_with = "read_salt"
    )]
    pub published_salt: Option<Salt>,
    /// The commitment to a secret salt, which is in the plan from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt_commitment: Option<SaltCommitment>,
    /// The part of the games that this run plays; all of them if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    pub tournament: Tournament,
    /// The agents in the order of the tournament file.
    #[serde(rename = "entrants")]
    pub agents: Vec<Agent>,
    /// Files of folders that do not play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
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
        for agent in &mut agents {
            // Only the parameters in a tournament file are checked against it.
            agent.plugin.info.params = Value::Null;
        }
        let secret = earlier.filter(|earlier| earlier.tournament.salt == SaltChoice::Secret);
        let salt = match tournament.salt {
            SaltChoice::None => Salt::NONE,
            SaltChoice::Given(salt) => salt,
            SaltChoice::Secret => shared_salt
                .or_else(|| secret.map(|earlier| earlier.salt))
                .unwrap_or_else(salt_file::draw),
        };
        let (published_salt, salt_commitment) = match secret.filter(|plan| plan.salt == salt) {
            // What was published stays so, and a commitment cannot be made afterwards.
            Some(earlier) => (earlier.published_salt, earlier.salt_commitment.clone()),
            None if tournament.salt == SaltChoice::Secret => {
                (None, Some(SaltCommitment::to(&salt)))
            }
            None => (Some(salt), None),
        };
        Self {
            v: VERSION,
            rules: RulesName::default(),
            host_version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: earlier.map_or_else(Machine::this, |earlier| earlier.machine.clone()),
            machines: earlier.map_or_else(Vec::new, |earlier| earlier.machines.clone()),
            salt,
            published_salt,
            salt_commitment,
            shard: None,
            tournament,
            agents,
            left_out: Vec::new(),
        }
    }

    /// The same plan with the submissions that are left out.
    #[must_use]
    pub fn with_left_out(self, left_out: Vec<LeftOut>) -> Self {
        Self { left_out, ..self }
    }

    /// Its games, those of all shards.
    #[must_use]
    pub fn games(&self) -> GamePlan {
        GamePlan::new(&self.tournament, &self.salt)
    }

    /// The same plan with its salt published.
    #[must_use]
    pub fn with_published_salt(self) -> Self {
        Self {
            published_salt: Some(self.salt),
            ..self
        }
    }

    /// The salt in words that do not reveal it while it is secret.
    #[must_use]
    pub fn salt_in_words(&self) -> String {
        match (&self.published_salt, &self.salt_commitment) {
            (Some(salt), _) if salt.is_none() => "none: the tiles are predictable".to_owned(),
            (Some(salt), None) => salt.to_string(),
            (Some(salt), Some(commitment)) => format!("{salt} (commitment {commitment})"),
            (None, Some(commitment)) => {
                format!("secret until the run has ended (commitment {commitment})")
            }
            (None, None) => "secret until the run has ended".to_owned(),
        }
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
    #[must_use]
    pub fn is_whole(&self) -> bool {
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

    /// The confidence of intervals and claims.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.stop().map_or(Confidence::USUAL, |stop| Confidence {
            level: stop.decided,
            at_any_time: true,
        })
    }

    /// How agents race; `None` without a stop rule.
    #[must_use]
    pub fn race_rule(&self) -> Option<RaceRule> {
        self.stop().map(|stop| RaceRule {
            looks: looks(self.tournament.seeds.len(), stop.max_seeds),
            significance: 1.0 - stop.decided,
            equal_within: stop.equal_within,
            has_goal: self.tournament.ranking_goal().is_some(),
        })
    }

    /// The label of a budget where there are several: only then records and tables name it.
    #[must_use]
    pub fn budget_label(&self, budget: usize) -> Option<String> {
        match self.tournament.budgets.as_slice() {
            [_] => None,
            several => several.get(budget).map(Budget::label),
        }
    }

    /// The two entries of the control, as indices into the agents.
    #[must_use]
    pub fn control(&self) -> Option<[usize; 2]> {
        let control = self.tournament.control.as_ref()?;
        let position = |name: &str| self.agents.iter().position(|agent| agent.name == name);
        Some([position(control)?, position(&twin_name(control))?])
    }

    /// Reads the plan in a run's folder.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn read(folder: &Path) -> Result<Self, PlanError> {
        if folder.is_file() {
            return Err(PlanError::of_file(folder));
        }
        let path = run_files::plan(folder);
        let file = path.display().to_string();
        let text = match unlinked::read(&path, LONGEST_PLAN) {
            Ok(text) => text,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Err(PlanError::no_plan_in(folder));
            }
            Err(source) => return Err(PlanError::Unreadable { file, source }),
        };
        if has_right_check(&text) == Some(false) {
            return Err(PlanError::Damaged { file });
        }
        let mut plan: Self = match serde_json::from_slice(&text) {
            Ok(plan) => plan,
            Err(error) => {
                let words = parser_words(&error);
                return Err(PlanError::Malformed { file, words });
            }
        };
        if plan.v != VERSION {
            let (found, expected) = (plan.v, VERSION);
            return Err(PlanError::OtherVersion {
                file,
                found,
                expected,
                host: parser_words(&plan.host_version),
            });
        }
        check(&plan).map_err(|sentence| PlanError::Invalid {
            file,
            words: parser_words(&sentence),
        })?;
        cut_shown_texts(&mut plan);
        plan.salt = match plan.published_salt {
            Some(salt) => salt,
            None => salt_file::read(&run_files::salt(folder)).map_err(PlanError::NoSalt)?,
        };
        plan.check_commitment(folder)?;
        Ok(plan)
    }

    fn check_commitment(&self, folder: &Path) -> Result<(), PlanError> {
        let found = SaltCommitment::to(&self.salt);
        match &self.salt_commitment {
            Some(committed) if *committed != found => Err(PlanError::OtherSalt {
                folder: folder.display().to_string(),
                found,
                committed: committed.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Writes the plan into a run's folder, in one step. A secret salt is on disk before a
    /// plan that does not contain it. Its file stays: a plan that is damaged later is rebuilt
    /// with it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let salt_file = run_files::salt(folder);
        let is_secret = self.tournament.salt == SaltChoice::Secret;
        if is_secret && salt_file::read(&salt_file).ok() != Some(self.salt) {
            salt_file::write(&salt_file, &self.salt)?;
        }
        let text = with_check(json_text(self)?);
        atomic_file::replace(&run_files::plan(folder), text)
    }
}

fn with_check(mut text: String) -> String {
    let check = checksum(&[text.as_bytes()]);
    if text.ends_with(END) {
        text.truncate(text.len() - END.len());
        text = format!("{text}{CHECK}{check}\"{END}");
    }
    text
}

/// Whether the checksum at the end of a plan is right. Plans of hosts up to 1.1.0 have none.
fn has_right_check(text: &[u8]) -> Option<bool> {
    let (rest, end) = text.split_at_checked(text.len().checked_sub(END.len() + 1)?)?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(CHECK_DIGITS)?)?;
    let rest = rest.strip_suffix(CHECK.as_bytes())?;
    let check = checksum(&[rest, END.as_bytes()]);
    Some(end == format!("\"{END}").as_bytes() && digits == check.as_bytes())
}

fn checksum(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hex(&hash.finalize()[..CHECK_DIGITS / 2])
}

fn no_salt() -> Salt {
    Salt::NONE
}

#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn write_salt<S: Serializer>(salt: &Option<Salt>, serializer: S) -> Result<S::Ok, S::Error> {
    salt.map(|salt| salt.to_string()).serialize(serializer)
}

fn read_salt<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Salt>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let salt = Salt::from_hex(&text);
    salt.map(Some)
        .map_err(|error| serde::de::Error::custom(format!("invalid salt: {error}")))
}

/// Enters the control agent a second time, which only a plan does. Its new name gives it a different random seed.
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

/// Cuts the texts that are only shown and decide nothing.
///
/// A stranger's plan may have megabytes where hosts write a few words. What a host writes stays
/// as it is, because a run is continued with the plan that was read.
fn cut_shown_texts(plan: &mut RunPlan) {
    shorten(&mut plan.host_version, LONGEST_VERSION);
    cut_machine(&mut plan.machine);
    for part in &mut plan.machines {
        cut_machine(&mut part.machine);
    }
    for agent in &mut plan.agents {
        cut_texts(&mut agent.plugin.info);
    }
    for left_out in &mut plan.left_out {
        shorten(&mut left_out.file, LONGEST_FILE);
        left_out.reason = beginning_on_one_line(&left_out.reason, GameRecord::LONGEST_SENTENCE);
    }
}

fn cut_machine(machine: &mut Machine) {
    shorten(&mut machine.cpu, LONGEST_MACHINE);
    shorten(&mut machine.kernel, LONGEST_MACHINE);
}

fn shorten(text: &mut String, longest: usize) {
    if let Some((end, _)) = text.char_indices().nth(longest) {
        text.truncate(end);
    }
}

/// Whether a plan is as valid as one that this host would write. Code that reads plans relies on it:
/// plan and tournament have the same agents, names can be parts of file names, and the games can be
/// counted.
///
/// # Errors
/// What is wrong with the tournament, the agents and the published salt of a plan. The
/// sentence repeats words of the plan.
fn check(plan: &RunPlan) -> Result<(), String> {
    let (tournament, entered) = (&plan.tournament, &plan.agents);
    without_twin(tournament).check()?;
    let planned = &tournament.agents;
    if entered.len() != planned.len() {
        return Err(format!(
            "the tournament has {} agents, but `entrants` has {}",
            planned.len(),
            entered.len()
        ));
    }
    for (agent, entry) in entered.iter().zip(planned) {
        if agent.name != entry.name {
            return Err(format!(
                "`entrants` has {:?} in the place of agent {:?}",
                agent.name, entry.name
            ));
        }
        let hashes = [Some(&agent.sha256), agent.allow_read_sha256.as_ref()];
        if !(hashes.into_iter().flatten()).all(|hash| is_hex(hash, HASH_DIGITS)) {
            let name = &agent.name;
            return Err(format!("`entrants` has an invalid SHA-256 for {name:?}"));
        }
        let params = serde_json::from_str::<serde_json::Value>(&agent.params);
        if !params.is_ok_and(|params| params.is_object()) {
            let name = &agent.name;
            return Err(format!("`entrants` has invalid parameters for {name:?}"));
        }
    }
    // They become names of pages.
    let mut left_out = plan.left_out.iter();
    if let Some(left_out) = left_out.find(|left_out| !is_plain_name(&left_out.name)) {
        let name = &left_out.name;
        return Err(format!(
            "`left_out` has {name:?}, which is not a valid name"
        ));
    }
    match (tournament.salt, plan.published_salt) {
        (SaltChoice::Secret, _) => Ok(()),
        (SaltChoice::None, Some(salt)) if salt.is_none() => Ok(()),
        (SaltChoice::Given(given), Some(salt)) if salt == given => Ok(()),
        _ => Err("the salt is not that of the tournament".to_owned()),
    }
}

/// The tournament as its file describes it: the plan adds a second series of the control.
fn without_twin(tournament: &Tournament) -> Tournament {
    let mut tournament = tournament.clone();
    if let Some(control) = &tournament.control {
        let twin = twin_name(control);
        tournament.agents.retain(|agent| agent.name != twin);
    }
    tournament
}

/// Finds the planned game of a record. The fingerprint stands for plugin file, parameters,
/// rules, budget and salt, so agent and fingerprint together determine the series.
#[derive(Debug)]
pub struct Numbering {
    pub games: GamePlan,
    /// The fingerprints and their series, by the name of the agent.
    series: HashMap<String, Vec<(String, Series)>>,
    /// The labels of the budgets.
    labels: Vec<String>,
}

impl Numbering {
    pub fn new(plan: &RunPlan) -> Self {
        let tournament = &plan.tournament;
        let series_of = |(agent_index, agent): (usize, &Agent)| {
            let budgets = tournament.budgets.iter().enumerate();
            let of_budgets = budgets.map(|(budget_index, budget)| {
                let fingerprint = agent.fingerprint(tournament, budget, &plan.salt);
                let series = Series {
                    budget: budget_index,
                    agent: agent_index,
                };
                (fingerprint, series)
            });
            (agent.name.clone(), of_budgets.collect())
        };
        Self {
            games: plan.games(),
            series: plan.agents.iter().enumerate().map(series_of).collect(),
            labels: tournament.budgets.iter().map(Budget::label).collect(),
        }
    }

    pub fn has_agent(&self, name: &str) -> bool {
        self.series.contains_key(name)
    }

    /// The series of a record, if it is that of its game in the plan. A record without a label may
    /// be older than the other budgets of its tournament.
    pub fn planned_series(&self, record: &GameRecord) -> Option<Series> {
        let series = self.series_of(record)?;
        let label = &self.labels[series.budget];
        let is_planned = self.number_in(series, record) == Some(record.game)
            && record.budget.as_ref().is_none_or(|it| it == label);
        is_planned.then_some(series)
    }

    /// The label in the record of a planned game: none where the tournament has one budget.
    pub fn label_of(&self, game: u64) -> Option<&str> {
        match self.labels.as_slice() {
            [_] => None,
            several => Some(&several[self.games.series_of(game).budget]),
        }
    }

    /// The number of the game that a record has in the plan, whatever number and label it has.
    pub fn number_of(&self, record: &GameRecord) -> Option<u64> {
        self.number_in(self.series_of(record)?, record)
    }

    fn series_of(&self, record: &GameRecord) -> Option<Series> {
        let mut of_agent = self.series.get(&record.agent)?.iter();
        let (_, series) = of_agent.find(|(known, _)| *known == record.fingerprint)?;
        Some(*series)
    }

    fn number_in(&self, series: Series, record: &GameRecord) -> Option<u64> {
        self.games
            .number_of(record.seed, series.budget, series.agent)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use super::*;
    use crate::example::{machine, plan};
    use tournament::{BudgetLimit, StopRule};

    /// The text of a plan without its checksum, as older hosts wrote it.
    fn unchecked(path: &Path) -> String {
        let text = fs::read_to_string(path).unwrap();
        let (rest, _) = text.rsplit_once(CHECK).unwrap();
        rest.to_owned() + END
    }

    #[test]
    fn a_flipped_bit_of_a_plan_is_noticed_or_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(4, &["a", "b"]);
        plan.write(folder.path()).unwrap();
        let path = run_files::plan(folder.path());
        let text = fs::read(&path).unwrap();
        for place in 0..text.len() {
            let mut flipped = text.clone();
            flipped[place] ^= 1 << (place % 7);
            fs::write(&path, &flipped).unwrap();
            match RunPlan::read(folder.path()) {
                Ok(read) => assert_eq!(read, plan, "byte {place}"),
                Err(error) => assert!(error.is_damage(), "{error}"),
            }
        }
        fs::write(&path, &text).unwrap();
        let older = unchecked(&path);
        fs::write(&path, older).unwrap();
        assert_eq!(RunPlan::read(folder.path()).unwrap(), plan);
    }

    #[test]
    fn a_malformed_salt_is_an_error_and_not_an_absent_salt() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(4, &["a"]);
        plan.write(folder.path()).unwrap();
        assert_eq!(RunPlan::read(folder.path()).unwrap(), plan);
        let path = run_files::plan(folder.path());
        let text = unchecked(&path);
        fs::write(&path, text.replace(&"0".repeat(48), "xyz")).unwrap();
        let error = RunPlan::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("invalid salt"), "{error}");
    }

    #[test]
    fn a_secret_salt_is_in_the_plan_only_after_it_was_published() {
        let folder = tempfile::tempdir().unwrap();
        let plan_text = || fs::read_to_string(run_files::plan(folder.path())).unwrap();
        let mut example = plan(4, &["a"]);
        example.tournament.salt = SaltChoice::Secret;
        let sealed = RunPlan::new(example.tournament, example.agents, None, None);
        sealed.write(folder.path()).unwrap();
        let salt = sealed.salt.to_string();
        assert!(!plan_text().contains(&salt));
        assert!(!sealed.salt_in_words().contains(&salt));
        assert_eq!(RunPlan::read(folder.path()).unwrap(), sealed);
        let resumed = RunPlan::new(
            sealed.tournament.clone(),
            sealed.agents.clone(),
            Some(&sealed),
            None,
        );
        assert_eq!((resumed.salt, resumed.published_salt), (sealed.salt, None));
        let published = sealed.clone().with_published_salt();
        published.write(folder.path()).unwrap();
        assert!(plan_text().contains(&salt));
        assert_eq!(RunPlan::read(folder.path()).unwrap(), published);
        assert_eq!(published.salt_commitment, sealed.salt_commitment);
        // Another salt does not fit the commitment.
        let text = unchecked(&run_files::plan(folder.path()));
        let other = text.replace(&salt, &salt_file::draw().to_string());
        fs::write(run_files::plan(folder.path()), other).unwrap();
        let error = RunPlan::read(folder.path()).unwrap_err().to_string();
        assert!(
            error.contains("not the one that the run was committed to"),
            "{error}"
        );
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

    #[test]
    fn megabytes_of_a_stranger_are_not_kept() {
        let long = "word\n”`".repeat(1_000_000);
        let mut plan = plan(4, &["a"]);
        plan.host_version.clone_from(&long);
        plan.machine.cpu.clone_from(&long);
        plan.machine.kernel.clone_from(&long);
        plan.machines = plan.played_on();
        plan.agents[0].plugin.info.description.clone_from(&long);
        plan.left_out.push(LeftOut {
            file: long.clone(),
            name: "b".into(),
            reason: long,
        });
        cut_shown_texts(&mut plan);
        let written = serde_json::to_string(&plan).unwrap();
        assert!(written.len() < 20_000, "{} bytes", written.len());
        assert!(plan.left_out[0].reason.starts_with("word ”`word ”`"));
    }

    #[test]
    fn what_a_host_writes_stays_as_it_is() {
        let mut read = plan(4, &["a", "b"]);
        read.machine = Machine::this();
        read.machines = read.played_on();
        read.machines[0].machine.cpu = "Intel(R) Xeon(R) CPU           X5650  @ 2.67GHz".into();
        let written = read.clone();
        cut_shown_texts(&mut read);
        assert_eq!(read, written);
    }

    /// Changes a valid plan and expects this sentence.
    #[track_caller]
    fn check_changed(change: impl FnOnce(&mut RunPlan), expected: &str) {
        let mut plan = plan(4, &["a", "b"]);
        assert_eq!(check(&plan), Ok(()));
        change(&mut plan);
        let sentence = check(&plan).unwrap_err();
        assert!(sentence.contains(expected), "{sentence}");
    }

    #[test]
    fn what_a_tournament_file_may_not_say_a_plan_may_not_say_either() {
        check_changed(
            |plan| plan.tournament.seeds = "0..9007199254740991".parse().unwrap(),
            "more than the limit of 100,000,000",
        );
        check_changed(
            |plan| plan.tournament.name = "../x".into(),
            "not a valid name",
        );
        check_changed(|plan| plan.tournament.budgets.clear(), "budgets");
        check_changed(|plan| plan.tournament.agents.clear(), "agents");
        check_changed(|plan| plan.tournament.memory = 7, "7 bytes are not enough");
        check_changed(
            |plan| plan.tournament.goal = Some(3),
            "`3` is not a valid goal",
        );
        check_changed(
            |plan| plan.tournament.agents[1].name = "a".into(),
            "two agents are named `a`",
        );
        check_changed(
            |plan| plan.tournament.control = Some("c".into()),
            "unknown agent `c`",
        );
    }

    #[test]
    fn times_and_shares_of_a_plan_are_possible_ones() {
        let second = Duration::from_secs(1);
        let of_budget = |change: fn(&mut Budget)| {
            move |plan: &mut RunPlan| change(&mut plan.tournament.budgets[0])
        };
        check_changed(
            of_budget(|budget| budget.hang = Duration::ZERO),
            "`hang` of the budget `no budget`: the time must be greater than zero",
        );
        check_changed(
            of_budget(|budget| budget.setup = Duration::ZERO),
            "`setup` of the budget",
        );
        check_changed(
            |plan| {
                let budget = &mut plan.tournament.budgets[0];
                budget.limit = BudgetLimit::Time { per_move: second };
                budget.hang = second;
            },
            "`hang` is 1s, but a turn may take 1.1s",
        );
        let stop = |decided, equal_within| {
            move |plan: &mut RunPlan| {
                plan.tournament.stop = Some(StopRule {
                    decided,
                    max_seeds: 100,
                    equal_within,
                });
            }
        };
        check_changed(stop(0.95, Some(5.0)), "`equal_within` is between 0 and 1");
        check_changed(stop(1.0, None), "`decided` is between 0 and 1, not 1");
    }

    #[test]
    fn entrants_are_the_agents_of_the_tournament() {
        check_changed(
            |plan| drop(plan.agents.pop()),
            "2 agents, but `entrants` has 1",
        );
        check_changed(|plan| plan.agents.swap(0, 1), "in the place of agent");
        check_changed(
            |plan| plan.agents[0].sha256 = "/../x".into(),
            "an invalid SHA-256",
        );
        check_changed(|plan| plan.published_salt = None, "the salt is not that");
        check_changed(
            |plan| plan.agents[0].params = "3), berta cheated".into(),
            "invalid parameters",
        );
        let left_out = LeftOut {
            file: "a.py".into(),
            name: "../../a".into(),
            reason: "cannot be read".into(),
        };
        check_changed(|plan| plan.left_out.push(left_out), "not a valid name");
    }
}
