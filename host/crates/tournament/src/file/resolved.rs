//! Whether a tournament that was not read from its file is as valid as one that was.
//!
//! A plan contains the resolved tournament. Anyone may have written the plan, so it has to
//! satisfy what the reader guarantees.

use super::{
    agent_reader::{MAX_AGENTS, invalid_name},
    budget_reader::{MAX_BUDGETS, no_time, too_short_hang},
    consistency::check_together,
    key_path::KeyPath,
    mapping_reader::MappingReader,
    memory_size::too_little_memory,
    node::Node,
    tournament_reader,
    value::LocatedValue,
};
use crate::{Budget, BudgetLimit, StopRule, Tournament, is_plain_name};

/// Says what is wrong with a tournament.
///
/// # Errors
/// The first error.
pub fn check_resolved(tournament: &Tournament) -> Result<(), String> {
    check_values(tournament)?;
    let mut diagnostics = Vec::new();
    // For the reader every key is sound.
    let root = Node::Mapping(vec![("agents".to_owned(), Node::Null)]);
    let value = LocatedValue {
        node: &root,
        path: KeyPath::root(),
        source: "",
    };
    let reader = MappingReader::new(
        &value,
        "a mapping",
        &tournament_reader::KEYS,
        &mut diagnostics,
    );
    check_together(tournament, &mut reader.expect("it is a mapping"));
    match diagnostics.into_iter().next() {
        None => Ok(()),
        Some(diagnostic) => Err(diagnostic.message),
    }
}

/// Checks each value on its own, as far as its type allows wrong ones.
fn check_values(tournament: &Tournament) -> Result<(), String> {
    let agents = &tournament.agents;
    let mut names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    for name in names.iter().copied().chain([tournament.name.as_str()]) {
        if !is_plain_name(name) {
            return Err(invalid_name(name));
        }
    }
    names.sort_unstable();
    if let Some([name, _]) = names.array_windows().find(|[a, b]| a == b) {
        return Err(format!("two agents are named `{name}`"));
    }
    check_number(agents.len(), MAX_AGENTS, "agents")?;
    let budgets = &tournament.budgets;
    check_number(budgets.len(), MAX_BUDGETS, "budgets")?;
    let mut labels: Vec<String> = budgets.iter().map(ToString::to_string).collect();
    labels.sort_unstable();
    if let Some([label, _]) = labels.array_windows().find(|[a, b]| a == b) {
        return Err(format!("two budgets are both `{label}`"));
    }
    for budget in budgets {
        check_times(budget)?;
    }
    if let Some(goal) = tournament.goal
        && !Tournament::is_goal(goal)
    {
        return Err(format!("`{goal}` is not a valid goal"));
    }
    let of_agents = tournament.agents.iter().filter_map(|agent| agent.memory);
    for memory in of_agents.chain([tournament.memory]) {
        if let Some(sentence) = too_little_memory(memory) {
            return Err(sentence);
        }
    }
    match tournament.stop {
        Some(stop) => check_shares(stop),
        None => Ok(()),
    }
}

fn check_times(budget: &Budget) -> Result<(), String> {
    let per_move = match budget.limit {
        BudgetLimit::Time { per_move } => Some(per_move),
        BudgetLimit::Nodes(_) | BudgetLimit::None => None,
    };
    let times = [
        ("per_move", per_move),
        ("setup", Some(budget.setup)),
        ("hang", Some(budget.hang)),
    ];
    for (key, time) in times {
        if let Some(sentence) = time.and_then(no_time) {
            return Err(format!("`{key}` of the budget `{budget}`: {sentence}"));
        }
    }
    too_short_hang(budget).map_or(Ok(()), Err)
}

fn check_shares(stop: StopRule) -> Result<(), String> {
    let shares = [
        ("decided", Some(stop.decided)),
        ("equal_within", stop.equal_within),
    ];
    for (key, share) in shares {
        if let Some(share) = share.filter(|share| !StopRule::is_share(*share)) {
            return Err(format!("`{key}` is between 0 and 1, not {share}"));
        }
    }
    Ok(())
}

fn check_number(number: usize, limit: usize, what: &str) -> Result<(), String> {
    match number {
        0 => Err(format!("no {what}")),
        _ if number > limit => Err(format!("{number} {what}; the limit is {limit}")),
        _ => Ok(()),
    }
}
