//! Writes the folder of a run that was never played, to measure the cost of reports.
//!
//! Run `cargo run --release -p host --example synthetic_run -- DIR [RECORDS [MOVES [SHARDS
//! [AGENTS]]]]`, then `host report DIR`, or with shards `host merge DIR/* --out OTHER`. Six agents,
//! if no other number is given, share the seeds; scores grow with the agent and vary with the seed,
//! and the moves are invented. With 0 MOVES, games are played to their end with random moves, and
//! `host verify` can replay them. If DIR has a plan, because a `host run` was stopped there at once,
//! its games are recorded, and `host run` can resume.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufWriter, Write},
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use anyhow::Context;
use plugin_api::{Direction, Game, RulesName, Status};
use run::agent::{Agent, Inspection};
use run::{
    game_record::{Ending, GameCourse, GameRecord, MoveTimes},
    record_line::line_of,
    run_files,
    run_plan::RunPlan,
    shard::Shard,
};
use tournament::file::{TournamentSource, parse};

const NAMES: [&str; 6] = ["anna", "bert", "carl", "dora", "emil", "fred"];

/// Six names, then the same with numbers.
fn name(agent: u64) -> String {
    let (round, place) = (agent / 6, usize::try_from(agent % 6).expect("below six"));
    match round {
        0 => NAMES[place].to_owned(),
        round => format!("{}-{round}", NAMES[place]),
    }
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments
        .first()
        .context("expected the folder of the run as the first argument")?;
    let number = |index: usize, default: u64| match arguments.get(index) {
        Some(text) => text.parse().context("expected a number"),
        None => Ok(default),
    };
    let (n_records, n_moves) = (number(1, 100_000)?, number(2, 1_000)?);
    let folder = Path::new(folder);
    let n_shards = u32::try_from(number(3, 0)?).context("so many shards?")?;
    let names: Vec<String> = (0..number(4, 6)?.max(1)).map(name).collect();
    match NonZeroU32::new(n_shards) {
        None => write_run(folder, &names, n_records, n_moves, None),
        Some(of) => Shard::all(of).try_for_each(|shard| {
            let folder = folder.join(shard.folder_name());
            write_run(&folder, &names, n_records, n_moves, Some(shard))
        }),
    }
}

fn write_run(
    folder: &Path,
    names: &[String],
    n_records: u64,
    n_moves: u64,
    shard: Option<Shard>,
) -> anyhow::Result<()> {
    let plan = if run_files::plan(folder).exists() {
        RunPlan::read(folder)?
    } else {
        new_plan(names, n_records)?.for_shard(shard)
    };
    let budget = plan.tournament.budgets[0];
    let fingerprints: Vec<String> = plan
        .agents
        .iter()
        .map(|agent| agent.fingerprint(&plan.tournament, &budget, &plan.salt))
        .collect();
    fs::create_dir_all(folder)?;
    plan.write(folder)?;
    let mut log = BufWriter::new(File::create(run_files::game_log(folder))?);
    let n_agents = plan.agents.len() as u64;
    let is_own = |game: &u64| shard.is_none_or(|shard| shard.has(*game, n_agents));
    let games = plan.games();
    for number in (0..n_records).filter(is_own) {
        let game = games.game(number).context("the plan has fewer games")?;
        let record = GameRecord {
            game: number,
            agent: plan.agents[game.agent].name.clone(),
            fingerprint: fingerprints[game.agent].clone(),
            ..if n_moves == 0 {
                played_record(&plan, number, game.seed)
            } else {
                invented_record(number, game.seed, game.agent as u64, n_moves)
            }
        };
        log.write_all(&line_of(&record)?)?;
    }
    log.flush()?;
    Ok(())
}

