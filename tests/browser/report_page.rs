//! The report page, compared with the game log.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use report::{Report, html::ReportPage};
use run::{example::figures_in, game_record::GameRecord, run_plan::RunPlan};
use serde_json::json;

use crate::{support::TournamentTest, web_driver::Browser};

pub(crate) type Test = fn(&Browser, &Run);

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "every_chart_has_the_marks_of_the_log",
        every_chart_has_the_marks_of_the_log,
    ),
    (
        "replays_end_on_the_recorded_score",
        replays_end_on_the_recorded_score,
    ),
    (
        "the_slider_follows_the_keyboard",
        the_slider_follows_the_keyboard,
    ),
    (
        "the_page_makes_no_requests_and_logs_no_errors",
        the_page_makes_no_requests_and_logs_no_errors,
    ),
    ("the_page_fits_a_phone", the_page_fits_a_phone),
    ("hostile_text_stays_text", hostile_text_stays_text),
    (
        "any_two_agents_are_compared_seed_by_seed",
        any_two_agents_are_compared_seed_by_seed,
    ),
    (
        "every_budget_has_a_section_and_every_agent_a_curve",
        every_budget_has_a_section_and_every_agent_a_curve,
    ),
];

const LEFT_KEY: char = '\u{e012}';
const HOME_KEY: char = '\u{e011}';

const N_SEEDS: usize = 8;

/// Three agents; one of them ends every game with a fault.
const YAML: &str = "seeds: 1..8\ndisqualify_after: none\nagents:\n- plugin: greedy\n- plugin: random\n\
    - plugin: scripted\n  params: {misdeed: illegal-move, on_move: 20}\n";

/// A finished tournament and the page that `host run` wrote.
pub(crate) struct Run {
    pub(crate) test: TournamentTest,
    pub(crate) page: PathBuf,
    records: Vec<GameRecord>,
}

impl Run {
    pub(crate) fn play() -> Self {
        let test = TournamentTest::new(YAML);
        test.run(&[]).expect_code(0);
        let records = test.records();
        assert_eq!(records.len(), 3 * N_SEEDS);
        let page = test.path("runs/t/report.html");
        Self {
            test,
            page,
            records,
        }
    }
}

pub(crate) fn open_at(browser: &Browser, page: &Path, width: u32) {
    browser.set_width(width);
    browser.open(page);
}

fn every_chart_has_the_marks_of_the_log(browser: &Browser, run: &Run) {
    let records = &run.records;
    open_at(browser, &run.page, 1280);
    let agents: BTreeSet<&str> = records.iter().map(|record| record.agent.as_str()).collect();
    let n_agents = agents.len();
    assert_eq!(browser.count("#ranking circle.mark"), n_agents);
    // A line and its two ends.
    assert_eq!(browser.count("#ranking .whisker"), 3 * n_agents);
    assert_eq!(browser.count("#distribution path.curve"), n_agents);
    let highest = records
        .iter()
        .map(|record| record.highest)
        .max()
        .expect("games");
    let every_game_has = |tile: u64| records.iter().all(|record| record.highest >= tile);
    let tiles = (2..=highest.ilog2()).map(|exponent| 1_u64 << exponent);
    let n_informative = tiles.filter(|tile| !every_game_has(*tile)).count();
    assert_eq!(browser.count("#tiles rect.mark"), n_agents * n_informative);
    assert_eq!(browser.count("#survival path.curve"), n_agents);
    // Of the games of the best agent that reached half the highest tile, some made it.
    let best = records.iter().find(|record| record.highest == highest);
    let best = &best.expect("games").agent;
    let reached = |tile: u64| {
        let of_best = records.iter().filter(|record| record.agent == *best);
        of_best.filter(|record| record.highest >= tile).count()
    };
    let cells = browser.run(&format!(
        "return [...document.querySelectorAll('#survival tbody tr')].find(row => row.cells[0].textContent === '{best}').lastElementChild.textContent;"
    ));
    let expected = format!("({} of {})", reached(highest), reached(highest / 2));
    let cells = cells.as_str().expect("a text");
    assert!(cells.ends_with(&expected), "{cells} {expected}");
    assert_eq!(browser.count("#ends path.curve"), n_agents);
    assert_eq!(browser.count("#empty-cells path.curve"), n_agents);
    assert_eq!(browser.count("#seeds svg circle.seed"), N_SEEDS);
    assert_eq!(browser.count("#pairs td.mark"), n_agents * (n_agents - 1));
    assert_eq!(browser.count("#times circle.mark"), n_agents);
    let n_faults = records
        .iter()
        .filter(|record| record.ending.is_fault())
        .count();
    assert_eq!(n_faults, N_SEEDS);
    // One card per agent and kind of fault.
    assert_eq!(browser.count("#faults .fault-card"), 1);
    assert_eq!(browser.count("#faults .still-board rect"), 1 + 16);
    // Best, median and worst, and neighbours where they differ most.
    let n_games = browser.count("#games tr[data-code]");
    assert!(
        (3 * n_agents + 1..=3 * n_agents + 4).contains(&n_games),
        "{n_games}"
    );
    assert_eq!(browser.count("#provenance .plugins li"), n_agents);
    // Every game is one step of the curve: one vertical line of its path.
    let steps = "document.querySelectorAll('#distribution path.curve')[0].getAttribute('d').split('V').length - 1";
    assert_eq!(browser.number(steps), N_SEEDS as u64);
}

