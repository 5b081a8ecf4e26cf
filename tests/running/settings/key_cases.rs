//! One case per key of the tournament file.

use super::{
    Observe,
    observations::{
        faults, games_at_a_time, has_many_threads, has_thoughts, is_on_the_wall_clock, results,
    },
};
use crate::support::program_folder;

/// A tournament with two values of a key.
pub(super) struct KeyCase {
    /// The key, with the keys around it.
    pub(super) key: &'static str,
    pub(super) tournaments: [String; 2],
    pub(super) observe: Observe,
}

const GREEDY: &str = "agents: [{plugin: greedy}]\n";

/// A case of a key in front of the agents of a tournament.
fn case(key: &'static str, first: &str, second: &str, rest: &str) -> KeyCase {
    let tournaments = [first, second].map(|value| format!("{value}\n{rest}"));
    KeyCase {
        key,
        tournaments,
        observe: results,
    }
}

fn with(case: KeyCase, observe: Observe) -> KeyCase {
    KeyCase { observe, ..case }
}

/// One game of a scripted agent.
fn scripted(params: &str, more: &str) -> String {
    format!("seeds: 1..1\nagents: [{{plugin: scripted, params: {{{params}}}{more}}}]\n")
}

/// A program in the language of the shell that plays the first legal move of a list.
fn shell(wishes: [&str; 4]) -> String {
    let moves = wishes.map(|wish| format!("*'\"{wish}\"'*) echo move {wish};;"));
    format!(
        "agents:\n- name: shell\n  program:\n  - sh\n  - -c\n  - |\n    \
         while read -r word rest; do case $word in arena) echo 'agent {{\"name\":\"shell\"}}';; \
         new) echo ready;; turn) case $rest in {} esac;; esac; done\n",
        moves.join(" ")
    )
}

pub(super) const ONE_GAME: &str = "seeds: 1..1\nagents: [{plugin: greedy}]\n";
const SEARCHING: &str = "seeds: 1..1\nmax_moves: 5\nagents: [{plugin: expectimax}]\n";
const READ_PASSWD: &str = "on_move: 1, attempt: read, path: /etc/passwd";
const TWO_AGENTS: &str = "agents: [{plugin: greedy}, {plugin: random}]\n";
const EQUAL_AGENTS: &str =
    "seeds: 1..2\nmax_moves: 5\nagents: [{plugin: greedy, name: a}, {plugin: greedy, name: b}]\n";

pub(super) fn key_cases() -> Vec<KeyCase> {
    let mut cases = keys_of_rules();
    cases.extend(keys_of_budgets());
    cases.extend(keys_of_organisation());
    cases.extend(keys_of_agents());
    cases
}

fn keys_of_rules() -> Vec<KeyCase> {
    vec![
        case("name", "", "name: other", ONE_GAME),
        case("board", "", "board: 3", ONE_GAME),
        case("tiles", "", "tiles: deterministic", ONE_GAME),
        case("four", "", "four: 0.9", ONE_GAME),
        case("seeds", "seeds: 1..1", "seeds: 2..2", GREEDY),
        case(
            "salt",
            "",
            &format!("salt: \"{}\"", "5e".repeat(24)),
            ONE_GAME,
        ),
        case(
            "private_seeds",
            "",
            "private_seeds: 1",
            &format!("salt: \"{}\"\n{ONE_GAME}", "5e".repeat(24)),
        ),
        case("goal", "", "goal: 32", ONE_GAME),
        case("max_moves", "", "max_moves: 5", ONE_GAME),
        // No agent reaches the goal, so only the score separates them.
        case(
            "rank_by",
            "rank_by: reach",
            "rank_by: score",
            &format!("goal: 131072\nseeds: 1..20\n{TWO_AGENTS}"),
        ),
        case("budget", "", "budget: {nodes: 1}", SEARCHING),
    ]
}

