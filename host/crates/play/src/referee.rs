//! Plays one game: owns board, tiles and clock; the player proposes, the referee
//! decides.

#[cfg(test)]
mod tests;

use std::{ops::ControlFlow, time::Duration};

use plugin_api::{Allowance, Clock, Direction, Game, Status, Turn};

use run::game_record::Ending;
use text::duration_text::format_rounded;
use tournament::{Budget, BudgetLimit, Overrun};

use crate::{
    bank::{Bank, Payment},
    judgement::play_judged,
    player::{Fault, Interruption, Player, PlayerError, Reply, TurnTimes},
};

pub use crate::played_game::PlayedGame;

/// A game that was interrupted, through no fault of its agent.
#[derive(Clone, Debug)]
pub struct InterruptedGame {
    pub interruption: Interruption,
    pub so_far: Box<PlayedGame>,
}

/// A move that was made, for observers.
#[derive(Clone, Copy, Debug)]
pub struct WatchedMove<'a> {
    /// After the move and the tile that followed it.
    pub game: &'a Game,
    pub direction: Direction,
    /// What the move scored.
    pub gain: u64,
    pub reply: &'a Reply,
}

/// Hears of every move; who breaks off stops the game. Nobody's clock runs meanwhile.
pub type Watcher<'a> = dyn FnMut(WatchedMove<'_>) -> ControlFlow<()> + 'a;

/// Plays a game to its end.
///
/// # Errors
/// When it was interrupted through no fault of the agent.
pub fn play(
    game: Game,
    player: &mut dyn Player,
    budget: &Budget,
) -> Result<PlayedGame, InterruptedGame> {
    play_watched(game, player, budget, &mut |_| ControlFlow::Continue(()))
}

/// Plays a game to its end while somebody watches.
///
/// # Errors
/// When it was interrupted through no fault of the agent.
pub fn play_watched(
    game: Game,
    player: &mut dyn Player,
    budget: &Budget,
    watcher: &mut Watcher<'_>,
) -> Result<PlayedGame, InterruptedGame> {
    let mut so_far = PlayedGame::begin(game);
    let mut bank = full_bank(budget);
    let fault = loop {
        if so_far.game.status() != Status::Running {
            break None;
        }
        let interruption = match play_turn(&mut so_far, player, budget, bank.as_mut(), watcher) {
            Ok(ControlFlow::Continue(())) => continue,
            Ok(ControlFlow::Break(())) => Interruption::Stopped,
            Err(TurnError::Interrupted(interruption)) => interruption,
            Err(TurnError::Fault(mut fault)) => {
                if fault.stderr_tail.is_empty() {
                    fault.stderr_tail = player.stderr_tail();
                }
                break Some(fault);
            }
        };
        return Err(InterruptedGame {
            interruption,
            so_far: Box::new(so_far),
        });
    };
    if let Some(bank) = bank {
        so_far.overdrawn = bank.overdrawn();
        so_far.n_overruns = bank.n_overruns();
    }
    so_far.n_threads = player.n_threads();
    so_far.ending = match (&fault, so_far.game.status()) {
        (Some(fault), _) => fault.ending,
        (None, Status::GoalReached) => Ending::GoalReached,
        (None, Status::MoveLimit) => Ending::MoveLimit,
        (None, Status::NoMoveLeft | Status::Running) => Ending::NoMoveLeft,
    };
    so_far.fault = fault;
    Ok(so_far)
}

/// Asks a player for one move on a position that is not over, with a full bank. The answer is
/// judged as in a game.
///
/// # Errors
/// When it gives no legal move, or was interrupted.
pub fn ask(
    game: Game,
    player: &mut dyn Player,
    budget: &Budget,
) -> Result<(Direction, Reply), PlayerError> {
    let mut so_far = PlayedGame::begin(game);
    let mut bank = full_bank(budget);
    let mut said = None;
    let turn = play_turn(&mut so_far, player, budget, bank.as_mut(), &mut |made| {
        said = Some((made.direction, *made.reply));
        ControlFlow::Break(())
    });
    match turn {
        Ok(_) => Ok(said.expect("a watcher hears of every move")),
        Err(TurnError::Interrupted(interruption)) => Err(PlayerError::Interrupted(interruption)),
        Err(TurnError::Fault(fault)) => Err(PlayerError::Fault(fault)),
    }
}

