//! Agents in other languages: the kits of `host new`, and the libraries of
//! docs/other-languages.md, built and played with their real compilers and interpreters.
//!
//! A test program of its own: where a language is not installed, its tests are counted as
//! ignored and name what to install.

#[expect(
    dead_code,
    unused_imports,
    reason = "these tests need only a part of it"
)]
mod support;

/// The kits of `host new --lang`.
#[path = "languages/kits.rs"]
mod kits;

/// The libraries of docs/other-languages.md.
#[path = "languages/libraries.rs"]
mod libraries;

/// What the README and the tutorial promise about programs.
#[path = "languages/documents.rs"]
mod documents;

/// What an agent has to play, computed from the rules of `plugin-api`.
#[path = "languages/expected_play.rs"]
mod expected_play;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Trial};

/// A test that needs programs of its own.
pub(crate) struct LanguageTest {
    pub(crate) name: &'static str,
    /// What is missing on this machine, if anything.
    pub(crate) missing: Option<String>,
    pub(crate) test: fn(),
}

impl LanguageTest {
    fn into_trial(self) -> Trial {
        let Self {
            name,
            missing,
            test,
        } = self;
        Trial::ignorable_test(name, move || {
            if let Some(reason) = missing {
                return Ok(Completion::ignored_with(reason));
            }
            test();
            Ok(Completion::Completed)
        })
    }
}

fn main() -> ExitCode {
    let tests = [kits::tests(), documents::tests(), libraries::tests()];
    let trials = tests.into_iter().flatten().map(LanguageTest::into_trial);
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
