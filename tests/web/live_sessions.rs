//! Live sessions of `host serve`: started, watched, stepped, stopped and saved.

use std::{fs, thread};

use serde_json::{Value, json};

use crate::{
    support::{TournamentTest, all_without_times, patience::wait_until, processes::workers_of},
    web::served_page::{Events, ServedPage},
};

fn start_session(page: &ServedPage, request: &Value) -> String {
    let response = page.post("/api/sessions", request).json(201);
    response["id"].as_str().expect("an identifier").to_owned()
}

fn events_of(page: &ServedPage, id: &str) -> Events {
    page.events(&format!("/api/sessions/{id}/events"))
}

fn save(page: &ServedPage, id: &str) -> Value {
    let path = format!("/api/sessions/{id}/save");
    page.post(&path, &json!({})).json(200)
}

/// Reads until all games are over; returns the last update of each game with all of its moves.
fn watch_to_the_end(events: &mut Events, n_games: usize) -> Vec<Value> {
    let mut games = vec![Value::Null; n_games];
    let mut moves = vec![String::new(); n_games];
    for (name, data) in events {
        if name == "game" {
            let index = index_of(&data);
            assert_eq!(data["from"], moves[index].len(), "no move is skipped");
            moves[index] += data["moves"].as_str().unwrap();
            assert_eq!(data["n"], moves[index].len());
            games[index] = data;
        } else if name == "pace" && data["over"] == true {
            break;
        }
    }
    for (game, moves) in games.iter_mut().zip(moves) {
        game["moves"] = json!(moves);
    }
    games
}

/// The index of the game that an update is about.
fn index_of(update: &Value) -> usize {
    usize::try_from(update["game"].as_u64().unwrap()).unwrap()
}

#[test]
fn a_live_game_is_the_same_as_in_a_tournament() {
    let test = TournamentTest::new(
        "seeds: 7\nagents:\n- plugin: mcts\n  params: {runs: 10}\n- plugin: greedy\n",
    );
    test.run(&[]).expect_code(0);
    let page = ServedPage::start(test.folder.path(), &[]);
    let request = json!({
        "agents": [{"plugin": "mcts", "params": {"runs": 10}}, {"plugin": "greedy"}],
        "seed": 7, "running": true,
    });
    let id = start_session(&page, &request);
    let games = watch_to_the_end(&mut events_of(&page, &id), 2);
    let saved = save(&page, &id);
    assert_eq!(saved["folder"], "runs/watched/mcts-vs-greedy-seed-7");

    let log = test.path("runs/watched/mcts-vs-greedy-seed-7/games.jsonl");
    let records = crate::support::records_of(&log);
    for (game, record) in games.iter().zip(&records) {
        assert_eq!(game["score"], record.score);
        assert_eq!(game["moves"], record.moves);
        assert_eq!(game["ending"]["kind"], "no-move-left");
    }
    assert_eq!(
        all_without_times(records),
        all_without_times(test.records()),
        "the same referee, worker and tiles"
    );
    test.host(&["verify", "runs/watched/mcts-vs-greedy-seed-7", "--rerun"])
        .expect_code(0);
    // Saving again does not create a second run.
    assert_eq!(save(&page, &id), saved);
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
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let agents = json!([{"plugin": "greedy"}, {"plugin": "random"}, {"plugin": "greedy"}]);
    let id = start_session(&page, &json!({"agents": agents, "seed": 3}));
    let mut events = events_of(&page, &id);
    let (_, session) = events.next().unwrap();
    assert_eq!(session["games"][2]["name"], "greedy-2");
    for n in 1..=3 {
        page.post(&format!("/api/sessions/{id}/pace"), &json!({"step": true}));
        let mut has_moved = [false; 3];
        for (name, data) in &mut events {
            if name == "game" && data["n"] == n {
                let step = &data["step"];
                assert_eq!(step["direction"], data["moves"]);
                let n_tiles_before = step["slides"].as_array().unwrap().len();
                assert!(n_tiles_before >= 2);
                has_moved[index_of(&data)] = true;
            }
            assert!(name != "game" || data["n"].as_u64().unwrap() <= n);
            if has_moved == [true; 3] {
                break;
            }
        }
    }
    page.post(&format!("/api/sessions/{id}/stop"), &json!({}));
    for game in watch_to_the_end(&mut events_of(&page, &id), 3) {
        assert_eq!(
            (&game["n"], &game["ending"]["kind"]),
            (&json!(3), &json!("stopped"))
        );
    }
    let (_, message) = page
        .post(&format!("/api/sessions/{id}/save"), &json!({}))
        .diagnostic(409);
    assert!(message.contains("played to their end"), "{message}");
}

