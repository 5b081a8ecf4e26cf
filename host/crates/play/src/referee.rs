//! Plays one game: owns board, tiles and bank; the player proposes, the referee decides.

#[cfg(test)]
mod tests;

use std::{fmt::Display, ops::ControlFlow, time::Duration};

use plugin_api::{Allowance, Answer, Board, Direction, Game, Status, Turn};

use run::{
    game_record::{Ending, GameCourse},
    move_times::TimeCollection,
};
use text::duration_text::format_rounded;
use tournament::{Budget, BudgetLimit, Overrun};

use crate::{
    clock::{Bank, Payment},
    player::{Fault, Interruption, NoMove, Player, Reply},
};

/// For how many moves there is room at the beginning. Longer games take more, piece by piece.
const N_MOVES_AT_FIRST: usize = 1024;

/// A game that has come to its end.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub game: Game,
    pub course: GameCourse,
    /// One letter of `URDL` a move.
    pub moves: String,
    pub ending: Ending,
    /// What the agent did wrong; the game then stands as it was before it.
    pub fault: Option<Fault>,
    pub cpu_times: TimeCollection,
    pub wall_times: TimeCollection,
    /// CPU time that a hypervisor took and the agent was not charged for.
    pub stolen: Duration,
    pub overdrawn: Duration,
    pub n_overruns: u64,
    pub n_threads: u64,
    pub nodes: u64,
}

impl PlayedGame {
    /// A game without a move.
    fn begin(game: Game) -> Self {
        Self {
            course: GameCourse::start(game.board()),
            game,
            moves: String::with_capacity(N_MOVES_AT_FIRST),
            ending: Ending::NoMoveLeft,
            fault: None,
            cpu_times: TimeCollection::with_capacity(N_MOVES_AT_FIRST),
            wall_times: TimeCollection::with_capacity(N_MOVES_AT_FIRST),
            stolen: Duration::ZERO,
            overdrawn: Duration::ZERO,
            n_overruns: 0,
            n_threads: 1,
            nodes: 0,
        }
    }

    /// The game as it stands, ended by a fault.
    #[must_use]
    pub fn ended_by(self, fault: Fault) -> Self {
        Self {
            ending: fault.ending,
            fault: Some(fault),
            ..self
        }
    }

    /// A game that ended before its first move.
    #[must_use]
    pub fn not_started(game: Game, fault: Fault) -> Self {
        Self::begin(game).ended_by(fault)
    }
}

/// A game that was interrupted, through no fault of its agent.
#[derive(Clone, Debug)]
pub struct InterruptedGame {
    pub interruption: Interruption,
    pub so_far: Box<PlayedGame>,
}

