//! What an agent takes from the machine: no more than its limits, and nothing of a rival's share.

use std::fs::{self, OpenOptions};

use crate::support::{
    Finished, TournamentTest,
    attack::{attack, build_hostile},
    processes::{WAITS, finish, waiting_worker},
    snoop::told,
    starters::{host_started_by, is_possible},
};

/// The kernel counts memory while it can be written, so an agent fills it and protects it.
#[test]
fn memory_that_can_no_longer_be_written_counts() {
    for params in ["hides: 0", "hides: 1", "per_move: 8"] {
        let runs = attack("hoarder", |kind| {
            format!(
                "seeds: 1..1\nmemory: 64MiB\nsandbox: required\nagents: [{{{kind}, params: {{{params}}}}}]\n"
            )
        });
        for record in runs.iter().flatten() {
            let fault = record.fault.as_deref().unwrap_or_default();
            assert_eq!(record.ending.name(), "crash", "{params}: {fault}");
            assert!(
                fault.contains("MiB of memory; its `memory` leaves"),
                "{fault}"
            );
        }
    }
}

/// A large page counts as one small page while no more of it is mapped, and epoll watches count
/// for no limit of memory: about the third power of the number of descriptors fits.
#[test]
fn a_worker_has_small_pages_and_few_descriptors() {
    let test = TournamentTest::new(WAITS);
    let run = test.start(&[]);
    let worker = waiting_worker(&run, &[]);
    let read = |name: &str| fs::read_to_string(format!("/proc/{worker}/{name}")).expect("a worker");
    let (status, limits) = (read("status"), read("limits"));
    finish(run).expect_code(0);
    assert!(status.contains("THP_enabled:\t0"), "{status}");
    let descriptors = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let words: Vec<&str> = descriptors.expect("a limit").split_whitespace().collect();
    assert_eq!(words[3..5], ["64", "64"]);
}

/// A hole takes no room on the disk. It would in memory, where every worker finds its files.
#[test]
fn files_count_as_memory_with_their_holes() {
    let test = TournamentTest::new("");
    let library = build_hostile(&test, "glutton");
    let file = OpenOptions::new().write(true).open(&library);
    let file = file.expect("it was built");
    file.set_len(100 << 20).expect("a hole");
    let play = |memory: &str| {
        test.write(
            "t.yaml",
            &format!(
                "seeds: 1..1\nmemory: {memory}\nagents: [{{plugin: glutton, params: {{takes: memory}}}}]\n"
            ),
        );
        test.run(&["--fresh"]).expect_code(0);
        test.records().remove(0)
    };
    let record = play("64MiB");
    assert_eq!(record.ending.name(), "refused");
    let fault = record.fault.expect("a sentence");
    let expected = "has files of 100 MiB, which count as its memory, and its `memory` is 64 MiB";
    assert_eq!(fault, expected);
    let taken = told(play("200MiB"));
    let taken: u32 = taken
        .trim_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .expect("a number");
    assert!((60..=100).contains(&taken), "{taken} MiB");
}

/// The kernel counts signals that wait for each user, and timers with them.
#[test]
fn signals_that_wait_are_few() {
    let runs = attack("glutton", |kind| {
        format!(
            "seeds: 1..1\nsandbox: required\nagents: [{{{kind}, params: {{takes: signals}}}}]\n"
        )
    });
    for record in runs.into_iter().flatten() {
        let taken = told(record);
        let n_taken: u32 = taken
            .split(' ')
            .nth(1)
            .expect("a number")
            .parse()
            .expect("digits");
        assert!(n_taken <= 64, "{taken}");
    }
}

#[test]
fn a_worker_without_a_timer_is_not_started_and_no_agent_pays() {
    let starter = ["prlimit", "--sigpending=0"];
    if !is_possible(&starter) {
        return;
    }
    let test = TournamentTest::new("seeds: 1..1\nagents: [{plugin: greedy}]\n");
    let mut command = host_started_by(&starter);
    command
        .args(["run", "t.yaml"])
        .current_dir(test.folder.path());
    Finished::of(&mut command).expect_error(1, "no timer for the stop flag");
}
