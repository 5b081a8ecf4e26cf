//! Odd tournaments: their sentences, tables and ranks must not contradict each other.

use std::num::NonZeroU32;

use plugin_api::Tiles;
use rand::Rng;

use super::{
    BudgetReport, PairReport, PairVerdict, Report,
    example::{numbered, plan},
    formats::{
        csv::{csv, matrix_csv, pairs_csv},
        json::{json, json_with_all_pairs},
        latex::latex,
        markdown::markdown,
        report_table::ReportTable,
        terminal_text::terminal_text,
    },
    layout::Layout,
    verdict::verdicts,
};
use run::{example::figures, game_figures::GameFigures, game_record::Ending, run_plan::RunPlan};
use statistics::{interval::Interval, simulated_scores::generator};
use tournament::StopRule;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// What the scores of an odd tournament look like.
#[derive(Clone, Copy, Debug)]
enum Oddity {
    /// All scores are equal.
    Tied,
    /// Nearly all scores are equal.
    NearlyTied,
    /// One seed in ten is worth a million points.
    Skewed,
    /// The last agent plays like the first.
    Copied,
    /// The last agent never makes a move.
    Faulty,
    /// Agents are far ahead on the first seeds, and then as far behind.
    Reversed,
    /// The strength of agents is as different as in a usual tournament.
    Usual,
}

const ODDITIES: [Oddity; 7] = [
    Oddity::Tied,
    Oddity::NearlyTied,
    Oddity::Skewed,
    Oddity::Copied,
    Oddity::Faulty,
    Oddity::Reversed,
    Oddity::Usual,
];

fn below(n: u64, random: &mut impl Rng) -> u64 {
    random.next_u64() % n
}

fn score(oddity: Oddity, agent: u64, seed: u64, random: &mut impl Rng) -> u64 {
    let luck = below(1_000, random);
    match oddity {
        Oddity::Tied => 4,
        Oddity::NearlyTied => 4 + luck / 990,
        Oddity::Skewed if luck < 100 => 1_000_000,
        Oddity::Skewed => 100 * agent + luck,
        Oddity::Reversed if seed < 12 => 4_000 * (agent % 2) + luck,
        Oddity::Reversed => 4_000 * (1 - agent % 2) + luck,
        Oddity::Copied | Oddity::Faulty | Oddity::Usual => 300 * agent + luck,
    }
}

/// The records of a tournament in the order of its plan.
fn records(plan: &RunPlan, oddity: Oddity, random: &mut impl Rng) -> Vec<GameFigures> {
    let n_agents = plan.agents.len() as u64;
    let n_seeds = plan.tournament.planned_seeds().len();
    let mut records: Vec<GameFigures> = Vec::new();
    for seed in 0..n_seeds {
        for (agent, index) in (0..n_agents).zip(0..) {
            let is_odd = agent + 1 == n_agents && agent > 0;
            let mut game = figures(index, seed + 1, score(oddity, agent, seed, random));
            game.highest = 1 << (below(3, random) + 10);
            game.n_moves = below(500, random);
            match oddity {
                Oddity::Copied if is_odd => {
                    let original = &records[records.len() + 1 - plan.agents.len()];
                    (game.score, game.highest) = (original.score, original.highest);
                    game.n_moves = original.n_moves;
                }
                Oddity::Faulty if is_odd => {
                    (game.score, game.highest, game.n_moves) = (0, 2, 0);
                    game.ending = Ending::Panic;
                }
                _ => {}
            }
            records.push(game);
        }
    }
    let mut records = numbered(plan, records);
    records.sort_by_key(|record| record.game);
    records
}

/// Not all games are there.
fn lose_some(mut records: Vec<GameFigures>, random: &mut impl Rng) -> Vec<GameFigures> {
    match below(3, random) {
        // The run was interrupted.
        0 => records.truncate(usize::try_from(below(records.len() as u64 + 1, random)).unwrap()),
        // Shards are missing.
        1 => records.retain(|record| !record.game.is_multiple_of(7)),
        _ => {}
    }
    records
}

