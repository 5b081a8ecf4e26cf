//! `host submit` without a cluster: what it prints, checks and refuses.

use std::fs;

use crate::support::{Finished, TournamentTest, host};

const YAML: &str = "seeds: 1..4\nagents: [{plugin: greedy}]\n";

/// `host submit t.yaml` where the commands of Slurm cannot be found.
fn submit(test: &TournamentTest, arguments: &[&str]) -> Finished {
    let mut command = host();
    command
        .current_dir(test.folder.path())
        .env("PATH", "/nowhere")
        .args(["submit", "t.yaml", "--engine", "slurm"])
        .args(arguments);
    Finished::of(&mut command)
}

#[test]
fn without_slurm_the_way_out_is_said() {
    let test = TournamentTest::new(YAML);
    let refused = submit(&test, &["--shards", "4"]).expect_error(1, "there is no command `sbatch`");
    for part in ["--print", "host run t.yaml --shard I/4", "host merge"] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    assert!(!test.path("runs").exists(), "nothing was written");
}

#[test]
fn the_script_alone_needs_no_slurm_and_writes_nothing() {
    let test = TournamentTest::new(YAML);
    let arguments = [
        "--shards",
        "3",
        "--print",
        "--partition",
        "long",
        "--time",
        "1:00:00",
        "--sbatch-arg",
        "--account=games",
        "--workers",
        "2",
    ];
    let script = submit(&test, &arguments).expect_code(0).stdout;
    for line in [
        "#!/bin/sh",
        "#SBATCH --array=1-3",
        "#SBATCH --cpus-per-task=2",
        "#SBATCH --requeue",
        "#SBATCH --open-mode=append",
        "#SBATCH --partition=long",
        "#SBATCH --time=1:00:00",
        "#SBATCH --account=games",
    ] {
        assert!(
            script.lines().any(|found| found == line),
            "no {line:?} in {script}"
        );
    }
    assert!(!test.path("runs").exists(), "nothing was written");
    submit(&test, &["--shards", "3", "--print", "--time", "1\n2"])
        .expect_error(2, "it holds a line break");
}

/// The script is run as Slurm would run it, but for Slurm.
#[test]
fn the_script_plays_its_shard_under_any_shell() {
    let test = TournamentTest::new(YAML);
    let script = submit(&test, &["--shards", "3", "--print"])
        .expect_code(0)
        .stdout;
    test.write("job.sh", &script);
    let mut shell = std::process::Command::new("sh");
    shell
        .arg(test.path("job.sh"))
        .env("SLURM_ARRAY_TASK_ID", "2");
    Finished::of(&mut shell).expect_code(0);
    let log = fs::read_to_string(test.path("runs/t.shards/2-of-3/games.jsonl"));
    // Seeds 1 to 3 go to shards 1 to 3; then the dealing moves on, and seed 4 goes to 2.
    assert_eq!(log.expect("a game log").lines().count(), 2);
    // What stays wrong is not tried again.
    fs::remove_file(test.path("t.yaml")).expect("a file");
    Finished::of(&mut shell).expect_code(3);
}

#[test]
fn mistakes_are_found_before_anything_is_submitted() {
    let test = TournamentTest::new("agents: [{plugin: nobody}]\n");
    submit(&test, &["--shards", "8"]).expect_error(4, "nobody");
    test.write("t.yaml", "seedz: 1\nagents: [{plugin: greedy}]\n");
    submit(&test, &["--shards", "8"]).expect_error(3, "seedz");
    submit(&test, &["--shards", "0"]).expect_error(2, "--shards");
}

#[test]
fn a_number_of_shards_that_makes_no_sense_is_refused() {
    let test = TournamentTest::new(YAML);
    submit(&test, &["--shards", "0"]).expect_error(2, "a whole number from 1 on is needed");
    submit(&test, &["--shards", "5"]).expect_error(2, "the tournament has 4 games");
}