fn replays_end_on_the_recorded_score(browser: &Browser, run: &Run) {
    let records = &run.records;
    open_at(browser, &run.page, 1280);
    let n_games = browser.count("#player-game option");
    assert!(n_games > 9, "{n_games}");
    let shown = |id: &str| {
        let text = browser.run(&format!(
            "return document.getElementById('{id}').textContent;"
        ));
        text.as_str().expect("a text").replace(',', "")
    };
    let mut best: Vec<u64> = Vec::new();
    for game in 0..n_games {
        browser.run(&format!(
            "const games = document.getElementById('player-game'); games.selectedIndex = {game};\
             games.dispatchEvent(new Event('change'));\
             document.getElementById('player-first').click();"
        ));
        assert_eq!(
            (shown("player-score"), shown("player-number")),
            ("0".into(), "0".into())
        );
        browser.run(
            "document.getElementById('player-speed').value = '1000';\
             document.getElementById('player-play').click();",
        );
        browser.wait_for("document.getElementById('player-play').textContent === 'Play'");
        let cells = browser.run(&format!(
            "return [...document.getElementById('games').tBodies[0].rows[{game}].cells].map(cell => cell.textContent);"
        ));
        let cell = |place: usize| cells[place].as_str().expect("a text").to_owned();
        let record = records
            .iter()
            .find(|record| record.agent == cell(0) && record.seed.to_string() == cell(2))
            .expect("the game is in the log");
        assert_eq!(shown("player-score"), record.score.to_string());
        assert_eq!(shown("player-number"), record.n_moves.to_string());
        assert_eq!(shown("player-highest"), record.highest.to_string());
        let verdict = browser.run("return document.getElementById('player-verdict').textContent;");
        assert!(
            verdict.to_string().contains("The score matches the record"),
            "{verdict}"
        );
        let board = browser.run(
            "return document.querySelector('#player-board .board').getAttribute('aria-label');",
        );
        assert_eq!(board, json!(board_in_words(record)));
        if cell(1) == "best" {
            best.push(record.score);
            let of_agent = records.iter().filter(|other| other.agent == record.agent);
            assert_eq!(of_agent.map(|other| other.score).max(), Some(record.score));
        }
    }
    assert_eq!(best.len(), 3);
}

/// The last board of a game, as boards are described on both pages.
pub(crate) fn board_in_words(record: &GameRecord) -> String {
    let rows: Vec<String> = record.board.iter().map(|row| row_in_words(row)).collect();
    rows.join(" / ")
}

