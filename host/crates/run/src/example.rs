//! Small plans and records for the tests of this folder and of the folders after it.

use std::{collections::BTreeMap, sync::OnceLock};

use plugin_api::{RulesName, Salt};

use super::{
    game_figures::GameFigures,
    game_log::LinePosition,
    game_plan::Series,
    game_record::{Ending, GameRecord, MoveTimes},
    machine::Machine,
    run_plan::RunPlan,
};
use tournament::{
    AgentEntry,
    file::{TournamentSource, parse},
};
use worker::Abi;

use crate::agent::{Agent, Inspection};

/// A machine with this processor.
pub fn machine(cpu: &str, nodes_per_second: Option<u64>) -> Machine {
    Machine {
        cpu: cpu.to_owned(),
        cores: 2,
        kernel: "6.1".to_owned(),
        nodes_per_second,
    }
}

/// A plan over seeds 1 to 40 with agents of these names, some of which a tournament file
/// would reject.
pub fn plan(side: u8, names: &[&str]) -> RunPlan {
    let text = format!("board: {side}\nseeds: 1..40\nagents: [{{plugin: a}}]\n");
    let mut tournament =
        parse(&TournamentSource::new("x.yaml", &text)).expect("a valid tournament");
    let entry = tournament.agents.remove(0);
    tournament
        .agents
        .extend(names.iter().map(|name| AgentEntry {
            name: (*name).to_owned(),
            ..entry.clone()
        }));
    let info = serde_json::json!({"api": "1.0.0", "name": "plugin", "version": "1.2.3"});
    let inspection = Inspection {
        info: plugin_api::PluginInfo::from_json(&info.to_string()).expect("enough information"),
        abi: Abi::Rust,
    };
    let agent = |name: &&str| Agent {
        name: (*name).to_owned(),
        path: "plugin.so".into(),
        sha256: "0123456789abcdef".repeat(4),
        plugin: inspection.clone(),
        params: "{}".into(),
        allow_read: Vec::new(),
        file: None,
        sealed: OnceLock::new(),
        allow_read_sha256: None,
        program: None,
    };
    RunPlan {
        v: 1,
        rules: RulesName::default(),
        host_version: "1.0.0".into(),
        machine: Machine {
            cpu: "a processor".into(),
            cores: 2,
            kernel: "6.1".into(),
            nodes_per_second: Some(20_000_000),
        },
        machines: Vec::new(),
        salt: Salt::NONE,
        published_salt: Some(Salt::NONE),
        salt_commitment: None,
        shard: None,
        tournament,
        agents: names.iter().map(agent).collect(),
        left_out: Vec::new(),
    }
}

/// A minimal record; `..record("a", 1, 0)` fills in the fields that a test does not need.
pub fn record(agent: &str, seed: u64, score: u64) -> GameRecord {
    GameRecord {
        v: 1,
        rules: RulesName::default(),
        game: seed,
        agent: agent.into(),
        budget: None,
        seed,
        score,
        highest: 2,
        n_moves: 0,
        highest_at: None,
        crowded_moves: None,
        moves: String::new(),
        board: Vec::new(),
        ending: Ending::NoMoveLeft,
        fault: None,
        timeout: false,
        setup_ms: 0.0,
        cpu_ms: 0.0,
        wall_ms: 0.0,
        cpu_us_histogram: BTreeMap::new(),
        cpu_us_by_empty: Vec::new(),
        move_us: MoveTimes::default(),
        stolen_us: 0,
        retries: Vec::new(),
        overdrawn_us: 0,
        overruns: 0,
        threads: 1,
        nodes: 0,
        fingerprint: "0".repeat(GameRecord::FINGERPRINT_DIGITS),
        host: GameRecord::this_host(),
    }
}

/// The figures of a minimal record of an agent of the plan, under its first budget.
pub fn figures(agent: usize, seed: u64, score: u64) -> GameFigures {
    GameFigures {
        series: Series { budget: 0, agent },
        ..figures_of(&record("", seed, score))
    }
}

/// The figures of a record of the first series.
pub fn figures_of(record: &GameRecord) -> GameFigures {
    let series = Series {
        budget: 0,
        agent: 0,
    };
    GameFigures::new(record, series, LinePosition::default())
}

/// The figures of records with the numbers that their games have in the plan.
pub fn figures_in(plan: &RunPlan, records: &[GameRecord]) -> Vec<GameFigures> {
    let games = plan.games();
    let figures = |record: &GameRecord| {
        GameFigures::new(
            record,
            games.series_of(record.game),
            LinePosition::default(),
        )
    };
    records.iter().map(figures).collect()
}
