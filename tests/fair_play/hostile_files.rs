//! Submissions whose files are the attack: none plays outside its room, reads a rival's file,
//! makes the host wait or fills its memory, and each is left out alone, with the reason.

use std::{
    fs::{self, File, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::{Finished, TournamentTest, built_agent::build_c, host, repository};

/// Builds a program that plays, in a folder of its own, with a loader of its choice.
fn build_program(folder: &Path, loader: Option<&Path>) -> PathBuf {
    fs::create_dir_all(folder).expect("a folder");
    let program = folder.join("main");
    let mut compiler = Command::new("cc");
    if let Some(loader) = loader {
        compiler.arg(format!("-Wl,--dynamic-linker={}", loader.display()));
    }
    let source = repository().join("tests/program-agents/echo.c");
    let status = compiler
        .args(["-Wall", "-Werror", "-O2", "-o"])
        .args([&program, &source])
        .status()
        .expect("a C compiler");
    assert!(status.success());
    program
}

/// A folder whose deepest path is almost as long as the kernel allows.
fn make_deep(folder: &Path) {
    const LONGEST: usize = 4090;
    let mut path = folder.to_path_buf();
    while path.as_os_str().len() + 2 < LONGEST {
        let left = LONGEST - path.as_os_str().len() - 1;
        path.push("d".repeat(left.min(250)));
    }
    fs::create_dir_all(&path).expect("a path that the kernel takes");
}

/// The host as a user without access to every file, even if root runs the tests.
fn host_of_a_plain_user(test: &TournamentTest, arguments: &[&str]) -> Finished {
    let program = host().get_program().to_owned();
    let starters = [
        &[
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
        ][..],
        &["env"],
    ];
    let is_possible = |starter: &&&[&str]| {
        let mut command = Command::new(starter[0]);
        command.args(&starter[1..]).arg(&program).arg("--version");
        command.output().is_ok_and(|output| output.status.success())
    };
    let starter = starters.iter().find(is_possible).expect("`env` can do it");
    Finished::of(
        Command::new(starter[0])
            .args(&starter[1..])
            .arg(&program)
            .args(arguments)
            .current_dir(test.folder.path()),
    )
}

#[test]
fn hostile_files_leave_out_their_own_submission_and_no_other() {
    let test = TournamentTest::new(
        "seeds: 1..1\nsandbox: required\nmemory: 64MiB\n\
         agents: [{folder: submissions}, {plugin: random}]\n",
    );
    let everybody = Permissions::from_mode(0o777);
    fs::set_permissions(test.folder.path(), everybody).expect("one's own folder");
    let submission = |name: &str| test.path("submissions").join(name);
    let rival = build_program(&submission("rival"), None);

    // A loader of its own, that of a rival, one that blocks, and one without an end.
    let pipe = test.path("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    build_program(&submission("own-loader"), Some(Path::new("ld")));
    fs::copy("/proc/self/exe", submission("own-loader/ld")).expect("some program");
    build_program(&submission("rivals-move"), Some(&rival));
    build_program(&submission("waits"), Some(&pipe));
    build_program(&submission("endless"), Some(Path::new("/dev/zero")));

    // Files that cannot be copied, or that belong to another submission.
    for name in ["deep", "sparse", "locked", "piped"] {
        fs::create_dir(submission(name)).expect("a folder");
        fs::write(submission(name).join("main.py"), "").expect("a file");
    }
    make_deep(&submission("deep/d"));
    let sparse = File::create(submission("sparse/data")).expect("a file");
    sparse.set_len(900 << 30).expect("a hole");
    fs::rename(&pipe, submission("piped/data")).expect("a pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/reader.c");
    build_c(&test.path("submissions"), "cc", &include, &source, "reader");
    for locked in ["locked/data", "reader.weights"] {
        fs::write(submission(locked), "2310").expect("a file");
        let nobody = Permissions::from_mode(0o000);
        fs::set_permissions(submission(locked), nobody).expect("one's own file");
    }
    let described = r#"print('agent {"name":"thief","files":["thief.hard"]}', flush=True)"#;
    fs::write(submission("thief.py"), described).expect("a file");
    fs::hard_link(&rival, submission("thief.hard")).expect("a link");

    let run = host_of_a_plain_user(&test, &["run", "t.yaml"]).expect_code(0);
    let foreign = |name: &str, loader: &Path| {
        let loader = loader.display();
        format!("{name} names `{loader}` as its loader; only the system's loader is allowed")
    };
    for sentence in [
        foreign("own-loader", Path::new("ld")),
        foreign("rivals-move", &rival),
        foreign("waits", &pipe),
        foreign("endless", Path::new("/dev/zero")),
        "deep is a folder that contains a path of more than 2,048 bytes, `d/ddd".to_owned(),
        "sparse is a folder that contains more than 1024 MiB".to_owned(),
        "piped is a folder that contains `data`, which is a pipe, socket or device".to_owned(),
        "locked is a folder that contains `data`, which cannot be read: Permission".to_owned(),
        "reader.weights`: Permission denied".to_owned(),
        "thief.py can read `thief.hard`, a hard link, which may be another user's".to_owned(),
    ] {
        let mut left_out = run.stderr.lines().filter(|line| line.contains("left out"));
        // The file stands between backticks.
        let is_said = left_out.any(|line| line.replacen('`', "", 2).contains(&sentence));
        assert!(is_said, "{sentence}\n{}", run.stderr);
    }
    let mut players: Vec<String> = (test.records().into_iter())
        .map(|record| record.agent)
        .collect();
    players.sort();
    assert_eq!(players, ["random", "rival"]);
}

/// The files of a command are the organiser's and may exceed the limits of a submission. If a
/// room cannot show them, the machine is not to blame, and no agent plays without a room.
#[test]
fn no_agent_plays_without_a_room_because_of_its_files() {
    let test = TournamentTest::new(
        "seeds: 1..1\nagents: [{program: [./main, deep], name: anna}, {plugin: random}]\n",
    );
    build_program(test.folder.path(), None);
    make_deep(&test.path("deep"));
    let sentence = "has files that cannot be shown to it in its sandbox: `";
    let run = test.run(&[]).expect_error(4, sentence);
    assert!(run.stderr.contains("File name too long"), "{}", run.stderr);
    assert!(!run.stderr.contains("on this machine"), "{}", run.stderr);
}
