//! What a plugin printed before it failed, and whether the sandbox may be the reason.
//!
//! The agent may have written every line itself, so they explain a fault and never decide
//! whether there is one.

use std::path::Path;

use super::{PluginFile, sandbox::SandboxRules};
use text::plugin_words::{PluginWords, name_as_code};
use tournament::Sandbox;

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
#[must_use]
pub fn uncaught_exception(stderr_tail: &str) -> Option<PluginWords> {
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

/// The error with which an interpreter ended, and the line of the author's file that led to
/// it: `ValueError: no weights (anna.py, line 12)`.
#[must_use]
pub fn printed_error(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().collect();
    let (error, place) = python(&lines)
        .or_else(|| java(&lines))
        .or_else(|| javascript(&lines))?;
    Some(match place {
        Some((file, line)) => format!("{error} ({file}, line {line})"),
        None => error.to_owned(),
    })
}

/// The name of a file, and the number of a line in it.
type Place<'l> = (&'l str, &'l str);

/// Lines `  File "/s/anna.py", line 12, in choose`, the innermost call last, and then
/// `ValueError: message`.
fn python<'l>(lines: &[&'l str]) -> Option<(&'l str, Option<Place<'l>>)> {
    let call = |line: &&'l str| {
        let rest = line.trim_start().strip_prefix("File \"")?;
        let (file, rest) = rest.split_once("\", line ")?;
        Some((file, rest.split(|c: char| !c.is_ascii_digit()).next()?))
    };
    let last = lines.iter().rposition(|line| call(line).is_some())?;
    let is_error = |line: &&&str| !line.is_empty() && !line.starts_with(' ');
    let error = lines[last + 1..].iter().find(is_error)?;
    let is_of_python = |file: &str| file.contains("/lib/python") || file.starts_with('<');
    // The error may arise in a module of Python that the author's line calls.
    let trace = || lines[..=last].iter().rev();
    let own = trace()
        .take_while(|line| line.starts_with(' '))
        .filter_map(call)
        .find(|(file, _)| !is_of_python(file));
    let (file, line) = own.or_else(|| call(&lines[last]))?;
    Some((error, Some((file_name(file), line))))
}

/// `Exception in thread "main" java.lang.X: message` and then `at Anna.main(Anna.java:12)`.
fn java<'l>(lines: &[&'l str]) -> Option<(&'l str, Option<Place<'l>>)> {
    let is_error = |line: &&str| line.starts_with("Exception in thread ");
    let at = lines.iter().position(is_error)?;
    let error = lines[at].strip_prefix("Exception in thread ")?;
    let error = error.split_once("\" ").map_or(error, |(_, error)| error);
    Some((error, own_call(&lines[at + 1..])))
}

/// `/s/anna.js:12`, the line itself, and later `TypeError: message` before `    at …`. An error
/// within Node begins with `node:fs:573`.
fn javascript<'l>(lines: &[&'l str]) -> Option<(&'l str, Option<Place<'l>>)> {
    let starts = ["/", "file:///", "node:"];
    let is_head = |line: &&str| {
        let place = place_of(line.strip_prefix("node:").unwrap_or(line));
        place.is_some() && starts.iter().any(|start| line.starts_with(start))
    };
    let head = lines.iter().position(is_head)?;
    let rest = &lines[head + 1..];
    let is_trace = |line: &&str| line.starts_with("    at ") || line.starts_with("(Use `node ");
    let trace = rest.iter().position(is_trace)?;
    let error = rest[..trace].last()?;
    if error.is_empty() || error.starts_with(' ') {
        return None;
    }
    let own = Some(lines[head]).filter(|line| !line.starts_with("node:"));
    let place = own.and_then(place_of);
    Some((error, place.or_else(|| own_call(&rest[trace..]))))
}

/// The innermost call of a trace that is not in a module of Java or of Node:
/// `at Anna.choose(Anna.java:31)`, `at choose (/s/anna.js:5:10)`.
fn own_call<'l>(trace: &[&'l str]) -> Option<Place<'l>> {
    const RUNTIME: [&str; 4] = ["java.", "jdk.", "node:", "<anonymous>"];
    let calls = trace
        .iter()
        .filter_map(|line| line.trim().strip_prefix("at "));
    let mut own = calls.filter(|call| !RUNTIME.iter().any(|module| call.contains(module)));
    place_of(own.next()?.rsplit(['(', ' ']).next()?.trim_end_matches(')'))
}

/// `/s/anna.js:12` or `/s/anna.js:12:7`, where the last number is the column.
fn place_of(text: &str) -> Option<Place<'_>> {
    let mut parts = file_name(text).split(':');
    let (file, line) = (parts.next()?, parts.next()?);
    let is_number = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((file, line))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What to add to a sentence about a failure if these words of the plugin look as if the
/// sandbox had denied it something; begins with a separator.
#[must_use]
pub fn sandbox_hint(words: &str, plugin: &PluginFile, sandbox: &SandboxRules) -> String {
    const DENIALS: [&str; 11] = [
        "operation not permitted",
        "eperm",
        "permission denied",
        "eacces",
        "no such file",
        "enoent",
        "nosuchfileexception",
        "name resolution",
        "name or service not known",
        "enotfound",
        "unknownhostexception",
    ];
    // A module that is missing is often not installed at all.
    const MISSING_MODULES: [&str; 2] = ["no module named", "cannot find module"];
    if sandbox.mode == Sandbox::Off {
        return String::new();
    }
    let lower = words.to_lowercase();
    let speak_of = |errors: &[&str]| errors.iter().any(|error| lower.contains(error));
    let (is_denial, is_module) = (speak_of(&DENIALS), speak_of(&MISSING_MODULES));
    let hidden = if is_denial || is_module {
        plugin
            .program()
            .and_then(|_| hidden_beside(words, is_module, plugin.path(), sandbox))
    } else {
        None
    };
    if let Some(name) = hidden {
        return format!(
            "; {} lies beside it, but in the sandbox a program in a single file sees only that file: put both \
             into a folder of their own, with the program as the `main` file (docs/text-protocol.md)",
            name_as_code(&name)
        );
    }
    if is_denial {
        "; this may be the sandbox: an agent reads only its own files and, from `new` on, those in \
         `allow_read`, and it cannot write, connect or start a process (docs/sandbox.md)"
            .to_owned()
    } else {
        String::new()
    }
}

