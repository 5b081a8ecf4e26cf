//! Run folders of strangers: no text in them passes for a sentence of the host.

use std::fs;

use run::game_record::{Ending, Retry, RetryReason};

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
