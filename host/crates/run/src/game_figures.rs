//! The figures of a game: its record without moves and board, so that a million fit into
//! memory.
//!
//! Reports, merges and the server hold the figures of every game of a run at once. Moves make
//! up most of a record, and only replays need them; they stay in the log, and the position of
//! the line says where. What most games do not have is kept apart, in a box.

use std::num::NonZeroU64;

use super::{
    game_log::LinePosition,
    game_plan::Series,
    game_record::{Ending, FaultWeight, GameRecord, Retry},
};
use statistics::game_outcome::GameOutcome;

/// The figures of a game. Most fields are those of [`GameRecord`].
#[derive(Clone, Debug, PartialEq)]
pub struct GameFigures {
    pub game: u64,
    pub series: Series,
    pub seed: u64,
    pub score: u64,
    pub highest: u64,
    pub n_moves: u64,
    pub highest_at: Option<u64>,
    pub crowded_moves: Option<u64>,
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
    pub threads: u64,
    pub nodes: u64,
    pub cpu_us_histogram: NumberPairs,
    pub cpu_us_by_empty: NumberPairs,
    /// Where the record is in its log.
    pub position: LinePosition,
    /// What most games do not have.
    pub details: Option<Box<GameDetails>>,
}

/// What most games do not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameDetails {
    pub stolen_us: u64,
    pub overdrawn_us: u64,
    pub overruns: u64,
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
    /// The figures of a record of a series, at this position of its log.
    #[must_use]
    pub fn new(record: &GameRecord, series: Series, position: LinePosition) -> Self {
        let details = GameDetails {
            stolen_us: record.stolen_us,
            overdrawn_us: record.overdrawn_us,
            overruns: record.overruns,
            retries: record.retries.clone(),
            fault: record.fault_sentence().map(|sentence| RecordedFault {
                sentence,
                board: record.board.clone(),
                fingerprint: record.fingerprint.clone(),
            }),
        };
        let histogram = record.cpu_us_histogram.iter();
        Self {
            game: record.game,
            series,
            seed: record.seed,
            score: record.score,
            highest: record.highest,
            n_moves: record.n_moves,
            highest_at: record.highest_at,
            crowded_moves: record.crowded_moves,
            ending: record.ending,
            empty_cells: empty_cells(&record.board),
            timeout: record.timeout,
            moves_digest: digest(&record.moves),
            cpu_ms: record.cpu_ms,
            wall_ms: record.wall_ms,
            slowest_move_us: record.move_us.max,
            threads: record.threads,
            nodes: record.nodes,
            cpu_us_histogram: NumberPairs::of(histogram.map(|(end, n_moves)| (*end, *n_moves))),
            cpu_us_by_empty: NumberPairs::of(record.cpu_us_by_empty.iter().copied()),
            position,
            details: (details != GameDetails::default()).then(|| Box::new(details)),
        }
    }

    #[must_use]
    pub fn stolen_us(&self) -> u64 {
        self.details.as_ref().map_or(0, |details| details.stolen_us)
    }

    #[must_use]
    pub fn overdrawn_us(&self) -> u64 {
        let details = self.details.as_ref();
        details.map_or(0, |details| details.overdrawn_us)
    }

    #[must_use]
    pub fn overruns(&self) -> u64 {
        self.details.as_ref().map_or(0, |details| details.overruns)
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

    /// What agents are compared by; `goal` is the tile that ranks them, if there is one.
    #[must_use]
    pub fn outcome(&self, goal: Option<u64>) -> GameOutcome {
        let reached = goal.is_some_and(|goal| self.highest >= goal);
        GameOutcome {
            seed: self.seed,
            score: self.score,
            moves_to_goal: reached.then_some(self.n_moves),
            is_cut: self.ending == Ending::MoveLimit,
        }
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

/// Pairs of numbers, each number in as many bits as the largest of them needs. Those of a usual
/// game need 16 or 32, and a run has two such lists for each of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberPairs {
    Short(Box<[(u16, u16)]>),
    Usual(Box<[(u32, u32)]>),
    Long(Box<[(u64, u64)]>),
}

impl NumberPairs {
    #[must_use]
    pub fn of(pairs: impl ExactSizeIterator<Item = (u64, u64)> + Clone) -> Self {
        if let Some(short) = narrowed::<u16>(pairs.clone()) {
            Self::Short(short)
        } else if let Some(usual) = narrowed::<u32>(pairs.clone()) {
            Self::Usual(usual)
        } else {
            Self::Long(pairs.collect())
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let (short, usual, long): (&[_], &[_], &[_]) = match self {
            Self::Short(pairs) => (pairs, &[], &[]),
            Self::Usual(pairs) => (&[], pairs, &[]),
            Self::Long(pairs) => (&[], &[], pairs),
        };
        let long = long.iter().copied();
        widened(short).chain(widened(usual)).chain(long)
    }
}

/// The same pairs in narrower numbers; `None` if one of them does not fit.
fn narrowed<N: TryFrom<u64>>(
    pairs: impl ExactSizeIterator<Item = (u64, u64)>,
) -> Option<Box<[(N, N)]>> {
    let mut narrow = Vec::with_capacity(pairs.len());
    for (first, second) in pairs {
        narrow.push((N::try_from(first).ok()?, N::try_from(second).ok()?));
    }
    Some(narrow.into_boxed_slice())
}

fn widened<N: Copy + Into<u64>>(pairs: &[(N, N)]) -> impl Iterator<Item = (u64, u64)> + '_ {
    let pairs = pairs.iter().copied();
    pairs.map(|(first, second)| (first.into(), second.into()))
}

/// The number of empty cells of a board; `None` if the record has no board.
fn empty_cells(board: &[Vec<u64>]) -> Option<u8> {
    let n_empty = board.iter().flatten().filter(|tile| **tile == 0).count();
    (!board.is_empty()).then_some(u8::try_from(n_empty).unwrap_or(u8::MAX))
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
    use crate::example::{figures_of, record};

    #[test]
    fn a_game_needs_little_memory() {
        let figures = figures_of(&GameRecord {
            cpu_us_histogram: (4..14).map(|exponent| (1 << exponent, 60)).collect(),
            cpu_us_by_empty: (0..15).map(|empty| (60, empty * 1_000)).collect(),
            ..record("a", 1, 0)
        });
        let n_bytes = [&figures.cpu_us_histogram, &figures.cpu_us_by_empty].map(|pairs| {
            let NumberPairs::Short(pairs) = pairs else {
                panic!("numbers of a usual game are small: {pairs:?}");
            };
            size_of_val(&**pairs)
        });
        let n_bytes = size_of::<GameFigures>() + n_bytes.iter().sum::<usize>();
        assert!(n_bytes <= 350, "{n_bytes}");
    }

    #[test]
    fn a_usual_game_has_no_details() {
        let usual = figures_of(&record("anna", 1, 100));
        assert_eq!(
            (&usual.details, usual.stolen_us(), usual.retries()),
            (&None, 0, &[][..])
        );
        let crashed = GameRecord {
            ending: Ending::Crash,
            fault: Some("crashed".into()),
            board: vec![vec![2, 4]],
            overruns: 3,
            ..record("anna", 3, 100)
        };
        let crashed = figures_of(&crashed);
        let fault = crashed.fault().expect("a fault");
        assert_eq!(fault.sentence, "crashed");
        assert_eq!(fault.board, [[2, 4]]);
        assert_eq!(crashed.overruns(), 3);
    }

    #[test]
    fn pairs_are_read_again_however_large_they_are() {
        for largest in [0, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, u64::MAX] {
            let pairs = [(1, 2), (largest, 3), (4, largest)];
            let packed = NumberPairs::of(pairs.into_iter());
            assert_eq!(packed.iter().collect::<Vec<_>>(), pairs);
        }
        assert_eq!(NumberPairs::of([].into_iter()).iter().next(), None);
    }

    #[test]
    fn equal_moves_have_equal_digests() {
        let of = |moves: &str| {
            let moves = moves.to_owned();
            figures_of(&GameRecord {
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
