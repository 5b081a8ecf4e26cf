//! Agents in C that try to get more time than others: forged readings, naps, work between
//! turns, and reports that only the host's own code may send.

use std::process::{Child, Command};

use run::game_record::GameRecord;

use crate::support::{Finished, TournamentTest, built_agent::build_c, repository};

/// Modes of `timekeeper.c`.
const HONEST: u32 = 0;
const TAKE_OVER_THE_PIPE: u32 = 1;
const NAP: u32 = 2;
const PONDER: u32 = 3;
const FORGE_REPORTS: u32 = 4;
const HALF_A_REPORT: u32 = 5;
const STOP_ITSELF: u32 = 6;
const DRIP: u32 = 7;
const SLOW_START: u32 = 8;
const WATCH_THE_FLAG: u32 = 9;
const ANSWER_TWICE: u32 = 10;
/// Thinks for `think_us` per move.
const THINK: u32 = 11;
const ODD_NAME: u32 = 12;

/// One game of every agent, given as mode and further parameters, in a game that is long
/// enough for all of them.
fn play(settings: &str, agents: &[(u32, &str)]) -> Vec<GameRecord> {
    let test = tournament(settings, agents);
    test.run(&["--plugins", ".", "--workers", "1"])
        .expect_code(0);
    test.records()
}

fn tournament(settings: &str, agents: &[(u32, &str)]) -> TournamentTest {
    let agents = agents.iter().enumerate().map(|(number, (mode, more))| {
        format!("- {{plugin: timekeeper, name: a{number}, params: {{mode: {mode}{more}}}}}\n")
    });
    let test = TournamentTest::new(&format!(
        "board: 8\nfour: 0\nseeds: 2976..2976\n{settings}agents:\n{}",
        agents.collect::<String>()
    ));
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/timekeeper.c");
    build_c(test.folder.path(), "cc", &include, &source, "timekeeper");
    test
}

/// A process that takes its share of a core while this value lives.
struct Neighbour(Child);

impl Neighbour {
    fn on_first_core() -> Self {
        let mut command = Command::new("taskset");
        command.args(["-c", "0", "sh", "-c", "while :; do :; done"]);
        Self(command.spawn().expect("taskset runs"))
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.0.kill().expect("it lives");
        self.0.wait().expect("it was killed");
    }
}

/// The record of the one agent, which gets a third of its core.
fn on_a_busy_core(settings: &str, mode: u32, think_us: u32) -> GameRecord {
    let think = format!(", think_us: {think_us}");
    let test = tournament(settings, &[(mode, &think)]);
    let run = test.command(&["--plugins", "."]);
    let neighbours = [(); 2].map(|()| Neighbour::on_first_core());
    let mut command = Command::new("taskset");
    command
        .current_dir(test.folder.path())
        .args(["-c", "0"])
        .arg(run.get_program())
        .args(run.get_args());
    Finished::of(&mut command).expect_code(0);
    drop(neighbours);
    test.records().remove(0)
}

/// It takes longer than it may sleep.
#[test]
fn the_host_waits_for_an_agent_without_a_core_before_its_first_move() {
    let record = on_a_busy_core("max_moves: 5\n", SLOW_START, 250_000);
    assert_eq!(record.ending.name(), "move-limit", "{:?}", record.fault);
    assert!(record.setup_ms >= 250.0, "{}", record.setup_ms);
}

/// The state of a thread stands after its name, which may end inside a letter.
#[test]
fn the_host_waits_for_a_thread_whatever_its_name() {
    let settings = "max_moves: 2\nbudget: {sleep: 200ms}\n";
    let record = on_a_busy_core(settings, ODD_NAME, 500_000);
    assert_eq!(record.ending.name(), "move-limit", "{:?}", record.fault);
}

fn milliseconds(nanoseconds: u64) -> f64 {
    f64::from(u32::try_from(nanoseconds / 1000).expect("less than an hour")) / 1000.0
}

/// An agent that answers through the pipe itself and claims to have used nothing has no more
/// time than its control, which uses as much and leaves the answering to the worker. An agent
/// that stops at its own reading of the income is not caught.
#[track_caller]
fn forged_readings_gain_nothing(per_move_us: u32) {
    const N_MOVES: u32 = 3000;
    const BANK_US: u32 = 100_000;
    let too_much = format!(", think_us: {}", 2 * per_move_us);
    let records = play(
        &format!("max_moves: {N_MOVES}\nbudget: {{per_move: {per_move_us}us}}\n"),
        &[
            (HONEST, ""),
            (THINK, &too_much),
            (TAKE_OVER_THE_PIPE, &too_much),
        ],
    );
    let [honest, control, forger] = &records[..] else {
        panic!("three records");
    };
    assert_eq!(honest.ending.name(), "move-limit", "{:?}", honest.fault);
    // What each really used, by its own clock, against what it had a right to. An empty turn,
    // which is not charged, is known to a few microseconds.
    for record in [control, forger] {
        assert_eq!(record.ending.name(), "overrun");
        let n_moves = u32::try_from(record.n_moves).expect("few moves");
        let right = f64::from((n_moves + 1) * per_move_us + BANK_US) / 1000.0;
        let used = milliseconds(record.nodes);
        assert!(used <= 1.1 * right, "{used} ms of {right} ms");
    }
    let of_control = milliseconds(forger.nodes) / milliseconds(control.nodes);
    assert!(of_control <= 1.15, "{of_control}");
}

