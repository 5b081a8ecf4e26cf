//! Details of the page that decide whether people trust it: nothing vanishes, nothing is lost,
//! and a message says what is true.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    served_page::{Served, Test, board, open_view, stat, wait_for_state},
    support::serving_host::ServingHost,
    web_driver::Browser,
};

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "tiles_never_vanish_at_any_speed",
        tiles_never_vanish_at_any_speed,
    ),
    (
        "all_errors_of_a_form_are_shown_at_once_and_cleared_by_typing",
        all_errors_of_a_form_are_shown_at_once_and_cleared_by_typing,
    ),
    (
        "a_reload_of_a_replay_shows_the_same_move",
        a_reload_of_a_replay_shows_the_same_move,
    ),
    (
        "the_board_of_a_person_shows_the_seed_of_the_form_and_the_end",
        the_board_of_a_person_shows_the_seed_of_the_form_and_the_end,
    ),
    (
        "every_view_recovers_from_a_lost_server",
        every_view_recovers_from_a_lost_server,
    ),
    (
        "pause_does_not_wait_behind_old_boards",
        pause_does_not_wait_behind_old_boards,
    ),
    (
        "a_run_of_one_game_is_followed_beside_another",
        a_run_of_one_game_is_followed_beside_another,
    ),
];

/// In every frame the tiles that can be seen add up to the board that is described, except
/// for the tile that is about to appear.
fn tiles_never_vanish_at_any_speed(browser: &Browser, served: &Served) {
    served.open(browser, "replay/t/0@100");
    browser.wait_for("document.getElementById('boards').dataset.move === '100'");
    let missing = |speed: u32| {
        browser.run(&format!(
            "document.getElementById('speed').value = {speed};\
             document.getElementById('speed').dispatchEvent(new Event('input'));\
             const board = document.querySelector('.board');\
             const sum = () => board.getAttribute('aria-label').match(/\\d+/g).map(Number).reduce((one, other) => one + other);\
             const isSeen = tile => {{ const {{ scale, opacity }} = getComputedStyle(tile); return opacity > 0 && (scale === 'none' || parseFloat(scale) > 0); }};\
             const seen = () => [...board.querySelectorAll('.tile')].filter(isSeen).reduce((all, tile) => all + Number(tile.textContent), 0);\
             document.getElementById('play').click();\
             return new Promise(done => {{\
               let frames = 0, worst = 0;\
               const look = () => {{\
                 worst = Math.max(worst, sum() - seen());\
                 frames += 1;\
                 if (frames < 60) requestAnimationFrame(look);\
                 else {{ document.getElementById('play').click(); done(worst); }}\
               }};\
               requestAnimationFrame(look);\
             }});"
        ))
    };
    // 4, 8, 30 and 120 moves per second.
    for speed in 2..=5 {
        let missing = missing(speed).as_u64().expect("a number");
        assert!(
            missing <= 4,
            "tiles worth {missing} vanish at speed {speed}"
        );
    }
}

fn all_errors_of_a_form_are_shown_at_once_and_cleared_by_typing(
    browser: &Browser,
    served: &Served,
) {
    served.open(browser, "compare");
    browser.choose("[data-field='agents.0.plugin'] select", "minimax");
    browser.choose("[data-field='agents.1.plugin'] select", "mcts");
    browser
        .run("document.querySelectorAll('details').forEach(details => { details.open = true; });");
    browser.fill("[data-field='agents.0.params.depth'] input", "-1");
    browser.fill("[data-field='agents.1.params.runs'] input", "-3");
    browser.fill("[data-field=seed] input", "99999999999999999");
    browser.fill("[data-field=four_share] input", "7");
    browser.click("#run");
    browser.wait_for("document.querySelector('[aria-invalid=true]')");
    let fields = browser.run(
        "return [...document.querySelectorAll('[aria-invalid=true]')].map(input => input.closest('[data-field]').dataset.field).sort();",
    );
    let expected = json!([
        "agents.0.params.depth",
        "agents.1.params.runs",
        "four_share",
        "seed"
    ]);
    assert_eq!(fields, expected);
    browser.fill("[data-field=seed] input", "9");
    assert_eq!(browser.count("[data-field=seed] [aria-invalid]"), 0);
    assert_eq!(browser.count("[aria-invalid]"), 3);
    // The browser itself logs the response with an error status.
    browser.log_entries();
}

