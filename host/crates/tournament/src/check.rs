//! Whether a tournament is valid as a whole.

use plugin_api::Tiles;
use text::{names::suggestion, number_text::count};

use crate::{
    Budget, BudgetLimit, Isolation, RankBy, SaltChoice, Sandbox, StopRule, Tournament,
    agents::{MAX_AGENTS, check_memory, check_name},
    budget::MAX_BUDGETS,
    games_per_seed,
    keys::check_positive_duration,
    largest_reachable_exponent, twin_name,
};

/// More games than one machine plays in a year at three games per second.
const MAX_GAMES: u64 = 100_000_000;

/// A value that is valid on its own but contradicts another.
#[derive(Debug)]
pub(crate) struct Contradiction {
    /// The key of the tournament file that has to change.
    pub(crate) key: &'static str,
    /// The keys that have to be right for the message to be.
    pub(crate) relies_on: &'static [&'static str],
    pub(crate) message: String,
}

impl Tournament {
    /// Whether a tournament that was not read from its file is as valid as one that was. A plan
    /// contains one, and anyone may have written the plan.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), String> {
        self.check_values()?;
        let first = self.contradictions().into_iter().next();
        first.map_or(Ok(()), |contradiction| Err(contradiction.message))
    }

    /// Values that are valid on their own but contradict another key.
    pub(crate) fn contradictions(&self) -> Vec<Contradiction> {
        let mut found = Vec::new();
        let mut contradiction = |key, relies_on, message: String| {
            found.push(Contradiction {
                key,
                relies_on,
                message,
            });
        };
        let exponent = largest_reachable_exponent(self.side, self.tiles, self.four);
        if let Some(goal) = self.goal.filter(|goal| goal.ilog2() > exponent.into()) {
            let (side, largest) = (self.side, 1_u64 << exponent);
            let message =
                format!("a tile of {goal} cannot be reached on {side}; the largest is {largest}");
            contradiction("goal", &["board", "tiles", "four"], message);
        }
        if self.ranking() == RankBy::Reach && self.goal.is_none() {
            let message = "ranking by `reach` needs a `goal`, such as `goal: 2048`";
            contradiction("rank_by", &["goal"], message.to_owned());
        }
        let mut limits = self.budgets.iter().map(|budget| budget.limit);
        let has_time_budget = limits.any(|limit| matches!(limit, BudgetLimit::Time { .. }));
        if self.isolation == Isolation::None && has_time_budget {
            let message = "without isolation time cannot be measured fairly; use a node budget, \
                           no budget, or `isolation: process`";
            contradiction("isolation", &[], message.to_owned());
        }
        if self.isolation == Isolation::None && self.sandbox == Sandbox::Required {
            let message = "`isolation: none` has no sandbox; use `isolation: process`";
            contradiction("sandbox", &[], message.to_owned());
        }
        for message in self.wrong_control() {
            contradiction("control", &["agents"], message);
        }
        if let Some(message) = self.too_many_games(self.seeds.len()) {
            contradiction("seeds", &["seeds"], message);
        } else if let Some(message) = self
            .stop
            .and_then(|stop| self.too_many_games(stop.max_seeds))
        {
            contradiction("stop", &["stop"], message);
        }
        if self.stop.is_some() && self.tiles == Tiles::Deterministic {
            let message = "with `tiles: deterministic` every seed is the same game, so more seeds \
                           separate nothing; remove `stop`";
            contradiction("stop", &["tiles"], message.to_owned());
        }
        if let Some(message) = self.stop.and_then(|stop| self.wrong_max_seeds(stop)) {
            contradiction("stop.max_seeds", &["seeds", "stop"], message);
        }
        if self.private_seeds == 0 {
            return found;
        }
        if self.tiles == Tiles::Deterministic {
            let message =
                "with `tiles: deterministic` every seed is the same game; remove this key";
            contradiction("private_seeds", &["salt", "tiles"], message.to_owned());
        } else if self.salt == SaltChoice::None {
            let message = "without a salt anyone can compute the tiles of a private seed; \
                           add `salt: secret`";
            contradiction("private_seeds", &["salt", "tiles"], message.to_owned());
        } else if let Some(message) = self.too_few_seeds_left() {
            let relies_on = &["salt", "tiles", "seeds", "stop"];
            contradiction("private_seeds", relies_on, message);
        }
        found
    }

    fn wrong_control(&self) -> Vec<String> {
        let Some(control) = &self.control else {
            return Vec::new();
        };
        let names = self.agents.iter().map(|agent| agent.name.as_str());
        let names: Vec<_> = names.collect();
        let mut messages = Vec::new();
        if !names.contains(&control.as_str()) {
            let suggestion = suggestion(control, "agents", &names);
            messages.push(format!("unknown agent `{control}`; {suggestion}"));
        }
        let twin = twin_name(control);
        if names.contains(&twin.as_str()) {
            messages.push(format!(
                "the control's second series would be named `{twin}`, which is the name of \
                 another agent; rename that agent"
            ));
        }
        messages
    }

    fn too_many_games(&self, n_seeds: u64) -> Option<String> {
        let n_seeds = n_seeds.saturating_add(self.private_seeds);
        let n_games = n_seeds.saturating_mul(self.games_per_seed());
        (n_games > MAX_GAMES).then(|| {
            format!(
                "this makes {} games, more than the limit of {}; use fewer seeds",
                count(n_games),
                count(MAX_GAMES)
            )
        })
    }

    fn games_per_seed(&self) -> u64 {
        games_per_seed(self.agents.len(), self.budgets.len())
    }

    fn wrong_max_seeds(&self, stop: StopRule) -> Option<String> {
        let (max_seeds, n_seeds) = (stop.max_seeds, self.seeds.len());
        if max_seeds < n_seeds {
            return Some(format!(
                "`max_seeds` is {max_seeds}, but `seeds` already has {n_seeds}; raise `max_seeds`"
            ));
        }
        let error = self.seeds.extended_to(max_seeds).err()?;
        Some(format!(
            "`seeds` cannot be extended to {max_seeds}: {error}"
        ))
    }

    fn too_few_seeds_left(&self) -> Option<String> {
        let n_private = self.private_seeds.saturating_mul(self.games_per_seed());
        let seeds = self.planned_seeds();
        let n_seeds = seeds.len().saturating_add(n_private);
        let error = seeds.extended_to(n_seeds).err()?;
        Some(format!(
            "there are not enough seeds after the last one: {error}"
        ))
    }

    /// Checks each value on its own, as far as its type allows wrong ones.
    fn check_values(&self) -> Result<(), String> {
        let agents = &self.agents;
        let mut names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        for name in names.iter().copied().chain([self.name.as_str()]) {
            check_name(name)?;
        }
        names.sort_unstable();
        if let Some([name, _]) = names.array_windows().find(|[a, b]| a == b) {
            return Err(format!("two agents are named `{name}`"));
        }
        check_number(agents.len(), MAX_AGENTS, "agents")?;
        check_number(self.budgets.len(), MAX_BUDGETS, "budgets")?;
        let mut labels: Vec<String> = self.budgets.iter().map(Budget::label).collect();
        labels.sort_unstable();
        if let Some([label, _]) = labels.array_windows().find(|[a, b]| a == b) {
            return Err(format!("two budgets are both `{label}`"));
        }
        for budget in &self.budgets {
            check_times(budget)?;
        }
        if let Some(goal) = self.goal.filter(|goal| !Self::is_goal(*goal)) {
            return Err(format!("`{goal}` is not a valid goal"));
        }
        let of_agents = agents.iter().filter_map(|agent| agent.memory);
        for memory in of_agents.chain([self.memory]) {
            check_memory(memory)?;
        }
        self.stop.map_or(Ok(()), check_shares)
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
        if let Some(Err(message)) = time.map(check_positive_duration) {
            return Err(format!("`{key}` of the budget `{budget}`: {message}"));
        }
    }
    budget.too_short_hang().map_or(Ok(()), Err)
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
