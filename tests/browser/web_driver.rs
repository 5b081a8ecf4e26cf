//! A client for the `WebDriver` protocol, with the few commands that the tests use.
//!
//! The protocol is JSON over HTTP on this machine; a client library would add about sixty
//! crates.

use std::{
    cell::RefCell,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::patience::{PATIENCE, wait_until};

/// Closed on drop, even if a test panics.
pub(crate) struct Browser {
    port: u16,
    session: String,
    /// Errors that were in the log when it was read.
    uncaught: RefCell<Vec<String>>,
    _driver: Driver,
    // Removed after the browser has exited.
    _profile: TempDir,
}

/// Driver and browser form one process group.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let group = i32::try_from(self.0.id()).expect("a process number");
        // It may have exited already.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        let _ = self.0.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Closes the windows properly; killing the driver closes them in any case.
        let _ = self.request("DELETE", "", &Value::Null);
    }
}

impl Browser {
    /// The program that is missing, if any.
    pub(crate) fn missing() -> Option<String> {
        let is_there = |program: &&str| {
            let version = Command::new(program).arg("--version").output();
            version.is_ok_and(|version| version.status.success())
        };
        let programs = ["chromium", "chromedriver"];
        let program = programs.iter().find(|program| !is_there(program))?;
        Some(format!(
            "{program} is missing; install it with `apt-get install chromium chromium-driver`"
        ))
    }

