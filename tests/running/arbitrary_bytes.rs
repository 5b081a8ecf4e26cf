//! Arbitrary bytes in tournament files, game logs and on the workers' pipes.
//!
//! Each file of `tests/corpus` is tried as it is and in many damaged versions. The
//! damage is the same in every run of the tests; `ARENA_FUZZ_CASES` and
//! `ARENA_FUZZ_SEED` ask for more and for other damage.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use play::player::{GameTask, Player, WorkerPlayer};
use plugin_api::{Allowance, Game, Rules, Salt, Turn};
use rand::{Rng, RngExt, SeedableRng, rngs::ChaCha8Rng};
use report::{
    Report,
    formats::{csv, json, latex, markdown, report_table::ReportTable, terminal_text},
    layout::Layout,
};
use run::{
    example::figures_in,
    game_log::{self, LogLine},
    game_record::GameRecord,
    run_folder::RunFolder,
    run_plan::RunPlan,
    verification::{Extent, verify},
};
use tournament::{
    Budget, Sandbox,
    file::{TournamentSource, parse},
};
use worker::{PluginFile, WorkerOptions, sandbox::SandboxRules};

use crate::support::{TournamentTest, host, program_folder, repository};

fn setting(name: &str, otherwise: u64) -> u64 {
    let value = std::env::var(name).ok();
    value
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

fn corpus(folder: &str) -> Vec<PathBuf> {
    let folder = repository().join("tests/corpus").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a corpus")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(files.len() >= 3, "{files:?}");
    files
}

/// Tries every file as it is and damaged in `n_cases` ways.
fn try_all(files: &[PathBuf], n_cases: u64, mut attempt: impl FnMut(&[u8])) {
    let n_cases = setting("ARENA_FUZZ_CASES", n_cases);
    let first_seed = setting("ARENA_FUZZ_SEED", 2048);
    let contents: Vec<Vec<u8>> = files
        .iter()
        .map(|file| fs::read(file).expect("a file of the corpus"))
        .collect();
    for content in &contents {
        attempt(content);
        for case in 0..n_cases {
            let mut random = ChaCha8Rng::seed_from_u64(first_seed.wrapping_add(case));
            let other = &contents[random.random_range(0..contents.len())];
            attempt(&damaged(content, other, &mut random));
        }
    }
}

/// One to four changes: different bytes or numbers, pieces removed, duplicated, or swapped
/// with pieces of another file.
fn damaged(content: &[u8], other: &[u8], random: &mut impl Rng) -> Vec<u8> {
    const NUMBERS: [&str; 8] = [
        "0",
        "-1",
        "18446744073709551616",
        "1e400",
        "4.9e-324",
        "null",
        "9007199254740993",
        "\"\"",
    ];
    let mut bytes = content.to_vec();
    for _ in 0..random.random_range(1..=4) {
        let at = random.random_range(0..=bytes.len());
        let end = (at + random.random_range(0..20)).min(bytes.len());
        match random.random_range(0..6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            1 => drop(bytes.splice(at..end, [])),
            2 => bytes.insert(at, random.random()),
            3 => {
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            4 if !other.is_empty() => {
                let from = random.random_range(0..other.len());
                let to = (from + random.random_range(0..200)).min(other.len());
                drop(bytes.splice(at..end, other[from..to].iter().copied()));
            }
            _ => {
                let start = (at..bytes.len()).find(|&place| bytes[place].is_ascii_digit());
                let start = start.unwrap_or(at);
                let digits = bytes[start..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit());
                let end = start + digits.count();
                let number = NUMBERS[random.random_range(0..NUMBERS.len())];
                drop(bytes.splice(start..end, number.bytes()));
            }
        }
    }
    bytes
}

#[test]
fn no_tournament_file_makes_the_host_panic() {
    let mut files = corpus("tournament-files");
    files.push(repository().join("tournaments/default.yaml"));
    try_all(&files, 400, |bytes| {
        if let Ok(source) = TournamentSource::from_bytes("x.yaml", bytes.to_vec()) {
            let _ = parse(&source).map_err(|diagnostics| diagnostics.to_string());
        }
    });
}

#[test]
fn no_game_log_makes_reports_verification_or_resumption_panic() {
    let test = TournamentTest::new(
        "board: 2\nseeds: 1..3\nagents: [{plugin: greedy}, {plugin: random}]\n",
    );
    test.run(&[]).expect_code(0);
    let folder = test.path("runs/t");
    let plan = RunPlan::read(&folder).expect("a plan");
    let mut files = corpus("game-logs");
    files.push(test.path("real.jsonl"));
    fs::copy(test.log(), test.path("real.jsonl")).expect("a copy of the log");
    let held = RunFolder::open(&folder).expect("the folder");
    try_all(&files, 60, |bytes| {
        fs::write(test.log(), bytes).expect("a log");
        print_everything(&folder, &plan);
        verify(&folder, &plan, &Extent::All, |_| None).expect("the log can be read");
        held.take_over(&plan, |_| true)
            .expect("what holds is taken over");
        print_everything(&folder, &plan);
    });
}

fn print_everything(folder: &Path, plan: &RunPlan) {
    let mut records: Vec<GameRecord> = Vec::new();
    let read = game_log::read(&folder.join("games.jsonl"), |_, line| {
        if let LogLine::Record(record) = line {
            records.push(*record);
        }
    });
    read.expect("the log can be read");
    let report = Report::new(plan, &figures_in(plan, &records)).with_evidence_of(folder, plan);
    let layout = Layout {
        width: Some(80),
        ..Layout::default()
    };
    let texts = [
        terminal_text::terminal_text(&report, ReportTable::all(), layout),
        terminal_text::summary_text(&report, layout),
        json::json(&report).expect("every report has a JSON form"),
        csv::csv(&report),
        csv::pairs_csv(&report),
        markdown::markdown(&report, ReportTable::all()),
        latex::latex(&report, &latex::USUAL),
    ];
    for text in texts {
        // Control characters in a log must not reach the terminal.
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}

#[test]
fn no_plan_makes_the_host_panic() {
    let test = TournamentTest::new("board: 2\nseeds: 1..2\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let folder = test.path("runs/t");
    fs::copy(folder.join("plan.json"), test.path("plan.json")).expect("a copy");
    try_all(&[test.path("plan.json")], 400, |bytes| {
        fs::write(folder.join("plan.json"), bytes).expect("a plan");
        if let Ok(plan) = RunPlan::read(&folder) {
            print_everything(&folder, &plan);
        }
    });
}

/// A program in place of the worker, which writes some bytes whatever it reads.
#[test]
fn nothing_a_worker_writes_makes_the_host_panic_or_wait() {
    let test = TournamentTest::new("");
    host(); // builds the plugins
    let library = program_folder().join("libgreedy.so");
    let library = PluginFile::seal(&library).expect("a plugin").unsealed();
    let (program, output) = (test.path("worker"), test.path("output"));
    let script = format!("#!/bin/sh\nexec cat '{}'\n", output.display());
    fs::write(&program, script).expect("a script");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can be run");
    let options = WorkerOptions {
        program: Some(&program),
        ..WorkerOptions::default()
    };
    let task = game_task(library);
    play_what_is_written(&corpus("worker-output"), &output, &task, options);
}

/// A program that answers every line with the next line of a file.
#[test]
fn nothing_a_program_says_makes_the_host_panic_or_wait() {
    let test = TournamentTest::new("");
    let (worker, output) = (host().get_program().to_owned(), test.path("output"));
    let script = format!(
        "while read -r question && read -r answer <&3; do printf '%s\\n' \"$answer\"; done 3< '{}'",
        output.display()
    );
    let words = ["sh".to_owned(), "-c".to_owned(), script];
    let program = PluginFile::seal_command(&words, test.folder.path()).expect("a shell");
    let options = WorkerOptions {
        program: Some(Path::new(&worker)),
        ..WorkerOptions::default()
    };
    let task = game_task(program.unsealed());
    play_what_is_written(&corpus("text-protocol"), &output, &task, options);
}

fn game_task(plugin: PluginFile) -> GameTask {
    GameTask {
        plugin,
        sandbox: SandboxRules {
            mode: Sandbox::Off,
            memory: 1 << 30,
            allow_read: Vec::new(),
            allow_read_sha256: None,
        },
        params: "{}".to_owned(),
        setup: "{}".to_owned(),
        budget: Budget {
            setup: Duration::from_secs(5),
            hang: Duration::from_secs(5),
            ..Budget::default()
        },
    }
}

/// Plays with an agent whose words are in a file.
fn play_what_is_written(
    corpus: &[PathBuf],
    output: &Path,
    task: &GameTask,
    options: WorkerOptions<'_>,
) {
    let game = Game::start(Rules::default(), &Salt::NONE, 1);
    let turn = Turn {
        move_number: 1,
        score: 0,
        allowance: Allowance::Unlimited,
    };
    try_all(corpus, 12, |bytes| {
        fs::write(output, bytes).expect("what it writes");
        if let Ok(mut player) = WorkerPlayer::start(task, options) {
            while player.choose(game.board(), &turn).is_ok() {}
        }
    });
}
