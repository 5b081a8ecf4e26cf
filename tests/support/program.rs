//! The program under test, and the plugins beside it.

use std::{path::Path, process::Command, sync::OnceLock};

/// The root of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the host lies in the repository")
}

/// The program under test.
pub(crate) fn host() -> Command {
    build_plugins();
    let mut command = Command::new(env!("CARGO_BIN_EXE_host"));
    command.env_remove("HOST_PLUGINS").env("NO_COLOR", "1");
    command
}

/// The folder of the program and of the plugins.
pub(crate) fn program_folder() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_host"))
        .parent()
        .expect("a program lies in a folder")
}

/// Builds all plugins once: `cargo test` alone builds no dynamic library. Examples are
/// named because they bring the features of dependencies that tests have: nothing but
/// the plugins is built anew.
fn build_plugins() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(repository()).args([
            "build",
            "--quiet",
            "--workspace",
            "--lib",
            "--examples",
        ]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let target = program_folder()
            .parent()
            .expect("target/debug has a parent");
        let status = cargo
            .env("CARGO_TARGET_DIR", target)
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the plugins could not be built");
    });
}
