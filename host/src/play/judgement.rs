//! Judges a proposed move: the one place where an answer becomes a move or a fault.

use plugin_api::{Answer, Board, Direction};

use crate::{play::player::Fault, run::game_record::Ending};

/// The direction of an answer, if it is a move on this board. `place` names the turn in the
/// sentence of a fault, such as `move 7`.
///
/// # Errors
/// With the fault, when it is none.
pub fn judge(board: &Board, answer: &Answer, place: &str) -> Result<Direction, Fault> {
    let number = answer.direction;
    let Some(direction) = Direction::from_index(number) else {
        let sentence = format!(
            "answered {place} with direction {number}; directions are 0 up, 1 right, 2 down, 3 left"
        );
        return Err(Fault::new(Ending::BadAnswer, sentence));
    };
    if board.slide(direction).is_none() {
        let sentence = format!("chose {direction} on {place}, which changes nothing on this board");
        return Err(Fault::new(Ending::IllegalMove, sentence));
    }
    Ok(direction)
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
            judge(&board, &answer, "move 3").map_err(|fault| (fault.ending, fault.sentence))
        };
        assert_eq!(judged(1), Ok(Direction::Right));
        let nothing = "chose up on move 3, which changes nothing on this board".to_owned();
        assert_eq!(judged(0), Err((Ending::IllegalMove, nothing)));
        let none =
            "answered move 3 with direction 77; directions are 0 up, 1 right, 2 down, 3 left";
        assert_eq!(judged(77), Err((Ending::BadAnswer, none.to_owned())));
    }
}
