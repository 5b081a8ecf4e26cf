//! Agents that are built for one test, in Rust, C and C++.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

use super::program::{program_folder, repository};

/// All tests build in one target folder, where `plugin-api` is compiled already. Crates of the same
/// name are one there, which Cargo builds anew if its source is younger than the last build.
static TARGET: Mutex<()> = Mutex::new(());

/// Builds a crate outside the workspace that depends on `plugin-api` only; its library goes beside
/// its folder.
pub(crate) fn build_crate(folder: &Path, name: &str, plugin_api: &Path, code: &str) -> PathBuf {
    let _target = TARGET.lock().unwrap_or_else(PoisonError::into_inner);
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\nplugin-api = {{ path = \"{}\" }}\nserde = \"1\"\n\n[workspace]\n",
        plugin_api.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(folder.join("src/lib.rs"), code).expect("a source file");
    // The versions of the repository's lock file: they are on this machine already.
    fs::copy(repository().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    let target = program_folder().join("third-party");
    let library = format!("lib{name}.so");
    let copy = folder.with_file_name(&library);
    let status = Command::new(env!("CARGO"))
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", &target)
        .args(["build", "--quiet"])
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the crate {name} could not be built");
    fs::copy(target.join("debug").join(library), &copy).expect("a library");
    copy
}

/// Compiles one C or C++ file as the header says.
pub(crate) fn build_c(
    folder: &Path,
    compiler: &str,
    include: &Path,
    source: &Path,
    name: &str,
) -> PathBuf {
    let library = folder.join(format!("lib{name}.so"));
    let standard = if compiler == "c++" {
        "-std=c++17"
    } else {
        "-std=c11"
    };
    let status = Command::new(compiler)
        .args([
            standard,
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-O2",
            "-shared",
            "-fPIC",
            "-I",
        ])
        .arg(include)
        .arg(source)
        .arg("-o")
        .arg(&library)
        .status()
        .expect("a compiler runs");
    assert!(
        status.success(),
        "{} could not be compiled",
        source.display()
    );
    library
}
