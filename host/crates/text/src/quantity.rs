//! A number with a unit, parsed exactly: shared by durations and memory sizes.
//!
//! Uses no floating point, so `0.1s` is exactly 100 ms.

/// Why a string is not a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuantityError {
    NotANumber,
    UnknownUnit,
    /// The quantity is not a multiple of the smallest unit.
    NotWhole,
    /// The quantity does not fit in 64 bits.
    TooLarge,
}

/// A string split in two: digits with at most one decimal point, and the unit, which
/// may be empty.
pub(super) struct WrittenQuantity<'a> {
    number: &'a str,
    pub(super) unit: &'a str,
}

impl<'a> WrittenQuantity<'a> {
    pub(super) fn split(text: &'a str) -> Self {
        let unit_start = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let (number, unit) = text.split_at(unit_start);
        Self {
            number,
            unit: unit.trim_start(),
        }
    }

    /// The quantity in the smallest unit; `unit` is the size of its own unit in
    /// smallest units.
    pub(super) fn in_smallest_unit(&self, unit: Option<u64>) -> Result<u64, QuantityError> {
        let (whole, fraction) = self.number.split_once('.').unwrap_or((self.number, "0"));
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !is_digits(whole) || !is_digits(fraction) {
            return Err(QuantityError::NotANumber);
        }
        let unit = unit.ok_or(QuantityError::UnknownUnit)?;
        let whole: u64 = whole.parse().map_err(|_| QuantityError::TooLarge)?;
        let part = part_of_unit(fraction, unit).ok_or(QuantityError::NotWhole)?;
        whole
            .checked_mul(unit)
            .and_then(|quantity| quantity.checked_add(part))
            .ok_or(QuantityError::TooLarge)
    }
}

/// The value of the digits after the decimal point, if it is a whole number.
fn part_of_unit(fraction: &str, unit: u64) -> Option<u64> {
    let digits = fraction.trim_end_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    let scale = 10_u64.checked_pow(u32::try_from(digits.len()).ok()?)?;
    let product = u128::from(digits.parse::<u64>().ok()?) * u128::from(unit);
    let is_whole = product.is_multiple_of(u128::from(scale));
    is_whole.then(|| u64::try_from(product / u128::from(scale)).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_accepted_only_if_the_result_is_whole() {
        let parse = |text: &str, unit| WrittenQuantity::split(text).in_smallest_unit(Some(unit));
        assert_eq!(parse("0.5", 60), Ok(30));
        assert_eq!(parse("1.250000000000000000000000", 4), Ok(5));
        assert_eq!(parse("0.3", 1), Err(QuantityError::NotWhole));
        assert_eq!(parse("0.01", 1), Err(QuantityError::NotWhole));
        let finer_than_any_unit = format!("0.{}1", "0".repeat(40));
        assert_eq!(
            parse(&finer_than_any_unit, u64::MAX),
            Err(QuantityError::NotWhole)
        );
        assert_eq!(
            parse("18446744073709551615", 2),
            Err(QuantityError::TooLarge)
        );
    }
}
