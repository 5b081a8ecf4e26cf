//! What the end of a program's stderr tells about the reason of its end.
//!
//! The agent may have written every line itself, so they explain a fault and never decide
//! whether there is one.

use crate::text::plugin_words::PluginWords;

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
