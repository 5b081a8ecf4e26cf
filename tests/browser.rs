//! The report page in a real browser: Debian's chromium, driven from here.
//!
//! A test program of its own, because only so can tests say at run time that they
//! were skipped: where the browser is missing, each is counted as ignored and says
//! what to install.

#[path = "support.rs"]
#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

/// What the page shows, counted against the log.
#[path = "browser/report_page.rs"]
mod report_page;

/// Talks to the browser.
#[path = "browser/web_driver.rs"]
mod web_driver;

use std::{
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
};

use report_page::Run;
use web_driver::Browser;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let filters: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let chosen = report_page::TESTS.iter().filter(|(name, _)| {
        filters.is_empty() || filters.iter().any(|filter| name.contains(*filter))
    });
    let chosen: Vec<_> = chosen.collect();
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
        Browser::start().map(|browser| (browser, Run::play()))
    };
    for (name, test) in chosen {
        let result = match &stage {
            Ok((browser, run)) => {
                let passed = panic::catch_unwind(AssertUnwindSafe(|| test(browser, run))).is_ok();
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
