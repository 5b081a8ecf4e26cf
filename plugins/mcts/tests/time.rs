//! In a process of its own, because the clock counts the CPU time of all threads.

use mcts::{Mcts, Params};
use search_kit::conduct;

#[test]
fn a_turn_uses_its_time_and_no_more() {
    for tree in [true, false] {
        let params = Params {
            tree,
            ..Params::default()
        };
        conduct::a_turn_uses_its_time_and_no_more::<Mcts>(&params);
    }
}
