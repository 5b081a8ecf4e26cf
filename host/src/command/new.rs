//! `host new`: a new agent that builds and plays right away.

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    author::new_agent::{Language, NewAgent, NewAgentError},
    command::{command_line::NewArguments, exit_code},
};
use anyhow::anyhow;

use super::{CommandError, CommandResult};

/// The checkout that this program was built from, which may have been removed since.
const OWN_PLUGIN_API: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../plugin-api");

pub(crate) fn new(arguments: &NewArguments) -> CommandResult {
    let plugin_api = plugin_api(arguments.plugin_api.as_deref())?;
    let host = program();
    let agent = NewAgent {
        name: &arguments.name,
        language: if arguments.c {
            Language::C
        } else {
            Language::Rust
        },
        host: &host,
        plugin_api: plugin_api.as_deref(),
    };
    let files = agent.write(Path::new(".")).map_err(|error| match error {
        NewAgentError::Unwritable { .. } => CommandError::new(exit_code::UNEXPECTED, error),
        error => CommandError::new(exit_code::USAGE, error),
    })?;
    let mut out = io::stdout().lock();
    for file in files {
        let shown = file.strip_prefix(".").unwrap_or(&file);
        writeln!(out, "wrote {}", shown.display())?;
    }
    let name = &arguments.name;
    writeln!(out, "\nBuild it and play against the baselines:\n")?;
    if arguments.c {
        writeln!(out, "    cd {name}\n    make play")?;
    } else {
        writeln!(out, "    cd {name}\n    cargo build --release")?;
        writeln!(out, "    {host} run tournament.yaml")?;
    }
    Ok(exit_code::OK)
}

/// The folder of `plugin-api`: the one given, or that of the checkout if it still exists.
fn plugin_api(given: Option<&Path>) -> Result<Option<PathBuf>, CommandError> {
    let is_there = |path: &Path| path.join("Cargo.toml").is_file();
    match given {
        Some(path) if !is_there(path) => Err(CommandError::new(
            exit_code::USAGE,
            anyhow!(
                "--plugin-api `{}` is not the folder of a crate: it has no Cargo.toml",
                path.display()
            ),
        )),
        Some(path) => Ok(Some(path.canonicalize()?)),
        None => {
            let own = Path::new(OWN_PLUGIN_API);
            Ok(is_there(own).then(|| own.canonicalize()).transpose()?)
        }
    }
}

/// How to call this program from another folder.
fn program() -> String {
    let typed = env::args_os().next().unwrap_or_default();
    let is_on_the_path = !typed.to_string_lossy().contains('/');
    match env::current_exe() {
        Ok(path) if !is_on_the_path => path.display().to_string(),
        _ => typed.to_string_lossy().into_owned(),
    }
}
