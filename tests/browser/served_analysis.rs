//! Why a game went as it did: asked agents, turning points, curves and faults.

use std::process::Stdio;

use run::game_record::GameRecord;
use serde_json::{Value, json};
use statistics::as_f64;
use text::number_text::{decimals, percent};

use crate::{
    served_page::{Served, Test, check_accessibility, stat, wait_for_state},
    support::{host, patience::wait_until, processes::workers_of},
    web_driver::Browser,
};

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "an_asked_agent_answers_beside_the_move_that_was_played",
        an_asked_agent_answers_beside_the_move_that_was_played,
    ),
    (
        "turning_points_of_a_game_are_listed_marked_and_linked",
        turning_points_of_a_game_are_listed_marked_and_linked,
    ),
    (
        "notes_of_an_agent_are_drawn_and_shown_at_their_move",
        notes_of_an_agent_are_drawn_and_shown_at_their_move,
    ),
    (
        "agents_are_asked_about_the_game_of_a_person",
        agents_are_asked_about_the_game_of_a_person,
    ),
    (
        "games_that_are_compared_are_drawn_and_lead_to_their_replay",
        games_that_are_compared_are_drawn_and_lead_to_their_replay,
    ),
    (
        "faults_of_a_run_are_shown_as_they_happen",
        faults_of_a_run_are_shown_as_they_happen,
    ),
    (
        "how_games_end_is_told_by_the_records",
        how_games_end_is_told_by_the_records,
    ),
    (
        "parameters_are_in_the_order_of_their_author",
        parameters_are_in_the_order_of_their_author,
    ),
];

fn wait_for_forms(browser: &Browser) {
    browser.wait_for("document.querySelector('[data-field=\"asked.0.plugin\"]')");
}

fn choose_asked(browser: &Browser, place: usize, plugin: &str) {
    browser.choose(
        &format!("[data-field='asked.{place}.plugin'] select"),
        plugin,
    );
}

fn answers(browser: &Browser) -> Value {
    browser.run(
        "return [...document.querySelectorAll('.answers:not(.old) .answer')].map(card => [card.querySelector('h3').firstChild.textContent, card.dataset.direction, card.querySelector('.verdict').textContent]);",
    )
}

fn an_asked_agent_answers_beside_the_move_that_was_played(browser: &Browser, served: &Served) {
    let mut games = served.records.iter();
    let record = games.find(|it| it.agent == "greedy").expect("a game");
    served.open(browser, &format!("replay/t/{}@30", record.game));
    wait_for_forms(browser);
    // Greedy sees nothing but the board, so it agrees with itself on every position.
    choose_asked(browser, 0, "greedy");
    browser.click("#ask-another");
    choose_asked(browser, 1, "expectimax");
    browser.choose("[data-field='asked.1.budget'] select", "nodes");
    browser.fill("[data-field='asked.1.budget.nodes'] input", "0");
    browser.click("#ask");
    browser.wait_for(
        "document.querySelector('[data-field=\"asked.1.budget.nodes\"] .error:not([hidden])')",
    );
    browser.fill("[data-field='asked.1.budget.nodes'] input", "200");
    browser.run("document.querySelector('[data-field=\"asked.1.budget.nodes\"] input').dispatchEvent(new Event('change', {bubbles: true}));");
    for n in [30_usize, 31] {
        browser.wait_for(&format!(
            "document.getElementById('asked-position').textContent === 'After {n} moves of greedy' && document.querySelectorAll('.answers:not(.old) .answer[data-direction]').length === 2"
        ));
        let said = answers(browser);
        let played = &record.moves[n..=n];
        assert_eq!(said[0], json!(["greedy", played, "as played"]));
        assert_eq!(said[1][0], "expectimax");
        let is_same = said[1][1] == played;
        let verdict = said[1][2].as_str().expect("a text");
        assert_eq!(is_same, verdict == "as played", "{said}");
        assert_eq!(is_same, !verdict.starts_with("instead of"), "{said}");
        // The next position is asked about without a click.
        browser.click("#forward");
    }
    browser
        .wait_for("document.getElementById('asked-position').textContent.startsWith('After 32')");
    check_accessibility(browser, "asked agents");

    // What agents think about for long ends when the viewer leaves.
    choose_asked(browser, 0, "mcts");
    browser.run("document.querySelector('.asked details').open = true;");
    browser.fill("[data-field='asked.0.params.runs'] input", "1000000");
    browser.run("document.querySelector('[data-field=\"asked.0.params.runs\"] input').dispatchEvent(new Event('change', {bubbles: true}));");
    let n_workers = || workers_of(served.pid()).len();
    wait_until("a worker", || n_workers() > 0);
    browser.run("location.hash = 'follow';");
    wait_until("no worker", || n_workers() == 0);
}

