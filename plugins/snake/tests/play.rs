//! The rules that every agent of the kit follows, and those specific to snake.

use plugin_api::{Agent, GameSetup, Rules, Side};
use search_kit::conduct;
use snake::{Params, Snake};

#[test]
fn games_of_every_side_are_played_to_their_end() {
    conduct::games_of_every_side_are_played_to_their_end::<Snake>(&Params::default());
}

#[test]
fn games_without_a_clock_repeat() {
    conduct::games_without_a_clock_repeat::<Snake>(&Params::default());
}

#[test]
fn more_nodes_play_better() {
    conduct::more_nodes_play_better::<Snake>(&Params::default());
}

#[test]
fn a_turn_ends_when_its_time_does() {
    conduct::a_turn_ends_when_its_time_does::<Snake>(&Params::default());
}

#[test]
fn moves_are_legal_beyond_packed_boards() {
    conduct::moves_are_legal_beyond_packed_boards::<Snake>(&Params::default());
}

#[test]
fn larger_boards_are_rejected() {
    let rules = Rules {
        side: Side::new(5).unwrap(),
        ..Rules::default()
    };
    let refusal = Snake::new(Params::default(), &GameSetup::new().with_rules(rules)).err();
    assert_eq!(
        refusal.unwrap().to_string(),
        "snake supports boards up to 4×4"
    );
}
