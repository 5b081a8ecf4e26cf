//! The rules that every agent of the kit follows, and those specific to minimax.

use minimax::{Minimax, Params};
use plugin_api::{Agent, GameSetup, Rules, Side};
use search_kit::conduct;

fn depth(plies: u8) -> Params {
    Params {
        depth: Some(plies),
        ..Params::default()
    }
}

#[test]
fn games_of_every_side_are_played_to_their_end() {
    conduct::games_of_every_side_are_played_to_their_end::<Minimax>(&Params::default());
}

#[test]
fn games_without_a_clock_repeat() {
    for params in [depth(3), Params::default()] {
        conduct::games_without_a_clock_repeat::<Minimax>(&params);
    }
}

#[test]
fn more_nodes_play_better() {
    conduct::more_nodes_play_better::<Minimax>(&Params::default());
}

#[test]
fn a_turn_ends_when_its_time_does() {
    conduct::a_turn_ends_when_its_time_does::<Minimax>(&Params::default());
    conduct::a_turn_ends_when_its_time_does::<Minimax>(&depth(20));
}

#[test]
fn moves_are_legal_beyond_packed_boards() {
    for params in [depth(3), Params::default()] {
        conduct::moves_are_legal_beyond_packed_boards::<Minimax>(&params);
    }
}

#[test]
fn larger_boards_are_rejected() {
    let rules = Rules {
        side: Side::new(5).unwrap(),
        ..Rules::default()
    };
    let refusal = Minimax::new(Params::default(), &GameSetup::new().with_rules(rules)).err();
    assert_eq!(
        refusal.unwrap().to_string(),
        "minimax supports boards up to 4×4"
    );
}
