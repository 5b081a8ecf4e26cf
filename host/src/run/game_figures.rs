//! The figures of a game: its record without moves and board, so that a million fit into
//! memory.
//!
//! Reports, merges and the server hold the figures of every game of a run at once. Moves make
//! up most of a record, and only replays need them; they stay in the log, and the position of
//! the line says where. What most games do not have is kept apart, in a box.

mod brief_record;
mod figure_reader;
mod line_scanner;
mod packed_figures;

use std::{collections::HashSet, num::NonZeroU64, sync::Arc};

use super::{
    game_log::{LinePosition, LogLine, parse_line},
    game_record::{Ending, FaultWeight, GameRecord, Retry},
};
pub use brief_record::{BriefRecord, EmptyCells, LineText};
pub use figure_reader::FigureReader;
pub(in crate::run) use line_scanner::scanned;
pub use packed_figures::{GameTimes, PackedFigures, PackedHistogram, PackedTimes};

/// The figures of a game. The fields are those of [`GameRecord`].
#[derive(Clone, Debug, PartialEq)]
pub struct GameFigures {
    pub game: u64,
    pub agent: Arc<str>,
    /// The label of the budget, where the tournament has several.
    pub budget: Option<Arc<str>>,
    pub seed: u64,
    pub score: u64,
    pub highest: u64,
    pub n_moves: u64,
    pub ending: Ending,
    /// On the last board; `None` if the record has no board.
    pub empty_cells: Option<u8>,
    /// Whether the agent used up a limit that protects the run.
    pub timeout: bool,
    /// Shows which games are identical; `None` if the record has no moves.
    pub moves_digest: Option<NonZeroU64>,
    pub cpu_ms: f64,
    pub wall_ms: f64,
    /// The slowest move, on the clock of the budget.
    pub slowest_move_us: f64,
    /// What is only added up.
    pub packed: PackedFigures,
    /// Where the record is in its log.
    pub position: LinePosition,
    /// What most games do not have.
    pub details: Option<Box<GameDetails>>,
}

/// What most games do not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameDetails {
    pub stolen_us: u64,
    pub retries: Vec<Retry>,
    pub fault: Option<RecordedFault>,
}

/// What is shown of a fault.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedFault {
    /// What the agent did wrong.
    pub sentence: String,
    /// The board before it.
    pub board: Vec<Vec<u64>>,
    pub fingerprint: String,
}

impl GameFigures {
    #[must_use]
    pub fn stolen_us(&self) -> u64 {
        self.details.as_ref().map_or(0, |details| details.stolen_us)
    }

    #[must_use]
    pub fn retries(&self) -> &[Retry] {
        self.details
            .as_ref()
            .map_or(&[], |details| &details.retries)
    }

    /// What the game counts towards disqualification.
    #[must_use]
    pub fn fault_weight(&self) -> FaultWeight {
        FaultWeight::new(self.ending, self.timeout)
    }

    /// What is shown of the fault, if there was one.
    #[must_use]
    pub fn fault(&self) -> Option<&RecordedFault> {
        self.details.as_ref()?.fault.as_ref()
    }
}

/// Games in the order of the plan.
pub fn in_plan_order<'f>(games: impl IntoIterator<Item = &'f GameFigures>) -> Vec<&'f GameFigures> {
    let mut games: Vec<_> = games.into_iter().collect();
    games.sort_by_key(|game| game.game);
    games
}

impl From<&GameRecord> for GameFigures {
    fn from(record: &GameRecord) -> Self {
        FigureMaker::default().figures_of(record, LinePosition::default())
    }
}

/// Makes figures of records. The names of agents and budgets, which occur in many records,
/// are in memory once.
#[derive(Debug, Default)]
pub struct FigureMaker {
    names: HashSet<Arc<str>>,
    /// For figures that are being packed.
    room: Vec<u8>,
}

impl FigureMaker {
    /// The figures of the record at this position of its log.
    pub fn figures_of(&mut self, record: &GameRecord, position: LinePosition) -> GameFigures {
        let label = record.budget.as_deref();
        self.figures(BriefRecord::of(record), label, position, || {
            record.board.clone()
        })
    }

    /// The same for a record that was read from this line, under the budget with this label. What
    /// the record says of its budget may be older than the plan.
    pub fn figures_of_brief(
        &mut self,
        record: BriefRecord,
        label: Option<&str>,
        line: &[u8],
        position: LinePosition,
    ) -> GameFigures {
        // Few games end with a fault, so their lines are read twice.
        self.figures(record, label, position, || match parse_line(line) {
            LogLine::Record(record) => record.board,
            LogLine::Malformed { .. } | LogLine::CutOff { .. } => Vec::new(),
        })
    }

