//! Live games, comparisons, and games of a person.

use run::game_record::GameRecord;
use serde_json::{Value, json};

use crate::{
    report_page::board_in_words,
    served_page::{END_KEY, Served, Test, board, stat, wait_for_state},
    support::records_of,
    web_driver::Browser,
};

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "a_live_game_is_watched_to_its_end_and_saved",
        a_live_game_is_watched_to_its_end_and_saved,
    ),
    (
        "two_agents_play_the_same_tiles_in_step",
        two_agents_play_the_same_tiles_in_step,
    ),
    (
        "an_invalid_parameter_is_reported_at_its_field",
        an_invalid_parameter_is_reported_at_its_field,
    ),
    (
        "a_crash_is_reported_with_its_agent",
        a_crash_is_reported_with_its_agent,
    ),
    ("a_reload_continues_the_game", a_reload_continues_the_game),
    (
        "a_game_is_paused_stepped_and_stopped",
        a_game_is_paused_stepped_and_stopped,
    ),
    (
        "tiles_slide_unless_reduced_motion_is_preferred",
        tiles_slide_unless_reduced_motion_is_preferred,
    ),
    (
        "the_keyboard_alone_runs_a_game",
        the_keyboard_alone_runs_a_game,
    ),
    (
        "a_person_plays_with_arrow_keys_and_continues_after_a_reload",
        a_person_plays_with_arrow_keys_and_continues_after_a_reload,
    ),
    (
        "a_rejected_new_game_leaves_the_game_as_it_is",
        a_rejected_new_game_leaves_the_game_as_it_is,
    ),
    (
        "a_game_that_was_replaced_is_returned_to",
        a_game_that_was_replaced_is_returned_to,
    ),
    (
        "a_move_is_explained_on_the_board_that_it_was_chosen_on",
        a_move_is_explained_on_the_board_that_it_was_chosen_on,
    ),
    (
        "a_person_swipes_and_an_agent_plays_the_same_tiles",
        a_person_swipes_and_an_agent_plays_the_same_tiles,
    ),
];

const TAB_KEY: char = '\u{e004}';
const ENTER_KEY: char = '\u{e007}';
const ARROW_KEYS: [char; 4] = ['\u{e012}', '\u{e013}', '\u{e014}', '\u{e015}'];

fn choose_agent(browser: &Browser, place: usize, plugin: &str) {
    browser.choose(
        &format!("[data-field='agents.{place}.plugin'] select"),
        plugin,
    );
}

/// Saves the session; returns the records in the order of the games.
fn save(browser: &Browser, served: &Served) -> Vec<GameRecord> {
    browser.click("#save");
    browser.wait_for("document.querySelector('[data-saved=verify]')");
    let folder = browser.text("[data-saved=folder]");
    let command = browser.text("[data-saved=verify]");
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words[0], "host", "{command}");
    served.test.host(&words[1..]).expect_code(0);
    records_of(&served.test.path(&folder).join("games.jsonl"))
}

fn a_live_game_is_watched_to_its_end_and_saved(browser: &Browser, served: &Served) {
    served.open(browser, "play");
    choose_agent(browser, 0, "mcts");
    browser.fill("[data-field='agents.0.params.runs'] input", "10");
    browser.click("#run");
    browser.wait_for("Number(document.querySelector('[data-stat=Score]').dataset.value) > 0");
    let (early_score, early_board) = (stat(browser, 0, "Score"), board(browser, 0));
    // From here on at full speed.
    browser.press("#speed", END_KEY);
    wait_for_state(browser, "over");
    assert!(stat(browser, 0, "Score") > early_score);
    assert_ne!(board(browser, 0), early_board);
    assert!(
        browser.text(".ending").starts_with("Game over"),
        "{}",
        browser.text(".ending")
    );
    assert_eq!(browser.count(".evaluation:not([hidden]) .chosen"), 1);
    let records = save(browser, served);
    let record = &records[0];
    assert_eq!(stat(browser, 0, "Score"), record.score);
    assert_eq!(stat(browser, 0, "Move"), record.n_moves);
    assert_eq!(stat(browser, 0, "Highest"), record.highest);
    assert_eq!(board(browser, 0), board_in_words(record));
    browser.click("#saved a");
    browser.wait_for("document.querySelector('.replay .tile')");
    browser.click("#last");
    browser.wait_for("document.querySelector('[data-replay-end]').textContent !== ''");
    assert_eq!(stat(browser, 0, "Score"), record.score);
}

