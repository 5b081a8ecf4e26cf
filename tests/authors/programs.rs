//! Agents that are programs: in Python, JavaScript and Java, with the interpreters of this
//! machine.

use std::{fs, process::Command};

use crate::{
    repository::documentation::{document, file},
    support::{
        TournamentTest, host,
        interpreters::{interpreter, put_programs},
        repository,
    },
};

/// The error of each language is in the sentence, with its line. Warnings are no errors.
#[test]
fn an_exception_is_named_with_its_line_in_every_language() {
    let test = TournamentTest::new("");
    let programs = put_programs(test.folder.path());
    for name in programs {
        let entry =
            |what: &str| format!("{{plugin: ./{name}, name: {what}, params: {{what: {what}}}}}");
        let yaml = format!(
            "seeds: 1..1\nmax_moves: 5\nagents: [{}, {}]\n",
            entry("raise"),
            entry("threads")
        );
        test.write("t.yaml", &yaml);
        test.run(&["--fresh"]).expect_code(0);
        let mut records = test.records();
        // What a virtual machine says of its own accord is no line of its agent.
        assert_eq!(records.remove(1).fault, None, "{name}");
        let fault = records.remove(0).fault.unwrap_or_default();
        let (source, error) = match name {
            "plays.py" => ("plays.py", "ValueError: raised"),
            "plays.js" => ("plays.js", "TypeError: thrown"),
            _ => ("Plays.java", "java.lang.IllegalStateException: thrown"),
        };
        let code = repository().join("tests/program-agents").join(source);
        let code = fs::read_to_string(code).expect("a program");
        let throws = |line: &str| line.contains("on purpose");
        let line = 1 + code.lines().position(throws).expect("it throws");
        let words = format!("{error} on purpose ({source}, line {line})”");
        assert!(fault.ends_with(&words), "{name}: {fault}");
    }
}

/// The page about the protocol has an agent that plays as it stands there.
#[test]
fn the_agent_on_the_page_plays() {
    if interpreter("python3").is_none() {
        return;
    }
    let page = document("text-protocol.md");
    let yaml = format!("seeds: 1..1\n{}", file(&page, "first.yaml"));
    let test = TournamentTest::new(&yaml);
    test.write("first.py", &file(&page, "first.py"));
    test.run(&[]).expect_code(0);
    let listed = host()
        .current_dir(test.folder.path())
        .args(["list", "first", "--plugins", "."])
        .output()
        .expect("the host runs");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(
        listed.contains("`first") && listed.contains("ABI: text"),
        "{listed}"
    );
    test.host(&["verify", "runs/t", "--rerun", "--plugins", "."])
        .expect_code(0);
}

#[test]
fn a_script_that_only_defines_choose_learns_of_the_protocol() {
    if interpreter("python3").is_none() {
        return;
    }
    let test = TournamentTest::new("agents: [./first.py]\n");
    test.write("first.py", "def choose(board):\n    return 'up'\n");
    test.run(&[])
        .expect_error(4, "a program must speak the text protocol");
    // One that ends in an error names that instead.
    test.write("first.py", "def choose(board)\n    return 'up'\n");
    test.run(&[])
        .expect_error(4, "failed to start: ended its process with exit code 1");
}

/// A library for numbers brings dozens of shared libraries, threads and a look at the CPU.
/// Under a budget, in the whole sandbox and in a quarter of the usual memory.
#[test]
fn numpy_works_in_the_whole_sandbox() {
    const AGENT: &str = r#"import json, sys
import numpy as np

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "arena":
        print('agent {"name": "numpy"}')
    elif word == "new":
        a = np.random.default_rng(1).random((200, 200))
        np.linalg.eigvalsh(a @ a.T)
        print("ready")
    elif word == "turn":
        turn = json.loads(rest)
        board = np.array(turn["board"], dtype=float)
        rank = int(np.linalg.matrix_rank(board))
        wish = turn["legal"][rank % len(turn["legal"])]
        print("move", wish, json.dumps({"depth": rank}))
"#;
    let Some(python) = python_with_numpy() else {
        return;
    };
    let yaml = format!(
        "seeds: 1..1\nmax_moves: 50\nsandbox: required\nmemory: 256MiB\n\
         budget: {{per_move: 10ms}}\n\
         agents: [{{program: [{python}, anna.py]}}]\n"
    );
    let test = TournamentTest::new(&yaml);
    test.write("anna.py", AGENT);
    test.run(&[]).expect_code(0);
    let record = test.records().remove(0);
    assert_eq!((record.fault, record.n_moves), (None, 50));
}