fn odd_plan(random: &mut impl Rng) -> RunPlan {
    let n_agents = usize::try_from(1 + below(6, random)).unwrap();
    let n_seeds = [1, 2, 5, 6, 9, 15, 34][usize::try_from(below(7, random)).unwrap()];
    let equal_within = Some(0.1).filter(|_| below(2, random) == 0);
    let mut plan = plan(&NAMES[..n_agents]);
    let tournament = &mut plan.tournament;
    tournament.seeds = format!("1..{n_seeds}").parse().expect("a range of seeds");
    tournament.goal = Some(2_048).filter(|_| below(3, random) == 0);
    if below(8, random) == 0 {
        tournament.tiles = Tiles::Deterministic;
    }
    tournament.disqualify_after = NonZeroU32::new(3).filter(|_| below(2, random) == 0);
    tournament.stop = Some(StopRule {
        decided: 0.95,
        max_seeds: 60,
        equal_within,
    })
    .filter(|_| below(3, random) == 0);
    plan
}

/// What a pair's sentence, interval and p-values say must be the same.
#[track_caller]
fn check_pair(pair: &PairReport, plan: &RunPlan) {
    let comparison = &pair.comparison;
    let difference = comparison.mean_difference.unwrap_or(0.0);
    let is_win = pair.win().is_some();
    if is_win {
        let is_up = (difference > 0.0) == comparison.measure.more_is_better();
        let is_first = pair.verdict == PairVerdict::FirstIsBetter;
        assert!(difference != 0.0 && is_up == is_first, "{pair:?}");
    }
    if plan.tournament.tiles == Tiles::Deterministic {
        return;
    }
    let is_without_zero = |interval: &Interval| !interval.contains(0.0);
    assert_eq!(
        is_win,
        pair.interval.as_ref().is_some_and(is_without_zero),
        "{pair:?}"
    );
    if let Some(interval) = pair.interval {
        assert!(interval.low <= interval.high, "{pair:?}");
        assert!(interval.contains(difference), "{pair:?}");
    }
    let is_significant = pair.p_adjusted.is_some_and(|p_value| p_value <= 0.05);
    assert_eq!(is_win, is_significant, "{pair:?}");
    if plan.stop().is_none() {
        let is_significant = comparison.p_value.is_some_and(|p_value| p_value <= 0.05);
        let is_shown = pair.own_interval.as_ref().is_some_and(is_without_zero);
        assert_eq!(is_significant, is_shown, "{pair:?}");
        assert!(comparison.p_value <= pair.p_adjusted, "{pair:?}");
    }
}

/// Ranks, ranges and sentences must follow from the pairs.
#[track_caller]
fn check_part(part: &BudgetReport) {
    let agent = |name: &str| part.agents.iter().find(|agent| agent.name == name).unwrap();
    for pair in &part.pairs {
        let (a, b) = (agent(&pair.a), agent(&pair.b));
        match pair.verdict {
            PairVerdict::FirstIsBetter => assert!(a.rank <= b.rank, "{pair:?}"),
            PairVerdict::SecondIsBetter => assert!(b.rank <= a.rank, "{pair:?}"),
            PairVerdict::Equal | PairVerdict::Open => assert_eq!(a.rank, b.rank, "{pair:?}"),
        }
    }
    for (sentence, pair) in verdicts(part).iter().zip(part.neighbours()) {
        let claims = [
            "beats",
            "more often than",
            "needs fewer moves",
            "did better than",
        ];
        let is_claim = claims.iter().any(|claim| sentence.contains(claim));
        assert_eq!(is_claim, pair.win().is_some(), "{sentence}");
        let is_negative = sentence.contains("by -") || sentence.contains("by 0 [");
        assert!(!is_claim || !is_negative, "{sentence}");
    }
}

