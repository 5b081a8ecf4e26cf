//! Hostile agents of `c-agents`, as libraries and as programs, against hosts of several users.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use run::game_record::GameRecord;

use super::{
    Finished, TournamentTest,
    built_agent::build_c,
    kinds::as_program,
    records_of, repository,
    starters::{host_started_by, starters},
};

/// Builds an agent of `c-agents`.
pub(crate) fn build_hostile(test: &TournamentTest, name: &str) -> PathBuf {
    let include = repository().join("plugin-api/include");
    let source = repository().join(format!("tests/c-agents/{name}.c"));
    build_c(test.folder.path(), "cc", &include, &source, name)
}

/// Plays a tournament with a hostile agent of each kind, for the user of the tests and for an
/// unprivileged one, and returns the records of every run. `plays` gets the kind, and returns the
/// tournament file.
pub(crate) fn attack(name: &str, plays: impl Fn(&str) -> String) -> Vec<Vec<GameRecord>> {
    let test = TournamentTest::new("");
    let everybody = fs::Permissions::from_mode(0o777);
    fs::set_permissions(test.folder.path(), everybody).expect("one's own folder");
    let library = build_hostile(&test, name);
    let mut runs = Vec::new();
    for kind in [format!("plugin: {name}"), as_program(&library)] {
        test.write("t.yaml", &plays(&kind));
        for starter in starters().iter().take(2) {
            let mut command = host_started_by(starter);
            command
                .args(["run", "t.yaml", "--fresh"])
                .current_dir(test.folder.path());
            Finished::of(&mut command).expect_code(0);
            runs.push(records_of(&test.log()));
            fs::remove_dir_all(test.path("runs")).expect("the run was written");
        }
    }
    runs
}