/// The bank at the start of a game; there is none without a limit of time.
fn full_bank(budget: &Budget) -> Option<Bank> {
    match budget.limit {
        BudgetLimit::Time { per_move } => Some(Bank::new(per_move, budget.bank)),
        BudgetLimit::Nodes(_) | BudgetLimit::None => None,
    }
}

/// Why a turn has no move.
enum TurnError {
    Fault(Fault),
    Interrupted(Interruption),
}

fn play_turn(
    so_far: &mut PlayedGame,
    player: &mut dyn Player,
    budget: &Budget,
    bank: Option<&mut Bank>,
    watcher: &mut Watcher<'_>,
) -> Result<ControlFlow<()>, TurnError> {
    let turn = Turn {
        move_number: so_far.game.n_moves() + 1,
        score: so_far.game.score(),
        allowance: allowance(budget, bank.as_deref()),
    };
    let reply = player.choose(so_far.game.board(), &turn);
    if let Ok(Reply { times, .. }) | Err(PlayerError::OutOfTime(times)) = reply {
        let n_empty = so_far.course.n_empty();
        so_far.cpu_times.push(times.cpu, n_empty);
        so_far.wall_times.push(times.wall, n_empty);
        so_far.stolen += times.stolen;
        let payment = bank.map(|bank| bank.pay(charged(times, budget.clock)));
        if let (Some(Payment::Overdrawn(missing)), Overrun::EndGame) = (payment, budget.overrun) {
            let used = charged(times, budget.clock);
            return Err(TurnError::Fault(out_of_time(&turn, used, missing)));
        }
    }
    let reply = match reply {
        Ok(reply) => reply,
        Err(PlayerError::Interrupted(interruption)) => {
            return Err(TurnError::Interrupted(interruption));
        }
        Err(PlayerError::Fault(fault)) => return Err(TurnError::Fault(fault)),
        Err(PlayerError::OutOfTime(times)) => {
            let used = charged(times, budget.clock);
            return Err(TurnError::Fault(out_of_time(&turn, used, Duration::ZERO)));
        }
    };
    so_far.nodes = so_far.nodes.saturating_add(reply.answer.nodes);
    let place = format_args!("move {}", turn.move_number);
    let (direction, gain) =
        play_judged(&mut so_far.game, &reply.answer, &place).map_err(TurnError::Fault)?;
    so_far.course.after_move(&so_far.game);
    so_far.moves.push(direction.letter());
    Ok(watcher(WatchedMove {
        game: &so_far.game,
        direction,
        gain,
        reply: &reply,
    }))
}

/// What a turn takes from the bank.
fn charged(times: TurnTimes, clock: Clock) -> Duration {
    match clock {
        Clock::Cpu => times.cpu.saturating_sub(times.stolen),
        Clock::Wall => times.wall,
    }
}

fn out_of_time(turn: &Turn, used: Duration, missing: Duration) -> Fault {
    let sentence = format!(
        "had no time left on move {}: it used {}, {} more than its increment and its bank",
        turn.move_number,
        format_rounded(used),
        format_rounded(missing),
    );
    Fault::new(Ending::Overrun, sentence)
}

/// What a player may spend on a turn with a full bank.
#[must_use]
pub fn full_allowance(budget: &Budget) -> Allowance {
    allowance(budget, full_bank(budget).as_ref())
}

fn allowance(budget: &Budget, bank: Option<&Bank>) -> Allowance {
    match (budget.limit, bank) {
        (BudgetLimit::Nodes(nodes), _) => Allowance::Nodes(nodes.get()),
        (_, Some(bank)) => Allowance::Time {
            clock: budget.clock,
            start_ns: 0,
            income: bank.increment(),
            bank: bank.saved(),
        },
        (_, None) => Allowance::Unlimited,
    }
}
