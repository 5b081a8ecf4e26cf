//! What is right on its own and wrong beside another key.

use plugin_api::Tiles;

use super::{key_path::KeyPath, mapping_reader::MappingReader, mistake::Mistake};
use crate::{
    nearest_name::suggestion,
    report::control_pair::twin_name,
    tournament::{BudgetLimit, Isolation, RankBy, Sandbox, Tournament, largest_reachable_exponent},
};

/// More than a machine plays in a year at three games a second.
const MAX_GAMES: u64 = 100_000_000;

/// Notes values that do not go together, where each of them is right.
pub(super) fn check_together(tournament: &Tournament, reader: &mut MappingReader) {
    let Tournament {
        side, tiles, four, ..
    } = *tournament;
    let exponent = largest_reachable_exponent(side, tiles, four);
    if let Some(goal) = tournament.goal
        && goal.ilog2() > exponent.into()
        && ["board", "tiles", "four"]
            .iter()
            .all(|key| reader.is_sound(key))
    {
        let largest = 1_u64 << exponent;
        let message =
            format!("a tile of {goal} cannot be reached on {side}; the largest is {largest}");
        reader.mistake("goal", message);
    }
    if tournament.rank_by == RankBy::Reach && tournament.goal.is_none() && reader.is_sound("goal") {
        reader.mistake(
            "rank_by",
            "ranking by `reach` needs a `goal`, such as `goal: 2048`",
        );
    }
    let has_time_budget = tournament
        .budgets
        .iter()
        .any(|budget| matches!(budget.limit, BudgetLimit::Time { .. }));
    if tournament.isolation == Isolation::None && has_time_budget {
        reader.mistake(
            "isolation",
            "without isolation time cannot be measured fairly; use a budget in `nodes` or none, \
             or `isolation: process`",
        );
    }
    if tournament.isolation == Isolation::None && tournament.sandbox == Sandbox::Required {
        reader.mistake(
            "sandbox",
            "without isolation there is no sandbox; use `isolation: process`",
        );
    }
    if let Some(control) = &tournament.control
        && reader.is_sound("agents")
        && reader.get("agents").is_some()
    {
        let names: Vec<_> = tournament
            .agents
            .iter()
            .map(|agent| agent.name.as_str())
            .collect();
        if !names.contains(&control.as_str()) {
            let suggestion = suggestion(control, "agents", &names);
            reader.mistake(
                "control",
                format!("unknown agent `{control}`; {suggestion}"),
            );
        }
        let twin = twin_name(control);
        if names.contains(&twin.as_str()) {
            let message = format!("its twin would be named `{twin}`, and an agent already is");
            reader.mistake("control", message);
        }
    }
    check_size(tournament, reader);
    check_stop(tournament, reader);
}

fn check_size(tournament: &Tournament, reader: &mut MappingReader) {
    let asks_for_more = |key, n_seeds: u64| {
        let per_seed = (tournament.agents.len() * tournament.budgets.len()) as u64;
        let n_games = n_seeds.saturating_mul(per_seed);
        let message = format!("{n_games} games; a tournament has at most {MAX_GAMES}");
        (n_games > MAX_GAMES).then_some((key, message))
    };
    let seeds = asks_for_more("seeds", tournament.seeds.len());
    let stop = || asks_for_more("stop", tournament.stop?.max_seeds);
    if let Some((key, message)) = seeds.or_else(stop)
        && reader.is_sound(key)
    {
        reader.mistake(key, message);
    }
}

fn check_stop(tournament: &Tournament, reader: &mut MappingReader) {
    let Some(stop) = tournament.stop else {
        return;
    };
    if tournament.tiles == Tiles::Deterministic && reader.is_sound("tiles") {
        reader.mistake(
            "stop",
            "with `tiles: deterministic` every seed is the same game, so that more seeds decide \
             nothing; leave `stop` out",
        );
    }
    if !reader.is_sound("seeds") || !reader.is_sound("stop") {
        return;
    }
    let n_seeds = tournament.seeds.len();
    let message = if stop.max_seeds < n_seeds {
        format!(
            "`max_seeds` is {}, but `seeds` has {n_seeds} already",
            stop.max_seeds
        )
    } else if let Err(error) = tournament.seeds.extended_to(stop.max_seeds) {
        format!("`seeds` cannot be extended to {}: {error}", stop.max_seeds)
    } else {
        return;
    };
    let path = KeyPath::root().key("stop").key("max_seeds");
    reader.mistakes().push(Mistake::at_value(&path, message));
}
