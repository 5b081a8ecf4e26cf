//! The rules that every agent of the kit follows, and those specific to minimax.

use minimax::{Minimax, Params};
use plugin_api::{
    Agent, Board, GameSetup, Rules, Side,
    explain::{ExplainRequest, Explainer, Explanation},
};
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

/// How often a search of six plies was cut short.
#[test]
fn cuts_are_counted_and_end_with_their_switches() {
    let board: Board = "2 4 8 16 / 4 8 16 32 / 2 2 4 8 / 0 0 2 4".parse().unwrap();
    let explained = |prune, table| {
        let params = Params {
            prune,
            table,
            ..depth(6)
        };
        let request = ExplainRequest::new(&board, GameSetup::new());
        Minimax::explain(params, &board, &request).unwrap()
    };
    let count = |explanation: &Explanation, name: &str| {
        let mut counts = explanation.counts.iter();
        counts
            .find(|count| count.name == name)
            .map_or(0.0, |count| count.value)
    };
    let n_nodes = |explanation: &Explanation| explanation.nodes.len() as u64 + explanation.left_out;
    let (all, neither) = (explained(true, true), explained(false, false));
    for name in ["known from the table", "alpha cuts", "beta cuts"] {
        assert!(count(&all, name) > 10.0, "{name}: {:?}", all.counts);
        assert_eq!(count(&neither, name).to_string(), "0", "{name}");
    }
    assert_eq!(
        count(&explained(true, false), "known from the table").to_string(),
        "0"
    );
    assert_eq!(
        count(&explained(false, true), "alpha cuts").to_string(),
        "0"
    );
    assert!(n_nodes(&neither) > 10 * n_nodes(&all));
    assert_eq!(
        (neither.choice, neither.nodes[0].value),
        (all.choice, all.nodes[0].value)
    );
}
