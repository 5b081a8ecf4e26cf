//! Judges a proposed move: the one place where an answer becomes a move or a fault.

use std::fmt::Display;

use plugin_api::{Answer, Board, Direction, Game};

use run::game_record::Ending;

use crate::player::Fault;

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
pub(super) fn play_judged(
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let none =
            "answered move 3 with direction 77; directions are 0 up, 1 right, 2 down, 3 left";
        assert_eq!(judged(77), Err((Ending::BadAnswer, none.to_owned())));
    }
}
