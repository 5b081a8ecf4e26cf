//! Every worker has one core of its own, and the table of times says what it used.

use nix::{
    sched::{CpuSet, sched_getaffinity, sched_setaffinity},
    unistd::Pid,
};

use crate::support::{
    TournamentTest,
    processes::{WAITS, children_of, finish, tell_to_go_on, waiting_worker},
};

#[test]
fn the_fairness_table_shows_what_everybody_used() {
    let test = TournamentTest::new(
        "seeds: 1..2\nbudget: {per_move: 1ms}\nagents:\n- {plugin: scripted, params: {burn_us: 300}}\n- plugin: greedy\n",
    );
    test.run(&[]).expect_code(0);
    let report = test.host(&["report", "runs/t", "--tables", "times"]);
    let report = report.expect_code(0).stdout;
    let header = report
        .lines()
        .find(|line| line.contains("Budget") && line.contains("Overruns"))
        .expect("a fairness table");
    for column in [
        "Used",
        "Median",
        "p99",
        "Max",
        "CPU/move",
        "Wall/move",
        "Threads",
        "Nodes/CPU-ms",
    ] {
        assert!(header.contains(column), "{header}");
    }
}

/// The cores that a process may use, as the kernel lists them.
fn cores_of(process: i32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it lives");
    let cores = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    cores.expect("a list of cores").trim().to_owned()
}

#[test]
fn a_worker_is_bound_to_one_core() {
    let test = TournamentTest::new(WAITS);
    let run = test.start(&[]);
    let cores = cores_of(waiting_worker(&run, &[]));
    assert!(cores.parse::<usize>().is_ok(), "{cores}");
    finish(run).expect_code(0);
}

/// The test moves the launcher to another core, as `taskset` does. A worker begins on the core
/// of its launcher.
#[test]
fn a_launcher_that_was_moved_starts_the_next_worker_on_its_core_all_the_same() {
    let test = TournamentTest::new(WAITS);
    let run = test.start(&[]);
    let first = waiting_worker(&run, &[]);
    let core = cores_of(first);
    let launchers = children_of(run.id(), "launcher");
    let [launcher] = launchers[..] else {
        panic!("one launcher: {launchers:?}");
    };
    let others = usable_cores().filter(|other| other.to_string() != core);
    for other in others.take(1) {
        let mut cores = CpuSet::new();
        cores.set(other).expect("a core");
        sched_setaffinity(Pid::from_raw(launcher), &cores).expect("one's own process");
        assert_eq!(cores_of(launcher), other.to_string());
    }
    tell_to_go_on(first);
    let second = waiting_worker(&run, &[first]);
    assert_eq!(cores_of(second), core);
    finish(run).expect_code(0);
}

fn usable_cores() -> impl Iterator<Item = usize> {
    let cores = sched_getaffinity(Pid::from_raw(0)).expect("the cores of this process");
    (0..CpuSet::count()).filter(move |core| cores.is_set(*core).unwrap_or(false))
}
