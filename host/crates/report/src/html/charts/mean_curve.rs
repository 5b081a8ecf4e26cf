//! A small curve: how the mean score of an agent, or its rate of reaching the goal, has developed
//! game by game, with its interval as a band.

use std::fmt::Write;

use maud::{Markup, html};

use statistics::{as_f64, descriptive::mean, skewness_correction::student_interval};

use crate::agent_games::AgentGames;

/// The most points of a curve. It is drawn a few centimetres wide.
const MOST_POINTS: usize = 40;

const WIDTH: f64 = 100.0;
const HEIGHT: f64 = 24.0;

/// The mean of the first games in the order of the plan, with Student's interval.
#[derive(Debug, PartialEq)]
struct MeanPoint {
    games: usize,
    mean: f64,
    low: f64,
    high: f64,
}

/// Nothing for fewer than two games.
pub(in crate::html) fn mean_curve(
    agent: &AgentGames,
    goal: Option<u64>,
    confidence: f64,
) -> Markup {
    let games = agent.games.iter();
    let values: Vec<f64> = games
        .map(|game| match goal {
            Some(goal) => f64::from(u8::from(game.highest >= goal)),
            None => as_f64(game.score),
        })
        .collect();
    let points = points(&values, confidence);
    if points.len() < 2 {
        return Markup::default();
    }
    let (curve, band) = paths(&points);
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" aria-hidden="true" {
            path.band d=(band) {}
            path.mean d=(curve) {}
        }
    }
}

fn points(values: &[f64], confidence: f64) -> Vec<MeanPoint> {
    let n_points = values.len().min(MOST_POINTS);
    (1..=n_points)
        .filter_map(|number| {
            let first = &values[..number * values.len() / n_points];
            let mean = mean(first)?;
            let interval = student_interval(first, confidence);
            Some(MeanPoint {
                games: first.len(),
                mean,
                low: interval.map_or(mean, |interval| interval.low),
                high: interval.map_or(mean, |interval| interval.high),
            })
        })
        .collect()
}

/// The paths of the curve and of its band. The axis spans the second half of the curve, because
/// the intervals of the first games are much wider than all that follows.
fn paths(points: &[MeanPoint]) -> (String, String) {
    let settled = &points[points.len() / 2..];
    let lowest = settled
        .iter()
        .map(|point| point.low)
        .fold(f64::MAX, f64::min);
    let highest = settled
        .iter()
        .map(|point| point.high)
        .fold(f64::MIN, f64::max);
    let n_games = points.last().map_or(1, |last| last.games);
    let place = |point: &MeanPoint, value: f64| {
        let share = if highest > lowest {
            ((value - lowest) / (highest - lowest)).clamp(0.0, 1.0)
        } else {
            0.5
        };
        let x = WIDTH * as_f64(point.games) / as_f64(n_games);
        (x, 1.0 + (1.0 - share) * (HEIGHT - 2.0))
    };
    let curve = points.iter().map(|point| place(point, point.mean));
    let upper = points.iter().map(|point| place(point, point.high));
    let lower = points.iter().rev().map(|point| place(point, point.low));
    (path(curve), path(upper.chain(lower)) + "Z")
}

fn path(places: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (x, y) in places {
        let command = if path.is_empty() { 'M' } else { 'L' };
        write!(path, "{command}{x:.1} {y:.1}").expect("a string takes what is written");
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_ends_with_the_mean_of_all_games() {
        let values: Vec<f64> = (1..=1000_u32).map(f64::from).collect();
        let points = points(&values, 0.95);
        assert_eq!(points.len(), MOST_POINTS);
        assert_eq!(points[0].games, 25);
        let last = &points[MOST_POINTS - 1];
        assert_eq!((last.games, last.mean), (1000, 500.5));
        // Student's t with 999 degrees of freedom: 500.5 ± 1.962 · 288.82 / √1000.
        assert!((last.low - 482.58).abs() < 0.01, "{last:?}");
    }

    #[test]
    fn a_curve_spans_the_drawing_and_early_intervals_are_cut_off() {
        let point = |games, mean, low, high| MeanPoint {
            games,
            mean,
            low,
            high,
        };
        let points = [point(1, 50.0, -900.0, 900.0), point(2, 15.0, 10.0, 20.0)];
        let (curve, band) = paths(&points);
        assert_eq!(curve, "M50.0 1.0L100.0 12.0");
        assert_eq!(band, "M50.0 1.0L100.0 1.0L100.0 23.0L50.0 23.0Z");
    }
}
