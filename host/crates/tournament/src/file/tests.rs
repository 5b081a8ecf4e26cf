//! Whole files: the tournaments they describe, and all of their errors.

mod documentation;
mod hostile_files;
mod schema;
mod values;

use serde_json::json;

use super::*;

/// The sample file of the documentation, key by key.
pub(super) const SAMPLE: &str = "\
name: default
board: 4                 # side, 2 to 8
tiles: random            # random | deterministic
four: 0.1                # share of 4s among the new tiles
seeds: 1..20             # both included; or a list; below 2^53
salt: none               # none | secret | 48 hex digits
goal: none
max_moves: none
rank_by: score
budget:
  per_move: 1ms          # or  nodes: 20000
  clock: cpu             # cpu | wall
  bank: 100ms
  overrun: end-game      # when the bank is empty: warn | end-game
  setup: 5s              # CPU for making the agent
  hang: 10s
isolation: process
sandbox: on              # on | required | off
memory: 4GiB
thoughts: none
disqualify_after: 3
control: none
stop: none
workers: auto
agents:
  - plugin: expectimax
  - plugin: minimax
    name: minimax-d4
    params: { depth: 4 }
    allow_read: []
";

fn parse_text(text: &str) -> Result<Tournament, Diagnostics> {
    parse(&TournamentSource::new("t/x.yaml", text))
}

