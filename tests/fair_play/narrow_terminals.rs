//! Words of plugins in a real terminal, which continues long lines in its first column.
//!
//! An agent could fill a line so that its next words stand where lines of the host begin.

use std::{fs, process::Command};

use crate::support::{Finished, TournamentTest, program_folder};

use super::words_of_plugins::FORGED;

/// A part of a word that is longer than a line.
const FILLER: &str = "xxxxx";

/// What a command writes to a terminal of this width, without colours and movements.
fn in_terminal(test: &TournamentTest, width: usize, arguments: &str) -> String {
    let host = program_folder().join("host");
    let command = format!("stty cols {width} rows 50; {} {arguments}", host.display());
    let mut script = Command::new("script");
    script
        .args(["-qec", &command, "/dev/null"])
        .current_dir(test.path("."));
    let Finished { stdout, .. } = Finished::of(&mut script);
    console::strip_ansi_codes(&stdout).into_owned()
}

#[test]
fn no_words_of_an_agent_begin_a_line_of_the_terminal() {
    let test = TournamentTest::new(
        "seeds: 1..1\nagents: [{plugin: ./printing.sh}, {plugin: ./speaking.sh}]\n",
    );
    test.write("unusable.yaml", "agents: [{plugin: ./unusable.sh}]\n");
    // With this many blanks, a printed line reaches the end of the terminal.
    let printed = [36, 76].map(|n_blanks| format!("{}{FORGED}", " ".repeat(n_blanks)));
    let words = format!(
        "{} {FORGED} {}",
        FILLER.repeat(30),
        format!("{FORGED} ").repeat(9)
    );
    let start = "read line\necho 'agent {\"name\": \"x\"}'\nread line\n";
    for (name, code) in [
        (
            "printing.sh",
            format!(
                "{start}echo ready\nread line\necho '{}' >&2\necho '{}' >&2\nexit 1\n",
                printed[0], printed[1]
            ),
        ),
        (
            "speaking.sh",
            format!("{start}echo ready\nread line\necho 'error {words}'\nread line\n"),
        ),
        (
            "unusable.sh",
            format!("read line\necho 'error {words}'\nread line\n"),
        ),
    ] {
        test.write(name, &format!("#!/bin/sh\n{code}"));
    }
    let listed = format!("input()\nprint('error {words}', flush=True)\ninput()\n");
    test.write("listed.py", &listed);
    fs::create_dir(test.path("submissions")).expect("a folder");
    test.write("submissions/listed.py", &listed);
    test.write(
        &format!("submissions/{FORGED} {}.zip", FILLER.repeat(9)),
        "",
    );
    for width in [40, 80] {
        for command in [
            "run t.yaml --fresh",
            "report runs/t --tables faults,notes",
            "run unusable.yaml",
            "list --plugins .",
            "check submissions",
        ] {
            let shown = in_terminal(&test, width, command);
            assert!(shown.contains(FORGED), "{command}:\n{shown}");
            let is_theirs = |line: &&str| line.contains(FORGED) || line.contains(FILLER);
            for line in shown.split(['\n', '\r']).filter(is_theirs) {
                let is_marked = !line.starts_with(FORGED) && line.chars().count() <= width;
                assert!(is_marked, "{command}, {width} columns: {line}\n\n{shown}");
            }
        }
    }
}
