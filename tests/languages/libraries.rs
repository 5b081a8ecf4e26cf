//! The libraries of docs/other-languages.md: every file and command of a section is used as
//! it stands there.

use std::{fs, os::unix::fs::symlink, path::Path};

use tempfile::TempDir;

use crate::{
    LanguageTest, expected_play,
    support::{
        Finished,
        document::{blocks, shell},
        host, program_folder, records_of, repository,
    },
};

pub(crate) fn tests() -> Vec<LanguageTest> {
    let test = |name, missing, test| LanguageTest {
        name,
        missing,
        test,
    };
    vec![
        test(
            "a_library_in_go_plays",
            missing(&["/usr/bin/go"], "golang-go"),
            || plays("Go", "corner_go"),
        ),
        test(
            "a_library_in_zig_plays",
            zig()
                .is_none()
                .then(|| "zig is missing: pip install ziglang".to_owned()),
            || plays("Zig", "corner_zig"),
        ),
        test(
            "python_in_the_process_plays",
            missing(
                &[
                    "/usr/bin/python3.11-config",
                    "/usr/include/python3.11/Python.h",
                ],
                "python3-dev",
            ),
            || plays("Python in the process", "corner_py"),
        ),
        test(
            "java_in_the_process_plays",
            missing(
                &["/usr/lib/jvm/java-17-openjdk-amd64/bin/javac"],
                "default-jdk-headless",
            ),
            || plays("Java in the process", "corner_java"),
        ),
        test(
            "javascript_in_the_process_plays",
            missing(&["/usr/include/duktape.h"], "duktape-dev"),
            || plays("JavaScript in the process", "corner_duk"),
        ),
    ]
}

/// The paths of the page are those of Debian 12.
fn missing(files: &[&str], package: &str) -> Option<String> {
    let file = files.iter().find(|file| !Path::new(file).exists())?;
    Some(format!(
        "{file} is missing: apt-get install {package} (Debian 12)"
    ))
}

/// How Zig is called here.
fn zig() -> Option<&'static str> {
    let answers = |command: &str| shell(Path::new("/"), &format!("{command} version")).output();
    ["zig", "python3 -m ziglang"]
        .into_iter()
        .find(|command| answers(command).is_ok_and(|output| output.status.success()))
}

/// Builds and plays the library of a section.
fn plays(section: &str, agent: &str) {
    let page = fs::read_to_string(repository().join("docs/other-languages.md")).expect("the page");
    let heading = format!("\n## {section}\n");
    let (_, section) = page.split_once(&heading).expect("a section of this name");
    let section = section.split("\n## ").next().expect("its text");
    let folder = TempDir::new().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    host(); // builds the plugins
    fs::create_dir(path("bin")).expect("a folder");
    symlink(program_folder().join("host"), path("bin/host")).expect("a link");
    symlink(repository().join("plugin-api"), path("plugin-api")).expect("a link");
    if let Some(command @ "python3 -m ziglang") = zig() {
        fs::write(
            path("bin/zig"),
            format!("#!/bin/sh\nexec {command} \"$@\"\n"),
        )
        .expect("a file");
        Finished::of(&mut shell(folder.path(), "chmod +x bin/zig")).expect_code(0);
    }
    for (info, text) in blocks(section) {
        if let Some((_, name)) = info.split_once(' ') {
            let file = path(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
    }
    for (_, commands) in blocks(section).iter().filter(|(info, _)| *info == "sh") {
        Finished::of(&mut shell(folder.path(), commands)).expect_code(0);
    }
    let run = format!("host run {agent}.yaml --strict");
    Finished::of(&mut shell(folder.path(), &run)).expect_code(0);
    let records = records_of(&path(&format!("runs/{agent}/games.jsonl")));
    expected_play::check(&records, agent, 2, expected_play::corner);
}
