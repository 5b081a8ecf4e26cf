//! The contest of `docs/contest.md`, command by command, with a class of thirty.
//!
//! `CLASS_OF_THIRTY=full` plays it as the page says, with all seeds and all checks, prints the
//! time of each step, and keeps the folder to look at.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::Path,
    time::{Duration, Instant},
};

use nix::sys::{
    resource::{UsageWho, getrusage},
    time::{TimeVal, TimeValLike},
};

use serde_json::Value;

use crate::{
    repository::documentation::{document, file},
    support::{
        Finished,
        document::{blocks, shell},
        host, program_folder,
        school_class::write_class,
    },
};

/// Parts of file names, of plugins' own names and of authors: none of them is published.
const TRACES: [&str; 9] = [
    "python-",
    "javascript-",
    "java-1",
    "cpp-",
    "hostile",
    "broken",
    "Student",
    "pythonista",
    "scripter",
];

#[test]
#[expect(clippy::print_stdout, reason = "the times of the whole contest")]
fn a_class_of_thirty_is_collected_played_and_published() {
    let mut folder = tempfile::tempdir().expect("a temporary folder");
    let is_full = env::var("CLASS_OF_THIRTY").is_ok_and(|value| value == "full");
    folder.disable_cleanup(is_full);
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("bin")).expect("a folder");
    host(); // builds the plugins
    symlink(program_folder().join("host"), path("bin/host")).expect("a link");
    let class = write_class(&path("mail"));
    // A check takes seconds, so it sees only two submissions; the others come late.
    let first = ["libc-1.so", "broken-2.zip"];
    let is_wanted = |name: &str| is_full || first.contains(&name);
    copy(&path("mail"), &path("submissions"), is_wanted);
    if is_full {
        println!("the contest is in {}", folder.path().display());
    }
    let page = document("contest.md");
    let yaml = file(&page, "contest.yaml");
    let yaml = if is_full {
        yaml
    } else {
        yaml.replace("1..20", "1..2")
    };
    fs::write(path("contest.yaml"), yaml).expect("a file");
    for (_, commands) in blocks(&page).iter().filter(|(info, _)| *info == "sh") {
        let (start, cpu_before) = (Instant::now(), cpu_of_children());
        Finished::of(&mut shell(folder.path(), commands)).expect_code(0);
        if is_full {
            let (wall, cpu) = (start.elapsed(), cpu_of_children() - cpu_before);
            println!(
                "{:6.1} s {cpu:6.1} s CPU  {}",
                wall.as_secs_f64(),
                commands.trim()
            );
        }
        copy(&path("mail"), &path("submissions"), |_| true);
    }
    let check = fs::read_to_string(path("check.md")).expect("a page");
    assert!(check.contains("| libc-1.so"), "{check}");
    let plan = json(&fs::read(path("runs/contest/plan.json")).expect("a plan"));
    // With greedy and random.
    assert_eq!(list(&plan["entrants"]).len(), class.n_playing + 2);
    let left_out = list(&plan["left_out"]);
    assert_eq!(left_out.len(), class.broken.len(), "{left_out:#?}");
    for (left_out, (file, reason)) in left_out.iter().zip(&class.broken) {
        let found = left_out["reason"].as_str().unwrap_or_default();
        assert!(
            left_out["file"] == *file && found.contains(reason),
            "{left_out}"
        );
    }
    let mut report = shell(folder.path(), "host report runs/contest --format json");
    let report = json(&report.output().expect("a report").stdout);
    for agent in list(&report["agents"]) {
        let name = agent["name"].as_str().expect("a name");
        let is_hostile = class.hostile.contains(&format!("{name}.py").as_str());
        let has_faults = agent["faults"]
            .as_object()
            .is_some_and(|faults| !faults.is_empty());
        assert_eq!(has_faults, is_hostile, "{agent:#}");
    }
    let n_pages = fs::read_dir(path("pages")).expect("a folder").count();
    assert_eq!(n_pages, class.n_playing + class.broken.len());
    let own = fs::read_to_string(path("pages/c-1.html")).expect("a page");
    assert!(own.contains("libc-1.so") && !own.contains("cpp-"));
    let ranking = fs::read_to_string(path("public/ranking.html")).expect("a page");
    for trace in TRACES {
        assert!(!ranking.contains(trace), "{trace} in the published ranking");
    }
}

/// The CPU time of all commands that have ended, in seconds.
fn cpu_of_children() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the kernel counts");
    let time = |time: TimeVal| Duration::from_micros(time.num_microseconds().unsigned_abs());
    (time(usage.user_time()) + time(usage.system_time())).as_secs_f64()
}

/// Copies the files that are wanted and not there yet.
fn copy(from: &Path, to: &Path, is_wanted: impl Fn(&str) -> bool) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let name = entry.expect("a file").file_name();
        if is_wanted(&name.to_string_lossy()) && !to.join(&name).exists() {
            fs::copy(from.join(&name), to.join(&name)).expect("a copy");
        }
    }
}

fn json(text: &[u8]) -> Value {
    serde_json::from_slice(text).expect("JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}
