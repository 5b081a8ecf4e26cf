//! What an agent may spend: time per move, nodes per move, or no limit.
//!
//! `per_move` is the increment and `bank` the largest balance: every turn adds
//! `per_move`, subtracts the time used and is capped at `bank`. `setup`, `hang` and
//! `sleep` protect the run and are the same for strong and weak agents; they are not part of a
//! budget's label.

use std::{fmt, num::NonZeroU64, time::Duration};

use plugin_api::{Clock, Limit};
use serde::{Deserialize, Serialize};
use serde_json::json;
use text::duration_text::{self, format_duration};

use crate::{
    diagnostic::Diagnostic,
    keys::{Mapping, ValueType, duration, none_or, one_of, positive, positive_duration},
    node::LocatedValue,
};

/// Every agent plays under each budget, so the number is limited.
pub(crate) const MAX_BUDGETS: usize = 100;

/// One budget of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub limit: BudgetLimit,
    pub clock: Clock,
    /// The largest balance. Only a time limit uses the bank.
    #[serde(with = "duration_text")]
    pub bank: Duration,
    pub overrun: Overrun,
    /// CPU time for creating the agent.
    #[serde(with = "duration_text")]
    pub setup: Duration,
    /// CPU time of one turn after which the worker is killed, where no time limit ends the
    /// turn before.
    #[serde(with = "duration_text")]
    pub hang: Duration,
    /// How long an agent may sleep in a game, besides `per_move` on every turn; see
    /// [`Budget::sleep_limit`].
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "duration_text::optional"
    )]
    pub sleep: Option<Duration>,
}

/// The limit per move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetLimit {
    Time {
        #[serde(with = "duration_text")]
        per_move: Duration,
    },
    Nodes(NonZeroU64),
    /// No limit: agents play by their own parameters.
    #[default]
    None,
}

/// What happens when the bank is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overrun {
    Warn,
    #[default]
    EndGame,
}

impl Overrun {
    /// How an agent that cannot stop its search can take part.
    pub const ADVICE: &str = "an engine that searches to a fixed depth can play without a budget, \
                              or with `overrun: warn`, which only counts overruns";
}

impl Budget {
    pub const DEFAULT_BANK: Duration = Duration::from_millis(100);
    pub const DEFAULT_SETUP: Duration = Duration::from_secs(5);
    /// The least default of `hang`.
    pub const LEAST_HANG: Duration = Duration::from_secs(10);
    /// The least default of `sleep`.
    pub const LEAST_SLEEP: Duration = Duration::from_millis(250);

    /// Declares and reads the keys of a budget.
    pub(crate) fn read(budget: &mut Mapping) -> Self {
        let per_move = budget.optional(
            "per_move",
            positive_duration(),
            "",
            "time that every turn adds",
        );
        let nodes = budget.optional(
            "nodes",
            positive(),
            "",
            "search nodes per turn, counted by the agent; such a run can be repeated move by move",
        );
        if budget.has("per_move") && budget.has("nodes") {
            budget.error(
                "nodes",
                "a budget limits `per_move` or `nodes`, not both; remove one, or write a list of \
                 two budgets",
            );
        }
        budget.schema_rule("not", json!({"required": ["per_move", "nodes"]}));
        let limit = match (per_move, nodes) {
            (Some(per_move), _) => BudgetLimit::Time { per_move },
            (None, Some(nodes)) => BudgetLimit::Nodes(nodes),
            (None, None) => BudgetLimit::None,
        };
        let clock = budget.key(
            "clock",
            one_of([("cpu", Clock::Cpu), ("wall", Clock::Wall)]),
            "cpu",
            "CPU time of the worker, summed over its threads, or wall time",
        );
        let bank = budget.key(
            "bank",
            duration(),
            format_duration(Self::DEFAULT_BANK),
            "how much unused time an agent can save for later moves; starts full",
        );
        let overrun = budget.key(
            "overrun",
            one_of([("warn", Overrun::Warn), ("end-game", Overrun::EndGame)]),
            "end-game",
            "what happens when an agent exceeds the time per move and the bank",
        );
        let setup = budget.key(
            "setup",
            positive_duration(),
            format_duration(Self::DEFAULT_SETUP),
            "CPU time for opening the plugin and creating the agent",
        );
        let hang = budget.optional(
            "hang",
            positive_duration(),
            format!(
                "`{}`, or `per_move` plus `bank` if that is more",
                format_duration(Self::LEAST_HANG)
            ),
            "move timeout: CPU time of one turn after which the host kills the worker, if no time \
             budget ends the turn earlier; at least `per_move` plus `bank`",
        );
        let sleep = budget.optional(
            "sleep",
            duration(),
            format!(
                "as `bank`, at least `{}`",
                format_duration(Self::LEAST_SLEEP)
            ),
            "how long an agent may sleep before its first move, and again during the game; there, \
             each move adds `per_move`",
        );
        let read = Self {
            limit,
            clock,
            bank,
            overrun,
            setup,
            hang: hang.unwrap_or_else(|| Self::default_hang(limit, bank)),
            sleep,
        };
        let is_sound = (["per_move", "bank", "hang"].iter()).all(|key| budget.is_sound(key));
        if let Some(message) = read.too_short_hang().filter(|_| is_sound) {
            budget.error("hang", message);
        }
        read
    }

