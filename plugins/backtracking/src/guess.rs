//! Plans for games with random tiles, as if they were deterministic.
//!
//! Depth-first search with backtracking in one deterministic [world](Worlds) after the
//! other. The first move with the best mean over the worlds is played. More time brings
//! more worlds, and longer lines as long as there are enough worlds for them: with few,
//! the search only finds out how to profit from tiles that will not come. The boards on
//! the way count as well as the last one, because a line that is tidy throughout also
//! works with other tiles.

use plugin_api::{
    Board, Budget, Direction, PackedBoard, RowTables, Rules,
    explain::{Node, NodeKind, SearchedDepth},
};
use search_kit::{
    LineValues, MoveValues, NoRecorder, Recorder, RootMove, TranspositionTable, Weights,
    from_static,
    line_search::{Judge, TwoWayBoard},
    recorder::{after_move, after_tile, known_from_table},
    root_moves,
};

use crate::{model::PAPER_ORDER, worlds::Worlds};

/// The weight of a board relative to everything that follows it on its line.
const SHARE_OF_NOW: f32 = 0.1;
/// How the value of an inner board follows, in words.
pub(crate) const TURN: &str = "the best move, 0.9 of its value, with 0.1 of the board's own";
/// The number of worlds in which lines are planned before they become longer.
const ENOUGH_WORLDS: u32 = 8;
/// The number of stored boards: those of one world, which fit in the nearest caches.
const N_REMEMBERED: usize = 1 << 14;

/// The largest number of nodes between two clock readings. Stored boards take no time,
/// so the speed so far says little about the next ones.
const LONGEST_STRIDE: u64 = 2048;

/// A planner for games with random tiles.
pub(crate) struct Guess<R = NoRecorder> {
    worlds: Worlds,
    judge: Judge<LineValues>,
    known: TranspositionTable<Known>,
    max_depth: u8,
    /// The number of the last world; every search has its own.
    world: u64,
    recorder: R,
}

/// The value of a moved board in a world, for a line of this many more moves.
#[derive(Clone, Copy, Default)]
struct Known {
    world: u64,
    value: f32,
    depth: u8,
}

/// The best moves, and the depth of the search.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    /// The mean value of each first move over the worlds.
    pub(crate) values: MoveValues,
    /// The moves of a line.
    pub(crate) depth: u8,
}

/// The sums of the values of the first moves over some worlds.
#[derive(Clone, Debug, Default)]
struct Sums {
    values: [f64; 4],
    n_worlds: u32,
}

impl Guess {
    /// A planner of lines of up to `max_depth` moves; `None` if no packed board has the
    /// side of the rules.
    #[must_use]
    pub(crate) fn new(rules: &Rules, max_depth: u8) -> Option<Self> {
        Some(Self {
            worlds: Worlds::of(rules)?,
            judge: Judge {
                tables: RowTables::of(rules.side)?,
                values: LineValues::new(&Weights::default(), rules.side),
            },
            known: TranspositionTable::with_places(N_REMEMBERED),
            max_depth,
            world: 0,
            recorder: NoRecorder,
        })
    }
}

impl<R: Recorder> Guess<R> {
    /// The same planner, recorded.
    pub(crate) fn with_recorder<T>(self, recorder: T) -> Guess<T> {
        Guess {
            worlds: self.worlds,
            judge: self.judge,
            known: self.known,
            max_depth: self.max_depth,
            world: self.world,
            recorder,
        }
    }

    /// What was recorded: the lines in the last world.
    pub(crate) fn into_recorder(self) -> R {
        self.recorder
    }

    /// Searches while the budget lasts; `None` if the side of the board is above 4.
    pub(crate) fn plan(&mut self, board: &Board, budget: &mut Budget) -> Option<Plans> {
        let moves = root_moves(board, PAPER_ORDER)?;
        let mut plans = Plans {
            values: moves
                .iter()
                .map(|first| (first.direction, f64::from(self.static_value(first.moved))))
                .collect(),
            depth: 1,
        };
        // A single legal move needs no search.
        let deepest = if moves.len() > 1 { self.max_depth } else { 1 };
        for depth in 2..=deepest {
            let mut sums = Sums::default();
            while depth == deepest || sums.n_worlds < ENOUGH_WORLDS {
                let Some(values) = self.values_in_next_world(&moves, depth, budget) else {
                    return Some(plans);
                };
                sums.add(values);
                // Few worlds are better than none, and better than shorter lines in many.
                if depth == 2 || sums.n_worlds >= ENOUGH_WORLDS || self.worlds.is_one() {
                    plans = Plans {
                        values: sums.means(&moves),
                        depth,
                    };
                    self.recorder.complete(|| {
                        let best = plans.values.best();
                        SearchedDepth {
                            depth: depth.into(),
                            direction: best.map_or(Direction::Up, |(direction, _)| direction),
                            value: best.map(|(_, value)| value),
                        }
                    });
                }
                if self.worlds.is_one() {
                    break;
                }
            }
        }
        Some(plans)
    }

