//! Requests that `host serve` rejects.

use serde_json::{Value, json};

use crate::{
    support::{TournamentTest, processes::workers_of},
    web::served_page::ServedPage,
};

#[test]
fn an_invalid_setting_is_reported_at_its_field() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let error_of = |agents: Value, seed: Value| {
        page.post("/api/sessions", &json!({"agents": agents, "seed": seed}))
            .diagnostic(422)
    };
    let agent = |params: Value| json!([{"plugin": "expectimax", "params": params}]);
    let (field, message) = error_of(agent(json!({"depth": -1})), json!(7));
    assert_eq!(field, "agents.0.params.depth");
    assert!(message.contains("-1 is not between 1 and"), "{message}");
    assert_eq!(
        error_of(agent(json!({"deph": 3})), json!(7)).0,
        "agents.0.params.deph"
    );
    assert_eq!(
        error_of(agent(json!({"depth": {"a": ["<b>"]}})), json!(7)).0,
        "agents.0.params.depth"
    );
    for invalid in [
        json!("1..9"),
        json!(-1),
        json!(1.5),
        json!(1_u64 << 53),
        json!(null),
    ] {
        let (field, message) = error_of(agent(json!({})), invalid);
        assert_eq!(field, "seed");
        assert!(message.contains("whole number from 0 to"), "{message}");
    }
    assert_eq!(error_of(json!([]), json!(7)).0, "agents");
    for plugin in [
        "../../etc/passwd",
        "/bin/true",
        "",
        "no\u{0}thing",
        "nothing",
    ] {
        assert_eq!(
            error_of(json!([{"plugin": plugin}]), json!(7)).0,
            "agents.0.plugin"
        );
    }
    assert_eq!(
        workers_of(page.pid()).len(),
        0,
        "no rejected request leaves a worker behind"
    );
}

#[test]
fn an_invalid_speed_is_rejected_with_the_valid_range() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let request = json!({"agents": [{"plugin": "random"}], "seed": 3, "speed": 0});
    let error = page.post("/api/sessions", &request).diagnostic(422);
    assert_eq!(
        (error.0.as_str(), error.1.as_str()),
        (
            "speed",
            "0 is not a valid speed; use 0.01 to 10,000 moves per second"
        )
    );
}

#[test]
fn deeply_nested_json_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let nested = "[".repeat(30_000);
    let body = format!("{{\"agents\": [{{\"plugin\": \"x\", \"params\": {{\"a\": {nested}");
    let json = "Content-Type: application/json\r\n";
    page.request("POST", "/api/sessions", json, &body)
        .diagnostic(400);
}

#[test]
fn files_outside_the_listed_runs_are_not_served() {
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
        page.get(path).diagnostic(404);
    }
}

#[test]
fn requests_from_other_sites_and_long_requests_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let status_with = |headers: &str| page.request("GET", "/api/runs", headers, "").status;
    assert_eq!(status_with(""), 200);
    assert_eq!(status_with("Host: rebound.example\r\n"), 403);
    assert_eq!(status_with("Origin: http://evil.example\r\n"), 403);
    let plain_text = "Content-Type: text/plain\r\n";
    let as_form = page.request("POST", "/api/sessions", plain_text, "{}");
    assert_eq!(as_form.status, 415);
    let long = format!("\"{}\"", "x".repeat(70_000));
    page.post("/api/sessions", &json!({"agents": long}))
        .diagnostic(413);
    let (_, message) = page.post("/api/runs", &json!({})).diagnostic(405);
    assert_eq!(message, "method not allowed");
    let index = page.get("/");
    assert_eq!(index.status, 200);
    assert!(
        index.headers.contains("script-src 'self'"),
        "{}",
        index.headers
    );
}

#[test]
fn a_port_in_use_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let port = page.port.to_string();
    let test = TournamentTest::new("");
    test.host(&["serve", "--port", &port])
        .expect_error(1, "choose another port with --port");
}
