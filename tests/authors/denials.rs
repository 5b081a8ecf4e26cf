//! What `host check` says about plugins that want more than the sandbox allows.

use serde_json::Value;

use crate::support::{
    Finished, TournamentTest, built_agent::build_c, host, interpreters::interpreter, repository,
};

/// It plays well and hides that it tries things.
const CURIOUS: &str = r#"
import json, os, socket, sys

def attempt(act):
    try:
        act()
    except OSError:
        pass

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "arena":
        print('agent {"name": "curious", "version": "1", "author": "A", "description": "d"}')
    elif word == "new":
        print("ready")
    elif word == "turn":
        attempt(os.fork)
        attempt(lambda: socket.create_connection(("127.0.0.1", 9)))
        attempt(lambda: open("written.txt", "w"))
        attempt(lambda: open("rival.py"))
        attempt(lambda: os.execv("/bin/sh", ["sh", "-c", "exit 7"]))
        print("move", json.loads(rest)["legal"][0])
"#;

/// The outcome and the detail of a claim.
fn claim(test: &TournamentTest, id: &str, plugin: &str) -> (String, String) {
    let mut command = host();
    command.args(["check", "--format", "json", plugin]);
    let finished = Finished::of(command.current_dir(test.folder.path()));
    let page: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    let claims = page["plugins"][0]["claims"].as_array().expect("a list");
    let found = claims.iter().find(|claim| claim["id"] == id);
    let value = |key: &str| found.expect("the claim")[key].as_str().expect("a text");
    (value("outcome").to_owned(), value("detail").to_owned())
}

#[test]
fn what_the_sandbox_denies_a_program_is_named() {
    if interpreter("python3").is_none() {
        return;
    }
    let test = TournamentTest::new("");
    test.write("curious.py", CURIOUS);
    test.write("rival.py", "print('a secret')\n");
    let (outcome, detail) = claim(&test, "denied", "./curious.py");
    assert_eq!(outcome, "warned", "{detail}");
    let folder = test.folder.path().canonicalize().expect("a folder");
    let rival = folder.join("rival.py");
    for part in [
        "to start a process (`clone`)",
        "to open a connection (`socket`)",
        "to write `written.txt`",
        "to execute `/bin/sh`",
        &format!("to read `{}`", rival.display()),
    ] {
        assert!(detail.contains(part), "{part}: {detail}");
    }
    // Watched or not, nothing of it was permitted.
    assert!(!test.path("written.txt").exists());

    // One that does not even say what it is.
    let early = CURIOUS.replace("for line", "os.fork()\nfor line");
    test.write("early.py", &early);
    let (outcome, detail) = claim(&test, "description", "./early.py");
    assert_eq!(outcome, "failed");
    let denied = "it was not allowed to start a process (`clone`)";
    assert!(detail.contains(denied), "{detail}");

    let honest = CURIOUS.replace("        attempt(", "        str(");
    test.write("honest.py", &honest);
    let (outcome, detail) = claim(&test, "denied", "./honest.py");
    assert_eq!((outcome.as_str(), detail.as_str()), ("passed", ""));
}

#[test]
fn what_the_sandbox_denies_a_library_is_named() {
    let test = TournamentTest::new("");
    let broken = repository().join("tests/c-agents/broken.c");
    let source = format!(
        "#define PLUGIN_NAME \"curious\"\n#include \"{}\"\n#include <sys/socket.h>\n\
         #include <fcntl.h>\n__attribute__((constructor)) static void early(void) {{\n\
         \tsocket(AF_INET, SOCK_STREAM, 0);\n\topen(\"/etc/passwd\", O_RDONLY);\n}}\n",
        broken.display()
    );
    test.write("curious.c", &source);
    let include = repository().join("plugin-api/include");
    let source = test.path("curious.c");
    build_c(test.folder.path(), "cc", &include, &source, "curious");
    let (outcome, detail) = claim(&test, "denied", "./libcurious.so");
    assert_eq!(outcome, "warned", "{detail}");
    assert!(
        detail.contains("to open a connection (`socket`)"),
        "{detail}"
    );
    assert!(detail.contains("to read `/etc/passwd`"), "{detail}");
}
