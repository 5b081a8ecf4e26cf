//! Eight exponents side by side in a `u64`, and operations on all of them at once.
//!
//! Branches that depend on a board are mispredicted often, and a misprediction costs
//! more than a slide should. These functions have no branches: each lane is one byte,
//! and every line of a board is processed in its own lane. Exponents are at most 63, so
//! that no addition or subtraction below affects a neighbouring lane.

/// The number 1 in every lane.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every lane.
const HIGHEST_BITS: u64 = 0x8080_8080_8080_8080;

/// Up to eight exponents, lane 0 in the lowest byte; the other lanes are 0.
#[inline]
pub(crate) fn pack<const N: usize>(exponents: [u8; N]) -> u64 {
    let lanes = exponents.into_iter().rev();
    lanes.fold(0, |lanes, exponent| lanes << 8 | u64::from(exponent))
}

/// The exponents of the first `N` lanes.
#[inline]
pub(crate) fn unpack<const N: usize>(lanes: u64) -> [u8; N] {
    let bytes = lanes.to_le_bytes();
    std::array::from_fn(|lane| bytes[lane])
}

/// Transposes lanes and positions; lanes from `N` on must be 0.
///
/// Squares of four, two and one lanes beside the diagonal change places: a board takes a few
/// steps instead of one per cell.
#[inline]
pub(crate) fn transpose<const N: usize>(places: [u64; N]) -> [u64; N] {
    let mut square = [0; 8];
    square[..N].copy_from_slice(&places);
    // Smaller boards have nothing in the larger squares.
    if N > 4 {
        exchange::<4>(&mut square, 0x0000_0000_ffff_ffff);
    }
    if N > 2 {
        exchange::<2>(&mut square, 0x0000_ffff_0000_ffff);
    }
    exchange::<1>(&mut square, 0x00ff_00ff_00ff_00ff);
    std::array::from_fn(|place| square[place])
}

/// Exchanges the upper right and the lower left quarter of all squares of twice this size.
#[inline]
fn exchange<const SIZE: usize>(square: &mut [u64; 8], left_lanes: u64) {
    for pair in 0..4 {
        let upper = pair / SIZE * 2 * SIZE + pair % SIZE;
        let lower = upper + SIZE;
        let differences = (square[upper] >> (8 * SIZE) ^ square[lower]) & left_lanes;
        square[upper] ^= differences << (8 * SIZE);
        square[lower] ^= differences;
    }
}

/// The highest bit of every lane that is 0.
#[inline]
pub(crate) const fn zero_flags(lanes: u64) -> u64 {
    HIGHEST_BITS.wrapping_sub(lanes) & HIGHEST_BITS
}

/// Bit `k` of the result is the flag of lane `k`.
#[inline]
pub(crate) const fn flags_to_bits(flags: u64) -> u64 {
    // The product moves the flag of lane k to bit 56 + k, and nothing else to these
    // bits.
    (flags >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The highest bit of every lane in which two equal tiles would merge.
#[inline]
pub(crate) const fn merge_flags(a: u64, b: u64, largest: u8) -> u64 {
    zero_flags(a ^ b) & !zero_flags(a) & !zero_flags(a ^ (largest as u64 * ONES))
}

/// Slides every lane towards the first of its `N` positions: the rule of the game.
///
/// Two tiles of the `largest` exponent do not merge. Returns the exponents made by
/// merging, at any position: a lane of an entry is 0 if none was made there.
#[inline]
pub(crate) fn slide<const N: usize>(places: &mut [u64; N], largest: u8) -> [u64; N] {
    let gaps = places.map(|place| full_lanes(zero_flags(place)));
    close_gaps(places, &gaps);
    let (mut gaps, mut made) = ([0; N], [0; N]);
    for place in 1..N {
        let equal = full_lanes(merge_flags(places[place - 1], places[place], largest));
        // A tile that has merged leaves a gap, so a tile merges once per move. Therefore a
        // lane never makes two tiles that would share an entry.
        gaps[place] = equal & !gaps[place - 1];
        made[place / 2] |= (places[place - 1] + ONES) & gaps[place];
    }
    for place in 1..N {
        places[place - 1] += gaps[place] & ONES;
        places[place] &= !gaps[place];
    }
    close_gaps(places, &gaps);
    made
}

/// Moves the tiles after every gap one position forward; `gaps` has all bits of the empty lanes
/// of a position. The last gap is closed first, so the others stay where they are meanwhile.
#[inline]
fn close_gaps<const N: usize>(places: &mut [u64; N], gaps: &[u64; N]) {
    for first in (0..N - 1).rev() {
        for place in first..N - 1 {
            let difference = places[place] ^ places[place + 1];
            places[place] ^= difference & gaps[first];
        }
        places[N - 1] &= !gaps[first];
    }
}

/// All bits of the lanes whose flag is set.
#[inline]
const fn full_lanes(flags: u64) -> u64 {
    (flags << 1).wrapping_sub(flags >> 7)
}

/// The sum of the face values of the exponents in the first `N` lanes.
#[inline]
pub(crate) fn sum_of_face_values<const N: usize>(lanes: u64) -> u64 {
    unpack::<N>(lanes)
        .into_iter()
        .fold(0u64, |sum, exponent| sum.saturating_add(1 << exponent & !1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_mark_the_lanes_that_are_0() {
        let lanes = pack([0, 1, 63, 0, 0, 7, 1, 0]);
        assert_eq!(zero_flags(lanes), 0x8000_0080_8000_0080);
        assert_eq!(flags_to_bits(zero_flags(lanes)), 0b1001_1001);
        for bits in 0..256 {
            let lanes = pack::<8>(std::array::from_fn(|lane| u8::from(bits >> lane & 1 == 0)));
            assert_eq!(flags_to_bits(zero_flags(lanes)), bits);
        }
    }

    #[test]
    fn equal_tiles_below_the_largest_merge() {
        let (a, b) = (pack([1, 1, 0, 63, 62]), pack([1, 2, 0, 63, 62]));
        let merges = flags_to_bits(merge_flags(a, b, 63));
        assert_eq!(merges & 0b1_1111, 0b1_0001);
    }

    #[test]
    fn lanes_slide_without_touching_each_other() {
        let mut places = [
            pack([0, 1, 2, 62]),
            pack([3, 1, 2, 62]),
            pack([0, 1, 3, 63]),
            pack([3, 1, 0, 63]),
        ];
        let made = slide(&mut places, 63);
        let after = [
            pack([4, 2, 3, 63]),
            pack([0, 2, 3, 63]),
            pack([0, 0, 0, 63]),
            0,
        ];
        assert_eq!(places, after);
        let gain: u64 = made.map(sum_of_face_values::<3>).iter().sum();
        assert_eq!(gain, 16 + (4 + 4) + 8);
    }
}
