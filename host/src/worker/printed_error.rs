//! The error with which a program ended, out of what it printed.
//!
//! Interpreters print a trace of calls before they end. The sentence of a fault names the
//! error and the place; the trace itself is kept as the stderr tail.

/// The error and the line of code, if one of the known interpreters has printed them.
#[must_use]
pub fn printed_error(stderr: &str) -> Option<String> {
    python(stderr)
        .or_else(|| java(stderr))
        .or_else(|| javascript(stderr))
}

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

/// `  File "anna.py", line 12, in choose` lines and then `ValueError: message`.
fn python(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().collect();
    let (at, place) = lines.iter().enumerate().rev().find_map(|(number, line)| {
        let rest = line.trim_start().strip_prefix("File \"")?;
        let (file, rest) = rest.split_once("\", line ")?;
        let line = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        Some((number, format!("{}, line {line}", file_name(file))))
    })?;
    let error = lines[at + 1..]
        .iter()
        .find(|line| !line.is_empty() && !line.starts_with(' '))?;
    Some(format!("{error} ({place})"))
}

/// `Exception in thread "main" java.lang.X: message` and then `at Anna.main(Anna.java:12)`.
fn java(stderr: &str) -> Option<String> {
    let mut lines = stderr.lines();
    let error = lines
        .by_ref()
        .find_map(|line| line.strip_prefix("Exception in thread "))?;
    let error = error.split_once("\" ").map_or(error, |(_, error)| error);
    let place = lines
        .filter_map(|line| line.trim().strip_prefix("at "))
        // What belongs to the author has a file that is not a module of Java.
        .find(|place| !place.starts_with("java.") && !place.contains('/'))
        .and_then(|place| place.rsplit_once('('))
        .and_then(|(_, place)| place.trim_end_matches(')').split_once(':'));
    Some(match place {
        Some((file, line)) => format!("{error} ({file}, line {line})"),
        None => error.to_owned(),
    })
}

/// `/folder/anna.js:12`, the line itself, and later `TypeError: message` before `    at …`. An
/// error within Node begins with `node:fs:573`, and the first place outside of Node counts.
fn javascript(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().collect();
    let (at, place) = lines.iter().enumerate().find_map(|(number, line)| {
        let is_file = line.starts_with('/') || line.starts_with("file:///");
        let place = place_of(line)?;
        (is_file || line.starts_with("node:")).then_some((number, is_file.then_some(place)))
    })?;
    let rest = &lines[at + 1..];
    let (number, error) = rest
        .array_windows()
        .enumerate()
        .find_map(|(number, pair)| {
            let [error, next] = pair;
            let is_error = !error.is_empty() && !error.starts_with(' ');
            let is_followed = next.starts_with("    at ") || next.starts_with("(Use `node ");
            (is_error && is_followed).then_some((number, error))
        })?;
    let in_trace = || {
        let calls = rest[number + 1..].iter();
        let mut calls = calls.map_while(|line| line.strip_prefix("    at "));
        let call = calls.find(|call| !call.contains("node:") && call.contains('/'))?;
        let call = call.rsplit(['(', ' ']).next()?.trim_end_matches(')');
        // The last number is the column.
        place_of(call.rsplit_once(':')?.0)
    };
    Some(match place.or_else(in_trace) {
        Some((file, line)) => format!("{error} ({}, line {line})", file_name(file)),
        None => (*error).to_owned(),
    })
}

/// `file:12`.
fn place_of(text: &str) -> Option<(&str, &str)> {
    let (file, line) = text.rsplit_once(':')?;
    let is_number = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((file, line))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
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
    fn pythons_last_line_and_place_are_named() {
        let trace = "hello\nTraceback (most recent call last):\n  File \"/s/anna.py\", line 9, in <module>\n    choose(turn)\n  File \"/s/anna.py\", line 4, in choose\n    return 1 / 0\n           ~~^~~\nZeroDivisionError: division by zero\n";
        let words = printed_error(trace).unwrap();
        assert_eq!(
            words,
            "ZeroDivisionError: division by zero (anna.py, line 4)"
        );
        let syntax =
            "  File \"/s/anna.py\", line 3\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n";
        let words = printed_error(syntax).unwrap();
        assert_eq!(words, "SyntaxError: invalid syntax (anna.py, line 3)");
    }

    #[test]
    fn javas_exception_and_place_are_named() {
        let trace = "Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat java.base/java.util.X.y(X.java:7)\n\tat Anna.choose(Anna.java:31)\n\tat Anna.main(Anna.java:9)\n";
        let words = printed_error(trace).unwrap();
        assert_eq!(
            words,
            "java.lang.IllegalStateException: no (Anna.java, line 31)"
        );
    }

    #[test]
    fn javascripts_error_and_place_are_named() {
        let trace = "/s/anna.js:5\n  turn.x.y;\n         ^\n\nTypeError: Cannot read properties of undefined (reading 'y')\n    at choose (/s/anna.js:5:10)\n    at /s/anna.js:12:3\n\nNode.js v20.20.2\n";
        let words = printed_error(trace).unwrap();
        assert_eq!(
            words,
            "TypeError: Cannot read properties of undefined (reading 'y') (anna.js, line 5)"
        );
    }

    #[test]
    fn errors_within_node_are_named_with_the_line_that_led_there() {
        let trace = "node:fs:573\n  return binding.open(\n                 ^\n\nError: EPERM: operation not permitted, open '/dev/shm/x'\n    at Object.openSync (node:fs:573:18)\n    at misbehave (/s/anna.js:14:44)\n    at /s/anna.js:30:1 {\n  errno: -1,\n  code: 'EPERM'\n}\n\nNode.js v20.20.2\n";
        let words = printed_error(trace).unwrap();
        assert_eq!(
            words,
            "Error: EPERM: operation not permitted, open '/dev/shm/x' (anna.js, line 14)"
        );
        let event = "node:events:497\n      throw er; // Unhandled 'error' event\n      ^\n\nError: connect EPERM 127.0.0.1:9\n    at internalConnect (node:net:1093:16)\n";
        let words = printed_error(event).unwrap();
        assert_eq!(words, "Error: connect EPERM 127.0.0.1:9");
        let text = "/s/anna.js:2\nthrow 'no';\n^\nno\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n";
        assert_eq!(printed_error(text).unwrap(), "no (anna.js, line 2)");
    }

    #[test]
    fn other_output_says_nothing() {
        for text in ["", "segfault", "File \"x", "a:b", "/x:1\n", "Exception"] {
            assert_eq!(printed_error(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_output_is_read_without_harm(text: String) {
            let _ = printed_error(&text);
            let _ = printed_error(&format!("  File \"{text}\", line {text}\n{text}"));
            let _ = printed_error(&format!("Exception in thread \"{text}\" {text}\n at {text}({text}:{text})"));
            let _ = printed_error(&format!("/{text}:12\n{text}\n    at {text}"));
            let _ = printed_error(&format!("node:{text}:1\nx\n    at {text}/({text}:1:{text}"));
        }
    }
}
