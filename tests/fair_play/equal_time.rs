//! No agent gets more time than another.

use nix::{
    sched::{CpuSet, sched_getaffinity, sched_setaffinity},
    unistd::Pid,
};

use crate::{
    fair_play::outside_events::SLOW,
    support::{
        TournamentTest,
        patience::holds_in_one_of_three,
        processes::{children_of, next_worker},
    },
};

/// A long game: on a board of 8 by 8 and this seed the scripted agent plays more than
/// twenty thousand moves.
fn long_game(max_moves: u32, agents: &str) -> TournamentTest {
    TournamentTest::new(&format!(
        "board: 8\nfour: 0\nseeds: 2976..2976\nmax_moves: {max_moves}\nbudget: {{per_move: 1ms}}\nagents:\n{agents}"
    ))
}

#[test]
fn five_percent_too_much_on_every_move_is_caught() {
    let test = long_game(
        4000,
        "- {plugin: scripted, name: greedy-of-time, params: {burn_us: 1050}}\n",
    );
    let told = test.run(&[]).expect_code(0).stderr;
    let record = test.records().remove(0);
    assert_eq!(record.ending.name(), "overrun", "{:?}", record.fault);
    // What to do is said where it fails.
    assert!(told.contains("`overrun: warn`"), "{told}");
    // 100 ms of savings last for 2000 moves with 50 µs too much, or fewer where the
    // machine disturbs the agent; a few more where an empty turn was measured too dear.
    assert!(record.n_moves <= 2500, "{}", record.n_moves);
}

/// Two seconds of it; `twenty_thousand_moves…` is the whole thing.
#[test]
fn who_stops_at_its_own_reading_of_the_budget_does_not_overrun() {
    plays_without_an_overrun(2000);
}

#[test]
#[ignore = "takes 20 s of CPU time and a machine without long hiccups"]
fn twenty_thousand_moves_at_ones_own_reading_of_the_budget() {
    plays_without_an_overrun(20_000);
}

fn plays_without_an_overrun(n_moves: u32) {
    let test = long_game(
        n_moves,
        "- {plugin: scripted, name: exact, params: {burn_us: 1000}}\n",
    );
    test.run(&[]).expect_code(0);
    let record = test.records().remove(0);
    assert_eq!(record.ending.name(), "move-limit", "{:?}", record.fault);
    assert_eq!((record.n_moves, record.overruns), (u64::from(n_moves), 0));
}

#[test]
fn a_rust_agent_that_watches_the_stop_flag_keeps_to_its_budget() {
    holds_in_one_of_three(|| {
        let test = long_game(
            500,
            "- {plugin: scripted, params: {watch_stop_flag: true}}\n",
        );
        test.run(&[]).expect_code(0);
        let record = test.records().remove(0);
        let ending = record.ending.name();
        if ending == "move-limit" && (425.0..550.0).contains(&record.cpu_ms) {
            return Ok(());
        }
        Err(format!(
            "{ending}, {} ms, {:?}",
            record.cpu_ms, record.fault
        ))
    });
}

#[test]
fn a_thread_in_the_background_spends_its_own_agents_time() {
    let test = long_game(
        1500,
        "- {plugin: scripted, name: two-threads, params: {misdeed: think-in-background, burn_us: 900}}\n\
         - {plugin: scripted, name: one-thread, params: {burn_us: 900}}\n",
    );
    test.run(&["--workers", "1"]).expect_code(0);
    let records = test.records();
    // Both threads together burn what one does alone: the clock is the process's.
    let per_move = |index: usize| {
        let record: &run::game_record::GameRecord = &records[index];
        let n_moves = u32::try_from(record.n_moves).expect("few moves");
        record.cpu_ms / f64::from(n_moves.max(1))
    };
    assert!(per_move(0) > 0.85, "{}", per_move(0));
    assert_eq!(records[0].threads, 2);
    let total_allowed = |index: usize| {
        let n_moves = u32::try_from(records[index].n_moves).expect("few moves");
        f64::from(n_moves + 1) + 100.0
    };
    for (index, record) in records.iter().enumerate() {
        if record.ending.name() == "overrun" {
            continue;
        }
        assert!(record.cpu_ms <= total_allowed(index), "{record:?}");
    }
}

#[test]
fn the_fairness_table_shows_what_everybody_used() {
    let test = TournamentTest::new(
        "seeds: 1..2\nbudget: {per_move: 1ms}\nagents:\n- {plugin: scripted, params: {burn_us: 300}}\n- plugin: greedy\n",
    );
    test.run(&[]).expect_code(0);
    let report = test.host(&["report", "runs/t"]).expect_code(0).stdout;
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
    let test = TournamentTest::new(SLOW);
    let run = test.start(&[]);
    test.wait_for_games();
    let cores = cores_of(next_worker(&run, &[]));
    assert!(cores.parse::<usize>().is_ok(), "{cores}");
    run.wait_with_output().expect("the host ends");
}

/// Somebody moves the launcher to another core, as `taskset` does; a worker begins on the core
/// of its launcher.
#[test]
fn a_launcher_that_was_moved_starts_the_next_worker_on_its_core_all_the_same() {
    let test = TournamentTest::new(SLOW);
    let run = test.start(&[]);
    test.wait_for_games();
    let first = next_worker(&run, &[]);
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
    let second = next_worker(&run, &[first]);
    assert_eq!(cores_of(second), core);
    run.wait_with_output().expect("the host ends");
}

fn usable_cores() -> impl Iterator<Item = usize> {
    let cores = sched_getaffinity(Pid::from_raw(0)).expect("the cores of this process");
    (0..CpuSet::count()).filter(move |core| cores.is_set(*core).unwrap_or(false))
}
