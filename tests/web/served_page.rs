//! An HTTP client for a running `host serve`.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
};

use serde_json::Value;

use crate::support::{patience::PATIENCE, serving_host::ServingHost};

pub(crate) struct ServedPage {
    server: ServingHost,
    pub(crate) port: u16,
}

/// A response.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

/// Server-sent events in the order of arrival.
pub(crate) struct Events(BufReader<TcpStream>);

impl ServedPage {
    /// Starts the server in a folder, on a free port.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let server = ServingHost::start(folder, 0, arguments);
        let port = server.port();
        Self { server, port }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.server.pid()
    }

    pub(crate) fn get(&self, path: &str) -> HttpResponse {
        self.request("GET", path, "", "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> HttpResponse {
        let json = "Content-Type: application/json\r\n";
        self.request("POST", path, json, &body.to_string())
    }

    /// Sends a request with additional headers.
    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> HttpResponse {
        let mut reader = self.send(method, path, headers, body).expect("a server");
        let (status, headers) = read_head(&mut reader).expect("a response");
        let mut body = String::new();
        reader.read_to_string(&mut body).expect("a body");
        HttpResponse {
            status,
            headers,
            body,
        }
    }

    pub(crate) fn events(&self, path: &str) -> Events {
        let mut reader = self.send("GET", path, "", "").expect("a server");
        let (status, headers) = read_head(&mut reader).expect("a response");
        assert_eq!(status, 200, "{headers}");
        Events(reader)
    }

    /// Asks for something without waiting for the response.
    pub(crate) fn unread(&self, path: &str) -> BufReader<TcpStream> {
        self.send("GET", path, "", "").expect("a server")
    }

    /// The answers to a question, as they come.
    pub(crate) fn question(&self, question: &Value) -> Events {
        let json = "Content-Type: application/json\r\n";
        let body = question.to_string();
        let sent = self.send("POST", "/api/questions", json, &body);
        let mut reader = sent.expect("a server");
        let (status, headers) = read_head(&mut reader).expect("a response");
        assert_eq!(status, 200, "{headers}");
        Events(reader)
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> io::Result<BufReader<TcpStream>> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let host = if headers.contains("Host:") {
            String::new()
        } else {
            format!("Host: 127.0.0.1:{}\r\n", self.port)
        };
        // A response of HTTP/1.0 is not chunked.
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\n{host}Connection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        Ok(BufReader::new(stream))
    }
}

/// Reads the status and the headers.
fn read_head(reader: &mut impl BufRead) -> io::Result<(u16, String)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
    Ok((status.ok_or_else(|| io::Error::other(head.clone()))?, head))
}

impl HttpResponse {
    #[track_caller]
    pub(crate) fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The field and the message of the only error.
    #[track_caller]
    pub(crate) fn diagnostic(&self, status: u16) -> (String, String) {
        let response = self.json(status);
        let diagnostics = response["diagnostics"].as_array().expect("diagnostics");
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        let text = |key: &str| diagnostics[0][key].as_str().expect("a text").to_owned();
        (text("field"), text("message"))
    }
}

impl Iterator for Events {
    type Item = (String, Value);

    /// The next event with its data; keep-alive comments are skipped.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                event.trim().clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).expect("events are JSON")));
            }
        }
    }
}
