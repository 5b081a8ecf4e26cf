//! `host new`: a new agent that builds and plays right away.

use std::{
    env,
    io::Write,
    path::{self, Path, PathBuf},
};

use author::new_agent::{Language, NewAgent, NewAgentError};

use crate::command::{command_line::NewArguments, exit_code};
use anyhow::anyhow;
use text::program;

use super::{CommandError, CommandResult, StandardOutput};

pub(crate) fn new(arguments: &NewArguments) -> CommandResult {
    let plugin_api = plugin_api(arguments.plugin_api.as_deref())?;
    let language = if arguments.c {
        Language::C
    } else {
        arguments.lang
    };
    let host = program();
    let agent = NewAgent {
        name: &arguments.name,
        language,
        host: &host,
        plugin_api: plugin_api.as_deref(),
    };
    let files = agent.write(Path::new(".")).map_err(|error| match error {
        NewAgentError::Unwritable { .. } => CommandError::new(exit_code::UNEXPECTED, error),
        error => CommandError::new(exit_code::USAGE, error),
    })?;
    let mut out = StandardOutput::default();
    for file in files {
        let shown = file.strip_prefix(".").unwrap_or(&file);
        // Authors neither read nor change the copy of plugin-api, so it is not listed.
        if !shown.iter().any(|part| part == "plugin-api") {
            writeln!(out, "wrote {}", shown.display())?;
        }
    }
    let name = &arguments.name;
    writeln!(out, "\nPlay against the baselines:\n\n    cd {name}")?;
    for step in language.first_steps(&host) {
        writeln!(out, "    {step}")?;
    }
    Ok(exit_code::OK)
}

/// The folder of `plugin-api`, if one is given.
fn plugin_api(given: Option<&Path>) -> Result<Option<PathBuf>, CommandError> {
    let Some(path) = given else {
        return Ok(None);
    };
    if !path.join("Cargo.toml").is_file() {
        let path = path.display();
        let message =
            format!("--plugin-api `{path}` is not the folder of a crate: it has no Cargo.toml");
        return Err(CommandError::new(exit_code::USAGE, anyhow!(message)));
    }
    Ok(Some(path.canonicalize()?))
}

/// How to call this program from another folder.
fn program() -> String {
    let called = env::args().next().unwrap_or_default();
    match path::absolute(&called) {
        Ok(path) if called.contains('/') => path.display().to_string(),
        _ => program::name().to_owned(),
    }
}
