//! Clients that open connections and say little.
//!
//! The tests wait for events only: a connection that the server closes, an answer.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use crate::{
    support::patience::{PATIENCE, wait_until},
    web::served_page::ServedPage,
};

fn connect(page: &ServedPage) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", page.port)).expect("a server");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream
}

/// What the server says before it closes a connection.
fn rest(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    // A connection that is reset is closed too.
    let _ = stream.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn a_request_that_does_not_arrive_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let silent = connect(&page);
    let mut half = connect(&page);
    half.write_all(b"GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        .unwrap();
    let mut without_body = connect(&page);
    let head = "POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
                Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"agents\":";
    without_body.write_all(head.as_bytes()).unwrap();
    assert_eq!(page.get("/api/health").status, 200);
    // Without limits these would wait until the patience of the test is over.
    let answer = rest(without_body);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer:?}");
    let answer = rest(half);
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
        "{answer:?}"
    );
    let answer = rest(silent);
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
        "{answer:?}"
    );
}

#[test]
fn the_number_of_connections_is_limited_and_health_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let n_descriptors = || {
        let descriptors = format!("/proc/{}/fd", page.pid());
        std::fs::read_dir(descriptors)
            .expect("its descriptors")
            .count()
    };
    let before = n_descriptors();
    let silent: Vec<TcpStream> = (0..700)
        .map(|_| {
            let mut stream = connect(&page);
            // It may be closed already.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
            stream
        })
        .collect();
    assert_eq!(page.get("/api/health").status, 200);
    // Those that make room are closed a moment later.
    wait_until("at most 520 descriptors", || {
        n_descriptors() - before <= 520
    });
    // The first one was quiet longest.
    let mut connections = silent.into_iter();
    let first = connections.next().expect("a connection");
    assert_eq!(rest(first), "");
    assert_eq!(page.get("/api/health").status, 200);
}

#[test]
fn a_browser_that_another_site_uses_is_rejected_on_every_route() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let foreign = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n\
                   Sec-Fetch-Dest: image\r\nContent-Type: application/json\r\n";
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/app.js"),
        ("GET", "/api/health"),
        ("GET", "/api/agents"),
        ("GET", "/api/runs"),
        ("GET", "/api/runs/x/games"),
        ("GET", "/api/runs/x/events"),
        ("GET", "/runs/x/report.html"),
        ("POST", "/api/sessions"),
        ("POST", "/api/person"),
        ("GET", "/nothing"),
    ] {
        let body = if method == "POST" { "{}" } else { "" };
        let response = page.request(method, path, foreign, body);
        assert_eq!(response.status, 403, "{method} {path}");
    }
    let own = foreign.replace("cross-site", "same-origin");
    assert_eq!(page.request("GET", "/api/runs", &own, "").status, 200);
    let link =
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    assert_eq!(page.request("GET", "/", link, "").status, 200);
}
