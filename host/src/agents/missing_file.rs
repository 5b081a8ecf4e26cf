//! Why the file of a plugin is not where its author expects it.

use std::path::Path;

/// What to do about a missing file, as far as the files around it tell; begins with a
/// separator.
pub(super) fn hint(missing: &Path) -> String {
    let text = missing.to_string_lossy();
    let is_library = missing.extension().is_some_and(|end| end == "so");
    if !is_library && text.contains(' ') {
        return "; a whole command is written as `program: [python3, agent.py]`".to_owned();
    }
    if !is_library {
        return String::new();
    }
    if missing.with_extension("rlib").is_file() {
        return "; there is only an `.rlib`, which other Rust crates use: set `crate-type = [\"cdylib\"]` \
                under `[lib]` in Cargo.toml and build again"
            .to_owned();
    }
    let debug = text.replace("/release/", "/debug/");
    if debug != text && Path::new(&debug).is_file() {
        return "; there is a debug build, which is many times slower: run `cargo build --release`"
            .to_owned();
    }
    if text.contains("target/release/") {
        return "; run `cargo build --release` first".to_owned();
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_crate_that_was_built_otherwise_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let release = folder.path().join("target/release");
        let debug = folder.path().join("target/debug");
        fs::create_dir_all(&release).unwrap();
        fs::create_dir_all(&debug).unwrap();
        let library = release.join("libx.so");
        assert!(hint(&library).contains("run `cargo build --release` first"));
        assert_eq!(hint(&folder.path().join("libx.so")), "");
        assert_eq!(hint(&release.join("x.txt")), "");
        assert!(hint(Path::new("./python3 x.py")).contains("`program: ["));
        fs::write(debug.join("libx.so"), "").unwrap();
        assert!(hint(&library).contains("there is a debug build"));
        fs::write(release.join("libx.rlib"), "").unwrap();
        assert!(hint(&library).contains("`crate-type = [\"cdylib\"]`"));
    }
}
