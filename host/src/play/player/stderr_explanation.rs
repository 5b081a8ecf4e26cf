//! What the end of a program's stderr tells about the reason of its end.
//!
//! The agent may have written every line itself, so they explain a fault and never decide
//! whether there is one.

use crate::text::plugin_words::PluginWords;

/// The line of a stderr tail that tells most: the last one that is not only advice of a
/// runtime.
#[must_use]
pub fn telling_line(stderr_tail: &str) -> Option<&str> {
    let is_advice = |line: &&str| line.starts_with("note: ");
    let lines = || {
        let lines = stderr_tail.lines().map(str::trim);
        lines.filter(|line| !line.is_empty())
    };
    let line = lines().rfind(|line| !is_advice(line));
    let line = line.or_else(|| lines().next_back())?;
    Some(line.strip_prefix("what():").unwrap_or(line).trim())
}

/// The exception that ended a C++ program, as its runtime names it: GNU's in two lines,
/// LLVM's in one.
pub(super) fn uncaught_exception(stderr_tail: &str) -> Option<PluginWords> {
    const GNU: &str = "terminate called after throwing an instance of '";
    const LLVM: &str = "terminating due to uncaught exception of type ";
    let mut lines = stderr_tail
        .lines()
        .skip_while(|line| !line.contains(GNU) && !line.contains(LLVM));
    let line = lines.next()?;
    if let Some((_, exception)) = line.split_once(LLVM) {
        return Some(PluginWords::new(exception));
    }
    let (_, class) = line.split_once(GNU)?;
    let class = class.strip_suffix('\'').unwrap_or(class);
    let what = lines
        .next()
        .and_then(|line| line.trim().strip_prefix("what():"));
    Some(match what.map(str::trim) {
        Some(what) if !what.is_empty() => PluginWords::from(format!("{class}: {what}")),
        _ => PluginWords::new(class),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_of_a_runtime_is_not_the_reason() {
        let panic = "thread 'main' panicked at src/lib.rs:7:5:\nout of ideas\n\
                     note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n";
        assert_eq!(telling_line(panic), Some("out of ideas"));
        assert_eq!(telling_line("one\n  two\n\n"), Some("two"));
        assert_eq!(
            telling_line("note: all there is\n"),
            Some("note: all there is")
        );
        assert_eq!(telling_line("  what():  thrown\n"), Some("thrown"));
        assert_eq!(telling_line("\n"), None);
    }

    #[test]
    fn both_runtimes_name_the_exception() {
        let check = |stderr: &str, exception: Option<&str>| {
            let expected = exception.map(PluginWords::new);
            assert_eq!(uncaught_exception(stderr), expected, "{stderr}");
        };
        check(
            "searching\nterminate called after throwing an instance of 'std::out_of_range'\n  \
             what():  vector::_M_range_check: __n (which is 4) >= this->size() (which is 4)\n",
            Some(
                "std::out_of_range: vector::_M_range_check: __n (which is 4) >= this->size() (which is 4)",
            ),
        );
        check(
            "terminate called after throwing an instance of 'int'\n",
            Some("int"),
        );
        check(
            "libc++abi: terminating due to uncaught exception of type std::bad_alloc: std::bad_alloc\n",
            Some("std::bad_alloc: std::bad_alloc"),
        );
        check("double free or corruption\n", None);
    }
}
