//! A class hands in a folder: which agents play, which are left out, and what is played again.

use std::{fs, os::unix::fs::symlink};

use serde_json::Value;

use crate::support::{TournamentTest, built_agent::build_c, repository};

const YAML: &str = "seeds: 1..3\nagents:\n- folder: submissions\n- plugin: random\n";

/// A tournament with a folder in which one agent in C is called `libanna.so`.
fn class() -> TournamentTest {
    let test = TournamentTest::new(YAML);
    fs::create_dir(test.path("submissions")).expect("a folder");
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/corner.c");
    build_c(&test.path("submissions"), "cc", &include, &source, "anna");
    test
}

/// The agents of a JSON report in the order of their names.
fn names(report: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(report).expect("JSON");
    let agents = report["agents"].as_array().expect("a list");
    let name = |agent: &Value| agent["name"].as_str().expect("a name").to_owned();
    let mut names: Vec<String> = agents.iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn one_broken_file_stops_no_agent_and_no_file_is_ignored() {
    let test = class();
    let submission = |name: &str| test.path("submissions").join(name);
    fs::copy(submission("libanna.so"), submission("Jörg Müller.so")).expect("a copy");
    fs::create_dir(submission("emil")).expect("a folder");
    fs::copy(submission("libanna.so"), submission("emil/agent.so")).expect("a copy");
    for (name, text) in [
        ("anna.c", "int x;"),
        (".DS_Store", ""),
        ("bert.so", "not a library"),
        ("carl.zip", "PK"),
        ("new\nline.c", "int x;"),
    ] {
        fs::write(submission(name), text).expect("a file");
    }
    symlink("/etc/passwd", submission("dora.so")).expect("a link");
    let run = test.run(&["--format", "json"]).expect_code(0);
    assert_eq!(
        names(&run.stdout),
        ["Joerg-Mueller", "anna", "emil", "random"]
    );
    let sentences = [
        "bert.so is not a shared library",
        "carl.zip is an archive",
        "dora.so is a symbolic link",
        "new line.c is source code",
    ];
    let report = test.host(&["report", "runs/t"]).expect_code(0).stdout;
    let page = fs::read_to_string(test.path("runs/t/report.html")).expect("a page");
    for sentence in sentences {
        let (file, reason) = sentence.split_once(" is ").expect("a sentence");
        let line = format!("left out: `{file}` is {reason}");
        assert!(run.stderr.contains(&line), "{line}: {}", run.stderr);
        assert!(report.contains(&line), "{line}: {report}");
        assert!(
            page.contains(&format!("<b>{file}</b> is {reason}")),
            "{sentence}"
        );
    }
    for line in [
        "not submissions: `.DS_Store` and `anna.c`",
        "names: `Jörg Müller.so` as Joerg-Mueller",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    let json: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(json["left_out"].as_array().map(Vec::len), Some(4));
    let csv = test.host(&["report", "runs/t", "--format", "csv"]);
    let csv = csv.expect_code(0).stdout;
    assert_eq!(csv.lines().count(), 1 + 4 + 4, "{csv}");
    assert!(csv.contains(",carl.zip,0,"), "{csv}");
    test.run(&["--only", "bert"])
        .expect_error(4, "`bert.so` is not a shared library");
    // The check has one row for each of them, with a verdict.
    let check = test.host(&["check", "submissions", "--format", "markdown"]);
    let check = check.expect_code(4).stdout;
    let rows: Vec<Vec<&str>> = (check.lines().skip(2))
        .map(|row| row.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 7, "{check}");
    for (file, plugin, verdict) in [
        ("libanna.so", "corner", "ready, 1 warning"),
        ("emil/agent.so", "corner", "ready, 1 warning"),
        ("bert.so", "", "cannot be loaded"),
        ("carl.zip", "", "no plugin"),
    ] {
        let is_there = |row: &Vec<&str>| [row[1], row[2], row[5]] == [file, plugin, verdict];
        assert!(rows.iter().any(is_there), "{file}: {check}");
    }
}

/// What a teacher shows to the class.
#[test]
fn a_report_under_pseudonyms_has_no_names() {
    let test = class();
    let submission = |name: &str| test.path("submissions").join(name);
    fs::rename(submission("libanna.so"), submission("libzelda.so")).expect("a file");
    fs::create_dir(submission("yvonne")).expect("a folder");
    fs::copy(submission("libzelda.so"), submission("yvonne/agent.so")).expect("a copy");
    fs::write(submission("xaver.zip"), "PK").expect("a file");
    test.write(
        "willi.py",
        "import sys\ninput()\nprint('agent {\"name\": \"willi\"}')\ninput()\nprint('ready')\n\
         input()\nsys.exit('a word of willi')\n",
    );
    fs::rename(test.path("willi.py"), submission("willi.py")).expect("a file");
    test.run(&[]).expect_code(0);
    let report = |options: &[&str]| {
        let arguments = ["report", "runs/t", "--pseudonyms", "names.csv"];
        test.host(&[&arguments, options].concat()).expect_code(0)
    };
    let read = |file: &str| fs::read_to_string(test.path(file)).expect("a file");
    report(&["--grades", "grades.csv"]);
    let grades = read("grades.csv");
    let row = |name: &str| {
        let begin = format!("{name},");
        let row = grades.lines().find(|row| row.starts_with(&begin));
        row.unwrap_or_else(|| panic!("no row of {name}: {grades}"))
            .to_owned()
    };
    assert_eq!(grades.lines().count(), 1 + 4, "{grades}");
    assert!(row("zelda").ends_with(",ready,"), "{grades}");
    assert!(
        row("xaver").contains(",0,,left out,is an archive"),
        "{grades}"
    );
    assert!(row("willi").contains(",disqualified,"), "{grades}");
    fs::remove_file(test.path("names.csv")).expect("the pseudonyms");
    let first = report(&["--html", "page.html"]).stderr;
    assert!(first.contains("4 new pseudonyms in names.csv"), "{first}");
    let names = read("names.csv");
    assert_eq!(names.lines().count(), 1 + 4, "{names}");
    let formats = ["table", "markdown", "latex", "csv", "json"];
    let mut shown = formats
        .map(|format| report(&["--format", format]).stdout)
        .to_vec();
    shown.extend([
        read("page.html"),
        report(&["--format", "csv", "--tables", "curves"]).stdout,
    ]);
    let pseudonym = |name: &str| {
        let line = names
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name},")));
        line.unwrap_or_else(|| panic!("no {name} in {names}"))
    };
    for text in shown {
        for name in ["zelda", "yvonne", "xaver", "willi", "corner", ".py"] {
            assert!(!text.contains(name), "{name}: {text}");
        }
        for name in ["zelda", "yvonne", "willi"] {
            assert!(text.contains(pseudonym(name)), "{name}: {text}");
        }
    }
    // Two agents with one name could not be told apart.
    test.write("names.csv", "name,pseudonym\nzelda,random\n");
    let arguments = ["report", "runs/t", "--pseudonyms", "names.csv"];
    test.host(&arguments)
        .expect_error(2, "`random` would be the name of two agents");
    // The run itself has the names.
    assert!(test.records().iter().any(|record| record.agent == "zelda"));
    // A submission in a folder of its own is found again.
    test.host(&["verify", "runs/t", "--rerun", "--plugins", "submissions"])
        .expect_code(0);
}

#[test]
fn late_changed_and_removed_submissions_play_only_their_games() {
    let test = class();
    let submission = |name: &str| test.path("submissions").join(name);
    let anna = submission("libanna.so");
    let plays = |part: &str| {
        let run = test.run(&[]).expect_code(0);
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
        run.stderr
    };
    plays("6 games to play");
    fs::copy(&anna, submission("zoe.so")).expect("a copy");
    fs::copy(&anna, submission("Aaron.so")).expect("a copy");
    plays("6 games to play, 6 already played");
    // Appended bytes change the file, but not how it plays.
    let mut changed = fs::read(&anna).expect("a library");
    changed.extend(b"changed");
    fs::write(submission("zoe.so"), &changed).expect("a file");
    plays("3 games to play, 9 already played");
    fs::rename(submission("Aaron.so"), test.path("Aaron.so")).expect("a file");
    let stderr = plays("0 games to play, 9 already played");
    assert!(
        stderr.contains("set aside 3 old games in superseded.jsonl")
            && stderr.contains("(Aaron 3 (no longer an agent))"),
        "{stderr}"
    );
    fs::rename(test.path("Aaron.so"), submission("Aaron.so")).expect("a file");
    plays("0 games to play, 12 already played");
    fs::remove_dir_all(test.path("submissions")).expect("a folder");
    fs::create_dir(test.path("submissions")).expect("a folder");
    test.run(&[])
        .expect_error(4, "t.yaml:3:11: the folder `./submissions` is empty");
    assert_eq!(test.records().len(), 12);
}
