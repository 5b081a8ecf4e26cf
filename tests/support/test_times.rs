//! How long each test takes, for `.ci/run`.
//!
//! The standard test harness reports times only on nightly compilers. It runs each test
//! on a thread that has the name of the test, so a value of that thread measures it.

use std::{
    env,
    fs::OpenOptions,
    io::Write,
    thread,
    time::{Duration, Instant},
};

/// Names the file that gets one line per test: seconds and name.
const VARIABLE: &str = "ARENA2048_TEST_TIMES";

struct Stopwatch {
    started: Instant,
}

impl Drop for Stopwatch {
    fn drop(&mut self) {
        write(
            thread::current().name().unwrap_or("main"),
            self.started.elapsed(),
        );
    }
}

/// Measures the test of this thread from now until it ends.
pub(crate) fn start() {
    thread_local! {
        static STOPWATCH: Stopwatch = Stopwatch { started: Instant::now() };
    }
    STOPWATCH.with(|_| ());
}

/// Adds a line to the file, where one is named.
pub(crate) fn write(test: &str, took: Duration) {
    let Some(path) = env::var_os(VARIABLE) else {
        return;
    };
    if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
        // One write per line: several threads append to the file.
        let _ = file.write_all(format!("{:.1} {test}\n", took.as_secs_f64()).as_bytes());
    }
}
