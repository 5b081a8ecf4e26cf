//! The report as one JSON object. Scripts rely on its keys.

use std::collections::BTreeMap;

use serde::Serialize;

use run::{
    game_record::{Ending, is_crowded},
    run_plan::LeftOut,
};
use statistics::{
    game_outcome::Measure,
    interval::{Confidence, Interval},
    rate::Rate,
};
use text::escape::json_text;

use crate::{
    Methods, Report,
    budget_report::{AgentReport, BudgetReport},
    decision::{Decision, DecisionState},
    fault_example::FaultExample,
    game_counts::GameCounts,
    game_ends::{GameEnds, Quartiles},
    pair_report::{PairReport, PairVerdict},
    tile_steps::{TileStep, tile_steps},
    time_use::EmptyCellsTime,
};

#[derive(Serialize)]
struct JsonReport<'r> {
    name: &'r str,
    goal: Option<u64>,
    agents: Vec<JsonAgent<'r>>,
    pairs: Vec<JsonPair<'r>>,
    confidence: f64,
    stop: Option<JsonStop<'r>>,
    /// Submissions that do not play.
    left_out: &'r [LeftOut],
    notes: Vec<String>,
    games: Option<GameCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    methods: Option<&'r Methods>,
}

/// Scores on private and on shared seeds, where the tournament has private ones.
#[derive(Serialize)]
struct JsonPrivateSeeds {
    games: usize,
    mean: f64,
    shared_games: usize,
    shared_mean: f64,
    /// One-sided, corrected for the number of agents.
    p_value: f64,
}

#[derive(Serialize)]
struct JsonAgent<'r> {
    rank: Option<usize>,
    /// The rank range.
    rank_best: Option<usize>,
    rank_worst: Option<usize>,
    name: &'r str,
    budget: Option<&'r str>,
    games: usize,
    few: bool,
    mean: Option<f64>,
    mean_low: Option<f64>,
    mean_high: Option<f64>,
    lower_quartile: Option<f64>,
    median: Option<f64>,
    upper_quartile: Option<f64>,
    max: Option<u64>,
    highest: Option<u64>,
    reach: BTreeMap<u64, JsonRate>,
    moves_to_goal: Option<f64>,
    mean_moves: Option<f64>,
    cpu_ms_per_move: Option<f64>,
    wall_ms_per_move: Option<f64>,
    move_us_median: Option<f64>,
    move_us_p99: Option<f64>,
    move_us_max: f64,
    budget_share: Option<f64>,
    overruns: u64,
    threads: u64,
    nodes: u64,
    nodes_per_cpu_ms: Option<f64>,
    /// By the number of empty cells before the turn.
    move_us_by_empty: Vec<JsonEmptyCells>,
    /// How its games end.
    ends: JsonEnds<'r>,
    faults: &'r BTreeMap<Ending, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    private_seeds: Option<JsonPrivateSeeds>,
    /// Whether it is the second entry of the control, which has no rank.
    control: bool,
    /// The agents that made the same moves on all seeds.
    same_games_as: &'r [String],
    fault_examples: &'r [FaultExample],
    disqualified: bool,
    disqualified_because: Option<&'r str>,
}

#[derive(Serialize)]
struct JsonDetectable {
    seeds: usize,
    /// `null` where so many seeds cannot prove any difference.
    difference: f64,
}

#[derive(Serialize)]
struct JsonRate {
    rate: f64,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Serialize)]
