//! Agents that misbehave cost little, and agents that take too long run out of time.

use std::process::Command;

use crate::support::{Finished, TournamentTest, all_without_times};

/// Misdeeds that end a game.
const OFFENDERS: [&str; 18] = [
    "refuse-in-new",
    "panic-in-new",
    "loop-in-new",
    "sleep-in-new",
    "illegal-move",
    "panic",
    "panic-with-a-bomb",
    "abort",
    "segfault",
    "stack-overflow",
    "exit",
    "loop",
    "sleep",
    "ignore-sigterm-and-loop",
    "take-memory",
    "close-all-fds",
    "write-garbage-to-all-fds",
    "flood-stderr-and-panic",
];

/// Runs a tournament; its output, and the CPU seconds of the host and all workers.
fn run_and_measure(test: &TournamentTest) -> (Finished, f64) {
    let run = test.command(&[]);
    // The shell says what it and its children have used.
    let mut command = Command::new("sh");
    command
        .current_dir(test.folder.path())
        .args(["-c", "\"$@\" && times >cpu-times", "sh"])
        .arg(run.get_program())
        .args(run.get_args());
    let finished = Finished::of(&mut command).expect_code(0);
    let times = std::fs::read_to_string(test.path("cpu-times")).expect("the shell wrote it");
    let seconds = times.split_whitespace().map(|time| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    });
    let seconds: Option<Vec<f64>> = seconds.collect();
    (finished, seconds.expect("minutes and seconds").iter().sum())
}

/// All settings are the defaults; an endless loop in `new` costs `setup` once.
#[test]
fn offenders_change_no_record_of_a_good_agent_and_cost_a_second_each() {
    let common = "seeds: 1..4\nbudget: {per_move: 1ms}\nagents:\n- plugin: greedy\n";
    let alone = TournamentTest::new(common);
    let (_, cpu_alone) = run_and_measure(&alone);
    let offenders = OFFENDERS.map(|misdeed| {
        format!("- {{plugin: scripted, name: {misdeed}, params: {{misdeed: {misdeed}}}}}\n")
    });
    let together = TournamentTest::new(&(common.to_owned() + &offenders.concat()));
    let (finished, cpu_together) = run_and_measure(&together);
    let n_offenders = u32::try_from(OFFENDERS.len()).expect("few");
    assert!(
        cpu_together <= 2.0 * cpu_alone + f64::from(n_offenders),
        "{cpu_together} s of CPU time instead of {cpu_alone} s"
    );
    let of_greedy = |test: &TournamentTest| {
        let records = all_without_times(test.records());
        let moves = records
            .into_iter()
            .filter(|record| record.agent == "greedy");
        moves
            .map(|record| (record.seed, record.moves, record.score))
            .collect::<Vec<_>>()
    };
    assert_eq!(of_greedy(&alone), of_greedy(&together));
    for offender in OFFENDERS {
        let reason = match offender {
            "loop-in-new" => "because it used up `setup`",
            _ => "after 3 faults in a row",
        };
        let named = format!("note: {offender} was disqualified {reason}");
        assert!(finished.stdout.contains(&named), "{}", finished.stdout);
    }
    assert!(
        finished
            .stdout
            .lines()
            .any(|line| line.trim_start().starts_with("1  greedy")),
        "{}",
        finished.stdout
    );
}

#[test]
fn an_agent_that_takes_too_long_runs_out_of_time() {
    let yaml = "seeds: 1..1\nbudget: {per_move: 1ms, bank: 20ms}\nagents:\n\
        - {plugin: scripted, name: slow, params: {burn_us: 2000}}\n\
        - {plugin: scripted, name: quick, params: {burn_us: 500}}\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    let records = test.records();
    assert_eq!(records[0].ending.name(), "overrun");
    assert!(
        records[0].n_moves >= 10 && records[0].n_moves <= 21,
        "{}",
        records[0].n_moves
    );
    assert_eq!(records[1].ending.name(), "no-move-left");
    assert_eq!(records[1].overruns, 0);
}
