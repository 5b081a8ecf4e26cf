//! Runs that are stopped for longer than any limit of a turn.

use std::{thread, time::Duration};

use nix::sys::signal::Signal;

use crate::support::{
    TournamentTest,
    processes::{finish, send, send_to_child, tell_to_go_on, waiting_worker},
};

/// As `scontrol suspend` and Ctrl-Z do: everything stops, and goes on later.
#[test]
fn a_suspended_run_goes_on_and_no_agent_is_blamed() {
    // The agent works until the test tells it to go on, so the signals come during a turn. On
    // this seed it has more than twenty thousand turns.
    const CLOCKS: &str = "board: 8\nfour: 0\nseeds: 2976..2976\nworkers: 1\n\
        budget: [{nodes: 1}, {per_move: 10ms}, {per_move: 100ms, clock: wall, bank: 2s}]\nagents:\n\
        - {plugin: scripted, params: {burn_us: 3000, burn_until_told: true}}\n";
    let test = TournamentTest::new(CLOCKS);
    let run = test.start(&[]);
    let mut known = Vec::new();
    // Longer than any limit of a turn.
    for seconds in [1, 1, 4] {
        let worker = waiting_worker(&run, &known);
        known.push(worker);
        send_to_child(&run, Signal::SIGSTOP);
        send(worker, Signal::SIGSTOP);
        thread::sleep(Duration::from_secs(seconds));
        send(worker, Signal::SIGCONT);
        tell_to_go_on(worker);
        send_to_child(&run, Signal::SIGCONT);
    }
    finish(run).expect_code(0);
    for record in test.records() {
        assert_eq!(record.ending.name(), "no-move-left", "{:?}", record.fault);
    }
}
