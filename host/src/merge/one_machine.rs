//! Which of many records one machine would have made, and which it would have made
//! besides.
//!
//! A shard sees only its own games, so it plays on where one machine would have
//! stopped: with an agent that is disqualified, and beyond the look that settles a
//! tournament. What follows is left out here; a game that is missing decides nothing.

use std::collections::HashMap;

use super::line_index::{Figures, LinePlace};
use crate::{
    game_plan::GamePlan,
    game_record::GameRecord,
    report::{Decision, decide},
    run_plan::RunPlan,
};

#[derive(Debug)]
pub(super) struct Selection {
    /// The records that count, in the order of the plan.
    pub(super) lines: Vec<LinePlace>,
    pub(super) n_superfluous: u64,
    /// The numbers of games that have to be played yet.
    pub(super) missing: Vec<u64>,
}

/// `lines` are in the order of the plan, each game once; `figures` are their records.
pub(super) fn recorded_by_one_machine(
    plan: &RunPlan,
    mut lines: Vec<LinePlace>,
    figures: &Figures,
) -> Selection {
    let games = GamePlan::new(&plan.tournament);
    let per_seed = games.games_per_seed();
    let n_found = lines.len() as u64;
    let last_games = last_games(&lines, per_seed, plan.disqualify_after());
    let is_after_disqualification = |game: u64| {
        last_games
            .get(&(game % per_seed))
            .is_some_and(|last| game > *last)
    };
    lines.retain(|place| !is_after_disqualification(place.game));
    let (n_needed, is_decided) = match decision(plan, &lines, figures) {
        None => (games.n_games(), false),
        Some(decision) => {
            let is_decided = !matches!(decision, Decision::Unfinished { .. });
            (decision.seeds().saturating_mul(per_seed), is_decided)
        }
    };
    if is_decided {
        lines.retain(|place| place.game < n_needed);
    }
    let mut found = lines.iter().map(|place| place.game).peekable();
    let missing = (0..n_needed.min(games.n_games()))
        .filter(|game| found.next_if_eq(game).is_none() && !is_after_disqualification(*game))
        .collect();
    Selection {
        n_superfluous: n_found - lines.len() as u64,
        lines,
        missing,
    }
}

/// The game that disqualifies each agent under each budget, by its place within a seed.
/// Faults are in a row only where no game between them is missing.
fn last_games(
    lines: &[LinePlace],
    per_seed: u64,
    disqualify_after: Option<u64>,
) -> HashMap<u64, u64> {
    let mut last_games = HashMap::new();
    let Some(after) = disqualify_after else {
        return last_games;
    };
    // By place within a seed: the last game, and the faults in a row up to it.
    let mut rows: HashMap<u64, (u64, u64)> = HashMap::new();
    for place in lines {
        let row = rows.entry(place.game % per_seed).or_default();
        let (last, n_faults) = *row;
        let goes_on = n_faults > 0 && last + per_seed == place.game;
        let n_faults = match (place.is_fault, goes_on) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => n_faults + 1,
        };
        *row = (place.game, n_faults);
        if n_faults >= after {
            last_games
                .entry(place.game % per_seed)
                .or_insert(place.game);
        }
    }
    last_games
}

fn decision(plan: &RunPlan, lines: &[LinePlace], figures: &Figures) -> Option<Decision> {
    plan.stop()?;
    let records: Vec<&GameRecord> = lines.iter().map(|place| figures.of(place)).collect();
    decide(&plan.report_input(), &records, |_, _| {})
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games of one agent among two: `.` is a good game, `x` a fault, `-` missing.
    #[track_caller]
    fn check(games: &str, after: u64, expected: Option<u64>) {
        let lines: Vec<LinePlace> = games
            .bytes()
            .zip(0..)
            .filter(|(letter, _)| *letter != b'-')
            .map(|(letter, seed)| LinePlace {
                game: 2 * seed + 1,
                part: 0,
                line: 0,
                offset: 0,
                length: 0,
                is_fault: letter == b'x',
                figures: 0,
            })
            .collect();
        let last = last_games(&lines, 2, Some(after));
        assert_eq!(last.get(&1).map(|game| game / 2), expected, "{games}");
        assert!(!last.contains_key(&0));
    }

    #[test]
    fn faults_are_in_a_row_where_no_game_is_missing_between_them() {
        check("..xxx..", 3, Some(4));
        check("xx-xx.x", 3, None);
        check("xx-xxxx", 3, Some(5));
        check("x.x.x.x", 2, None);
        check("..-x", 1, Some(3));
    }
}
