//! `host report --figures`: the charts of a report as files for a paper.

use std::{fmt::Write, fs, path::Path};

use anyhow::Context;

use report::html::FigureFile;
use run::atomic_file;

use crate::command::{CommandError, command_line::FigureFormat, converter::convert, exit_code};

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
        let name = format!("{}.{}", figure.name, format.extension());
        let content = convert(&figure.svg, format, "use `--figure-format svg`")
            .with_context(|| format!("figure `{name}`"))?;
        atomic_file::replace(&folder.join(&name), &content).with_context(place)?;
        write!(
            captions,
            "**{name}**: {}. {}\n\n",
            figure.title, figure.caption
        )?;
    }
    atomic_file::replace(&folder.join("captions.md"), &captions).with_context(place)?;
    Ok(())
}