#[test]
fn a_crash_is_reported_and_does_not_affect_the_other_game() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let crash = json!({"misdeed": "segfault", "on_move": 5});
    let agents = json!([{"plugin": "scripted", "params": crash}, {"plugin": "greedy"}]);
    let id = start_session(
        &page,
        &json!({"agents": agents, "seed": 3, "running": true}),
    );
    let games = watch_to_the_end(&mut events_of(&page, &id), 2);
    assert_eq!(games[0]["n"], 4);
    assert_eq!(games[0]["ending"]["kind"], "crash");
    assert_eq!(games[0]["ending"]["fault"], true);
    let sentence = games[0]["ending"]["sentence"].as_str().unwrap();
    assert!(sentence.contains("SIGSEGV"), "{sentence}");
    assert_eq!(games[1]["ending"]["kind"], "no-move-left");
}

fn wait_for_workers(page: &ServedPage, wanted: usize) {
    wait_until(&format!("{wanted} workers"), || {
        workers_of(page.pid()).len() == wanted
    });
}

#[test]
fn workers_end_when_the_session_is_stopped_or_its_viewer_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    // It burns for an hour on its first move.
    let slow = json!({"plugin": "scripted", "params": {"burn_us": 3_600_000_000_u64}});
    let request = json!({"agents": [slow, slow], "seed": 3, "running": true});
    let left = start_session(&page, &request);
    let stopped = start_session(&page, &request);
    let watching = events_of(&page, &left);
    let mut events = events_of(&page, &stopped);
    wait_for_workers(&page, 4);
    // Four more reach the limit of eight.
    start_session(
        &page,
        &json!({"agents": [slow, slow, slow, slow], "seed": 3, "running": true}),
    );
    let (_, message) = page.post("/api/sessions", &request).diagnostic(503);
    assert!(message.contains("8 agents are playing"), "{message}");

    page.post(&format!("/api/sessions/{stopped}/stop"), &json!({}));
    let games = watch_to_the_end(&mut events, 2);
    assert_eq!(games[0]["ending"]["kind"], "stopped");
    drop(watching);
    // The session that never had a viewer ends as well.
    wait_for_workers(&page, 0);
    page.get(&format!("/api/sessions/{left}/events"))
        .diagnostic(404);
}

#[test]
fn concurrent_requests_to_save_create_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let request = json!({"agents": [{"plugin": "random"}], "seed": 3, "running": true});
    let id = start_session(&page, &request);
    watch_to_the_end(&mut events_of(&page, &id), 1);
    let responses: Vec<Value> = thread::scope(|scope| {
        let saving: Vec<_> = (0..8).map(|_| scope.spawn(|| save(&page, &id))).collect();
        saving.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(responses.iter().all(|response| *response == responses[0]));
    let saved = fs::read_dir(folder.path().join("runs/watched")).unwrap();
    assert_eq!(saved.count(), 1);
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
        (&end["score"], &end["ending"]["kind"]),
        (&json!(record.score), &json!("no-move-left"))
    );
    assert_eq!(end["legal"], "");
    let (field, message) = person(&format!("{}U", record.moves)).diagnostic(422);
    assert_eq!(field, "moves");
    assert!(message.contains("is illegal"), "{message}");
    person("x").diagnostic(422);
}
