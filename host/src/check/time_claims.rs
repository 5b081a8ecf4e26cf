//! Claims about budgets. Time is CPU time and judged as the referee judges it, income
//! and bank together, so that a busy machine fails nobody.

use std::{num::NonZeroU64, time::Duration};

use plugin_api::Limits;

use super::{
    candidate::{Candidate, ask, budget},
    playing_claims::play_on,
    positions,
    verdict::Verdict,
};
use crate::{
    game_record::Ending,
    player::PlayerError,
    tournament::{BudgetLimit, format_duration},
};

type Result = std::result::Result<Verdict, PlayerError>;

pub(super) fn keeps_one_millisecond(candidate: &Candidate<'_>) -> Result {
    keeps(candidate, Duration::from_millis(1), 400)
}

pub(super) fn keeps_ten_milliseconds(candidate: &Candidate<'_>) -> Result {
    keeps(candidate, Duration::from_millis(10), 60)
}

fn keeps(candidate: &Candidate<'_>, per_move: Duration, n_moves: u64) -> Result {
    let mut stage = candidate.stage(budget(BudgetLimit::Time { per_move }));
    stage.rules.max_moves = Some(n_moves);
    match play_on(candidate, &stage, 7) {
        Ok(played) => {
            let times = played.cpu_times.quantiles();
            Ok(Verdict::passed(format!(
                "p99 {:.2} ms, max {:.2} ms over {} moves",
                times.p99 / 1000.0,
                times.max / 1000.0,
                played.game.n_moves()
            )))
        }
        Err(PlayerError::Fault(fault))
            if fault.ending == Ending::Overrun && !candidate.honours(Limits::Time) =>
        {
            Ok(Verdict::warned(format!(
                "{}; it does not say that it honours budgets in time, and would lose games in a tournament with this one",
                fault.sentence
            )))
        }
        Err(PlayerError::Fault(mut fault)) if fault.ending == Ending::Overrun => {
            fault.sentence.push_str(
                ", though it says that it honours time; ask `turn.budget()` in the inner loop",
            );
            Ok(Verdict::from_fault(&fault))
        }
        Err(error) => Err(error),
    }
}

pub(super) fn keeps_nodes(candidate: &Candidate<'_>) -> Result {
    if !candidate.honours(Limits::Nodes) {
        return Ok(Verdict::skipped(
            "it does not say that it honours budgets in nodes",
        ));
    }
    let mut most = Vec::new();
    for allowed in [100, 5000] {
        let nodes = NonZeroU64::new(allowed).expect("the budgets are not 0");
        let stage = candidate.stage(budget(BudgetLimit::Nodes(nodes)));
        let mut player = candidate.start(&stage)?;
        let boards = positions::ordinary(candidate.side(), 40);
        let mut largest = 0;
        for (move_number, board) in (1..).zip(&boards) {
            let said = ask(&mut player, board, &stage.budget, move_number)?
                .answer
                .nodes;
            if said > allowed {
                return Ok(Verdict::failed(format!(
                    "searched {said} nodes where {allowed} were allowed"
                )));
            }
            largest = largest.max(said);
        }
        most.push((allowed, largest));
    }
    if most.iter().all(|&(_, largest)| largest == 0) {
        return Ok(Verdict::warned(
            "does not say how many nodes it searched, so that nobody can see whether it keeps to them",
        ));
    }
    let parts: Vec<String> = most
        .iter()
        .map(|(allowed, largest)| format!("at most {largest} of {allowed}"))
        .collect();
    Ok(Verdict::passed(parts.join(", ")))
}

/// An agent that thinks while nobody asks it takes time that is not its own.
pub(super) fn rests_between_turns(candidate: &Candidate<'_>) -> Result {
    const PAUSE: Duration = Duration::from_millis(200);
    const TOLERATED: Duration = Duration::from_millis(20);
    let stage = candidate.short_stage();
    let mut player = candidate.start(&stage)?;
    let boards = positions::ordinary(candidate.side(), 5);
    for (move_number, board) in (1..).zip(&boards) {
        ask(&mut player, board, &stage.budget, move_number)?;
    }
    let before = player.worker().cpu_time();
    std::thread::sleep(PAUSE);
    let after = player.worker().cpu_time();
    let (Some(before), Some(after)) = (before, after) else {
        return Ok(Verdict::skipped("its CPU time cannot be read from outside"));
    };
    let used = after.saturating_sub(before);
    Ok(if used > TOLERATED {
        let rounded = Duration::from_millis(u64::try_from(used.as_millis()).unwrap_or(u64::MAX));
        Verdict::failed(format!(
            "used {} of CPU in a pause of {} between two turns; the referee charges it for that",
            format_duration(rounded),
            format_duration(PAUSE)
        ))
    } else {
        Verdict::passed("")
    })
}
