//! What the README promises about programs: its commands and code are used as they stand there.

use std::{fs, os::unix::fs::symlink, path::Path};

use tempfile::TempDir;

use crate::{
    LanguageTest,
    support::{
        Finished,
        document::{blocks, shell},
        host, program_folder, records_of, repository,
    },
};

pub(crate) fn tests() -> Vec<LanguageTest> {
    let test = |name, test| LanguageTest {
        name,
        missing: crate::kits::missing("python3", "python3"),
        test,
    };
    vec![test("the_readme_leads_to_an_agent_of_ones_own", readme)]
}

/// A folder that looks like a clone after its build.
fn built_clone() -> TempDir {
    host(); // builds the plugins
    let folder = TempDir::new().expect("a temporary folder");
    fs::create_dir(folder.path().join("target")).expect("a folder");
    symlink(program_folder(), folder.path().join("target/release")).expect("a link");
    folder
}

fn run(folder: &Path, commands: &str) {
    Finished::of(&mut shell(folder, commands)).expect_code(0);
}

fn block(document: &str, info: &str) -> String {
    let blocks = blocks(document);
    let found = blocks.iter().find(|(name, _)| *name == info);
    found.expect("a block").1.clone()
}

fn readme() {
    let page = fs::read_to_string(repository().join("README.md")).expect("the README");
    let (_, section) = page
        .split_once("## Your agent in one minute\n")
        .expect("a section");
    let commands = &block(section, "sh");
    let (new, play) = commands.split_once("\nhost run").expect("several commands");
    let play = format!("host run{play}");
    let clone = built_clone();
    run(clone.path(), new);
    let own = clone.path().join("my_agent");
    symlink(program_folder(), own.join("bin")).expect("a link");
    let yaml = fs::read_to_string(own.join("tournament.yaml")).expect("a tournament");
    fs::write(own.join("tournament.yaml"), yaml.replace("1..30", "1..2")).expect("a file");
    run(&own, &play);
    let score_of = || -> u64 {
        let records = records_of(&own.join("runs/my_agent/games.jsonl"));
        let games = records.iter().filter(|it| it.agent == "my_agent");
        games.map(|game| game.score).sum()
    };
    let before = score_of();

    // The lines of the tutorial replace those of the kit.
    let tutorial = fs::read_to_string(repository().join("docs/writing-an-agent.md"));
    let code = block(&tutorial.expect("the tutorial"), "python");
    let kit = fs::read_to_string(own.join("my_agent.py")).expect("the kit");
    let (head, rest) = kit.split_once("def choose(").expect("a function");
    let (_, tail) = rest.split_once("\n\n\ndef ").expect("another function");
    fs::write(
        own.join("my_agent.py"),
        format!("{head}{code}\n\ndef {tail}"),
    )
    .expect("a file");
    run(&own, &play);
    assert!(score_of() > 2 * before, "{} after {before}", score_of());
}
