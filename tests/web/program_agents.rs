//! Programs as agents of the page: offered, watched and asked like libraries.

use std::fs;

use serde_json::{Value, json};

use crate::{
    support::{
        TournamentTest, interpreters::interpreter, patience::wait_until, processes::children_of,
        repository,
    },
    web::served_page::ServedPage,
};

/// The page offers everything in a folder of agents under a name of its own, or rejects it with
/// the reason. It reports what happens to a program in the words of its language. A program
/// ends with its viewer.
#[test]
fn programs_are_offered_watched_and_asked() {
    if interpreter("python3").is_none() {
        return;
    }
    let test = TournamentTest::new("");
    let sources = repository().join("tests/program-agents");
    fs::create_dir_all(test.path("mail/anna")).unwrap();
    for (source, name) in [
        ("plays.py", "plays.py"),
        ("plays.js", "plays.js"),
        ("plays.py", "anna/main.py"),
    ] {
        fs::copy(sources.join(source), test.path("mail").join(name)).unwrap();
    }
    test.write("mail/broken.py", "for line in sys.stdin print(line)\n");
    test.write("mail/lost", "#!/usr/bin/env no-such-interpreter\n");
    let page = ServedPage::start(test.folder.path(), &["--plugins", "mail"]);

    let catalog = page.get("/api/agents").json(200);
    let found = |list: &str, name: &str| {
        let mut found = catalog[list].as_array().unwrap().iter();
        found.find(|it| it["plugin"] == name).cloned()
    };
    for name in ["plays", "anna"] {
        let agent = found("agents", name).unwrap();
        assert_eq!(agent["info"]["name"], "plays", "{name}");
    }
    if interpreter("node").is_some() {
        assert!(found("agents", "plays.js").is_some(), "{catalog}");
    }
    let broken = found("rejected", "broken").unwrap();
    let reason = broken["reason"].as_str().unwrap();
    assert!(
        reason.ends_with("“SyntaxError: invalid syntax (broken.py, line 1)”"),
        "{reason}"
    );
    let lost = json!({"agents": [{"plugin": "lost"}], "seed": 3});
    let (field, message) = page.post("/api/sessions", &lost).diagnostic(422);
    assert_eq!(field, "agents.0.plugin");
    assert!(message.contains("needs `no-such-interpreter`"), "{message}");

    // Watched.
    let thrower = json!({"plugin": "anna", "params": {"what": "raise"}});
    let request = json!({"agents": [thrower], "seed": 3, "running": true});
    let session = page.post("/api/sessions", &request).json(201);
    let id = session["id"].as_str().unwrap();
    let mut events = page.events(&format!("/api/sessions/{id}/events"));
    let ending = events.find_map(|(_, data)| {
        let ending = data["ending"].clone();
        ending.is_object().then_some(ending)
    });
    let ending = ending.unwrap();
    let said = |key: &str| ending[key].as_str().unwrap();
    assert!(said("sentence").contains("ValueError: raised on purpose (main.py, line"));
    assert!(said("stderr_tail").contains("in misbehave\n"), "{ending}");

    // Asked, on the third move, on which it raises or would go on for minutes.
    let own = json!({"seed": 3, "size": 4, "four_share": 0.1, "moves": ""});
    let first = page.post("/api/person", &own).json(200);
    let mut moves = first["legal"].as_str().unwrap()[..1].to_owned();
    let own = |moves: &str| json!({"seed": 3, "size": 4, "four_share": 0.1, "moves": moves});
    let second = page.post("/api/person", &own(&moves)).json(200);
    moves.push_str(&second["legal"].as_str().unwrap()[..1]);
    let question = |what: &str| {
        let budget = json!({"per_move": "30s"});
        let agent = json!({"plugin": "plays", "params": {"what": what}, "budget": budget});
        json!({"game": own(&moves), "agents": [agent], "from": 2, "to": 2})
    };
    let mut answers = page.question(&question("raise")).map(|(_, data)| data);
    let failed: Value = answers.find(|data| data["kind"] == "failed").unwrap();
    let words = "ValueError: raised on purpose (plays.py, line";
    assert!(failed.to_string().contains(words), "{failed}");
    let programs = || children_of(page.pid(), "python3").len();
    let waiting = page.question(&question("loop"));
    wait_until("a program", || programs() == 1);
    drop(waiting);
    wait_until("no program", || programs() == 0);
}
