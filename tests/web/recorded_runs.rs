//! Runs in `host serve`: listed, followed and replayed.

use std::{fs, thread};

use serde_json::{Value, json};

use crate::{
    support::{TournamentTest, patience::wait_until, processes::finish, write_records},
    web::served_page::ServedPage,
};

#[test]
fn a_tournament_of_another_process_is_followed_to_its_final_ranking() {
    // The second agent waits on its first moves, so the run cannot end before the page follows it.
    let test = TournamentTest::new(
        "seeds: 1..30\nbudget: {nodes: 1, sleep: 1h}\nagents:\n- plugin: random\n\
         - {plugin: scripted, params: {wait_on_move: 1}}\n",
    );
    let page = ServedPage::start(test.folder.path(), &["runs/t"]);
    assert_eq!(page.get("/api/runs").json(200)["runs"], json!([]));
    let mut run = Some(test.start(&[]));
    let mut end_of_run = None;
    wait_until("the run", || {
        page.get("/api/runs").json(200)["runs"] != json!([])
    });
    let events = page.events("/api/runs/t/events");
    let mut is_running = false;
    let mut last = Value::Null;
    for (name, update) in events {
        if name == "progress" {
            assert_eq!(update["planned"], 60);
            is_running = update["running"] == true;
            if let Some(run) = run.take_if(|_| is_running) {
                end_of_run = Some(thread::spawn(|| finish(run)));
            }
            continue;
        }
        assert_eq!(name, "ranking");
        assert_eq!(update["missing"] == 0, update["recorded"] == 60);
        if !is_running && update["recorded"] == 60 {
            last = update;
            break;
        }
    }
    let end_of_run = end_of_run.expect("an update was sent during the run");
    end_of_run.join().expect("the run ends").expect_code(0);
    let html = page.get("/runs/t/report.html");
    assert_eq!(html.status, 200);
    assert_eq!(
        html.body,
        fs::read_to_string(test.path("runs/t/report.html")).unwrap()
    );
    // The page shows the figures of the report.
    let (_, ranking) = html.body.split_once("id=\"ranking\"").unwrap();
    let (_, table) = ranking.split_once("<table>").unwrap();
    let (table, _) = table.split_once("</table>").unwrap();
    assert!(last["html"].as_str().unwrap().contains(table), "{last}");
}

#[test]
fn a_recorded_game_is_sent_in_windows_of_steps() {
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
            assert_eq!(steps["board"], last["board"], "no step between windows");
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
    page.get("/api/runs/t/games/1").diagnostic(404);
}

#[test]
fn an_invalid_record_is_reported() {
    let test = TournamentTest::new("seeds: 5\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let mut records = test.records();
    records[0].moves = "UUUUUUUUUUUU".to_owned();
    write_records(&test.log(), &records);
    let page = ServedPage::start(test.folder.path(), &[]);
    let (_, message) = page.get("/api/runs/t/games/0/steps").diagnostic(422);
    assert!(message.contains("is not valid"), "{message}");
}

#[test]
fn a_run_with_a_disqualified_agent_is_finished_and_a_deleted_run_is_gone() {
    let test = TournamentTest::new(
        "seeds: 1..4\ndisqualify_after: 1\nagents:\n- plugin: greedy\n\
         - plugin: scripted\n  params: {misdeed: panic}\n",
    );
    test.run(&[]).expect_code(0);
    let page = ServedPage::start(test.folder.path(), &[]);
    let mut events = page.events("/api/runs/t/events");
    let (_, update) = events.next().unwrap();
    assert_eq!(
        (&update["recorded"], &update["planned"]),
        (&json!(5), &json!(8))
    );
    let ranking = loop {
        let (name, event) = events.next().unwrap();
        if name == "ranking" {
            break event;
        }
    };
    assert_eq!(ranking["missing"], 0);
    assert_eq!(ranking["has_disqualified"], true);
    fs::remove_dir_all(test.path("runs/t")).unwrap();
    assert!(events.next().is_none(), "the stream ends");
    for path in [
        "/api/runs/t/events",
        "/api/runs/t/games",
        "/runs/t/report.html",
    ] {
        page.get(path).diagnostic(404);
    }
}
