//! `host serve`, and what holds for all views of its page.

use std::{collections::BTreeSet, fs};

use arena2048::{game_record::GameRecord, run_plan::RunPlan};
use serde_json::{Value, json};

use crate::{serving_host::ServingHost, support::TournamentTest, web_driver::Browser};

pub(crate) type Test = fn(&Browser, &Served);

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "every_view_fits_is_legible_and_named_and_asks_nobody_else",
        every_view_fits_is_legible_and_named_and_asks_nobody_else,
    ),
    (
        "hostile_texts_are_only_text_in_every_view",
        hostile_texts_are_only_text_in_every_view,
    ),
    (
        "a_lost_server_is_told_and_found_again",
        a_lost_server_is_told_and_found_again,
    ),
];

pub(crate) const END_KEY: char = '\u{e010}';

const VIEWS: [&str; 7] = [
    "play",
    "you",
    "compare",
    "replay/t/0",
    "replay/t/0/1",
    "follow",
    "follow/t",
];

/// Three agents, one of which commits a fault in every game.
const YAML: &str = "seeds: 1..4\ndisqualify_after: none\nagents:\n- plugin: snake\n- plugin: greedy\n\
    - plugin: scripted\n  params: {misdeed: illegal-move, on_move: 20}\n";

/// A folder with a run, and the server that shows it.
pub(crate) struct Served {
    pub(crate) test: TournamentTest,
    pub(crate) records: Vec<GameRecord>,
    server: ServingHost,
}

impl Served {
    pub(crate) fn start() -> Self {
        let test = TournamentTest::new(YAML);
        test.run(&[]).expect_code(0);
        let records = test.records();
        let server = ServingHost::start(test.folder.path(), 0, &[]);
        Self {
            test,
            records,
            server,
        }
    }

    /// Opens a view as someone who has never been here.
    pub(crate) fn open(&self, browser: &Browser, view: &str) {
        open_view(browser, &self.server.address, view);
    }
}

fn open_view(browser: &Browser, address: &str, view: &str) {
    browser.set_width(1280);
    // The page that is left remembers nothing; a blank one has no memory at all.
    browser.run("try { sessionStorage.clear(); } catch { return; }");
    browser.open_address(&format!("{address}#{view}"));
    // A view is there with its controls, or with what it lists.
    browser.wait_for(
        "document.querySelector('#run, .own .tile, .replay .tile, .runs a, #standing td')",
    );
}

/// A figure of one of the games in sight.
#[track_caller]
pub(crate) fn reading(browser: &Browser, game: usize, name: &str) -> u64 {
    browser.number(&format!(
        "Number(document.querySelectorAll('.lane')[{game}].querySelector('[data-reading=\"{name}\"]').dataset.value)"
    ))
}

/// One of the boards in sight, in words.
pub(crate) fn board(browser: &Browser, game: usize) -> String {
    let label = browser.run(&format!(
        "return document.querySelectorAll('.board')[{game}].getAttribute('aria-label');"
    ));
    label.as_str().expect("a board has a label").to_owned()
}

pub(crate) fn wait_for_state(browser: &Browser, state: &str) {
    browser.wait_for(&format!(
        "document.getElementById('stage').dataset.state === '{state}'"
    ));
}

/// One look at each view, for opening them takes longest.
fn every_view_fits_is_legible_and_named_and_asks_nobody_else(browser: &Browser, served: &Served) {
    browser.complaints();
    let mut titles = BTreeSet::new();
    for view in VIEWS {
        served.open(browser, view);
        check_names(browser, view);
        titles.insert(browser.run("return document.title;").to_string());
        let asked = browser.run(
            "return performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith(location.origin + '/'));",
        );
        assert_eq!(asked, json!([]), "{view}");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{view}");
        check_widths(browser, view);
        check_contrast(browser, view);
    }
    // One for each kind of view.
    assert_eq!(titles.len(), 5, "{titles:?}");
    // The policy holds: what is put into the page later is not obeyed.
    browser.run("const script = document.createElement('script'); script.textContent = 'window.obeyed = 1'; document.body.append(script);");
    assert_eq!(browser.number("window.obeyed === undefined ? 0 : 1"), 0);
    browser.complaints();
}

/// Every control says what it is, every label finds its field.
fn check_names(browser: &Browser, view: &str) {
    let nameless = browser.run(
        "const named = control => control.getAttribute('aria-label') || control.textContent.trim() || [...(control.labels ?? [])].some(label => label.textContent.trim());\
         return [...document.querySelectorAll('button, input, select, textarea, a, progress')].filter(control => !named(control)).map(control => control.outerHTML);",
    );
    assert_eq!(nameless, json!([]), "{view}");
    let twice = "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i).length";
    assert_eq!(browser.number(twice), 0, "{view}");
    assert_eq!(browser.count("h1"), 1, "{view}");
}

