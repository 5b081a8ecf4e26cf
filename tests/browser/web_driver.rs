//! A browser under control: the few commands of the `WebDriver` protocol that are used.
//!
//! The protocol is JSON over HTTP on this machine; a client library would bring sixty
//! crates for it.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long the browser may take for one command.
const PATIENCE: Duration = Duration::from_mins(1);

/// Ends with its value, whatever a test does.
pub(crate) struct Browser {
    port: u16,
    session: String,
    _driver: Driver,
    // Removed after the browser has ended.
    _profile: TempDir,
}

/// Driver and browser form one process group.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let group = i32::try_from(self.0.id()).expect("a process number");
        // It may have ended by itself.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        let _ = self.0.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Closes the windows in order; the driver's end closes them in any case.
        let _ = self.request("DELETE", "", &Value::Null);
    }
}

impl Browser {
    /// Starts driver and browser; says what is missing where that fails.
    pub(crate) fn start() -> Result<Self, String> {
        let advice = "install it with `apt-get install chromium chromium-driver`";
        let child = Command::new("chromedriver")
            .arg("--port=0")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("chromedriver cannot be started ({error}); {advice}"))?;
        let mut driver = Driver(child);
        let stdout = driver.0.stdout.take().expect("it was asked for");
        let port = BufReader::new(stdout)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.split_once("started successfully on port ")?;
                port.trim_end_matches('.').parse().ok()
            })
            .ok_or("chromedriver does not say its port")?;
        let profile = tempfile::tempdir().map_err(|error| error.to_string())?;
        let profile_path = profile.path().display().to_string();
        let mut browser = Self {
            port,
            session: String::new(),
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
            .map_err(|error| format!("chromium cannot be started ({error}); {advice}"))?;
        let session = session["sessionId"]
            .as_str()
            .ok_or("a session has a name")?;
        browser.session = format!("/{session}");
        Ok(browser)
    }

    /// Opens a file as a person would, without a network.
    pub(crate) fn open(&self, file: &Path) {
        self.set_offline(true);
        let url = format!("file://{}", file.display());
        self.command("POST", "/url", &json!({"url": url}));
    }

    /// Opens an address afresh, also where only what stands behind its `#` differs.
    pub(crate) fn open_address(&self, url: &str) {
        self.set_offline(false);
        self.command("POST", "/url", &json!({"url": "about:blank"}));
        self.command("POST", "/url", &json!({"url": url}));
    }

    pub(crate) fn reload(&self) {
        self.command("POST", "/refresh", &json!({}));
    }

    fn set_offline(&self, is_offline: bool) {
        self.developer_tools("Network.enable", &json!({}));
        let network = json!({
            "offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.developer_tools("Network.emulateNetworkConditions", &network);
    }

    /// Sets what a person prefers, by the name of the media feature; all else is usual.
    pub(crate) fn prefer(&self, feature: &str, value: &str) {
        let features = json!([{"name": feature, "value": value}]);
        self.developer_tools("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// A window of this width in pixels.
    pub(crate) fn set_width(&self, width: u32) {
        let metrics =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600});
        self.developer_tools("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// What the body of a function returns.
    pub(crate) fn run(&self, body: &str) -> Value {
        self.command(
            "POST",
            "/execute/sync",
            &json!({"script": body, "args": []}),
        )
    }

    /// A number that an expression has.
    #[track_caller]
    pub(crate) fn number(&self, expression: &str) -> u64 {
        let value = self.run(&format!("return {expression};"));
        value
            .as_u64()
            .unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// How many elements of the page a selector finds.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> usize {
        let found = self.number(&format!(
            "document.querySelectorAll({}).length",
            json!(selector)
        ));
        usize::try_from(found).expect("a page has few elements")
    }

    /// The text of the first element that a selector finds.
    #[track_caller]
    pub(crate) fn text(&self, selector: &str) -> String {
        let body = format!(
            "return document.querySelector({}).textContent;",
            json!(selector)
        );
        self.run(&body).as_str().expect("a text").to_owned()
    }

    /// Presses a key while an element has the focus.
    #[track_caller]
    pub(crate) fn press(&self, selector: &str, key: char) {
        self.act_on(selector, "value", &json!({"text": key}));
    }

    /// Clicks on an element, which has to be in sight.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        self.act_on(selector, "click", &json!({}));
    }

    /// Replaces what stands in a field.
    #[track_caller]
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        self.act_on(selector, "clear", &json!({}));
        self.act_on(selector, "value", &json!({"text": text}));
    }

    /// Chooses from a list by what is written there, or by the beginning of it.
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

    /// Strikes a key, whatever has the focus.
    pub(crate) fn strike(&self, key: char) {
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
            .expect("an element has a name");
        self.command("POST", &format!("/element/{name}/{action}"), body);
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait_for(&self, expression: &str) {
        let start = Instant::now();
        while self.run(&format!("return Boolean({expression});")) != Value::Bool(true) {
            assert!(start.elapsed() < PATIENCE, "{expression} did not come true");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the page complained about since it was asked last.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.command("POST", "/se/log", &json!({"type": "browser"}));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries
            .iter()
            .map(|entry| entry["message"].to_string())
            .collect()
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
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer)?;
        let mut answer: Value = serde_json::from_slice(&answer)?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(io::Error::other(format!("{error}: {}", value["message"]))),
            None => Ok(value),
        }
    }
}