fn keys_of_budgets() -> Vec<KeyCase> {
    let budget = |value: &str| format!("budget: {{{value}}}");
    let burning = format!("max_moves: 5\n{}", scripted("burn_us: 5000", ""));
    vec![
        case(
            "budget.nodes",
            &budget("nodes: 1"),
            &budget("nodes: 5000"),
            SEARCHING,
        ),
        case(
            "budget.per_move",
            &budget("per_move: 1ms, bank: 1ms"),
            &budget("per_move: 10s, bank: 1ms"),
            &burning,
        ),
        case(
            "budget.bank",
            &budget("per_move: 1ms, bank: 1ms"),
            &budget("per_move: 1ms, bank: 10s"),
            &burning,
        ),
        case(
            "budget.overrun",
            &budget("per_move: 1ms, bank: 1ms"),
            &budget("per_move: 1ms, bank: 1ms, overrun: warn"),
            &burning,
        ),
        with(
            case(
                "budget.clock",
                &budget("per_move: 1s"),
                &budget("per_move: 1s, clock: wall"),
                &format!("max_moves: 1\n{ONE_GAME}"),
            ),
            is_on_the_wall_clock,
        ),
        with(
            case(
                "budget.setup",
                &budget("setup: 100ms"),
                &budget("setup: 200ms"),
                &scripted("misdeed: loop-in-new", ""),
            ),
            faults,
        ),
        with(
            case(
                "budget.hang",
                &budget("hang: 500ms"),
                &budget("hang: 1s"),
                &scripted("misdeed: loop", ""),
            ),
            faults,
        ),
        with(
            case(
                "budget.sleep",
                "",
                &budget("sleep: 400ms"),
                &scripted("misdeed: sleep", ""),
            ),
            faults,
        ),
    ]
}

fn keys_of_organisation() -> Vec<KeyCase> {
    let reading = scripted(READ_PASSWD, "");
    vec![
        with(case("isolation", "", "isolation: none", &reading), faults),
        with(case("sandbox", "", "sandbox: off", &reading), faults),
        with(
            case(
                "memory",
                "memory: 128MiB",
                "memory: 2GiB",
                &format!("max_moves: 5\n{}", scripted("misdeed: start-threads", "")),
            ),
            has_many_threads,
        ),
        with(
            case(
                "thoughts",
                "",
                "thoughts: 1MB",
                &format!("budget: {{nodes: 50}}\n{SEARCHING}"),
            ),
            has_thoughts,
        ),
        case(
            "disqualify_after",
            "disqualify_after: 1",
            "disqualify_after: never",
            "seeds: 1..3\nagents: [{plugin: scripted, params: {misdeed: illegal-move}}]\n",
        ),
        case("control", "", "control: greedy", ONE_GAME),
        case(
            "stop",
            "",
            "stop: {decided: 0.9, max_seeds: 20}",
            EQUAL_AGENTS,
        ),
        case(
            "stop.max_seeds",
            "stop: {decided: 0.9, max_seeds: 20}",
            "stop: {decided: 0.9, max_seeds: 25}",
            EQUAL_AGENTS,
        ),
        case(
            "stop.equal_within",
            "stop: {decided: 0.9, max_seeds: 25}",
            "stop: {decided: 0.9, max_seeds: 25, equal_within: 20%}",
            EQUAL_AGENTS,
        ),
        // Twenty seeds allow no such confidence, so the race goes on.
        case(
            "stop.decided",
            "stop: {decided: 0.5, max_seeds: 40}",
            "stop: {decided: 0.999999999, max_seeds: 40}",
            &format!("seeds: 1..20\n{TWO_AGENTS}"),
        ),
        with(
            case(
                "workers",
                "workers: 1",
                "workers: 2",
                &format!("seeds: 1..4\n{GREEDY}"),
            ),
            games_at_a_time,
        ),
    ]
}

fn keys_of_agents() -> Vec<KeyCase> {
    let folder = |pattern: &str| {
        let path = program_folder().join(pattern);
        format!("agents: [{{folder: \"{}\"}}]", path.display())
    };
    let with_memory = |size: &str| {
        let agent = scripted("misdeed: start-threads", &format!(", memory: {size}"));
        format!("max_moves: 5\n{agent}")
    };
    vec![
        case("agents", GREEDY, TWO_AGENTS, "seeds: 1..1\n"),
        case(
            "agents.plugin",
            GREEDY,
            "agents: [{plugin: random}]",
            "seeds: 1..1\n",
        ),
        case(
            "agents.program",
            &shell(["up", "right", "down", "left"]),
            &shell(["left", "down", "right", "up"]),
            "seeds: 1..1\n",
        ),
        case(
            "agents.folder",
            &folder("libgreed?.so"),
            &folder("librando?.so"),
            "seeds: 1..1\n",
        ),
        with(
            case(
                "agents.memory",
                &with_memory("128MiB"),
                &with_memory("2GiB"),
                "",
            ),
            has_many_threads,
        ),
        case(
            "agents.name",
            GREEDY,
            "agents: [{plugin: greedy, name: g}]",
            "seeds: 1..1\n",
        ),
        case(
            "agents.params",
            &scripted("misdeed: panic, on_move: 3", ""),
            &scripted("misdeed: panic, on_move: 9", ""),
            "",
        ),
        with(
            case(
                "agents.allow_read",
                &scripted(READ_PASSWD, ""),
                &scripted(READ_PASSWD, ", allow_read: [/etc/passwd]"),
                "",
            ),
            faults,
        ),
    ]
}