#[test]
fn odd_tournaments_have_reports_without_contradictions() {
    let mut random = generator(16);
    for round in 0..280 {
        let oddity = ODDITIES[round % ODDITIES.len()];
        let plan = odd_plan(&mut random);
        let records = records(&plan, oddity, &mut random);
        let report = Report::new(&plan, &lose_some(records, &mut random));
        for part in &report.budgets {
            part.pairs.iter().for_each(|pair| check_pair(pair, &plan));
            check_part(part);
        }
        let terminal = terminal_text(&report, ReportTable::all(), Layout::default());
        json(&report).unwrap();
        for text in [
            terminal,
            csv(&report),
            latex(&report, ReportTable::all()),
            markdown(&report, ReportTable::all()),
        ] {
            let is_strange = ["NaN", " inf", "e-308"]
                .iter()
                .find(|word| text.contains(**word));
            assert_eq!(
                is_strange, None,
                "{oddity:?}, {:?}: {text}",
                plan.tournament
            );
        }
    }
}

/// The case of a large class with few seeds.
fn a_class(n_agents: usize) -> (RunPlan, Report) {
    let names: Vec<String> = (0..n_agents)
        .map(|agent| format!("agent-{agent}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut plan = plan(&names);
    plan.tournament.seeds = "1..6".parse().expect("six seeds");
    let records = records(&plan, Oddity::Usual, &mut generator(3));
    let report = Report::new(&plan, &records);
    (plan, report)
}

#[test]
fn a_hundred_agents_on_six_seeds_are_compared() {
    let (plan, report) = a_class(100);
    let part = &report.budgets[0];
    part.pairs.iter().for_each(|pair| check_pair(pair, &plan));
    check_part(part);
    let n_wins = part
        .pairs
        .iter()
        .filter(|pair| pair.win().is_some())
        .count();
    assert!(n_wins > 1_000, "{n_wins}");
}

#[test]
fn of_more_than_thirty_agents_texts_show_neighbours_and_the_csv_has_all_pairs() {
    let (_, report) = a_class(40);
    let part = &report.budgets[0];
    for row in 0..40 {
        for column in (0..40).filter(|column| *column != row) {
            let (pair, is_first) = part.pair(row, column).unwrap();
            let [one, other] = [row, column].map(|place| &part.agents[place].name);
            let names = if is_first { [one, other] } else { [other, one] };
            assert_eq!([&pair.a, &pair.b], names);
        }
    }
    let text = terminal_text(&report, ReportTable::all(), Layout::default());
    let where_they_are = "a matrix of 40 agents would not fit; `host report RUN --format csv \
                          --tables matrix` prints it";
    let others = "corrected for all 780 pairs, which `host report RUN --format csv --tables pairs`";
    for text in [
        &text,
        &markdown(&report, ReportTable::all()),
        &latex(&report, ReportTable::all()),
    ] {
        assert!(text.contains(where_they_are), "{text}");
        assert!(!text.contains("row against column"), "{text}");
    }
    assert!(text.contains(others), "{text}");
    let list = text.split(others).nth(1).unwrap();
    let rows = list.lines().skip(4).take_while(|line| !line.is_empty());
    assert_eq!(rows.count(), 39, "{list}");
    let n_pairs = |text: String| {
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json["pairs"].as_array().unwrap().len()
    };
    assert_eq!(n_pairs(json(&report).unwrap()), 780);
    let (_, large) = a_class(101);
    assert_eq!(n_pairs(json(&large).unwrap()), 100);
    assert_eq!(n_pairs(json_with_all_pairs(&large).unwrap()), 5_050);
    assert_eq!(pairs_csv(&report).lines().count(), 781);
    let matrix = matrix_csv(&report);
    let cells = |verdict| matrix.matches(verdict).count();
    assert_eq!(matrix.lines().count(), 41);
    assert_eq!(cells("better "), cells("worse "));
    assert_eq!(cells("better ") + cells("worse ") + cells("open "), 40 * 39);

    let (_, small) = a_class(30);
    let text = terminal_text(&small, ReportTable::all(), Layout::default());
    assert!(text.contains("row against column"), "{text}");
    assert!(text.contains("Pairs on common seeds"), "{text}");
}
