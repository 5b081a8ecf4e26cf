//! Values that are valid on their own but contradict another key.

use plugin_api::Tiles;

use super::{diagnostic::Diagnostic, key_path::KeyPath, mapping_reader::MappingReader};
use text::{names::suggestion, number_text::count};

use crate::{
    BudgetLimit, Isolation, RankBy, SaltChoice, Sandbox, Tournament, games_per_seed,
    largest_reachable_exponent, twin_name,
};

/// More games than one machine plays in a year at three games per second.
const MAX_GAMES: u64 = 100_000_000;

/// Reports values that contradict each other although each is valid on its own.
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
        reader.diagnostic("goal", message);
    }
    if tournament.ranking() == RankBy::Reach && tournament.goal.is_none() && reader.is_sound("goal")
    {
        reader.diagnostic(
            "rank_by",
            "ranking by `reach` needs a `goal`, such as `goal: 2048`",
        );
    }
    let has_time_budget = tournament
        .budgets
        .iter()
        .any(|budget| matches!(budget.limit, BudgetLimit::Time { .. }));
    if tournament.isolation == Isolation::None && has_time_budget {
        reader.diagnostic(
            "isolation",
            "without isolation time cannot be measured fairly; use a node budget, no budget, or \
             `isolation: process`",
        );
    }
    if tournament.isolation == Isolation::None && tournament.sandbox == Sandbox::Required {
        reader.diagnostic(
            "sandbox",
            "`isolation: none` has no sandbox; use `isolation: process`",
        );
    }
    // The names of agents in folders are not known yet.
    if let Some(control) = &tournament.control
        && tournament.folders.is_empty()
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
            reader.diagnostic(
                "control",
                format!("unknown agent `{control}`; {suggestion}"),
            );
        }
        let twin = twin_name(control);
        if names.contains(&twin.as_str()) {
            let message = format!(
                "the control's second series would be named `{twin}`, which is the name of another agent"
            );
            reader.diagnostic("control", message);
        }
    }
    check_size(tournament, reader);
    check_stop(tournament, reader);
    check_private_seeds(tournament, reader);
}

fn check_size(tournament: &Tournament, reader: &mut MappingReader) {
    let asks_for_more = |key, n_seeds: u64| {
        let n_seeds = n_seeds.saturating_add(tournament.private_seeds);
        let per_seed = games_per_seed(tournament.agents.len(), tournament.budgets.len());
        let n_games = n_seeds.saturating_mul(per_seed);
        let message = format!(
            "this makes {} games, more than the limit of {}; use fewer seeds",
            count(n_games),
            count(MAX_GAMES)
        );
        (n_games > MAX_GAMES).then_some((key, message))
    };
    let seeds = asks_for_more("seeds", tournament.seeds.len());
    let stop = || asks_for_more("stop", tournament.stop?.max_seeds);
    if let Some((key, message)) = seeds.or_else(stop)
        && reader.is_sound(key)
    {
        reader.diagnostic(key, message);
    }
}

fn check_private_seeds(tournament: &Tournament, reader: &mut MappingReader) {
    if tournament.private_seeds == 0 || !reader.is_sound("salt") || !reader.is_sound("tiles") {
        return;
    }
    if tournament.tiles == Tiles::Deterministic {
        let message = "with `tiles: deterministic` every seed is the same game; remove this key";
        reader.diagnostic("private_seeds", message);
    } else if tournament.salt == SaltChoice::None {
        let message = "without a salt anyone can compute the tiles of a private seed; \
                       add `salt: secret`";
        reader.diagnostic("private_seeds", message);
    } else if reader.is_sound("seeds") && reader.is_sound("stop") {
        let per_seed = games_per_seed(tournament.agents.len(), tournament.budgets.len());
        let n_private = tournament.private_seeds.saturating_mul(per_seed);
        let seeds = tournament.planned_seeds();
        if let Err(error) = seeds.extended_to(seeds.len().saturating_add(n_private)) {
            let message = format!("there are not enough seeds after the last one: {error}");
            reader.diagnostic("private_seeds", message);
        }
    }
}

fn check_stop(tournament: &Tournament, reader: &mut MappingReader) {
    let Some(stop) = tournament.stop else {
        return;
    };
    if tournament.tiles == Tiles::Deterministic && reader.is_sound("tiles") {
        reader.diagnostic(
            "stop",
            "with `tiles: deterministic` every seed is the same game, so more seeds separate \
             nothing; remove `stop`",
        );
    }
    if !reader.is_sound("seeds") || !reader.is_sound("stop") {
        return;
    }
    let n_seeds = tournament.seeds.len();
    let message = if stop.max_seeds < n_seeds {
        format!(
            "`max_seeds` is {}, but `seeds` already has {n_seeds}; raise `max_seeds`",
            stop.max_seeds
        )
    } else if let Err(error) = tournament.seeds.extended_to(stop.max_seeds) {
        format!("`seeds` cannot be extended to {}: {error}", stop.max_seeds)
    } else {
        return;
    };
    let path = KeyPath::root().key("stop").key("max_seeds");
    reader
        .diagnostics()
        .push(Diagnostic::at_value(&path, message));
}