impl InterruptedGame {
    /// The agent had no turn yet.
    pub(crate) fn before_start(game: Game, interruption: Interruption) -> Self {
        Self {
            interruption,
            so_far: Box::new(PlayedGame::begin(game)),
        }
    }
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

/// Called after every move; returning `Break` ends the game. No clock runs during the call.
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

/// Plays a game to its end with a watcher.
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
            Err(NoMove::Interrupted(interruption)) => interruption,
            Err(NoMove::Fault(mut fault)) => {
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
) -> Result<(Direction, Reply), NoMove> {
    let mut so_far = PlayedGame::begin(game);
    let mut bank = full_bank(budget);
    let mut said = None;
    let _ = play_turn(&mut so_far, player, budget, bank.as_mut(), &mut |made| {
        said = Some((made.direction, made.reply.clone()));
        ControlFlow::Break(())
    })?;
    Ok(said.expect("a watcher is called after every move"))
}

/// The bank at the start of a game; there is none without a limit of time.
fn full_bank(budget: &Budget) -> Option<Bank> {
    match budget.limit {
        BudgetLimit::Time { per_move } => Some(Bank::new(per_move, budget.bank)),
        BudgetLimit::Nodes(_) | BudgetLimit::None => None,
    }
}

fn play_turn(
    so_far: &mut PlayedGame,
    player: &mut dyn Player,
    budget: &Budget,
    bank: Option<&mut Bank>,
    watcher: &mut Watcher<'_>,
) -> Result<ControlFlow<()>, NoMove> {
    let turn = Turn {
        move_number: so_far.game.n_moves() + 1,
        score: so_far.game.score(),
        allowance: allowance(budget, bank.as_deref()),
    };
    let (answer, times) = player.choose(so_far.game.board(), &turn)?;
    let n_empty = so_far.course.n_empty();
    so_far.cpu_times.push(times.cpu, n_empty);
    so_far.wall_times.push(times.wall, n_empty);
    so_far.stolen += times.stolen;
    let used = times.charged(budget.clock);
    let missing = match bank.map(|bank| bank.pay(used)) {
        Some(Payment::Overdrawn(missing)) => missing,
        Some(Payment::Covered) | None => Duration::ZERO,
    };
    let is_overdrawn = !missing.is_zero() && budget.overrun == Overrun::EndGame;
    let Some(answer) = answer.filter(|_| !is_overdrawn) else {
        return Err(NoMove::Fault(out_of_time(&turn, used, missing)));
    };
    so_far.nodes = so_far.nodes.saturating_add(answer.nodes);
    let place = format_args!("move {}", turn.move_number);
    let (direction, gain) =
        play_judged(&mut so_far.game, &answer, &place).map_err(NoMove::Fault)?;
    so_far.course.after_move(&so_far.game);
    so_far.moves.push(direction.letter());
    Ok(watcher(WatchedMove {
        game: &so_far.game,
        direction,
        gain,
        reply: &Reply {
            answer,
            times,
            notes: player.take_notes(),
        },
    }))
}

/// The fault of a turn that used up its time. `missing` is zero if the host stopped waiting and
/// then found that some of the time was stolen.
fn out_of_time(turn: &Turn, used: Duration, missing: Duration) -> Fault {
    let used = format_rounded(used);
    let excess = if missing.is_zero() {
        format!("{used}, all of")
    } else {
        format!("{used}, {} more than", format_rounded(missing))
    };
    let sentence = format!(
        "had no time left on move {}: it used {excess} its increment and its bank",
        turn.move_number
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

/// The direction of an answer, if it is a move on this board. `place` names the turn in the
/// sentence of a fault, such as `move 7`.
///
/// # Errors
/// With the fault, when it is none.
pub fn judge(board: &Board, answer: &Answer, place: &dyn Display) -> Result<Direction, Fault> {
    let direction = direction_of(answer, place)?;
    match board.slide(direction) {
        Some(_) => Ok(direction),
        None => Err(changes_nothing(direction, place)),
    }
}

/// Plays an answer in a game that is running, if it is a move there, and returns it with its
/// gain. A turn without a fault slides the board once and makes no text.
///
/// # Errors
/// With the fault, when it is none; the game is then as it was.
fn play_judged(
    game: &mut Game,
    answer: &Answer,
    place: &dyn Display,
) -> Result<(Direction, u64), Fault> {
    let direction = direction_of(answer, place)?;
    match game.play(direction) {
        Some(gain) => Ok((direction, gain)),
        None => Err(changes_nothing(direction, place)),
    }
}

fn direction_of(answer: &Answer, place: &dyn Display) -> Result<Direction, Fault> {
    let number = answer.direction;
    Direction::from_index(number).ok_or_else(|| {
        let sentence = format!(
            "answered {place} with direction {number}; directions are 0 up, 1 right, 2 down, 3 left"
        );
        Fault::new(Ending::BadAnswer, sentence)
    })
}

fn changes_nothing(direction: Direction, place: &dyn Display) -> Fault {
    let sentence = format!("chose {direction} on {place}, which changes nothing on this board");
    Fault::new(Ending::IllegalMove, sentence)
}
