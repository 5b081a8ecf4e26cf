//! Key by key: the values that are accepted, and the messages about all others.

use std::num::{NonZeroU32, NonZeroU64};

use plugin_api::{FourShare, Salt};

use super::*;
use crate::{Budget, BudgetLimit, SaltChoice};

/// The messages about a file with these lines before its agents, `a` and `b`.
#[track_caller]
fn message(lines: &str) -> String {
    let text = format!("{lines}\nagents:\n- plugin: a\n- plugin: b\n");
    match parse_text(&text) {
        Ok(tournament) => panic!("`{lines}` is accepted: {tournament:?}"),
        Err(diagnostics) => diagnostics.messages().collect::<Vec<_>>().join("; also "),
    }
}

#[test]
fn valid_values_are_accepted() {
    assert_eq!(accepted("name: 007").name, "007");
    assert_eq!(accepted("name: 1e4").name, "1e4");
    assert_eq!(accepted("board: 8").side.length(), 8);
    assert_eq!(accepted("board: '3'").side.length(), 3);
    assert_eq!(accepted("seeds: 7").seeds.to_string(), "7");
    assert_eq!(accepted("seeds: [3, 5..6]").seeds.to_string(), "3, 5..6");
    assert_eq!(accepted("seeds: 1..10000000").seeds.len(), 10_000_000);
    let zeros = "0".repeat(48);
    assert_eq!(
        accepted(&format!("salt: {zeros}")).salt,
        SaltChoice::Given(Salt::NONE)
    );
    let salt = format!("{}e5", "1".repeat(46));
    assert_eq!(accepted(&format!("salt: {salt}")).salt.to_string(), salt);
    assert_eq!(accepted("goal: 131072").goal, Some(131_072));
    assert_eq!(accepted("goal: 32\nboard: 2").goal, Some(32));
    assert_eq!(accepted("goal: ").goal, None);
    assert_eq!(accepted("max_moves: 10").rules().max_moves, Some(10));
    assert_eq!(accepted("max_moves: 10").max_moves, NonZeroU64::new(10));
    assert_eq!(accepted("memory: 512MiB").memory, 536_870_912);
    assert_eq!(accepted("memory: 67108864").memory, 67_108_864);
    assert_eq!(accepted("thoughts: 2KB").thoughts, NonZeroU64::new(2000));
    assert_eq!(accepted("thoughts: none").thoughts, None);
    assert_eq!(
        accepted("disqualify_after: 1").disqualify_after,
        NonZeroU32::new(1)
    );
    assert_eq!(accepted("disqualify_after: never").disqualify_after, None);
    assert_eq!(accepted("control: b").control.as_deref(), Some("b"));
    assert_eq!(Some(accepted("four: 0").four), FourShare::new(0.0));
    assert_eq!(Some(accepted("four: 1").four), FourShare::new(1.0));
    assert_eq!(
        accepted("isolation: none\nbudget: {nodes: 9}").budgets[0].label(),
        "9 nodes"
    );
    assert_eq!(accepted("budget: none").budgets[0].limit, BudgetLimit::None);
    assert_eq!(
        accepted("budget: {bank: 0s}").budgets[0].limit,
        BudgetLimit::None
    );
    let labels = accepted("budget: [{per_move: 1ms}, {per_move: 1ms, bank: 1s}, none]").budgets;
    let labels: Vec<_> = labels.iter().map(ToString::to_string).collect();
    assert_eq!(labels, ["1ms cpu", "1ms cpu, bank 1s", "no budget"]);
}