/// The tournament of a file with these lines before its agents, `a` and `b`.
#[track_caller]
fn accepted(lines: &str) -> Tournament {
    let text = format!("{lines}\nagents:\n- plugin: a\n- plugin: b\n");
    parse_text(&text).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

#[test]
fn the_sample_says_the_defaults_except_for_the_budget() {
    let sample = parse_text(SAMPLE).unwrap();
    assert_eq!(sample.agents[1].params["depth"], json!(4));
    let short = "name: default\nbudget: {per_move: 1ms}\nagents:\n- plugin: expectimax\n\
                 - {plugin: minimax, name: minimax-d4, params: {depth: 4}}\n";
    assert_eq!(parse_text(short).unwrap(), sample);
}

#[test]
fn a_tournament_survives_the_round_trip_through_the_plan() {
    let text = "salt: secret\nseeds: [1..3, 9]\ngoal: 2048\nrank_by: reach\nfour: 0.25\n\
                budget: [{nodes: 500}, {per_move: 1.5ms, clock: wall}, none]\n\
                stop: {decided: 0.95, max_seeds: 2000, equal_within: 5%}\nworkers: 3\ncontrol: b";
    let tournament = accepted(text);
    let plan = serde_json::to_string(&tournament).unwrap();
    assert_eq!(
        serde_json::from_str::<Tournament>(&plan).unwrap(),
        tournament
    );
}

#[test]
fn ten_diagnostics_are_reported_at_once() {
    let text = "\
name: my cup
bord: 4
tiles: randon
four: 1.5
seeds: [1..20, 7]
budget:
  per_move: 10
  nodes: 20000
agents:
  - plugin: expectimax
    parms: { depth: 4 }
  - name: nobody
  - plugin: ./libexpectimax.so
";
    insta::assert_snapshot!(parse_text(text).unwrap_err(), @"
    t/x.yaml:1:7: `my cup` is not a valid name; use up to 100 letters (a to z, A to Z), digits, `-`, `_` and `.`, not starting with `-` or `.`
      1 | name: my cup
        |       ^^^^^^
    t/x.yaml:2:1: unknown key `bord`; did you mean `board`?
      2 | bord: 4
        | ^^^^
    t/x.yaml:3:8: unknown value `randon`; known values: random, deterministic
      3 | tiles: randon
        |        ^^^^^^
    t/x.yaml:4:7: `1.5` is not a number from 0 to 1
      4 | four: 1.5
        |       ^^^
    t/x.yaml:5:16: duplicate seed 7: in 1..20 and in 7
      5 | seeds: [1..20, 7]
        |                ^
    t/x.yaml:7:13: `10` has no unit; write for example `10ms` (units: ns, us, ms, s, min, h)
      7 |   per_move: 10
        |             ^^
    t/x.yaml:8:10: a budget limits `per_move` or `nodes`, not both; remove one, or write a list of two budgets
      8 |   nodes: 20000
        |          ^^^^^
    t/x.yaml:11:5: unknown key `parms`; did you mean `params`?
      11 |     parms: { depth: 4 }
         |     ^^^^^
    t/x.yaml:12:5: missing key `plugin`; name the plugin that plays, for example `plugin: expectimax`, or a folder of plugins, for example `folder: submissions`
      12 |   - name: nobody
         |     ^
    t/x.yaml:13:13: two agents are named `expectimax`, in lines 10 and 13; give one of them a different `name`
      13 |   - plugin: ./libexpectimax.so
         |             ^^^^^^^^^^^^^^^^^^
    10 errors in t/x.yaml
    ");
}

#[test]
fn files_that_are_not_tournaments_are_rejected_with_one_message() {
    let shown: Vec<_> = [
        "",
        "# only a comment\n",
        "- plugin: a\n",
        "hello",
        "agents: [\n\n",
        "agents:\n\t- plugin: a\n",
        "agents:\n  - plugin: a\n name: x\n",
        "name: a: b\n",
        "agents: *nobody\n",
        "a: 1\n---\nb: 2\n",
        "agents: !list [a]\n",
        "? [1, 2]\n: x\n",
        "board: 4\nboard: 5\nagents: [{plugin: a, plugin: b}]\n",
        "name: x\n",
    ]
    .iter()
    .map(|text| parse_text(text).unwrap_err().to_string())
    .collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    t/x.yaml: the file is empty; it needs at least `agents`
    t/x.yaml: the file is empty; it needs at least `agents`
    t/x.yaml: expected a mapping with keys such as `agents`, found a list
    t/x.yaml: expected a mapping with keys such as `agents`, found a string
    t/x.yaml:1:10: not YAML: did not find expected node content, while parsing a flow node
      1 | agents: [
        |          ^
    t/x.yaml:2:1: YAML must not be indented with tabs; use spaces
      2 |  - plugin: a
        | ^
    t/x.yaml:3:2: not YAML: a key was expected here; check the indentation and the quotes
      3 |  name: x
        |  ^
    t/x.yaml:1:8: not YAML: a `:` does not belong here; check the indentation, and quote a value that contains `: `
      1 | name: a: b
        |        ^
    t/x.yaml:1:9: an alias (`*…`) has no anchor (`&…`) before it
      1 | agents: *nobody
        |         ^
    t/x.yaml: more than one YAML document in the file; remove the line `---`
    t/x.yaml:1:9: tags (`!…`) are not supported in a tournament file
      1 | agents: !list [a]
        |         ^
    t/x.yaml:1:3: a list or a mapping cannot be a key
      1 | ? [1, 2]
        |   ^
    t/x.yaml:2:1: duplicate key `board`, first in line 1; remove one
      2 | board: 5
        | ^^^^^
    t/x.yaml:3:22: duplicate key `plugin`, first in line 3; remove one
      3 | agents: [{plugin: a, plugin: b}]
        |                      ^^^^^^
    2 errors in t/x.yaml
    t/x.yaml: missing key `agents`; list the agents, for example `- plugin: expectimax`
    ");
}

#[test]
fn anchors_and_aliases_repeat_values() {
    let text = "agents:\n- {plugin: a, params: &p {depth: 3}}\n- {plugin: b, params: *p}\n";
    let tournament = parse_text(text).unwrap();
    assert_eq!(tournament.agents[0].params, tournament.agents[1].params);
}

#[test]
fn an_unsuitable_file_name_requires_a_name_key() {
    let source = TournamentSource::new("my cup.yaml", "agents: [{plugin: a}]");
    assert_eq!(
        parse(&source).unwrap_err().to_string(),
        "my cup.yaml: missing key `name`; the name of the file cannot be used as a name"
    );
}
