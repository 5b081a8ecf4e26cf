//! Alone in its process, for the clock counts the CPU time of all threads.

use std::time::Duration;

use backtracking::{Backtracking, Params};
use plugin_api::{Clock, GameSetup, Limit};
use search_kit::trial::play_game;

#[test]
fn it_uses_its_time_and_keeps_to_it() {
    let mut setup = GameSetup::new().with_limit(Limit::Time {
        clock: Clock::Cpu,
        per_move: Duration::from_millis(2),
        bank: Duration::ZERO,
    });
    setup.rules.max_moves = Some(100);
    let mut trial = play_game::<Backtracking>(Params::default(), &setup, 1).unwrap();
    trial.turn_ns.sort_unstable();
    let median = trial.turn_ns[trial.turn_ns.len() / 2];
    assert!((1_000_000..2_400_000).contains(&median), "{median} ns");
}