    /// Starts driver and browser.
    pub(crate) fn start() -> Result<Self, String> {
        let child = Command::new("chromedriver")
            .arg("--port=0")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("chromedriver cannot be started: {error}"))?;
        let mut driver = Driver(child);
        let stdout = driver.0.stdout.take().expect("stdout is piped");
        let port = BufReader::new(stdout)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.split_once("started successfully on port ")?;
                port.trim_end_matches('.').parse().ok()
            })
            .ok_or("chromedriver did not print its port")?;
        let profile = tempfile::tempdir().map_err(|error| error.to_string())?;
        let profile_path = profile.path().display().to_string();
        let mut browser = Self {
            port,
            session: String::new(),
            uncaught: RefCell::default(),
            _driver: driver,
            _profile: profile,
        };
        let options = json!({"args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            format!("--user-data-dir={profile_path}"),
        ]});
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let session = browser
            .request("POST", "", &capabilities)
            .map_err(|error| format!("chromium cannot be started: {error}"))?;
        let session = session["sessionId"]
            .as_str()
            .ok_or("the session has no identifier")?;
        browser.session = format!("/{session}");
        Ok(browser)
    }

    /// Opens a file without network access.
    pub(crate) fn open(&self, file: &Path) {
        self.set_offline(true);
        let url = format!("file://{}", file.display());
        self.command("POST", "/url", &json!({"url": url}));
    }

    /// Loads an address, even if only its hash differs from the current one.
    pub(crate) fn open_address(&self, url: &str) {
        self.set_offline(false);
        self.command("POST", "/url", &json!({"url": "about:blank"}));
        self.command("POST", "/url", &json!({"url": url}));
    }

    pub(crate) fn reload(&self) {
        self.command("POST", "/refresh", &json!({}));
    }

    fn set_offline(&self, is_offline: bool) {
        self.set_network(is_offline, -1);
    }

    /// Limits the bytes per second that the page receives; -1 removes the limit.
    pub(crate) fn set_speed_limit(&self, bytes_per_second: i32) {
        self.set_network(false, bytes_per_second);
    }

    fn set_network(&self, is_offline: bool, bytes_per_second: i32) {
        self.developer_tools("Network.enable", &json!({}));
        let network = json!({
            "offline": is_offline, "latency": 0,
            "downloadThroughput": bytes_per_second, "uploadThroughput": -1,
        });
        self.developer_tools("Network.emulateNetworkConditions", &network);
    }

    /// Sets a preference of the user by the name of its media feature, and resets all others.
    pub(crate) fn prefer(&self, feature: &str, value: &str) {
        let features = json!([{"name": feature, "value": value}]);
        self.developer_tools("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// Sets the width of the window in pixels.
    pub(crate) fn set_width(&self, width: u32) {
        let metrics =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600});
        self.developer_tools("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// The page as a PDF file, in base 64.
    pub(crate) fn print(&self) -> String {
        let printed = self.command("POST", "/print", &json!({"background": true}));
        printed.as_str().expect("a text").to_owned()
    }

    /// Runs the body of a function in the page and returns its result.
    pub(crate) fn run(&self, body: &str) -> Value {
        self.command(
            "POST",
            "/execute/sync",
            &json!({"script": body, "args": []}),
        )
    }

    /// The value of an expression that is a whole number.
    #[track_caller]
    pub(crate) fn number(&self, expression: &str) -> u64 {
        let value = self.run(&format!("return {expression};"));
        value
            .as_u64()
            .unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// The number of elements that match a selector.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> usize {
        let found = self.number(&format!(
            "document.querySelectorAll({}).length",
            json!(selector)
        ));
        usize::try_from(found).expect("a page has few elements")
    }

    /// The text of the first element that matches a selector.
    #[track_caller]
    pub(crate) fn text(&self, selector: &str) -> String {
        let body = format!(
            "return document.querySelector({}).textContent;",
            json!(selector)
        );
        self.run(&body).as_str().expect("a text").to_owned()
    }

    /// Presses a key on an element.
    #[track_caller]
    pub(crate) fn press(&self, selector: &str, key: char) {
        self.act_on(selector, "value", &json!({"text": key}));
    }

    /// Clicks on an element, which must be visible.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        self.act_on(selector, "click", &json!({}));
    }

    /// Replaces the text in a field.
    #[track_caller]
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        self.act_on(selector, "clear", &json!({}));
        self.act_on(selector, "value", &json!({"text": text}));
    }

    /// Selects an option of a list by its text, or by the beginning of it.
    #[track_caller]
    pub(crate) fn choose(&self, selector: &str, label: &str) {
        let found = self.run(&format!(
            "const list = document.querySelector({});\
             const option = [...list.options].find(option => option.textContent.startsWith({}));\
             if (!option) return false;\
             list.value = option.value; list.dispatchEvent(new Event('change', {{bubbles: true}}));\
             return true;",
            json!(selector),
            json!(label)
        ));
        assert_eq!(found, Value::Bool(true), "{label} in {selector}");
    }

    /// Presses a key on the element that has the focus.
    pub(crate) fn press_key(&self, key: char) {
        let strokes = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": strokes});
        self.command("POST", "/actions", &json!({"actions": [keyboard]}));
    }

    #[track_caller]
    fn act_on(&self, selector: &str, action: &str, body: &Value) {
        let found = json!({"using": "css selector", "value": selector});
        let element = self.command("POST", "/element", &found);
        let name = element
            .as_object()
            .and_then(|element| element.values().next())
            .and_then(Value::as_str)
            .expect("an element has an identifier");
        self.command("POST", &format!("/element/{name}/{action}"), body);
    }

    /// Waits until an expression is true. It may read what the page does not have yet.
    #[track_caller]
    pub(crate) fn wait_for(&self, expression: &str) {
        let script = format!("try {{ return Boolean({expression}); }} catch {{ return false; }}");
        wait_until(expression, || self.run(&script) == Value::Bool(true));
    }

    /// The entries of the browser's log since the last call, warnings included.
    pub(crate) fn log_entries(&self) -> Vec<String> {
        let log = self.command("POST", "/se/log", &json!({"type": "browser"}));
        let entries = log.as_array().cloned().unwrap_or_default();
        let message = |entry: &Value| entry["message"].to_string();
        let uncaught = entries
            .iter()
            .filter(|entry| entry["source"] == "javascript");
        self.uncaught.borrow_mut().extend(uncaught.map(message));
        entries.iter().map(message).collect()
    }

    /// The uncaught exceptions and unhandled rejections in pages since the last call. The
    /// log of the browser contains them even if the page has been left since.
    pub(crate) fn take_uncaught_errors(&self) -> Vec<String> {
        self.log_entries();
        self.uncaught.take()
    }

    fn developer_tools(&self, method: &str, parameters: &Value) {
        let body = json!({"cmd": method, "params": parameters});
        self.command("POST", "/goog/cdp/execute", &body);
    }

    #[track_caller]
    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        self.request(method, path, body)
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> io::Result<Value> {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "{method} /session{}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.session,
            body.len()
        )?;
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let mut response: Value = serde_json::from_slice(&body)?;
        let value = response["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(io::Error::other(format!("{error}: {}", value["message"]))),
            None => Ok(value),
        }
    }
}