fn two_agents_play_the_same_tiles_in_step(browser: &Browser, served: &Served) {
    served.open(browser, "compare");
    choose_agent(browser, 0, "greedy");
    choose_agent(browser, 1, "random");
    browser.fill("[data-field=seed] input", "5");
    browser.click("#step");
    wait_for_state(browser, "paused");
    browser.wait_for(
        "[...document.querySelectorAll('[data-stat=Move]')].every(move => move.dataset.value === '1')",
    );
    browser.press("#speed", END_KEY);
    browser.click("#run");
    wait_for_state(browser, "over");
    assert_eq!(browser.count(".game .ending"), 2);
    let records = save(browser, served);
    let names: Vec<&str> = records.iter().map(|record| record.agent.as_str()).collect();
    assert_eq!(names, ["greedy", "random"]);
    for (place, record) in records.iter().enumerate() {
        assert_eq!(record.seed, 5);
        assert_eq!(stat(browser, place, "Score"), record.score);
        assert_eq!(board(browser, place), board_in_words(record));
    }
    // The sentence above the boards is about the boards.
    let text = browser.text("#comparison");
    let (_, empty) = text.split_once("Empty cells: ").expect("two parts");
    for record in &records {
        let n_empty = record.board.iter().flatten().filter(|tile| **tile == 0);
        let part = format!("{} {}", record.agent, n_empty.count());
        assert!(empty.contains(&part), "{text}");
        assert!(text.contains(&record.highest.to_string()), "{text}");
    }
    let best = records.iter().map(|record| record.score).max();
    let leader = records.iter().position(|record| Some(record.score) == best);
    let shown = browser.run("return [...document.querySelectorAll('.game')].findIndex(game => game.classList.contains('leads'));");
    assert_eq!(shown, json!(leader));
}

fn an_invalid_parameter_is_reported_at_its_field(browser: &Browser, served: &Served) {
    served.open(browser, "play");
    choose_agent(browser, 0, "minimax");
    let field = "[data-field='agents.0.params.depth']";
    browser.fill(&format!("{field} input"), "-1");
    browser.click("#run");
    browser.wait_for(&format!(
        "document.querySelector(\"{field} [aria-invalid=true]\")"
    ));
    let error = browser.text(&format!("{field} .error"));
    assert!(error.contains("-1"), "{error}");
    let described = browser.run(
        "const input = document.activeElement;\
         return [input.closest('[data-field]').dataset.field, input.getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id).textContent)[0]];",
    );
    assert_eq!(described, json!(["agents.0.params.depth", error]));
    // With a valid value the game starts.
    browser.fill(&format!("{field} input"), "2");
    browser.press("#speed", END_KEY);
    browser.click("#run");
    browser.wait_for("Number(document.querySelector('[data-stat=Move]').dataset.value) > 0");
    assert_eq!(browser.count("[aria-invalid]"), 0);
    browser.click("#stop");
    // The browser itself logs the response with an error status.
    browser.log_entries();
}

fn a_crash_is_reported_with_its_agent(browser: &Browser, served: &Served) {
    served.open(browser, "play");
    choose_agent(browser, 0, "scripted");
    browser.choose("[data-field='agents.0.params.misdeed'] select", "segfault");
    browser.click("#run");
    wait_for_state(browser, "over");
    let ending = browser.text(".ending.fault");
    assert!(ending.starts_with("scripted crashed"), "{ending}");
    assert!(ending.contains("SIGSEGV"), "{ending}");
    // The first two moves count, as in the record of a tournament.
    assert_eq!(stat(browser, 0, "Move"), 2);
}

