//! `host report --figures`: the charts of a report as files for a paper.
//!
//! The host draws SVG, and `rsvg-convert` converts it to PDF and PNG: a crate for this would bring
//! its own font engine and more code than the host has.

use std::{fmt::Write, fs, io, path::Path, process::Command};

use anyhow::{Context, anyhow, bail};

use report::html::FigureFile;
use run::atomic_file;

use crate::command::{CommandError, command_line::FigureFormat, exit_code};

const CONVERTER: &str = "rsvg-convert";

/// Resolution of PNG files relative to the screen, fine enough for print.
const PNG_ZOOM: &str = "--zoom=3";

/// Writes each figure, and `captions.md` with their captions.
pub(super) fn write_figures(
    folder: &Path,
    figures: &[FigureFile],
    format: FigureFormat,
) -> Result<(), CommandError> {
    write_all(folder, figures, format)
        .map_err(|error| CommandError::new(exit_code::UNEXPECTED, error))
}

fn write_all(folder: &Path, figures: &[FigureFile], format: FigureFormat) -> anyhow::Result<()> {
    let place = || format!("cannot write the figures to `{}`", folder.display());
    fs::create_dir_all(folder).with_context(place)?;
    let mut captions = String::new();
    for figure in figures {
        let svg = folder.join(format!("{}.svg", figure.name));
        atomic_file::replace(&svg, &figure.svg).with_context(place)?;
        let file = match format {
            FigureFormat::Svg => svg,
            FigureFormat::Pdf | FigureFormat::Png => convert(&svg, format)?,
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        write!(
            captions,
            "**{name}**: {}. {}\n\n",
            figure.title, figure.caption
        )?;
    }
    atomic_file::replace(&folder.join("captions.md"), &captions).with_context(place)?;
    Ok(())
}

/// Converts an SVG file and removes it; returns the new file.
fn convert(svg: &Path, format: FigureFormat) -> anyhow::Result<std::path::PathBuf> {
    let extension = format.extension();
    let file = svg.with_extension(extension);
    let output = Command::new(CONVERTER)
        .args(["--format", extension])
        .args((format == FigureFormat::Png).then_some(PNG_ZOOM))
        .arg("--output")
        .arg(&file)
        .arg(svg)
        .output()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => anyhow!(
                "{CONVERTER} is missing, which makes {extension} files; install it with \
                 `apt-get install librsvg2-bin`, or use `--figure-format svg`"
            ),
            _ => anyhow!("{CONVERTER} cannot be started: {error}"),
        })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{CONVERTER} cannot convert `{}`: {}",
            svg.display(),
            message.trim()
        );
    }
    fs::remove_file(svg)?;
    Ok(file)
}