    /// The error that a turn may take longer than `hang`.
    pub(crate) fn too_short_hang(&self) -> Option<String> {
        let longest = self.longest_turn()?;
        (longest > self.hang).then(|| {
            format!(
                "`hang` is {}, but a turn may take {} (`per_move` and `bank` together); raise \
                 `hang`",
                format_duration(self.hang),
                format_duration(longest)
            )
        })
    }

    /// The part of the budget that agents learn.
    #[must_use]
    pub fn limit_for_agents(&self) -> Limit {
        match self.limit {
            BudgetLimit::Time { per_move } => Limit::Time {
                clock: self.clock,
                per_move,
                bank: self.bank,
            },
            BudgetLimit::Nodes(nodes) => Limit::Nodes(nodes.get()),
            BudgetLimit::None => Limit::None,
        }
    }

    /// The time per move, if time is limited.
    #[must_use]
    pub fn per_move(&self) -> Option<Duration> {
        match self.limit {
            BudgetLimit::Time { per_move } => Some(per_move),
            BudgetLimit::Nodes(_) | BudgetLimit::None => None,
        }
    }

    /// The search nodes per move, if they are limited.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        match self.limit {
            BudgetLimit::Nodes(nodes) => Some(nodes.get()),
            BudgetLimit::Time { .. } | BudgetLimit::None => None,
        }
    }

    /// The longest time that a turn may take on the budget's clock, if time is limited.
    #[must_use]
    pub fn longest_turn(&self) -> Option<Duration> {
        longest_turn(self.limit, self.bank)
    }

    /// The move timeout where the tournament gives none: never less than a turn may take.
    #[must_use]
    pub fn default_hang(limit: BudgetLimit, bank: Duration) -> Duration {
        longest_turn(limit, bank).map_or(Self::LEAST_HANG, |turn| turn.max(Self::LEAST_HANG))
    }

    /// How long an agent may sleep before its first move, and again during the game, where
    /// `per_move` is added on every turn. Unless the tournament says otherwise, as long as
    /// it could think: the bank.
    #[must_use]
    pub fn sleep_limit(&self) -> Duration {
        self.sleep.unwrap_or(self.bank.max(Self::LEAST_SLEEP))
    }

    /// How long an agent may sleep during a game, in words.
    #[must_use]
    pub fn sleep_text(&self) -> String {
        let limit = format_duration(self.sleep_limit());
        match self.limit {
            BudgetLimit::Time { per_move } => {
                format!("{limit} plus {} per move", format_duration(per_move))
            }
            BudgetLimit::Nodes(_) | BudgetLimit::None => limit,
        }
    }

    /// The budget's name in tables and records; see [`Budget`]'s `Display`.
    #[must_use]
    pub fn label(&self) -> String {
        self.to_string()
    }
}

fn longest_turn(limit: BudgetLimit, bank: Duration) -> Option<Duration> {
    match limit {
        BudgetLimit::Time { per_move } => Some(per_move.saturating_add(bank)),
        BudgetLimit::Nodes(_) | BudgetLimit::None => None,
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            limit: BudgetLimit::None,
            clock: Clock::default(),
            bank: Self::DEFAULT_BANK,
            overrun: Overrun::default(),
            setup: Self::DEFAULT_SETUP,
            hang: Self::LEAST_HANG,
            sleep: None,
        }
    }
}

