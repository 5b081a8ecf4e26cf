//! `host submit` without a cluster: what it prints, checks and rejects.

use std::fs;

use crate::support::{Finished, TournamentTest, host};

const YAML: &str = "seeds: 1..4\nagents: [{plugin: greedy}]\n";

/// `host submit t.yaml` on a machine without the commands of Slurm.
fn submit(test: &TournamentTest, arguments: &[&str]) -> Finished {
    let mut command = host();
    command
        .current_dir(test.folder.path())
        .env("PATH", "/nowhere")
        .args(["submit", "t.yaml"])
        .args(arguments);
    Finished::of(&mut command)
}

#[test]
fn without_slurm_the_alternatives_are_explained() {
    let test = TournamentTest::new(YAML);
    let rejected =
        submit(&test, &["--shards", "4"]).expect_error(1, "the command `sbatch` was not found");
    for part in ["--print", "host run t.yaml --shard I/4", "host merge"] {
        assert!(rejected.stderr.contains(part), "{}", rejected.stderr);
    }
    assert!(!test.path("runs").exists(), "nothing was written");
}

#[test]
fn a_task_requests_the_memory_of_the_agent_with_most() {
    let agents = "agents: [{plugin: greedy, memory: 6GiB}, {plugin: random}]\n";
    let test = TournamentTest::new(&format!("seeds: 1..4\nmemory: 1GiB\n{agents}"));
    let script = submit(&test, &["--shards", "2", "--print", "--workers", "2"]);
    let script = script.expect_code(0).stdout;
    assert!(script.contains("#SBATCH --mem=12544M\n"), "{script}");
}

#[test]
fn printing_the_script_needs_no_slurm_and_writes_nothing() {
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
        "#!/bin/bash",
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
        .expect_error(2, "contains a line break");
}

/// The script is run as Slurm would run it.
#[test]
fn the_script_plays_its_shard() {
    let test = TournamentTest::new(YAML);
    let script = submit(&test, &["--shards", "3", "--print"])
        .expect_code(0)
        .stdout;
    let named = submit(&test, &["--shards", "3", "--print", "--engine", "slurm"]);
    assert_eq!(named.stdout, script, "slurm is the default");
    submit(&test, &["--shards", "3", "--engine", "x"]).expect_error(2, "possible values: slurm");
    test.write("job.sh", &script);
    let mut shell = std::process::Command::new("sh");
    shell
        .arg(test.path("job.sh"))
        .env("SLURM_ARRAY_TASK_ID", "2");
    Finished::of(&mut shell).expect_code(0);
    let log = fs::read_to_string(test.path("runs/t.shards/2-of-3/games.jsonl"));
    // Seeds 1 to 3 go to shards 1 to 3; then the assignment shifts, and seed 4 goes to shard 2.
    assert_eq!(log.expect("a game log").lines().count(), 2);
    // A permanent error is not tried again.
    fs::remove_file(test.path("t.yaml")).expect("a file");
    Finished::of(&mut shell).expect_code(3);
}

#[test]
fn errors_are_found_before_anything_is_submitted() {
    let test = TournamentTest::new("agents: [{plugin: nobody}]\n");
    submit(&test, &["--shards", "8"]).expect_error(4, "nobody");
    test.write("t.yaml", "seedz: 1\nagents: [{plugin: greedy}]\n");
    submit(&test, &["--shards", "8"]).expect_error(3, "seedz");
    submit(&test, &["--shards", "0"]).expect_error(2, "--shards");
}

#[test]
fn an_impossible_number_of_shards_is_rejected() {
    let test = TournamentTest::new(YAML);
    submit(&test, &["--shards", "0"]).expect_error(2, "expected a whole number of at least 1");
    submit(&test, &["--shards", "5"]).expect_error(2, "the tournament has only 4 games");
}
