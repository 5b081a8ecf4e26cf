//! Malicious files: none of them stops the host.

use proptest::prelude::*;

use super::*;

const TOO_DEEP: &str = "values are nested too deeply";

/// Each of these would take at least quadratic time in its length.
#[test]
fn hostile_files_are_rejected_without_delay() {
    let lines = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    let aliases = lines(30, &|i| {
        format!("a{}: &a{0} [*a{i}, *a{i}, *a{i}]\n", i + 1)
    });
    for (text, expected) in [
        (format!("agents: {}", "[".repeat(100_000)), TOO_DEEP),
        (format!("agents: {}", "{a: ".repeat(100_000)), TOO_DEEP),
        (format!("agents:\n{}", "- ".repeat(100_000)), TOO_DEEP),
        (
            format!("a0: &a0 x\n{aliases}"),
            "aliases repeat too much of the file",
        ),
        (
            lines(2000, &|i| format!("x{}: y\n", i % 1000)),
            "duplicate key `x0`",
        ),
        (
            format!("agents:\n{}", lines(2000, &|_| "- plugin: 1\n".into())),
            "2000 agents; the limit is 1000",
        ),
        (
            format!(
                "agents: [{{plugin: a}}]\nbudget:\n{}",
                lines(2000, &|i| format!("- nodes: {}\n", i + 1))
            ),
            "2000 budgets; the limit is 100",
        ),
    ] {
        let diagnostics = parse_text(&text).unwrap_err();
        let is_expected = |message: &str| message.starts_with(expected);
        assert!(diagnostics.messages().any(is_expected), "{expected}");
    }
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(source) = TournamentSource::from_bytes("x.yaml", bytes) {
            let _ = parse(&source).map_err(|diagnostics| diagnostics.to_string());
        }
    }

    #[test]
    fn no_change_of_a_good_file_makes_the_reader_panic(
        changes in prop::collection::vec(
            (0..SAMPLE.len(), 0..4_usize, "[ -~]{0,3}|\\PC|[\n\t:*&!#\\[\\]{}'\"-]{1,3}|[0-9.e-]{1,40}"),
            1..6,
        ),
    ) {
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for (start, n_removed, inserted) in changes {
            let start = start.min(text.len());
            let end = (start + n_removed).min(text.len());
            text.splice(start..end, inserted.chars());
        }
        let text: String = text.into_iter().collect();
        if let Err(diagnostics) = parse_text(&text) {
            prop_assert!(diagnostics.n_diagnostics() > 0);
            prop_assert!(diagnostics.to_string().starts_with("t/x.yaml:"));
        }
    }
}
