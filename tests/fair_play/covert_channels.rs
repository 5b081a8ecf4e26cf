//! What one worker leaves for another to find: nothing.
//!
//! Two agents play one after the other. The first knows a secret of 64 bits and tries to
//! leave it somewhere; the second looks for it there.

use std::{
    fs::{self, File, FileTimes},
    io::Write,
    time::{Duration, SystemTime},
};

use crate::support::{
    TournamentTest,
    attack::{attack, build_hostile},
    interpreters::interpreter,
    snoop::{both_kinds, build_snoop, told, transmit},
};

/// For each bit the sender reads a file or not; the receiver looks at its access time.
#[test]
fn access_times_carry_no_bit() {
    const N_BITS: u32 = 64;
    let test = TournamentTest::new("");
    let plugin = build_snoop(&test);
    let folder = test.path("files");
    fs::create_dir(&folder).expect("a folder");
    let long_ago = SystemTime::now() - Duration::from_hours(72);
    for number in 0..N_BITS {
        let mut file = File::create(folder.join(number.to_string())).expect("a new file");
        file.write_all(b"x").expect("a byte");
        // Reading a file changes an access time that is a day old, and is seen by the second.
        let times = FileTimes::new()
            .set_accessed(long_ago)
            .set_modified(long_ago);
        file.set_times(times).expect("one's own file");
    }
    let path = folder.display().to_string();
    for kind in both_kinds(&plugin) {
        let found = transmit(&test, &kind, ["access-times", &path], 0x1234_5678_9abc_def0);
        assert_eq!(found, "bits 0000000000000000", "{kind}");
    }
}

/// A process outside could write a secret into the size of a file.
#[test]
fn the_size_of_a_file_outside_is_not_seen() {
    let test = TournamentTest::new("");
    let plugin = build_snoop(&test);
    test.write("oracle", &"x".repeat(4321));
    let oracle = test.path("oracle");
    for kind in both_kinds(&plugin) {
        let yaml = format!(
            "seeds: 1..1\nagents: [{{{kind}, params: {{mode: look-around, path: {}}}}}]\n",
            oracle.display()
        );
        test.write("t.yaml", &yaml);
        test.run(&["--fresh"]).expect_code(0);
        let seen = told(test.records().remove(0));
        assert!(seen.starts_with("process 1 of 0 on arena;"), "{seen}");
        assert!(!seen.contains("4321"), "{seen}");
    }
}

/// What agents hear of each other (`c-agents/whisper.c`), each in a mode, under these settings.
fn whispers(settings: &str, modes: &[&str]) -> Vec<Vec<String>> {
    let runs = attack("whisper", |kind| {
        let agents: Vec<String> = (modes.iter().enumerate())
            .map(|(n, mode)| format!("- {{{kind}, name: a{n}, params: {{mode: {mode}}}}}\n"))
            .collect();
        format!(
            "seeds: 1..1\nsandbox: required\n{settings}\nagents:\n{}",
            agents.concat()
        )
    });
    runs.into_iter()
        .map(|records| records.into_iter().map(told).collect())
        .collect()
}

/// The host looks at each thread of a worker that sleeps, and the kernel counts that for the whole
/// machine where it numbers pipes.
#[test]
fn the_numbers_of_pipes_say_nothing_about_the_threads_of_another_agent() {
    for found in whispers(
        "workers: 1\nbudget: {sleep: 60s}",
        &["number", "crowd", "number"],
    ) {
        assert_eq!(found[1], "slept with 200 threads");
        let (before, after) = (largest_number(&found[0]), largest_number(&found[2]));
        // Three for each worker that was started.
        assert!(after - before < 60, "{found:?}");
    }
}

/// The largest of the numbers that an agent has found.
fn largest_number(found: &str) -> u64 {
    let numbers = found.split(' ').skip(1).map(str::parse::<u64>);
    numbers
        .map(|number| number.expect("a number"))
        .max()
        .expect("a pipe")
}

/// Node makes pipes, which have numbers that the kernel counts for the whole machine.
#[test]
fn the_numbers_of_pipes_say_nothing_about_a_program_for_node() {
    const MAKE_PIPES: &str = "
        const { spawnSync } = require('child_process');
        require('readline').createInterface({ input: process.stdin }).on('line', line => {
            if (line.startsWith('arena')) return console.log('agent {\"name\": \"pipes\"}');
            for (let n = 0; n < 300; n++) spawnSync('/bin/none');
            console.log('error made 300 pipes');
        });";
    if interpreter("node").is_none() {
        return;
    }
    let test = TournamentTest::new(
        "seeds: 1..1\nworkers: 1\nsandbox: required\nagents:\n\
         - {plugin: whisper, name: before, params: {mode: number}}\n\
         - {program: [node, pipes.js]}\n\
         - {plugin: whisper, name: after, params: {mode: number}}\n",
    );
    build_hostile(&test, "whisper");
    test.write("pipes.js", MAKE_PIPES);
    test.run(&[]).expect_code(0);
    let found: Vec<String> = test.records().into_iter().map(told).collect();
    assert_eq!(found[1], "made 300 pipes");
    let (before, after) = (largest_number(&found[0]), largest_number(&found[2]));
    assert!(after - before < 60, "{found:?}");
}

/// The kernel wakes at a futex when a thread ends, wherever the agent says, and finds a futex in a
/// file by that file: in code that both games share, say.
#[test]
fn no_two_games_share_a_futex() {
    let settings = "workers: 2\nbudget: {sleep: 60s}";
    for found in whispers(settings, &["wake", "listen"]) {
        assert_eq!(found, ["woke", "heard"]);
    }
    // One file that plays the same seed twice at the same moment.
    let settings = "workers: 2\nbudget: [{nodes: 1, sleep: 60s}, {nodes: 2, sleep: 60s}]";
    for found in whispers(settings, &["by-budget"]) {
        assert_eq!(found, ["woke", "heard"]);
    }
}
