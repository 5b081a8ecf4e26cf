//! Reads `budget`: one budget, a list of budgets, or none.

use std::time::Duration;

use plugin_api::Clock;

use super::{
    diagnostic::Diagnostic,
    mapping_reader::MappingReader,
    node::Node,
    value::{LocatedValue, one_of, positive},
};
use text::duration_text::{format_duration, parse_duration};

use crate::{Budget, BudgetLimit, Overrun};

pub(super) const KEYS: [&str; 8] = [
    "per_move", "nodes", "clock", "bank", "overrun", "setup", "hang", "sleep",
];

pub(super) const CLOCKS: [(&str, Clock); 2] = [("cpu", Clock::Cpu), ("wall", Clock::Wall)];

pub(super) const OVERRUNS: [(&str, Overrun); 2] =
    [("warn", Overrun::Warn), ("end-game", Overrun::EndGame)];

/// Every agent plays under each budget, so the number is limited.
pub(super) const MAX_BUDGETS: usize = 100;

/// The budgets of a tournament; without the key, one budget without limits.
pub(super) fn read_budgets(
    value: Option<&LocatedValue>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Budget> {
    let Some(value) = value.filter(|value| !value.is_none()) else {
        return vec![Budget::default()];
    };
    let Node::List(items) = value.node else {
        return vec![read_budget(value, diagnostics)];
    };
    if items.is_empty() {
        diagnostics.push(Diagnostic::at_value(
            &value.path,
            "the list of budgets is empty; write `none` to play without a limit",
        ));
    }
    if items.len() > MAX_BUDGETS {
        let n_budgets = items.len();
        let message = format!("{n_budgets} budgets; the limit is {MAX_BUDGETS}");
        diagnostics.push(Diagnostic::at_value(&value.path, message));
        return Vec::new();
    }
    let mut budgets: Vec<Budget> = Vec::new();
    for (index, node) in items.iter().enumerate() {
        let item = LocatedValue {
            node,
            path: value.path.index(index),
            source: value.source,
        };
        let n_diagnostics = diagnostics.len();
        let budget = read_budget(&item, diagnostics);
        let is_sound = diagnostics.len() == n_diagnostics;
        let same = budgets
            .iter()
            .position(|other| other.label() == budget.label());
        if let (true, Some(same)) = (is_sound, same) {
            diagnostics.push(Diagnostic::at_value(
                &item.path,
                format!(
                    "budgets {} and {} are both `{budget}`; remove one",
                    same + 1,
                    index + 1
                ),
            ));
        }
        budgets.push(budget);
    }
    budgets
}

fn read_budget(value: &LocatedValue, diagnostics: &mut Vec<Diagnostic>) -> Budget {
    if value.is_none() {
        return Budget::default();
    }
    let expected = "a budget such as `{ per_move: 1ms }`";
    let Some(mut reader) = MappingReader::new(value, expected, &KEYS, diagnostics) else {
        return Budget::default();
    };
    let per_move = reader.read_if_given("per_move", positive_duration);
    let nodes = reader.read_if_given("nodes", positive);
    if reader.get("per_move").is_some() && reader.get("nodes").is_some() {
        reader.diagnostic(
            "nodes",
            "a budget limits `per_move` or `nodes`, not both; remove one, or write a list of two budgets",
        );
    }
    let limit = match (per_move, nodes) {
        (Some(per_move), _) => BudgetLimit::Time { per_move },
        (None, Some(nodes)) => BudgetLimit::Nodes(nodes),
        (None, None) => BudgetLimit::None,
    };
    let bank = reader.read("bank", Budget::DEFAULT_BANK, duration);
    let budget = Budget {
        limit,
        clock: reader.read("clock", Clock::default(), one_of(&CLOCKS)),
        bank,
        overrun: reader.read("overrun", Overrun::default(), one_of(&OVERRUNS)),
        setup: reader.read("setup", Budget::DEFAULT_SETUP, positive_duration),
        hang: reader.read("hang", Budget::default_hang(limit, bank), positive_duration),
        sleep: reader.read_if_given("sleep", duration),
    };
    let is_sound = ["per_move", "bank", "hang"].map(|key| reader.is_sound(key));
    if let (Some(message), [true, true, true]) = (too_short_hang(&budget), is_sound) {
        reader.diagnostic("hang", message);
    }
    budget
}

/// Says that a turn may take longer than `hang`.
pub(super) fn too_short_hang(budget: &Budget) -> Option<String> {
    let longest = budget.longest_turn()?;
    (longest > budget.hang).then(|| {
        format!(
            "`hang` is {}, but a turn may take {} (`per_move` and `bank` together); raise `hang`",
            format_duration(budget.hang),
            format_duration(longest)
        )
    })
}

fn duration(value: &LocatedValue) -> Result<Duration, String> {
    parse_duration(&value.text()?).map_err(|error| error.to_string())
}

fn positive_duration(value: &LocatedValue) -> Result<Duration, String> {
    let duration = duration(value)?;
    match no_time(duration) {
        Some(message) => Err(message),
        None => Ok(duration),
    }
}

pub(super) fn no_time(time: Duration) -> Option<String> {
    time.is_zero()
        .then(|| "the time must be greater than zero".into())
}