fn row_in_words(row: &[u64]) -> String {
    let words: Vec<String> = row
        .iter()
        .map(|tile| {
            if *tile == 0 {
                ".".into()
            } else {
                tile.to_string()
            }
        })
        .collect();
    words.join(" ")
}

fn the_slider_follows_the_keyboard(browser: &Browser, run: &Run) {
    open_at(browser, &run.page, 1280);
    let number = || {
        browser.number(
            "Number(document.getElementById('player-number').textContent.replaceAll(',', ''))",
        )
    };
    let last = number();
    assert!(last > 0, "the page starts with the end of a game");
    browser.press("#player-move", LEFT_KEY);
    assert_eq!(number(), last - 1);
    browser.press("#player-move", HOME_KEY);
    assert_eq!(number(), 0);
}

fn the_page_makes_no_requests_and_logs_no_errors(browser: &Browser, run: &Run) {
    browser.log_entries();
    open_at(browser, &run.page, 1280);
    browser.wait_for("!document.getElementById('player').hidden");
    assert_eq!(
        browser.number("performance.getEntriesByType('resource').length"),
        0
    );
    assert_eq!(browser.log_entries(), Vec::<String>::new());
    // The policy is in force: a script that is added later does not run.
    browser.run("const script = document.createElement('script'); script.textContent = 'window.executed = 1'; document.body.append(script);");
    assert_eq!(browser.number("window.executed === undefined ? 0 : 1"), 0);
    // The page depends on the log alone: the same bytes every time.
    run.test
        .host(&["report", "runs/t", "--html", "again.html"])
        .expect_code(0);
    assert_eq!(
        fs::read(run.test.path("again.html")).expect("a page"),
        fs::read(&run.page).expect("a page")
    );
}

fn the_page_fits_a_phone(browser: &Browser, run: &Run) {
    for width in [360, 390, 768] {
        open_at(browser, &run.page, width);
        assert_fits(browser, width);
    }
    let overlapping = browser.run(
        "const boxes = svg => [...svg.querySelectorAll(':scope > text.tick')].map(text => text.getBoundingClientRect());\
         const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;\
         return [...document.querySelectorAll('svg')].filter(svg => {\
           const all = boxes(svg);\
           return all.some((a, i) => all.slice(i + 1).some(b => overlap(a, b)));\
         }).length;",
    );
    assert_eq!(overlapping, json!(0), "labels of an axis overlap");
}

#[track_caller]
fn assert_fits(browser: &Browser, width: u32) {
    browser
        .run("document.querySelectorAll('details').forEach(details => { details.open = true; });");
    let widest = browser.number("document.documentElement.scrollWidth");
    assert!(widest <= u64::from(width), "{widest} at {width}");
}

fn hostile_text_stays_text(browser: &Browser, run: &Run) {
    let evil = "<script>window.executed=1</script><img src=x onerror=window.executed=1>\"'><svg onload=window.executed=1>";
    // No tournament file with such a name is accepted, but the page does not rely on that.
    let mut plan = RunPlan::read(&run.test.path("runs/t")).expect("a plan");
    plan.tournament.name = evil.into();
    plan.machine.cpu = evil.into();
    plan.agents[2].name = evil.into();
    plan.agents[2].params = evil.into();
    plan.agents[2].plugin.info.author = evil.into();
    let mut records = run.records.clone();
    for record in &mut records {
        if record.agent == "scripted" {
            record.agent = evil.into();
            record.fault = Some(evil.into());
        }
    }
    let figures = figures_in(&plan, &records);
    let report = Report::new(&plan, &figures);
    let page = ReportPage::new(&report, &plan, &figures).html(&records);
    run.test.write("evil.html", &page);

    browser.log_entries();
    open_at(browser, &run.test.path("evil.html"), 390);
    assert_fits(browser, 390);
    assert_eq!(browser.number("window.executed === undefined ? 0 : 1"), 0);
    assert_eq!(browser.count("img, [onload], [onerror]"), 0);
    assert_eq!(browser.count("script"), 1);
    assert_eq!(browser.log_entries(), Vec::<String>::new());
    let heading = browser.run("return document.querySelector('h1').textContent;");
    assert_eq!(heading, json!(evil));
    let names = browser.run(
        "return [...document.querySelectorAll('#ranking .name')].map(name => name.textContent);",
    );
    assert!(
        names.as_array().expect("names").contains(&json!(evil)),
        "{names}"
    );
    assert!(browser.count("#player-game option") > 9);
}

