//! Selects the records that one machine would have made, and finds those that are missing.
//!
//! A shard sees only its own games, so it plays on where one machine would have stopped:
//! after a disqualification, and after the look that settles an agent's place.
//! Such games are left out here. A missing game neither disqualifies nor settles.

use std::{collections::HashMap, num::NonZeroU32};

use super::{line_index::IndexedLine, missing_games::MissingCount};
use report::{Decision, ReportInput, decide};
use run::{
    disqualification::FaultStreak,
    game_figures::GameFigures,
    game_plan::{GamePlan, Series},
    run_plan::RunPlan,
};

#[derive(Debug)]
pub(super) struct Selection {
    /// The records that count, in the order of the plan.
    pub(super) lines: Vec<IndexedLine>,
    pub(super) n_superfluous: u64,
    /// The games that have yet to be played.
    pub(super) missing: MissingCount,
    pub(super) decision: Option<Decision>,
}

/// Selects among `lines`, which are in the order of the plan and hold each game once. Missing
/// games are counted by shard, if the plan was split into shards.
pub(super) fn recorded_by_one_machine(
    plan: &RunPlan,
    mut lines: Vec<IndexedLine>,
    n_shards: Option<NonZeroU32>,
) -> Selection {
    let games = plan.games();
    let n_found = lines.len() as u64;
    let last_games = last_games(&lines, &games, plan.disqualify_after());
    let is_after_disqualification = |game: u64| {
        last_games
            .get(&games.series_of(game))
            .is_some_and(|last| game > *last)
    };
    lines.retain(|line| !is_after_disqualification(line.figures.game));
    let input = ReportInput::of(plan);
    let decision = decision(plan, &lines);
    let is_needed = |game: u64| {
        let series = games.series_of(game);
        let needs = |decision: &Decision| decision.needs(&input, series.budget, series.agent, game);
        decision.as_ref().is_none_or(needs)
    };
    if decision.as_ref().is_some_and(Decision::is_over) {
        lines.retain(|line| is_needed(line.figures.game));
    }
    let found = lines.iter().map(|line| line.figures.game);
    let missing = if last_games.is_empty() && decision.is_none() {
        MissingCount::of_all(&games, n_shards, found)
    } else {
        MissingCount::of_needed(&games, n_shards, found, |game| {
            !is_after_disqualification(game) && is_needed(game)
        })
    };
    Selection {
        n_superfluous: n_found - lines.len() as u64,
        lines,
        missing,
        decision,
    }
}

/// The game that disqualifies the agent of each series.
fn last_games(
    lines: &[IndexedLine],
    games: &GamePlan,
    disqualify_after: Option<u64>,
) -> HashMap<Series, u64> {
    let mut last_games = HashMap::new();
    let Some(after) = disqualify_after else {
        return last_games;
    };
    let first = FaultStreak::new(after, games.games_per_seed());
    let mut streaks: HashMap<Series, FaultStreak> = HashMap::new();
    for figures in lines.iter().map(|line| &line.figures) {
        let series = games.series_of(figures.game);
        let streak = streaks.entry(series).or_insert(first);
        if streak.add(figures.game, figures.fault_weight()) {
            last_games.entry(series).or_insert(figures.game);
        }
    }
    last_games
}

fn decision(plan: &RunPlan, lines: &[IndexedLine]) -> Option<Decision> {
    plan.stop()?;
    let records: Vec<&GameFigures> = lines.iter().map(|line| &line.figures).collect();
    decide(&ReportInput::of(plan), &records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::{
        example::{figures, plan},
        game_record::Ending,
    };

    /// The games of the second of two agents: `.` is a good game, `x` a fault, `t` a timeout,
    /// `-` missing.
    #[track_caller]
    fn check(games: &str, after: u64, expected: Option<u64>) {
        let lines: Vec<IndexedLine> = games
            .bytes()
            .zip(0..)
            .filter(|(letter, _)| *letter != b'-')
            .map(|(letter, seed)| IndexedLine {
                part: 0,
                figures: GameFigures {
                    game: 2 * seed + 1,
                    ending: match letter {
                        b'x' => Ending::Panic,
                        b't' => Ending::Hang,
                        _ => Ending::NoMoveLeft,
                    },
                    timeout: letter == b't',
                    ..figures("b", seed, 0)
                },
            })
            .collect();
        let plan = plan(4, &["a", "b"]).games();
        let last = last_games(&lines, &plan, Some(after));
        let [first, second] = [0, 1].map(|game| plan.series_of(game));
        assert_eq!(last.get(&second).map(|game| game / 2), expected, "{games}");
        assert!(!last.contains_key(&first));
    }

    #[test]
    fn faults_are_consecutive_only_if_no_game_between_them_is_missing() {
        check("..xxx..", 3, Some(4));
        check("xx-xx.x", 3, None);
        check("xx-xxxx", 3, Some(5));
        check("x.x.x.x", 2, None);
        check("..-x", 1, Some(3));
        check(".-tx", 3, Some(2));
    }
}
