//! The file with the secret salt that all shards of a tournament share.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use anyhow::anyhow;
use plugin_api::Salt;

use crate::{command::exit_code, run::run_plan::draw_salt};

use super::CommandError;

/// Reads the salt.
pub(super) fn read_salt(file: &Path) -> Result<Salt, CommandError> {
    let error = |message: String| CommandError::new(exit_code::USAGE, anyhow!(message));
    let text = fs::read_to_string(file).map_err(|source| {
        error(format!(
            "cannot read the salt file `{}`: {source}",
            file.display()
        ))
    })?;
    // The text is not shown: it is a secret, even if it was mistyped.
    Salt::from_hex(text.trim()).map_err(|_| {
        error(format!(
            "the salt file `{}` must contain 48 hexadecimal digits and nothing else",
            file.display()
        ))
    })
}

/// Writes a new random salt that only this user can read, unless the file exists.
pub(super) fn create_salt_file(file: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    match options.open(file) {
        Ok(mut file) => writeln!(file, "{}", draw_salt()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}