fn a_reload_continues_the_game(browser: &Browser, served: &Served) {
    served.open(browser, "play");
    choose_agent(browser, 0, "greedy");
    browser.fill("[data-field=seed] input", "9");
    browser.click("#run");
    browser.wait_for("Number(document.querySelector('[data-stat=Move]').dataset.value) > 2");
    let address = browser.run("return location.hash;");
    let early = stat(browser, 0, "Move");
    browser.reload();
    browser.wait_for("document.getElementById('boards')");
    wait_for_state(browser, "playing");
    browser.wait_for(&format!(
        "Number(document.querySelector('[data-stat=Move]').dataset.value) > {early}"
    ));
    assert_eq!(browser.run("return location.hash;"), address);
    let chosen = browser.run("return document.querySelector('[data-field=\"agents.0.plugin\"] select').value + document.querySelector('[data-field=seed] input').value;");
    assert_eq!(chosen, json!("greedy9"));
    browser.click("#stop");
    wait_for_state(browser, "over");
    assert_eq!(browser.text(".ending"), "Stopped");
}

fn a_game_is_paused_stepped_and_stopped(browser: &Browser, served: &Served) {
    served.open(browser, "play");
    choose_agent(browser, 0, "greedy");
    // The controls are above the board and stay where they are.
    let places = || {
        browser.run("return ['run', 'step', 'stop', 'speed', 'boards'].map(id => { const { left, top } = document.getElementById(id).getBoundingClientRect(); return [Math.round(left), Math.round(top)]; });")
    };
    let at_start = places();
    // Without a game there is no position to ask about.
    assert_eq!(browser.count(".ask:not([hidden])"), 0);
    let top = |place: usize| at_start[place][1].as_i64().expect("a number");
    assert!((0..4).all(|control| top(control) < top(4)), "{at_start}");
    browser.click("#run");
    wait_for_state(browser, "playing");
    assert_eq!(places(), at_start);
    assert_eq!(browser.text("#run"), "Pause");
    browser.wait_for("Number(document.querySelector('[data-stat=Move]').dataset.value) > 0");
    browser.click("#run");
    wait_for_state(browser, "paused");
    let number = stat(browser, 0, "Move");
    browser.click("#step");
    browser.wait_for(&format!(
        "document.querySelector('[data-stat=Move]').dataset.value === '{}'",
        number + 1
    ));
    assert_eq!(browser.text("#run"), "Resume");
    assert_eq!(places(), at_start);
    assert_eq!(browser.count(".ask:not([hidden])"), 1);
    assert!(browser.text("#announcer").starts_with("Paused."));
    browser.click("#stop");
    wait_for_state(browser, "over");
    assert_eq!(stat(browser, 0, "Move"), number + 1);
    assert_eq!(browser.text("#run"), "Run");
    assert_eq!(places(), at_start);
    // A game that was stopped has no record.
    assert_eq!(browser.count("#save:not([hidden])"), 0);
}

fn tiles_slide_unless_reduced_motion_is_preferred(browser: &Browser, served: &Served) {
    served.open(browser, "you");
    browser.run(
        "window.slid = 0; const board = document.querySelector('.board');\
         new MutationObserver(() => { if (board.classList.contains('sliding')) window.slid += 1; }).observe(board, {attributes: true});",
    );
    press_until(browser, 2);
    assert!(browser.number("window.slid") > 0);
    browser.prefer("prefers-reduced-motion", "reduce");
    browser.run("return new Promise(done => setTimeout(done, 200));");
    browser.run("window.slid = 0;");
    press_until(browser, 4);
    assert_eq!(browser.number("window.slid"), 0);
    browser.prefer("prefers-reduced-motion", "");
}

