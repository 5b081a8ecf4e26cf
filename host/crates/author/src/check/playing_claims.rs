//! Claims about playing on all boards and rules that a tournament may use.

use std::time::Duration;

use plugin_api::{Board, FourShare, Game, Rules, Salt, Side, Tiles};

use super::{
    candidate::{Candidate, TrialSetup, ask},
    positions,
    verdict::{ClaimResult, ClaimVerdict},
};
use play::{
    player::NoMove,
    referee::{PlayedGame, play},
};
use run::game_record::Ending;
use text::number_text::counted;

/// The number of moves in a game that tests rules, not strength.
const SOME_MOVES: u64 = 60;

pub(super) fn creates_an_agent(candidate: &Candidate<'_>) -> ClaimResult {
    let player = candidate.start(&candidate.short_trial())?;
    let milliseconds = player.setup_cpu().as_secs_f64() * 1000.0;
    let detail = format!("{milliseconds:.1} ms of CPU time");
    Ok(match player.sandbox_lacks() {
        Some(layer) => ClaimVerdict::warned(format!(
            "{detail}; the sandbox of this machine lacks {layer}, so its restrictions were not tested"
        )),
        None => ClaimVerdict::passed(detail),
    })
}

pub(super) fn ignores_later_keys(candidate: &Candidate<'_>) -> ClaimResult {
    let trial = TrialSetup {
        later_key: Some("later"),
        ..candidate.short_trial()
    };
    candidate.start(&trial)?;
    Ok(ClaimVerdict::passed(""))
}

pub(super) fn answers_its_first_turns(candidate: &Candidate<'_>) -> ClaimResult {
    let trial = candidate.short_trial();
    let mut player = candidate.start(&trial)?;
    // The fastest of a few turns shows the pace, because the first one fills caches. It is CPU
    // time, so that a busy machine makes no agent slow; a limit ends an agent that sleeps.
    let mut pace = Duration::MAX;
    for (move_number, board) in (1..).zip(&positions::ordinary(candidate.side(), 3)) {
        pace = pace.min(
            ask(&mut player, board, &trial.budget, move_number)?
                .times
                .cpu,
        );
    }
    candidate.set_pace(pace);
    Ok(ClaimVerdict::passed(""))
}

pub(super) fn plays_a_game(candidate: &Candidate<'_>) -> ClaimResult {
    let mut trial = candidate.short_trial();
    trial.rules.max_moves = Some(candidate.n_turns(1000));
    let played = play_on(candidate, &trial, 7)?;
    let until = match played.ending {
        Ending::MoveLimit => "stopped after",
        _ => "a whole game of",
    };
    Ok(ClaimVerdict::passed(format!(
        "{until} {}, score {}",
        counted(played.game.n_moves(), "move"),
        played.game.score(),
    )))
}

/// Plays a game to its end through the referee; a fault is an error.
pub(super) fn play_on(
    candidate: &Candidate<'_>,
    trial: &TrialSetup,
    seed: u64,
) -> Result<PlayedGame, NoMove> {
    let mut player = candidate.start(trial)?;
    let game = Game::start(trial.rules, &Salt::NONE, seed);
    let mut ended = play(game, &mut player, &trial.budget)
        .map_err(|game| NoMove::Interrupted(game.interruption))?;
    match ended.fault.take() {
        Some(fault) => Err(NoMove::Fault(fault)),
        None => Ok(ended),
    }
}

pub(super) fn plays_every_size(candidate: &Candidate<'_>) -> ClaimResult {
    let range = candidate.info.boards;
    let sides: Vec<Side> = (range.min..=range.max).filter_map(Side::new).collect();
    let n_moves = candidate.n_turns(SOME_MOVES * sides.len() as u64) / sides.len() as u64;
    let mut failures = Vec::new();
    for &side in &sides {
        let mut trial = candidate.short_trial();
        trial.rules.side = side;
        trial.rules.max_moves = Some(n_moves.max(5));
        match play_on(candidate, &trial, 7) {
            Ok(_) => {}
            Err(NoMove::Fault(fault)) => failures.push(format!("{side}: {}", fault.sentence)),
            Err(error) => return Err(error),
        }
    }
    Ok(if failures.is_empty() {
        ClaimVerdict::passed(range.to_string())
    } else {
        ClaimVerdict::failed(failures.join("; "))
    })
}

