//! The report as CSV, for spreadsheets and plots. A CSV file has one table: the ranking, the pairs,
//! the matrix, the scores, the highest tiles or the curves.

use statistics::{as_f64, game_outcome::Measure, interval::Interval};
use text::csv_table::csv_text;

use crate::{
    Report,
    agent_games::AgentGames,
    budget_report::{AgentReport, BudgetReport},
    game_ends::moves_since_highest,
    pair_report::{PairReport, PairVerdict},
    tables::{
        agent_tables::{self, GAMES, NAME, SPEED_OF_PLAY},
        column::Column,
        pair_tables,
        trial_tables::{highest_share, highest_tiles, score, seeds},
    },
    tile_steps::tile_steps,
};

/// The budget as its label and as numbers, so that programs can draw it on an axis; see
/// [`budget_cells`].
const BUDGET: [&str; 3] = ["budget", "budget_us", "budget_nodes"];

const CURVE_HEADER: [&str; 6] = ["agent", "curve", "x", "y", "low", "high"];

/// The ranking, one line per agent and budget: a header line, then the agents, then the submissions
/// that do not play. The last columns are rates of tiles: `reach_2048` and so on.
#[must_use]
pub fn csv(report: &Report) -> String {
    let agents = || {
        let parts = report.budgets.iter();
        parts.flat_map(|part| part.agents.iter().map(move |agent| (part, agent)))
    };
    let tiles: Vec<u64> = agents()
        .next()
        .map(|(_, agent)| agent.summary.reach.keys().copied().collect())
        .unwrap_or_default();
    let header = agent_tables::CSV.iter().map(|column| column.key);
    let header: Vec<&str> = BUDGET.into_iter().chain(header).collect();
    let records = agents().map(|(part, agent)| {
        let rates = agent.summary.reach.values();
        let reach = rates.map(|rate| rate.rate.to_string());
        budget_cells(part)
            .into_iter()
            .chain(cells(agent_tables::CSV, agent))
            .chain(reach)
            .collect()
    });
    let left_out = report.left_out_files().map(|(file, reason)| {
        let mut cells = vec![String::new(); header.len() + tiles.len()];
        let mut set = |key: &str, cell: String| {
            let place = header.iter().position(|other| *other == key);
            cells[place.expect("a key of the header")] = cell;
        };
        set("agent", file);
        set("games", "0".to_owned());
        set("left_out", reason);
        cells
    });
    let records: Vec<Vec<String>> = records.chain(left_out).collect();
    let reach = tiles.iter().map(|tile| format!("reach_{tile}"));
    csv_text(header.into_iter().map(str::to_owned).chain(reach), records)
}

/// The cells of one row.
fn cells<T>(columns: &'static [Column<T>], row: &T) -> impl Iterator<Item = String> {
    columns.iter().map(|column| (column.value)(row).csv_cell())
}

/// Label, microseconds per move and nodes per move. What a budget does not have is empty.
fn budget_cells(part: &BudgetReport) -> [String; BUDGET.len()] {
    let budget = &part.budget;
    [
        part.label.clone().unwrap_or_default(),
        optional(budget.per_move().map(|time| time.as_secs_f64() * 1e6)),
        optional(budget.nodes()),
    ]
}

