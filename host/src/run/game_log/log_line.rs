//! One line of a log: a record, or what is wrong with it.

use serde::Deserialize;

use crate::{
    run::{
        game_figures::{BriefRecord, scanned},
        game_record::GameRecord,
        record_line::is_whole,
    },
    text::{
        hex::is_hex,
        strangers_words::{beginning_on_one_line, parser_words},
    },
    tournament::is_plain_name,
};

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
    match record_of(bytes) {
        Ok(record) => LogLine::Record(Box::new(record)),
        Err(NoRecord::CutOff) => LogLine::CutOff { text: text() },
        Err(NoRecord::Malformed(sentence)) => LogLine::Malformed {
            text: text(),
            sentence,
        },
    }
}

/// The record in a line, if [`parse_line`] finds one, in a fraction of the time.
#[must_use]
pub fn brief_record_of(bytes: &[u8]) -> Option<BriefRecord<'_>> {
    let Some(mut record) = scanned(bytes) else {
        return record_of(bytes).ok();
    };
    check(bytes, &mut record).ok()?;
    Some(record)
}

/// Whether a line begins and ends as hosts write records. What is between is not looked at, so
/// that the lines of a large log are counted as fast as they are read.
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

fn record_of<'l, T, B, H, E>(bytes: &'l [u8]) -> Result<GameRecord<T, B, H, E>, NoRecord>
where
    T: AsRef<str>,
    GameRecord<T, B, H, E>: Deserialize<'l>,
{
    if bytes.last() != Some(&b'\n') {
        return Err(NoRecord::CutOff);
    }
    let record = serde_json::from_slice(bytes);
    let mut record =
        record.map_err(|error| NoRecord::foreign(&parser_words(&error).to_string()))?;
    check(bytes, &mut record)?;
    Ok(record)
}

/// Whether a record that was read from a line is what the line says it is.
fn check<T: AsRef<str>, B, H, E>(
    bytes: &[u8],
    record: &mut GameRecord<T, B, H, E>,
) -> Result<(), NoRecord> {
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
    if !is_plain_name(record.agent.as_ref()) {
        return Err(NoRecord::foreign("its agent has no valid name"));
    }
    if !is_hex(record.fingerprint.as_ref(), GameRecord::FINGERPRINT_DIGITS) {
        return Err(NoRecord::foreign(
            "its fingerprint does not have 16 hexadecimal digits",
        ));
    }
    // These sentences are shown on terminals, and anybody may have edited the log.
    let details = record.retries.iter_mut().map(|retry| &mut retry.detail);
    for sentence in details.chain(record.fault.as_mut()) {
        *sentence = beginning_on_one_line(sentence, GameRecord::LONGEST_SENTENCE);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{game_figures::FigureMaker, game_log::LinePosition, record_line::line_of};
    use serde_json::json;

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
            let brief = brief_record_of(&damaged);
            // A bit of the key `check` changes nothing that counts.
            if let LogLine::Record(read) = parse_line(&damaged) {
                assert_eq!(*read, written, "bit {bit}");
                assert!(brief.is_some(), "bit {bit}");
            } else {
                assert!(brief.is_none(), "bit {bit}");
            }
        }
    }

    /// Lines with one value replaced, as anybody may write them, since no checksum is needed
    /// without a version of the host.
    #[test]
    fn a_line_has_the_same_figures_however_it_is_read() {
        let written = GameRecord {
            cpu_us_histogram: [(8, 5), (300, 7)].into(),
            cpu_us_by_empty: vec![(1, 2), (3, 400)],
            moves: "ULDR".to_owned(),
            board: vec![vec![2, 0], vec![0, 4]],
            host: None,
            ..crate::run::example::record("a", 7, 1304)
        };
        let whole = serde_json::to_value(&written).unwrap();
        let values = [
            json!(null),
            json!(0),
            json!(-1),
            json!(2.5),
            json!("U\u{e9}"),
            json!([]),
            json!([[0, 2], [4]]),
            json!([[1, 2, 3]]),
            json!([["a"]]),
            json!({}),
            json!({"7": 1, "x": 2}),
            json!("crash"),
            json!(true),
        ];
        let (mut n_records, mut n_others) = (0, 0);
        for key in whole.as_object().unwrap().keys() {
            for value in &values {
                let mut changed = whole.clone();
                changed[key] = value.clone();
                compare(&format!("{changed}\n"), &mut n_records, &mut n_others);
            }
        }
        let text = whole.to_string();
        assert!(scanned(format!("{text}\n").as_bytes()).is_some(), "{text}");
        // What hosts write otherwise, and what only looks like it.
        for (part, other) in [
            ("\"seed\":7", "\"budget\":\"50us\",\"seed\":7"),
            ("\"seed\":7", "\"seed\":07"),
            ("\"seed\":7", "\"seed\":99999999999999999999"),
            ("\"seed\":7", "\"seed\":18446744073709551615"),
            ("\"seed\":7", "\"seed\": 7"),
            ("\"fault\":null", "\"fault\":\"\\u001b[31m\""),
            ("\"moves\":", "\"unknown\":3,\"moves\":"),
            ("\"v\":1", "\"v\":12"),
            ("\"board\":[[2,0],[0,4]]", "\"board\":[[2,0],[]]"),
            ("[[1,2],[3,400]]", "[[1,2],[3]]"),
            ("[[1,2],[3,400]]", "[[1,2],[3,4,5]]"),
            ("{\"8\":5,\"300\":7}", "{\"300\":1,\"8\":5,\"300\":7}"),
            ("\"ULDR\"", "\"U\\u004c\""),
            ("{\"v\"", "{\"v\":1,\"v\""),
        ] {
            assert!(text.contains(part), "{part}: {text}");
            let changed = text.replace(part, other);
            compare(&format!("{changed}\n"), &mut n_records, &mut n_others);
        }
        assert!(n_records > 20 && n_others > 50, "{n_records} {n_others}");
    }

    fn compare(line: &str, n_records: &mut usize, n_others: &mut usize) {
        let brief = brief_record_of(line.as_bytes());
        let mut maker = FigureMaker::default();
        let position = LinePosition::default();
        let expected = match parse_line(line.as_bytes()) {
            LogLine::Record(record) => Some(maker.figures_of(&record, position)),
            _ => None,
        };
        let n_kind = if expected.is_some() {
            n_records
        } else {
            n_others
        };
        *n_kind += 1;
        let figures = brief.map(|record| {
            let label = record.budget.clone();
            let label = label.as_ref().map(AsRef::as_ref);
            maker.figures_of_brief(record, label, line.as_bytes(), position)
        });
        assert_eq!(figures, expected, "{line}");
    }
}
