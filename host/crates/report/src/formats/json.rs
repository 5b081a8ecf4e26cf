//! The report as one JSON object. Scripts rely on its keys. Those of agents and pairs are columns, in
//! `tables/agent_tables.rs` and `tables/pair_tables.rs`.

use std::collections::BTreeMap;

use serde::Serialize;

use run::counted::{Decision, DecisionState, GameCounts};
use run::{
    game_record::{Ending, is_crowded},
    run_plan::LeftOut,
};
use statistics::{interval::Confidence, rate::Rate};
use text::escape::json_text;

use crate::{
    Methods, Report,
    budget_report::{AgentReport, BudgetReport},
    fault_example::FaultExample,
    game_ends::GameEnds,
    pair_report::PairReport,
    tables::{agent_tables, column::Keys, pair_tables},
    tile_steps::{TileStep, tile_steps},
    time_use::EmptyCellsTime,
};

#[derive(Serialize)]
struct ReportObject<'r> {
    name: &'r str,
    goal: Option<u64>,
    agents: Vec<Agent<'r>>,
    pairs: Vec<Pair<'r>>,
    /// Whether these are all pairs, and not only neighbours in the ranking.
    all_pairs: bool,
    confidence: f64,
    stop: Option<Stop<'r>>,
    /// Submissions that do not play.
    left_out: &'r [LeftOut],
    notes: Vec<String>,
    games: GameCounts,
    #[serde(skip_serializing_if = "Option::is_none")]
    methods: Option<&'r Methods>,
}

/// Scores on private and on shared seeds, where the tournament has private ones.
#[derive(Serialize)]
struct PrivateSeeds {
    games: usize,
    mean: f64,
    shared_games: usize,
    shared_mean: f64,
    /// One-sided, corrected for the number of agents.
    p_value: f64,
}

#[derive(Serialize)]
struct Agent<'r> {
    #[serde(flatten)]
    place: Keys<'r, AgentReport>,
    budget: Option<&'r str>,
    #[serde(flatten)]
    scores: Keys<'r, AgentReport>,
    reach: &'r BTreeMap<u64, Rate>,
    /// By tile: the corrected p-value of the difference to the rate of the agent above in the ranking.
    reach_p_values: &'r BTreeMap<u64, f64>,
    /// The scores by seed.
    scores_by_seed: BTreeMap<u64, u64>,
    #[serde(flatten)]
    moves_and_times: Keys<'r, AgentReport>,
    /// By the number of empty cells before the turn.
    move_us_by_empty: Vec<EmptyCells>,
    ends: Ends<'r>,
    faults: &'r BTreeMap<Ending, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    private_seeds: Option<PrivateSeeds>,
    /// Whether it is the second entry of the control, which has no rank.
    control: bool,
    /// The agents that made the same moves on all seeds.
    same_games_as: &'r [String],
    fault_examples: &'r [FaultExample],
    disqualified: bool,
    disqualified_because: Option<&'r str>,
}

#[derive(Serialize)]
struct Detectable {
    seeds: usize,
    /// `null` where so many seeds cannot prove any difference.
    difference: f64,
}

#[derive(Serialize)]
struct Pair<'r> {
    #[serde(flatten)]
    names: Keys<'r, PairReport>,
    budget: Option<&'r str>,
    #[serde(flatten)]
    difference: Keys<'r, PairReport>,
    /// Of pairs that cannot be distinguished: the differences that so many seeds would show in 4 of 5
    /// runs.
    detectable: Vec<Detectable>,
    /// The share of seeds on which `a` did better.
    does_better: Rate,
    #[serde(flatten)]
    seeds: Keys<'r, PairReport>,
}

/// The most agents whose pairs are all listed. Those of 1,000 take half a gigabyte.
const MOST_WITH_ALL_PAIRS: usize = 100;

/// The report, ending in a line feed; with more than 100 agents, of the pairs only neighbours in the
/// ranking.
///
/// # Errors
/// None in practice: all keys are strings.
pub fn json(report: &Report) -> serde_json::Result<String> {
    let mut parts = report.budgets.iter();
    let all_pairs = parts.all(|part| part.n_ranked() <= MOST_WITH_ALL_PAIRS);
    Ok(json_text(&report_object(report, all_pairs))? + "\n")
}

/// The same with every pair.
///
/// # Errors
/// None in practice: all keys are strings.
pub fn json_with_all_pairs(report: &Report) -> serde_json::Result<String> {
    Ok(json_text(&report_object(report, true))? + "\n")
}

fn report_object(report: &Report, all_pairs: bool) -> ReportObject<'_> {
    let parts = || report.budgets.iter();
    let confidence = parts()
        .next()
        .map_or(Confidence::USUAL, |part| part.confidence);
    ReportObject {
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
                let pairs = part.pairs.iter();
                let pairs = pairs.filter(move |pair| all_pairs || pair.neighbours);
                pairs.map(move |pair| json_pair(pair, part))
            })
            .collect(),
        all_pairs,
        confidence: confidence.level,
        stop: report.counted.decision.as_ref().map(json_stop),
        left_out: &report.left_out,
        notes: report.notes.iter().map(ToString::to_string).collect(),
        games: report.games,
        methods: report.methods.as_ref(),
    }
}

