//! A copy of a run in which agents have pseudonyms.
//!
//! It is a run like any other: reports are made from it, and everyone can replay and verify
//! its games. What could tell who is who is not in it: names, files, hashes and descriptions
//! of plugins, their parameters, what they printed, and the words of their errors. Nor is the
//! order in which the games were played: the salt is public, and with a list of the names
//! everyone can compute who played first on a seed. So the records are in the order of a plan
//! that has the pseudonyms alone, a seed that not everyone has played is left out, and so is
//! what happened to games that were played at the same time. The language of an agent is not
//! in it either: its ABI, the time of its start and the number of its threads.

use std::{
    io::{self, Write},
    path::Path,
};

use super::{Pseudonyms, disguised_plan::disguised_plan, level_wall_times::LevelWallTimes};
use crate::run::{
    atomic_file,
    game_log::{LinePosition, LogLine, OpenLog, RecordFilter, parse_line},
    game_plan::GamePlan,
    game_record::GameRecord,
    record_line::line_of,
    run_files,
    run_plan::RunPlan,
};

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
    original: &'p RunPlan,
    original_games: GamePlan,
    pseudonyms: &'p Pseudonyms,
}

impl<'p> DisguisedRun<'p> {
    /// # Errors
    /// When the pseudonyms do not fit the plan, or cannot hide who is who.
    pub fn new(original: &'p RunPlan, pseudonyms: &'p Pseudonyms) -> Result<Self, DisguiseError> {
        if original.tournament.private_seeds > 0 {
            return Err(DisguiseError::PrivateSeeds);
        }
        if !original.is_whole() {
            return Err(DisguiseError::Shard);
        }
        pseudonyms.check(original).map_err(DisguiseError::Names)?;
        let plan = disguised_plan(original, pseudonyms);
        Ok(Self {
            games: plan.games(),
            plan,
            original,
            original_games: original.games(),
            pseudonyms,
        })
    }

