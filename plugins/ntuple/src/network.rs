//! The value of a board: the sum of its weights.

use std::path::Path;

use ntuple_network::{
    HEADER_SIZE, Indices, LARGE_SIZE, LateBoard, N_LARGE, WeightsHeader, downgraded, images,
};
use plugin_api::{PackedBoard, Refusal};

use crate::{mapped_file::MappedFile, search::BoardValues};

/// The highest exponent that is played as it is, 8192: boards with higher tiles are downgraded.
/// Training has seen boards up to there much more often than later ones, which are worth much
/// the same as what they become.
const CAP: u32 = 13;

/// A weight as it lies in the file.
type Stored = [u8; 2];

/// The weights of the network.
pub struct Network {
    file: MappedFile,
    steps: WeightsHeader,
}

impl Network {
    /// Opens a file of weights.
    ///
    /// # Errors
    /// If it cannot be read or is another file.
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        let place = |error: &dyn std::fmt::Display| format!("`{}` {error}", path.display());
        let file = MappedFile::open(path)
            .map_err(|error| place(&format_args!("cannot be read: {error}")))?;
        let steps = WeightsHeader::of_file(file.bytes()).map_err(|error| place(&error))?;
        Ok(Self { file, steps })
    }

    /// What is expected to be scored from a board after a move on, as the network has learned
    /// it from the boards before the late ones.
    #[must_use]
    #[inline]
    pub fn uncorrected_value(&self, board: PackedBoard) -> f32 {
        let mut sums = [0; N_LARGE];
        for image in images(downgraded(board.bits(), CAP)) {
            let indices = Indices::of(image).large;
            for ((sum, table), index) in sums.iter_mut().zip(self.tables()).zip(indices) {
                *sum += number(table[index % LARGE_SIZE]);
            }
        }
        self.steps.step * single(sums.iter().sum())
    }

    fn correction(&self, late: LateBoard) -> f32 {
        let weights = self.late_weights();
        let mut sums = [0; N_LARGE];
        for image in late.weights() {
            for (sum, place) in sums.iter_mut().zip(image) {
                *sum += number(weights[place]);
            }
        }
        let offset = number(weights[late.offset()]);
        self.steps.late_step * single(sums.iter().sum::<i32>() + offset)
    }

    /// The tables of the tuples as they lie in the file.
    #[inline]
    fn tables(&self) -> &[[Stored; LARGE_SIZE]] {
        &self.all_weights().as_chunks().0[..N_LARGE]
    }

    #[inline]
    fn late_weights(&self) -> &[Stored] {
        &self.all_weights()[N_LARGE * LARGE_SIZE..]
    }

    #[inline]
    fn all_weights(&self) -> &[Stored] {
        self.file.bytes()[HEADER_SIZE..].as_chunks().0
    }
}

impl BoardValues for Network {
    #[inline]
    fn value(&self, board: PackedBoard) -> f32 {
        let value = self.uncorrected_value(board);
        match LateBoard::of(board.bits()) {
            Some(late) => value + self.correction(late),
            None => value,
        }
    }
}

#[inline]
fn number(stored: Stored) -> i32 {
    i16::from_le_bytes(stored).into()
}

#[inline]
#[expect(
    clippy::cast_precision_loss,
    reason = "a sum of 33 weights of 16 bits is exact"
)]
fn single(sum: i32) -> f32 {
    sum as f32
}
