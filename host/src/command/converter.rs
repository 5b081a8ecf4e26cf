//! Converts drawings from SVG.
//!
//! The host draws SVG, and `rsvg-convert` converts it to PDF and PNG: a crate for this would bring
//! its own font engine and more code than the host has.

use std::{
    io::{self, Write},
    process::{Command, Stdio},
    thread,
};

use anyhow::{anyhow, bail};

use crate::command::command_line::FigureFormat;

const CONVERTER: &str = "rsvg-convert";

/// Resolution of PNG files relative to the screen, fine enough for print.
const PNG_ZOOM: &str = "--zoom=3";

/// The drawing in a format. A missing converter is an error that ends with `otherwise`.
pub(super) fn convert(svg: &str, format: FigureFormat, otherwise: &str) -> anyhow::Result<Vec<u8>> {
    if format == FigureFormat::Svg {
        return Ok(svg.as_bytes().to_vec());
    }
    let extension = format.extension();
    let child = Command::new(CONVERTER)
        .args(["--format", extension])
        .args((format == FigureFormat::Png).then_some(PNG_ZOOM))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!(
            "{CONVERTER} is missing, which makes {extension} files; install it with \
             `apt-get install librsvg2-bin`, or {otherwise}"
        ),
        _ => anyhow!("{CONVERTER} cannot be started: {error}"),
    })?;
    let mut input = child.stdin.take().expect("it is piped");
    // It may write before it has read everything.
    let output = thread::scope(|scope| {
        scope.spawn(move || input.write_all(svg.as_bytes()));
        child.wait_with_output()
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("{CONVERTER} cannot convert the drawing: {}", message.trim());
    }
    Ok(output.stdout)
}
