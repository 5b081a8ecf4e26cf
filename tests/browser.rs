//! The pages in a real browser: Debian's chromium, driven from here.
//!
//! A test program of its own, because only so can tests say at run time that they
//! were skipped: where the browser is missing, each is counted as ignored and says
//! what to install.

/// Says when the browser is missing.
mod skippable;

#[path = "support.rs"]
#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

#[expect(dead_code, reason = "these tests need only a part of it")]
mod serving_host;

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

use std::{cell::LazyCell, process::ExitCode};

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
    let run = LazyCell::new(Run::play);
    let served = LazyCell::new(Served::start);
    skippable::run(tests(), Browser::start, |browser, test| match test {
        Test::OfReport(test) => test(browser, &run),
        Test::OfServer(test) => test(browser, &served),
    })
}
