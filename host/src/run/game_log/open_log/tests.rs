//! Logs as they are read: plain, compressed, damaged, endless.

use super::*;
use std::fs;

const FIXTURE: &str = include_str!("../../../../../tests/fixtures/three-seeds.jsonl");

fn positions_and_records(log: &OpenLog) -> (Vec<LinePosition>, Vec<GameRecord>) {
    let (mut positions, mut records) = (Vec::new(), Vec::new());
    log.read(|position, line| {
        if let LogLine::Record(record) = line {
            positions.push(position);
            records.push(*record);
        }
    })
    .unwrap();
    (positions, records)
}

#[test]
fn records_are_found_again_at_their_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    fs::write(&path, format!("garbage\n{FIXTURE}")).unwrap();
    let log = OpenLog::open(&path).unwrap().unwrap();
    let (mut positions, records) = positions_and_records(&log);
    assert!(positions.len() > 2);
    positions.reverse();
    assert_eq!(log.records_at(positions.clone()).unwrap(), records);
    fs::write(&path, "garbage\n").unwrap();
    assert_eq!(log.records_at(positions).unwrap(), []);
}

#[test]
fn a_compressed_log_is_the_same_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let text = format!("garbage\n{FIXTURE}");
    fs::write(&path, &text).unwrap();
    let plain = positions_and_records(&OpenLog::open(&path).unwrap().unwrap());
    // Two frames, as appending to a compressed file makes them.
    let (first, second) = text.as_bytes().split_at(100);
    let frames = [first, second].map(|part| zstd::encode_all(part, 3).unwrap());
    let compressed = folder.path().join("games.jsonl.zst");
    fs::write(&compressed, frames.concat()).unwrap();
    fs::remove_file(&path).unwrap();
    let log = OpenLog::open(&path).unwrap().unwrap();
    assert_eq!(positions_and_records(&log), plain);
    let (positions, records) = plain;
    assert_eq!(log.records_at(positions.clone()).unwrap(), records);
    let log = log.in_any_order(folder.path()).unwrap();
    assert_eq!(log.records_at(positions).unwrap(), records);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

    // A log that is cut off is not half a log.
    fs::write(&compressed, &frames.concat()[..frames[0].len() + 20]).unwrap();
    let cut_off = OpenLog::open(&path).unwrap().unwrap();
    let error = cut_off.read(|_, _| ()).unwrap_err().to_string();
    assert!(
        error.contains("games.jsonl.zst is cut off or damaged"),
        "{error}"
    );
    assert!(unpack(&path).is_err() && compressed.exists() && !path.exists());

    let endless = zstd::encode_all(io::repeat(b'x').take(LONGEST_LINE as u64 + 1), 1).unwrap();
    fs::write(&compressed, endless).unwrap();
    let error = OpenLog::open(&path).unwrap().unwrap().read(|_, _| ());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("line 1 is longer than 64 MiB"), "{error}");

    fs::write(&compressed, frames.concat()).unwrap();
    assert!(unpack(&path).unwrap());
    assert!(!unpack(&path).unwrap(), "it is unpacked already");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert!(!compressed.exists());
}

#[test]
fn a_log_is_read_no_further_than_its_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    fs::write(&path, "12\n".repeat(100)).unwrap();
    let within = |n_lines, n_bytes| {
        let log = OpenLog::open(&path).unwrap().unwrap();
        log.within(LogLimits { n_lines, n_bytes })
    };
    let n_read = |log: OpenLog| {
        let mut n_read = 0;
        let result = log.read(|_, _| n_read += 1);
        (n_read, result.is_ok())
    };
    assert_eq!(n_read(within(100, 300)), (100, true));
    assert_eq!(n_read(within(99, 300)), (99, false));
    assert_eq!(n_read(within(100, 299)), (99, false));
    assert!(within(1, 300).copy_to(&mut io::sink()).is_ok());
    assert!(within(1, 299).copy_to(&mut io::sink()).is_err());
}
