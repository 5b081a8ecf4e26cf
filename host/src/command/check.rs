//! `host check`: checks plugins for their author, or for a teacher with a folder of
//! submissions.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    agents::plugin_finder::PluginFinder,
    author::check::{CheckOptions, CheckReport, ClaimOutcome, PluginCheck, check_plugin, n_claims},
    command::{
        command_line::{CheckArguments, Format},
        exit_code,
        interruption::InterruptionWatch,
    },
    text::{
        json_text::json_text,
        printable::{PrintableWriter, printable},
    },
};
use anyhow::anyhow;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value};

use super::{CommandError, CommandResult};

pub(crate) fn check(arguments: &CheckArguments) -> CommandResult {
    let paths = plugins(arguments)?;
    let watch = InterruptionWatch::start()?;
    let options = CheckOptions {
        params: params(arguments)?,
        allow_read: readable(&arguments.allow_read)?,
        stop: Some(watch.stop()),
    };
    let bar = progress_bar(paths.len());
    let mut checks: Vec<PluginCheck> = Vec::new();
    for path in &paths {
        let check = check_plugin(path, &options, |sentence| {
            let message = format!("{}: {sentence}", path.display());
            bar.set_message(printable(&message, usize::MAX));
            bar.inc(1);
        });
        match check {
            Ok(check) => checks.push(check),
            Err(_stopped) => {
                bar.finish_and_clear();
                return Err(CommandError::new(
                    exit_code::INTERRUPTED,
                    anyhow!("interrupted; a check cannot be resumed, start it again"),
                ));
            }
        }
    }
    bar.finish_and_clear();
    let page = CheckReport(&checks);
    let mut out = PrintableWriter(io::stdout().lock());
    match arguments.format.format {
        Format::Table => write!(out, "{}", page.to_text(terminal_width()))?,
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
        (0, _) => Ok(exit_code::OK),
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

/// The plugin files that were asked for. A path takes precedence over a name.
fn plugins(arguments: &CheckArguments) -> Result<Vec<PathBuf>, CommandError> {
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    let mut paths = Vec::new();
    for plugin in &arguments.plugin {
        let path = Path::new(plugin);
        if path.is_dir() {
            let found = libraries_in(path)?;
            if found.is_empty() {
                let message = anyhow!("no `.so` file in the folder `{plugin}`");
                return Err(CommandError::new(exit_code::PLUGIN, message));
            }
            paths.extend(found);
        } else if fs::symlink_metadata(path).is_ok() {
            paths.push(path.to_path_buf());
        } else {
            let found = finder
                .find(plugin, None)
                .map_err(|error| CommandError::new(exit_code::PLUGIN, error))?;
            paths.push(found);
        }
    }
    Ok(paths)
}

fn libraries_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "so"))
        .collect();
    paths.sort();
    Ok(paths)
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

fn readable(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
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

fn terminal_width() -> Option<usize> {
    io::stdout()
        .is_terminal()
        .then(|| usize::from(console::Term::stdout().size().1))
}
