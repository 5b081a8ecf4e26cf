//! The agent that looks for what it must not find: `c-agents/snoop.c`.

use std::path::{Path, PathBuf};

use run::game_record::GameRecord;

use super::{TournamentTest, built_agent::build_c, kinds::as_program, repository};

/// Builds the agent that tries what must not work.
pub(crate) fn build_snoop(test: &TournamentTest) -> PathBuf {
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/snoop.c");
    build_c(test.folder.path(), "cc", &include, &source, "snoop")
}

/// What an agent has found: a library refuses with it, a program reports it as an error. The
/// fault of an agent that could not tell is returned as it is.
pub(crate) fn told(record: GameRecord) -> String {
    let fault = record.fault.expect("it tells what it has found");
    let words = ["refused to play: “", "reported an error: “"]
        .iter()
        .find_map(|prefix| fault.strip_prefix(prefix)?.strip_suffix('”'));
    words.unwrap_or(&fault).to_owned()
}

/// What the second agent has found of a secret that the first one tries to leave for it.
pub(crate) fn transmit(
    test: &TournamentTest,
    kind: &str,
    [channel, path]: [&str; 2],
    secret: u64,
) -> String {
    let yaml = format!(
        "seeds: 1..1\nworkers: 1\nagents:\n\
         - {{{kind}, name: sender, allow_read: [files], params: {{mode: write-{channel}, path: {path}, secret: '{secret:016x}'}}}}\n\
         - {{{kind}, name: receiver, allow_read: [files], params: {{mode: read-{channel}, path: {path}}}}}\n"
    );
    test.write("t.yaml", &yaml);
    test.run(&["--fresh"]).expect_code(0);
    let receiver = test.records().remove(1);
    told(receiver)
}

/// The library, and the same as a program.
pub(crate) fn both_kinds(library: &Path) -> [String; 2] {
    ["plugin: snoop".to_owned(), as_program(library)]
}