fn turning_points_of_a_game_are_listed_marked_and_linked(browser: &Browser, served: &Served) {
    let games = served.records.iter().filter(|it| it.agent == "greedy");
    let record = games.min_by_key(|it| it.score).expect("a game");
    // From the ranking to the worst game of an agent.
    served.open(browser, "follow/t");
    browser.click("[aria-label='worst game of greedy']");
    browser.wait_for(&format!("location.hash === '#replay/t/{}'", record.game));
    wait_for_forms(browser);
    // The run keeps thoughts: what the host measured, and what greedy reported.
    browser.wait_for("[...document.querySelectorAll('.course-line')].some(line => line.textContent.startsWith('CPU time'))");
    choose_asked(browser, 0, "greedy");
    browser.click("#walk");
    let agreement = format!("greedy agrees with 100% of {} moves.", record.n_moves);
    browser.wait_for(&format!(
        "document.querySelector('.turning-points p')?.textContent === '{agreement}'"
    ));
    choose_asked(browser, 0, "snake");
    browser.click("#walk");
    browser.wait_for("document.querySelector('.turning-points h3')?.textContent.endsWith('by snake') && document.getElementById('walk').textContent !== 'Stop'");
    let n_points = browser.count(".turning-points li");
    assert!((1..=8).contains(&n_points), "{n_points}");
    assert_eq!(browser.count(".plot .turning-point"), n_points);
    let lines = browser.run("return [...document.querySelectorAll('.course-line .meta > :first-child')].map(name => name.textContent);");
    assert!(lines.to_string().contains("Value by snake"), "{lines}");
    let link = "document.querySelector('.turning-points a')";
    let number = browser.number(&format!("Number({link}.textContent.replace(/\\D/g, ''))"));
    browser.click(".turning-points a");
    browser.wait_for(&format!("location.hash.endsWith('@{}')", number - 1));
    browser.wait_for(&format!(
        "document.getElementById('boards').dataset.move === '{}'",
        number - 1
    ));
    // The move that snake would not have made is the next one.
    let words = browser.text(".turning-points li");
    browser.click("#forward");
    browser.wait_for(&format!(
        "document.getElementById('boards').dataset.move === '{number}'"
    ));
    let last_move = browser.text("[data-stat='Last move']");
    assert!(
        words.contains(&format!("instead of {last_move}")),
        "{words}, {last_move}"
    );
    check_accessibility(browser, "turning points");
}

fn notes_of_an_agent_are_drawn_and_shown_at_their_move(browser: &Browser, served: &Served) {
    let mut games = served.records.iter();
    let record = games.find(|it| it.agent == "scripted").expect("a game");
    served.open(browser, &format!("replay/t/{}@10", record.game));
    let curve = "[...document.querySelectorAll('.course-line')].find(line => line.textContent.startsWith('scripted: twice the move'))";
    browser.wait_for(&format!("{curve}?.querySelector('b').textContent === '20'"));
    // The agent's words are text, whatever they contain.
    let text = ".game .own-text";
    assert_eq!(browser.text(text), "“<b>ten</b> moves”");
    check_accessibility(browser, "notes");
    let height = format!("return document.querySelector('{text}').offsetHeight;");
    let with_text = browser.run(&height);
    browser.click("#forward");
    browser.wait_for(&format!(
        "{curve}.querySelector('b').textContent === '22' && document.querySelector('{text}').textContent === ''"
    ));
    assert_eq!(browser.run(&height), with_text, "nothing jumps");
    // An agent that is asked takes notes too.
    wait_for_forms(browser);
    choose_asked(browser, 0, "mcts");
    browser.choose("[data-field='asked.0.budget'] select", "nodes");
    browser.click("#ask");
    browser
        .wait_for("/ visits [0-9]/.test(document.querySelector('.answer .effort')?.textContent)");
}