fn new_plan(names: &[String], n_records: u64) -> anyhow::Result<RunPlan> {
    let agents: Vec<String> = names
        .iter()
        .map(|name| format!("{{plugin: {name}}}"))
        .collect();
    let yaml = format!(
        "seeds: 1..{}\nbudget: {{per_move: 1ms}}\nagents: [{}]\n",
        n_records.div_ceil(names.len() as u64).max(1),
        agents.join(", ")
    );
    let tournament = parse(&TournamentSource::new("synthetic.yaml", yaml))?;
    let agents = names.iter().map(|name| agent(name)).collect();
    Ok(RunPlan::new(tournament, agents, None, None))
}

fn agent(name: &str) -> Agent {
    let plugin = serde_json::json!({"info": {"name": name, "version": "1.0.0"}, "abi": "rust"});
    Agent {
        name: name.to_owned(),
        path: PathBuf::from(format!("lib{name}.so")),
        sha256: "0".repeat(64),
        plugin: serde_json::from_value::<Inspection>(plugin).expect("a description"),
        params: "{}".to_owned(),
        allow_read: Vec::new(),
        file: None,
        sealed: std::sync::OnceLock::new(),
        allow_read_sha256: None,
        program: None,
    }
}

/// Numbers that look random, by Weyl's sequence and multiplication.
fn scattered(number: u64) -> u64 {
    let mixed = number
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(0x1234_5678_9abc_def1);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

/// A game of random moves, up to its end.
fn played_record(plan: &RunPlan, number: u64, seed: u64) -> GameRecord {
    let mut game = Game::start(plan.tournament.rules(), &plan.salt, seed);
    let mut course = GameCourse::start(game.board());
    let mut moves = String::new();
    while game.status() == Status::Running {
        let mut order = Direction::ALL;
        let turn = scattered(number.wrapping_mul(7_919).wrapping_add(game.n_moves())) % 4;
        order.rotate_left(usize::try_from(turn).expect("below four"));
        let legal = order.into_iter().find(|way| game.play(*way).is_some());
        moves.push(legal.expect("a running game has a legal move").letter());
        course.after_move(&game);
    }
    GameRecord {
        score: game.score(),
        highest: game.board().highest(),
        highest_at: Some(course.highest_at()),
        crowded_moves: Some(course.crowded_moves(&game)),
        board: game.board().tiles(),
        moves,
        ..invented_record(number, seed, 0, game.n_moves())
    }
}

fn invented_record(game: u64, seed: u64, agent: u64, n_moves: u64) -> GameRecord {
    let score = 10_000 + 40 * agent + scattered(seed) % 20_000 + scattered(game) % 20_000;
    let moves = (0..n_moves).map(|number| {
        let letter = scattered(game.wrapping_mul(7_919).wrapping_add(number)) % 4;
        ['U', 'R', 'D', 'L'][usize::try_from(letter).expect("below four")]
    });
    GameRecord {
        v: 1,
        rules: RulesName::default(),
        game,
        agent: String::new(),
        budget: None,
        seed,
        score,
        highest: 1 << (score / 8_000 + 7).min(13),
        n_moves,
        highest_at: Some(n_moves - scattered(game) % (n_moves / 2 + 1)),
        crowded_moves: Some(scattered(game) % 40),
        moves: moves.collect(),
        board: vec![vec![2, 4, 8, 16]; 4],
        ending: Ending::NoMoveLeft,
        fault: None,
        timeout: false,
        setup_ms: 1.0,
        cpu_ms: 912.345,
        wall_ms: 1_000.5,
        cpu_us_histogram: (4..14)
            .map(|exponent| (1 << exponent, n_moves / 10))
            .collect::<BTreeMap<_, _>>(),
        cpu_us_by_empty: (0..15).map(|empty| (n_moves / 15, empty * 1_000)).collect(),
        move_us: MoveTimes {
            p50: 790.0,
            p99: 1_012.0,
            max: 1_430.0,
        },
        stolen_us: 0,
        retries: Vec::new(),
        overdrawn_us: 0,
        overruns: 0,
        threads: 1,
        nodes: 1_000_000,
        fingerprint: String::new(),
        host: GameRecord::this_host(),
    }
}
