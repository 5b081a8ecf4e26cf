//! Power cuts during a run, a resumed run and a merge: no synced record is lost or doubled,
//! and no salt is lost.
//!
//! The calls of the real program are recorded. After every call the power may fail, and
//! what was not synced may be there or not. Each disk that can be left is written into a
//! folder, and the same command is executed in it again.

mod disk;
mod recording;

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use run::run_plan::RunPlan;

use crate::support::{Finished, TournamentTest, all_without_times, host, records_of};
use disk::{CrashState, Disk, Fate};
use recording::{Call, Recorder};

const YAML: &str = "name: t\nboard: 2\nsalt: secret\nseeds: 1..8\nisolation: none\nworkers: 1\n\
                    agents: [{plugin: greedy}, {plugin: random}]\n";
const RUN: [&str; 2] = ["run", "t.yaml"];
const MERGE: [&str; 5] = ["merge", "1-of-2", "2-of-2", "--out", "runs/t"];

/// How often the fate of unsynced changes is drawn at every call.
const DRAWS: u64 = 8;

/// A disk after a power cut, and what must not be lost.
struct Case {
    state: CrashState,
    /// The lines of the log that had been synced.
    safe_lines: Vec<String>,
    had_safe_salt: bool,
}

fn command_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = host();
    command
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null());
    command
}

/// All disks that a power cut during these calls can leave, each once.
fn cases(before: Disk, calls: &[Call]) -> Vec<Case> {
    let mut seen = BTreeSet::new();
    let mut cases = Vec::new();
    let mut disk = before;
    for (number, call) in (0..).zip(calls) {
        disk.apply(call);
        for fate in fates(number) {
            let state = disk.after_cut(fate);
            // Every command writes the page anew, so the page does not tell two disks apart.
            let mut compared = state.clone();
            compared.retain(|path, _| !path.to_string_lossy().contains("report.html"));
            if seen.insert(compared) {
                cases.push(Case {
                    state,
                    safe_lines: safe_lines(&disk),
                    had_safe_salt: has_safe_salt(&disk),
                });
            }
        }
    }
    cases
}

/// What may become of unsynced changes at a call. All of them are kept when the program is
/// killed.
fn fates(call: u64) -> impl Iterator<Item = Fate> {
    let drawn = (0..DRAWS).map(move |draw| Fate::Some(call * DRAWS + draw));
    let fates = [
        Fate::AllLost,
        Fate::AllKept,
        Fate::OnlyNames,
        Fate::OnlyContents,
        Fate::Zeros,
    ];
    fates.into_iter().chain(drawn)
}

fn safe_lines(disk: &Disk) -> Vec<String> {
    let log = disk.safe_content(Path::new("runs/t/games.jsonl"));
    let text = String::from_utf8_lossy(log.unwrap_or_default()).into_owned();
    let lines = text.split_inclusive('\n');
    let whole = lines.filter(|line| line.ends_with('\n') && line.starts_with('{'));
    whole.map(str::to_owned).collect()
}

fn has_safe_salt(disk: &Disk) -> bool {
    let is_full = |path: &str| {
        let content = disk.safe_content(Path::new(path));
        content.is_some_and(|content| !content.is_empty())
    };
    is_full("runs/t/salt") || is_full("runs/t/plan.json")
}

/// How many of the disks are tried: all of them in `.ci/slow`, one of four in `.ci/run`.
#[derive(Clone, Copy)]
enum Share {
    All,
    OneOfFour,
}

impl Share {
    fn of(self, mut cases: Vec<Case>) -> Vec<Case> {
        if let Self::OneOfFour = self {
            cases = cases.into_iter().step_by(4).collect();
        }
        cases
    }
}

/// Executes a command on every disk, several at a time, and checks what it leaves.
fn check_all(cases: &[Case], arguments: &[&str], check: impl Fn(&Case, &Path) + Sync) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let folder = tempfile::tempdir().expect("a temporary folder");
                    write_state(&case.state, folder.path());
                    let finished = Finished::of(&mut command_in(folder.path(), arguments));
                    if finished.code == Some(0) {
                        check(case, folder.path());
                    } else {
                        let names: Vec<_> = case.state.keys().collect();
                        let failure = format!("{names:?}: {}", finished.stderr);
                        failures.lock().expect("a list").push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("a list");
    assert_eq!(failures, [""; 0], "of {} disks", cases.len());
}

fn write_state(state: &CrashState, folder: &Path) {
    for (path, content) in state {
        let path = folder.join(path);
        match content {
            None => fs::create_dir_all(path).expect("a folder"),
            Some(content) => fs::write(path, content).expect("a file"),
        }
    }
}

/// The run on a disk has the records of the undisturbed one, and what was safe is there.
fn check_run(case: &Case, folder: &Path, undisturbed: &Path) {
    let run = folder.join("runs/t");
    let log = fs::read_to_string(run.join("games.jsonl")).expect("a log");
    for line in &case.safe_lines {
        let n_times = log.matches(line.as_str()).count();
        assert_eq!(n_times, 1, "a synced record is there once: {line}");
    }
    let salt = |run: &Path| RunPlan::read(run).expect("a plan").salt;
    let is_same_salt = salt(&run) == salt(undisturbed);
    if case.had_safe_salt {
        assert!(is_same_salt, "the salt was lost");
    }
    let records = records_of(&run.join("games.jsonl"));
    if is_same_salt {
        let expected = records_of(&undisturbed.join("games.jsonl"));
        assert_eq!(all_without_times(records), all_without_times(expected));
    } else {
        assert_eq!(case.safe_lines.len(), 0, "records of another salt");
        assert_eq!(records.len(), 16);
        Finished::of(&mut command_in(folder, &["verify", "runs/t"])).expect_code(0);
    }
}

