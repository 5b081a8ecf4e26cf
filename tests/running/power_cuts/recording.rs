//! What a program did to its files, as the preload library recorded it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use crate::support::{Finished, repository};

/// One call that changes files or makes changes reach the disk. Paths are relative to the
/// recorded folder.
#[derive(Debug)]
pub(super) enum Call {
    Open {
        descriptor: u32,
        creates: bool,
        truncates: bool,
        path: PathBuf,
    },
    Copy {
        descriptor: u32,
        copy: u32,
    },
    Close(u32),
    Write(u32, Vec<u8>),
    Cut(u32, usize),
    Sync(u32),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    Folder(PathBuf),
}

/// The preload library, compiled once for a test.
pub(super) struct Recorder {
    folder: TempDir,
}

impl Recorder {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let status = Command::new("cc")
            .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2"])
            .args(["-shared", "-fPIC", "-o"])
            .arg(folder.path().join("recorder.so"))
            .arg(repository().join("tests/running/power_cuts/recorder.c"))
            .arg("-ldl")
            .status()
            .expect("a compiler runs");
        assert!(status.success(), "the recorder could not be compiled");
        Self { folder }
    }

    /// Runs a command to its success and returns what it did below a folder.
    pub(super) fn record(&self, command: &mut Command, recorded: &Path) -> Vec<Call> {
        let recording = self.folder.path().join("recording");
        let _ = fs::remove_file(&recording);
        command
            .env("LD_PRELOAD", self.folder.path().join("recorder.so"))
            .env("RECORDING", &recording)
            .env("RECORDED_FOLDER", recorded);
        Finished::of(command).expect_code(0);
        let text = fs::read_to_string(&recording).expect("the recording");
        text.lines().map(parse).collect()
    }
}

fn parse(line: &str) -> Call {
    let words: Vec<&str> = line.split('\t').collect();
    let number = |word: &str| word.parse().expect("a descriptor");
    match words[..] {
        [kind @ ("open" | "create"), descriptor, content, path] => Call::Open {
            descriptor: number(descriptor),
            creates: kind == "create",
            truncates: content == "truncate",
            path: path.into(),
        },
        ["copy", descriptor, copy] => Call::Copy {
            descriptor: number(descriptor),
            copy: number(copy),
        },
        ["close", descriptor] => Call::Close(number(descriptor)),
        ["write", descriptor, bytes] => Call::Write(number(descriptor), bytes_of(bytes)),
        ["cut", descriptor, length] => {
            Call::Cut(number(descriptor), length.parse().expect("a length"))
        }
        ["sync", descriptor] => Call::Sync(number(descriptor)),
        ["rename", from, to] => Call::Rename(from.into(), to.into()),
        ["remove", path] => Call::Remove(path.into()),
        ["folder", path] => Call::Folder(path.into()),
        _ => panic!("the recorder wrote {line:?}"),
    }
}

fn bytes_of(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| {
        let text = std::str::from_utf8(pair).expect("digits");
        u8::from_str_radix(text, 16).expect("two digits")
    };
    pairs.map(byte).collect()
}
