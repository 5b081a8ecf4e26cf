//! What the referee decides, with scripted players.

use super::*;
use crate::player::Reply;
use plugin_api::{Answer, Board, Rules, Salt};

/// Plays the first legal move, and what the script says on a given move.
struct ScriptedPlayer {
    on_move: u64,
    direction: u8,
    time: Duration,
    stolen: Duration,
}

impl Player for ScriptedPlayer {
    fn choose(&mut self, board: &Board, turn: &Turn) -> Result<Reply, PlayerError> {
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
        Ok(Reply {
            answer,
            times: TurnTimes {
                cpu: self.time,
                wall: self.time * 2,
                stolen: self.stolen,
            },
        })
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
fn the_purse_covers_what_it_can_and_then_the_game_ends() {
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
fn who_watches_hears_of_every_move_and_may_stop() {
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
fn nobody_pays_for_time_a_hypervisor_took() {
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
