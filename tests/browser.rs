//! The pages in a real browser: Debian's chromium, driven from here.
//!
//! A test program of its own, because only so can tests say at run time that they
//! were skipped: where the browser is missing, each is counted as ignored and says
//! what to install.

#[path = "support.rs"]
#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

/// What the report page shows, counted against the log.
#[path = "browser/report_page.rs"]
mod report_page;

/// `host serve`, and the views of its page.
#[path = "browser/served_page.rs"]
mod served_page;

/// Games that are watched, compared and played by a person.
#[path = "browser/served_games.rs"]
mod served_games;

/// Runs that are replayed and followed.
#[path = "browser/served_runs.rs"]
mod served_runs;

/// Talks to the browser.
#[path = "browser/web_driver.rs"]
mod web_driver;

use std::{
    cell::LazyCell,
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
};

use report_page::Run;
use served_page::Served;
use web_driver::Browser;

/// A test, by what it needs.
#[derive(Clone, Copy)]
enum Test {
    OfReport(fn(&Browser, &Run)),
    OfServer(fn(&Browser, &Served)),
}

fn tests() -> impl Iterator<Item = (&'static str, Test)> {
    let of_report = report_page::TESTS.iter();
    let of_server = [served_page::TESTS, served_games::TESTS, served_runs::TESTS];
    of_report
        .map(|(name, test)| (*name, Test::OfReport(*test)))
        .chain(
            of_server
                .into_iter()
                .flatten()
                .map(|(name, test)| (*name, Test::OfServer(*test))),
        )
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let filters: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let chosen: Vec<(&str, Test)> = tests()
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
        Browser::start()
    };
    let run = LazyCell::new(Run::play);
    let served = LazyCell::new(Served::start);
    for (name, test) in chosen {
        let result = match &stage {
            Ok(browser) => {
                let take = || match test {
                    Test::OfReport(test) => test(browser, &run),
                    Test::OfServer(test) => test(browser, &served),
                };
                let passed = panic::catch_unwind(AssertUnwindSafe(take)).is_ok();
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
