//! `host check`: checks plugins for their author, or for a teacher with a folder of
//! submissions.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use author::check::{CheckOptions, CheckReport, ClaimOutcome, PluginCheck, check_plugin, n_claims};
use play::agents::{
    entering::with_suggestion, folder_listing::FolderListing, inspection::inspect,
    plugin_finder::PluginFinder,
};
use run::agent::{Inspection, LeftOut};
use text::{
    escape::json_text,
    printable::{PrintableWriter, printable},
};
use tournament::Sandbox;
use worker::is_program_folder;

use crate::command::{
    command_line::{CheckArguments, Format},
    exit_code,
};
use anyhow::anyhow;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use plugin_api::parameter_mistakes;
use serde_json::{Map, Value};

use super::{CommandError, CommandResult, StandardOutput, stdout_width};

pub(crate) fn check(arguments: &CheckArguments) -> CommandResult {
    let (plugins, left_out) = plugins(arguments)?;
    let params = params(arguments)?;
    for PluginToCheck { path, .. } in &plugins {
        reject_wrong_params(path, &params)?;
    }
    let options = CheckOptions {
        params,
        allow_read: readable(&arguments.allow_read)?,
        cpu_limit: arguments.cpu_limit,
    };
    let bar = progress_bar(plugins.len());
    let mut checks: Vec<PluginCheck> = Vec::new();
    for PluginToCheck { path, file } in plugins {
        let check = check_plugin(&path, &options, |sentence| {
            let message = format!("{}: {sentence}", path.display());
            bar.set_message(printable(&message, usize::MAX));
            bar.inc(1);
        });
        checks.push(match file {
            Some(file) => check.of_submission(file),
            None => check,
        });
    }
    bar.finish_and_clear();
    let page = CheckReport {
        checks: &checks,
        left_out: &left_out,
    };
    let mut out = PrintableWriter(StandardOutput::default());
    match arguments.format.format {
        Format::Table => write!(out, "{}", page.to_text(stdout_width(), arguments.verbose))?,
        Format::Markdown => write!(out, "{}", page.to_markdown())?,
        Format::Csv => write!(out, "{}", page.to_csv())?,
        Format::Json => {
            let text = json_text(&page.to_json()).map_err(io::Error::from)?;
            writeln!(out, "{text}")?;
        }
    }
    let n_faulty = checks
        .iter()
        .filter(|check| check.with_outcome(ClaimOutcome::Failed).next().is_some())
        .count();
    match (n_faulty, checks.len()) {
        (0, 1..) => Ok(exit_code::OK),
        (_, 0) => Err(CommandError::new(
            exit_code::PLUGIN,
            anyhow!("there is no plugin to check"),
        )),
        (_, 1) => Err(CommandError::new(
            exit_code::PLUGIN,
            anyhow!("the plugin failed; docs/writing-an-agent.md explains every claim"),
        )),
        (n, of) => Err(CommandError::new(
            exit_code::PLUGIN,
            anyhow!("{n} of {of} plugins failed; docs/writing-an-agent.md explains every claim"),
        )),
    }
}

/// A plugin named on the command line, or in a folder named there.
struct PluginToCheck {
    path: PathBuf,
    /// Its path in that folder, if the command line named a folder.
    file: Option<String>,
}

/// The plugin files to check, and the other files of folders. A path takes precedence over a
/// name.
fn plugins(arguments: &CheckArguments) -> Result<(Vec<PluginToCheck>, Vec<LeftOut>), CommandError> {
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    let (mut plugins, mut left_out) = (Vec::new(), Vec::new());
    for plugin in &arguments.plugin {
        let path = Path::new(plugin);
        let of_path = |path: PathBuf| PluginToCheck { path, file: None };
        if path.is_dir() && !is_program_folder(path) {
            let listing = FolderListing::of(path, |_| true)?;
            if listing.plugins.is_empty() && listing.left_out.is_empty() {
                let message = anyhow!("the folder `{plugin}` is empty");
                return Err(CommandError::new(exit_code::PLUGIN, message));
            }
            plugins.extend(listing.plugins.iter().map(|listed| PluginToCheck {
                path: path.join(&listed.file),
                file: Some(listed.file.display().to_string()),
            }));
            left_out.extend(listing.left_out);
        } else if fs::symlink_metadata(path).is_ok() {
            plugins.push(of_path(path.to_path_buf()));
        } else {
            let found = finder
                .find(plugin, None)
                .map_err(|error| CommandError::new(exit_code::PLUGIN, error))?;
            plugins.push(of_path(found));
        }
    }
    Ok((plugins, left_out))
}

fn params(arguments: &CheckArguments) -> Result<Map<String, Value>, CommandError> {
    let Some(text) = &arguments.params else {
        return Ok(Map::new());
    };
    serde_yaml::from_str(text).map_err(|error| {
        let message = anyhow!("--params is not a mapping such as '{{depth: 3}}': {error}");
        CommandError::new(exit_code::USAGE, message)
    })
}

/// Parameters that a plugin's schema does not allow are an error of the command line, not of the
/// plugin. If the plugin cannot be described, its claims say why.
fn reject_wrong_params(plugin: &Path, params: &Map<String, Value>) -> Result<(), CommandError> {
    if params.is_empty() {
        return Ok(());
    }
    let Ok(Inspection { info, .. }) = inspect(plugin, Sandbox::On) else {
        return Ok(());
    };
    let mistakes = parameter_mistakes(&info.params, &Value::Object(params.clone()));
    match mistakes.first() {
        None => Ok(()),
        Some(mistake) => Err(CommandError::new(
            exit_code::USAGE,
            anyhow!(
                "--params does not fit `{}`: {}",
                plugin.display(),
                with_suggestion(mistake, &info.params)
            ),
        )),
    }
}

/// The paths of --allow-read.
///
/// # Errors
/// If there is none of that name.
pub(super) fn readable(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    let absolute = |path: &PathBuf| {
        path.canonicalize().map_err(|error| {
            let message = anyhow!("cannot use --allow-read `{}`: {error}", path.display());
            CommandError::new(exit_code::USAGE, message)
        })
    };
    paths.iter().map(absolute).collect()
}

fn progress_bar(n_plugins: usize) -> ProgressBar {
    let length = u64::try_from(n_plugins * n_claims()).unwrap_or(u64::MAX);
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} [{pos}/{len}] {wide_msg}")
        .expect("the template is well-formed");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