fn check_widths(browser: &Browser, view: &str) {
    browser
        .run("document.querySelectorAll('details').forEach(details => { details.open = true; });");
    if view == "compare" {
        browser.click("#add-agent");
        browser.click("#add-agent");
        assert_eq!(browser.count(".lane"), 4);
    }
    for width in [320, 360, 740, 1000] {
        browser.set_width(width);
        let widest = browser.number("document.documentElement.scrollWidth");
        assert!(
            widest <= u64::from(width),
            "{view}: {widest} at {width} pixels"
        );
        assert_eq!(crowded_readings(browser), json!([]), "{view} at {width}");
    }
}

/// The figures of long games that leave their lane or meet another figure.
fn crowded_readings(browser: &Browser) -> Value {
    browser.run(
        "for (const [name, figure] of [['Score', '1,234,567'], ['Move', '99,999'], ['Highest', '131,072']])\
           for (const place of document.querySelectorAll(`[data-reading=${name}]`)) place.firstChild.textContent = figure;\
         const extent = element => { const range = document.createRange(); range.selectNodeContents(element); return range.getBoundingClientRect(); };\
         const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom - 2 && other.top < one.bottom - 2;\
         return [...document.querySelectorAll('.lane')].flatMap(lane => {\
           const figures = [...lane.querySelectorAll('.readings dd')];\
           const right = lane.getBoundingClientRect().right + 0.5;\
           return figures.filter((figure, place) => extent(figure).right > right || figures.slice(0, place).some(other => meet(extent(figure), extent(other))));\
         }).map(figure => figure.textContent);",
    )
}

/// The contrast that the accessibility guidelines ask for, in both schemes.
fn check_contrast(browser: &Browser, view: &str) {
    let faint = "const channel = value => { const share = value / 255; return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; };\
        const light = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);\
        const parts = color => color.match(/[\\d.]+/g).map(Number);\
        const ground = element => { for (let at = element; at; at = at.parentElement) { const color = parts(getComputedStyle(at).backgroundColor); if (color.length < 4 || color[3] === 1) return color; } return [255, 255, 255]; };\
        const own = element => [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim() !== '');\
        return [...document.querySelectorAll('body *')].filter(own).filter(element => element.checkVisibility() && !element.closest(':disabled, [aria-disabled=true], .unseen, .skip, option')).map(element => {\
          const pair = [light(parts(getComputedStyle(element).color)), light(ground(element))].sort((one, other) => other - one);\
          return [(pair[0] + 0.05) / (pair[1] + 0.05), element.className + ': ' + element.textContent];\
        }).filter(([ratio]) => ratio < 4.5);";
    // A tile of each kind, in the colours of the scheme.
    browser.run("const board = document.querySelector('.board'); if (board) for (let exponent = 1; exponent < 19; exponent++) { const tile = document.createElement('span'); tile.className = 'tile e' + exponent; tile.textContent = 2 ** exponent; board.append(tile); }");
    for scheme in ["dark", "light"] {
        browser.prefer("prefers-color-scheme", scheme);
        assert_eq!(browser.run(faint), json!([]), "{view}, {scheme}");
    }
}

fn hostile_texts_are_only_text_in_every_view(browser: &Browser, served: &Served) {
    let evil = "<script>window.obeyed=1</script><img src=x onerror=window.obeyed=1>\"'><svg onload=window.obeyed=1>";
    // Agents with such names are refused by the host; what they say is not.
    let folder = served.test.path("runs/evil");
    fs::create_dir_all(&folder).expect("a folder");
    let mut plan = RunPlan::read(&served.test.path("runs/t")).expect("a plan");
    plan.tournament.name = evil.into();
    plan.write(&folder).expect("a plan");
    let mut log = String::new();
    for mut record in served.records.clone() {
        record.fault = record.fault.map(|_| evil.into());
        log += &(serde_json::to_string(&record).expect("JSON") + "\n");
    }
    fs::write(folder.join("games.jsonl"), log).expect("a log");

    browser.complaints();
    for view in ["follow", "follow/evil", "replay/evil/2", "replay/evil/2/0"] {
        served.open(browser, view);
        browser.set_width(360);
        let text = browser.text("main");
        assert!(text.contains(evil), "{view}: {text}");
        assert_eq!(browser.count("main img, main svg, main script"), 0);
        let widest = browser.number("document.documentElement.scrollWidth");
        assert!(widest <= 360, "{view}: {widest}");
    }
    assert_eq!(browser.number("window.obeyed === undefined ? 0 : 1"), 0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
    fs::remove_dir_all(&folder).expect("the folder is still there");
}

fn a_lost_server_is_told_and_found_again(browser: &Browser, served: &Served) {
    let folder = served.test.folder.path();
    let lost = ServingHost::start(folder, 0, &[]);
    let (address, port) = (lost.address.clone(), lost.port());
    open_view(browser, &address, "follow/t");
    let is_hidden = "document.getElementById('banner').hidden";
    browser.wait_for(is_hidden);
    drop(lost);
    browser.wait_for(&format!("!{is_hidden}"));
    assert!(browser.text("#banner").contains("connection"));
    let _again = ServingHost::start(folder, port, &[]);
    browser.wait_for(is_hidden);
    assert!(browser.count("#standing tbody tr") == 3);
    // The browser itself complains of a server that is gone.
    browser.complaints();
}
