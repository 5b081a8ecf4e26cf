//! The file that the agent maps into memory: a header, the weights as they are, and those of
//! late boards.

use std::{
    fmt,
    io::{self, Write},
};

use crate::{
    folding::{N_FOLDED, fold},
    late_boards::N_LATE,
    packed_weights::unpack,
    tuples::N_WEIGHTS,
};

/// The header, as long as a page of memory.
pub const HEADER_SIZE: usize = 4096;
/// Marks the file and its version.
const MAGIC: [u8; 8] = *b"weights4";

/// The contents of the header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightsHeader {
    /// The score that one step of a weight stands for.
    pub step: f32,
    /// The same for the weights of late boards.
    pub late_step: f32,
}

/// The bytes of a file.
const FILE_SIZE: usize = HEADER_SIZE + 2 * (N_FOLDED + N_LATE);

/// Why a file is not one of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsFileError {
    /// It does not begin like a file of weights.
    OtherKind,
    /// It has the wrong size.
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
        let mut bytes = [
            MAGIC.as_slice(),
            &self.step.to_le_bytes(),
            &self.late_step.to_le_bytes(),
        ]
        .concat();
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
        if file.len() != FILE_SIZE {
            return Err(WeightsFileError::OtherSize);
        }
        let (steps, _) = rest.as_chunks();
        Ok(Self {
            step: f32::from_le_bytes(steps[0]),
            late_step: f32::from_le_bytes(steps[1]),
        })
    }
}

/// Writes the file that belongs to packed weights and packed weights of late boards.
///
/// # Errors
/// If the weights cannot be unpacked or the file cannot be written.
pub fn write_unpacked(packed: &[u8], packed_late: &[u8], file: &mut impl Write) -> io::Result<()> {
    let (mut weights, mut late) = (vec![0; N_WEIGHTS], vec![0; N_LATE]);
    let step = unpack(packed, &mut weights).map_err(io::Error::other)?;
    let late_step = unpack(packed_late, &mut late).map_err(io::Error::other)?;
    file.write_all(&WeightsHeader { step, late_step }.to_bytes())?;
    fold(&mut weights)
        .iter()
        .chain(&late)
        .try_for_each(|weight| file.write_all(&weight.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_or_size_is_an_error() {
        let header = WeightsHeader {
            step: 16.0,
            late_step: 8.0,
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
        file.resize(FILE_SIZE, 0);
        assert_eq!(WeightsHeader::of_file(&file), Ok(header));
    }

    #[test]
    fn packed_weights_are_written_as_they_are_read() {
        let mut weights = vec![0; N_WEIGHTS];
        weights[1] = 7;
        let mut late = vec![0; N_LATE];
        late[N_LATE - 1] = 9;
        let mut file = Vec::with_capacity(FILE_SIZE);
        let [packed, packed_late] =
            [(8.0, weights), (4.0, late)].map(|(step, weights)| crate::pack(step, &weights));
        write_unpacked(&packed, &packed_late, &mut file).unwrap();
        let header = WeightsHeader {
            step: 8.0,
            late_step: 4.0,
        };
        assert_eq!(WeightsHeader::of_file(&file), Ok(header));
        assert_eq!(file[HEADER_SIZE..HEADER_SIZE + 4], [0, 0, 7, 0]);
        assert_eq!(file[FILE_SIZE - 2..], [9, 0]);
    }
}