fn the_keyboard_alone_runs_a_game(browser: &Browser, served: &Served) {
    served.open(browser, "play");
    let tab_to = |wanted: &str| {
        for _ in 0..40 {
            browser.press_key(TAB_KEY);
            if browser.run(&format!(
                "return document.activeElement.matches({});",
                json!(wanted)
            )) == Value::Bool(true)
            {
                return;
            }
        }
        panic!("Tab does not reach {wanted}");
    };
    tab_to("#speed");
    browser.press_key(END_KEY);
    tab_to("[data-field='agents.0.plugin'] select");
    browser.press_key('g');
    tab_to("[data-field=seed] input");
    browser.press_key(ENTER_KEY);
    wait_for_state(browser, "over");
    assert_eq!(browser.text(".game h2"), "greedy");
    assert!(browser.text(".ending").starts_with("Game over"));
}

fn press_until(browser: &Browser, n_moves: u64) {
    for round in 0.. {
        if stat(browser, 0, "Move") >= n_moves {
            return;
        }
        assert!(round < 40, "no key moves a tile");
        browser.press(".board", ARROW_KEYS[round % 4]);
        // Waits for the response to each key.
        browser.run("return new Promise(done => setTimeout(done, 30));");
    }
}

fn a_person_plays_with_arrow_keys_and_continues_after_a_reload(browser: &Browser, served: &Served) {
    served.open(browser, "you");
    browser.fill("[data-field=seed] input", "2");
    browser.click("#new-game");
    // The agents of the run have played this seed. The person's own row may be there before theirs.
    let all_agents = "document.querySelectorAll('#results tbody tr:not(.own)').length >= 3";
    browser.wait_for(all_agents);
    browser.wait_for("document.querySelector('[data-stat=Move]').dataset.value === '0'");
    press_until(browser, 6);
    let (number, shown) = (stat(browser, 0, "Move"), board(browser, 0));
    browser.reload();
    browser.wait_for("document.querySelector('.tile')");
    assert_eq!(
        (stat(browser, 0, "Move"), board(browser, 0)),
        (number, shown)
    );
    browser.wait_for(all_agents);
    let best = browser.text("#results tbody tr:first-child td");
    let recorded = served.records.iter().filter(|record| record.seed == 2);
    let highest = recorded
        .map(|record| record.score)
        .max()
        .expect("games on the seed");
    assert_eq!(best.replace(',', ""), highest.to_string());
    assert!(browser.text("#results tr.own").starts_with("you"));
}

fn a_rejected_new_game_leaves_the_game_as_it_is(browser: &Browser, served: &Served) {
    served.open(browser, "you");
    press_until(browser, 4);
    let before = (stat(browser, 0, "Move"), board(browser, 0));
    for share in ["2", ""] {
        browser.fill("[data-field=four_share] input", share);
        browser.click("#new-game");
        browser.wait_for("document.querySelector('[data-field=four_share] [aria-invalid]')");
        let error = browser.text("[data-field=four_share] .error");
        assert!(error.contains("from 0 to 1"), "{error}");
        assert_eq!((stat(browser, 0, "Move"), board(browser, 0)), before);
    }
    press_until(browser, before.0 + 1);
    // What was not accepted is not remembered either.
    browser.reload();
    browser.wait_for("document.querySelector('.own .tile')");
    assert_eq!(
        browser.run("return document.querySelector('[data-field=four_share] input').value;"),
        json!("0.1")
    );
    // In Play and Compare the same value is wrong in the same words.
    for view in ["play", "compare"] {
        served.open(browser, view);
        browser.fill("[data-field=four_share] input", "");
        browser.click("#run");
        browser.wait_for("document.querySelector('[data-field=four_share] [aria-invalid]')");
    }
}

fn a_game_that_was_replaced_is_returned_to(browser: &Browser, served: &Served) {
    served.open(browser, "you");
    press_until(browser, 5);
    let before = (stat(browser, 0, "Move"), board(browser, 0));
    browser.press(".board", 'r');
    browser.wait_for("document.querySelector('[data-stat=Move]').dataset.value === '0'");
    assert_eq!(
        browser.text("#undo-new-game"),
        format!("Back to your game at move {}", before.0)
    );
    browser.click("#undo-new-game");
    browser.wait_for("document.querySelector('[data-stat=Move]').dataset.value !== '0'");
    assert_eq!((stat(browser, 0, "Move"), board(browser, 0)), before);
    // A game without moves is not worth returning to.
    assert_eq!(browser.count("#undo-new-game:not([hidden])"), 0);
}

