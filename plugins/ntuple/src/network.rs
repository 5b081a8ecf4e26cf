//! The value of a board: the sum of its weights.

use std::path::Path;

use ntuple_network::{
    HEADER_SIZE, Indices, LARGE_SIZE, N_LARGE, WeightsHeader, downgraded, images,
};
use plugin_api::{PackedBoard, Refusal};

use crate::mapped_file::MappedFile;

/// The highest exponent that is played as it is, 8192: boards with higher tiles are downgraded.
/// Training has seen boards up to there much more often than later ones, which are worth much
/// the same as what they become.
const CAP: u32 = 13;

/// A weight as it lies in the file.
type Stored = [u8; 2];

/// The weights of the network.
pub(crate) struct Network {
    file: MappedFile,
    step: f32,
}

impl Network {
    /// Opens a file of weights.
    pub(crate) fn open(path: &Path) -> Result<Self, Refusal> {
        let place = |error: &dyn std::fmt::Display| format!("`{}` {error}", path.display());
        let file = MappedFile::open(path)
            .map_err(|error| place(&format_args!("cannot be read: {error}")))?;
        let header = WeightsHeader::of_file(file.bytes()).map_err(|error| place(&error))?;
        Ok(Self {
            file,
            step: header.step,
        })
    }

    /// What is expected to be scored from a board after a move on.
    #[inline]
    pub(crate) fn value(&self, board: PackedBoard) -> f32 {
        let mut sums = [0; N_LARGE];
        for image in images(downgraded(board.bits(), CAP)) {
            let indices = Indices::of(image).large;
            for ((sum, table), index) in sums.iter_mut().zip(self.tables()).zip(indices) {
                *sum += i32::from(i16::from_le_bytes(table[index % LARGE_SIZE]));
            }
        }
        self.step * single(sums.iter().sum())
    }

    /// The tables of the tuples as they lie in the file.
    #[inline]
    fn tables(&self) -> &[[Stored; LARGE_SIZE]] {
        let (weights, _) = self.file.bytes()[HEADER_SIZE..].as_chunks();
        weights.as_chunks().0
    }
}

#[inline]
#[expect(
    clippy::cast_precision_loss,
    reason = "a sum of 32 weights of 16 bits is exact"
)]
fn single(sum: i32) -> f32 {
    sum as f32
}
