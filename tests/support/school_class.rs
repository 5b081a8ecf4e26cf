//! A class of thirty: submissions in five languages, five of them broken and two hostile.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{built_agent::build_c, interpreters::interpreter, program::repository};

/// How many agents of each language play without a fault.
const N_C: usize = 6;
const N_CPP: usize = 5;
const N_PYTHON: usize = 6;
const N_JAVASCRIPT: usize = 3;
const N_JAVA: usize = 3;

/// What a class has handed in. A language that this machine lacks is missing.
pub(crate) struct SchoolClass {
    /// How many play, the hostile ones among them.
    pub(crate) n_playing: usize,
    /// Files that cannot be played, and a part of the reason.
    pub(crate) broken: Vec<(&'static str, &'static str)>,
    /// One reads the submissions of others, one never answers.
    pub(crate) hostile: Vec<&'static str>,
}

const PYTHON: &str = r#"import json, sys

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "arena":
        print('agent {"name": "pythonista", "author": "NAME"}')
    elif word == "new":
        print("ready")
    elif word == "turn":
        turn = json.loads(rest)
        MISDEED
        wishes = WISHES
        print("move", next(wish for wish in wishes if wish in turn["legal"]))
"#;

const JAVASCRIPT: &str = r#"const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [word] = line.split(" ", 1);
  if (word === "arena") console.log('agent {"name": "scripter", "author": "NAME"}');
  else if (word === "new") console.log("ready");
  else if (word === "turn") {
    const turn = JSON.parse(line.slice(5));
    console.log("move " + WISHES.find((wish) => turn.legal.includes(wish)));
  }
});
"#;

const JAVA: &str = r#"import java.util.Scanner;

class Coffee {
    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String line = lines.nextLine();
            if (line.startsWith("arena ")) {
                System.out.println("agent {\"name\": \"coffee\"}");
            } else if (line.startsWith("new ")) {
                System.out.println("ready");
            } else if (line.startsWith("turn ")) {
                String legal = line.substring(line.indexOf("\"legal\""));
                for (String wish : new String[] {"down", "left", "right", "up"}) {
                    if (legal.contains("\"" + wish + "\"")) {
                        System.out.println("move " + wish);
                        break;
                    }
                }
            }
        }
    }
}
"#;

/// The order in which the agent with this number wishes to move.
fn wishes(number: usize) -> String {
    let mut wishes = ["down", "left", "right", "up"];
    wishes.rotate_left(number % 4);
    if number >= 4 {
        wishes.swap(1, 2);
    }
    format!("{wishes:?}")
}

/// Writes the submissions of the class into a folder.
pub(crate) fn write_class(folder: &Path) -> SchoolClass {
    fs::create_dir_all(folder).expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    let include = repository().join("plugin-api/include");
    let sources = [
        ("cc", "tests/c-agents/corner.c", "c", N_C),
        ("c++", "plugin-api/c-examples/cautious.cpp", "cpp", N_CPP),
    ];
    for (compiler, source, name, n_copies) in sources {
        let source = repository().join(source);
        let library = build_c(folder, compiler, &include, &source, &format!("{name}-1"));
        copies(&library, folder, name, n_copies);
    }
    let cut_off = fs::read(folder.join("libc-1.so")).expect("a library");
    fs::write(folder.join("broken-1.so"), &cut_off[..cut_off.len() / 2]).expect("a file");
    write("broken-2.zip", "PK\u{3}\u{4}");
    write("broken-3.c", "int main(void) { return 0; }\n");
    let mut class = SchoolClass {
        n_playing: N_C + N_CPP,
        broken: vec![
            ("broken-1.so", "is truncated"),
            ("broken-2.zip", "is an archive"),
            ("broken-3.c", "is source code"),
        ],
        hostile: Vec::new(),
    };
    if interpreter("python3").is_some() {
        for number in 1..=N_PYTHON {
            write(&format!("python-{number}.py"), &python(number, "pass"));
        }
        write("hostile-1.py", &python(1, "open('python-1.py').read()"));
        write("hostile-2.py", &python(2, "exec('while True: pass')"));
        write("broken-4.py", "for line in sys.stdin print(line)\n");
        class.broken.push(("broken-4.py", "SyntaxError"));
        class.hostile.extend(["hostile-1.py", "hostile-2.py"]);
        class.n_playing += N_PYTHON + class.hostile.len();
    }
    if interpreter("node").is_some() {
        for number in 1..=N_JAVASCRIPT {
            let text = JAVASCRIPT.replace("WISHES", &wishes(number));
            write(&format!("javascript-{number}.js"), &text);
        }
        write("broken-5.js", "undefinedFunction();\n");
        class.broken.push(("broken-5.js", "ReferenceError"));
        class.n_playing += N_JAVASCRIPT;
    }
    if interpreter("javac").is_some() {
        let jar = build_jar(folder);
        for number in 2..=N_JAVA {
            fs::copy(&jar, folder.join(format!("java-{number}.jar"))).expect("a copy");
        }
        class.n_playing += N_JAVA;
    }
    class
}

fn python(number: usize, misdeed: &str) -> String {
    PYTHON
        .replace("NAME", &format!("Student {number}"))
        .replace("MISDEED", misdeed)
        .replace("WISHES", &wishes(number))
}

/// Copies of a library that differ in bytes after its end, which no loader reads.
fn copies(library: &Path, folder: &Path, name: &str, last: usize) {
    let content = fs::read(library).expect("a file");
    for number in 2..=last {
        let mut content = content.clone();
        content.extend(number.to_string().bytes());
        fs::write(folder.join(format!("{name}-{number}.so")), content).expect("a file");
    }
}

fn build_jar(folder: &Path) -> PathBuf {
    let build = tempfile::tempdir().expect("a temporary folder");
    fs::write(build.path().join("Coffee.java"), JAVA).expect("a file");
    let jar = folder.join("java-1.jar");
    for (program, arguments) in [
        ("javac", vec!["-d", ".", "Coffee.java"]),
        (
            "jar",
            vec!["-c", "-f", "coffee.jar", "-e", "Coffee", "Coffee.class"],
        ),
    ] {
        let mut command = Command::new(program);
        let status = command.current_dir(build.path()).args(arguments).status();
        assert!(status.expect("the JDK runs").success(), "{program}");
    }
    fs::copy(build.path().join("coffee.jar"), &jar).expect("a jar");
    jar
}
