//! The figures of the fixture with forty seeds, compared with those of other programs.

use super::example::report_of_five_agents;

/// Mean with interval, median and quartiles of the score; rate of 2048 with
/// interval. From `SciPy`, the bootstrap from a second implementation in Python.
type AgentFigures = (&'static str, [f64; 6], [f64; 3]);

const AGENT_FIGURES: [AgentFigures; 5] = [
    (
        "expectimax",
        [72_685.6, 60_127.3, 88_579.1, 63_762.0, 41_439.0, 75_436.0],
        [0.9500, 0.8350, 0.9862],
    ),
    (
        "mcts",
        [27_457.4, 22_387.4, 35_254.0, 27_860.0, 15_226.0, 31_310.0],
        [0.5750, 0.4220, 0.7149],
    ),
    (
        "minimax",
        [21_268.1, 17_766.2, 24_641.1, 18_608.0, 13_162.0, 31_763.0],
        [0.4737, 0.3248, 0.6274],
    ),
    (
        "snake",
        [8_683.7, 7_530.4, 10_038.0, 7_774.0, 6_222.0, 10_985.0],
        [0.0000, 0.0000, 0.0876],
    ),
    (
        "random",
        [1_101.2, 969.1, 1_273.6, 996.0, 780.0, 1_324.0],
        [0.0000, 0.0000, 0.0876],
    ),
];

/// Mean difference; simultaneous interval and that of the pair alone; correlation and variance
/// saved. The intervals are from a second implementation in Python, with 20,000 random sign
/// patterns of its own; the one of mcts and minimax, [-1,933, 14,820], ends at 0 because the
/// difference is significant.
type PairFigures = (&'static str, &'static str, f64, [f64; 4], [f64; 2]);

const PAIR_FIGURES: [PairFigures; 10] = [
    (
        "expectimax",
        "mcts",
        45_228.2,
        [24_015.0, 66_705.0, 31_762.0, 58_671.0],
        [0.2828, 0.2030],
    ),
    (
        "expectimax",
        "minimax",
        49_220.6,
        [28_545.0, 69_832.0, 36_402.0, 62_206.0],
        [0.3388, 0.1588],
    ),
    (
        "expectimax",
        "snake",
        64_001.9,
        [42_818.0, 85_434.0, 50_641.0, 77_362.0],
        [0.4724, 0.0854],
    ),
    (
        "expectimax",
        "random",
        71_584.4,
        [49_629.0, 93_711.0, 57_757.0, 85_431.0],
        [0.4587, 0.0095],
    ),
    (
        "mcts",
        "minimax",
        6_416.1,
        [0.0, 14_820.0, 1_227.0, 11_528.0],
        [0.5311, 0.4504],
    ),
    (
        "mcts",
        "snake",
        18_773.7,
        [9_667.0, 27_950.0, 13_102.0, 24_440.0],
        [0.2097, 0.0863],
    ),
    (
        "mcts",
        "random",
        26_356.2,
        [17_109.0, 35_652.0, 20_580.0, 32_093.0],
        [0.2225, 0.0109],
    ),
    (
        "minimax",
        "snake",
        12_750.6,
        [7_796.0, 17_727.0, 9_667.0, 15_833.0],
        [0.4263, 0.2841],
    ),
    (
        "minimax",
        "random",
        20_198.3,
        [14_803.0, 25_579.0, 16_833.0, 23_559.0],
        [0.4463, 0.0343],
    ),
    (
        "snake",
        "random",
        7_582.5,
        [5_702.0, 9_477.0, 6_399.0, 8_762.0],
        [0.5298, 0.1194],
    ),
];

/// Equal to the given digits.
#[track_caller]
fn agree<const N: usize>(actual: [Option<f64>; N], expected: [f64; N], digit: f64) {
    for (actual, expected) in actual.into_iter().zip(expected) {
        let actual = actual.expect("a figure");
        assert!(
            (actual - expected).abs() <= 0.51 * digit,
            "{actual} is not {expected}"
        );
    }
}

#[test]
fn figures_of_agents_agree_with_scipy_to_the_digits_shown() {
    let report = report_of_five_agents();
    let agents = &report.budgets[0].agents;
    for (agent, (name, scores, rates)) in agents.iter().zip(AGENT_FIGURES) {
        assert_eq!(agent.name, name);
        let summary = &agent.summary;
        let (interval, reach) = (summary.mean_interval.unwrap(), summary.reach[&2048]);
        let reach_interval = reach.interval.unwrap();
        let actual = [
            summary.mean,
            Some(interval.low),
            Some(interval.high),
            summary.median,
            summary.lower_quartile,
            summary.upper_quartile,
        ];
        agree(actual, scores, 0.1);
        let ends = [reach_interval.low, reach_interval.high].map(Some);
        agree([Some(reach.rate), ends[0], ends[1]], rates, 1e-4);
    }
}

#[test]
fn figures_of_pairs_agree_with_scipy_to_the_digits_shown() {
    let report = report_of_five_agents();
    let pairs = &report.budgets[0].pairs;
    assert_eq!(pairs.len(), PAIR_FIGURES.len());
    for (pair, (a, b, difference, intervals, shared)) in pairs.iter().zip(PAIR_FIGURES) {
        assert_eq!((pair.a.as_str(), pair.b.as_str()), (a, b));
        let comparison = &pair.comparison;
        agree([comparison.mean_difference], [difference], 0.1);
        let (all, own) = (pair.interval.unwrap(), pair.own_interval.unwrap());
        let tolerance = 0.02 * (all.high - all.low);
        for (actual, expected) in [all.low, all.high, own.low, own.high]
            .into_iter()
            .zip(intervals)
        {
            assert!(
                (actual - expected).abs() < tolerance,
                "{a} {b}: {actual} is not {expected}"
            );
        }
        let actual = [comparison.correlation, comparison.variance_reduction];
        agree(actual, shared, 1e-4);
    }
}

/// The same second implementation: all pairs but one are far from chance.
#[test]
fn corrected_p_values_agree_with_python() {
    let report = report_of_five_agents();
    for pair in &report.budgets[0].pairs {
        let p_value = pair.p_adjusted.unwrap();
        if (pair.a.as_str(), pair.b.as_str()) == ("mcts", "minimax") {
            assert!((p_value - 0.0173).abs() < 0.002, "{p_value}");
        } else {
            assert!(p_value < 1e-4, "{} {}: {p_value}", pair.a, pair.b);
        }
    }
}

/// Best score, mean moves and CPU time per move in milliseconds, from pandas; the rates
/// of 512, 1024 and 4096 with Wilson's intervals from `SciPy`.
type MoreAgentFigures = (&'static str, u64, [f64; 2], [[f64; 3]; 3]);

const MORE_AGENT_FIGURES: [MoreAgentFigures; 5] = [
    (
        "expectimax",
        166_244,
        [3_634.25, 0.820_473],
        [
            [1.0, 0.9124, 1.0],
            [1.0, 0.9124, 1.0],
            [0.725, 0.5717, 0.8389],
        ],
    ),
    (
        "mcts",
        76_412,
        [1_372.95, 0.966_350],
        [
            [1.0, 0.9124, 1.0],
            [0.825, 0.6805, 0.9125],
            [0.125, 0.0546, 0.2611],
        ],
    ),
    (
        "minimax",
        37_176,
        [1_063.342_105, 0.549_731],
        [
            [1.0, 0.9082, 1.0],
            [0.8158, 0.6658, 0.9078],
            [0.0, 0.0, 0.0918],
        ],
    ),
    (
        "snake",
        16_984,
        [457.825, 0.209_645],
        [
            [0.875, 0.7389, 0.9454],
            [0.3, 0.1807, 0.4543],
            [0.0, 0.0, 0.0876],
        ],
    ),
    (
        "random",
        2_476,
        [122.35, 0.001_195],
        [[0.0, 0.0, 0.0876], [0.0, 0.0, 0.0876], [0.0, 0.0, 0.0876]],
    ),
];

#[test]
fn best_moves_times_and_rates_agree_with_pandas_and_scipy() {
    let report = report_of_five_agents();
    let agents = &report.budgets[0].agents;
    for (agent, (name, best, per_game, rates)) in agents.iter().zip(MORE_AGENT_FIGURES) {
        let summary = &agent.summary;
        assert_eq!((agent.name.as_str(), summary.best), (name, Some(best)));
        let actual = [summary.mean_moves, agent.time.cpu_ms_per_move];
        agree(actual, per_game, 1e-6);
        for (tile, expected) in [512, 1_024, 4_096].into_iter().zip(rates) {
            let reach = summary.reach[&tile];
            let interval = reach.interval.unwrap();
            let actual = [reach.rate, interval.low, interval.high].map(Some);
            agree(actual, expected, 1e-4);
        }
    }
}

#[test]
fn wins_ties_and_losses_agree_with_pandas() {
    let report = report_of_five_agents();
    let counts = report.budgets[0].pairs.iter().map(|pair| {
        let comparison = &pair.comparison;
        [comparison.wins, comparison.ties, comparison.losses]
    });
    let expected = [
        [36, 0, 4],
        [36, 0, 2],
        [40, 0, 0],
        [40, 0, 0],
        [24, 0, 14],
        [37, 0, 3],
        [40, 0, 0],
        [36, 0, 2],
        [38, 0, 0],
        [40, 0, 0],
    ];
    assert_eq!(counts.collect::<Vec<_>>(), expected);
}
