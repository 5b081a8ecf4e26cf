//! `stop` of the tournament file.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::keys::{Mapping, ValueType, none_or, number_in, positive};

/// The rule that ends a tournament with a variable number of seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopRule {
    /// The confidence of the decisions; between 0 and 1, both excluded.
    pub decided: f64,
    /// The largest number of seeds; not below the number of seeds at the start. In a file, at
    /// least [`StopRule::FEWEST_SEEDS`].
    pub max_seeds: u64,
    /// The share of the better agent's mean score within which two agents are practically
    /// equal; between 0 and 1, both excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal_within: Option<f64>,
}

impl StopRule {
    /// A race does not look at its games before this many seeds.
    pub const FEWEST_SEEDS: u64 = 10;

    /// Whether a number may be `decided` or `equal_within`.
    #[must_use]
    pub fn is_share(number: f64) -> bool {
        number > 0.0 && number < 1.0
    }

    /// Declares and reads the keys of a rule. Returns `None` if a required one is missing or
    /// invalid.
    pub(crate) fn read(stop: &mut Mapping) -> Option<Self> {
        let decided = stop.required(
            "decided",
            confidence(),
            "write for example `decided: 0.95`",
            "confidence of all decisions together",
        );
        let max_seeds = stop.required(
            "max_seeds",
            max_seeds(),
            "write for example `max_seeds: 2000`",
            "the tournament ends after this many seeds in any case",
        );
        let equal_within = stop.key(
            "equal_within",
            none_or(share()),
            "none",
            "two agents are practically equal if their difference is certainly less than this \
             share of the better mean score; with a `goal`, less than this many percentage points",
        );
        Some(Self {
            decided: decided?,
            max_seeds: max_seeds?,
            equal_within,
        })
    }
}

/// A rule, or `none`.
pub(crate) fn stop() -> ValueType<Option<StopRule>> {
    let expected = "`none` or a rule such as `{ decided: 0.95, max_seeds: 2000 }`";
    none_or(ValueType::mapping(
        "a rule",
        "stop",
        None,
        expected,
        StopRule::read,
    ))
    .map(Option::flatten)
}

fn confidence() -> ValueType<f64> {
    let schema = json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1});
    number_in("between 0 and 1", schema, |confidence| {
        StopRule::is_share(confidence).then_some(confidence)
    })
}

fn max_seeds() -> ValueType<u64> {
    const FEWEST: u64 = StopRule::FEWEST_SEEDS;
    let values = format!("a number of at least {FEWEST}, and at least the number of `seeds`");
    let schema = json!({"type": "integer", "minimum": FEWEST});
    let number = positive::<NonZeroU64>();
    ValueType::nested(values, schema, move |value, diagnostics| {
        let max_seeds = number.read(value, diagnostics)?.get();
        if max_seeds < FEWEST {
            diagnostics.push(value.error(format!(
                "`max_seeds` is {max_seeds}, but nothing is decided before {FEWEST} seeds; \
                 raise `max_seeds`, or remove `stop`"
            )));
            return None;
        }
        Some(max_seeds)
    })
}

/// A share above 0 and below 1, as a number or with a percent sign.
fn share() -> ValueType<f64> {
    let schema = json!({"anyOf": [
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? ?%$"},
    ]});
    ValueType::scalar("a share such as `5%` or `0.05`", schema, |text| {
        let number = match text.strip_suffix('%') {
            Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
            None => text.parse(),
        };
        let number = number.ok().filter(|share| StopRule::is_share(*share));
        number.ok_or_else(|| {
            format!("`{text}` is not a share above 0% and below 100%; write for example `5%`")
        })
    })
}
