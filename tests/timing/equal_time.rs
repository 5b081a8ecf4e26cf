//! No agent gets more time than another.

use crate::support::TournamentTest;

/// A long game: on a board of 8 by 8 and this seed the scripted agent plays more than
/// twenty thousand moves.
fn long_game(max_moves: u32, agents: &str) -> TournamentTest {
    TournamentTest::new(&format!(
        "board: 8\nfour: 0\nseeds: 2976..2976\nmax_moves: {max_moves}\nbudget: {{per_move: 1ms}}\nagents:\n{agents}"
    ))
}

#[test]
fn five_percent_too_much_on_every_move_is_caught() {
    let test = long_game(
        4000,
        "- {plugin: scripted, name: greedy-of-time, params: {burn_us: 1050}}\n",
    );
    let told = test.run(&[]).expect_code(0).stderr;
    let record = test.records().remove(0);
    assert_eq!(record.ending.name(), "overrun", "{:?}", record.fault);
    // What to do is said where it fails.
    assert!(told.contains("`overrun: warn`"), "{told}");
    // 100 ms of savings last for 2000 moves with 50 µs too much, or fewer where the
    // machine disturbs the agent; a few more where an empty turn was measured too dear.
    assert!(record.n_moves <= 2500, "{}", record.n_moves);
}

/// Two seconds of it; `twenty_thousand_moves…` is the whole thing.
#[test]
fn an_agent_that_stops_at_its_own_reading_of_the_budget_does_not_overrun() {
    plays_without_an_overrun(2000);
}

#[test]
#[ignore = "takes 20 s of CPU time and a machine without long hiccups"]
fn twenty_thousand_moves_at_ones_own_reading_of_the_budget() {
    plays_without_an_overrun(20_000);
}

fn plays_without_an_overrun(n_moves: u32) {
    let test = long_game(
        n_moves,
        "- {plugin: scripted, name: exact, params: {burn_us: 1000}}\n",
    );
    test.run(&[]).expect_code(0);
    let record = test.records().remove(0);
    assert_eq!(record.ending.name(), "move-limit", "{:?}", record.fault);
    assert_eq!((record.n_moves, record.overruns), (u64::from(n_moves), 0));
}

/// The control burns a millisecond on every move by its own reading.
#[test]
fn a_rust_agent_that_watches_the_stop_flag_keeps_to_its_budget() {
    let test = long_game(
        500,
        "- {plugin: scripted, name: control, params: {burn_us: 1000}}\n\
         - {plugin: scripted, name: flag, params: {watch_stop_flag: true}}\n",
    );
    test.run(&["--workers", "1"]).expect_code(0);
    let records = test.records();
    for record in &records {
        assert_eq!(record.ending.name(), "move-limit", "{:?}", record.fault);
    }
    let of_control = records[1].cpu_ms / records[0].cpu_ms;
    assert!((0.75..1.25).contains(&of_control), "{of_control}");
}

#[test]
fn a_thread_in_the_background_spends_its_own_agents_time() {
    let test = long_game(
        1500,
        "- {plugin: scripted, name: two-threads, params: {misdeed: think-in-background, burn_us: 900}}\n\
         - {plugin: scripted, name: one-thread, params: {burn_us: 900}}\n",
    );
    test.run(&["--workers", "1"]).expect_code(0);
    let records = test.records();
    // Both threads together burn what one does alone: the clock is the process's.
    let per_move = |index: usize| {
        let record: &run::game_record::GameRecord = &records[index];
        let n_moves = u32::try_from(record.n_moves).expect("few moves");
        record.cpu_ms / f64::from(n_moves.max(1))
    };
    assert!(per_move(0) > 0.85, "{}", per_move(0));
    assert_eq!(records[0].threads, 2);
    let total_allowed = |index: usize| {
        let n_moves = u32::try_from(records[index].n_moves).expect("few moves");
        f64::from(n_moves + 1) + 100.0
    };
    for (index, record) in records.iter().enumerate() {
        if record.ending.name() == "overrun" {
            continue;
        }
        assert!(record.cpu_ms <= total_allowed(index), "{record:?}");
    }
}
