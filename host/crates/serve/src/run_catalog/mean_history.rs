//! How an agent's mean score, or its rate of reaching the goal, has developed game by game.

use serde::Serialize;

use report::{Report, agent_games::AgentGames};
use run::game_figures::GameFigures;
use statistics::{as_f64, descriptive::mean, skewness_correction::student_interval};

/// The most points of a curve. It is drawn a few centimetres wide.
const MOST_POINTS: usize = 40;

/// The curve of one agent under one budget.
#[derive(Debug, Serialize)]
pub(super) struct MeanHistory {
    agent: String,
    budget: Option<String>,
    points: Vec<HistoryPoint>,
}

/// The mean of the first games in the order of the plan, with Student's interval.
#[derive(Debug, PartialEq, Serialize)]
struct HistoryPoint {
    games: usize,
    mean: f64,
    low: Option<f64>,
    high: Option<f64>,
}

/// The curves of all agents that have played, in the order of the report.
pub(super) fn mean_histories(report: &Report, games: &[Vec<AgentGames>]) -> Vec<MeanHistory> {
    let value = |game: &&GameFigures| match report.goal {
        Some(goal) => f64::from(u8::from(game.highest >= goal)),
        None => as_f64(game.score),
    };
    let parts = report.budgets.iter().zip(games);
    let agents = parts.flat_map(|(part, agents)| {
        let confidence = part.confidence.level;
        agents.iter().map(move |agent| (confidence, agent))
    });
    agents
        .filter(|(_, agent)| !agent.games.is_empty())
        .map(|(confidence, agent)| {
            let values: Vec<f64> = agent.games.iter().map(value).collect();
            MeanHistory {
                agent: agent.name.to_owned(),
                budget: agent.budget.map(str::to_owned),
                points: points(&values, confidence),
            }
        })
        .collect()
}

fn points(values: &[f64], confidence: f64) -> Vec<HistoryPoint> {
    let n_points = values.len().min(MOST_POINTS);
    (1..=n_points)
        .filter_map(|number| {
            let first = &values[..number * values.len() / n_points];
            let interval = student_interval(first, confidence);
            Some(HistoryPoint {
                games: first.len(),
                mean: mean(first)?,
                low: interval.map(|interval| interval.low),
                high: interval.map(|interval| interval.high),
            })
        })
        .collect()
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
        assert!((last.low.unwrap() - 482.58).abs() < 0.01, "{last:?}");
    }

    #[test]
    fn one_game_has_no_interval() {
        let one = HistoryPoint {
            games: 1,
            mean: 8.0,
            low: None,
            high: None,
        };
        assert_eq!(points(&[8.0], 0.95), [one]);
    }
}