/// Lines with one error, and how its message starts.
const BAD_VALUES: &[(&str, &str)] = &[
    ("name: .", "`.` is not a valid name"),
    ("name: [a]", "expected a single value, found a list"),
    ("name:", "expected a single value, found nothing"),
    ("board: 9", "a board has a side of 2 to 8, not `9`"),
    ("board: -4", "a board has a side of 2 to 8, not `-4`"),
    ("board: 4.0", "a board has a side of 2 to 8, not `4.0`"),
    (
        "tiles: 1",
        "unknown value `1`; known values: random, deterministic",
    ),
    ("four: .nan", "`.nan` is not a number from 0 to 1"),
    ("four: NaN", "`NaN` is not a number from 0 to 1"),
    ("four: -0.1", "`-0.1` is not a number from 0 to 1"),
    (
        "seeds: 20..1",
        "the range 20..1 runs backwards; write 1..20",
    ),
    (
        "seeds: 1..9007199254740993",
        "seed 9007199254740993 is too large",
    ),
    (
        "seeds: 99999999999999999999999999999999999999999999",
        "seed 9999999999",
    ),
    ("seeds: []", "no seeds; write for example `1..20`"),
    ("seeds: [1, [2]]", "expected a single value, found a list"),
    ("seeds: {1: 2}", "expected a single value, found a mapping"),
    (
        "salt: pepper",
        "`pepper` is not a salt; write `none`, `secret` or 48",
    ),
    ("goal: 2", "`2` is not a valid goal"),
    ("goal: 2000", "`2000` is not a valid goal"),
    (
        "goal: 262144",
        "a tile of 262144 cannot be reached on 4×4; the largest is 131072",
    ),
    (
        "goal: 64\nboard: 2",
        "a tile of 64 cannot be reached on 2×2; the largest is 32",
    ),
    ("max_moves: 0", "`0` is not a whole number of at least 1"),
    (
        "rank_by: reach",
        "ranking by `reach` needs a `goal`, such as `goal: 2048`",
    ),
    ("rank_by: reach\ngoal: 3", "`3` is not a valid goal"),
    (
        "budget: 7",
        "expected a budget such as `1ms` or `{ nodes: 1000 }`, found a number",
    ),
    ("budget: []", "the list of budgets is empty"),
    (
        "budget: {per_move: 0ms}",
        "the time must be greater than zero",
    ),
    (
        "budget: {per_move: 1.5}",
        "`1.5` has no unit; write for example `1.5ms`",
    ),
    (
        "budget: {nodes: 0}",
        "`0` is not a whole number of at least 1",
    ),
    (
        "budget: {clock: cup}",
        "unknown value `cup`; known values: cpu, wall",
    ),
    (
        "budget: {overrun: endgame}",
        "unknown value `endgame`; known values: warn, end-game",
    ),
    (
        "budget: {per_move: 2min, hang: 1min}",
        "`hang` is 1min, but a turn may take 120.1s",
    ),
    (
        "budget: {sleep: 5}",
        "`5` has no unit; write for example `5ms`",
    ),
    (
        "budget: {per_mov: 1ms}",
        "unknown key `per_mov`; did you mean `per_move`?",
    ),
    (
        "budget: [{nodes: 5}, {nodes: 5, setup: 1s}]",
        "budgets 1 and 2 are both `5 nodes`; remove one",
    ),
    (
        "isolation: none\nbudget: {per_move: 1ms}",
        "without isolation time cannot be measured",
    ),
    (
        "isolation: none\nsandbox: required",
        "`isolation: none` has no sandbox",
    ),
    (
        "sandbox: no",
        "unknown value `no`; known values: on, required, off",
    ),
    (
        "sandbox: true",
        "unknown value `true`; known values: on, required, off",
    ),
    (
        "memory: 4",
        "4 bytes are not enough; a worker needs at least 64MiB; write for example `4GiB`",
    ),
    ("memory: 4G", "`4G` is not a memory size"),
    ("thoughts: 0", "0 bytes keep nothing; write `none`"),
    ("thoughts: yes", "`yes` is not a memory size"),
    (
        "disqualify_after: 0",
        "`0` is not a whole number of at least 1, or `never`",
    ),
    ("disqualify_after: 5000000000", "5000000000 is too large"),
    ("control: c", "unknown agent `c`; known agents: a, b"),
    (
        "control: expectimax",
        "unknown agent `expectimax`; known agents: a, b",
    ),
    (
        "seeds: 1..9007199254740991",
        "this makes 18,014,398,509,481,982 games, more than the limit of 100,000,000; use fewer seeds",
    ),
    ("stop: 0.95", "expected `none` or a rule such as"),
    (
        "stop: {decided: 0.95}",
        "missing key `max_seeds`; write for example",
    ),
    (
        "stop: {decided: 1, max_seeds: 99}",
        "`1` is not a number between 0 and 1",
    ),
    (
        "stop: {decided: 0.9, max_seeds: 9}",
        "`max_seeds` is 9, but nothing is decided before 10 seeds; raise `max_seeds`, \
         or remove `stop`",
    ),
    (
        "stop: {decided: 0.9, max_seeds: 19}",
        "`max_seeds` is 19, but `seeds` already has 20; raise `max_seeds`",
    ),
    (
        "stop: {decided: 0.9, max_seeds: 9007199254740992}",
        "this makes 18,014,398,509,481,984 games, more than the limit of 100,000,000; use fewer seeds",
    ),
    (
        "workers: 0",
        "`0` is not a whole number of at least 1, or `auto`",
    ),
    (
        "stop: {decided: 0.9, max_seeds: 99, equal_within: 0}",
        "`0` is not a share above 0% and below 100%; write for example `5%`",
    ),
    (
        "stop: {decided: 0.9, max_seeds: 99, equal_within: 5 %x}",
        "`5 %x` is not a share",
    ),
    // A check of two keys does not repeat the error of one of them.
    (
        "board: 9\ngoal: 262144",
        "a board has a side of 2 to 8, not `9`",
    ),
    ("salt: pepper\nprivate_seeds: 1", "`pepper` is not a salt"),
    (
        "colour: red",
        "unknown key `colour`; known keys: name, board, tiles",
    ),
];

#[test]
fn invalid_values_are_rejected_with_valid_ones() {
    for (lines, expected) in BAD_VALUES {
        let message = message(lines);
        assert!(message.starts_with(expected), "`{lines}`: {message}");
        assert!(!message.contains("; also "), "`{lines}`: {message}");
    }
}

