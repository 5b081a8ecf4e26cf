//! The value of a board: the sum of its weights.

use std::path::Path;

use ntuple_network::{
    HEADER_SIZE, Indices, LARGE_SIZE, N_LARGE, WeightsHeader, downgraded, images, stage,
};
use plugin_api::{PackedBoard, Refusal};

use crate::mapped_file::MappedFile;

/// A weight as it lies in the file.
type Stored = [u8; 2];

/// The weights of the network.
pub(crate) struct Network {
    file: MappedFile,
    step: f32,
    n_stages: usize,
    /// The highest exponent for which there are weights: boards with higher tiles are
    /// downgraded.
    cap: u32,
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
            n_stages: header.n_stages,
            cap: if header.n_stages == 1 { 13 } else { 14 },
        })
    }

    /// What is expected to be scored from a board after a move on.
    #[inline]
    pub(crate) fn value(&self, board: PackedBoard) -> f32 {
        let board = downgraded(board.bits(), self.cap);
        let tables = &self.stages()[stage(board).min(self.n_stages - 1)];
        let mut sums = [0; N_LARGE];
        for image in images(board) {
            let indices = Indices::of(image).large;
            for ((sum, table), index) in sums.iter_mut().zip(tables).zip(indices) {
                *sum += i32::from(i16::from_le_bytes(table[index % LARGE_SIZE]));
            }
        }
        self.step * single(sums.iter().sum())
    }

    /// The tables of the tuples, stage by stage, as they lie in the file.
    #[inline]
    fn stages(&self) -> &[[[Stored; LARGE_SIZE]; N_LARGE]] {
        let (weights, _) = self.file.bytes()[HEADER_SIZE..].as_chunks();
        let (tables, _) = weights.as_chunks();
        tables.as_chunks().0
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
