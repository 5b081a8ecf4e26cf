//! Boards of visitors: which move agents play there, and how they search.

use serde_json::{Value, json};

use crate::{
    support::{patience::wait_until, processes::workers_of},
    web::served_page::ServedPage,
};

/// 256 128 32 8 / 16 64 16 4 / 4 8 2 2 / 2 4 8 0.
const BOARD: &str = "8753464223111230";

#[test]
fn a_search_is_explained_with_the_board_of_every_node() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let query = "board=2%202/0%200&agent=backtracking&tiles=deterministic&goal=4";
    let answer = page.get(&format!("/api/explain?{query}")).json(200);
    let nodes = answer["nodes"].as_array().unwrap();
    let boards: Vec<&Value> = nodes.iter().map(|node| &node["board"]).collect();
    assert_eq!(boards.len(), 9);
    assert_eq!(boards[0], &json!([[2, 2], [0, 0]]));
    assert_eq!(boards[2], &json!([[4, 2], [0, 0]]));
    let drawing = page.get(&format!("/api/explain?{query}&format=svg"));
    assert!(drawing.headers.contains("image/svg+xml"));
    assert!(drawing.body.starts_with("<svg") || drawing.body.starts_with("<?xml"));
    let tikz = page.get(&format!("/api/explain?{query}&format=tikz"));
    assert!(tikz.body.contains("tikzpicture"), "{}", tikz.body);
    for (query, field) in [
        ("board=2%203/0%200&agent=minimax", "board"),
        ("board=2%204/4%202&agent=minimax", "board"),
        ("board=2%202/0%200&agent=greedy", "agent"),
        ("board=2%202/0%200&agent=nobody", "agent.plugin"),
        ("board=2%202/0%200&agent=minimax&four=2", "four"),
        ("board=2%202/0%200&agent=minimax&goal=6", "goal"),
        ("board=2%202/0%200&agent=minimax&width=1e300", "width"),
        ("board=2%202/0%200&agent=minimax&width=NaN", "width"),
    ] {
        let response = page.get(&format!("/api/explain?{query}"));
        assert_eq!(response.diagnostic(422).0, field, "{query}");
    }
    let board = page.get(&format!("/api/board?board={BOARD}")).json(200);
    assert_eq!(board["board"][0], json!([256, 128, 32, 8]));
}

#[test]
fn agents_say_what_they_would_play_on_a_board_and_why_a_move_has_no_value() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let answer = page
        .get(&format!(
            "/api/ask?board={BOARD}&agents=minimax,greedy,scripted"
        ))
        .json(200);
    let agents = answer["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 3);
    for agent in agents {
        // Up changes nothing.
        let states = agent["moves"].as_array().unwrap();
        assert_eq!(states[0]["state"], "illegal", "{agent}");
        assert_ne!(states[1]["state"], "illegal", "{agent}");
    }
    assert_eq!(agents[0]["choice"], "right");
    assert_eq!(agents[2]["numbers"], json!({"twice the move": 2.0}));
    assert_eq!(agents[2]["text"], "<b>ten</b> moves");
    let five = "minimax,minimax,minimax,minimax,minimax";
    let response = page.get(&format!("/api/ask?board={BOARD}&agents={five}"));
    assert_eq!(response.diagnostic(422).0, "agents");
}

#[test]
fn agents_end_with_the_request_and_count_as_playing() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    // It burns for an hour on its first move.
    let slow = "{\"plugin\":\"scripted\",\"params\":{\"burn_us\":3600000000}}";
    let agents = format!("%5B{}%5D", [slow; 4].join(",")).replace('"', "%22");
    let path = format!("/api/ask?board={BOARD}&agents={agents}");
    let waiting = [page.unread(&path), page.unread(&path)];
    wait_until("two workers", || workers_of(page.pid()).len() == 2);
    let response = page.get(&format!("/api/explain?board={BOARD}&agent=minimax"));
    assert!(response.diagnostic(503).1.contains("8 agents are playing"));
    drop(waiting);
    wait_until("no workers", || workers_of(page.pid()).is_empty());
    let path = format!("/api/explain?board={BOARD}&agent=minimax");
    wait_until("free places", || page.get(&path).status == 200);
}