pub(super) fn plays_the_last_move(candidate: &Candidate<'_>) -> ClaimResult {
    answers(
        candidate,
        &positions::one_move_from_the_end(candidate.side()),
    )
}

pub(super) fn finds_the_only_move(candidate: &Candidate<'_>) -> ClaimResult {
    answers(candidate, &positions::one_legal_move(candidate.side()))
}

pub(super) fn plays_high_tiles(candidate: &Candidate<'_>) -> ClaimResult {
    answers(candidate, &positions::with_high_tiles(candidate.side()))
}

pub(super) fn plays_a_thousand_positions(candidate: &Candidate<'_>) -> ClaimResult {
    answers(candidate, &positions::ordinary(candidate.side(), 1000))
}

/// Asks one agent about unrelated boards.
fn answers(candidate: &Candidate<'_>, boards: &[Board]) -> ClaimResult {
    let trial = candidate.short_trial();
    let mut player = candidate.start(&trial)?;
    let n_turns = candidate.n_turns(boards.len() as u64);
    for (move_number, board) in (1..=n_turns).zip(boards) {
        ask(&mut player, board, &trial.budget, move_number)?;
    }
    Ok(if n_turns < boards.len() as u64 {
        ClaimVerdict::warned(format!(
            "it was asked about {n_turns} of {} positions only, because it is slow and supports no budget",
            boards.len()
        ))
    } else {
        ClaimVerdict::passed(format!("{n_turns} positions"))
    })
}

pub(super) fn plays_with_any_probability_of_fours(candidate: &Candidate<'_>) -> ClaimResult {
    let shares = [0.0, 0.5, 1.0];
    for share in shares {
        let four = FourShare::new(share).expect("a share is between 0 and 1");
        let rules = |rules| Rules { four, ..rules };
        plays_under(candidate, rules).map_err(|error| named(error, &format!("four: {share}")))?;
    }
    Ok(ClaimVerdict::passed("0, 0.5 and 1"))
}

pub(super) fn plays_deterministic_tiles(candidate: &Candidate<'_>) -> ClaimResult {
    plays_under(candidate, |rules| Rules {
        tiles: Tiles::Deterministic,
        ..rules
    })?;
    Ok(ClaimVerdict::passed(""))
}

pub(super) fn plays_towards_a_goal(candidate: &Candidate<'_>) -> ClaimResult {
    let max_moves = Some(candidate.n_turns(SOME_MOVES));
    let rules = |rules| Rules {
        goal: Some(16),
        max_moves,
        ..rules
    };
    let played = plays_under(candidate, rules)?;
    Ok(ClaimVerdict::passed(format!(
        "ended by {} after {} moves",
        played.ending.name(),
        played.game.n_moves()
    )))
}

fn plays_under(
    candidate: &Candidate<'_>,
    change: impl FnOnce(Rules) -> Rules,
) -> Result<PlayedGame, NoMove> {
    let mut trial = candidate.short_trial();
    trial.rules.max_moves = Some(candidate.n_turns(SOME_MOVES));
    trial.rules = change(trial.rules);
    play_on(candidate, &trial, 7)
}

/// The same fault with the circumstances in which it occurred.
fn named(error: NoMove, place: &str) -> NoMove {
    match error {
        NoMove::Fault(mut fault) => {
            fault.sentence = format!("with {place}: {}", fault.sentence);
            NoMove::Fault(fault)
        }
        error @ NoMove::Interrupted(_) => error,
    }
}
