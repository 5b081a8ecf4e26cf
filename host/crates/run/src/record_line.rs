//! The line of a record in the log: JSON that ends with a checksum of itself; written, and read
//! again.
//!
//! The checksum is the beginning of the SHA-256 of the line without it. It finds bits that
//! a disk flipped. A record that was changed on purpose may have the right checksum; replaying
//! the game finds it. Hosts up to 1.0.0 wrote none, and no version either.
//!
//! What is done with a damaged line is up to its readers: `leftovers` plays its game again,
//! `record_filter` leaves it out of reports, `verification` and `merge` name it.

use sha2::{Digest, Sha256};

use super::game_record::GameRecord;
use text::{
    hex::{hex, is_hex},
    strangers_words::{beginning_on_one_line, parser_words},
};
use tournament::is_plain_name;

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

/// A line of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogLine {
    Record(Box<GameRecord>),
    /// Not a record.
    Malformed {
        text: String,
        /// What is wrong, with the line as its subject.
        sentence: String,
    },
    /// No line feed at the end: the host was killed while it wrote the line.
    CutOff {
        text: String,
    },
}

/// Parses the bytes of a line, including its line feed.
#[must_use]
pub fn parse_line(bytes: &[u8]) -> LogLine {
    let text = || {
        String::from_utf8_lossy(bytes)
            .trim_end_matches('\n')
            .to_owned()
    };
    match read_record(bytes) {
        Ok(record) => LogLine::Record(Box::new(record)),
        Err(NoRecord::CutOff) => LogLine::CutOff { text: text() },
        Err(NoRecord::Malformed(sentence)) => LogLine::Malformed {
            text: text(),
            sentence,
        },
    }
}

/// The record in a line, if there is one.
#[must_use]
pub fn record_of(bytes: &[u8]) -> Option<GameRecord> {
    read_record(bytes).ok()
}

/// Whether a line begins and ends as hosts write records. Ignores what is between, so that
/// counting the lines of a large log takes no longer than reading them.
#[must_use]
pub fn looks_like_record(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{\"v\":") && bytes.ends_with(b"}\n")
}

/// Why a line has no record.
enum NoRecord {
    CutOff,
    /// What is wrong, with the line as its subject.
    Malformed(String),
}

impl NoRecord {
    /// A line that no host has written.
    fn foreign(reason: &str) -> Self {
        Self::Malformed(format!("is not a game record: {reason}"))
    }
}

fn read_record(bytes: &[u8]) -> Result<GameRecord, NoRecord> {
    if bytes.last() != Some(&b'\n') {
        return Err(NoRecord::CutOff);
    }
    let record: serde_json::Result<GameRecord> = serde_json::from_slice(bytes);
    let mut record =
        record.map_err(|error| NoRecord::foreign(&parser_words(&error).to_string()))?;
    if record.v != GameRecord::VERSION {
        return Err(NoRecord::Malformed(format!(
            "is a game record of format version {}, which this host does not support",
            record.v
        )));
    }
    let is_whole = is_whole(bytes);
    if is_whole == Some(false) || (is_whole.is_none() && record.host.is_some()) {
        return Err(NoRecord::Malformed(
            "was changed or damaged: its checksum does not match".to_owned(),
        ));
    }
    // Both become parts of file names.
    if !is_plain_name(&record.agent) {
        return Err(NoRecord::foreign("its agent has no valid name"));
    }
    if !is_hex(&record.fingerprint, GameRecord::FINGERPRINT_DIGITS) {
        return Err(NoRecord::foreign(
            "its fingerprint does not have 16 hexadecimal digits",
        ));
    }
    // These sentences are shown on terminals, and the log may have been edited.
    let details = record.retries.iter_mut().map(|retry| &mut retry.detail);
    for sentence in details.chain(record.fault.as_mut()) {
        *sentence = beginning_on_one_line(sentence, GameRecord::LONGEST_SENTENCE);
    }
    Ok(record)
}

/// Whether a line says of itself that it is whole. `None` if it says nothing.
fn is_whole(line: &[u8]) -> Option<bool> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::record;
    use serde_json::json;

    #[test]
    fn a_record_is_read_again_and_every_flipped_bit_is_found() {
        let written = record("a", 7, 1304);
        let line = line_of(&written).unwrap();
        assert_eq!(
            parse_line(&line),
            LogLine::Record(Box::new(written.clone()))
        );
        for bit in 0..8 * (line.len() - 1) {
            let mut damaged = line.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            // A bit of the key `check` changes nothing that counts.
            if let LogLine::Record(read) = parse_line(&damaged) {
                assert_eq!(*read, written, "bit {bit}");
            }
        }
    }

    /// Lines that no host has written: they need no checksum, because they name no version of a
    /// host.
    #[test]
    fn a_foreign_line_is_a_record_or_says_why_not() {
        let written = GameRecord {
            cpu_us_histogram: [(8, 5), (300, 7)].into(),
            cpu_us_by_empty: vec![(1, 2), (3, 400)],
            moves: "ULDR".to_owned(),
            board: vec![vec![2, 0], vec![0, 4]],
            host: None,
            ..record("a", 7, 1304)
        };
        let whole = serde_json::to_value(&written).unwrap();
        let text = whole.to_string();
        let read = |text: &str| match parse_line(format!("{text}\n").as_bytes()) {
            LogLine::Record(record) => Ok(*record),
            LogLine::Malformed { sentence, .. } => Err(sentence),
            LogLine::CutOff { .. } => panic!("{text} ends with a line feed"),
        };
        for (part, same) in [
            ("\"seed\":7", "\"seed\": 7"),
            ("\"moves\":", "\"unknown\":{\"a\":[3]},\"moves\":"),
            ("\"ULDR\"", "\"U\\u004cDR\""),
        ] {
            assert!(text.contains(part), "{part}: {text}");
            assert_eq!(read(&text.replace(part, same)).as_ref(), Ok(&written));
        }
        for (part, wrong) in [
            ("\"seed\":7", "\"seed\":07"),
            ("\"seed\":7", "\"seed\":99999999999999999999"),
            ("\"v\":1", "\"v\":12"),
            ("[[1,2],[3,400]]", "[[1,2],[3]]"),
            ("{\"v\"", "{\"v\":1,\"v\""),
            ("\"agent\":\"a\"", "\"agent\":\"../a\""),
            ("\"fingerprint\":\"0", "\"fingerprint\":\"/"),
        ] {
            assert!(text.contains(part), "{part}: {text}");
            assert!(read(&text.replace(part, wrong)).is_err(), "{wrong}");
        }
        // Any value of any field: no panic.
        for key in whole.as_object().unwrap().keys() {
            for value in [
                json!(null),
                json!(-1),
                json!(2.5),
                json!("U\u{e9}"),
                json!([[1, 2, 3], []]),
                json!({"7": 1, "x": 2}),
            ] {
                let mut changed = whole.clone();
                changed[key] = value;
                let _ = read(&changed.to_string());
            }
        }
    }

    #[test]
    fn long_sentences_of_strangers_are_cut() {
        let long = GameRecord {
            fault: Some("word\n".repeat(100_000)),
            ..record("a", 7, 1304)
        };
        let read = record_of(&line_of(&long).unwrap()).unwrap();
        let fault = read.fault.unwrap();
        assert!(fault.starts_with("word word") && fault.len() < 2_000);
    }
}
