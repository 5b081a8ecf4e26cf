//! Claims about playing: whatever board and rules a tournament may bring.

use plugin_api::{Board, FourShare, Game, Rules, Salt, Side, Tiles};

use super::{
    candidate::{Candidate, Stage, ask},
    positions,
    verdict::Verdict,
};
use crate::{
    player::PlayerError,
    referee::{Interruption, PlayedGame, play},
};

type Result = std::result::Result<Verdict, PlayerError>;

/// Moves of a game that is about rules, not about strength.
const SOME_MOVES: u64 = 60;

pub(super) fn makes_an_agent(candidate: &Candidate<'_>) -> Result {
    let player = candidate.start(&candidate.short_stage())?;
    let milliseconds = player.setup_cpu().as_secs_f64() * 1000.0;
    let detail = format!("{milliseconds:.1} ms of CPU");
    Ok(match player.sandbox_lacks() {
        Some(layer) => Verdict::warned(format!(
            "{detail}; the sandbox of this machine lacks {layer}, so that what it would forbid was not tried"
        )),
        None => Verdict::passed(detail),
    })
}

pub(super) fn ignores_later_keys(candidate: &Candidate<'_>) -> Result {
    let stage = Stage {
        later_key: Some("later"),
        ..candidate.short_stage()
    };
    candidate.start(&stage)?;
    Ok(Verdict::passed(""))
}

pub(super) fn answers_its_first_turn(candidate: &Candidate<'_>) -> Result {
    let stage = candidate.short_stage();
    let mut player = candidate.start(&stage)?;
    // The second turn shows the pace: the first one fills caches.
    let boards = positions::ordinary(candidate.side(), 2);
    let mut reply = ask(&mut player, &boards[0], &stage.budget, 1)?;
    reply = ask(&mut player, &boards[1], &stage.budget, 2).unwrap_or(reply);
    candidate.set_pace(reply.wall);
    Ok(Verdict::passed(""))
}

pub(super) fn plays_a_game(candidate: &Candidate<'_>) -> Result {
    let mut stage = candidate.short_stage();
    stage.rules.max_moves = Some(candidate.n_turns(1000));
    let played = play_on(candidate, &stage, 7)?;
    Ok(Verdict::passed(format!(
        "{} moves, score {}, {}",
        played.game.n_moves(),
        played.game.score(),
        played.ending.name()
    )))
}

/// Plays a game to its end through the referee; a fault is an error.
pub(super) fn play_on(
    candidate: &Candidate<'_>,
    stage: &Stage,
    seed: u64,
) -> std::result::Result<PlayedGame, PlayerError> {
    let mut player = candidate.start(stage)?;
    let game = Game::start(stage.rules, &Salt::NONE, seed);
    let mut ended =
        play(game, &mut player, &stage.budget).map_err(|interruption| match interruption {
            Interruption::Stopped => PlayerError::Stopped,
            Interruption::KilledFromOutside(signal) => PlayerError::KilledFromOutside(signal),
        })?;
    match ended.fault.take() {
        Some(fault) => Err(PlayerError::Fault(fault)),
        None => Ok(ended),
    }
}

pub(super) fn plays_every_size(candidate: &Candidate<'_>) -> Result {
    let range = candidate.info.boards;
    let sides: Vec<Side> = (range.min..=range.max).filter_map(Side::new).collect();
    let n_moves = candidate.n_turns(SOME_MOVES * sides.len() as u64) / sides.len() as u64;
    let mut failures = Vec::new();
    for &side in &sides {
        let mut stage = candidate.short_stage();
        stage.rules.side = side;
        stage.rules.max_moves = Some(n_moves.max(5));
        match play_on(candidate, &stage, 7) {
            Ok(_) => {}
            Err(PlayerError::Fault(fault)) => failures.push(format!("{side}: {}", fault.sentence)),
            Err(error) => return Err(error),
        }
    }
    Ok(if failures.is_empty() {
        Verdict::passed(range.to_string())
    } else {
        Verdict::failed(failures.join("; "))
    })
}

pub(super) fn plays_the_last_move(candidate: &Candidate<'_>) -> Result {
    answers(
        candidate,
        &positions::one_move_from_the_end(candidate.side()),
    )
}

pub(super) fn finds_the_only_move(candidate: &Candidate<'_>) -> Result {
    answers(candidate, &positions::one_legal_move(candidate.side()))
}

pub(super) fn plays_high_tiles(candidate: &Candidate<'_>) -> Result {
    answers(candidate, &positions::with_high_tiles(candidate.side()))
}

pub(super) fn plays_a_thousand_positions(candidate: &Candidate<'_>) -> Result {
    answers(candidate, &positions::ordinary(candidate.side(), 1000))
}

/// Asks one agent about boards that do not follow from each other.
fn answers(candidate: &Candidate<'_>, boards: &[Board]) -> Result {
    let stage = candidate.short_stage();
    let mut player = candidate.start(&stage)?;
    let n_turns = candidate.n_turns(boards.len() as u64);
    for (move_number, board) in (1..=n_turns).zip(boards) {
        ask(&mut player, board, &stage.budget, move_number)?;
    }
    let detail = format!("{n_turns} positions");
    Ok(if n_turns < boards.len() as u64 {
        Verdict::warned(format!(
            "{detail} of {} only, for it takes its time and honours no budget",
            boards.len()
        ))
    } else {
        Verdict::passed(detail)
    })
}

pub(super) fn plays_other_shares_of_fours(candidate: &Candidate<'_>) -> Result {
    let shares = [0.0, 0.5, 1.0];
    for share in shares {
        let four = FourShare::new(share).expect("a share is between 0 and 1");
        let rules = |rules| Rules { four, ..rules };
        plays_under(candidate, rules).map_err(|error| named(error, &format!("four: {share}")))?;
    }
    Ok(Verdict::passed("0, 0.5 and 1"))
}

pub(super) fn plays_deterministic_tiles(candidate: &Candidate<'_>) -> Result {
    plays_under(candidate, |rules| Rules {
        tiles: Tiles::Deterministic,
        ..rules
    })?;
    Ok(Verdict::passed(""))
}

pub(super) fn plays_towards_a_goal(candidate: &Candidate<'_>) -> Result {
    let max_moves = Some(candidate.n_turns(SOME_MOVES));
    let rules = |rules| Rules {
        goal: Some(16),
        max_moves,
        ..rules
    };
    let played = plays_under(candidate, rules)?;
    Ok(Verdict::passed(format!(
        "ended by {} after {} moves",
        played.ending.name(),
        played.game.n_moves()
    )))
}

fn plays_under(
    candidate: &Candidate<'_>,
    change: impl FnOnce(Rules) -> Rules,
) -> std::result::Result<PlayedGame, PlayerError> {
    let mut stage = candidate.short_stage();
    stage.rules.max_moves = Some(candidate.n_turns(SOME_MOVES));
    stage.rules = change(stage.rules);
    play_on(candidate, &stage, 7)
}

/// The same fault with where it was committed.
fn named(error: PlayerError, place: &str) -> PlayerError {
    match error {
        PlayerError::Fault(mut fault) => {
            fault.sentence = format!("with {place}: {}", fault.sentence);
            PlayerError::Fault(fault)
        }
        error => error,
    }
}