/// The name of a file or folder beside a program that the words quote and that the program
/// cannot read. Only there does the host look: otherwise an agent could ask for any path.
fn hidden_beside(
    words: &str,
    is_module: bool,
    program: &Path,
    sandbox: &SandboxRules,
) -> Option<String> {
    // Modules are named without their ending.
    const ENDINGS: [&str; 5] = ["", ".py", ".js", ".mjs", ".cjs"];
    let folder = program.parent()?;
    let is_readable = |path: &Path| {
        let mut readable = sandbox.allow_read.iter();
        path == program || readable.any(|readable| path.starts_with(readable))
    };
    named_files(words).find_map(|named| {
        let name = Path::new(named).file_name()?.to_str()?;
        let name = if is_module && words.contains("No module named") {
            name.split('.').next().filter(|name| !name.is_empty())?
        } else {
            name
        };
        ENDINGS.iter().find_map(|ending| {
            let name = format!("{name}{ending}");
            let path = folder.join(&name);
            (!is_readable(&path) && path.exists()).then_some(name)
        })
    })
}

/// What may be the names of files: every part in quotes, and what Java writes between the name of
/// an exception and a bracket. A name with a backtick is not shown as it is, so it would explain
/// nothing.
fn named_files(words: &str) -> impl Iterator<Item = &str> {
    let in_java = words
        .split_once("FileNotFoundException: ")
        .or_else(|| words.split_once("NoSuchFileException: "))
        .and_then(|(_, rest)| rest.split(" (").next());
    let parts: Vec<&str> = words.split('\'').collect();
    // Every second part is within quotes, except for the last one, whose quote is not closed.
    let n_closed = parts.len().saturating_sub(1);
    let quoted = parts.into_iter().take(n_closed).skip(1).step_by(2);
    quoted.chain(in_java).filter(|name| !name.contains('`'))
}

#[cfg(test)]
mod tests {
    use std::fs;

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

    #[test]
    fn both_runtimes_of_cpp_name_the_exception() {
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

    #[test]
    fn an_error_within_pythons_own_modules_is_named_with_the_line_that_led_there() {
        let trace = "Traceback (most recent call last):\n  File \"/s/anna.py\", line 9, in <module>\n    socket.create_connection((\"127.0.0.1\", 9))\n  File \"/usr/lib/python3.12/socket.py\", line 837, in create_connection\n    sock = socket(af, socktype, proto)\nPermissionError: [Errno 1] Operation not permitted\n";
        assert_eq!(
            printed_error(trace).unwrap(),
            "PermissionError: [Errno 1] Operation not permitted (anna.py, line 9)"
        );
    }

    #[test]
    fn what_looks_like_a_denial_gets_one_hint() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["helper.py", "weights.txt", "anna.weights", "tool.js"] {
            fs::write(at(name), "").unwrap();
        }
        fs::write(at("anna"), "#!/bin/sh\n").unwrap();
        let plugin = PluginFile::seal(&at("anna")).unwrap();
        let rules = SandboxRules {
            mode: Sandbox::On,
            memory: 0,
            allow_read: vec![plugin.path().with_file_name("anna.weights")],
            allow_read_sha256: None,
        };
        let hint = |words: &str| sandbox_hint(words, &plugin, &rules);
        for (words, name) in [
            ("No module named 'helper' (anna.py, line 1)", "helper.py"),
            ("No module named 'helper.inner'", "helper.py"),
            (
                "No such file or directory: './x/../weights.txt'",
                "weights.txt",
            ),
            ("[Errno 13] Permission denied: 'weights.txt'", "weights.txt"),
            ("Error: Cannot find module './tool'", "tool.js"),
            (
                "ENOENT: no such file or directory, open 'weights.txt'",
                "weights.txt",
            ),
            (
                "java.nio.file.NoSuchFileException: weights.txt (Anna.java, line 3)",
                "weights.txt",
            ),
        ] {
            let start = format!("; `{name}` lies beside it, but in the sandbox");
            assert!(hint(words).starts_with(&start), "{words}: {}", hint(words));
        }
        for words in [
            "PermissionError: [Errno 1] Operation not permitted (anna.py, line 7)",
            "Error: EPERM: operation not permitted, open '/dev/shm/x'",
            "socket.gaierror: [Errno -3] Temporary failure in name resolution",
            "No such file or directory: '/data/w.bin'",
            // It may read this one, and the host looks for no file elsewhere.
            "No such file or directory: 'anna.weights'",
            "No such file or directory: '..'",
            // Words of an agent that would rather have them taken for the host's.
            "No such file or directory: '/w`: all is well; `x'",
        ] {
            assert!(
                hint(words).starts_with("; this may be the sandbox: "),
                "{words}"
            );
        }
        for words in [
            "No module named 'numpy'",
            "No module named 'anna'",
            "No module named '.x'",
            "ValueError: 'helper'",
        ] {
            assert_eq!(hint(words), "", "{words}");
        }
        let off = SandboxRules {
            mode: Sandbox::Off,
            ..rules.clone()
        };
        assert_eq!(
            sandbox_hint("No such file: 'weights.txt'", &plugin, &off),
            ""
        );
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