fn a_reload_of_a_replay_shows_the_same_move(browser: &Browser, served: &Served) {
    served.open(browser, "replay/t/0/1");
    browser.wait_for("document.getElementById('boards').dataset.move === '0'");
    browser.run(
        "const slider = document.getElementById('move'); slider.value = 57; slider.dispatchEvent(new Event('input'));",
    );
    browser.wait_for("location.hash === '#replay/t/0/1@57'");
    browser.wait_for("document.getElementById('boards').dataset.move === '57'");
    let shown = (board(browser, 0), board(browser, 1));
    browser.reload();
    browser.wait_for("document.getElementById('boards')?.dataset.move === '57'");
    assert_eq!((board(browser, 0), board(browser, 1)), shown);
    browser.run("location.hash = '#replay/t/0/1@12';");
    browser.wait_for("document.getElementById('boards').dataset.move === '12'");
}

fn the_board_of_a_person_shows_the_seed_of_the_form_and_the_end(
    browser: &Browser,
    served: &Served,
) {
    served.open(browser, "you");
    let seed = || browser.run("return document.querySelector('[data-field=seed] input').value;");
    let shown = || {
        let text = browser.text("#own-tiles");
        json!(text.trim_start_matches("seed "))
    };
    browser.click(".dice");
    assert_eq!(shown(), seed());
    // On a board of four cells a game ends soon.
    browser.choose("[data-field=size] select", "2 ");
    browser.wait_for("document.querySelectorAll('.board .cell').length === 4 && document.querySelectorAll('.tile').length === 2");
    let start = board(browser, 0);
    browser.run("window.gains = []; new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(node => { if (node.className === 'gain') window.gains.push(node.textContent); }))).observe(document.querySelector('[data-stat=Score]'), {childList: true});");
    let mut is_moved = false;
    for round in 0..400 {
        if browser.count(".game-over:not([hidden])") == 1 {
            break;
        }
        assert!(round < 399, "the game does not end");
        // Keys of the original game, and those of vi.
        browser.press(".board", ['h', 'j', 'a', 's', 'l', 'k'][round % 6]);
        browser.run("return new Promise(done => setTimeout(done, 20));");
        // The first keys may change nothing; after one move there is still an empty cell.
        if !is_moved && stat(browser, 0, "Move") > 0 {
            is_moved = true;
            browser.click(".dice");
            assert_ne!(shown(), seed(), "a game that is being played goes on");
            let button = browser.text("#new-game");
            assert_eq!(
                json!(button.trim_start_matches("New game on seed ")),
                seed()
            );
        }
    }
    let score = stat(browser, 0, "Score");
    assert_eq!(stat(browser, 0, "Best"), score);
    let gained = browser.number("window.gains.reduce((sum, gain) => sum + Number(gain), 0)");
    assert_eq!(gained, score, "every gain is shown");
    browser.click("#again");
    browser.wait_for("document.querySelector('[data-stat=Move]').dataset.value === '0'");
    assert_eq!(board(browser, 0), start, "the same tiles again");
    assert_eq!(browser.count(".game-over:not([hidden])"), 0);
}

fn every_view_recovers_from_a_lost_server(browser: &Browser, served: &Served) {
    let folder = served.test.folder.path();
    let lost = ServingHost::start(folder, 0, &[]);
    let (address, port) = (lost.address.clone(), lost.port());
    let is_hidden = "document.getElementById('banner').hidden";
    open_view(browser, &address, "compare");
    browser.click("#run");
    wait_for_state(browser, "playing");
    drop(lost);
    browser.wait_for(&format!("!{is_hidden}"));
    let again = ServingHost::start(folder, port, &[]);
    wait_for_state(browser, "gone");
    browser.wait_for(is_hidden);
    let message = browser.text("#message");
    assert!(message.contains("when the server was stopped"), "{message}");
    browser.click("#run");
    wait_for_state(browser, "playing");
    // With the first move, the page scrolls to the boards, and the buttons move.
    browser.wait_for("Number(document.querySelector('[data-stat=Move]').dataset.value) > 0");
    browser.click("#stop");
    wait_for_state(browser, "over");

    // Views that are opened while the server is away are complete when it is back.
    drop(again);
    browser.run("location.hash = '#replay/t/0';");
    browser.wait_for(&format!("!{is_hidden}"));
    let again = ServingHost::start(folder, port, &[]);
    browser.wait_for("document.querySelector('.replay .tile')");
    browser.wait_for(is_hidden);
    drop(again);
    browser.run("location.hash = '#play';");
    browser.wait_for(&format!("!{is_hidden}"));
    let again = ServingHost::start(folder, port, &[]);
    browser.wait_for("document.getElementById('run')");
    browser.run("location.hash = '#you';");
    browser.wait_for("document.querySelector('.own .tile')");
    // Nothing but the banner asks whether the server is back, and the agent is asked again.
    browser.wait_for("document.querySelector('[data-field=\"asked.0.plugin\"]')");
    drop(again);
    browser.choose("[data-field='asked.0.plugin'] select", "greedy");
    browser.run("document.getElementById('ask').click();");
    browser.wait_for("document.querySelector('.ask .error:not([hidden])')");
    let again = ServingHost::start(folder, port, &[]);
    browser.wait_for(is_hidden);
    browser.wait_for("document.querySelector('.answer[data-direction]') && !document.querySelector('.ask .error:not([hidden])')");
    drop(again);
    let before = stat(browser, 0, "Move");
    for key in ['w', 'd', 's', 'a'] {
        browser.press(".board", key);
    }
    browser.wait_for(&format!("!{is_hidden}"));
    let _again = ServingHost::start(folder, port, &[]);
    browser.wait_for(&format!(
        "Number(document.querySelector('[data-stat=Move]').dataset.value) > {before}"
    ));
    // The browser itself logs the lost connections.
    browser.log_entries();
}

