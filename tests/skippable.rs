//! Runs tests that need a program which may be missing, and says when it is.
//!
//! The usual test harness cannot tell at run time that a test was skipped: it would
//! count it as passed.

use std::{
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
};

/// Takes the tests that were asked for. `start` starts what they need, once, or says
/// what is missing.
pub(crate) fn run<T, S>(
    tests: impl Iterator<Item = (&'static str, T)>,
    start: impl FnOnce() -> Result<S, String>,
    take: impl Fn(&S, T),
) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let filters: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let chosen: Vec<(&str, T)> = tests
        .filter(|(name, _)| {
            filters.is_empty() || filters.iter().any(|filter| name.contains(*filter))
        })
        .collect();
    let mut out = io::stdout().lock();
    let mut say = |text: String| writeln!(out, "{text}").expect("a standard output");
    if arguments.iter().any(|argument| argument == "--list") {
        for (name, _) in chosen {
            say(format!("{name}: test"));
        }
        return ExitCode::SUCCESS;
    }
    say(format!("\nrunning {} tests", chosen.len()));
    let (mut n_passed, mut n_failed, mut n_ignored) = (0, 0, 0);
    let stage = if chosen.is_empty() {
        Err("there is nothing to do".to_owned())
    } else {
        start()
    };
    for (name, test) in chosen {
        let result = match &stage {
            Ok(stage) => {
                let passed = panic::catch_unwind(AssertUnwindSafe(|| take(stage, test))).is_ok();
                if passed {
                    "ok".to_owned()
                } else {
                    "FAILED".to_owned()
                }
            }
            Err(reason) => format!("ignored, SKIPPED BECAUSE {reason}"),
        };
        match result.as_str() {
            "ok" => n_passed += 1,
            text if text.starts_with("FAILED") => n_failed += 1,
            _ => n_ignored += 1,
        }
        say(format!("test {name} ... {result}"));
    }
    let verdict = if n_failed == 0 { "ok" } else { "FAILED" };
    say(format!(
        "\ntest result: {verdict}. {n_passed} passed; {n_failed} failed; {n_ignored} ignored; 0 measured; 0 filtered out\n"
    ));
    if n_failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
