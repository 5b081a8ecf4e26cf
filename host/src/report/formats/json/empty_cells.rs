//! The time per move by the number of empty cells, in the JSON report.

use serde::Serialize;

use crate::{run::game_record::course::is_crowded, statistics::time_use::EmptyCellsTime};

#[derive(Serialize)]
pub(super) struct JsonEmptyCells {
    #[serde(flatten)]
    time: EmptyCellsTime,
    /// Whether a board with so few empty cells is crowded. The page compares such turns with the others.
    crowded: bool,
}

pub(super) fn json_empty_cells(times: &[EmptyCellsTime], n_cells: usize) -> Vec<JsonEmptyCells> {
    let is_crowded = |empty| usize::try_from(empty).is_ok_and(|empty| is_crowded(empty, n_cells));
    let times = times.iter().map(|time| JsonEmptyCells {
        time: *time,
        crowded: is_crowded(time.empty),
    });
    times.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_says_how_many_empty_cells_are_few() {
        let times = [3, 4, 6, 7].map(|empty| EmptyCellsTime {
            empty,
            turns: 1,
            cpu_us_per_turn: 2.0,
        });
        let crowded = |n_cells| {
            let times = json_empty_cells(&times, n_cells);
            times.iter().map(|time| time.crowded).collect::<Vec<_>>()
        };
        assert_eq!(crowded(16), [true, false, false, false]);
        assert_eq!(crowded(25), [true, true, true, false]);
        let json = serde_json::to_string(&json_empty_cells(&times[..1], 16)).unwrap();
        assert_eq!(
            json,
            r#"[{"empty":3,"turns":1,"cpu_us_per_turn":2.0,"crowded":true}]"#
        );
    }
}