    /// Writes the copy of a run. Of a run that has not ended, `first_missing` is the first game
    /// that has yet to be played: the copy ends before its seed. `counts` says whether a game
    /// counts in the ranking.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn write(
        &self,
        run: &Path,
        copy: &Path,
        first_missing: Option<u64>,
        counts: impl Fn(u64) -> bool,
    ) -> Result<(), DisguiseError> {
        atomic_file::create_folders(copy)?;
        let per_seed = self.games.games_per_seed();
        let end = first_missing.map_or(u64::MAX, |game| game / per_seed * per_seed);
        let log = OpenLog::of_run(run, &self.plan)?;
        let log = log.map(|log| log.in_any_order(copy)).transpose()?;
        let mut games: Vec<(u64, LinePosition)> = Vec::new();
        let mut wall_times = LevelWallTimes::default();
        let mut filter = RecordFilter::of(self.original);
        if let Some(log) = &log {
            log.read(|position, line| {
                if let LogLine::Record(record) = line
                    && record.game < end
                    && counts(record.game)
                    && filter.admit(&*record).is_ok()
                    && let Some(record) = self.record(*record)
                {
                    wall_times.add(&record);
                    games.push((record.game, position));
                }
            })?;
        }
        games.sort_unstable_by_key(|(game, position)| (*game, position.number));
        atomic_file::replace_with(&run_files::game_log(copy), |writer| {
            let mut bytes = Vec::new();
            for (log, (_, position)) in log.iter().cycle().zip(games) {
                log.line_at(position, &mut bytes)?;
                let record = match parse_line(&bytes) {
                    LogLine::Record(record) => self.record(*record),
                    LogLine::Malformed { .. } | LogLine::CutOff { .. } => None,
                };
                let changed = || io::Error::other("the game log changed while it was read");
                let record = wall_times.level(record.ok_or_else(changed)?);
                writer.write_all(&line_of(&record)?)?;
            }
            Ok(())
        })?;
        self.plan.write(copy)?;
        Ok(())
    }

    /// The record of the same game; `None` if it is not one of the copy's plan.
    fn record(&self, record: GameRecord) -> Option<GameRecord> {
        let name = self.pseudonyms.shown(&record.agent).into_owned();
        let agent = self
            .plan
            .agents
            .iter()
            .position(|agent| agent.name == name)?;
        let budgets = &self.plan.tournament.budgets;
        let budget = self.original_games.series_of(record.game).budget;
        let record = if self.plan.agents[agent].is_disguised() {
            GameRecord {
                fault: record.fault.map(|_| record.ending.sentence().to_owned()),
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
            budget: (budgets.len() > 1).then(|| budgets[budget].label()),
            // These tell the language, and which games were played at the same time or before
            // a pause.
            setup_ms: 0.0,
            stolen_us: 0,
            retries: Vec::new(),
            host: None,
            ..record
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{
        run::{
            example::{plan, record},
            game_log,
            game_record::{Ending, Retry, RetryReason},
            run_plan::{LeftOut, Numbering},
        },
        tournament::SaltChoice,
        worker::Abi,
    };
    use plugin_api::Salt;

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
        disguised
            .write(folder.path(), &copy, None, |_| true)
            .unwrap();
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
            assert_eq!(record.threads == 1, record.agent != "greedy");
            n_records += 1;
        })
        .unwrap();
        assert_eq!(n_records, 9);
    }

    /// The files of the copy of a run in which the agents of this order of names play. Each has a
    /// way of playing and a pseudonym of its own; the seventh game has not been played.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn copy_of(players: [usize; 3]) -> [String; 2] {
        const NAMES: [&str; 3] = ["anna", "bert", "carl"];
        const PSEUDONYMS: [&str; 3] = ["zebra", "elk", "fox"];
        let mut plan = plan(4, &NAMES);
        plan.salt = Salt::from_bytes([7; Salt::N_BYTES]);
        plan.published_salt = Some(plan.salt);
        plan.tournament.salt = SaltChoice::Given(plan.salt);
        let mut pseudonyms = String::new();
        for (agent, player) in players.into_iter().enumerate() {
            plan.tournament.agents[agent].submission = Some(format!("{}.so", NAMES[agent]));
            let entered = &mut plan.agents[agent];
            entered.sha256 = format!("{player}").repeat(64);
            entered.plugin.abi = [Abi::Rust, Abi::C, Abi::Text][player];
            entered.plugin.info.boards.max = 5 + u8::try_from(player).unwrap();
            pseudonyms.extend([NAMES[agent], ",", PSEUDONYMS[player], "\n"]);
        }
        let mut log = Vec::new();
        let games = plan.games();
        for game in games.games().take(8).filter(|game| game.number != 6) {
            let (place, player) = (game.number, players[game.agent] as u64);
            // 200 for the first two games of everyone; what each took depends on its place.
            let first = games.number_of(1, 0, game.agent).unwrap() as f64;
            let wall_ms = if game.seed == 1 {
                50.0 + first
            } else {
                150.0 - first
            };
            let record = GameRecord {
                game: place,
                fingerprint: plan.agents[game.agent].fingerprint(
                    &plan.tournament,
                    &plan.tournament.budgets[0],
                    &plan.salt,
                ),
                n_moves: 10 * player + game.seed,
                cpu_ms: 3.5,
                wall_ms,
                // What depends on when a game was played.
                setup_ms: if place == 0 { 70.0 } else { 2.0 },
                stolen_us: place,
                host: (place > 3).then(|| "2.0.0".to_owned()),
                retries: match place {
                    2 => vec![Retry {
                        reason: RetryReason::Paused,
                        n_moves: 3,
                        detail: "stopped".to_owned(),
                    }],
                    _ => Vec::new(),
                },
                ..record(NAMES[game.agent], game.seed, 1000 * player + game.seed)
            };
            log.extend(line_of(&record).unwrap());
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(run_files::game_log(folder.path()), log).unwrap();
        let copy = folder.path().join("copy");
        let pseudonyms = Pseudonyms::parse(&pseudonyms).unwrap();
        let disguised = DisguisedRun::new(&plan, &pseudonyms).unwrap();
        disguised
            .write(folder.path(), &copy, Some(6), |_| true)
            .unwrap();
        let files = [run_files::plan(&copy), run_files::game_log(&copy)];
        files.map(|file| fs::read_to_string(file).unwrap())
    }

    /// Whoever knows the names, the salt and this program can compute the order of play for
    /// every assignment of names to pseudonyms. All of them fit the copy equally well.
    #[test]
    fn the_copy_is_the_same_whoever_has_which_name() {
        let [plan, log] = copy_of([0, 1, 2]);
        let n_lines = log.lines().count();
        assert_eq!(
            n_lines, 6,
            "the seed of the missing game is left out: {log}"
        );
        for players in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            assert_eq!(copy_of(players), [plan.clone(), log.clone()], "{players:?}");
        }
    }
}
