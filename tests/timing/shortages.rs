//! When memory runs out, the agent that took it pays; threads are shared before they run out.
//!
//! The shortage is a control group with little of either. Where control groups cannot be
//! made, the tests say so and check nothing.

use std::{fs, path::PathBuf, process::Command};

use run::game_record::GameRecord;

use crate::support::{
    Finished, TournamentTest, attack::build_hostile, program_folder, snoop::told,
};

/// A control group with a limit, while this value lives.
struct ControlGroup(PathBuf);

impl ControlGroup {
    /// A group under version 1 or 2, or nothing where this user may not make one.
    #[expect(clippy::print_stdout, reason = "a skipped test says so")]
    fn new(controller: &str, files: [&str; 2], limit: &str) -> Option<Self> {
        // A group of an earlier test may still be there: see `drop`.
        let name = format!("arena2048-{controller}-{limit}-{}", std::process::id());
        let roots = [
            format!("/sys/fs/cgroup/{controller}"),
            "/sys/fs/cgroup".to_owned(),
        ];
        let group = roots.iter().zip(files).find_map(|(root, file)| {
            let folder = PathBuf::from(root).join(&name);
            fs::create_dir(&folder).ok()?;
            let group = Self(folder);
            fs::write(group.0.join(file), limit).ok().map(|()| group)
        });
        if group.is_none() {
            println!("skipped: no control group for {controller} can be made here");
        }
        group
    }

    /// How many processes were killed because the group had no more memory.
    fn n_killed(&self) -> u64 {
        let texts = ["memory.oom_control", "memory.events"]
            .map(|file| fs::read_to_string(self.0.join(file)).unwrap_or_default());
        let mut lines = texts.iter().flat_map(|text| text.lines());
        let count = lines.find_map(|line| line.strip_prefix("oom_kill "));
        let count = count.expect("the group counts them");
        count.parse().expect("a number")
    }

    /// Runs the tournament in the group.
    fn run(&self, test: &TournamentTest, arguments: &[&str]) -> Finished {
        // Builds what is run.
        drop(test.command(&[]));
        let script = "echo $$ > \"$1\" && shift && exec \"$@\"";
        let mut command = Command::new("sh");
        command
            .current_dir(test.folder.path())
            .args(["-c", script, "sh"])
            .arg(self.0.join("cgroup.procs"))
            .arg(program_folder().join("host"))
            .args(["run", "t.yaml", "--plugins", "."])
            .args(arguments);
        Finished::of(&mut command)
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // A group whose last process is just ending stays, and is empty.
        let _ = fs::remove_dir(&self.0);
    }
}

fn test_with_hog() -> TournamentTest {
    let test = TournamentTest::new(
        "seeds: 1..20\nmax_moves: 60\ndisqualify_after: 1\nbudget: {hang: 5s}\nagents:\n\
         - plugin: hog\n- plugin: greedy\n",
    );
    build_hostile(&test, "hog");
    test
}

/// The hog's one game, after the others were found good.
#[track_caller]
fn game_of_the_hog(test: &TournamentTest) -> GameRecord {
    let (hogs, others): (Vec<_>, Vec<_>) = test
        .records()
        .into_iter()
        .partition(|record| record.agent == "hog");
    assert_eq!(others.len(), 20);
    for record in others {
        assert_eq!(record.ending.name(), "move-limit", "{:?}", record.fault);
    }
    assert_eq!(hogs.len(), 1);
    hogs.into_iter().next().expect("one record")
}

#[test]
fn the_agent_that_holds_the_memory_pays_when_it_runs_out_and_gets_no_replay() {
    let files = ["memory.limit_in_bytes", "memory.max"];
    let Some(group) = ControlGroup::new("memory", files, "268435456") else {
        return;
    };
    let test = test_with_hog();
    group.run(&test, &["--workers", "2"]).expect_code(0);
    let record = game_of_the_hog(&test);
    assert_eq!(record.ending.name(), "crash", "{:?}", record.fault);
    let fault = record.fault.expect("a sentence");
    assert!(fault.contains("killed for lack of memory"), "{fault}");
    assert!(record.retries.is_empty(), "{:?}", record.retries);
}

/// A hole of 150 MiB takes no room on a disk. The host keeps one copy of each file for the run; a
/// second one of each, from asking what it is, would be too much here.
#[test]
fn files_of_agents_that_do_not_play_lie_in_memory_once() {
    const N_AGENTS: u64 = 4;
    const SIZE: u64 = 150 << 20;
    let limit = ((N_AGENTS + 2) * SIZE).to_string();
    let files = ["memory.limit_in_bytes", "memory.max"];
    let Some(group) = ControlGroup::new("memory", files, &limit) else {
        return;
    };
    let test = TournamentTest::new("");
    let library = build_hostile(&test, "glutton");
    let agent = |number: u64| {
        let name = format!("fat{number}.so");
        let copy = test.path(&name);
        fs::copy(&library, &copy).expect("it was built");
        let file = fs::OpenOptions::new().write(true).open(&copy);
        let file = file.expect("one's own file");
        file.set_len(SIZE + number).expect("a hole");
        format!("- {{plugin: ./{name}, params: {{takes: signals}}}}\n")
    };
    let agents: Vec<String> = (0..N_AGENTS).map(agent).collect();
    let agents = agents.concat();
    test.write(
        "t.yaml",
        &format!("seeds: 1..1\nmemory: 200MiB\nagents:\n{agents}"),
    );
    group.run(&test, &["--workers", "1"]).expect_code(0);
    for record in test.records() {
        let taken = told(record);
        assert_eq!(taken, "took 64 signals");
    }
    assert_eq!(group.n_killed(), 0);
}

/// An agent with all the threads it can get keeps no worker from starting, and takes none from one
/// that plays at the same moment.
#[test]
fn threads_are_shared_where_they_are_few() {
    for (limit, fewest) in [("70", 15), ("120", 30)] {
        let Some(group) = ControlGroup::new("pids", ["pids.max"; 2], limit) else {
            return;
        };
        let test = TournamentTest::new(
            "seeds: 1..3\nbudget: {sleep: 60s}\nagents:\n\
             - {plugin: glutton, params: {takes: threads}}\n\
             - {plugin: glutton, name: rival, params: {takes: threads}}\n- plugin: greedy\n",
        );
        build_hostile(&test, "glutton");
        group.run(&test, &["--workers", "2"]).expect_code(0);
        let (greedy, gluttons): (Vec<_>, Vec<_>) =
            (test.records().into_iter()).partition(|record| record.agent == "greedy");
        for record in greedy.iter().chain(&gluttons) {
            assert!(record.retries.is_empty(), "{:?}", record.retries);
        }
        assert!(greedy.iter().all(|record| record.fault.is_none()));
        let mut taken: Vec<String> = gluttons.into_iter().map(told).collect();
        taken.dedup();
        let [taken] = &taken[..] else {
            panic!("{taken:?}");
        };
        let n_taken: u32 = taken
            .split(' ')
            .nth(1)
            .expect("a number")
            .parse()
            .expect("digits");
        assert!(n_taken >= fewest, "{taken}");
    }
}
