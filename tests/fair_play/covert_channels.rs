//! What one worker leaves for another to find: nothing.
//!
//! Two agents play one after the other. The first knows a secret of 64 bits and tries to
//! leave it somewhere; the second looks for it there.

use std::{
    fs::{self, File, FileTimes},
    io::Write,
    path::Path,
    time::{Duration, SystemTime},
};

use crate::{
    fair_play::room::{build_snoop, told},
    support::{TournamentTest, kinds::as_program},
};

const SECRET: &str = "123456789abcdef0";

/// What the second agent has found.
fn transmit(test: &TournamentTest, kind: &str, channel: &str, path: &str) -> String {
    let yaml = format!(
        "seeds: 1..1\nworkers: 1\nagents:\n\
         - {{{kind}, name: sender, allow_read: [files], params: {{mode: write-{channel}, path: {path}, secret: '{SECRET}'}}}}\n\
         - {{{kind}, name: receiver, allow_read: [files], params: {{mode: read-{channel}, path: {path}}}}}\n"
    );
    test.write("t.yaml", &yaml);
    test.run(&["--fresh"]).expect_code(0);
    let receiver = test.records().remove(1);
    told(receiver)
}

/// The library, and the same as a program.
fn both_kinds(library: &Path) -> [String; 2] {
    ["plugin: snoop".to_owned(), as_program(library)]
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
    for kind in both_kinds(&plugin) {
        let found = transmit(&test, &kind, "page-cache", &plugin.display().to_string());
        assert!(found.starts_with("asked no 0000000000000000"), "{found}");
        // Touching a page may take long when the machine is busy, but as often where the
        // secret has a 0, within three and a half standard deviations.
        let timed = found.split_whitespace().last().expect("the bits by time");
        let [timed, secret] = [timed, SECRET]
            .map(|digits| u64::from_str_radix(digits, 16).expect("hexadecimal digits"));
        let of_secret = f64::from((timed & secret).count_ones());
        let others = f64::from((timed & !secret).count_ones());
        let deviation = (of_secret - others).abs();
        assert!(
            deviation <= 3.5 * (of_secret + others).sqrt(),
            "{kind}: {found}"
        );
    }
}

/// Files are read or not, and their access times looked at: see break B1 (b).
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
    for kind in both_kinds(&plugin) {
        let found = transmit(&test, &kind, "access-times", &folder.display().to_string());
        assert_eq!(found, "bits 0000000000000000", "{kind}");
    }
}

/// Somebody outside writes the secret into the size of a file: see break B1 (c).
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
