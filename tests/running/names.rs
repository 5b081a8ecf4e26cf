//! The program under another name, and tournaments by theirs.

use std::os::unix::process::CommandExt;

use crate::support::{Finished, TournamentTest, host, repository};

/// The command as it runs where the program is installed as `arena2048`.
fn arena2048(test: &TournamentTest, arguments: &[&str]) -> Finished {
    let mut command = host();
    command.current_dir(test.folder.path()).arg0("arena2048");
    Finished::of(command.args(arguments))
}

#[test]
fn help_messages_and_pages_print_the_name_that_was_typed() {
    let test = TournamentTest::new("seeds: 1..2\nagents: [{plugin: greedy}]\n");
    let help = arena2048(&test, &["--help"]).expect_code(0).stdout;
    assert!(help.contains("Usage: arena2048 <COMMAND>"), "{help}");
    let version = arena2048(&test, &["--version"]).expect_code(0).stdout;
    assert_eq!(
        version,
        concat!("arena2048 ", env!("CARGO_PKG_VERSION"), "\n")
    );
    arena2048(&test, &["verify", "."]).expect_error(2, "`arena2048 run` wrote");

    let part = arena2048(&test, &["run", "t.yaml", "--seed", "1"]).expect_code(0);
    assert!(
        part.stdout.contains("`arena2048 run` with"),
        "{}",
        part.stdout
    );
    assert!(
        part.stderr.contains(" arena2048 report "),
        "{}",
        part.stderr
    );
    let page = std::fs::read_to_string(test.path("runs/t/report.html")).expect("a page");
    assert!(page.contains("<code>arena2048 verify RUN</code>"));
    assert!(!page.contains("host verify") && !page.contains("host run"));

    let completions = arena2048(&test, &["completions", "bash"]).expect_code(0);
    assert!(completions.stdout.starts_with("_arena2048() {"));
    let new = arena2048(&test, &["new", "anna", "--lang", "python"]).expect_code(0);
    assert!(
        new.stdout.contains("    arena2048 run tournament.yaml"),
        "{}",
        new.stdout
    );
}

#[test]
fn a_tournament_that_lies_near_is_found_by_its_name() {
    let test = TournamentTest::new("");
    std::fs::create_dir(test.path("tournaments")).expect("a folder");
    let smoke = repository().join("tournaments/smoke.yaml");
    std::fs::copy(smoke, test.path("tournaments/smoke.yaml")).expect("a copy");
    test.host(&["run", "smoke"]).expect_code(0);
    assert!(test.path("runs/smoke/report.html").exists());
    test.host(&["run", "smok"])
        .expect_error(3, "known by name: smoke");
    // A file of this name comes first.
    test.write("smoke", "agents: [{plugin: nosuchagent}]\n");
    test.host(&["run", "smoke"]).expect_error(4, "smoke:1:");
}