struct JsonPair<'r> {
    a: &'r str,
    b: &'r str,
    budget: Option<&'r str>,
    /// What `mean_difference` is a difference of.
    measure: Measure,
    games: usize,
    mean_difference: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    /// Of this pair alone: its interval without a correction for the other pairs.
    own_low: Option<f64>,
    own_high: Option<f64>,
    /// Of this pair alone.
    p_value: Option<f64>,
    /// Corrected for all pairs; `better` is set exactly where it is at most 1 - `confidence` and
    /// 0 is not between `low` and `high`.
    p_adjusted: Option<f64>,
    better: Option<&'r str>,
    /// With `equal_within`: whether the agents are practically equal.
    practically_equal: bool,
    /// The seeds after which a stop rule decided the pair.
    decided_after: Option<usize>,
    /// Of pairs that cannot be distinguished: the differences that so many seeds would show in 4 of 5
    /// runs.
    detectable: Vec<JsonDetectable>,
    /// The share of seeds on which `a` did better.
    does_better: JsonRate,
    correlation: Option<f64>,
    variance_reduction: Option<f64>,
    wins: usize,
    ties: usize,
    losses: usize,
}

/// The report, ending in a line feed.
///
/// # Errors
/// None in practice: all keys are strings.
pub fn json(report: &Report) -> serde_json::Result<String> {
    let json = JsonReport {
        methods: report.methods.as_ref(),
        ..with_pairs(report, BudgetReport::all_pairs)
    };
    Ok(json_text(&json)? + "\n")
}

/// The report as part of a larger JSON value for the page, with the pairs that tables list.
#[must_use]
pub fn as_json(report: &Report) -> impl Serialize {
    with_pairs(report, BudgetReport::listed_pairs)
}

fn with_pairs(report: &Report, pairs: fn(&BudgetReport) -> Vec<&PairReport>) -> JsonReport<'_> {
    let parts = || report.budgets.iter();
    let confidence = parts()
        .next()
        .map_or(Confidence::USUAL, |part| part.confidence);
    JsonReport {
        name: &report.name,
        goal: report.goal,
        agents: parts()
            .flat_map(|part| {
                let steps = tile_steps(part);
                let agents = part.agents.iter().enumerate();
                agents.map(move |(place, agent)| {
                    json_agent(agent, part, report.n_cells, &steps, place)
                })
            })
            .collect(),
        pairs: parts()
            .flat_map(|part| {
                pairs(part)
                    .into_iter()
                    .map(move |pair| json_pair(pair, part))
            })
            .collect(),
        confidence: confidence.level,
        stop: report.decision.as_ref().map(json_stop),
        left_out: &report.left_out,
        notes: report.notes.iter().map(ToString::to_string).collect(),
        games: report.games,
        methods: None,
    }
}

fn json_agent<'r>(
    agent: &'r AgentReport,
    part: &'r BudgetReport,
    n_cells: usize,
    steps: &[TileStep],
    place: usize,
) -> JsonAgent<'r> {
    let (summary, time) = (&agent.summary, &agent.time);
    let (mean_low, mean_high) = ends(summary.mean_interval);
    JsonAgent {
        rank: agent.rank,
        rank_best: agent.rank_range.map(|range| range.best),
        rank_worst: agent.rank_range.map(|range| range.worst),
        name: &agent.name,
        budget: part.budget.label.as_deref(),
        games: summary.games,
        few: summary.few,
        mean: summary.mean,
        mean_low,
        mean_high,
        lower_quartile: summary.lower_quartile,
        median: summary.median,
        upper_quartile: summary.upper_quartile,
        max: summary.best,
        highest: summary.highest,
        reach: summary
            .reach
            .iter()
            .map(|(&tile, &rate)| (tile, json_rate(rate)))
            .collect(),
        moves_to_goal: summary.moves_to_goal,
        mean_moves: summary.mean_moves,
        cpu_ms_per_move: time.cpu_ms_per_move,
        wall_ms_per_move: time.wall_ms_per_move,
        move_us_median: time.median_us,
        move_us_p99: time.p99_us,
        move_us_max: time.max_us,
        budget_share: time.budget_share,
        overruns: time.overruns,
        threads: time.threads,
        nodes: time.nodes,
        nodes_per_cpu_ms: time.nodes_per_cpu_ms,
        move_us_by_empty: json_empty_cells(&time.by_empty, n_cells),
        ends: json_ends(&agent.ends, steps, place),
        faults: &summary.faults,
        private_seeds: agent.private_seeds.map(|test| JsonPrivateSeeds {
            games: test.private_games,
            mean: test.private_mean,
            shared_games: test.shared_games,
            shared_mean: test.shared_mean,
            p_value: test.p_value,
        }),
        control: agent.is_second_entry,
        same_games_as: &agent.same_games_as,
        fault_examples: &agent.faults,
        disqualified: agent.disqualified.is_some(),
        disqualified_because: agent.disqualified.as_ref().map(|d| d.fault.as_str()),
    }
}

