//! The number of files that this program may have open.
//!
//! Too small a limit would show itself as a plugin that cannot be opened, and be blamed on
//! the plugin.

use anyhow::anyhow;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::command::exit_code;

use super::CommandError;

/// What a worker may have open, and what the host itself needs.
const FEWEST: u64 = 256;
/// What the host asks for where it can: enough for many workers and connections.
const USUAL: u64 = 4096;

/// Raises the limit if it is low and the system allows it.
pub(super) fn allow_enough_descriptors() -> Result<(), CommandError> {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return Ok(());
    };
    let wanted = soft.max(USUAL.min(hard));
    if wanted > soft {
        // What is not raised is checked below.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, wanted, hard);
    }
    if wanted < FEWEST {
        let message = format!(
            "only {wanted} files may be open at once, and the host needs {FEWEST}; raise the \
             limit, for example with `ulimit -n 1024`"
        );
        return Err(CommandError::new(exit_code::UNEXPECTED, anyhow!(message)));
    }
    Ok(())
}
