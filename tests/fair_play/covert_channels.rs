//! What one worker leaves for another to find: nothing.
//!
//! Two agents play one after the other. The first knows a secret of 64 bits and tries to
//! leave it somewhere; the second looks for it there.

use std::{
    fs::{self, File, FileTimes},
    io::Write,
    time::{Duration, SystemTime},
};

use crate::{fair_play::room::build_snoop, support::TournamentTest};

const SECRET: &str = "123456789abcdef0";

/// What the second agent has found.
fn transmit(test: &TournamentTest, channel: &str, path: &str) -> String {
    let yaml = format!(
        "seeds: 1..1\nworkers: 1\nagents:\n\
         - {{plugin: snoop, name: sender, allow_read: [files], params: {{mode: write-{channel}, path: {path}, secret: '{SECRET}'}}}}\n\
         - {{plugin: snoop, name: receiver, allow_read: [files], params: {{mode: read-{channel}, path: {path}}}}}\n"
    );
    test.write("t.yaml", &yaml);
    test.run(&[]).expect_code(0);
    let receiver = test.records().remove(1);
    receiver.fault.expect("it tells what it has found")
}

/// Pages of the plugin's own file are taken out of memory or not: see break B1 (a).
#[test]
fn the_page_cache_of_the_plugin_carries_no_bit() {
    const PADDING: usize = 20 << 20;
    let test = TournamentTest::new("");
    fs::create_dir(test.path("files")).expect("a folder");
    let plugin = build_snoop(&test);
    let mut file = File::options()
        .append(true)
        .open(&plugin)
        .expect("it was built");
    file.write_all(&vec![0; PADDING]).expect("room on the disk");
    // Only what is on the disk can be taken out of memory.
    file.sync_all().expect("a disk");
    let found = transmit(&test, "page-cache", &plugin.display().to_string());
    assert!(found.starts_with("asked no 0000000000000000"), "{found}");
    // Touching a page may take long when the machine is busy; not where the secret says.
    let timed = found.split_whitespace().last().expect("the bits by time");
    let timed = u64::from_str_radix(timed, 16).expect("hexadecimal digits");
    assert!(timed.count_ones() <= 4, "{found}");
}

/// Files are read or not, and their access times looked at: see break B1 (b).
#[test]
fn access_times_carry_no_bit() {
    const N_BITS: u32 = 64;
    let test = TournamentTest::new("");
    build_snoop(&test);
    let folder = test.path("files");
    fs::create_dir(&folder).expect("a folder");
    let long_ago = SystemTime::now() - Duration::from_hours(72);
    for number in 0..N_BITS {
        let mut file = File::create(folder.join(number.to_string())).expect("a new file");
        file.write_all(b"x").expect("a byte");
        let times = FileTimes::new().set_accessed(long_ago);
        file.set_times(times).expect("one's own file");
    }
    let found = transmit(&test, "access-times", &folder.display().to_string());
    assert_eq!(found, "bits 0000000000000000");
}

/// Somebody outside writes the secret into the size of a file: see break B1 (c).
#[test]
fn the_size_of_a_file_outside_is_not_seen() {
    let test = TournamentTest::new("");
    build_snoop(&test);
    test.write("oracle", &"x".repeat(4321));
    let oracle = test.path("oracle");
    let yaml = format!(
        "seeds: 1..1\nagents: [{{plugin: snoop, params: {{mode: look-around, path: {}}}}}]\n",
        oracle.display()
    );
    test.write("t.yaml", &yaml);
    test.run(&[]).expect_code(0);
    let seen = test.records().remove(0).fault.unwrap_or_default();
    assert!(seen.starts_with("process 1 of 0 on arena;"), "{seen}");
    assert!(!seen.contains("4321"), "{seen}");
}
