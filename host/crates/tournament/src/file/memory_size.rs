//! Reads `memory`, of the tournament or of one agent.

use super::value::LocatedValue;
use text::byte_size::parse_byte_size;

/// The worker itself and its libraries need half of this.
pub(super) const SMALLEST_MEMORY: u64 = 64 << 20;

pub(super) fn memory(value: &LocatedValue) -> Result<u64, String> {
    let text = value.text()?;
    let bytes = parse_byte_size(&text).map_err(|error| error.to_string())?;
    match too_little_memory(bytes) {
        Some(message) => Err(message),
        None => Ok(bytes),
    }
}

pub(super) fn too_little_memory(bytes: u64) -> Option<String> {
    (bytes < SMALLEST_MEMORY).then(|| {
        format!(
            "{bytes} bytes are not enough; a worker needs at least {}MiB; write for example `4GiB`",
            SMALLEST_MEMORY >> 20
        )
    })
}
