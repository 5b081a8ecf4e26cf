//! The overhead of a turn besides the agent's own time: in a worker, and inside the host.
//!
//! `cargo build --release && cargo bench -p host --bench turn`; the plugins must lie
//! beside the program.

use std::{
    hint::black_box,
    path::Path,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use criterion::{Criterion, criterion_group, criterion_main};
use nix::{
    sched::{CpuSet, sched_setaffinity},
    unistd::Pid,
};
use play::{
    player::{GameTask, InProcessPlayer, Player, WorkerPlayer},
    referee,
};
use plugin_api::{Game, GameSetup, Rules, Salt};
use tournament::{Budget, Sandbox};
use worker::{PluginFile, PluginLibrary, WorkerOptions, sandbox::SandboxRules};

/// The result of seed 1 of the open tiles played by `greedy`; every timed game must have it.
const SEED: u64 = 1;
const SCORE: u64 = 2856;

/// These games are never stopped.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Plays whole games until at least this many turns are timed; returns the time that the agent
/// itself did not use, scaled to exactly this many turns.
fn overhead(n_turns: u64, mut start: impl FnMut() -> Box<dyn Player>) -> Duration {
    let (mut spent, mut n_played) = (Duration::ZERO, 0);
    while n_played < n_turns {
        let mut player = start();
        let game = Game::start(Rules::default(), &Salt::NONE, SEED);
        let begin = Instant::now();
        let result = referee::play(game, player.as_mut(), &Budget::default());
        let elapsed = begin.elapsed();
        let result = black_box(result.expect("nothing interrupts the game"));
        assert_eq!(result.game.score(), SCORE);
        spent += elapsed.saturating_sub(result.wall_times.total());
        n_played += result.game.n_moves();
    }
    #[expect(clippy::cast_precision_loss, reason = "a share of a measured time")]
    spent.mul_f64(n_turns as f64 / n_played as f64)
}

/// As in a tournament: referee and worker share a core.
fn pin_to_first_core() {
    let mut cores = CpuSet::new();
    cores.set(0).expect("there is a core 0");
    sched_setaffinity(Pid::from_raw(0), &cores).expect("a process may choose its core");
}

fn turns(criterion: &mut Criterion) {
    pin_to_first_core();
    let host = Path::new(env!("CARGO_BIN_EXE_host"));
    let plugin = host.with_file_name("libgreedy.so");
    let task = GameTask {
        plugin: PluginFile::seal(&plugin).expect("a plugin").unsealed(),
        sandbox: SandboxRules {
            mode: Sandbox::On,
            memory: 4 << 30,
            allow_read: Vec::new(),
            allow_read_sha256: None,
        },
        params: "{}".to_owned(),
        setup: GameSetup::new().to_json(),
        budget: Budget::default(),
    };
    criterion.bench_function("turn through a worker", |bencher| {
        let options = WorkerOptions {
            core: Some(0),
            program: Some(host),
            ..WorkerOptions::default()
        };
        bencher.iter_custom(|n_turns| {
            overhead(n_turns, || {
                Box::new(WorkerPlayer::start(&task, options).expect("a worker starts"))
            })
        });
    });
    let library = PluginLibrary::open(&plugin).expect("the plugin lies beside the program");
    criterion.bench_function("turn inside the host", |bencher| {
        bencher.iter_custom(|n_turns| {
            overhead(n_turns, || {
                let agent =
                    InProcessPlayer::start(library.plugin.as_ref(), "{}", &task.setup, &NEVER);
                Box::new(agent.expect("the agent is made"))
            })
        });
    });
}

criterion_group!(benches, turns);
criterion_main!(benches);
