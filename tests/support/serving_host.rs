//! A running `host serve`.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Stdio},
};

use super::program::host;

/// Killed on drop, even if a test panics.
pub(crate) struct ServingHost {
    process: Child,
    /// As the host prints it, such as `http://127.0.0.1:2048/`.
    pub(crate) address: String,
}

impl Drop for ServingHost {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl ServingHost {
    /// Starts the server in a folder; port 0 selects a free port.
    pub(crate) fn start(folder: &Path, port: u16, arguments: &[&str]) -> Self {
        let mut process = host()
            .current_dir(folder)
            .args(["serve", "--port", &port.to_string()])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the host starts");
        let stdout = process.stdout.take().expect("stdout is piped");
        let mut address = String::new();
        BufReader::new(stdout)
            .read_line(&mut address)
            .expect("the server prints its address");
        let address = address.trim().to_owned();
        assert!(address.starts_with("http://127.0.0.1:"), "{address:?}");
        Self { process, address }
    }

    pub(crate) fn port(&self) -> u16 {
        let port = self
            .address
            .rsplit(':')
            .next()
            .expect("it begins with http:");
        let port = port.trim_end_matches('/').parse();
        port.expect("an address ends with its port")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }
}