fn agents_are_asked_about_the_game_of_a_person(browser: &Browser, served: &Served) {
    served.open(browser, "you");
    wait_for_forms(browser);
    choose_asked(browser, 0, "greedy");
    browser.click("#ask");
    let asked = |text: &str| {
        browser.wait_for(&format!(
            "document.getElementById('asked-position').textContent === '{text} of your game' && document.querySelector('.answers:not(.old) .answer[data-direction]')"
        ));
    };
    asked("At the start");
    browser
        .run("document.querySelector('.arrow-buttons button:not([aria-disabled=true])').click();");
    browser.wait_for("document.querySelector('[data-stat=Move]').dataset.value === '1'");
    asked("After 1 move");
    check_accessibility(browser, "your game");
}

fn games_that_are_compared_are_drawn_and_lead_to_their_replay(browser: &Browser, served: &Served) {
    served.open(browser, "compare");
    for (place, plugin) in ["greedy", "random"].into_iter().enumerate() {
        let field = format!("[data-field='agents.{place}.plugin'] select");
        browser.choose(&field, plugin);
    }
    browser.fill("[data-field=seed] input", "6");
    browser.run("const speed = document.getElementById('speed'); speed.value = speed.max; speed.dispatchEvent(new Event('input'));");
    browser.click("#run");
    wait_for_state(browser, "over");
    browser.wait_for("document.querySelectorAll('.live-course .course-line').length === 3");
    // The curves end with the figures of the boards.
    for place in 0..2 {
        let end = browser.text(&format!(".live-course .course-line b.of-{}", place + 1));
        assert_eq!(
            end.replace(',', ""),
            stat(browser, place, "Score").to_string()
        );
    }
    browser.click("[data-axis=score]");
    let names = browser.run("return [...document.querySelectorAll('.course-line .meta > :first-child')].map(name => name.textContent);");
    assert_eq!(names, json!(["Moves", "Highest tile", "Empty cells"]));
    check_accessibility(browser, "compared games");
    browser.wait_for("document.querySelector('.live-course .landmarks button')");
    let parting = browser.text(".live-course .comparison");
    let wanted = browser.number("Number(document.querySelector('.landmarks button').dataset.move)");
    browser.click(".live-course .landmarks button");
    browser.wait_for("location.hash.startsWith('#replay/greedy-vs-random-seed-6')");
    browser.wait_for(&format!(
        "document.getElementById('boards').dataset.move === '{wanted}'"
    ));
    browser.wait_for("document.querySelector('.replay .landmarks button')");
    assert_eq!(browser.text("#parting"), parting);
    // Over the score each game has a place of its own.
    browser.click("[data-axis=score]");
    assert_eq!(browser.count(".plot .cursor"), 2);
}

