//! Compressed logs, and runs in one file.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crate::support::{Finished, TournamentTest, all_without_times, records_of};

const YAML: &str = "board: 2\nseeds: 1..6\nworkers: 1\nagents:\n- {plugin: greedy}\n\
    - {plugin: scripted, params: {misdeed: panic, on_move: 3}}\n";

fn compress(run: &Path) {
    let log = run.join("games.jsonl");
    let text = fs::read(&log).expect("a log");
    let compressed = zstd::encode_all(text.as_slice(), 3).expect("bytes");
    fs::write(run.join("games.jsonl.zst"), compressed).expect("a folder");
    fs::remove_file(log).expect("a log");
}

/// The counts of the JSON report.
fn counts(test: &TournamentTest, run: &str) -> [u64; 3] {
    let report = test
        .host(&["report", run, "--format", "json"])
        .expect_code(0);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    let games = &report["games"];
    ["planned", "played", "missing"].map(|key| games[key].as_u64().expect("a number"))
}

#[test]
fn a_compressed_log_is_read_wherever_a_log_is_read() {
    let test = TournamentTest::new(YAML);
    test.run(&["--seed", "1", "--seed", "2"]).expect_code(0);
    assert_eq!(counts(&test, "runs/t"), [12, 4, 8]);
    let report = test.host(&["report", "runs/t"]).expect_code(0).stdout;
    let page = test
        .host(&["report", "runs/t", "--html", "-"])
        .expect_code(0);
    let run = test.path("runs/t");
    compress(&run);
    assert_eq!(
        test.host(&["report", "runs/t"]).expect_code(0).stdout,
        report
    );
    let same_page = test
        .host(&["report", "runs/t", "--html", "-"])
        .expect_code(0);
    assert!(same_page.stdout == page.stdout, "the replays are there too");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "8 of 12 games are missing");
    let replay = ["replay", "runs/t", "--agent", "greedy", "--seed", "1"];
    test.host(&replay).expect_code(0);
    test.host(&["merge", "runs/t", "--out", "merged", "--partial"])
        .expect_code(0);
    assert_eq!(records_of(&test.path("merged/games.jsonl")).len(), 4);

    // A run that goes on needs its log as it was.
    test.run(&[]).expect_code(0);
    assert!(!run.join("games.jsonl.zst").exists());
    let records = test.records();
    test.run(&["--fresh"]).expect_code(0);
    assert_eq!(
        all_without_times(test.records()),
        all_without_times(records)
    );
    // Disqualified after three faults in a row: nothing is missing.
    assert_eq!(counts(&test, "runs/t"), [12, 9, 0]);
    compress(&run);
    let bytes = fs::read(run.join("games.jsonl.zst")).expect("bytes");
    fs::write(run.join("games.jsonl.zst"), &bytes[..bytes.len() / 2]).expect("a folder");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "games.jsonl.zst is cut off or damaged");
    test.run(&[])
        .expect_error(1, "games.jsonl.zst is cut off or damaged");
    assert!(
        !run.join("games.jsonl").exists(),
        "no half of a log is left"
    );
}

fn is_refusal(code: Option<i32>) -> bool {
    code.is_some_and(|code| [2, 5].contains(&code))
}

