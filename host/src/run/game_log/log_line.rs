//! One line of a log: a record, or what is wrong with it.

use crate::{
    run::{game_record::GameRecord, record_line::is_whole},
    text::{hex::is_hex, printable::printable},
    tournament::is_plain_name,
};

/// A line of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogLine {
    Record(Box<GameRecord>),
    /// Not a record, and why.
    Malformed {
        text: String,
        reason: String,
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
    if bytes.last() != Some(&b'\n') {
        return LogLine::CutOff { text: text() };
    }
    let is_whole = is_whole(bytes);
    match serde_json::from_slice::<GameRecord>(bytes) {
        Ok(GameRecord { v, .. }) if v != GameRecord::VERSION => LogLine::Malformed {
            text: text(),
            reason: format!("format version {v} is not supported by this host"),
        },
        Ok(record) if is_whole == Some(false) || (is_whole.is_none() && record.host.is_some()) => {
            LogLine::Malformed {
                text: text(),
                reason: "its checksum is wrong: it was changed or damaged".to_owned(),
            }
        }
        // Both become parts of file names.
        Ok(record) if !is_plain_name(&record.agent) => LogLine::Malformed {
            text: text(),
            reason: "its agent has no valid name".to_owned(),
        },
        Ok(record) if !is_hex(&record.fingerprint, GameRecord::FINGERPRINT_DIGITS) => {
            LogLine::Malformed {
                text: text(),
                reason: "its fingerprint does not have 16 hexadecimal digits".to_owned(),
            }
        }
        Ok(mut record) => {
            // The sentence is shown on terminals, and anybody may have edited the log.
            record.fault = record.fault.map(|fault| printable(&fault, usize::MAX));
            LogLine::Record(Box::new(record))
        }
        Err(error) => LogLine::Malformed {
            text: text(),
            reason: error.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::record_line::line_of;

    #[test]
    fn a_record_is_read_again_and_every_flipped_bit_is_found() {
        let written = crate::run::example::record("a", 7, 1304);
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
}