    /// The values of the first moves in a world that was not searched before; `None` if
    /// the budget is spent.
    fn values_in_next_world(
        &mut self,
        moves: &[RootMove],
        depth: u8,
        budget: &mut Budget,
    ) -> Option<[f64; 4]> {
        self.world += 1;
        let mut values = [0.0; 4];
        self.recorder.begin();
        self.recorder.open(NodeKind::Max);
        for (value, first) in values.iter_mut().zip(moves) {
            *value = self
                .line_value(first.direction, first.moved, depth - 1, budget)?
                .into();
        }
        self.recorder.close(|_| {});
        Some(values)
    }

    /// The value of the best line that begins with a move.
    #[inline]
    fn line_value(
        &mut self,
        direction: Direction,
        moved: PackedBoard,
        depth: u8,
        budget: &mut Budget,
    ) -> Option<f32> {
        self.recorder.announce(|| {
            let board = match depth {
                0 => moved,
                _ => self.worlds.put_tile(self.world, moved),
            };
            if board == moved {
                return after_move(direction);
            }
            Node {
                direction: Some(direction),
                ..after_tile(moved, board, self.judge.tables.side())
            }
        });
        self.recorder.open(NodeKind::Max);
        let value = self.value(moved, depth, budget)?;
        self.recorder.close(|node| node.value = Some(value.into()));
        Some(value)
    }

    /// The value of the best line of `depth` more moves after a moved board; `None` if the
    /// budget is spent.
    fn value(&mut self, moved: PackedBoard, depth: u8, budget: &mut Budget) -> Option<f32> {
        let now = self.static_value(moved);
        if depth == 0 {
            self.judge
                .explain(TwoWayBoard::new(moved), &mut self.recorder);
            return Some(now);
        }
        if let Some(known) = self.known.get(moved)
            && known.depth == depth
            && known.world == self.world
        {
            self.recorder.add(|node| node.cut = known_from_table());
            return Some(known.value);
        }
        let board = self.worlds.put_tile(self.world, moved);
        let mut best = from_static(self.judge.value_of_lost_board());
        for direction in Direction::ALL {
            if !spend_one(budget) {
                return None;
            }
            let moved = self.judge.tables.slide(board, direction);
            if moved != board {
                best = best.max(self.line_value(direction, moved, depth - 1, budget)?);
            }
        }
        let value = SHARE_OF_NOW * now + (1.0 - SHARE_OF_NOW) * best;
        self.known.put(
            moved,
            Known {
                world: self.world,
                value,
                depth,
            },
        );
        Some(value)
    }

    #[inline]
    fn static_value(&self, moved: PackedBoard) -> f32 {
        from_static(self.judge.static_value(TwoWayBoard::new(moved)))
    }
}

impl Sums {
    fn add(&mut self, values: [f64; 4]) {
        for (sum, value) in self.values.iter_mut().zip(values) {
            *sum += value;
        }
        self.n_worlds += 1;
    }

    fn means(&self, moves: &[RootMove]) -> MoveValues {
        let means = self.values.map(|sum| sum / f64::from(self.n_worlds));
        let directions = moves.iter().map(|first| first.direction);
        directions.zip(means).collect()
    }
}

fn spend_one(budget: &mut Budget) -> bool {
    budget.spend(1) && (!budget.nodes().is_multiple_of(LONGEST_STRIDE) || budget.look())
}

impl<R> std::fmt::Debug for Guess<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Guess({:?}, {} moves)", self.worlds, self.max_depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Side, Turn};

    /// The definition, without stored boards and budgets.
    fn slow_value(guess: &Guess, world: u64, moved: PackedBoard, depth: u8) -> f32 {
        let now = guess.static_value(moved);
        if depth == 0 {
            return now;
        }
        let board = guess.worlds.put_tile(world, moved).to_board(Side::FOUR);
        let lines = board.legal_moves().map(|direction| {
            let moved = board.slide(direction).unwrap().board;
            slow_value(
                guess,
                world,
                PackedBoard::try_from(&moved).unwrap(),
                depth - 1,
            )
        });
        let lost = from_static(guess.judge.value_of_lost_board());
        0.1 * now + 0.9 * lines.fold(lost, f32::max)
    }

    #[test]
    fn the_value_of_a_move_is_the_mean_over_worlds_of_its_best_line() {
        let board: Board = "2 4 8 16 / 0 2 4 32 / 2 2 8 64 / 4 2 16 0".parse().unwrap();
        let mut guess = Guess::new(&Rules::default(), 4).unwrap();
        let mut budget = Turn::with_nodes(6000).budget();
        let plans = guess.plan(&board, &mut budget).unwrap();
        assert_eq!((plans.depth, budget.nodes()), (4, 6000));
        // Eight worlds of two moves, eight of three, and the last one was not finished.
        let worlds = 17..guess.world;
        assert!(worlds.end > 17 + u64::from(ENOUGH_WORLDS));
        let n_worlds = f64::from(u32::try_from(worlds.end - worlds.start).unwrap());
        for first in root_moves(&board, PAPER_ORDER).unwrap() {
            let values = worlds
                .clone()
                .map(|world| f64::from(slow_value(&guess, world, first.moved, 3)));
            let slow = values.sum::<f64>() / n_worlds;
            let found = plans.values.of(first.direction).unwrap();
            assert!((found - slow).abs() < 1e-3 * slow.abs(), "{found} {slow}");
        }
    }
}
