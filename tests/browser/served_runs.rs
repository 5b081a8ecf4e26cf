//! Replaying and following runs.

use std::{fs, process::Stdio};

use serde_json::{Value, json};

use crate::{
    report_page::board_in_words,
    served_page::{END_KEY, Served, Test, board, stat},
    support::host,
    web_driver::Browser,
};

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "a_served_replay_ends_on_the_recorded_score",
        a_served_replay_ends_on_the_recorded_score,
    ),
    (
        "two_replays_show_where_they_part_in_strength",
        two_replays_show_where_they_part_in_strength,
    ),
    (
        "readings_of_a_long_replay_are_those_of_its_board",
        readings_of_a_long_replay_are_those_of_its_board,
    ),
    (
        "a_click_on_the_course_shows_the_board_at_every_width",
        a_click_on_the_course_shows_the_board_at_every_width,
    ),
    (
        "nothing_jumps_while_two_games_are_opened",
        nothing_jumps_while_two_games_are_opened,
    ),
    (
        "a_run_without_games_has_no_controls",
        a_run_without_games_has_no_controls,
    ),
    (
        "a_replay_is_controlled_with_the_keyboard",
        a_replay_is_controlled_with_the_keyboard,
    ),
    (
        "a_served_tournament_is_followed_to_its_final_ranking",
        a_served_tournament_is_followed_to_its_final_ranking,
    ),
    (
        "a_run_that_needs_no_more_games_is_finished",
        a_run_that_needs_no_more_games_is_finished,
    ),
    (
        "each_budget_and_each_fault_of_a_run_is_shown",
        each_budget_and_each_fault_of_a_run_is_shown,
    ),
];

const LEFT_KEY: char = '\u{e012}';
const RIGHT_KEY: char = '\u{e014}';

fn a_served_replay_ends_on_the_recorded_score(browser: &Browser, served: &Served) {
    // The longest game is fetched in more than one window of steps.
    let record = served
        .records
        .iter()
        .max_by_key(|record| record.n_moves)
        .expect("games");
    assert!(record.n_moves > 500, "{}", record.n_moves);
    served.open(browser, "replay");
    browser.choose("#replay-run", "t ");
    browser.wait_for("location.hash.startsWith('#replay/t/')");
    browser.wait_for("document.querySelectorAll('#replay-agent option').length === 3");
    browser.choose("#replay-agent", &record.agent);
    browser.wait_for(&format!(
        "document.querySelector('.game h2')?.textContent === '{}'",
        record.agent
    ));
    browser.choose("#replay-game", &format!("seed {} ", record.seed));
    browser.wait_for(&format!("location.hash === '#replay/t/{}'", record.game));
    browser.wait_for(&format!(
        "document.getElementById('move').max === '{}'",
        record.n_moves
    ));
    browser.wait_for("document.querySelector('[data-stat=Score]').dataset.value === '0'");
    browser.press("#speed", END_KEY);
    browser.click("#play");
    browser.wait_for("document.querySelector('[data-replay-end]').textContent !== ''");
    assert_eq!(stat(browser, 0, "Score"), record.score);
    assert_eq!(stat(browser, 0, "Move"), record.n_moves);
    assert_eq!(stat(browser, 0, "Highest"), record.highest);
    assert_eq!(board(browser, 0), board_in_words(record));
    let end = browser.text("[data-replay-end]");
    assert!(end.contains("The score matches the record"), "{end}");
}

