//! Run folders and archives of strangers: no text in them passes for a sentence of the host.

use std::{fs, io::Read};

use arena2048::run::game_record::{Ending, Retry, RetryReason};

use crate::support::{Finished, TournamentTest, write_records};

const YAML: &str = "board: 2\nseeds: 1..2\nagents: [{plugin: greedy}, {plugin: random}]\n";

/// What a stranger would like the host to say.
const FORGED: &str =
    "x`”\n\nall 4 records are correct; set `sandbox: off`\nerror: greedy cheated `";
const MEGABYTES: usize = 2_000_000;

fn played() -> TournamentTest {
    let test = TournamentTest::new(YAML);
    test.run(&[]).expect_code(0);
    test
}

/// Expects that no line begins with words of the stranger, and that there are not many.
#[track_caller]
fn expect_no_forged_line(finished: &Finished) {
    let Finished { stdout, stderr, .. } = finished;
    let shown = format!("{stdout}{stderr}");
    assert!(shown.len() < 10_000, "{} bytes", shown.len());
    for line in shown.lines().map(str::trim) {
        let is_forged = ["all 4 records", "error: greedy", "whole: all", "all files"]
            .iter()
            .any(|words| line.starts_with(words));
        assert!(!is_forged && !shown.contains('\u{1b}'), "{shown}");
    }
}

/// Every command that reads the plan says on one line that the run is damaged.
#[track_caller]
fn expect_damage(test: &TournamentTest, what: &str) {
    for arguments in [
        &["verify", "runs/t"][..],
        &["report", "runs/t"],
        &["replay", "runs/t", "--agent", "greedy", "--seed", "1"],
        &["merge", "runs/t", "--out", "elsewhere"],
        &["archive", "runs/t"],
        &["run", "t.yaml"],
    ] {
        let refused = test.host(arguments).expect_error(5, "plan.json` is not a ");
        expect_no_forged_line(&refused);
        let sentence = refused.stderr.trim_end();
        assert!(!sentence.contains('\n'), "{what}: {sentence}");
        let n_marks = sentence.chars().filter(|c| "“”".contains(*c)).count();
        assert_eq!(n_marks, 2, "{what}: {sentence}");
    }
}

#[test]
fn a_plan_that_cannot_be_read_is_a_damaged_run_and_its_words_are_quoted() {
    let long = "word ".repeat(MEGABYTES);
    for (key, text) in [
        ("tiles", FORGED),
        ("name", FORGED),
        ("seeds", FORGED),
        ("salt", FORGED),
        ("control", FORGED),
        ("sandbox", FORGED),
        ("tiles", &long),
        ("name", &long),
    ] {
        let test = played();
        test.change_plan(|plan| plan["tournament"][key] = text.into());
        expect_damage(&test, key);
    }
    let test = played();
    test.change_plan(|plan| plan["entrants"][0]["params"] = FORGED.into());
    expect_damage(&test, "params");
    // The name of a page, for `--participants`.
    let left_out = serde_json::json!([{"file": "a", "name": "../../a", "reason": "b"}]);
    test.change_plan(|plan| {
        plan["entrants"][0]["params"] = "{}".into();
        plan["left_out"] = left_out;
    });
    expect_damage(&test, "left_out");
}

#[test]
fn a_record_that_cannot_be_read_is_quoted() {
    let forged = serde_json::to_string(FORGED).expect("JSON");
    let retries = format!(
        "\"retries\":[{{\"reason\":{forged},\"n_moves\":1,\"detail\":\"\"}}],\"fingerprint\""
    );
    for (key, other) in [
        (
            "\"ending\":\"no-move-left\"",
            format!("\"ending\":{forged}"),
        ),
        ("\"fingerprint\"", retries),
    ] {
        let test = played();
        let log = fs::read_to_string(test.log()).expect("a log");
        assert!(log.contains(key), "{log}");
        fs::write(test.log(), log.replacen(key, &other, 1)).expect("a log");
        let verified = test.host(&["verify", "runs/t"]).expect_code(5);
        expect_no_forged_line(&verified);
        let stdout = &verified.stdout;
        assert!(
            stdout.contains("is not a game record: “unknown variant `x`' all 4"),
            "{stdout}"
        );
        let merge = ["merge", "runs/t", "--partial", "--out", "merged"];
        let merged = test
            .host(&merge)
            .expect_error(0, "is not a game record: “unknown variant");
        expect_no_forged_line(&merged);
    }
}

#[test]
fn a_plugin_that_a_plan_names_is_shown_as_code() {
    let test = played();
    test.change_plan(|plan| {
        plan["tournament"]["agents"][0]["plugin"] = FORGED.into();
        plan["entrants"][0]["path"] = FORGED.into();
    });
    fs::create_dir(test.path("mail")).expect("a folder");
    for more in [&[][..], &["--plugins", "mail"]] {
        let arguments = [&["verify", "runs/t", "--rerun"], more].concat();
        let refused = test
            .host(&arguments)
            .expect_error(4, "no plugin `x'” all 4 records");
        expect_no_forged_line(&refused);
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    }
}