#[test]
fn invalid_agents_are_rejected_with_valid_ones() {
    for (agents, expected) in [
        (
            "[]",
            "no agents; write a list of agents such as `- plugin: expectimax`",
        ),
        ("mcts", "expected a list of agents such as"),
        (
            "[7]",
            "expected an agent such as `plugin: expectimax`, found a number",
        ),
        (
            "[{plugin: ''}]",
            "expected the name or the path of a plugin",
        ),
        (
            "[{plugin: /}]",
            "`/` cannot be used as the name of an agent; set `name`",
        ),
        ("[{plugin: a, name: a b}]", "`a b` is not a valid name"),
        ("[{plugin: a, params: 4}]", "expected a mapping such as"),
        (
            "[{plugin: a, params: {x: .inf}}]",
            "a parameter must be a finite number",
        ),
        (
            "[{plugin: a, params: {x: 99999999999999999999}}]",
            "99999999999999999999 does not fit in 64 bits",
        ),
        (
            "[{plugin: a, params: {x: {y: 1, y: 2}}}]",
            "duplicate key `y`, first in line 1",
        ),
        (
            "[{program: python3}]",
            "expected a list of words such as `[python3, anna.py]`, found a string",
        ),
        (
            "[{program: []}]",
            "expected a list of words such as `[python3, anna.py]`",
        ),
        (
            "[{plugin: a, program: [b]}]",
            "`plugin` and `program` exclude each other; `program` is a whole command",
        ),
        (
            "[{folder: a, name: b}]",
            "a folder has no `name`: every plugin in it is an agent with the name of its file",
        ),
        (
            "[{plugin: a, allow_read: x}]",
            "expected a list of paths, found a string",
        ),
        (
            "[{plugin: a, allow_read: [1]}]",
            "expected a path, found a number",
        ),
    ] {
        let diagnostics = parse_text(&format!("agents: {agents}")).unwrap_err();
        let messages: Vec<_> = diagnostics.messages().collect();
        assert!(messages[0].starts_with(expected), "{agents}: {messages:?}");
        assert_eq!(messages.len(), 1, "{agents}: {messages:?}");
    }
}

#[test]
fn a_text_is_short_for_the_plugin_of_an_agent_and_for_the_time_per_move() {
    let written = |text: &str| parse_text(text).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(
        written("agents: [greedy, ./anna.py]\nbudget: [1ms, none, { nodes: 5 }]"),
        written(
            "agents: [{ plugin: greedy }, { plugin: ./anna.py }]\n\
             budget: [{ per_move: 1ms }, none, { nodes: 5 }]"
        ),
    );
    let errors = parse_text("agents: [a, a, 7]\nbudget: 1 hour").unwrap_err();
    insta::assert_snapshot!(errors, @r"
    t/x.yaml:1:13: two agents are named `a`, in lines 1 and 1; give one of them a different `name`
      1 | agents: [a, a, 7]
        |             ^
    t/x.yaml:1:16: expected an agent such as `plugin: expectimax`, found a number
      1 | agents: [a, a, 7]
        |                ^
    t/x.yaml:2:9: `1 hour` is not a duration; write for example `500us`, `1.5ms`, `10s`, `2min` or `1h`
      2 | budget: 1 hour
        |         ^^^^^^
    3 errors in t/x.yaml
    ");
}

#[test]
fn a_parameter_beside_the_plugin_and_a_time_by_another_name_have_a_way_out() {
    let errors = parse_text(
        "agents:\n- plugin: expectimax\n  depth: 2\n- plugin: minimax d3\nbudget: { time: 10ms }",
    );
    insta::assert_snapshot!(errors.unwrap_err(), @r"
    t/x.yaml:3:3: unknown key `depth`; for a parameter of the plugin, write `params: { depth: 2 }`; known keys: plugin, program, name, params, allow_read, memory, folder
      3 |   depth: 2
        |   ^^^^^
    t/x.yaml:4:11: `minimax d3` cannot be used as the name of an agent; for the plugin `minimax` with parameters, write `plugin: minimax` and `params`; otherwise set `name`
      4 | - plugin: minimax d3
        |           ^^^^^^^^^^
    t/x.yaml:5:11: unknown key `time`; write `per_move`, for example `per_move: 1ms`
      5 | budget: { time: 10ms }
        |           ^^^^
    3 errors in t/x.yaml
    ");
}

#[test]
fn a_budget_without_keys_is_the_default() {
    assert_eq!(accepted("budget: {}").budgets, [Budget::default()]);
    assert_eq!(accepted("").budgets, [Budget::default()]);
}

#[test]
fn a_value_that_contains_itself_is_rejected() {
    for text in ["agents: &a [*a]", "agents: [&a {plugin: x, params: *a}]"] {
        let diagnostics = parse_text(text).unwrap_err().to_string();
        assert!(diagnostics.contains("nested too deeply"), "{diagnostics}");
    }
}