fn json_rate(rate: Rate) -> JsonRate {
    let (low, high) = ends(rate.interval);
    JsonRate {
        rate: rate.rate,
        low,
        high,
    }
}

fn json_pair<'r>(pair: &'r PairReport, part: &'r BudgetReport) -> JsonPair<'r> {
    let comparison = &pair.comparison;
    let (low, high) = ends(pair.interval);
    let (own_low, own_high) = ends(pair.own_interval);
    let detectable = pair.detectable.iter();
    JsonPair {
        a: &pair.a,
        b: &pair.b,
        budget: part.budget.label.as_deref(),
        measure: comparison.measure,
        games: comparison.games,
        mean_difference: comparison.mean_difference,
        low,
        high,
        own_low,
        own_high,
        p_value: comparison.p_value,
        p_adjusted: pair.p_adjusted,
        better: match pair.verdict {
            PairVerdict::FirstIsBetter => Some(&pair.a),
            PairVerdict::SecondIsBetter => Some(&pair.b),
            PairVerdict::Equal | PairVerdict::Open => None,
        },
        practically_equal: pair.verdict == PairVerdict::Equal,
        decided_after: pair.decided_after,
        detectable: detectable
            .map(|&(seeds, difference)| JsonDetectable { seeds, difference })
            .collect(),
        does_better: json_rate(comparison.does_better),
        correlation: comparison.correlation,
        variance_reduction: comparison.variance_reduction,
        wins: comparison.wins,
        ties: comparison.ties,
        losses: comparison.losses,
    }
}

fn ends(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    interval.map(|ends| (ends.low, ends.high)).unzip()
}

/// The time per move with so many empty cells.
#[derive(Serialize)]
struct JsonEmptyCells {
    #[serde(flatten)]
    time: EmptyCellsTime,
    /// Whether a board with so few empty cells is crowded. The page compares such turns with the others.
    crowded: bool,
}

fn json_empty_cells(times: &[EmptyCellsTime], n_cells: usize) -> Vec<JsonEmptyCells> {
    let is_crowded = |empty| usize::try_from(empty).is_ok_and(|empty| is_crowded(empty, n_cells));
    let times = times.iter().map(|time| JsonEmptyCells {
        time: *time,
        crowded: is_crowded(time.empty),
    });
    times.collect()
}

/// How the games of an agent end.
#[derive(Serialize)]
struct JsonEnds<'r> {
    /// The number of games by ending, and by their highest tile.
    endings: &'r BTreeMap<Ending, u64>,
    highest: &'r BTreeMap<u64, u64>,
    moves: Option<Quartiles>,
    /// On average.
    empty_cells: Option<f64>,
    /// Of lost games: the moves since the board last had a quarter of its cells empty.
    crowded_moves: Option<Quartiles>,
    /// Of lost games: the moves since the highest tile was made.
    since_highest: Option<Quartiles>,
    /// The share of lost games that ended within so many moves of a new highest tile.
    lost_within: BTreeMap<u64, JsonRate>,
    /// By tile: of the games that made the tile before, the share that made it.
    next_tile: BTreeMap<u64, JsonRate>,
}