fn optional(figure: Option<impl ToString>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

/// Every pair of ranked agents, one line per pair and budget; the names of the columns are those of
/// the JSON report.
#[must_use]
pub fn pairs_csv(report: &Report) -> String {
    let header = pair_tables::CSV.iter().map(|column| column.key);
    let header = BUDGET.into_iter().chain(header).map(str::to_owned);
    let lines = report.budgets.iter().flat_map(|part| {
        let pairs = part.pairs.iter();
        pairs.map(move |pair| {
            let budget = budget_cells(part).into_iter();
            budget.chain(cells(pair_tables::CSV, pair))
        })
    });
    csv_text(header, lines)
}

/// The score of every game, one line per agent and budget: `seed_1` and so on.
#[must_use]
pub fn scores_csv(report: &Report) -> String {
    let seeds = seeds(&report.budgets);
    let headings = seeds.iter().map(|seed| format!("seed_{seed}"));
    trials_csv(report, headings.collect(), |agent| {
        let scores = seeds.iter().map(|seed| optional(score(agent, *seed)));
        scores.collect()
    })
}

/// The share of games by their highest tile, one line per agent and budget: `highest_2048` and so
/// on.
#[must_use]
pub fn highest_csv(report: &Report) -> String {
    let tiles = highest_tiles(&report.budgets);
    let headings = tiles.iter().map(|tile| format!("highest_{tile}"));
    trials_csv(report, headings.collect(), |agent| {
        let shares = tiles
            .iter()
            .map(|tile| optional(highest_share(agent, *tile)));
        shares.collect()
    })
}

/// The columns between the number of games and the mean differ.
fn trials_csv(
    report: &Report,
    headings: Vec<String>,
    trials: impl Fn(&AgentReport) -> Vec<String>,
) -> String {
    const FIRST: &[Column<AgentReport>] = &[NAME.keyed("agent"), GAMES];
    let key = |column: &Column<AgentReport>| column.key.to_owned();
    let header = BUDGET.map(str::to_owned).into_iter();
    let header = header
        .chain(FIRST.iter().map(key))
        .chain(headings)
        .chain(SPEED_OF_PLAY.iter().map(key));
    let lines = report.budgets.iter().flat_map(|part| {
        let trials = &trials;
        part.agents.iter().map(move |agent| {
            let start = budget_cells(part).into_iter().chain(cells(FIRST, agent));
            start
                .chain(trials(agent))
                .chain(cells(SPEED_OF_PLAY, agent))
        })
    });
    csv_text(header, lines)
}

/// Who beats whom: one line and one column per agent.
///
/// A header line with the agents in the order of the first ranking, then a line per agent and
/// budget. A cell says whether the agent of its line is better than that of its column, and by how
/// much; it is empty where the two were not compared.
#[must_use]
pub fn matrix_csv(report: &Report) -> String {
    let first = report.budgets.first();
    let names: Vec<&str> = first
        .iter()
        .flat_map(|part| part.agents.iter().map(|agent| agent.name.as_str()))
        .collect();
    let header = BUDGET
        .into_iter()
        .chain(["agent"])
        .chain(names.iter().copied());
    let lines = report.budgets.iter().flat_map(|part| {
        let place = |name: &&str| part.agents.iter().position(|agent| agent.name == **name);
        let columns: Vec<Option<usize>> = names.iter().map(place).collect();
        (0..part.n_ranked()).map(move |row| {
            let cells = columns.iter().map(|column| {
                column.map_or_else(String::new, |column| matrix_cell(part, row, column))
            });
            let name = part.agents[row].name.clone();
            let start = budget_cells(part).into_iter().chain([name]);
            start.chain(cells).collect::<Vec<String>>()
        })
    });
    csv_text(header.map(str::to_owned), lines)
}

fn matrix_cell(part: &BudgetReport, row: usize, column: usize) -> String {
    let (pair, verdict, sign) = match part.pair(row, column) {
        Some((pair, true)) => (pair, pair.verdict, 1.0),
        Some((pair, false)) => (pair, pair.verdict.mirrored(), -1.0),
        None => return String::new(),
    };
    let verdict = match verdict {
        PairVerdict::FirstIsBetter => "better",
        PairVerdict::SecondIsBetter => "worse",
        PairVerdict::Equal => "equal",
        PairVerdict::Open => "open",
    };
    difference(pair, sign).map_or(verdict.to_owned(), |number| format!("{verdict} {number}"))
}

fn difference(pair: &PairReport, sign: f64) -> Option<String> {
    let difference = sign * pair.comparison.mean_difference?;
    Some(match pair.comparison.measure {
        Measure::Reach => format!("{difference:+.4}"),
        Measure::Score | Measure::Moves => format!("{difference:+.1}"),
    })
}

/// A point of a curve with the interval of its height.
struct PlottedPoint {
    curve: &'static str,
    x: f64,
    y: f64,
    interval: Option<Interval>,
}

/// The points of the curves of a report, one line per point, to draw them with another program: a
/// header line, then the points, curve by curve:
///
/// - `score`: the share of games (y) with at most this score (x); with a goal `moves-to-goal`;
/// - `tile`: the share of games that reached a tile;
/// - `next-tile`: of the games that made the tile before, the share that made this one;
/// - `lost-within`: the share of lost games that ended within so many moves of their highest tile;
/// - `us-by-empty`: the mean CPU time of a move in microseconds, by the number of empty cells.
///
/// `games` are those behind the report.
pub(crate) fn curves_csv(report: &Report, games: &[Vec<AgentGames>]) -> String {
    let header = BUDGET.into_iter().chain(CURVE_HEADER);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{plan, report_of, three_seeds};

    #[test]
    fn every_agent_has_one_line() {
        let report = report_of(&plan(&["left", "right"]), three_seeds());
        insta::assert_snapshot!(csv(&report), @"
        budget,budget_us,budget_nodes,rank,agent,games,mean,mean_low,mean_high,lower_quartile,median,upper_quartile,max,highest,mean_moves,moves_to_goal,cpu_ms_per_move,faults,disqualified,left_out,reach_4,reach_8,reach_16,reach_32,reach_64,reach_128,reach_256,reach_512,reach_1024,reach_2048
        ,1000,,1,left,3,6000,1031.724576499334,10968.275423500665,5000,6000,7000,8000,512,600,,0.5,0,false,,1,1,1,1,1,1,1,0.6666666666666666,0,0
        ,1000,,1,right,3,5000,0,13605.305459498935,3000,3000,6000,9000,1024,500,,0.25,0,false,,1,1,1,1,1,1,1,0.3333333333333333,0.3333333333333333,0
        ");
    }

    #[test]
    fn every_pair_has_one_line_with_the_budget_as_a_number() {
        let report = report_of(&plan(&["left", "right"]), three_seeds());
        let text = pairs_csv(&report);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), 2);
        let cell = |name: &str| {
            let column = lines[0].iter().position(|header| *header == name);
            lines[1][column.expect("a column")]
        };
        assert_eq!(
            (cell("a"), cell("b"), cell("budget_us")),
            ("left", "right", "1000")
        );
        // Differences 1000, 3000 and -1000; six of eight sign patterns are as extreme.
        assert_eq!((cell("mean_difference"), cell("p_value")), ("1000", "0.75"));
        assert_eq!(
            (cell("wins"), cell("losses"), cell("verdict")),
            ("2", "1", "open")
        );
    }

    #[test]
    fn the_tables_of_trials_have_one_line_per_agent() {
        let report = report_of(&plan(&["left", "right"]), three_seeds());
        insta::assert_snapshot!(scores_csv(&report), @"
        budget,budget_us,budget_nodes,agent,games,seed_1,seed_2,seed_3,mean,cpu_ms_per_game,moves_per_cpu_second
        ,1000,,left,3,4000,6000,8000,6000,300,2000
        ,1000,,right,3,3000,3000,9000,5000,125,4000
        ");
        insta::assert_snapshot!(highest_csv(&report), @"
        budget,budget_us,budget_nodes,agent,games,highest_256,highest_512,highest_1024,mean,cpu_ms_per_game,moves_per_cpu_second
        ,1000,,left,3,0.3333333333333333,0.6666666666666666,0,6000,300,2000
        ,1000,,right,3,0.6666666666666666,0,0.3333333333333333,5000,125,4000
        ");
    }

    #[test]
    fn every_agent_has_a_line_and_a_column() {
        let report = report_of(&plan(&["left", "right"]), three_seeds());
        assert_eq!(
            matrix_csv(&report),
            "budget,budget_us,budget_nodes,agent,left,right\n\
             ,1000,,left,,open +1000.0\n\
             ,1000,,right,open -1000.0,\n"
        );
    }
}
