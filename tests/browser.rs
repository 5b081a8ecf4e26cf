//! The pages in a real browser: Debian's chromium, driven from here.
//!
//! A test program of its own: where the browser is missing, each test is counted as
//! ignored and names what to install.

/// Ignores tests whose programs are missing.
mod skippable;

#[expect(
    dead_code,
    unused_imports,
    reason = "these tests need only a part of it"
)]
mod support;

/// What the report page shows, counted against the log.
#[path = "browser/report_page.rs"]
mod report_page;

/// The charts of the report as files of their own.
#[path = "browser/report_figures.rs"]
mod report_figures;

/// Properties of all views of the page of `host serve`.
#[path = "browser/served_page.rs"]
mod served_page;

/// Live games, comparisons, and games of a person.
#[path = "browser/served_games.rs"]
mod served_games;

/// Recovery, animations and messages.
#[path = "browser/served_details.rs"]
mod served_details;

/// Why a game went as it did: asked agents, turning points, curves and faults.
#[path = "browser/served_analysis.rs"]
mod served_analysis;

/// Replaying and following runs.
#[path = "browser/served_runs.rs"]
mod served_runs;

/// How agents search; deterministic 2048, played by hand and solved.
#[path = "browser/served_search.rs"]
mod served_search;

/// A client for the browser.
#[path = "browser/web_driver.rs"]
mod web_driver;

use std::{cell::OnceCell, process::ExitCode};

use report_page::Run;
use served_page::Served;
use skippable::Stage;
use web_driver::Browser;

/// A test, by what it needs.
#[derive(Clone, Copy)]
enum Test {
    OfReport(fn(&Browser, &Run)),
    OfServer(fn(&Browser, &Served)),
}

/// The browser, and what it shows: made when the first test needs it.
struct Shown {
    browser: Browser,
    run: OnceCell<Run>,
    served: OnceCell<Served>,
}

impl Shown {
    fn start() -> Result<Self, String> {
        Ok(Self {
            browser: Browser::start()?,
            run: OnceCell::new(),
            served: OnceCell::new(),
        })
    }

    /// Runs a test, which fails on any uncaught error in the page.
    fn try_out(&self, test: Test) {
        // A test that panicked may have left errors behind.
        self.browser.take_uncaught_errors();
        match test {
            Test::OfReport(test) => test(&self.browser, self.run.get_or_init(Run::play)),
            Test::OfServer(test) => test(&self.browser, self.served.get_or_init(Served::start)),
        }
        assert_eq!(self.browser.take_uncaught_errors(), Vec::<String>::new());
    }
}

fn tests() -> impl Iterator<Item = (&'static str, Test)> {
    let of_report = report_page::TESTS.iter().chain(report_figures::TESTS);
    let of_server = [
        served_page::TESTS,
        served_games::TESTS,
        served_details::TESTS,
        served_runs::TESTS,
        served_analysis::TESTS,
        served_search::TESTS,
    ];
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
    let stage = Stage {
        missing: Browser::missing(),
        missing_for: report_figures::missing_for,
        start: Shown::start,
    };
    skippable::run(stage, tests().collect(), Shown::try_out)
}