/// `place` is that of the agent in its ranking.
fn json_ends<'r>(ends: &'r GameEnds, steps: &[TileStep], place: usize) -> JsonEnds<'r> {
    let next_tile = steps.iter().filter_map(|step| {
        let chance = step.chances[place]?;
        Some((2 * step.from, json_rate(chance)))
    });
    let lost_within = ends.lost_within.iter();
    JsonEnds {
        endings: &ends.endings,
        highest: &ends.highest,
        moves: ends.moves,
        empty_cells: ends.empty_cells,
        crowded_moves: ends.crowded_moves,
        since_highest: ends.since_highest,
        lost_within: lost_within
            .map(|(moves, rate)| (*moves, json_rate(*rate)))
            .collect(),
        next_tile: next_tile.collect(),
    }
}

/// The state of a tournament with a stop rule.
#[derive(Serialize)]
struct JsonStop<'r> {
    /// `settled`, `open` or `unfinished`.
    state: &'static str,
    /// Of the agent with the most seeds, or of the next look.
    seeds: u64,
    open: Vec<JsonOpenPair<'r>>,
}

#[derive(Serialize)]
struct JsonOpenPair<'r> {
    a: &'r str,
    b: &'r str,
    budget: Option<&'r str>,
}

fn json_stop(decision: &Decision) -> JsonStop<'_> {
    let (state, seeds, open) = match &decision.state {
        DecisionState::Unfinished { seeds } => ("unfinished", *seeds, [].as_slice()),
        DecisionState::Settled { seeds } => ("settled", *seeds, [].as_slice()),
        DecisionState::Open { seeds, pairs } => ("open", *seeds, pairs.as_slice()),
    };
    JsonStop {
        state,
        seeds,
        open: open
            .iter()
            .map(|pair| JsonOpenPair {
                a: &pair.a,
                b: &pair.b,
                budget: pair.budget.as_deref(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{input, report_of_five_agents, three_seeds};

    /// The keys that the interface promises.
    const AGENT_KEYS: [&str; 13] = [
        "rank",
        "name",
        "budget",
        "games",
        "mean",
        "mean_low",
        "mean_high",
        "median",
        "max",
        "reach",
        "cpu_ms_per_move",
        "faults",
        "disqualified",
    ];
    const PAIR_KEYS: [&str; 11] = [
        "a",
        "b",
        "games",
        "mean_difference",
        "low",
        "high",
        "p_value",
        "correlation",
        "wins",
        "ties",
        "losses",
    ];

    fn parsed(report: &Report) -> serde_json::Value {
        serde_json::from_str(&json(report).unwrap()).unwrap()
    }

    #[test]
    fn the_promised_keys_are_there() {
        let report = parsed(&report_of_five_agents());
        for key in AGENT_KEYS {
            assert!(report["agents"][0].get(key).is_some(), "agents: {key}");
        }
        for key in PAIR_KEYS {
            assert!(report["pairs"][0].get(key).is_some(), "pairs: {key}");
        }
        assert_eq!(report["agents"][1]["reach"]["2048"]["rate"], 0.575);
        assert_eq!(report["agents"][1]["faults"]["overrun"], 2);
    }

    #[test]
    fn figures_are_not_rounded() {
        let report = parsed(&Report::new(&input(&["left", "right"]), &three_seeds()));
        assert_eq!(report["agents"][0]["mean"], 6_000.0);
        assert_eq!(report["pairs"][0]["p_value"], 0.75);
        assert_eq!(report["pairs"][0]["does_better"]["rate"], 2.0 / 3.0);
    }

    #[test]
    fn the_board_says_how_many_empty_cells_are_few() {
        let times = [3, 4, 6, 7].map(|empty| EmptyCellsTime {
            empty,
            turns: 1,
            cpu_us_per_turn: 2.0,
        });
        let crowded = |n_cells| {
            let times = json_empty_cells(&times, n_cells);
            times.iter().map(|time| time.crowded).collect::<Vec<_>>()
        };
        assert_eq!(crowded(16), [true, false, false, false]);
        assert_eq!(crowded(25), [true, true, true, false]);
        let json = serde_json::to_string(&json_empty_cells(&times[..1], 16)).unwrap();
        assert_eq!(
            json,
            r#"[{"empty":3,"turns":1,"cpu_us_per_turn":2.0,"crowded":true}]"#
        );
    }
}
