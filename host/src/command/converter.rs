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

/// PNG files have 300 pixels per inch, which is fine enough for print; drawings have 96.
const PNG_ZOOM: &str = "--zoom=3.125";
const PNG_PIXELS_PER_METRE: u32 = 11_811;

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
    Ok(match format {
        FigureFormat::Png => with_resolution(output.stdout),
        _ => output.stdout,
    })
}

/// The picture with a chunk `pHYs`, so that other programs give it its size on paper.
fn with_resolution(mut png: Vec<u8>) -> Vec<u8> {
    /// The signature and the chunk `IHDR`, which is always first.
    const HEAD: usize = 8 + 25;
    if png.len() < HEAD {
        return png;
    }
    let mut chunk = b"pHYs".to_vec();
    chunk.extend(PNG_PIXELS_PER_METRE.to_be_bytes());
    chunk.extend(PNG_PIXELS_PER_METRE.to_be_bytes());
    // The unit is the metre.
    chunk.push(1);
    let checksum = crc32(&chunk);
    let length: [u8; 4] = [0, 0, 0, 9];
    let inserted = length
        .into_iter()
        .chain(chunk)
        .chain(checksum.to_be_bytes());
    png.splice(HEAD..HEAD, inserted);
    png
}

/// The checksum of PNG files.
fn crc32(bytes: &[u8]) -> u32 {
    let checksum = bytes.iter().fold(u32::MAX, |checksum, byte| {
        (0..8).fold(checksum ^ u32::from(*byte), |rest, _| {
            (rest >> 1) ^ (0xedb8_8320 * (rest & 1))
        })
    });
    !checksum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b"IEND"), 0xae42_6082);
    }
}
