//! What the referee decides, with scripted players.

use super::*;
use crate::clock::TurnTimes;
use plugin_api::{Rules, Salt};

/// Plays the first legal move, and what the script says on a given move.
struct ScriptedPlayer {
    on_move: u64,
    direction: u8,
    time: Duration,
    stolen: Duration,
}

impl Player for ScriptedPlayer {
    fn choose(
        &mut self,
        board: &Board,
        turn: &Turn,
    ) -> Result<(Option<Answer>, TurnTimes), NoMove> {
        let legal = board.legal_moves().next().unwrap() as u8;
        let direction = if turn.move_number == self.on_move {
            self.direction
        } else {
            legal
        };
        let answer = Answer {
            direction,
            values: [f64::NAN; 4],
            depth: 0,
            nodes: 2,
        };
        let times = TurnTimes {
            cpu: self.time,
            wall: self.time * 2,
            stolen: self.stolen,
        };
        Ok((Some(answer), times))
    }

    fn n_threads(&mut self) -> u64 {
        3
    }

    fn stderr_tail(&mut self) -> String {
        "goodbye".to_owned()
    }
}

fn play_scripted(on_move: u64, direction: u8, time: Duration, budget: &Budget) -> PlayedGame {
    let mut player = ScriptedPlayer {
        on_move,
        direction,
        time,
        stolen: Duration::ZERO,
    };
    let game = Game::start(Rules::default(), &Salt::NONE, 7);
    play(game, &mut player, budget).unwrap()
}

fn one_millisecond() -> Budget {
    Budget {
        limit: BudgetLimit::Time {
            per_move: Duration::from_millis(1),
        },
        ..Budget::default()
    }
}

#[test]
fn a_game_ends_when_no_move_is_left() {
    let played = play_scripted(u64::MAX, 0, Duration::from_micros(3), &Budget::default());
    assert_eq!(played.ending, Ending::NoMoveLeft);
    assert_eq!(played.moves.len() as u64, played.game.n_moves());
    assert_eq!(played.nodes, 2 * played.game.n_moves());
    assert_eq!(played.n_threads, 3);
}

#[test]
fn a_direction_that_does_not_exist_is_a_bad_answer() {
    let played = play_scripted(3, 77, Duration::ZERO, &Budget::default());
    assert_eq!(played.ending, Ending::BadAnswer);
    assert_eq!(played.moves.len(), 2);
    let fault = played.fault.unwrap();
    assert!(fault.sentence.contains("move 3 with direction 77"));
    assert_eq!(fault.stderr_tail, "goodbye");
}

#[test]
fn the_bank_covers_what_it_can_and_then_the_game_ends() {
    let played = play_scripted(u64::MAX, 0, Duration::from_millis(11), &one_millisecond());
    assert_eq!(played.ending, Ending::Overrun);
    assert_eq!(
        played.moves.len(),
        10,
        "the bank of 100 ms lasts for ten moves"
    );
    assert_eq!(played.n_overruns, 1);
}

#[test]
fn a_watcher_hears_of_every_move_and_may_stop_the_game() {
    let watch = |last: usize| {
        let mut player = ScriptedPlayer {
            on_move: u64::MAX,
            direction: 0,
            time: Duration::ZERO,
            stolen: Duration::ZERO,
        };
        let game = Game::start(Rules::default(), &Salt::NONE, 7);
        let mut heard = String::new();
        let result = play_watched(game, &mut player, &Budget::default(), &mut |watched| {
            heard.push(watched.direction.letter());
            assert_eq!(watched.game.n_moves(), heard.len() as u64);
            if heard.len() == last {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        (heard, result)
    };
    let (heard, result) = watch(usize::MAX);
    assert_eq!(heard, result.unwrap().moves);
    let (heard, result) = watch(3);
    assert_eq!(heard.len(), 3);
    let interrupted = result.unwrap_err();
    assert_eq!(interrupted.interruption, Interruption::Stopped);
    assert_eq!(interrupted.so_far.moves, heard);
}

#[test]
fn with_a_warning_the_game_goes_on() {
    let budget = Budget {
        overrun: Overrun::Warn,
        ..one_millisecond()
    };
    let played = play_scripted(u64::MAX, 0, Duration::from_millis(11), &budget);
    assert_eq!(played.ending, Ending::NoMoveLeft);
    assert_eq!(played.n_overruns, played.game.n_moves() - 10);
}

#[test]
fn no_agent_pays_for_time_that_a_hypervisor_took() {
    let mut player = ScriptedPlayer {
        on_move: u64::MAX,
        direction: 0,
        time: Duration::from_millis(300),
        stolen: Duration::from_millis(299),
    };
    let game = Game::start(Rules::default(), &Salt::NONE, 7);
    let result = play(game, &mut player, &one_millisecond()).unwrap();
    assert_eq!(result.ending, Ending::NoMoveLeft);
    assert_eq!(result.n_overruns, 0);
    let n_moves = u32::try_from(result.game.n_moves()).unwrap();
    assert_eq!(result.stolen, Duration::from_millis(299) * n_moves);
}

/// An agent that gives no answer, because the host waits no longer.
struct SilentPlayer(TurnTimes);

impl Player for SilentPlayer {
    fn choose(&mut self, _: &Board, _: &Turn) -> Result<(Option<Answer>, TurnTimes), NoMove> {
        Ok((None, self.0))
    }

    fn n_threads(&mut self) -> u64 {
        1
    }

    fn stderr_tail(&mut self) -> String {
        String::new()
    }
}

#[test]
fn an_agent_that_used_up_its_time_without_an_answer_has_no_time_left() {
    let sentence = |stolen| {
        let times = TurnTimes {
            cpu: Duration::from_millis(103),
            wall: Duration::ZERO,
            stolen: Duration::from_millis(stolen),
        };
        let game = Game::start(Rules::default(), &Salt::NONE, 7);
        let played = play(game, &mut SilentPlayer(times), &one_millisecond()).unwrap();
        assert_eq!(played.ending, Ending::Overrun);
        let n_overruns = u64::from(stolen == 0);
        assert_eq!((played.moves.len(), played.n_overruns), (0, n_overruns));
        played.fault.unwrap().sentence
    };
    assert_eq!(
        sentence(0),
        "had no time left on move 1: it used 103ms, 2ms more than its increment and its bank"
    );
    assert_eq!(
        sentence(5),
        "had no time left on move 1: it used 98ms, all of its increment and its bank"
    );
}

#[test]
fn an_answer_is_a_direction_that_changes_the_board() {
    let board: Board = "2 0 / 4 0".parse().unwrap();
    let judged = |direction| {
        let answer = Answer {
            direction,
            values: [f64::NAN; 4],
            depth: 0,
            nodes: 0,
        };
        judge(&board, &answer, &"move 3").map_err(|fault| (fault.ending, fault.sentence))
    };
    assert_eq!(judged(1), Ok(Direction::Right));
    let nothing = "chose up on move 3, which changes nothing on this board".to_owned();
    assert_eq!(judged(0), Err((Ending::IllegalMove, nothing)));
    let none = "answered move 3 with direction 77; directions are 0 up, 1 right, 2 down, 3 left";
    assert_eq!(judged(77), Err((Ending::BadAnswer, none.to_owned())));
}
