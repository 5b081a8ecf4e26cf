//! Records, and what in them differs from run to run.

use std::{collections::BTreeMap, fs, path::Path};

use run::{
    game_record::{GameRecord, MoveTimes},
    record_line::line_of,
};

/// The records of a log in plan order.
pub(crate) fn records_of(log: &Path) -> Vec<GameRecord> {
    let text = fs::read_to_string(log).expect("a game log");
    let mut records: Vec<GameRecord> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    records.sort_by_key(|record| record.game);
    records
}

/// A record without its times and retries, which differ from run to run.
pub(crate) fn without_times(mut record: GameRecord) -> GameRecord {
    record.setup_ms = 0.0;
    record.cpu_ms = 0.0;
    record.wall_ms = 0.0;
    record.stolen_us = 0;
    record.retries = Vec::new();
    record.cpu_us_histogram = BTreeMap::new();
    record.cpu_us_by_empty = Vec::new();
    record.move_us = MoveTimes::default();
    record
}

pub(crate) fn all_without_times(records: Vec<GameRecord>) -> Vec<GameRecord> {
    records.into_iter().map(without_times).collect()
}

/// Writes a log with these records and the right checksums, as a forger would.
pub(crate) fn write_records(log: &Path, records: &[GameRecord]) {
    let lines = records.iter().map(|record| line_of(record).expect("JSON"));
    fs::write(log, lines.collect::<Vec<_>>().concat()).expect("a log");
}
