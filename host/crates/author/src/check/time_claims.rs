//! Claims about budgets. They judge CPU time as the referee does, increment and bank
//! together, so a busy machine causes no failure.

use std::{num::NonZeroU64, time::Duration};

use plugin_api::Limits;

use super::{
    candidate::{Candidate, ask, budget},
    playing_claims::play_on,
    positions,
    verdict::{ClaimResult, ClaimVerdict},
};
use play::player::NoMove;
use run::game_record::Ending;
use text::duration_text::format_duration;
use tournament::{BudgetLimit, Overrun};

pub(super) fn keeps_one_millisecond(candidate: &Candidate<'_>) -> ClaimResult {
    keeps(candidate, Duration::from_millis(1), 400)
}

pub(super) fn keeps_ten_milliseconds(candidate: &Candidate<'_>) -> ClaimResult {
    keeps(candidate, Duration::from_millis(10), 60)
}

fn keeps(candidate: &Candidate<'_>, per_move: Duration, n_moves: u64) -> ClaimResult {
    let mut trial = candidate.trial(budget(BudgetLimit::Time { per_move }));
    trial.rules.max_moves = Some(n_moves);
    match play_on(candidate, &trial, 7) {
        Ok(played) => {
            let times = played.cpu_times.quantiles();
            Ok(ClaimVerdict::passed(format!(
                "p99 {:.2} ms, max {:.2} ms over {} moves",
                times.p99 / 1000.0,
                times.max / 1000.0,
                played.game.n_moves()
            )))
        }
        Err(NoMove::Fault(fault))
            if fault.ending == Ending::Overrun && !candidate.supports(Limits::Time) =>
        {
            Ok(ClaimVerdict::warned(format!(
                "{}; it does not declare support for time budgets, and would lose games in a tournament with this budget; {}",
                fault.sentence,
                Overrun::ADVICE
            )))
        }
        Err(NoMove::Fault(mut fault)) if fault.ending == Ending::Overrun => {
            fault.sentence.push_str(
                ", although it declares support for time budgets; check `turn.budget()` in the inner loop",
            );
            Ok(ClaimVerdict::from_fault(&fault))
        }
        Err(error) => Err(error),
    }
}

pub(super) fn keeps_nodes(candidate: &Candidate<'_>) -> ClaimResult {
    if !candidate.supports(Limits::Nodes) {
        return Ok(ClaimVerdict::skipped(
            "it does not declare support for node budgets",
        ));
    }
    let mut most = Vec::new();
    for allowed in [100, 5000] {
        let nodes = NonZeroU64::new(allowed).expect("the budgets are not 0");
        let trial = candidate.trial(budget(BudgetLimit::Nodes(nodes)));
        let mut player = candidate.start(&trial)?;
        let boards = positions::ordinary(candidate.side(), 40);
        let mut largest = 0;
        for (move_number, board) in (1..).zip(&boards) {
            let n_nodes = ask(&mut player, board, &trial.budget, move_number)?
                .answer
                .nodes;
            if n_nodes > allowed {
                return Ok(ClaimVerdict::failed(format!(
                    "searched {n_nodes} nodes with a budget of {allowed}"
                )));
            }
            largest = largest.max(n_nodes);
        }
        most.push((allowed, largest));
    }
    if most.iter().all(|&(_, largest)| largest == 0) {
        return Ok(ClaimVerdict::warned(
            "does not report how many nodes it searched, so the budget cannot be verified",
        ));
    }
    let parts: Vec<String> = most
        .iter()
        .map(|(allowed, largest)| format!("at most {largest} of {allowed}"))
        .collect();
    Ok(ClaimVerdict::passed(parts.join(", ")))
}

/// An agent must not use time between turns, which is not its own.
pub(super) fn is_idle_between_turns(candidate: &Candidate<'_>) -> ClaimResult {
    const PAUSE: Duration = Duration::from_millis(200);
    const MOST_PAUSES: u32 = 100;
    const TOLERATED: Duration = Duration::from_millis(20);
    let trial = candidate.short_trial();
    let mut player = candidate.start(&trial)?;
    let boards = positions::ordinary(candidate.side(), 5);
    for (move_number, board) in (1..).zip(&boards) {
        ask(&mut player, board, &trial.budget, move_number)?;
    }
    let before = player.worker().cpu_time();
    let (mut n_pauses, mut used) = (0, Duration::ZERO);
    // Keep waiting while the worker is runnable, so that a busy machine hides nothing.
    while used <= TOLERATED
        && n_pauses < MOST_PAUSES
        && (n_pauses == 0 || player.worker().is_busy())
    {
        std::thread::sleep(PAUSE);
        n_pauses += 1;
        used = player.worker().cpu_time().saturating_sub(before);
    }
    Ok(if used > TOLERATED {
        let rounded = Duration::from_millis(u64::try_from(used.as_millis()).unwrap_or(u64::MAX));
        let detail = format!(
            "used {} of CPU time in a pause of {} between two turns; the referee charges it for that",
            format_duration(rounded),
            format_duration(PAUSE * n_pauses)
        );
        // An interpreter may compile or collect garbage on its own.
        if candidate.is_program() {
            ClaimVerdict::warned(detail)
        } else {
            ClaimVerdict::failed(detail)
        }
    } else {
        ClaimVerdict::passed("")
    })
}
