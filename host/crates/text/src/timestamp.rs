//! Moments as programs write them: `2026-11-17T05:48:00.123Z` (RFC 3339, UTC).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment in UTC, with milliseconds. A moment before 1970 is shown as its beginning.
#[must_use]
pub fn timestamp(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let (seconds, milliseconds) = (since.as_secs(), since.subsec_millis());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{milliseconds:03}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// The date so many days after 1 January 1970, counted in eras of 400 years from
/// 1 March 0000 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months from March, so that the leap day is the last of the year.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let is_next_year = month >= 10;
    let month = if is_next_year { month - 9 } else { month + 3 };
    let year = 400 * era + year_of_era + u64::from(is_next_year);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with `date -u -d @SECONDS`.
    #[test]
    fn moments_are_those_of_other_programs() {
        for (milliseconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (951_868_799_999, "2000-02-29T23:59:59.999Z"),
            (1_795_000_000_000, "2026-11-18T11:06:40.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            let moment = UNIX_EPOCH + Duration::from_millis(milliseconds);
            assert_eq!(timestamp(moment), expected);
        }
    }
}
