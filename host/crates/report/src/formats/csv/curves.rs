//! The points of the curves of a report as CSV, one line per point, to draw them with another
//! program.

use super::{BUDGET, budget_cells, optional};
use statistics::{as_f64, interval::Interval};
use text::csv_table::csv_text;

use crate::{
    Report, agent_games::AgentGames, budget_report::AgentReport, game_ends::moves_since_highest,
    tile_steps::tile_steps,
};

const HEADERS: [&str; 6] = ["agent", "curve", "x", "y", "low", "high"];

/// A point of a curve with the interval of its height.
struct PlottedPoint {
    curve: &'static str,
    x: f64,
    y: f64,
    interval: Option<Interval>,
}

/// A header line, then the points, curve by curve:
///
/// - `score`: the share of games (y) with at most this score (x); with a goal `moves-to-goal`;
/// - `tile`: the share of games that reached a tile;
/// - `next-tile`: of the games that made the tile before, the share that made this one;
/// - `lost-within`: the share of lost games that ended within so many moves of their highest tile;
/// - `us-by-empty`: the mean CPU time of a move in microseconds, by the number of empty cells.
///
/// `games` are those behind the report.
pub(crate) fn curves_csv(report: &Report, games: &[Vec<AgentGames>]) -> String {
    let header = BUDGET.into_iter().chain(HEADERS);
    let lines = report.budgets.iter().zip(games).flat_map(|(part, games)| {
        let steps = tile_steps(part);
        let mut lines = Vec::new();
        for (place, (agent, of_agent)) in part.agents.iter().zip(games).enumerate() {
            let next_tile = steps.iter().filter_map(|step| {
                let rate = step.chances[place]?;
                Some(PlottedPoint {
                    curve: "next-tile",
                    x: as_f64(2 * step.from),
                    y: rate.rate,
                    interval: rate.interval,
                })
            });
            let points = distribution(of_agent, report.goal)
                .into_iter()
                .chain(tiles(agent))
                .chain(next_tile)
                .chain(lost_within(of_agent))
                .chain(times_by_empty(agent));
            lines.extend(points.map(|point| {
                let (low, high) = point.interval.map(|ends| (ends.low, ends.high)).unzip();
                budget_cells(part).into_iter().chain([
                    agent.name.clone(),
                    point.curve.to_owned(),
                    point.x.to_string(),
                    point.y.to_string(),
                    optional(low),
                    optional(high),
                ])
            }));
        }
        lines
    });
    csv_text(header.map(str::to_owned), lines)
}

/// Every game is one point.
fn distribution(agent: &AgentGames, goal: Option<u64>) -> Vec<PlottedPoint> {
    let curve = match goal {
        Some(_) => "moves-to-goal",
        None => "score",
    };
    steps_of(curve, &agent.values(goal), agent.games.len())
}

fn lost_within(agent: &AgentGames) -> Vec<PlottedPoint> {
    let mut since = moves_since_highest(&agent.games);
    since.sort_unstable();
    let values: Vec<f64> = since.into_iter().map(as_f64).collect();
    steps_of("lost-within", &values, values.len())
}

/// The share of `n_games` up to each of the ascending values.
fn steps_of(curve: &'static str, values: &[f64], n_games: usize) -> Vec<PlottedPoint> {
    let points = values
        .iter()
        .enumerate()
        .map(|(place, value)| PlottedPoint {
            curve,
            x: *value,
            y: as_f64(place + 1) / as_f64(n_games),
            interval: None,
        });
    points.collect()
}

fn times_by_empty(agent: &AgentReport) -> impl Iterator<Item = PlottedPoint> {
    let by_empty = agent.time.by_empty.iter();
    by_empty.map(|time| PlottedPoint {
        curve: "us-by-empty",
        x: as_f64(time.empty),
        y: time.cpu_us_per_turn,
        interval: None,
    })
}

fn tiles(agent: &AgentReport) -> impl Iterator<Item = PlottedPoint> {
    let known = agent
        .summary
        .reach
        .iter()
        .filter(|(_, rate)| rate.games > 0);
    known.map(|(tile, rate)| PlottedPoint {
        curve: "tile",
        x: as_f64(*tile),
        y: rate.rate,
        interval: rate.interval,
    })
}
