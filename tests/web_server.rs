//! What `host serve` answers: games for viewers, runs, and refusals.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    outside_events::children_of,
    served_page::{Events, ServedPage},
    support::{TournamentTest, all_without_times},
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn open_show(page: &ServedPage, show: &Value) -> String {
    let answer = page.post("/api/shows", show).json(201);
    answer["id"].as_str().expect("a show has a name").to_owned()
}

/// Reads until all games are over; returns the last news of each lane.
fn watch_to_the_end(events: &mut Events, n_lanes: usize) -> Vec<Value> {
    let mut lanes = vec![Value::Null; n_lanes];
    let mut moves = vec![String::new(); n_lanes];
    for (name, data) in events {
        if name == "lane" {
            let lane = usize::try_from(data["lane"].as_u64().unwrap()).unwrap();
            assert_eq!(data["from"], moves[lane].len(), "news follow each other");
            moves[lane] += data["moves"].as_str().unwrap();
            assert_eq!(data["n"], moves[lane].len());
            lanes[lane] = data;
        } else if name == "pace" && data["over"] == true {
            break;
        }
    }
    for (lane, moves) in lanes.iter_mut().zip(moves) {
        lane["moves"] = json!(moves);
    }
    lanes
}

#[test]
fn a_game_that_was_watched_is_the_game_of_a_tournament() {
    let test = TournamentTest::new(
        "seeds: 7\nagents:\n- plugin: mcts\n  params: {runs: 10}\n- plugin: greedy\n",
    );
    test.run(&[]).expect_code(0);
    let page = ServedPage::start(test.folder.path(), &[]);
    let show = json!({
        "agents": [{"plugin": "mcts", "params": {"runs": 10}}, {"plugin": "greedy"}],
        "seed": 7, "running": true,
    });
    let id = open_show(&page, &show);
    let lanes = watch_to_the_end(&mut page.events(&format!("/api/shows/{id}/events")), 2);
    let saved = page
        .post(&format!("/api/shows/{id}/save"), &json!({}))
        .json(200);
    assert_eq!(saved["folder"], "runs/watched/mcts-vs-greedy-seed-7");

    let log = test.path("runs/watched/mcts-vs-greedy-seed-7/games.jsonl");
    let records = crate::support::records_of(&log);
    for (lane, record) in lanes.iter().zip(&records) {
        assert_eq!(lane["score"], record.score);
        assert_eq!(lane["moves"], record.moves);
        assert_eq!(lane["ending"]["kind"], "no-move-left");
    }
    assert_eq!(
        all_without_times(records),
        all_without_times(test.records()),
        "the same referee, worker and tiles"
    );
    test.host(&["verify", "runs/watched/mcts-vs-greedy-seed-7", "--rerun"])
        .expect_code(0);
    // Who saves again has saved once.
    let again = || page.post(&format!("/api/shows/{id}/save"), &json!({}));
    assert_eq!(again().json(200), saved);
    let results = page
        .get("/api/results?seed=7&size=4&four_share=0.1")
        .json(200);
    let sources: Vec<&str> = results["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["source"].as_str().unwrap())
        .collect();
    for source in ["played here", "run t", "run mcts-vs-greedy-seed-7"] {
        assert_eq!(sources.iter().filter(|known| **known == source).count(), 2);
    }
}

#[test]
fn a_step_is_one_move_of_every_agent() {
    let folder = folder();
    let page = ServedPage::start(folder.path(), &[]);
    let agents = json!([{"plugin": "greedy"}, {"plugin": "random"}, {"plugin": "greedy"}]);
    let id = open_show(&page, &json!({"agents": agents, "seed": 3}));
    let mut events = page.events(&format!("/api/shows/{id}/events"));
    let (_, show) = events.next().unwrap();
    assert_eq!(show["lanes"][2]["name"], "greedy-2");
    for n in 1..=3 {
        page.post(&format!("/api/shows/{id}/pace"), &json!({"step": true}));
        let mut seen = [false; 3];
        for (name, data) in &mut events {
            if name == "lane" && data["n"] == n {
                let step = &data["step"];
                assert_eq!(step["direction"], data["moves"]);
                let n_tiles_before = step["slides"].as_array().unwrap().len();
                assert!(n_tiles_before >= 2);
                seen[usize::try_from(data["lane"].as_u64().unwrap()).unwrap()] = true;
            }
            assert!(name != "lane" || data["n"].as_u64().unwrap() <= n);
            if seen == [true; 3] {
                break;
            }
        }
    }
    page.post(&format!("/api/shows/{id}/stop"), &json!({}));
    let lanes = watch_to_the_end(&mut page.events(&format!("/api/shows/{id}/events")), 3);
    for lane in lanes {
        assert_eq!(
            (&lane["n"], &lane["ending"]["kind"]),
            (&json!(3), &json!("stopped"))
        );
    }
    let (_, message) = page
        .post(&format!("/api/shows/{id}/save"), &json!({}))
        .mistake(409);
    assert!(message.contains("came to their end"), "{message}");
}

#[test]
fn an_agent_that_crashes_is_named_and_harms_nobody() {
    let folder = folder();
    let page = ServedPage::start(folder.path(), &[]);
    let crash = json!({"misdeed": "segfault", "on_move": 5});
    let agents = json!([{"plugin": "scripted", "params": crash}, {"plugin": "greedy"}]);
    let show = json!({"agents": agents, "seed": 3, "running": true});
    let id = open_show(&page, &show);
    let lanes = watch_to_the_end(&mut page.events(&format!("/api/shows/{id}/events")), 2);
    assert_eq!(lanes[0]["n"], 4);
    assert_eq!(lanes[0]["ending"]["kind"], "crash");
    assert_eq!(lanes[0]["ending"]["fault"], true);
    let sentence = lanes[0]["ending"]["sentence"].as_str().unwrap();
    assert!(sentence.contains("SIGSEGV"), "{sentence}");
    assert_eq!(lanes[1]["ending"]["kind"], "no-move-left");
}

fn wait_for_children(pid: u32, wanted: usize) {
    let start = Instant::now();
    while children_of(pid).len() != wanted {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "there are {}",
            children_of(pid).len()
        );
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn workers_end_when_their_viewer_leaves_or_says_stop() {
    let folder = folder();
    let page = ServedPage::start(folder.path(), &[]);
    // A move of this agent takes seconds.
    let thinker = json!({"plugin": "mcts", "params": {"runs": 1_000_000}});
    let show = json!({"agents": [thinker, thinker], "seed": 3, "running": true});
    let left = open_show(&page, &show);
    let stopped = open_show(&page, &show);
    let watching = page.events(&format!("/api/shows/{left}/events"));
    let mut events = page.events(&format!("/api/shows/{stopped}/events"));
    wait_for_children(page.pid(), 4);
    // Eight may play at once.
    open_show(
        &page,
        &json!({"agents": [thinker, thinker, thinker, thinker], "seed": 3, "running": true}),
    );
    let (_, message) = page.post("/api/shows", &show).mistake(503);
    assert!(message.contains("8 agents are playing"), "{message}");

    page.post(&format!("/api/shows/{stopped}/stop"), &json!({}));
    let lanes = watch_to_the_end(&mut events, 2);
    assert_eq!(lanes[0]["ending"]["kind"], "stopped");
    drop(watching);
    // The show that nobody ever watched ends as well.
    wait_for_children(page.pid(), 0);
    page.get(&format!("/api/shows/{left}/events")).mistake(404);
}

#[test]
fn a_tournament_that_goes_on_elsewhere_is_followed_to_its_ranking() {
    let test = TournamentTest::new(
        "seeds: 1..30\nagents:\n- plugin: mcts\n  params: {runs: 2}\n- plugin: random\n",
    );
    let page = ServedPage::start(test.folder.path(), &["runs/t"]);
    assert_eq!(page.get("/api/runs").json(200)["runs"], json!([]));
    let mut run = test.start(&[]);
    let start = Instant::now();
    while page.get("/api/runs").json(200)["runs"] == json!([]) {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "the run did not appear"
        );
        thread::sleep(Duration::from_millis(20));
    }
    let events = page.events("/api/runs/t/events");
    let mut was_running = false;
    for (name, standing) in events {
        assert_eq!(
            (name.as_str(), &standing["planned"]),
            ("standing", &json!(60))
        );
        was_running |= standing["running"] == true;
        assert_eq!(standing["finished"], standing["recorded"] == 60);
        if standing["running"] == false && standing["recorded"] == 60 {
            let report = test.host(&["report", "runs/t", "--format", "json"]);
            let report: Value = serde_json::from_str(&report.stdout).unwrap();
            assert_eq!(standing["report"], report);
            break;
        }
    }
    assert!(was_running, "it was seen while it went on");
    run.wait().expect("it was started");
    let html = page.get("/runs/t/report.html");
    assert_eq!(html.status, 200);
    assert_eq!(
        html.body,
        fs::read_to_string(test.path("runs/t/report.html")).unwrap()
    );
}

#[test]
fn every_move_of_a_recorded_game_can_be_asked_for() {
    let test = TournamentTest::new("seeds: 5\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let record = test.records().remove(0);
    let page = ServedPage::start(test.folder.path(), &[]);
    let game = page.get("/api/runs/t/games/0").json(200);
    assert_eq!(
        (&game["moves"], &game["size"]),
        (&json!(record.moves), &json!(4))
    );
    let mut from = 0;
    let mut last = Value::Null;
    while from < record.n_moves {
        let steps = page
            .get(&format!("/api/runs/t/games/0/steps?from={from}&count=100"))
            .json(200);
        if from > 0 {
            assert_eq!(steps["board"], last["board"], "windows join");
        }
        let steps = steps["steps"].as_array().unwrap();
        assert!(!steps.is_empty() && steps.len() <= 100);
        from += steps.len() as u64;
        last = steps.last().unwrap().clone();
    }
    assert_eq!(
        (&last["n"], &last["score"]),
        (&json!(record.n_moves), &json!(record.score))
    );
    // A record that does not hold is said to be so.
    let log = fs::read_to_string(test.log()).unwrap();
    fs::write(test.log(), log.replace(&record.moves, "UUUUUUUUUUUU")).unwrap();
    let (_, message) = page.get("/api/runs/t/games/0/steps").mistake(422);
    assert!(message.contains("does not hold"), "{message}");
    page.get("/api/runs/t/games/1").mistake(404);
}

#[test]
fn a_person_plays_on_the_same_tiles() {
    let test = TournamentTest::new("seeds: 5\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let record = test.records().remove(0);
    let page = ServedPage::start(test.folder.path(), &[]);
    let person = |moves: &str| {
        let game = json!({"seed": 5, "size": 4, "four_share": 0.1, "moves": moves});
        page.post("/api/person", &game)
    };
    let end = person(&record.moves).json(200);
    assert_eq!(
        (&end["score"], &end["over"]),
        (&json!(record.score), &json!(true))
    );
    assert_eq!(end["legal"], "");
    let (field, message) = person(&format!("{}U", record.moves)).mistake(422);
    assert_eq!(field, "moves");
    assert!(message.contains("is not possible"), "{message}");
    person("x").mistake(422);
}

#[test]
fn what_is_wrong_is_said_at_its_field() {
    let folder = folder();
    let page = ServedPage::start(folder.path(), &[]);
    let ask = |agents: Value, seed: Value| {
        page.post("/api/shows", &json!({"agents": agents, "seed": seed}))
            .mistake(422)
    };
    let agent = |params: Value| json!([{"plugin": "expectimax", "params": params}]);
    let (field, message) = ask(agent(json!({"depth": -1})), json!(7));
    assert_eq!(field, "agents.0.params.depth");
    assert!(message.contains("-1 is not within 1 and"), "{message}");
    assert_eq!(
        ask(agent(json!({"deph": 3})), json!(7)).0,
        "agents.0.params.deph"
    );
    assert_eq!(
        ask(agent(json!({"depth": {"a": ["<b>"]}})), json!(7)).0,
        "agents.0.params.depth"
    );
    for no_seed in [
        json!("1..9"),
        json!(-1),
        json!(1.5),
        json!(1_u64 << 53),
        json!(null),
    ] {
        let (field, message) = ask(agent(json!({})), no_seed);
        assert_eq!(field, "seed");
        assert!(message.contains("whole number from 0 to"), "{message}");
    }
    assert_eq!(ask(json!([]), json!(7)).0, "agents");
    for plugin in [
        "../../etc/passwd",
        "/bin/true",
        "",
        "no\u{0}thing",
        "nothing",
    ] {
        assert_eq!(
            ask(json!([{"plugin": plugin}]), json!(7)).0,
            "agents.0.plugin"
        );
    }
    let nested = "[".repeat(30_000);
    let deep = format!("{{\"agents\": [{{\"plugin\": \"x\", \"params\": {{\"a\": {nested}");
    page.ask(
        "POST",
        "/api/shows",
        "Content-Type: application/json\r\n",
        &deep,
    )
    .mistake(400);
    assert_eq!(
        children_of(page.pid()).len(),
        0,
        "none of it started a worker that stays"
    );
}

#[test]
fn other_sites_other_files_and_long_requests_are_refused() {
    let test = TournamentTest::new("seeds: 5\nagents: [{plugin: greedy}]\n");
    test.run(&["--out", "elsewhere/secret"]).expect_code(0);
    let page = ServedPage::start(test.folder.path(), &[]);
    for path in [
        "/api/runs/..%2f..%2felsewhere%2fsecret/games",
        "/api/runs/..%2felsewhere/games",
        "/api/runs/secret/games",
        "/..%2ft.yaml",
        "/../t.yaml",
        "/t.yaml",
        "/api/nothing",
    ] {
        page.get(path).mistake(404);
    }
    let ask = |headers: &str| page.ask("GET", "/api/runs", headers, "").status;
    assert_eq!(ask(""), 200);
    assert_eq!(ask("Host: rebound.example\r\n"), 403);
    assert_eq!(ask("Origin: http://evil.example\r\n"), 403);
    let form = "Content-Type: text/plain\r\n";
    assert_eq!(page.ask("POST", "/api/shows", form, "{}").status, 415);
    let long = format!("\"{}\"", "x".repeat(70_000));
    page.post("/api/shows", &json!({"agents": long}))
        .mistake(413);
    let index = page.get("/");
    assert_eq!(index.status, 200);
    assert!(
        index.headers.contains("script-src 'self'"),
        "{}",
        index.headers
    );
}

#[test]
fn a_port_that_is_taken_is_said_to_be_so() {
    let folder = folder();
    let page = ServedPage::start(folder.path(), &[]);
    let port = page.port.to_string();
    let test = TournamentTest::new("");
    test.host(&["serve", "--port", &port])
        .expect_error(1, "choose another with --port");
}

#[test]
fn many_who_save_at_once_save_once() {
    let folder = folder();
    let page = ServedPage::start(folder.path(), &[]);
    let show = json!({"agents": [{"plugin": "random"}], "seed": 3, "running": true});
    let id = open_show(&page, &show);
    watch_to_the_end(&mut page.events(&format!("/api/shows/{id}/events")), 1);
    let save = || {
        page.post(&format!("/api/shows/{id}/save"), &json!({}))
            .json(200)
    };
    let answers: Vec<Value> = thread::scope(|scope| {
        let saving: Vec<_> = (0..8).map(|_| scope.spawn(save)).collect();
        saving.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let saved = fs::read_dir(folder.path().join("runs/watched")).unwrap();
    assert_eq!(saved.count(), 1);
}

#[test]
fn a_run_that_lost_an_agent_is_finished_and_one_that_is_deleted_is_gone() {
    let test = TournamentTest::new(
        "seeds: 1..4\ndisqualify_after: 1\nagents:\n- plugin: greedy\n\
         - plugin: scripted\n  params: {misdeed: panic}\n",
    );
    test.run(&[]).expect_code(0);
    let page = ServedPage::start(test.folder.path(), &[]);
    let mut events = page.events("/api/runs/t/events");
    let (_, standing) = events.next().unwrap();
    assert_eq!(
        (&standing["recorded"], &standing["planned"]),
        (&json!(5), &json!(8))
    );
    assert_eq!(standing["finished"], true);
    fs::remove_dir_all(test.path("runs/t")).unwrap();
    assert!(events.next().is_none(), "the stream ends");
    for path in [
        "/api/runs/t/events",
        "/api/runs/t/games",
        "/runs/t/report.html",
    ] {
        page.get(path).mistake(404);
    }
}