fn json_agent<'r>(
    agent: &'r AgentReport,
    part: &'r BudgetReport,
    n_cells: usize,
    steps: &[TileStep],
    place: usize,
) -> Agent<'r> {
    let summary = &agent.summary;
    Agent {
        place: Keys(agent, agent_tables::JSON_PLACE),
        budget: part.label.as_deref(),
        scores: Keys(agent, agent_tables::JSON_SCORES),
        reach: &summary.reach,
        reach_p_values: &agent.tile_p_values,
        scores_by_seed: agent
            .outcomes
            .iter()
            .map(|outcome| (outcome.seed, outcome.score))
            .collect(),
        moves_and_times: Keys(agent, agent_tables::JSON_MOVES_AND_TIMES),
        move_us_by_empty: empty_cells(&agent.time.by_empty, n_cells),
        ends: ends(&agent.ends, steps, place),
        faults: &summary.faults,
        private_seeds: agent.private_seeds.map(|test| PrivateSeeds {
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

fn json_pair<'r>(pair: &'r PairReport, part: &'r BudgetReport) -> Pair<'r> {
    let detectable = pair.detectable.iter();
    Pair {
        names: Keys(pair, pair_tables::JSON_NAMES),
        budget: part.label.as_deref(),
        difference: Keys(pair, pair_tables::JSON_DIFFERENCE),
        detectable: detectable
            .map(|&(seeds, difference)| Detectable { seeds, difference })
            .collect(),
        does_better: pair.comparison.does_better,
        seeds: Keys(pair, pair_tables::JSON_SEEDS),
    }
}

/// The time per move with so many empty cells.
#[derive(Serialize)]
struct EmptyCells {
    #[serde(flatten)]
    time: EmptyCellsTime,
    /// Whether a board with so few empty cells is crowded. The page compares such turns with the
    /// others.
    crowded: bool,
}

fn empty_cells(times: &[EmptyCellsTime], n_cells: usize) -> Vec<EmptyCells> {
    let is_crowded = |empty| usize::try_from(empty).is_ok_and(|empty| is_crowded(empty, n_cells));
    let times = times.iter().map(|time| EmptyCells {
        time: *time,
        crowded: is_crowded(time.empty),
    });
    times.collect()
}

/// How the games of an agent end.
#[derive(Serialize)]
struct Ends<'r> {
    #[serde(flatten)]
    ends: &'r GameEnds,
    /// By tile: of the games that made the tile before, the share that made it.
    next_tile: BTreeMap<u64, Rate>,
}

/// `place` is that of the agent in its ranking.
fn ends<'r>(ends: &'r GameEnds, steps: &[TileStep], place: usize) -> Ends<'r> {
    let next_tile = steps
        .iter()
        .filter_map(|step| Some((2 * step.from, step.chances[place]?)));
    Ends {
        ends,
        next_tile: next_tile.collect(),
    }
}

/// The state of a tournament with a stop rule.
#[derive(Serialize)]
struct Stop<'r> {
    /// `settled`, `open` or `unfinished`.
    state: &'static str,
    /// Of the agent with the most seeds, or of the next look.
    seeds: u64,
    open: Vec<OpenPair<'r>>,
}

#[derive(Serialize)]
struct OpenPair<'r> {
    a: &'r str,
    b: &'r str,
    budget: Option<&'r str>,
}

fn json_stop(decision: &Decision) -> Stop<'_> {
    let (state, seeds, open) = match &decision.state {
        DecisionState::Unfinished { seeds } => ("unfinished", *seeds, [].as_slice()),
        DecisionState::Settled { seeds } => ("settled", *seeds, [].as_slice()),
        DecisionState::Open { seeds, pairs } => ("open", *seeds, pairs.as_slice()),
    };
    Stop {
        state,
        seeds,
        open: open
            .iter()
            .map(|pair| OpenPair {
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
    use crate::example::{plan, report_of, report_of_five_agents, three_seeds};

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
        let report = parsed(&report_of(&plan(&["left", "right"]), three_seeds()));
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
            let times = empty_cells(&times, n_cells);
            times.iter().map(|time| time.crowded).collect::<Vec<_>>()
        };
        assert_eq!(crowded(16), [true, false, false, false]);
        assert_eq!(crowded(25), [true, true, true, false]);
        let json = serde_json::to_string(&empty_cells(&times[..1], 16)).unwrap();
        assert_eq!(
            json,
            r#"[{"empty":3,"turns":1,"cpu_us_per_turn":2.0,"crowded":true}]"#
        );
    }
}
