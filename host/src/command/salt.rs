//! `host salt`: creates the file with a secret salt and prints the commitment to it.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::anyhow;
use plugin_api::Salt;

use run::{salt_commitment::SaltCommitment, salt_file};

use crate::command::{command_line::SaltArguments, exit_code};

use super::{CommandError, CommandResult};

pub(crate) fn salt(arguments: &SaltArguments) -> CommandResult {
    let file = &arguments.file;
    salt_file::create(file).map_err(|error| {
        let message = format!("cannot write the salt file `{}`: {error}", file.display());
        CommandError::new(exit_code::UNEXPECTED, anyhow!(message))
    })?;
    let salt = shared_salt(file)?;
    writeln!(io::stdout(), "{}", SaltCommitment::to(&salt))?;
    if io::stdout().is_terminal() {
        // If stderr is closed, the message is lost.
        let _ = writeln!(
            io::stderr(),
            "this is the commitment: publish it before the games, and keep `{}` secret until they \
             have been played",
            file.display()
        );
    }
    Ok(exit_code::OK)
}

/// Reads the salt from a file that the user named.
pub(super) fn shared_salt(file: &Path) -> Result<Salt, CommandError> {
    salt_file::read_given(file).map_err(|error| CommandError::new(exit_code::USAGE, error))
}