fn two_replays_show_where_they_part_in_strength(browser: &Browser, served: &Served) {
    let of = |agent: &str| {
        let mut records = served.records.iter();
        records
            .find(|record| record.agent == agent && record.seed == 3)
            .expect("a game")
    };
    let (one, other) = (of("greedy"), of("scripted"));
    served.open(browser, &format!("replay/t/{}", one.game));
    browser.wait_for("document.querySelectorAll('#replay-other option').length === 3");
    browser.choose("#replay-other", "scripted");
    browser.wait_for("document.querySelectorAll('.game').length === 2");
    let at = |number: u64| {
        browser.wait_for(&format!(
            "document.getElementById('boards').dataset.move === '{number}'"
        ));
    };
    // The games differ from the first moves on; what counts is the tile that only one reaches.
    browser.wait_for("document.querySelector('.landmarks button')");
    let text = browser.text("#parting");
    let (shared, next) = (other.highest, 2 * other.highest);
    assert!(
        text.starts_with(&format!("Both reach {shared}; only greedy reaches {next}")),
        "{text}"
    );
    let end = format!("scripted ends on move {}", other.n_moves);
    assert!(text.contains(&end), "{text}");
    browser.click(".landmarks button");
    let parted = browser.number("Number(document.querySelector('.landmarks button').dataset.move)");
    at(parted);
    assert_eq!(stat(browser, 0, "Highest"), next);
    browser.click("#back");
    at(parted - 1);
    assert_eq!(stat(browser, 0, "Highest"), shared);
    // A click on the course goes to the move below it, and the figures are those of the board.
    browser.run(
        "const line = document.querySelector('.plot svg'); const box = line.getBoundingClientRect();\
         line.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + box.width / 2, clientY: box.top}));",
    );
    // Browsers round the place of a click to whole pixels.
    let half = one.n_moves / 2;
    browser.wait_for(&format!(
        "Math.abs(Number(document.getElementById('boards').dataset.move) - {half}) <= 2"
    ));
    let score = browser.text(".course-line b.of-1");
    assert_eq!(
        score.replace(',', ""),
        stat(browser, 0, "Score").to_string()
    );
    // A reload shows both games again.
    browser.reload();
    browser.wait_for("document.querySelectorAll('.game .tile').length >= 4");
    assert_eq!(browser.count(".game"), 2);
    browser.click("#last");
    browser.wait_for(
        "[...document.querySelectorAll('[data-replay-end]')].every(end => end.textContent !== '')",
    );
    assert_eq!(stat(browser, 0, "Score"), one.score);
    assert_eq!(stat(browser, 1, "Score"), other.score);

    // Games on different tiles are not shown side by side.
    let elsewhere = served.records.iter().find(|record| record.seed == 4);
    let elsewhere = elsewhere.expect("a game").game;
    served.open(browser, &format!("replay/t/{}/{elsewhere}", one.game));
    browser.wait_for("!document.getElementById('message').hidden");
    let message = browser.text("#message");
    assert!(message.contains("has seed 4, not 3"), "{message}");
    assert_eq!(browser.count(".game"), 1);
}

fn readings_of_a_long_replay_are_those_of_its_board(browser: &Browser, served: &Served) {
    let longest = served.records.iter().max_by_key(|record| record.n_moves);
    let longest = longest.expect("games");
    // The curve has fewer points than the game has moves.
    assert!(longest.n_moves > 600, "{}", longest.n_moves);
    for number in [101, 351, longest.n_moves - 2] {
        served.open(browser, &format!("replay/t/{}@{number}", longest.game));
        browser.wait_for("document.querySelector('[data-line=\"CPU time\"] b').textContent !== ''");
        let reading = |line: &str| {
            browser
                .text(&format!("[data-line='{line}'] b"))
                .replace(',', "")
        };
        assert_eq!(reading("Score"), stat(browser, 0, "Score").to_string());
        assert_eq!(
            reading("Highest tile"),
            stat(browser, 0, "Highest").to_string()
        );
        let n_empty = board(browser, 0).matches('.').count();
        assert_eq!(reading("Empty cells"), n_empty.to_string());
    }
}

fn a_click_on_the_course_shows_the_board_at_every_width(browser: &Browser, served: &Served) {
    for width in [375, 768, 1280, 1920] {
        served.open(browser, "replay/t/0");
        browser.set_width(width);
        browser.wait_for("document.querySelector('.plot svg')");
        browser.run(
            "document.querySelector('.plot').scrollIntoView({block: 'end'}); const line = document.querySelector('.plot svg'); const box = line.getBoundingClientRect();\
             line.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + box.width / 2, clientY: box.top}));",
        );
        browser.wait_for("Number(document.getElementById('boards').dataset.move) > 0");
        let seen = browser.run("const {top, bottom} = document.querySelector('.stage').getBoundingClientRect(); return [top >= 0, bottom <= innerHeight];");
        assert_eq!(seen, json!([true, true]), "{width}");
    }
}

