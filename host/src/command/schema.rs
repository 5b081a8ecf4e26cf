//! `host schema`: the JSON Schema of the tournament file.

use std::io::{self, Write};

use tournament::file::json_schema;

use crate::command::exit_code;

use super::CommandResult;

pub(crate) fn schema() -> CommandResult {
    let schema = serde_json::to_string_pretty(&json_schema()).map_err(io::Error::from)?;
    writeln!(io::stdout(), "{schema}")?;
    Ok(exit_code::OK)
}