#[test]
fn an_archive_is_the_run_and_every_changed_bit_is_found() {
    let test = TournamentTest::new(YAML);
    test.run(&[]).expect_code(0);
    let made = test.host(&["archive", "runs/t"]).expect_code(0);
    assert!(
        made.stdout.contains("archived 9 records"),
        "{}",
        made.stdout
    );
    test.host(&["archive", "runs/t"]).expect_error(2, "exists");
    test.host(&["archive", "--check", "runs/t.tar"])
        .expect_code(0);
    test.host(&["archive", "--extract", "runs/t.tar"])
        .expect_code(0);
    test.host(&["archive", "--extract", "runs/t.tar"])
        .expect_error(2, "choose another folder");
    test.host(&["verify", "t", "--rerun"]).expect_code(0);
    let [first, again] = ["runs/t", "t"].map(|run| {
        test.host(&["report", run, "--tables", "ranking,times,notes"])
            .stdout
    });
    assert_eq!(first, again);
    for file in ["plan.json", "report.html", "report.json", "archive.json"] {
        assert!(test.path("t").join(file).exists(), "{file}");
    }
    let stderr = |run: &str| fs::read_dir(test.path(run).join("stderr")).map_or(0, Iterator::count);
    assert_eq!(stderr("t"), stderr("runs/t"));
    let about = fs::read_to_string(test.path("t/archive.json")).expect("a description");
    let about: serde_json::Value = serde_json::from_str(&about).expect("JSON");
    assert_eq!(
        about["plugins"]["greedy"]["sha256"].as_str().map(str::len),
        Some(64)
    );
    assert_eq!(about["games"]["played"], 9);
    // The run in the folder goes on.
    test.run(&["--out", "t"]).expect_error(0, "0 games to play");

    let whole = fs::read(test.path("runs/t.tar")).expect("an archive");
    let damaged = test.path("damaged.tar");
    let mut n_found = 0;
    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        fs::write(&damaged, bytes).expect("a folder");
        let checked = test.host(&["archive", "--check", "damaged.tar"]);
        // What `tar` itself does not read, such as the space after a file, says nothing.
        let is_padding = whole[place] == 0;
        assert!(is_padding || is_refusal(checked.code), "byte {place}");
        n_found += u32::from(is_refusal(checked.code));
    }
    assert!(n_found > 20, "{n_found}");
    let more = [&whole, &[b'x'; 512][..]].concat();
    let twice = [&whole[..], &whole].concat();
    let cut = |n_bytes: usize| whole[..whole.len() - n_bytes].to_vec();
    for bytes in [more, twice, cut(1), cut(512), cut(1024)] {
        fs::write(&damaged, bytes).expect("a folder");
        test.host(&["archive", "--check", "damaged.tar"])
            .expect_error(5, "it was cut off, or has more after its end");
    }
    for length in [0, 100, 600, whole.len() / 2, whole.len() - 2048] {
        fs::write(&damaged, &whole[..length]).expect("a folder");
        let extract = ["archive", "--extract", "damaged.tar", "--out", "half"];
        let Finished { code, stderr, .. } = test.host(&extract);
        assert!(is_refusal(code), "{length} bytes: {code:?}");
        assert!(!stderr.contains("block"), "{length} bytes: {stderr}");
        assert!(!test.path("half").exists() && !test.path("half.unpacking").exists());
    }
}

#[test]
fn an_archive_with_a_secret_salt_is_private() {
    let yaml = YAML.replace("seeds", "salt: secret\nseeds");
    let test = TournamentTest::new(&yaml);
    test.run(&["--seed", "1"]).expect_code(0);
    let archived = test
        .host(&["archive", "runs/t"])
        .expect_error(0, "its salt is secret");
    assert!(
        archived.stderr.contains("incomplete"),
        "{}",
        archived.stderr
    );
    let mode = fs::metadata(test.path("runs/t.tar"))
        .expect("an archive")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let extract = ["archive", "--extract", "runs/t.tar", "--out", "again"];
    test.host(&extract).expect_code(0);
    let salt = fs::metadata(test.path("again/salt"))
        .expect("a salt")
        .permissions()
        .mode();
    assert_eq!(salt & 0o777, 0o600);
    test.run(&["--out", "again"]).expect_code(0);
    test.host(&["verify", "again"]).expect_code(0);
}

/// Nothing but the files of a run is taken from a stranger's archive.
#[test]
fn a_strangers_archive_cannot_write_elsewhere() {
    let test = TournamentTest::new(YAML);
    let tar = |name: &str, build: &dyn Fn(&mut tar::Builder<fs::File>)| {
        let file = fs::File::create(test.path(name)).expect("a folder");
        let mut builder = tar::Builder::new(file);
        build(&mut builder);
        builder.finish().expect("an archive");
    };
    tar("link.tar", &|builder| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        builder
            .append_link(&mut header, "t/plan.json", "/etc/passwd")
            .expect("an entry");
    });
    tar("elsewhere.tar", &|builder| {
        let mut header = tar::Header::new_gnu();
        header.set_size(4);
        let name = b"t/../../evil";
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_cksum();
        builder.append(&header, &b"evil"[..]).expect("an entry");
    });
    for name in ["link.tar", "elsewhere.tar"] {
        let refused = test
            .host(&["archive", "--extract", name, "--out", "out/t"])
            .expect_error(2, "is not a file of a run");
        assert!(!test.path("evil").exists() && !test.path("out/t").exists());
        drop(refused);
    }
    // Shorter and longer than the header of a tar file.
    for text in ["no archive".to_owned(), "no archive\n".repeat(1000)] {
        test.write("text.tar", &text);
        test.host(&["archive", "--check", "text.tar"]).expect_error(
            2,
            "`text.tar` is not an archive of a run: it is not a tar file",
        );
    }
}
