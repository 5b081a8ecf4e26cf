//! A range coder with adaptive binary models, as in LZMA.
//!
//! The probability of every decision adapts to its earlier outcomes. A decision takes as many bits
//! as it has information, which can be a small part of a bit.

/// The probability of a 0, in parts of 2^16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit(u16);

/// How slowly a probability adapts: the higher, the slower and the more exact.
const ADAPTION: u32 = 5;
/// Bits of a probability.
const PRECISION: u32 = 16;
/// The range is widened when it is below this.
const LEAST_RANGE: u32 = 1 << 24;

impl Bit {
    pub(crate) const NEW: Self = Self(1 << (PRECISION - 1));

    fn bound(self, range: u32) -> u32 {
        (range >> PRECISION) * u32::from(self.0)
    }

    fn learn(&mut self, is_one: bool) {
        if is_one {
            self.0 -= self.0 >> ADAPTION;
        } else {
            self.0 += (u16::MAX - self.0) >> ADAPTION;
        }
    }
}

/// Writes decisions.
#[derive(Debug)]
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte that a carry may still change, and how many bytes of 255 follow it.
    pending: Option<u8>,
    n_full: u64,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self {
            low: 0,
            range: u32::MAX,
            pending: None,
            n_full: 0,
            bytes: Vec::new(),
        }
    }

    pub(crate) fn encode(&mut self, bit: &mut Bit, is_one: bool) {
        let bound = bit.bound(self.range);
        if is_one {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        bit.learn(is_one);
        self.widen();
    }

    /// Writes the lowest bits of a number as they are.
    pub(crate) fn encode_plain(&mut self, number: u32, n_bits: u32) {
        for place in (0..n_bits).rev() {
            self.range >>= 1;
            if number >> place & 1 == 1 {
                self.low += u64::from(self.range);
            }
            self.widen();
        }
    }

    fn widen(&mut self) {
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the byte and the carry are what is wanted"
    )]
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let next = (self.low >> 24) as u8;
        if self.low < 0xff00_0000 || carry == 1 {
            if let Some(pending) = self.pending {
                self.bytes.push(pending.wrapping_add(carry));
            }
            for _ in 0..self.n_full {
                self.bytes.push(0xff_u8.wrapping_add(carry));
            }
            self.n_full = 0;
            self.pending = Some(next);
        } else {
            self.n_full += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

/// Reads what an encoder wrote. Beyond the end it reads zeros.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    bytes: std::slice::Iter<'a, u8>,
    code: u32,
    range: u32,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            bytes: bytes.iter(),
            code: 0,
            range: u32::MAX,
        };
        for _ in 0..4 {
            decoder.read();
        }
        decoder
    }

    #[inline]
    pub(crate) fn decode(&mut self, bit: &mut Bit) -> bool {
        let bound = bit.bound(self.range);
        let is_one = self.code >= bound;
        if is_one {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        bit.learn(is_one);
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.read();
        }
        is_one
    }

    #[inline]
    pub(crate) fn decode_plain(&mut self, n_bits: u32) -> u32 {
        let mut number = 0;
        for _ in 0..n_bits {
            self.range >>= 1;
            let is_one = self.code >= self.range;
            if is_one {
                self.code -= self.range;
            }
            number = number << 1 | u32::from(is_one);
            while self.range < LEAST_RANGE {
                self.range <<= 8;
                self.read();
            }
        }
        number
    }

    #[inline]
    fn read(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        // A long run of one decision makes ranges that carry through many bytes.
        let decisions: Vec<bool> = (0..100_000_u32)
            .map(|n| n % 97 == 0 || n.is_multiple_of(5) && n > 50_000)
            .collect();
        let mut encoder = Encoder::new();
        let mut bit = Bit::NEW;
        for (&is_one, n) in decisions.iter().zip(0..) {
            encoder.encode(&mut bit, is_one);
            encoder.encode_plain(n, n % 20);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut bit = Bit::NEW;
        for (&is_one, n) in decisions.iter().zip(0..) {
            assert_eq!(decoder.decode(&mut bit), is_one, "{n}");
            assert_eq!(decoder.decode_plain(n % 20), n & ((1 << (n % 20)) - 1));
        }
    }

    #[test]
    fn rare_decisions_cost_little() {
        let mut encoder = Encoder::new();
        let mut bit = Bit::NEW;
        (0..80_000).for_each(|n| encoder.encode(&mut bit, n % 1000 == 0));
        assert!(encoder.finish().len() < 600);
    }
}
