//! Claims about an agent's behaviour besides playing: output, threads, memory, reported
//! values, and whether its play is repeatable.

use std::collections::{BTreeMap, BTreeSet};

use plugin_api::{Answer, Board, Direction};

use super::{
    candidate::{Candidate, TrialSetup, ask, one_line},
    playing_claims::play_on,
    positions,
    verdict::{ClaimResult, ClaimVerdict},
};
use play::player::{NoMove, Player, WorkerPlayer};
use text::plugin_words::word_or_quotation;
use tournament::Tournament;
use worker::Rehearsal;

pub(super) fn agents_can_be_destroyed(candidate: &Candidate<'_>) -> ClaimResult {
    candidate.start(&TrialSetup {
        rehearsal: Some(Rehearsal::MakeAndEnd),
        ..candidate.short_trial()
    })?;
    Ok(ClaimVerdict::passed(""))
}

pub(super) fn repeats_its_play(candidate: &Candidate<'_>) -> ClaimResult {
    let mut trial = candidate.trial(candidate.repeatable_budget());
    trial.rules.max_moves = Some(candidate.n_turns(150));
    let first = play_on(candidate, &trial, 7)?.moves;
    let second = play_on(candidate, &trial, 7)?.moves;
    let n_same = first
        .bytes()
        .zip(second.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    Ok(if first == second {
        ClaimVerdict::passed(format!("{} moves, {}", first.len(), trial.budget.label()))
    } else {
        ClaimVerdict::failed(format!(
            "played a different move {} in a second game with the same tiles and the same `random_seed`; derive all randomness from that seed",
            n_same + 1
        ))
    })
}

pub(super) fn prints_nothing(candidate: &Candidate<'_>) -> ClaimResult {
    const MOST_CHARACTERS: usize = 60;
    let trial = TrialSetup {
        rehearsal: Some(Rehearsal::OnlyStdout),
        ..candidate.short_trial()
    };
    let mut player = candidate.start(&trial)?;
    // Enough turns to fill the buffer in which C keeps its output.
    ask_many(candidate, &mut player, &trial, 600)?;
    let printed = player.worker().stderr_tail();
    Ok(match printed.lines().find(|line| !line.trim().is_empty()) {
        None => ClaimVerdict::passed(""),
        Some(line) => {
            let line: String = line.chars().take(MOST_CHARACTERS).collect();
            ClaimVerdict::warned(format!(
                "printed `{line}`; it does no harm and goes to stderr, which `--show-stderr` shows"
            ))
        }
    })
}

pub(super) fn has_one_thread(candidate: &Candidate<'_>) -> ClaimResult {
    let trial = candidate.short_trial();
    let mut player = candidate.start(&trial)?;
    ask_many(candidate, &mut player, &trial, 64)?;
    Ok(match player.n_threads() {
        0 | 1 => ClaimVerdict::passed(""),
        n if candidate.is_program() => ClaimVerdict::passed(format!(
            "{n} with those of its interpreter; all are charged"
        )),
        n => ClaimVerdict::warned(format!(
            "has {n} threads; this is allowed, but the CPU time of all threads is charged"
        )),
    })
}

pub(super) fn memory_does_not_grow(candidate: &Candidate<'_>) -> ClaimResult {
    /// The length of a long game by a strong agent.
    const LONG_GAME: u64 = 20_000;
    /// Memory that an allocator may reserve on its own.
    const NOISE: u64 = 16 << 20;
    let trial = candidate.short_trial();
    let mut player = candidate.start(&trial)?;
    let n_turns = candidate.n_turns(1500);
    let early = ask_many(candidate, &mut player, &trial, n_turns / 2)
        .map(|()| player.worker().resident_memory())?;
    let late = ask_many(candidate, &mut player, &trial, n_turns / 2)
        .map(|()| player.worker().resident_memory())?;
    let (Some(early), Some(late)) = (early, late) else {
        return Ok(ClaimVerdict::skipped("its memory use cannot be read"));
    };
    let growth = late.saturating_sub(early);
    let after_a_long_game = late + growth * (LONG_GAME / (n_turns / 2).max(1));
    let detail = format!(
        "{} after {} turns, {} after {n_turns}",
        mebibytes(early),
        n_turns / 2,
        mebibytes(late)
    );
    Ok(if growth <= NOISE {
        ClaimVerdict::passed(detail)
    } else if after_a_long_game > Tournament::DEFAULT_MEMORY {
        ClaimVerdict::failed(format!(
            "uses {detail}: a game of {LONG_GAME} moves would need about {}; the default limit of a tournament is {}",
            mebibytes(after_a_long_game),
            mebibytes(Tournament::DEFAULT_MEMORY)
        ))
    } else {
        ClaimVerdict::warned(format!("uses {detail}: its memory grows during a game"))
    })
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

pub(super) fn two_agents_coexist(candidate: &Candidate<'_>) -> ClaimResult {
    let trial = candidate.trial(candidate.repeatable_budget());
    let n_boards = candidate.n_turns(120) / 3;
    let boards = positions::ordinary(candidate.side(), usize::try_from(n_boards).unwrap_or(5));
    let alone = answers(&mut candidate.start(&trial)?, &boards, &trial, 1)?;
    let together = TrialSetup {
        rehearsal: Some(Rehearsal::TwoAgents),
        ..trial.clone()
    };
    let both = answers(&mut candidate.start(&together)?, &boards, &trial, 2)?;
    let is_same = |number: usize| {
        let chosen = |answer: &Answer| answer.direction;
        chosen(&alone[number]) == chosen(&both[2 * number])
            && chosen(&alone[number]) == chosen(&both[2 * number + 1])
    };
    let Some(number) = (0..boards.len()).find(|&number| !is_same(number)) else {
        return Ok(ClaimVerdict::passed(format!("{n_boards} positions each")));
    };
    // An agent whose play is not repeatable fails a different claim.
    let alone_again = answers(&mut candidate.start(&trial)?, &boards, &trial, 1)?;
    let is_repeatable = alone
        .iter()
        .zip(&alone_again)
        .all(|(one, other)| one.direction == other.direction);
    Ok(if is_repeatable {
        ClaimVerdict::failed(format!(
            "answers differently on {} when a second agent exists in the same process; keep an agent's state in the agent, not in globals",
            one_line(&boards[number])
        ))
    } else {
        ClaimVerdict::passed(
            "both play legal moves; its play is not repeatable, so the moves were not compared",
        )
    })
}

/// The answers to every board, each asked this many times.
fn answers(
    player: &mut WorkerPlayer<'_>,
    boards: &[Board],
    trial: &TrialSetup,
    n_times: usize,
) -> Result<Vec<Answer>, NoMove> {
    (1..)
        .zip(boards)
        .flat_map(|(move_number, board)| std::iter::repeat_n((move_number, board), n_times))
        .map(|(move_number, board)| Ok(ask(player, board, &trial.budget, move_number)?.answer))
        .collect()
}

pub(super) fn ask_many(
    candidate: &Candidate<'_>,
    player: &mut WorkerPlayer<'_>,
    trial: &TrialSetup,
    n_turns: u64,
) -> Result<(), NoMove> {
    let boards = positions::ordinary(candidate.side(), 300);
    for (move_number, board) in (1..=candidate.n_turns(n_turns)).zip(boards.iter().cycle()) {
        ask(player, board, &trial.budget, move_number)?;
    }
    Ok(())
}

pub(super) fn reported_values_are_plausible(candidate: &Candidate<'_>) -> ClaimResult {
    let trial = TrialSetup {
        notes: true,
        ..candidate.short_trial()
    };
    let mut player = candidate.start(&trial)?;
    let n_boards = usize::try_from(candidate.n_turns(100)).unwrap_or(5);
    let boards = positions::ordinary(candidate.side(), n_boards);
    let mut answers = Vec::new();
    let mut noted = BTreeSet::new();
    let mut left_out = BTreeMap::new();
    for (move_number, board) in (1..).zip(&boards) {
        let reply = ask(&mut player, board, &trial.budget, move_number)?;
        answers.push(reply.answer);
        let names = reply
            .notes
            .numbers()
            .iter()
            .map(|(name, _)| word_or_quotation(name));
        noted.extend(names.chain(reply.notes.text().map(|_| "a text".to_owned())));
        for (reason, count) in reply.notes.left_out() {
            *left_out.entry(reason).or_insert(0) += u64::from(count);
        }
    }
    let says_something = |answer: &Answer| {
        answer.depth > 0 || answer.nodes > 0 || answer.values.iter().any(|value| !value.is_nan())
    };
    if noted.is_empty() && left_out.is_empty() && !answers.iter().any(says_something) {
        return Ok(ClaimVerdict::skipped(
            "it reports no values, depth, nodes or notes",
        ));
    }
    for (board, answer) in boards.iter().zip(&answers) {
        if let Some(implausible) = implausible(answer) {
            return Ok(ClaimVerdict::failed(format!(
                "{implausible} on {}",
                one_line(board)
            )));
        }
    }
    let n_against_itself = boards
        .iter()
        .zip(&answers)
        .filter(|(board, answer)| chose_against_its_values(board, answer))
        .count();
    // A search by play-outs may choose the move that it visited most often instead.
    Ok(if n_against_itself * 10 > n_boards {
        ClaimVerdict::warned(format!(
            "chose a move with a lower reported value than another on {n_against_itself} of {n_boards} positions"
        ))
    } else if !left_out.is_empty() {
        let left_out = left_out.iter();
        let left_out: Vec<String> = left_out
            .map(|(reason, count)| format!("{count} × {reason}"))
            .collect();
        ClaimVerdict::warned(format!(
            "left out of its notes on {n_boards} positions: {}",
            left_out.join(", ")
        ))
    } else {
        ClaimVerdict::passed(reported(&answers, &noted))
    })
}

/// Reported values that are impossible.
fn implausible(answer: &Answer) -> Option<String> {
    const DEEPEST: u32 = 100_000;
    const MOST_NODES: u64 = 1 << 40;
    if let Some(value) = answer.values.iter().find(|value| value.is_infinite()) {
        return Some(format!("reports that a move is worth {value}"));
    }
    if answer.depth > DEEPEST {
        return Some(format!("reports a depth of {} moves", answer.depth));
    }
    (answer.nodes > MOST_NODES).then(|| format!("reports {} searched nodes", answer.nodes))
}

fn chose_against_its_values(board: &Board, answer: &Answer) -> bool {
    let chosen = answer.values[usize::from(answer.direction).min(3)];
    board
        .legal_moves()
        .map(Direction::index)
        .any(|other| answer.values[other] > chosen)
}

fn reported(answers: &[Answer], noted: &BTreeSet<String>) -> String {
    let mut parts = Vec::new();
    if answers
        .iter()
        .any(|answer| answer.values.iter().any(|value| !value.is_nan()))
    {
        parts.push("values".to_owned());
    }
    let depth = answers.iter().map(|answer| answer.depth).max().unwrap_or(0);
    if depth > 0 {
        parts.push(format!("depth up to {depth}"));
    }
    let nodes = answers.iter().map(|answer| answer.nodes).max().unwrap_or(0);
    if nodes > 0 {
        parts.push(format!("up to {nodes} nodes"));
    }
    if !noted.is_empty() {
        let noted: Vec<&str> = noted.iter().map(String::as_str).collect();
        parts.push(format!("notes: {}", noted.join(", ")));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer_with(values: [f64; 4], depth: u32, nodes: u64) -> Answer {
        Answer {
            direction: 3,
            values,
            depth,
            nodes,
        }
    }

    #[test]
    fn impossible_reported_values_are_detected() {
        let unreported = [f64::NAN; 4];
        assert_eq!(implausible(&answer_with(unreported, 0, 0)), None);
        assert_eq!(
            implausible(&answer_with([1.0, -2.0, 0.0, 9.0], 12, 1 << 30)),
            None
        );
        assert!(implausible(&answer_with([f64::INFINITY; 4], 0, 0)).is_some());
        assert!(implausible(&answer_with(unreported, u32::MAX, 0)).is_some());
        assert!(implausible(&answer_with(unreported, 0, u64::MAX)).is_some());
    }

    #[test]
    fn only_legal_moves_are_compared_with_the_chosen_one() {
        // Left is illegal on the first board and legal on the second.
        let answer = |direction, values| Answer {
            direction,
            ..answer_with(values, 0, 0)
        };
        let pushed: Board = "2 0 / 4 0".parse().unwrap();
        assert!(!chose_against_its_values(
            &pushed,
            &answer(1, [0.0, 1.0, 0.0, 5.0])
        ));
        let free: Board = "2 2 / 4 0".parse().unwrap();
        assert!(chose_against_its_values(
            &free,
            &answer(1, [0.0, 1.0, 0.0, 5.0])
        ));
    }
}
