//! Weights compressed to ship: whole steps, only those that are not zero.
//!
//! Most weights belong to tiles that no game has shown, and are zero. Of the others, the
//! distance from the one before and the number of steps are written, each as its length in
//! bits and the bits themselves. Lengths depend on the length before, because neighbouring
//! weights differ in one tile; high bits depend on the length; low bits are noise.

use std::fmt;

use crate::range_coder::{Bit, Decoder, Encoder};

/// Marks the file and its version.
const MAGIC: [u8; 8] = *b"ntuple\x01\n";
/// Numbers have at most 27 bits, so a length fits into five.
const N_LENGTHS: usize = 32;
const LENGTH_BITS: u32 = 5;
/// How many bits below the highest one have a model; the others are noise.
const MODELLED_BITS: u32 = 3;

/// Why packed weights cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedWeightsError {
    /// They do not begin as packed weights do.
    NotPackedWeights,
    /// They describe a weight that the network does not have.
    Damaged,
}

impl fmt::Display for PackedWeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotPackedWeights => "is not a file of packed weights of this version",
            Self::Damaged => "is damaged: it describes a weight that the network does not have",
        })
    }
}

impl std::error::Error for PackedWeightsError {}

/// Packs weights in whole steps; `step` is the score that one step stands for.
#[must_use]
pub fn pack(step: f32, weights: &[i16]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut model = Model::new();
    let (mut gap, mut count) = (0, 0_u32);
    for &weight in weights {
        if weight == 0 {
            gap += 1;
            continue;
        }
        model.gaps.write(&mut encoder, gap);
        model
            .sizes
            .write(&mut encoder, u32::from(weight.unsigned_abs()));
        let sign = &mut model.signs[model.sizes.last];
        encoder.encode(sign, weight < 0);
        gap = 0;
        count += 1;
    }
    [
        &MAGIC[..],
        &step.to_le_bytes(),
        &count.to_le_bytes(),
        &encoder.finish(),
    ]
    .concat()
}

/// Unpacks weights into zeros, and returns the score that one step stands for.
///
/// # Errors
/// If the bytes are not packed weights, or not of this many.
pub fn unpack(packed: &[u8], weights: &mut [i16]) -> Result<f32, PackedWeightsError> {
    let (step, count, rest) = packed
        .strip_prefix(&MAGIC)
        .and_then(|rest| {
            let (step, rest) = rest.split_first_chunk()?;
            let (count, rest) = rest.split_first_chunk()?;
            Some((f32::from_le_bytes(*step), u32::from_le_bytes(*count), rest))
        })
        .ok_or(PackedWeightsError::NotPackedWeights)?;
    let mut decoder = Decoder::new(rest);
    let mut model = Model::new();
    let mut place = 0;
    for _ in 0..count {
        place += model.gaps.read(&mut decoder) as usize;
        let size = model.sizes.read(&mut decoder);
        let is_negative = decoder.decode(&mut model.signs[model.sizes.last]);
        let size = i32::try_from(size).map_err(|_| PackedWeightsError::Damaged)?;
        let weight = i16::try_from(if is_negative { -size } else { size });
        *weights.get_mut(place).ok_or(PackedWeightsError::Damaged)? =
            weight.map_err(|_| PackedWeightsError::Damaged)?;
        place += 1;
    }
    Ok(step)
}

struct Model {
    gaps: Numbers,
    sizes: Numbers,
    signs: [Bit; N_LENGTHS],
}

impl Model {
    fn new() -> Self {
        Self {
            gaps: Numbers::new(),
            sizes: Numbers::new(),
            signs: [Bit::NEW; N_LENGTHS],
        }
    }
}

/// The models of a series of numbers.
struct Numbers {
    /// A tree over the lengths, for each length of the number before.
    lengths: Box<[[Bit; N_LENGTHS]; N_LENGTHS]>,
    /// A tree over the bits below the highest, for each length.
    high_bits: Box<[[Bit; 1 << MODELLED_BITS]; N_LENGTHS]>,
    /// The length of the number before.
    last: usize,
}

impl Numbers {
    fn new() -> Self {
        Self {
            lengths: Box::new([[Bit::NEW; N_LENGTHS]; N_LENGTHS]),
            high_bits: Box::new([[Bit::NEW; 1 << MODELLED_BITS]; N_LENGTHS]),
            last: 0,
        }
    }

    fn write(&mut self, encoder: &mut Encoder, number: u32) {
        let length = u32::BITS - number.leading_zeros();
        let mut node = 1;
        for place in (0..LENGTH_BITS).rev() {
            let is_one = length >> place & 1 == 1;
            encoder.encode(&mut self.lengths[self.last][node], is_one);
            node = node << 1 | usize::from(is_one);
        }
        self.last = length as usize;
        let n_low = length.saturating_sub(1);
        let n_plain = n_low.saturating_sub(MODELLED_BITS);
        let mut node = 1;
        for place in (n_plain..n_low).rev() {
            let is_one = number >> place & 1 == 1;
            encoder.encode(&mut self.high_bits[self.last][node], is_one);
            node = node << 1 | usize::from(is_one);
        }
        encoder.encode_plain(number, n_plain);
    }

    #[inline]
    fn read(&mut self, decoder: &mut Decoder<'_>) -> u32 {
        let mut node = 1;
        for _ in 0..LENGTH_BITS {
            let is_one = decoder.decode(&mut self.lengths[self.last][node]);
            node = node << 1 | usize::from(is_one);
        }
        self.last = node - N_LENGTHS;
        let Some(n_low) = self.last.checked_sub(1) else {
            return 0;
        };
        let n_modelled = n_low.min(MODELLED_BITS as usize);
        let mut node = 1;
        for _ in 0..n_modelled {
            let is_one = decoder.decode(&mut self.high_bits[self.last][node]);
            node = node << 1 | usize::from(is_one);
        }
        let n_plain = u32::try_from(n_low - n_modelled).unwrap_or(0);
        let high = u32::try_from(node).unwrap_or(1);
        high << n_plain | decoder.decode_plain(n_plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Vec<i16> {
        let mut weights = vec![0; 100_000];
        let mut state = 1_u32;
        for place in (0..weights.len()).filter(|place| place % 7 == 0 || place % 1000 < 30) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let size = i32::try_from(state >> (17 + place % 14)).unwrap();
            let sign = if state & 1024 == 0 { 1 } else { -1 };
            weights[place] = i16::try_from(sign * size).unwrap();
        }
        weights[99_999] = i16::MIN;
        weights
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let weights = example();
        let mut unpacked = vec![0; weights.len()];
        let step = unpack(&pack(16.0, &weights), &mut unpacked);
        assert_eq!((step, unpacked), (Ok(16.0), weights));
    }

    #[test]
    fn damaged_files_are_errors_or_other_weights_and_never_panics() {
        let packed = pack(16.0, &example());
        let mut weights = vec![0; 100_000];
        assert_eq!(
            unpack(b"something else", &mut weights),
            Err(PackedWeightsError::NotPackedWeights)
        );
        assert_eq!(
            unpack(&packed, &mut weights[..50_000]),
            Err(PackedWeightsError::Damaged)
        );
        for place in (0..packed.len()).step_by(1999) {
            let mut damaged = packed.clone();
            damaged[place] ^= 0x55;
            let _ = unpack(&damaged, &mut weights);
            let _ = unpack(&packed[..place], &mut weights);
        }
    }
}
