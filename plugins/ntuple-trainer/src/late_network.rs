//! The values of late boards while they are learned: those of the shipped network, and a
//! correction.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ntuple::{BoardValues, Network};
use ntuple_network::{LateBoard, N_LARGE, N_LATE};
use plugin_api::PackedBoard;

use crate::learned_weights::{Features, LearnedWeights};

/// The largest part of an error that a board makes up for at once. Whether a game makes a
/// 32768 is mostly luck: with a larger part, luck drowns the value of a board.
const RATE: f32 = 0.1;
/// The part of an error that goes into the offset of all boards with a similar sum.
const OFFSET_RATE: f32 = 0.002;

/// A network whose weights stay as they are, and the weights of late boards, which learn.
pub(crate) struct LateNetwork {
    network: Network,
    pub(crate) learned: LearnedWeights,
    /// Boards are corrected so far if less than this is missing from the sum of a 32768.
    reach: AtomicU32,
}

impl LateNetwork {
    /// Corrections of this network that have learned nothing.
    pub(crate) fn new(network: Network) -> Self {
        Self {
            network,
            learned: LearnedWeights::zeros(N_LATE),
            reach: AtomicU32::new(0),
        }
    }

    /// Corrects boards of which less than this is missing.
    pub(crate) fn set_reach(&self, reach: u32) {
        self.reach.store(reach, Relaxed);
    }

    /// A board as a late one, if it is corrected already.
    #[inline]
    fn late(&self, board: PackedBoard) -> Option<LateBoard> {
        let reach = self.reach.load(Relaxed);
        LateBoard::of(board.bits()).filter(|late| late.missing < reach)
    }

    /// Moves the value of a board towards a target, if it is late; returns its value.
    pub(crate) fn learn(&self, board: PackedBoard, target: f32) -> f32 {
        let value = self.network.uncorrected_value(board);
        let Some(late) = self.late(board) else {
            return value;
        };
        let features = features(late);
        let offset = &self.learned.weights[late.offset()];
        let error = target - value - offset.get() - self.learned.sum(&features);
        offset.set(offset.get() + OFFSET_RATE * error);
        value + offset.get() + self.learned.learn(&features, error, RATE)
    }
}

impl BoardValues for &LateNetwork {
    fn value(&self, board: PackedBoard) -> f32 {
        let value = self.network.uncorrected_value(board);
        match self.late(board) {
            Some(late) => {
                let offset = self.learned.weights[late.offset()].get();
                value + offset + self.learned.sum(&features(late))
            }
            None => value,
        }
    }
}

#[inline]
fn features(late: LateBoard) -> Features<N_LARGE> {
    late.weights().map(|image| image.map(|place| place as u32))
}
