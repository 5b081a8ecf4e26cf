//! In a process of its own, because the clock counts the CPU time of all threads.

use backtracking::{Backtracking, Params};
use search_kit::conduct;

#[test]
fn a_turn_uses_its_time_and_no_more() {
    conduct::a_turn_uses_its_time_and_no_more::<Backtracking>(&Params::default());
}
