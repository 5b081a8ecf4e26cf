//! Claims about what an agent does beside playing: output, threads, memory, thoughts,
//! and whether it does the same again.

use plugin_api::{Answer, Board, Direction};

use super::{
    candidate::{Candidate, MEMORY, Stage, ask, one_line},
    playing_claims::play_on,
    positions,
    verdict::Verdict,
};
use crate::{
    player::{Player, PlayerError, WorkerPlayer},
    worker::Rehearsal,
};

type Result = std::result::Result<Verdict, PlayerError>;

pub(super) fn agents_can_be_ended(candidate: &Candidate<'_>) -> Result {
    candidate.start(&Stage {
        rehearsal: Some(Rehearsal::MakeAndEnd),
        ..candidate.short_stage()
    })?;
    Ok(Verdict::passed(""))
}

pub(super) fn plays_the_same_again(candidate: &Candidate<'_>) -> Result {
    let mut stage = candidate.stage(candidate.repeatable_budget());
    stage.rules.max_moves = Some(candidate.n_turns(150));
    let first = play_on(candidate, &stage, 7)?.moves;
    let second = play_on(candidate, &stage, 7)?.moves;
    let n_same = first
        .bytes()
        .zip(second.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    Ok(if first == second {
        Verdict::passed(format!("{} moves, {}", first.len(), stage.budget.label()))
    } else {
        Verdict::failed(format!(
            "played move {} otherwise in a second game with the same tiles and the same `random_seed`; take all randomness from that seed",
            n_same + 1
        ))
    })
}

pub(super) fn prints_nothing(candidate: &Candidate<'_>) -> Result {
    const LONGEST: usize = 60;
    let stage = Stage {
        rehearsal: Some(Rehearsal::OnlyStdout),
        ..candidate.short_stage()
    };
    let mut player = candidate.start(&stage)?;
    // Enough turns to fill the buffer behind which C keeps what it prints.
    ask_many(candidate, &mut player, &stage, 600)?;
    let printed = player.worker().last_words();
    Ok(match printed.lines().find(|line| !line.trim().is_empty()) {
        None => Verdict::passed(""),
        Some(line) => {
            let line: String = line.chars().take(LONGEST).collect();
            Verdict::failed(format!(
                "printed `{line}`; print to the standard error output, which `--show-stderr` shows"
            ))
        }
    })
}

pub(super) fn has_one_thread(candidate: &Candidate<'_>) -> Result {
    let stage = candidate.short_stage();
    let mut player = candidate.start(&stage)?;
    ask_many(candidate, &mut player, &stage, 64)?;
    Ok(match player.n_threads() {
        0 | 1 => Verdict::passed(""),
        n => Verdict::warned(format!(
            "has {n} threads; that is allowed, but the CPU time of all of them is charged together"
        )),
    })
}

pub(super) fn keeps_its_memory(candidate: &Candidate<'_>) -> Result {
    /// A long game of a strong agent.
    const LONG_GAME: u64 = 20_000;
    /// What an allocator may do on its own.
    const NOISE: u64 = 16 << 20;
    let stage = candidate.short_stage();
    let mut player = candidate.start(&stage)?;
    let n_turns = candidate.n_turns(1500);
    let early = ask_many(candidate, &mut player, &stage, n_turns / 2)
        .map(|()| player.worker().resident_memory())?;
    let late = ask_many(candidate, &mut player, &stage, n_turns / 2)
        .map(|()| player.worker().resident_memory())?;
    let (Some(early), Some(late)) = (early, late) else {
        return Ok(Verdict::skipped("its memory cannot be read from outside"));
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
        Verdict::passed(detail)
    } else if after_a_long_game > MEMORY {
        Verdict::failed(format!(
            "holds {detail}: a game of {LONG_GAME} moves would need about {}, and a tournament allows {} unless it says otherwise",
            mebibytes(after_a_long_game),
            mebibytes(MEMORY)
        ))
    } else {
        Verdict::warned(format!("holds {detail}: where does it end?"))
    })
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

pub(super) fn two_agents_live_at_once(candidate: &Candidate<'_>) -> Result {
    let stage = candidate.stage(candidate.repeatable_budget());
    let n_boards = candidate.n_turns(120) / 3;
    let boards = positions::ordinary(candidate.side(), usize::try_from(n_boards).unwrap_or(5));
    let alone = answers(&mut candidate.start(&stage)?, &boards, &stage, 1)?;
    let together = Stage {
        rehearsal: Some(Rehearsal::TwoAgents),
        ..stage.clone()
    };
    let both = answers(&mut candidate.start(&together)?, &boards, &stage, 2)?;
    let is_same = |number: usize| {
        let chosen = |answer: &Answer| answer.direction;
        chosen(&alone[number]) == chosen(&both[2 * number])
            && chosen(&alone[number]) == chosen(&both[2 * number + 1])
    };
    let Some(number) = (0..boards.len()).find(|&number| !is_same(number)) else {
        return Ok(Verdict::passed(format!("{n_boards} positions each")));
    };
    // Whoever answers otherwise each time has another claim to fail.
    let alone_again = answers(&mut candidate.start(&stage)?, &boards, &stage, 1)?;
    let is_repeatable = alone
        .iter()
        .zip(&alone_again)
        .all(|(one, other)| one.direction == other.direction);
    Ok(if is_repeatable {
        Verdict::failed(format!(
            "answers otherwise on {} when another agent lives in the same process; keep an agent's state in the agent, not in globals",
            one_line(&boards[number])
        ))
    } else {
        Verdict::passed(
            "both play legal moves; its play is not repeatable, so that it was not compared",
        )
    })
}

/// The answers to every board, asked so many times each.
fn answers(
    player: &mut WorkerPlayer<'_>,
    boards: &[Board],
    stage: &Stage,
    n_times: usize,
) -> std::result::Result<Vec<Answer>, PlayerError> {
    (1..)
        .zip(boards)
        .flat_map(|(move_number, board)| std::iter::repeat_n((move_number, board), n_times))
        .map(|(move_number, board)| Ok(ask(player, board, &stage.budget, move_number)?.answer))
        .collect()
}

fn ask_many(
    candidate: &Candidate<'_>,
    player: &mut WorkerPlayer<'_>,
    stage: &Stage,
    n_turns: u64,
) -> std::result::Result<(), PlayerError> {
    let boards = positions::ordinary(candidate.side(), 300);
    for (move_number, board) in (1..=candidate.n_turns(n_turns)).zip(boards.iter().cycle()) {
        ask(player, board, &stage.budget, move_number)?;
    }
    Ok(())
}

pub(super) fn thoughts_make_sense(candidate: &Candidate<'_>) -> Result {
    let stage = candidate.short_stage();
    let mut player = candidate.start(&stage)?;
    let n_boards = usize::try_from(candidate.n_turns(100)).unwrap_or(5);
    let boards = positions::ordinary(candidate.side(), n_boards);
    let answers = answers(&mut player, &boards, &stage, 1)?;
    let says_something = |answer: &Answer| {
        answer.depth > 0 || answer.nodes > 0 || answer.values.iter().any(|value| !value.is_nan())
    };
    if !answers.iter().any(says_something) {
        return Ok(Verdict::skipped("it says nothing of what it thought"));
    }
    for (board, answer) in boards.iter().zip(&answers) {
        if let Some(nonsense) = nonsense(answer) {
            return Ok(Verdict::failed(format!(
                "{nonsense} on {}",
                one_line(board)
            )));
        }
    }
    let n_against_itself = boards
        .iter()
        .zip(&answers)
        .filter(|(board, answer)| chose_against_its_values(board, answer))
        .count();
    // A search by play-outs may well take the move it visited most.
    Ok(if n_against_itself * 10 > n_boards {
        Verdict::warned(format!(
            "chose a move that it said was worth less than another on {n_against_itself} of {n_boards} positions"
        ))
    } else {
        Verdict::passed(said(&answers))
    })
}

/// What no agent can have thought.
fn nonsense(answer: &Answer) -> Option<String> {
    const DEEPEST: u32 = 100_000;
    const MOST_NODES: u64 = 1 << 40;
    if let Some(value) = answer.values.iter().find(|value| value.is_infinite()) {
        return Some(format!("says that a move is worth {value}"));
    }
    if answer.depth > DEEPEST {
        return Some(format!("says that it looked {} moves ahead", answer.depth));
    }
    (answer.nodes > MOST_NODES).then(|| format!("says that it searched {} nodes", answer.nodes))
}

fn chose_against_its_values(board: &Board, answer: &Answer) -> bool {
    let chosen = answer.values[usize::from(answer.direction).min(3)];
    board
        .legal_moves()
        .map(Direction::index)
        .any(|other| answer.values[other] > chosen)
}

fn said(answers: &[Answer]) -> String {
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
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(values: [f64; 4], depth: u32, nodes: u64) -> Answer {
        Answer {
            direction: 3,
            values,
            depth,
            nodes,
        }
    }

    #[test]
    fn nonsense_is_what_no_agent_can_have_thought() {
        let unsaid = [f64::NAN; 4];
        assert_eq!(nonsense(&thought(unsaid, 0, 0)), None);
        assert_eq!(nonsense(&thought([1.0, -2.0, 0.0, 9.0], 12, 1 << 30)), None);
        assert!(nonsense(&thought([f64::INFINITY; 4], 0, 0)).is_some());
        assert!(nonsense(&thought(unsaid, u32::MAX, 0)).is_some());
        assert!(nonsense(&thought(unsaid, 0, u64::MAX)).is_some());
    }

    #[test]
    fn only_legal_moves_are_compared_with_the_chosen_one() {
        // Left is illegal in the first board and legal in the second.
        let answer = |direction, values| Answer {
            direction,
            ..thought(values, 0, 0)
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
