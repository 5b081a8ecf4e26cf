//! The page cache as a channel between two agents that play one after the other.

use std::{
    fs::{self, File},
    io::Write,
};

use crate::support::{
    TournamentTest,
    snoop::{both_kinds, build_snoop, transmit},
};

/// Half of its bits are set.
const SECRET: u64 = 0x1234_5678_9abc_def0;

/// For each bit the sender takes pages of the plugin's own file out of memory or leaves them.
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
    let path = plugin.display().to_string();
    for kind in both_kinds(&plugin) {
        let (mut of_secret, mut others) = (0, 0);
        for secret in [SECRET, !SECRET, SECRET, !SECRET] {
            let found = transmit(&test, &kind, ["page-cache", &path], secret);
            assert!(found.starts_with("asked no 0000000000000000"), "{found}");
            let timed = found.split_whitespace().last().expect("the bits by time");
            let timed = u64::from_str_radix(timed, 16).expect("hexadecimal digits");
            of_secret += (timed & secret).count_ones();
            others += (timed & !secret).count_ones();
        }
        // Touching a page takes long on a busy machine, but as often where the secret has a 0:
        // within six standard deviations. A channel that carries every bit shows eleven.
        let (of_secret, others) = (f64::from(of_secret), f64::from(others));
        let deviation = (of_secret - others).abs();
        assert!(
            deviation <= 6.0 * (of_secret + others).sqrt(),
            "{kind}: {of_secret} of the secret, {others} others"
        );
    }
}
