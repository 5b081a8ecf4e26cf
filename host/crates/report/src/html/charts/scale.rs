//! An axis: where values and ticks are.

use text::number_text::needed_decimals;

/// The most ticks that are readable on a phone.
const MOST_TICKS: usize = 8;

/// An axis that starts and ends at round numbers.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::html) struct Scale {
    low: f64,
    high: f64,
    kind: Kind,
    pub(in crate::html) ticks: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Linear,
    Logarithmic,
}

impl Scale {
    /// From 0 to the first round number that is not below `highest`.
    pub(in crate::html) fn linear(highest: f64) -> Self {
        let highest = if highest.is_finite() && highest > 0.0 {
            highest
        } else {
            1.0
        };
        let step = (-12..=30)
            .flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(exponent)))
            .find(|step| highest / step <= 5.0)
            .unwrap_or(highest);
        let n_steps = (highest / step - 1e-9).ceil().max(1.0);
        let ticks = (0..=MOST_TICKS)
            .map(|number| statistics::as_f64(number) * step)
            .take_while(|tick| *tick <= (n_steps + 0.5) * step)
            .collect();
        Self {
            low: 0.0,
            high: n_steps * step,
            kind: Kind::Linear,
            ticks,
        }
    }

    /// Around the values above 0; values below the axis are at its start.
    pub(in crate::html) fn logarithmic(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut lowest, mut highest) = (f64::INFINITY, 0.0_f64);
        for value in values {
            if value.is_finite() && value > 0.0 {
                lowest = lowest.min(value);
                highest = highest.max(value);
            }
        }
        if highest <= 0.0 {
            (lowest, highest) = (1.0, 10.0);
        }
        let marks = |digits: &[f64]| -> Vec<f64> {
            (-12..=30)
                .flat_map(|exponent| {
                    digits
                        .iter()
                        .map(move |digit| digit * 10_f64.powi(exponent))
                })
                .collect()
        };
        let ends = marks(&[1.0, 2.0, 5.0]);
        let low = ends.iter().rev().find(|end| **end <= lowest * (1.0 + 1e-9));
        let low = low.copied().unwrap_or(lowest);
        let high = ends
            .iter()
            .find(|end| **end >= highest * (1.0 - 1e-9) && **end > low);
        let high = high.copied().unwrap_or(highest * 10.0);
        let within = |digits: &[f64]| -> Vec<f64> {
            let inside = |mark: &f64| (low * 0.999..=high * 1.001).contains(mark);
            marks(digits).into_iter().filter(inside).collect()
        };
        let ticks = [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]]
            .into_iter()
            .map(within)
            .find(|ticks| ticks.len() <= MOST_TICKS)
            .unwrap_or_else(|| vec![low, high]);
        Self {
            low,
            high,
            kind: Kind::Logarithmic,
            ticks,
        }
    }

    /// The values at the start and at the end of the axis.
    pub(in crate::html) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// 0 at the start of the axis, 1 at its end.
    pub(in crate::html) fn place(&self, value: f64) -> f64 {
        let share = match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            Kind::Logarithmic if value <= self.low => 0.0,
            Kind::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        if share.is_nan() {
            0.0
        } else {
            share.clamp(0.0, 1.0)
        }
    }
}

/// A rounded number in short form: `500`, `2k`, `1.5M`.
pub(in crate::html) fn short(number: f64) -> String {
    let (divided, unit) = match number.abs() {
        size if size >= 999_500_000.0 => (number / 1e9, "G"),
        size if size >= 999_500.0 => (number / 1e6, "M"),
        size if size >= 999.5 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    let digits = match divided.abs() {
        size if size >= 9.95 || size == 0.0 => 0,
        size if size >= 0.095 => 1,
        _ => 3,
    };
    format!("{}{unit}", needed_decimals(divided, digits)).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scale: &Scale, ticks: &str, places: &[(f64, f64)]) {
        let found: Vec<String> = scale.ticks.iter().map(|tick| short(*tick)).collect();
        assert_eq!(found.join(" "), ticks);
        for (value, place) in places {
            let found = scale.place(*value);
            assert!((found - place).abs() < 1e-9, "{value}: {found}");
        }
    }

    #[test]
    fn a_linear_axis_starts_at_zero_and_ends_at_a_round_number() {
        let scale = Scale::linear(88_579.0);
        check(
            &scale,
            "0 20k 40k 60k 80k 100k",
            &[(0.0, 0.0), (50_000.0, 0.5), (1e9, 1.0), (-5.0, 0.0)],
        );
        check(&Scale::linear(100.0), "0 20 40 60 80 100", &[(100.0, 1.0)]);
        check(&Scale::linear(7.9), "0 2 4 6 8", &[]);
    }

    #[test]
    fn a_logarithmic_axis_has_equal_ratios_in_equal_steps() {
        let scale = Scale::logarithmic([1_200.0, 95_000.0]);
        check(
            &scale,
            "1k 2k 5k 10k 20k 50k 100k",
            &[
                (1_000.0, 0.0),
                (10_000.0, 0.5),
                (100_000.0, 1.0),
                (0.0, 0.0),
            ],
        );
        check(
            &Scale::logarithmic([2.0, 700_000.0]),
            "10 100 1k 10k 100k 1M",
            &[],
        );
        check(&Scale::logarithmic([300.0, 300.0]), "200 500", &[]);
    }

    #[test]
    fn without_values_there_is_still_an_axis() {
        check(
            &Scale::linear(0.0),
            "0 0.2 0.4 0.6 0.8 1",
            &[(f64::NAN, 0.0)],
        );
        check(&Scale::logarithmic([0.0]), "1 2 5 10", &[(0.0, 0.0)]);
    }

    #[test]
    fn short_numbers_are_rounded_to_two_digits() {
        let texts = [0.0, 999.4, 999.6, 1_500.0, -45_228.0, 1_234_567.0].map(short);
        assert_eq!(texts, ["0", "999", "1k", "1.5k", "−45k", "1.2M"]);
    }
}
