//! `host schema`: the JSON Schema of the tournament file.

use std::io::{self, Write};

use arena2048::{exit_code, tournament_file::json_schema};

use super::CommandResult;

pub(crate) fn schema() -> CommandResult {
    let schema = serde_json::to_string_pretty(&json_schema()).map_err(io::Error::from)?;
    writeln!(io::stdout(), "{schema}")?;
    Ok(exit_code::OK)
}
