//! The distribution of each agent's games: the share of games up to each score.
//!
//! Every game is a step of the curve, so medians, quartiles and extremes can be read off. The
//! axis is logarithmic because better play multiplies the score. With a goal, games end when
//! it is reached and their scores say little. The curves then show the moves to the goal and
//! end at the share of games that reached it.

use super::{
    Chart,
    curve_style::{MOST_NAMES, curve_class, curve_name},
    drawing::{Anchor, Drawing},
    scale::{Scale, short},
};
use statistics::as_f64;
use text::number_text::{amount, counted};

use crate::{agent_games::AgentGames, game_ends::moves_since_highest};

const TOP: f64 = 24.0;
const BOTTOM: f64 = 304.0;
const HEIGHT: f64 = BOTTOM + 40.0;

/// A curve of more games is drawn through this many of them, evenly by rank.
pub(in crate::html) const MOST_STEPS: usize = 200;

/// The games of one agent.
pub(in crate::html) struct Distribution<'d> {
    pub(in crate::html) agent: &'d str,
    /// Scores or moves to the goal, ascending.
    values: Vec<f64>,
    n_games: usize,
}

impl<'d> Distribution<'d> {
    /// `None` for an agent without a value to draw.
    pub(in crate::html) fn of(agent: &AgentGames<'d>, goal: Option<u64>) -> Option<Self> {
        let values = agent.values(goal);
        (!values.is_empty()).then_some(Self {
            agent: agent.name,
            values,
            n_games: agent.games.len(),
        })
    }

    /// The moves of lost games after their highest tile; `None` where the records do not tell.
    pub(in crate::html) fn since_highest(agent: &AgentGames<'d>) -> Option<Self> {
        let mut since = moves_since_highest(&agent.games);
        since.sort_unstable();
        // The axis is logarithmic and has no 0.
        let values: Vec<f64> = since.iter().map(|moves| as_f64(*moves).max(1.0)).collect();
        (!values.is_empty()).then_some(Self {
            agent: agent.name,
            n_games: values.len(),
            values,
        })
    }

    /// Whether a value is too low for a logarithmic axis.
    pub(in crate::html) fn has_zeros(&self) -> bool {
        self.values.first().is_some_and(|first| *first <= 0.0)
    }

    /// The value that this share of the games does not exceed; `None` where fewer have one.
    fn value_at(&self, share: f64) -> Option<f64> {
        let rank = (share * as_f64(self.n_games)).ceil().max(1.0);
        (0..)
            .zip(&self.values)
            .find(|(place, _)| as_f64(place + 1) >= rank)
            .map(|(_, value)| *value)
    }

    /// The steps to draw: each is a value and the share of games up to it.
    fn steps(&self) -> Vec<(f64, f64)> {
        let n_values = self.values.len();
        let n_steps = n_values.min(MOST_STEPS);
        (1..=n_steps)
            .map(|step| {
                let rank = step * n_values / n_steps;
                (self.values[rank - 1], as_f64(rank) / as_f64(self.n_games))
            })
            .collect()
    }
}

/// The curves; those of the best agents have names. `what` is the name of the axis.
pub(in crate::html) fn distribution_chart(
    distributions: &[Distribution],
    what: &str,
) -> Chart<'static> {
    let all = distributions
        .iter()
        .flat_map(|of_agent| of_agent.values.iter().copied());
    let scale = Scale::logarithmic(all);
    let mut drawing = Drawing::new(
        HEIGHT,
        format!(
            "Share of games up to each {what}, on a logarithmic axis, for {}",
            counted(distributions.len() as u64, "agent")
        ),
    );
    drawing.grid(&scale, (TOP, BOTTOM));
    for (share, text) in [
        (0.0, "0%"),
        (0.25, "25%"),
        (0.5, "50%"),
        (0.75, "75%"),
        (1.0, "100%"),
    ] {
        let class = if share == 0.0 { "base" } else { "grid" };
        drawing.horizontal((0.0, 1.0), height_of(share), class);
        if share > 0.0 {
            drawing.text((0.0, height_of(share) + 13.0), Anchor::Start, "tick", text);
        }
    }
    drawing.text(
        (0.0, TOP - 10.0),
        Anchor::Start,
        "axis-name",
        "share of games ↑",
    );
    // The best agents are drawn last, on top of the others.
    for (place, of_agent) in distributions.iter().enumerate().rev() {
        draw_curve(&mut drawing, &scale, of_agent, &curve_class(place));
    }
    let n_named = distributions.len().min(MOST_NAMES);
    for (place, of_agent) in distributions.iter().take(n_named).enumerate() {
        draw_name(&mut drawing, &scale, of_agent, place, n_named);
    }
    drawing.tick_labels(&scale, BOTTOM + 16.0, short);
    drawing.text(
        (1.0, BOTTOM + 34.0),
        Anchor::End,
        "axis-name",
        &format!("{what}, logarithmic →"),
    );
    Chart::Curves(drawing)
}