/// Counts what is shown after Pause, not how long it takes.
fn pause_does_not_wait_behind_old_boards(browser: &Browser, served: &Served) {
    served.open(browser, "compare");
    browser.click("#add-agent");
    browser.click("#add-agent");
    for place in 0..4 {
        let field = format!("[data-field='agents.{place}.plugin'] select");
        browser.choose(&field, "snake");
    }
    browser.run("const speed = document.getElementById('speed'); speed.value = 6; speed.dispatchEvent(new Event('input'));");
    browser.set_speed_limit(20_000);
    browser.click("#run");
    browser.wait_for("Number(document.querySelector('[data-stat=Move]').dataset.value) > 100");
    let shown = browser.run(
        "let shown = 0;\
         const move = document.querySelector('[data-stat=Move]');\
         const watch = new MutationObserver(() => { shown += 1; });\
         watch.observe(move, {childList: true});\
         document.getElementById('run').click();\
         return new Promise(done => {\
           const look = () => {\
             if (document.getElementById('boards').dataset.state !== 'playing') done(shown);\
             else setTimeout(look, 20);\
           };\
           look();\
         });",
    );
    browser.set_speed_limit(-1);
    let shown = shown.as_u64().expect("a number");
    // Six frames may be under way, and a few more until the request arrives.
    assert!(shown <= 20, "{shown} old boards were shown after Pause");
    wait_for_state(browser, "paused");
    browser.click("#stop");
    wait_for_state(browser, "over");
}

fn a_run_of_one_game_is_followed_beside_another(browser: &Browser, served: &Served) {
    served
        .test
        .write("one.yaml", "seeds: [3]\nagents: [{plugin: greedy}]\n");
    served.test.host(&["run", "one.yaml"]).expect_code(0);
    served.open(browser, "follow/one/t");
    browser.wait_for("document.querySelectorAll('[data-key^=ranking] tbody tr').length === 4");
    let counts = browser.run(
        "return [...document.querySelectorAll('.run-count, .ranked-games')].map(text => text.textContent);",
    );
    let expected = json!([
        "1 of 1 game",
        "Ranking after 1 game",
        "12 of 12 games",
        "Ranking after 12 games"
    ]);
    assert_eq!(counts, expected);
    // One game has no interval and no curve.
    assert_eq!(
        browser.count("[aria-label=one] [data-key^=ranking] .whisker"),
        0
    );
    assert_eq!(browser.count("[aria-label=t] .history .mean"), 3);
    // Two agents seed by seed, with links to the games.
    browser.click("[aria-label=t] [data-key^=seeds] summary");
    assert_eq!(
        browser.count("[aria-label=t] [data-key^=seeds] circle.seed"),
        4
    );
    let text = browser.text("[aria-label=t] .seed-result p");
    assert!(
        text.starts_with("Of the 4 common seeds shown, snake won"),
        "{text}"
    );
    let seed = |agent: &str| {
        let records = served.records.iter();
        records
            .filter(|record| record.agent == agent)
            .map(|record| (record.seed, record.score))
            .collect::<BTreeMap<_, _>>()
    };
    let (snake, greedy) = (seed("snake"), seed("greedy"));
    let most = snake
        .iter()
        .max_by_key(|(seed, score)| score.abs_diff(greedy[seed]));
    let most = most.expect("games").0;
    assert_eq!(
        browser.text("[aria-label=t] .seed-result li a"),
        format!("seed {most}")
    );
    browser.click("[aria-label='Remove one']");
    browser.wait_for(
        "location.hash === '#follow/t' && document.querySelectorAll('.run').length === 1",
    );
}