/// The dots follow the choice, and the games that differ most are those of the log.
fn any_two_agents_are_compared_seed_by_seed(browser: &Browser, run: &Run) {
    open_at(browser, &run.page, 1280);
    let score = |agent: &str, seed: u64| {
        let mut records = run.records.iter();
        let record = records.find(|record| record.agent == agent && record.seed == seed);
        record.expect("a game").score
    };
    let (one, other) = ("scripted", "random");
    browser.choose("#seeds .chooser:first-of-type select", one);
    browser.choose("#seeds .chooser:nth-of-type(2) select", other);
    let titles = browser.run("return [...document.querySelectorAll('#seeds svg circle.seed title')].map(title => title.textContent.replaceAll(',', ''));");
    let mut n_won = 0;
    for (place, seed) in (1..=N_SEEDS as u64).enumerate() {
        let (ours, theirs) = (score(one, seed), score(other, seed));
        let title = format!("seed {seed}: {one} {ours} {other} {theirs}");
        assert_eq!(titles[place], json!(title));
        n_won += usize::from(ours >= theirs);
    }
    assert_eq!(browser.count("#seeds svg circle.won"), n_won);
    let saved =
        "document.querySelector('#seeds template').content.querySelectorAll('circle.won').length";
    assert_eq!(browser.number(saved), n_won as u64);
    assert!(browser.text("#seeds svg .of-x").contains(one));
    let most = (1..=N_SEEDS as u64).max_by_key(|seed| {
        let difference = score(one, *seed).abs_diff(score(other, *seed));
        (difference, u64::MAX - seed)
    });
    let first = browser.text("#seeds .seed-result li");
    let expected = format!("seed {}: ", most.expect("a seed"));
    assert!(first.starts_with(&expected), "{first} {expected}");
    // A game that the page replays opens in the player.
    browser.choose("#seeds .chooser:first-of-type select", "greedy");
    browser.run("document.querySelector('#seeds .seed-result li a').click();");
    let link = browser.text("#seeds .seed-result li a").replace(',', "");
    let shown = browser.text("#player-score").replace(',', "");
    assert!(link.ends_with(&format!(" {shown}")), "{link} {shown}");
}

fn every_budget_has_a_section_and_every_agent_a_curve(browser: &Browser, _: &Run) {
    let yaml = "seeds: 1..3\nbudget: [{nodes: 10}, {nodes: 100}, {nodes: 1000}]\n\
                agents: [{plugin: greedy}, {plugin: random}]\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    open_at(browser, &test.path("runs/t/report.html"), 390);
    assert_fits(browser, 390);
    assert_eq!(browser.count("#strength-chart path.curve"), 2);
    assert_eq!(browser.count("#strength-chart circle.mark"), 2 * 3);
    assert_eq!(browser.count("#strength-chart line.error"), 2 * 3);
    // Every budget is on the axis, however narrow the window.
    let labels = browser.run("return [...document.querySelectorAll('#strength-chart > .with-names > div .tick')].map(label => label.textContent);");
    assert_eq!(labels, json!(["10", "100", "1k"]));
    assert_eq!(browser.count("section[id^=result-]"), 3);
    assert!(browser.count("#games tr[data-code]") >= 2 * 3 * 3);
    let duplicates = "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i).length";
    assert_eq!(browser.number(duplicates), 0);
}
