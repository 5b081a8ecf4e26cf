//! Deterministic 2048: played by hand and solved.

use serde_json::{Value, json};

use crate::{
    support::{patience::wait_until, processes::workers_of},
    web::served_page::ServedPage,
};

#[test]
fn every_solution_comes_in_the_order_of_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let events: Vec<Value> = page
        .events("/api/solve?size=2&goal=4&list=true")
        .map(|(_, data)| data)
        .collect();
    let solutions: Vec<(&Value, &Value)> = events
        .iter()
        .filter(|event| event["kind"] == "solution")
        .map(|event| (&event["moves"], &event["board"]))
        .collect();
    // As printed in the paper.
    let expected = [
        ("L", json!([[4, 2], [0, 0]])),
        ("DU", json!([[4, 2], [2, 0]])),
        ("DL", json!([[2, 2], [4, 0]])),
        ("DD", json!([[2, 0], [4, 2]])),
        ("DR", json!([[2, 2], [0, 4]])),
        ("R", json!([[2, 4], [0, 0]])),
    ];
    assert_eq!(solutions.len(), expected.len());
    for ((moves, board), (expected_moves, expected_board)) in solutions.iter().zip(&expected) {
        assert_eq!((*moves, *board), (&json!(expected_moves), expected_board));
    }
    let answer = events.last().unwrap();
    assert_eq!(answer["kind"], "answer");
    assert_eq!(
        (&answer["solutions"], &answer["complete"]),
        (&json!("6"), &json!(true))
    );
    for (query, field) in [
        ("size=9&goal=4", "size"),
        ("size=2&goal=5", "goal"),
        ("size=2&goal=4&plugin=nobody", "plugin"),
        ("size=2&goal=4&plugin=../x", "plugin"),
    ] {
        let response = page.get(&format!("/api/solve?{query}"));
        assert_eq!(response.diagnostic(422).0, field, "{query}");
    }
}

#[test]
fn a_search_ends_with_its_viewer() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let watched = page.events("/api/solve?size=4&goal=2048&list=true");
    wait_until("a worker", || workers_of(page.pid()).len() == 1);
    drop(watched);
    wait_until("no worker", || workers_of(page.pid()).is_empty());
}

#[test]
fn deterministic_games_are_played_by_hand_to_their_goal() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let game = |goal: u64, moves: &str| {
        let game = json!({
            "seed": 0, "size": 2, "four_share": 0.1, "tiles": "deterministic", "goal": goal, "moves": moves,
        });
        page.post("/api/person", &game)
    };
    let start = game(4, "").json(200);
    assert_eq!(start["board"], json!([1, 1, 0, 0]));
    assert_eq!(start["order"], json!([0, 1, 2, 3]));
    assert_eq!(start["next"], json!({"R": 0, "D": 0, "L": 1}));
    let end = game(4, "DU").json(200);
    assert_eq!(end["board"], json!([2, 1, 1, 0]));
    assert_eq!(end["ending"]["kind"], "goal-reached");
    assert_eq!(end["next"], json!({}));
    assert_eq!(game(6, "").diagnostic(422).0, "goal");
    // Where tiles are random, the next ones stay unknown.
    let random = json!({"seed": 0, "size": 2, "four_share": 0.1, "moves": ""});
    let view = page.post("/api/person", &random).json(200);
    assert_eq!(
        (&view["order"], &view["next"]),
        (&Value::Null, &Value::Null)
    );
}
