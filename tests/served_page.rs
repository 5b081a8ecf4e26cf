//! The page of a running host, asked over real HTTP.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    time::Duration,
};

use serde_json::Value;

use crate::serving_host::ServingHost;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct ServedPage {
    server: ServingHost,
    pub(crate) port: u16,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

/// Server-sent events as they come.
pub(crate) struct Events(BufReader<TcpStream>);

impl ServedPage {
    /// Starts the server in a folder, on a port that is free.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let server = ServingHost::start(folder, 0, arguments);
        let port = server.port();
        Self { server, port }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.server.pid()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let json = "Content-Type: application/json\r\n";
        self.ask("POST", path, json, &body.to_string())
    }

    /// A request with headers of its own.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let mut reader = self.send(method, path, headers, body).expect("a server");
        let (status, headers) = read_head(&mut reader).expect("an answer");
        let mut body = String::new();
        reader.read_to_string(&mut body).expect("a body");
        Answer {
            status,
            headers,
            body,
        }
    }

    pub(crate) fn events(&self, path: &str) -> Events {
        let mut reader = self.send("GET", path, "", "").expect("a server");
        let (status, headers) = read_head(&mut reader).expect("an answer");
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
        // An answer of this protocol version is not sent in pieces.
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\n{host}Connection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        Ok(BufReader::new(stream))
    }
}

/// Status and headers.
fn read_head(reader: &mut impl BufRead) -> io::Result<(u16, String)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
    Ok((status.ok_or_else(|| io::Error::other(head.clone()))?, head))
}

impl Answer {
    #[track_caller]
    pub(crate) fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The field and the sentence of its only mistake.
    #[track_caller]
    pub(crate) fn mistake(&self, status: u16) -> (String, String) {
        let answer = self.json(status);
        let mistakes = answer["mistakes"].as_array().expect("mistakes");
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        let text = |key: &str| mistakes[0][key].as_str().expect("a text").to_owned();
        (text("field"), text("message"))
    }
}

impl Iterator for Events {
    type Item = (String, Value);

    /// The next event with its data; signs of life are passed over.
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
