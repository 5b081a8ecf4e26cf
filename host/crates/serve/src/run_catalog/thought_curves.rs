//! What an agent said about its moves: as curves of a whole game, and in full of one move.

use std::collections::BTreeMap;

use serde::Serialize;

use run::thought_files::GameThoughts;

/// A curve of more points cannot be read on a screen.
const MOST_POINTS: usize = 400;

/// The thoughts of a game, thinned out.
#[derive(Debug, Serialize)]
pub(crate) struct ThoughtCurves {
    values: Vec<SeriesPoint>,
    depths: Vec<SeriesPoint>,
    cpu_us: Vec<SeriesPoint>,
    numbers: BTreeMap<String, Vec<SeriesPoint>>,
    /// The page keeps a place for it.
    longest_text: Option<String>,
}

/// The value of a move; or of several moves one of them, the median, and the range of eight in
/// ten of their values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum SeriesPoint {
    One(usize, f32),
    Several(usize, f32, f32, f32),
}

/// What an agent said about one move.
#[derive(Debug, Serialize)]
pub(super) struct MoveThought {
    value: Option<f32>,
    depth: Option<u32>,
    cpu_us: u32,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    numbers: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl ThoughtCurves {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "a curve needs no more than seven digits"
    )]
    pub(super) fn of(thoughts: &GameThoughts) -> Self {
        let numbers = thoughts.numbers.iter();
        let texts = thoughts.texts.iter().flatten();
        Self {
            values: thinned(thoughts.values.iter().copied()),
            depths: thinned(
                thoughts
                    .depths
                    .iter()
                    .map(|depth| depth.map(|it| it as f32)),
            ),
            cpu_us: thinned(thoughts.cpu_us.iter().map(|time| Some(*time as f32))),
            numbers: numbers
                .map(|(name, values)| {
                    let values = values.iter().map(|value| value.map(|it| it as f32));
                    (name.clone(), thinned(values))
                })
                .collect(),
            longest_text: texts.max_by_key(|text| text.len()).cloned(),
        }
    }
}

/// The points of a list with an entry per move; entries that are missing are left out.
fn thinned(values: impl Iterator<Item = Option<f32>>) -> Vec<SeriesPoint> {
    let points: Vec<(usize, f32)> = (1..)
        .zip(values)
        .filter_map(|(number, value)| Some((number, value?)))
        .collect();
    let n_together = points.len().div_ceil(MOST_POINTS).max(1);
    let together = points.chunks(n_together);
    together
        .map(|points| match points {
            [(number, value)] => SeriesPoint::One(*number, *value),
            several => {
                let mut values: Vec<f32> = several.iter().map(|(_, value)| *value).collect();
                values.sort_unstable_by(f32::total_cmp);
                let n_outside = values.len() / 10;
                SeriesPoint::Several(
                    several[several.len() / 2].0,
                    values[values.len() / 2],
                    values[n_outside],
                    values[values.len() - 1 - n_outside],
                )
            }
        })
        .collect()
}

impl MoveThought {
    /// `None` if nothing was kept of this move.
    pub(super) fn of(thoughts: &GameThoughts, number: u64) -> Option<Self> {
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        let numbers = thoughts.numbers.iter();
        Some(Self {
            value: *thoughts.values.get(place)?,
            depth: *thoughts.depths.get(place)?,
            cpu_us: *thoughts.cpu_us.get(place)?,
            numbers: numbers
                .filter_map(|(name, values)| Some((name.clone(), (*values.get(place)?)?)))
                .collect(),
            text: thoughts.texts.get(place).cloned().flatten(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_has_the_median_and_the_range_of_moves_together() {
        assert_eq!(
            thinned([None, Some(2.0), None, Some(4.0)].into_iter()),
            [SeriesPoint::One(2, 2.0), SeriesPoint::One(4, 4.0)]
        );
        let many = thinned(
            (0..10_u8)
                .cycle()
                .take(10 * MOST_POINTS)
                .map(|it| Some(it.into())),
        );
        assert_eq!(many.len(), MOST_POINTS);
        assert_eq!(many[1], SeriesPoint::Several(16, 5.0, 1.0, 8.0));
    }
}
