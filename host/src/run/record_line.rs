//! The text of a record in the log: JSON that ends with a checksum of itself.
//!
//! The checksum is the beginning of the SHA-256 of the line without it. It finds bits that
//! a disk flipped; whoever changes a record on purpose can compute it, and is found by
//! replaying the game. Hosts up to 1.0.0 wrote none, and no version either.

use sha2::{Digest, Sha256};

use super::game_record::GameRecord;
use crate::text::hex::hex;

const KEY: &str = ",\"check\":\"";
const N_DIGITS: usize = 16;
const END: &[u8] = b"\"}";

/// The line of a record, with its line feed.
///
/// # Errors
/// When the record has no representation in JSON.
pub fn line_of(record: &GameRecord) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(record)?;
    let check = checksum(Sha256::digest(&line).as_slice());
    line.pop();
    line.extend(KEY.as_bytes());
    line.extend(check.as_bytes());
    line.extend(END);
    line.push(b'\n');
    Ok(line)
}

/// Whether a line says of itself that it is whole. `None` if it says nothing.
pub(super) fn is_whole(line: &[u8]) -> Option<bool> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let rest = line.strip_suffix(END)?;
    let (rest, check) = rest.split_at_checked(rest.len().checked_sub(N_DIGITS)?)?;
    let record = rest.strip_suffix(KEY.as_bytes())?;
    let digest = Sha256::new()
        .chain_update(record)
        .chain_update(b"}")
        .finalize();
    Some(checksum(digest.as_slice()).as_bytes() == check)
}

fn checksum(digest: &[u8]) -> String {
    hex(&digest[..N_DIGITS / 2])
}