fn height_of(share: f64) -> f64 {
    BOTTOM + share * (TOP - BOTTOM)
}

fn draw_curve(drawing: &mut Drawing, scale: &Scale, of_agent: &Distribution, class: &str) {
    let steps = of_agent.steps();
    let first = steps.first().map_or(0.0, |step| step.0);
    let start = (scale.place(first), BOTTOM);
    let points = steps
        .iter()
        .map(|(value, share)| (scale.place(*value), height_of(*share)));
    let points: Vec<(f64, f64)> = [start].into_iter().chain(points).collect();
    let title = match of_agent.value_at(0.5) {
        Some(median) => format!("{}: median {}", of_agent.agent, amount(median)),
        None => of_agent.agent.to_owned(),
    };
    drawing.steps(&points, class, &title);
}

/// Names are at different heights beside their curves, so that they never overlap. Names of
/// the better half are on the right, where it is empty below; the others are on the left,
/// where it is empty above.
fn draw_name(
    drawing: &mut Drawing,
    scale: &Scale,
    of_agent: &Distribution,
    place: usize,
    n_named: usize,
) {
    let reached = as_f64(of_agent.values.len()) / as_f64(of_agent.n_games);
    let level = (as_f64(place) + 0.5) / as_f64(n_named);
    let share = (0.04 + 0.92 * level) * reached;
    let Some(value) = of_agent.value_at(share) else {
        return;
    };
    let x = scale.place(value);
    let better_half = 2 * place < n_named;
    let anchor = match x {
        x if x > 0.7 => Anchor::End,
        x if x < 0.3 || better_half => Anchor::Start,
        _ => Anchor::End,
    };
    let y = height_of(share);
    let class = curve_class(place);
    drawing.dot(x, y, &format!("spot {class}"));
    drawing.text(
        (x, y + 4.0),
        anchor,
        &format!("name {class}"),
        &curve_name(of_agent.agent),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::{example::figures, game_figures::GameFigures};

    fn records(scores: impl IntoIterator<Item = u64>) -> Vec<GameFigures> {
        (1..)
            .zip(scores)
            .map(|(seed, score)| figures(0, seed, score))
            .collect()
    }

    fn distribution(records: &[GameFigures], goal: Option<u64>) -> Option<Distribution<'_>> {
        let games = AgentGames {
            name: "a",
            budget: None,
            games: records.iter().collect(),
        };
        Distribution::of(&games, goal)
    }

    #[test]
    fn every_game_is_a_step() {
        let records = records([300, 100, 200, 200]);
        let found = distribution(&records, None).unwrap();
        let steps = [(100.0, 0.25), (200.0, 0.5), (200.0, 0.75), (300.0, 1.0)];
        assert_eq!(found.steps(), steps);
        assert_eq!(found.value_at(0.5), Some(200.0));
        assert_eq!(found.value_at(0.9), Some(300.0));
    }

    #[test]
    fn a_thinned_curve_keeps_its_ends_and_lies_on_the_full_one() {
        let records = records(1..=10_007);
        let steps = distribution(&records, None).unwrap().steps();
        assert_eq!(steps.len(), MOST_STEPS);
        assert_eq!(steps[MOST_STEPS - 1], (10_007.0, 1.0));
        for (value, share) in steps {
            assert!((share - value / 10_007.0).abs() < 1e-12);
        }
    }

    #[test]
    fn with_a_goal_a_curve_ends_at_the_share_that_reached_it() {
        let mut records = records([1, 2, 3, 4]);
        records[1].highest = 64;
        records[1].n_moves = 70;
        let found = distribution(&records, Some(64)).unwrap();
        assert_eq!(found.steps(), [(70.0, 0.25)]);
        assert_eq!(found.value_at(0.5), None);
        assert!(distribution(&records, Some(128)).is_none());
    }
}