fn faults_of_a_run_are_shown_as_they_happen(browser: &Browser, served: &Served) {
    // The last agent is slow, so that the run goes on while the test looks at its faults.
    served.test.write(
        "faulty.yaml",
        "seeds: 1..200\ndisqualify_after: none\nagents:\n- {plugin: scripted, params: {misdeed: illegal-move, on_move: 20}}\n\
         - {plugin: scripted, name: slow, params: {burn_us: 2000}}\n",
    );
    let mut run = host()
        .current_dir(served.test.folder.path())
        .args(["run", "faulty.yaml", "--workers", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the host starts");
    wait_until("a plan", || {
        served.test.path("runs/faulty/plan.json").exists()
    });
    browser.set_width(1280);
    served.open(browser, "follow/t");
    browser.run("location.hash = 'follow/faulty/t';");
    browser.wait_for(
        "document.querySelector('.run[data-state=running] .latest-faults:not([hidden]) li')",
    );
    let first = browser.number("Number(document.querySelector('.latest-faults').dataset.count)");
    let text = browser.text(".latest-faults li");
    assert!(text.contains("scripted chose an illegal move"), "{text}");
    // The next one appears without a reload, beside the other run.
    browser.wait_for(&format!(
        "Number(document.querySelector('.latest-faults').dataset.count) > {first}"
    ));
    assert_eq!(browser.count(".run"), 2);
    check_accessibility(browser, "faults");
    run.kill().expect("the run is stopped");
    run.wait().expect("it ends");
    browser
        .wait_for("document.querySelector('.run[data-state=interrupted] .latest-faults[hidden]')");
}

/// The tables of the live page, computed here from the records.
fn how_games_end_is_told_by_the_records(browser: &Browser, served: &Served) {
    served.open(browser, "follow/t");
    // The styles of the page leave the figures of the report alone: a mean is within its whiskers.
    let is_outside = browser.run("return [...document.querySelectorAll('[data-key^=ranking] .strip')].filter(strip => { const mean = strip.querySelector('circle.mark')?.getBoundingClientRect(); const whisker = strip.querySelector('.whisker')?.getBoundingClientRect(); return mean && whisker && (mean.right < whisker.left || mean.left > whisker.right); }).length;");
    assert_eq!(is_outside, json!(0));
    browser.wait_for("document.querySelectorAll('[data-key^=ends] tbody tr').length === 3");
    // By agent, the text of each column of a table.
    let cells = |figure: &str| {
        browser.run(&format!("const table = document.querySelector('[data-key^={figure}] table'); const heads = [...table.tHead.rows[0].cells].map(head => head.textContent); return Object.fromEntries([...table.tBodies[0].rows].map(row => [row.cells[0].textContent, Object.fromEntries(heads.map((head, place) => [head, row.cells[place].textContent]))]));"))
    };
    let (ends, steps) = (cells("ends"), cells("survival"));
    for agent in ["snake", "greedy", "scripted"] {
        let records = served.records.iter().filter(|it| it.agent == agent);
        let records: Vec<&GameRecord> = records.collect();
        let reached = |tile: u64| records.iter().filter(|it| it.highest >= tile).count();
        let share = |part: usize, all: usize| percent(as_f64(part) / as_f64(all));
        let with_highest = |tile: u64| records.iter().filter(|it| it.highest == tile).count();
        let tiles = (1..=16).map(|exponent| 1_u64 << exponent);
        let usual = tiles.max_by_key(|tile| (with_highest(*tile), *tile));
        let usual = usual.expect("a tile");
        let n_usual = with_highest(usual);
        let since = |it: &GameRecord| it.n_moves - it.highest_at.expect("a new record");
        let n_soon = records.iter().filter(|it| since(it) <= 100).count();
        let expected = [
            (
                "Most often at",
                format!("{usual} ({})", share(n_usual, records.len())),
            ),
            ("Moves", median_text(records.iter().map(|it| it.n_moves))),
            (
                "Since highest",
                median_text(records.iter().map(|it| since(it))),
            ),
            (
                "Crowded",
                median_text(records.iter().filter_map(|it| it.crowded_moves)),
            ),
            ("Lost ≤ 100", share(n_soon, records.len())),
        ];
        for (head, text) in &expected {
            assert_eq!(ends[agent][head], json!(text), "{agent}: {}", ends[agent]);
        }
        let steps = steps[agent].as_object().expect("steps");
        assert!(steps.len() >= 3, "{agent}");
        for (head, text) in steps.iter().filter(|(head, _)| *head != "Agent") {
            let (from, to) = head.split_once(" → ").expect("two tiles");
            let [from, to] = [from, to].map(|tile| tile.parse::<u64>().expect("a tile"));
            let chance = match reached(from) {
                0 => "–".to_owned(),
                n_before => format!(
                    "{} ({} of {n_before})",
                    share(reached(to), n_before),
                    reached(to)
                ),
            };
            assert_eq!(*text, json!(chance), "{agent} {head}");
        }
    }
    check_accessibility(browser, "how games end");
}

/// The median of an even number of games, as the page and the report write it.
fn median_text(numbers: impl Iterator<Item = u64>) -> String {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    let middle = &numbers[numbers.len() / 2 - 1..=numbers.len() / 2];
    let median = as_f64(middle[0] + middle[1]) / 2.0;
    let has_half = (middle[0] + middle[1]) % 2 == 1 && median < 100.0;
    decimals(median, usize::from(has_half))
}

fn parameters_are_in_the_order_of_their_author(browser: &Browser, served: &Served) {
    served.open(browser, "play");
    browser.choose("[data-field='agents.0.plugin'] select", "mcts");
    let names = browser.run("return [...document.querySelectorAll('.parameters label')].map(label => label.textContent);");
    assert_eq!(
        names,
        json!(["runs", "tree", "exploration", "play_out_moves", "nodes"])
    );
}