/// An interpreter of this machine that has `NumPy`; says so if there is none.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn python_with_numpy() -> Option<&'static str> {
    let found = ["python3", "/usr/bin/python3"].into_iter().find(|python| {
        let mut import = Command::new(python);
        let output = import.args(["-c", "import numpy"]).output();
        output.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        println!("skipped: NumPy is not installed for `python3` (Debian: python3-numpy)");
    }
    found
}

/// A submission that is a folder sees its own files, and the file that it starts counts as
/// well as the others: a change of either plays anew.
#[test]
fn a_folder_is_a_program_with_its_own_files() {
    if interpreter("python3").is_none() {
        return;
    }
    let test = TournamentTest::new("seeds: 1..1\nagents: [{plugin: ./anna/}]\n");
    fs::create_dir(test.path("anna")).expect("a folder");
    let page = document("text-protocol.md");
    let code = file(&page, "first.py").replace(
        "wishes = [\"down\", \"left\", \"right\", \"up\"]",
        "wishes = open(\"wishes.txt\").read().split()",
    );
    test.write("anna/main.py", &code);
    test.write("anna/wishes.txt", "down left right up");
    test.run(&[]).expect_code(0);
    let first = test.records().remove(0);
    assert_eq!((first.agent.as_str(), first.fault), ("anna", None));
    test.write("anna/wishes.txt", "up left right down");
    test.run(&[]).expect_code(0);
    let second = test.records().remove(0);
    assert_eq!(second.fault, None);
    assert_ne!(first.moves, second.moves);
}

/// What is wrong with a program is said before the first game.
#[test]
fn programs_that_cannot_play_are_rejected_with_the_reason() {
    let test = TournamentTest::new("");
    fs::create_dir(test.path("empty")).expect("a folder");
    test.write("Anna.java", "class Anna {}\n");
    test.write("lost", "#!/usr/bin/env no-such-interpreter\n");
    test.write("silent.sh", "#!/bin/sh\necho hello\nread line\n");
    test.write(
        "broken.sh",
        "#!/bin/sh\nread line\necho 'agent {\"nam\": 1}'\nread line\n",
    );
    test.write(
        "wordy.sh",
        "#!/bin/sh\nread line\necho 'agent wordy'\nread line\n",
    );
    test.write("greedy.sh", "#!/bin/sh\nwhile read line; do :; done\n");
    test.write("helper.py", "");
    test.write("importer.py", "import helper\n");
    for (plugin, message) in [
        ("./empty", "contains none of main.py, main.js"),
        (
            "./Anna.java",
            "compile it: `javac Anna.java && jar -c -f anna.jar -e Anna *.class`",
        ),
        (
            "./lost",
            "needs `no-such-interpreter`, which is in no folder of `PATH`",
        ),
        (
            "./silent.sh",
            "wrote the line “hello”, which is not a line of the protocol, where `agent {…}` was expected",
        ),
        (
            "./broken.sh",
            "returned an invalid description: “missing field `name`",
        ),
        (
            "./wordy.sh",
            "it wrote “agent wordy”; write for example `agent {\"name\": \"anna\"}`",
        ),
        (
            "./greedy.sh",
            "gave no answer to `arena 1` and slept for more than 1 s: read standard input line by line",
        ),
        (
            "./importer.py",
            "No module named 'helper' (importer.py, line 1)”; `helper.py` lies beside it, but in \
             the sandbox a program in a single file sees only that file",
        ),
    ] {
        if plugin.contains("py") && interpreter("python3").is_none() {
            continue;
        }
        test.write("t.yaml", &format!("agents: [{{plugin: {plugin}}}]\n"));
        test.run(&[]).expect_error(4, message);
    }
}