#[test]
fn a_run_survives_a_power_cut() {
    cut_power_of_run(Share::OneOfFour);
}

#[test]
#[ignore = "takes half a minute of CPU time; `.ci/slow` runs it"]
fn a_run_survives_a_power_cut_at_every_call() {
    cut_power_of_run(Share::All);
}

fn cut_power_of_run(share: Share) {
    let recorder = Recorder::new();
    let test = TournamentTest::new(YAML);
    let before = Disk::of(test.folder.path());
    let mut command = command_in(test.folder.path(), &RUN);
    let calls = recorder.record(&mut command, test.folder.path());
    let cases = cases(before, &calls);
    assert!(cases.len() >= 100, "{} disks", cases.len());
    let cases = share.of(cases);
    check_all(&cases, &RUN, |case, folder| {
        check_run(case, folder, &test.path("runs/t"));
    });
}

#[test]
fn a_resumed_run_survives_a_power_cut() {
    cut_power_of_resumed_run(Share::OneOfFour);
}

#[test]
#[ignore = "takes half a minute of CPU time; `.ci/slow` runs it"]
fn a_resumed_run_survives_a_power_cut_at_every_call() {
    cut_power_of_resumed_run(Share::All);
}

fn cut_power_of_resumed_run(share: Share) {
    let recorder = Recorder::new();
    let test = TournamentTest::new(YAML);
    test.run(&["--seed", "1"]).expect_code(0);
    // A line that is no record and one that is cut off: the log is written anew.
    let log = fs::read_to_string(test.log()).expect("a log");
    fs::write(test.log(), format!("garbage\n{log}{{\"v\":1,")).expect("a log");
    let before = Disk::of(test.folder.path());
    let mut command = command_in(test.folder.path(), &RUN);
    let calls = recorder.record(&mut command, test.folder.path());
    let cases = cases(before, &calls);
    assert!(cases.len() >= 100, "{} disks", cases.len());
    let cases = share.of(cases);
    check_all(&cases, &RUN, |case, folder| {
        assert!(case.had_safe_salt, "the salt was there before");
        check_run(case, folder, &test.path("runs/t"));
    });
}

#[test]
fn a_merge_survives_a_power_cut_at_every_call() {
    let recorder = Recorder::new();
    let test = TournamentTest::new(YAML);
    test.host(&["salt", "our.salt"]).expect_code(0);
    for number in ["1", "2"] {
        let shard = format!("{number}/2");
        let out = format!("{number}-of-2");
        test.run(&["--shard", &shard, "--out", &out, "--salt-file", "our.salt"])
            .expect_code(0);
    }
    let before = Disk::of(test.folder.path());
    let mut command = command_in(test.folder.path(), &MERGE);
    let calls = recorder.record(&mut command, test.folder.path());
    let cases = cases(before, &calls);
    assert!(cases.len() >= 12, "{} disks", cases.len());
    let merged = fs::read(test.log()).expect("a log");
    check_all(&cases, &MERGE, |case, folder| {
        assert_eq!(
            fs::read(folder.join("runs/t/games.jsonl")).expect("a log"),
            merged
        );
        check_run(case, folder, &test.path("runs/t"));
    });
}

#[test]
fn a_report_is_old_or_new_and_never_half() {
    let recorder = Recorder::new();
    let test = TournamentTest::new(YAML);
    test.run(&[]).expect_code(0);
    test.write("page.html", "old");
    let folder = test.folder.path();
    for (file, old) in [("page.html", Some(b"old".to_vec())), ("new.html", None)] {
        let arguments = &["report", "runs/t", "--html", file];
        let mut disk = Disk::of(folder);
        let calls = recorder.record(&mut command_in(folder, arguments), folder);
        let mut cases: BTreeSet<CrashState> = BTreeSet::new();
        for (number, call) in (0..).zip(&calls) {
            disk.apply(call);
            cases.extend(fates(number).map(|fate| disk.after_cut(fate)));
        }
        let content = |state: &CrashState| state.get(Path::new(file)).cloned().flatten();
        // Not what is in the folder: copies inside the kernel are not recorded.
        let new = content(&disk.after_cut(Fate::AllKept)).expect("the file");
        for state in &cases {
            let found = content(state);
            let is_whole = found == old || found.as_ref() == Some(&new);
            assert!(is_whole, "{file} has {:?} bytes", found.map(|it| it.len()));
        }
        assert_eq!(content(&disk.after_cut(Fate::AllLost)), Some(new), "synced");
        // Half of it was somewhere else.
        assert!(cases.len() >= 4, "{} disks", cases.len());
        let cases: Vec<Case> = cases
            .into_iter()
            .filter(|state| content(state) == old)
            .map(|state| Case {
                state,
                safe_lines: Vec::new(),
                had_safe_salt: true,
            })
            .collect();
        check_all(&cases, arguments, |_, folder| {
            let again = fs::metadata(folder.join(file)).expect("the file");
            assert!(again.len() > 1000, "it is written after all");
        });
    }
}