fn a_move_is_explained_on_the_board_that_it_was_chosen_on(browser: &Browser, served: &Served) {
    served.open(browser, "play");
    choose_agent(browser, 0, "mcts");
    browser.fill("[data-field='agents.0.params.runs'] input", "10");
    let step = |number: u64| {
        browser.click("#step");
        browser.wait_for(&format!(
            "document.querySelector('[data-stat=Move]').dataset.value === '{number}'"
        ));
    };
    step(1);
    wait_for_state(browser, "paused");
    // The form makes room; its settings stay in sight.
    assert_eq!(browser.count(".settings-fold[open]"), 0);
    let settings = browser.text(".settings-fold > summary");
    assert!(settings.contains("mcts (runs: 10)"), "{settings}");
    let before = board(browser, 0);
    step(2);
    let mini = browser.run("return [...document.querySelectorAll('.choice-beside .mini > span')].map(cell => cell.textContent || '.').join(' ');");
    assert_eq!(mini, json!(before.replace(" / ", " ")));
    let title = browser.text(".choice h3");
    assert!(
        title.starts_with("How mcts chose ") && title.ends_with("move 2"),
        "{title}"
    );
    let arrow =
        browser.run("return document.querySelector('.chosen-on .move-arrow').dataset.direction;");
    let arrows = [("U", "↑"), ("R", "→"), ("D", "↓"), ("L", "←")];
    assert!(
        arrows
            .iter()
            .any(|(letter, sign)| arrow == *letter && title.contains(sign))
    );
    // The value is said once; the others are behind it.
    let values = browser.run(
        "return [...document.querySelectorAll('.choice .value')].map(value => value.textContent);",
    );
    let values: Vec<&str> = values
        .as_array()
        .expect("four")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(values.contains(&"best"), "{values:?}");
    assert!(
        values.iter().all(|value| !value.starts_with('−')),
        "{values:?}"
    );
    browser.click("#stop");
}

fn a_person_swipes_and_an_agent_plays_the_same_tiles(browser: &Browser, served: &Served) {
    served.open(browser, "you");
    browser.fill("[data-field=seed] input", "77");
    browser.click("#new-game");
    browser.wait_for("document.querySelector('[data-stat=Move]').dataset.value === '0'");
    let start = board(browser, 0);
    for (across, down) in [(60, 0), (0, 60), (-60, 0), (0, -60)] {
        browser.run(&format!(
            "const board = document.querySelector('.board'); const box = board.getBoundingClientRect();\
             const send = (name, x, y) => board.dispatchEvent(new PointerEvent(name, {{bubbles: true, isPrimary: true, pointerId: 1, clientX: box.left + 150 + x, clientY: box.top + 150 + y}}));\
             board.setPointerCapture = () => {{}};\
             send('pointerdown', 0, 0); send('pointermove', {across}, {down}); send('pointerup', {across}, {down});\
             return new Promise(done => setTimeout(done, 50));"
        ));
    }
    browser.wait_for("Number(document.querySelector('[data-stat=Move]').dataset.value) > 1");
    browser.choose("#opponent", "greedy");
    browser.click("#challenge");
    browser.wait_for("location.hash.startsWith('#play/')");
    browser.wait_for("document.getElementById('run')");
    wait_for_state(browser, "playing");
    assert_eq!(
        browser.number("Number(document.querySelector('[data-field=seed] input').value)"),
        77
    );
    browser.click("#stop");
    wait_for_state(browser, "over");
    // The server reports the same start.
    let first = browser.run(
        "return fetch('/api/person', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({seed: 77, size: 4, four_share: 0.1, moves: ''})}).then(response => response.json()).then(({board}) => [0, 1, 2, 3].map(row => board.slice(4 * row, 4 * row + 4).map(e => e === 0 ? '.' : 2 ** e).join(' ')).join(' / '));",
    );
    assert_eq!(first, json!(start));
}