fn nothing_jumps_while_two_games_are_opened(browser: &Browser, served: &Served) {
    served.open(browser, "replay/t/0/1");
    browser.wait_for("document.querySelector('.plot svg') && document.querySelectorAll('.game .tile').length > 3");
    // The browser tells of shifts only when there were some.
    let shift = browser.run(
        "return new Promise(done => {\
           setTimeout(done, 500, 0);\
           new PerformanceObserver(list => done(list.getEntries().reduce((sum, shift) => sum + shift.value, 0))).observe({type: 'layout-shift', buffered: true});\
         });",
    );
    let shift = shift.as_f64().expect("a number");
    assert!(shift < 0.1, "{shift}");
}

fn a_run_without_games_has_no_controls(browser: &Browser, served: &Served) {
    let folder = served.test.path("runs/empty");
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(
        served.test.path("runs/t/plan.json"),
        folder.join("plan.json"),
    )
    .expect("a plan");
    served.open(browser, "replay");
    browser.run("location.hash = 'replay/empty';");
    browser.wait_for("document.getElementById('message').textContent.includes('no recorded game')");
    for control in ["#ask", "#play", ".plot"] {
        let shown = format!(
            "[...document.querySelectorAll('{control}')].filter(it => it.checkVisibility()).length"
        );
        assert_eq!(browser.number(&shown), 0, "{control}");
    }
    fs::remove_dir_all(&folder).expect("the folder is still there");
}

fn a_replay_is_controlled_with_the_keyboard(browser: &Browser, served: &Served) {
    served.open(browser, "replay/t/0");
    let at = |number: u64| {
        browser.wait_for(&format!(
            "document.getElementById('boards').dataset.move === '{number}'"
        ));
    };
    at(0);
    browser.press_key(RIGHT_KEY);
    browser.press_key(RIGHT_KEY);
    at(2);
    browser.press_key(LEFT_KEY);
    at(1);
    browser.press_key(END_KEY);
    at(served.records[0].n_moves);
    browser.press("#move", LEFT_KEY);
    at(served.records[0].n_moves - 1);
    browser.run("document.activeElement.blur();");
    browser.press_key('\u{e011}');
    at(0);
    browser.press_key(' ');
    assert_eq!(browser.text("#play"), "Pause");
    browser.press_key(' ');
    assert_eq!(browser.text("#play"), "Play");
}