    fn figures(
        &mut self,
        record: BriefRecord,
        label: Option<&str>,
        position: LinePosition,
        board: impl FnOnce() -> Vec<Vec<u64>>,
    ) -> GameFigures {
        let fault = record.fault_sentence();
        let has_details = fault.is_some() || record.stolen_us > 0 || !record.retries.is_empty();
        GameFigures {
            game: record.game,
            agent: self.shared(record.agent.as_ref()),
            budget: label.map(|label| self.shared(label)),
            seed: record.seed,
            score: record.score,
            highest: record.highest,
            n_moves: record.n_moves,
            ending: record.ending,
            empty_cells: record.board.0,
            packed: PackedFigures::of(&record, &mut self.room),
            timeout: record.timeout,
            moves_digest: digest(record.moves.as_ref()),
            cpu_ms: record.cpu_ms,
            wall_ms: record.wall_ms,
            slowest_move_us: record.move_us.max,
            position,
            details: has_details.then(|| {
                Box::new(GameDetails {
                    stolen_us: record.stolen_us,
                    retries: record.retries,
                    fault: fault.map(|sentence| RecordedFault {
                        sentence,
                        board: board(),
                        fingerprint: record.fingerprint.as_ref().to_owned(),
                    }),
                })
            }),
        }
    }

    fn shared(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        let new: Arc<str> = name.into();
        self.names.insert(Arc::clone(&new));
        new
    }
}

/// Eight letters at a time in four independent lanes, because a log has hundreds of millions of
/// them. Strings of the same length that differ in only one group of eight have different digests.
fn digest(moves: &str) -> Option<NonZeroU64> {
    /// An odd number with bits in all places: 2^64 divided by the golden ratio.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    if moves.is_empty() {
        return None;
    }
    let add = |digest: u64, number: u64| (digest.rotate_left(5) ^ number).wrapping_mul(MULTIPLIER);
    let number_of = |letters: &[u8]| {
        let mut eight = [0; 8];
        eight[..letters.len()].copy_from_slice(letters);
        u64::from_le_bytes(eight)
    };
    let mut lanes = [moves.len() as u64; 4];
    let (groups, rest) = moves.as_bytes().as_chunks::<32>();
    for group in groups {
        let (eights, _) = group.as_chunks::<8>();
        for (index, lane) in lanes.iter_mut().enumerate() {
            *lane = add(*lane, u64::from_le_bytes(eights[index]));
        }
    }
    for (lane, letters) in lanes.iter_mut().zip(rest.chunks(8)) {
        *lane = add(*lane, number_of(letters));
    }
    let digest = lanes.into_iter().fold(0, add);
    Some(NonZeroU64::new(digest).unwrap_or(NonZeroU64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example::record;

    #[test]
    fn a_game_needs_little_memory() {
        // With what is packed, 800,000 games need less than 200 MB.
        assert!(size_of::<GameFigures>() <= 152);
    }

    #[test]
    fn a_usual_game_has_no_details_and_shares_its_name() {
        let mut maker = FigureMaker::default();
        let position = LinePosition::default();
        let [a, b] = [1, 2].map(|seed| maker.figures_of(&record("anna", seed, 100), position));
        assert!(Arc::ptr_eq(&a.agent, &b.agent));
        assert_eq!(
            (&a.details, a.stolen_us(), a.retries()),
            (&None, 0, &[][..])
        );
        let crashed = GameRecord {
            ending: Ending::Crash,
            fault: Some("crashed".into()),
            board: vec![vec![2, 4]],
            ..record("anna", 3, 100)
        };
        let crashed = maker.figures_of(&crashed, position);
        let fault = crashed.fault().expect("a fault");
        assert_eq!(fault.sentence, "crashed");
        assert_eq!(fault.board, [[2, 4]]);
    }

    #[test]
    fn equal_moves_have_equal_digests() {
        let of = |moves: &str| {
            let moves = moves.to_owned();
            GameFigures::from(&GameRecord {
                moves,
                ..record("a", 1, 0)
            })
            .moves_digest
        };
        assert_eq!(of("ULDR"), of("ULDR"));
        assert_ne!(of("ULDR"), of("ULDL"));
        let long = "ULDRRDLU".repeat(12);
        for place in 0..long.len() {
            let mut other = long.clone();
            other.replace_range(place..=place, "X");
            assert_ne!(of(&long), of(&other), "{place}");
        }
        assert_eq!(of(""), None);
    }
}
