//! The file that the agent maps into memory: a header, then the weights as they are.

use std::{
    fmt,
    io::{self, Write},
};

use crate::{
    folding::{N_FOLDED, fold},
    packed_weights::unpack,
    tuples::N_WEIGHTS,
};

/// The header, as long as a page of memory.
pub const HEADER_SIZE: usize = 4096;
/// Marks the file and its version.
const MAGIC: [u8; 8] = *b"weights3";

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightsHeader {
    /// How much of the score one step of a weight is worth.
    pub step: f32,
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
        let mut bytes = [MAGIC.as_slice(), &self.step.to_le_bytes()].concat();
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
        let step = rest.first_chunk().ok_or(WeightsFileError::OtherSize)?;
        if file.len() != HEADER_SIZE + 2 * N_FOLDED {
            return Err(WeightsFileError::OtherSize);
        }
        Ok(Self {
            step: f32::from_le_bytes(*step),
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
    file.write_all(&WeightsHeader { step }.to_bytes())?;
    fold(&mut weights)
        .iter()
        .try_for_each(|weight| file.write_all(&weight.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_or_size_is_an_error() {
        let header = WeightsHeader { step: 16.0 };
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
    }

    #[test]
    fn packed_weights_are_written_as_they_are_read() {
        let mut weights = vec![0; N_WEIGHTS];
        weights[1] = 7;
        let mut file = Vec::with_capacity(HEADER_SIZE + 2 * N_FOLDED);
        write_unpacked(&crate::pack(8.0, &weights), &mut file).unwrap();
        assert_eq!(
            WeightsHeader::of_file(&file),
            Ok(WeightsHeader { step: 8.0 })
        );
        assert_eq!(file[HEADER_SIZE..HEADER_SIZE + 4], [0, 0, 7, 0]);
    }
}