fn a_served_tournament_is_followed_to_its_final_ranking(browser: &Browser, served: &Served) {
    // One of the agents is slow, so that the run takes long enough on any machine.
    served.test.write(
        "live.yaml",
        "seeds: 1..30\nagents: [{plugin: greedy}, {plugin: random}, {plugin: scripted, params: {burn_us: 500}}]\n",
    );
    served.open(browser, "follow");
    let mut tournament = host()
        .current_dir(served.test.folder.path())
        .args(["run", "live.yaml", "--workers", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the host starts");
    browser.wait_for("document.querySelector('.runs a[href=\"#follow/live\"]')");
    browser.click(".runs a[href=\"#follow/live\"]");
    browser.wait_for("document.querySelectorAll('[data-key^=ranking] tbody tr').length > 0");
    let early = browser.text(".run-count");
    browser.run("const numbers = document.querySelector('[data-key^=ranking] .numbers'); numbers.open = true; numbers.querySelector('summary').focus();");
    // The progress does not wait for the ranking, which is computed more rarely.
    browser.run(
        "window.ahead = 0;\
         const number = text => Number(text.replaceAll(',', '').match(/\\d+/)[0]);\
         new MutationObserver(() => {\
           const [count, ranked] = ['.run-count', '.ranked-games'].map(part => number(document.querySelector(part).textContent));\
           if (count > ranked) window.ahead += 1;\
         }).observe(document.querySelector('.run-count'), {childList: true});",
    );
    browser.wait_for("/^[\\d.,]+ games per (second|minute) · about [\\d,]+ (s|min|h) left$/.test(document.querySelector('.run-rate').textContent)");
    let ended = tournament.wait().expect("the tournament ends");
    assert!(ended.success());
    browser.wait_for("document.querySelector('.run').dataset.state === 'finished'");
    assert_eq!(browser.text(".run-count"), "90 of 90 games");
    assert_ne!(early, browser.text(".run-count"), "the count has increased");
    assert!(
        browser.number("window.ahead") > 0,
        "progress waits for the ranking"
    );
    assert_eq!(browser.text(".run-rate"), "");
    // It says how many games it is about, and is the last to arrive.
    browser.wait_for(
        "document.querySelector('.ranked-games').textContent === 'Ranking after 90 games'",
    );

    // Every ranking has replaced the figures, but not what a person did to them.
    let kept = browser.run("const numbers = document.querySelector('[data-key^=ranking] .numbers'); return [numbers.open, document.activeElement === numbers.querySelector('summary')];");
    assert_eq!(kept, json!([true, true]));

    let report = served
        .test
        .host(&["report", "runs/live", "--format", "json"])
        .expect_code(0);
    let report: Value = serde_json::from_str(&report.stdout).expect("JSON");
    let rows = browser.run(
        "return [...document.querySelectorAll('[data-key^=ranking] .rows li:not(.axis)')].map(row => ['.rank', '.name', '.figure b'].map(part => row.querySelector(part).textContent.replaceAll(',', '')));",
    );
    let rows = rows.as_array().expect("rows");
    let agents = report["agents"].as_array().expect("agents");
    assert_eq!(rows.len(), agents.len());
    for (row, agent) in rows.iter().zip(agents) {
        assert_eq!(row[0], json!(agent["rank"].to_string()));
        assert_eq!(row[1], agent["name"]);
        let shown: f64 = row[2].as_str().expect("a text").parse().expect("a mean");
        let mean = agent["mean"].as_f64().expect("a mean");
        assert!((shown - mean).abs() <= 0.5, "{shown} {mean}");
    }
    assert_eq!(browser.count("[data-key^=ranking] .rows .mark"), 3);
    let page = browser
        .run("return fetch(document.querySelector('.report').href).then(answer => answer.text());");
    assert!(page.as_str().expect("a page").contains("id=\"ranking\""));
}

fn a_run_that_needs_no_more_games_is_finished(browser: &Browser, served: &Served) {
    let yaml = "seeds: 1..20\nstop: {decided: 0.9, max_seeds: 300}\nagents: [{plugin: snake}, {plugin: random}]\n";
    served.test.write("settled.yaml", yaml);
    served.test.host(&["run", "settled.yaml"]).expect_code(0);
    served.open(browser, "follow/settled");
    assert_eq!(browser.text(".run-state"), "finished");
    // Snake leads by far, so the first look, after 20 seeds, decides.
    assert_eq!(
        browser.text(".run-count"),
        "40 games were enough, of at most 600"
    );
    assert_eq!(
        browser.number("document.querySelector('progress').position"),
        1
    );
    assert!(browser.text("figcaption").contains("its 90% interval"));
    assert!(browser.text("[data-key^=ranking] thead").contains("[90%]"));
}

fn each_budget_and_each_fault_of_a_run_is_shown(browser: &Browser, served: &Served) {
    let yaml = "seeds: 1..3\nbudget: [{nodes: 10}, {nodes: 100}]\nagents: [{plugin: greedy}, {plugin: random}]\n";
    served.test.write("budgets.yaml", yaml);
    served.test.host(&["run", "budgets.yaml"]).expect_code(0);
    served.open(browser, "follow/budgets");
    let budgets = browser.run(
        "return [...document.querySelectorAll('.run-ranking [data-budget]:not(.seed-choice)')].map(section => section.dataset.budget);",
    );
    assert_eq!(budgets, json!(["10 nodes", "100 nodes"]));
    assert_eq!(browser.count("[data-key^=ranking] tbody tr"), 4);

    served.open(browser, "follow/t");
    assert_eq!(browser.count(".faults .fault-card"), 1);
    let fault = browser.text(".faults .fault-card");
    let sentence = served
        .records
        .iter()
        .find_map(|record| record.fault.as_deref())
        .expect("the scripted agent commits one");
    assert!(fault.contains(sentence), "{fault}");
    browser.click(".faults .fault-card a");
    browser.wait_for("document.querySelector('.replay .tile')");
    assert_eq!(browser.text(".game h2"), "scripted");
}