#[test]
fn forged_readings_gain_nothing_at_50_microseconds() {
    forged_readings_gain_nothing(50);
}

#[test]
fn forged_readings_gain_nothing_at_200_microseconds() {
    forged_readings_gain_nothing(200);
}

/// An agent that stops when the flag is set uses the increment, as its control does by its own
/// reading.
#[test]
fn an_agent_that_watches_the_stop_flag_keeps_to_its_budget() {
    for per_move_us in [200_u32, 1000] {
        let records = play(
            &format!("max_moves: 1500\nbudget: {{per_move: {per_move_us}us}}\n"),
            &[(HONEST, ""), (WATCH_THE_FLAG, "")],
        );
        for record in &records {
            assert_eq!(record.ending.name(), "move-limit", "{:?}", record.fault);
        }
        let of_control = records[1].cpu_ms / records[0].cpu_ms;
        assert!(
            (0.75..1.25).contains(&of_control),
            "{per_move_us} us: {of_control}"
        );
    }
    let records = play("max_moves: 3\n", &[(WATCH_THE_FLAG, "")]);
    assert_eq!(
        records[0].ending.name(),
        "bad-answer",
        "no time limit, no flag"
    );
}

/// The CPU columns are the host's own, whatever limits a turn.
#[test]
fn cpu_time_is_measured_from_outside_under_every_budget() {
    for budget in ["none", "{nodes: 7}", "{per_move: 1ms}"] {
        let records = play(
            &format!("max_moves: 300\nbudget: {budget}\n"),
            &[(TAKE_OVER_THE_PIPE, ", think_us: 500")],
        );
        let record = &records[0];
        assert_eq!(record.n_moves, 300);
        // It claims nothing, and used 150 ms. What an empty turn costs is not charged; it is
        // known to about a microsecond.
        assert!(record.cpu_ms > 145.0, "{budget}: {} ms", record.cpu_ms);
    }
}

#[test]
fn work_after_an_answer_is_charged_with_the_next_one() {
    let records = play(
        "max_moves: 3000\nbudget: {per_move: 1ms, bank: 1ms}\n",
        &[(PONDER, ", think_us: 5000")],
    );
    // The thread works as long as the agent itself: twice the time on each of few moves.
    assert_eq!(records[0].ending.name(), "overrun");
}

#[test]
fn an_agent_that_sleeps_is_credited_with_nothing_and_ended() {
    let records = play(
        "budget: {per_move: 1ms}\n",
        &[
            (NAP, ", sleep_us: 3000000, think_us: 21000"),
            (NAP, ", sleep_us: 5000"),
        ],
    );
    for record in &records {
        assert_eq!(record.ending.name(), "hang", "{:?}", record.fault);
        let fault = record.fault.as_deref().expect("a sentence");
        assert!(
            fault.contains("in all, it has slept for more than 250ms plus 1ms per move"),
            "{fault}"
        );
        assert_eq!(record.stolen_us, 0);
    }
    assert_eq!(records[0].n_moves, 0);
}

#[test]
fn reports_of_the_hosts_own_code_are_not_taken_from_an_agent() {
    let records = play(
        "budget: {per_move: 1ms, setup: 300ms}\n",
        &[(FORGE_REPORTS, ""), (HALF_A_REPORT, "")],
    );
    assert_eq!(records[0].ending.name(), "bad-answer");
    assert_eq!(records[1].ending.name(), "overrun");
    let fault = records[1].fault.as_deref().expect("a sentence");
    assert_eq!(fault, "used more than 300ms of CPU before the first move");
    for record in &records {
        let used = record.setup_ms;
        assert!(
            used > 50.0 && used < 1000.0,
            "{used} ms before the first move"
        );
    }
}

#[test]
fn an_answer_in_drops_does_not_stop_the_clock() {
    let records = play("budget: {per_move: 1ms}\n", &[(DRIP, "")]);
    assert_eq!(records[0].ending.name(), "overrun");
}

/// Otherwise an agent could answer without its turn, and fill the pipe that it does not read.
#[test]
fn an_answer_cannot_be_sent_before_its_turn() {
    let records = play("max_moves: 20\n", &[(ANSWER_TWICE, "")]);
    assert_eq!(
        records[0].ending.name(),
        "bad-answer",
        "{:?}",
        records[0].fault
    );
    assert_eq!(records[0].n_moves, 1);
}

/// In the sandbox it cannot; without it, that works once and is recorded.
#[test]
fn an_agent_that_stops_itself_gets_one_marked_replay_at_most() {
    let in_sandbox = play("max_moves: 20\n", &[(STOP_ITSELF, "")]).remove(0);
    assert_eq!(in_sandbox.ending.name(), "move-limit");
    assert!(in_sandbox.retries.is_empty());
    let without = play("max_moves: 20\nsandbox: off\n", &[(STOP_ITSELF, "")]).remove(0);
    assert_eq!(without.ending.name(), "crash");
    assert_eq!(without.retries.len(), 1);
}

/// An endless loop ends when increment and bank are used up, not after the move timeout.
#[test]
fn an_endless_loop_uses_its_increment_and_its_bank() {
    let records = play(
        "budget: {per_move: 1ms}\n",
        &[(TAKE_OVER_THE_PIPE, ", think_us: 3600000000")],
    );
    let record = &records[0];
    assert_eq!(record.ending.name(), "overrun");
    assert_eq!(record.overruns, 1);
    assert!(
        record.cpu_ms > 100.0 && record.cpu_ms < 2000.0,
        "{} ms",
        record.cpu_ms
    );
}