/// The label: `1ms cpu`, `20000 nodes`, `no budget`. Values other than the defaults are
/// added. Budgets that differ only in `setup`, `hang` or `sleep` share a label; a tournament
/// has at most one of them.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            BudgetLimit::Time { per_move } => {
                let clock = match self.clock {
                    Clock::Cpu => "cpu",
                    Clock::Wall => "wall",
                };
                write!(f, "{} {clock}", format_duration(per_move))?;
                if self.bank != Self::DEFAULT_BANK {
                    write!(f, ", bank {}", format_duration(self.bank))?;
                }
                if self.overrun == Overrun::Warn {
                    write!(f, ", overrun warn")?;
                }
                Ok(())
            }
            BudgetLimit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            BudgetLimit::None => write!(f, "no budget"),
        }
    }
}

/// One budget or several, whose labels differ.
pub(crate) fn budgets() -> ValueType<Vec<Budget>> {
    let mut mapping = ValueType::mapping(
        "a budget",
        "budget",
        Some("per_move"),
        "a budget such as `1ms` or `{ nodes: 1000 }`",
        Budget::read,
    );
    mapping.schema = json!({"anyOf": [mapping.schema, positive_duration().schema]});
    let budget = none_or(mapping).map(Option::unwrap_or_default);
    let schema = json!({"anyOf": [
        budget.schema,
        {"type": "array", "minItems": 1, "items": budget.schema},
    ]});
    let values = format!(
        "{}, or a list of up to {MAX_BUDGETS} budgets",
        budget.values
    );
    ValueType::nested(values, schema, move |value, diagnostics| {
        if value.items().is_some() {
            read_list(value, &budget, diagnostics)
        } else {
            Some(vec![budget.read(value, diagnostics)?])
        }
    })
}

fn read_list(
    value: &LocatedValue,
    budget_type: &ValueType<Budget>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Budget>> {
    let items = value.items()?;
    let n_budgets = items.len();
    if n_budgets == 0 {
        let message = "the list of budgets is empty; write `none` to play without a limit";
        diagnostics.push(value.error(message));
        return None;
    }
    if n_budgets > MAX_BUDGETS {
        let message = format!("{n_budgets} budgets; the limit is {MAX_BUDGETS}");
        diagnostics.push(value.error(message));
        return None;
    }
    let mut budgets: Vec<Budget> = Vec::new();
    for (number, item) in (1..).zip(items) {
        let n_diagnostics = diagnostics.len();
        let budget = budget_type.read(&item, diagnostics).unwrap_or_default();
        let is_sound = diagnostics.len() == n_diagnostics;
        let same = (1..)
            .zip(&budgets)
            .find(|(_, other)| other.label() == budget.label());
        if let (true, Some((first, _))) = (is_sound, same) {
            let message = format!("budgets {first} and {number} are both `{budget}`; remove one");
            diagnostics.push(item.error(message));
        }
        budgets.push(budget);
    }
    Some(budgets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short_and_show_values_other_than_the_default() {
        let time = Budget {
            limit: BudgetLimit::Time {
                per_move: Duration::from_millis(1),
            },
            ..Budget::default()
        };
        assert_eq!(time.label(), "1ms cpu");
        let wall = Budget {
            clock: Clock::Wall,
            bank: Duration::from_secs(2),
            overrun: Overrun::Warn,
            ..time
        };
        assert_eq!(wall.label(), "1ms wall, bank 2s, overrun warn");
        assert_eq!(
            wall.limit_for_agents(),
            Limit::Time {
                clock: Clock::Wall,
                per_move: Duration::from_millis(1),
                bank: Duration::from_secs(2),
            }
        );
        let nodes = Budget {
            limit: BudgetLimit::Nodes(NonZeroU64::new(20_000).unwrap()),
            ..Budget::default()
        };
        assert_eq!(nodes.label(), "20000 nodes");
        assert_eq!(Budget::default().label(), "no budget");
    }

    #[test]
    fn a_budget_survives_the_round_trip_through_json() {
        let budget = Budget {
            limit: BudgetLimit::Time {
                per_move: Duration::from_micros(1500),
            },
            ..Budget::default()
        };
        let json = serde_json::to_string(&budget).unwrap();
        assert_eq!(
            json,
            r#"{"limit":{"time":{"per_move":"1.5ms"}},"clock":"cpu","bank":"100ms","overrun":"end-game","setup":"5s","hang":"10s"}"#
        );
        assert_eq!(serde_json::from_str::<Budget>(&json).unwrap(), budget);
        let sleepy = Budget {
            sleep: Some(Duration::from_secs(3)),
            ..budget
        };
        let json = serde_json::to_string(&sleepy).unwrap();
        assert!(json.ends_with(r#""sleep":"3s"}"#), "{json}");
        assert_eq!(serde_json::from_str::<Budget>(&json).unwrap(), sleepy);
    }
}