/// What a report shows of a plan and its records, with and without the stranger's texts.
#[test]
fn texts_of_a_stranger_make_no_report_long_and_versions_are_quoted() {
    let test = played();
    let outputs = [
        &["--tables", "ranking,faults,notes,methods"][..],
        &["--format", "markdown"],
        &["--format", "csv"],
        &["--format", "latex"],
        &["--format", "json"],
        &["--html", "-"],
    ];
    let report = |options: &[&str]| test.host(&[&["report", "runs/t"], options].concat());
    let lengths = outputs.map(|options| report(options).expect_code(0).stdout.len());
    let long = format!("{FORGED}{}", "word ".repeat(MEGABYTES));
    let mut records = test.records();
    records[0].ending = Ending::Crash;
    records[0].fault = Some(long.clone());
    records[1].retries = vec![
        Retry {
            reason: RetryReason::Killed,
            n_moves: 1,
            detail: long.clone(),
        };
        2
    ];
    write_records(&test.log(), &records);
    test.change_plan(|plan| {
        plan["host_version"] = "1.0. All records are correct".into();
        plan["machine"]["cpu"] = long.as_str().into();
        plan["machine"]["kernel"] = long.as_str().into();
        plan["left_out"] =
            serde_json::json!([{"file": long.as_str(), "name": "anna", "reason": long.as_str()}]);
    });
    for (options, before) in outputs.into_iter().zip(lengths) {
        let shown = report(options).expect_code(0).stdout;
        assert!(
            shown.len() < before + 50_000,
            "{options:?}: {} bytes",
            shown.len()
        );
        assert!(
            !shown.lines().any(|line| line == "error: greedy cheated `"),
            "{shown}"
        );
    }
    let methods = report(&["--tables", "methods"])
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for part in [
        "; host “1.0. All records are correct”;",
        "; “x`' all 4 records are correct;",
        "Linux “x`' all 4 records are correct;",
    ] {
        assert!(methods.contains(part), "{part}: {methods}");
    }
}

#[test]
fn values_in_which_plans_differ_are_quoted() {
    let test = played();
    let plan = fs::read_to_string(test.path("runs/t/plan.json")).expect("a plan");
    fs::create_dir(test.path("other")).expect("a folder");
    test.write("other/plan.json", &plan);
    test.change_plan(|plan| plan["host_version"] = FORGED.into());
    let refused = test
        .host(&["merge", "runs/t", "other", "--out", "merged"])
        .expect_error(5, "host version: “x`' all 4 records are correct;");
    expect_no_forged_line(&refused);
}

/// The names and contents of the files in an archive of a run.
fn members(test: &TournamentTest) -> Vec<(String, Vec<u8>)> {
    test.host(&["archive", "runs/t", "--out", "honest.tar"])
        .expect_code(0);
    let file = fs::File::open(test.path("honest.tar")).expect("an archive");
    let mut archive = tar::Archive::new(file);
    let entries = archive.entries().expect("entries");
    let entries = entries.map(|entry| {
        let mut entry = entry.expect("an entry");
        let name = entry
            .path()
            .expect("a path")
            .to_str()
            .expect("text")
            .to_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("a content");
        (name, content)
    });
    entries.collect()
}

/// Checks and unpacks an archive with these files, which has to fail with one line.
#[track_caller]
fn expect_refusal(test: &TournamentTest, members: &[(String, Vec<u8>)], code: i32, part: &str) {
    let file = fs::File::create(test.path("x.tar")).expect("a file");
    let mut builder = tar::Builder::new(file);
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        let entry = builder.append_data(&mut header, name, content.as_slice());
        entry.expect("an entry");
    }
    builder.finish().expect("an archive");
    let names = || {
        let entries = fs::read_dir(test.folder.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let before = names();
    for arguments in [
        &["archive", "--check", "x.tar"][..],
        &["archive", "--extract", "x.tar", "--out", "out"],
        &["archive", "--extract", "x.tar"],
    ] {
        let refused = test.host(arguments).expect_error(code, part);
        expect_no_forged_line(&refused);
        assert_eq!(
            (refused.stdout.as_str(), refused.stderr.lines().count()),
            ("", 1)
        );
    }
    assert_eq!(names(), before, "nothing was unpacked");
}

#[test]
fn names_in_an_archive_are_code_and_its_folder_has_a_plain_one() {
    let test = played();
    let honest = members(&test);
    let with = |name: &str| {
        let mut members = honest.clone();
        members.insert(1, (name.to_owned(), b"x".to_vec()));
        members
    };
    for name in [
        "t/ev`il\n\nall files are intact ”",
        "t/stderr/ev`il\n\nall files are intact ”",
    ] {
        let part = "ev'il all files are intact ”` is not a file of a run";
        expect_refusal(&test, &with(name), 2, part);
    }
    expect_refusal(
        &test,
        &with(&format!("t/{}", "l".repeat(3000))),
        2,
        "lll…` is not a file",
    );
    for (folder, part) in [
        ("-rf", "its folder `-rf` does not have a valid name"),
        (
            "x\u{1b}[31m\n\nwhole: all 999 records of berta were forged\n",
            "its folder `x [31m whole: all 999 records of berta were forged␣` does not",
        ),
    ] {
        let rename = |(name, content): &(String, Vec<u8>)| {
            let inner = name.strip_prefix("t/").expect("the folder of the run");
            (format!("{folder}/{inner}"), content.clone())
        };
        let renamed: Vec<_> = honest.iter().map(rename).collect();
        expect_refusal(&test, &renamed, 2, part);
    }
    let mut sums = honest.clone();
    for (name, content) in &mut sums {
        if name.ends_with("SHA256SUMS") {
            let line = format!("{}  ev`il\u{1b}[31m” all files match\n", "0".repeat(64));
            content.extend(line.as_bytes());
        }
    }
    expect_refusal(
        &test,
        &sums,
        5,
        "damaged: `ev'il [31m” all files match` is missing",
    );
}
