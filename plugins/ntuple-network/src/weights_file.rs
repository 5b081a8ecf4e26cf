//! The file that the agent maps into memory: a header, then the weights as they are.

use std::{
    fmt,
    io::{self, Write},
};

use crate::{
    folding::{N_FOLDED, fold},
    packed_weights::unpack,
    tuples::{N_STAGES, N_WEIGHTS, STAGE_SIZE},
};

/// The header, as long as a page of memory.
pub const HEADER_SIZE: usize = 4096;
/// Marks the file and its version.
const MAGIC: [u8; 8] = *b"weights2";

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightsHeader {
    /// How much of the score one step of a weight is worth.
    pub step: f32,
    /// How many stages have weights. With both, boards up to 16384 are played as they are;
    /// with the first alone, boards up to 8192.
    pub n_stages: usize,
}

/// Why a file is not one of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsFileError {
    /// It does not begin like one.
    OtherKind,
    /// It has another size.
    OtherSize,
}

impl fmt::Display for WeightsFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherKind => "is not a file of weights of this version",
            Self::OtherSize => "is truncated, or of another network",
        })
    }
}

impl std::error::Error for WeightsFileError {}

impl WeightsHeader {
    /// The header as bytes.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        let n_stages = u32::try_from(self.n_stages).unwrap_or(0);
        let fields = [self.step.to_le_bytes(), n_stages.to_le_bytes()].concat();
        let mut bytes = [MAGIC.as_slice(), &fields].concat();
        bytes.resize(HEADER_SIZE, 0);
        bytes
    }

    /// Reads the header of a whole file, whose weights follow as 16-bit numbers, the low
    /// byte first.
    ///
    /// # Errors
    /// If it is another file.
    pub fn of_file(file: &[u8]) -> Result<Self, WeightsFileError> {
        let rest = file
            .strip_prefix(&MAGIC)
            .ok_or(WeightsFileError::OtherKind)?;
        let fields = rest.first_chunk::<8>().ok_or(WeightsFileError::OtherSize)?;
        let ([step, n_stages], _) = fields.as_chunks::<4>() else {
            return Err(WeightsFileError::OtherSize);
        };
        let n_stages = u32::from_le_bytes(*n_stages) as usize;
        let size = HEADER_SIZE + 2 * N_FOLDED * n_stages.min(N_STAGES);
        if !(1..=N_STAGES).contains(&n_stages) || file.len() != size {
            return Err(WeightsFileError::OtherSize);
        }
        Ok(Self {
            step: f32::from_le_bytes(*step),
            n_stages,
        })
    }
}

/// Writes the file that belongs to packed weights.
///
/// # Errors
/// If the weights cannot be unpacked or the file cannot be written.
pub fn write_unpacked(packed: &[u8], file: &mut impl Write) -> io::Result<()> {
    let mut weights = vec![0; N_WEIGHTS];
    let step = unpack(packed, &mut weights).map_err(io::Error::other)?;
    let (stages, _) = weights.as_chunks_mut::<STAGE_SIZE>();
    let is_learned = |stage: &[i16; STAGE_SIZE]| stage.iter().any(|&weight| weight != 0);
    let n_stages = 1 + stages[1..]
        .iter()
        .take_while(|stage| is_learned(stage))
        .count();
    file.write_all(&WeightsHeader { step, n_stages }.to_bytes())?;
    stages[..n_stages]
        .iter_mut()
        .flat_map(|stage| fold(stage))
        .try_for_each(|weight| file.write_all(&weight.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_or_size_is_an_error() {
        let header = WeightsHeader {
            step: 16.0,
            n_stages: 1,
        };
        let mut file = header.to_bytes();
        assert_eq!(file.len(), HEADER_SIZE);
        assert_eq!(
            WeightsHeader::of_file(&file),
            Err(WeightsFileError::OtherSize)
        );
        assert_eq!(
            WeightsHeader::of_file(b"x"),
            Err(WeightsFileError::OtherKind)
        );
        file.resize(HEADER_SIZE + 2 * N_FOLDED, 0);
        assert_eq!(WeightsHeader::of_file(&file), Ok(header));
        file[12] = 2;
        assert_eq!(
            WeightsHeader::of_file(&file),
            Err(WeightsFileError::OtherSize)
        );
    }
    #[test]
    fn a_second_stage_is_written_if_it_was_learned() {
        let mut weights = vec![0; N_WEIGHTS];
        weights[STAGE_SIZE + 1] = 7;
        let mut file = Vec::with_capacity(HEADER_SIZE + 2 * 2 * N_FOLDED);
        write_unpacked(&crate::pack(8.0, &weights), &mut file).unwrap();
        assert_eq!(WeightsHeader::of_file(&file).unwrap().n_stages, 2);
        let place = HEADER_SIZE + 2 * (N_FOLDED + 1);
        assert_eq!(file[place..place + 2], [7, 0]);
    }
}
