//! Properties of all views of the page of `host serve`.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    path::Path,
};

use run::{game_record::GameRecord, run_plan::RunPlan};
use serde_json::{Value, json};

use crate::{
    support::{TournamentTest, serving_host::ServingHost, write_records},
    web_driver::Browser,
};

pub(crate) type Test = fn(&Browser, &Served);

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "every_served_view_fits_is_legible_labelled_and_self_contained",
        every_served_view_fits_is_legible_labelled_and_self_contained,
    ),
    (
        "markup_in_texts_is_shown_as_text_in_every_served_view",
        markup_in_texts_is_shown_as_text_in_every_served_view,
    ),
    (
        "a_lost_connection_is_shown_and_restored",
        a_lost_connection_is_shown_and_restored,
    ),
    (
        "uncaught_errors_of_the_served_page_are_found",
        uncaught_errors_of_the_served_page_are_found,
    ),
];

pub(crate) const END_KEY: char = '\u{e010}';

const VIEWS: [&str; 10] = [
    "home",
    "play",
    "you",
    "compare",
    "replay/t/0",
    "replay/t/0/1",
    "follow",
    "follow/t",
    "explain/2,2/0,0/tiles=deterministic/goal=4/agents=backtracking",
    "solve/2/8",
];

/// Three agents, one of which commits a fault in every game.
const YAML: &str = "seeds: 1..4\nthoughts: 10MB\ndisqualify_after: none\nagents:\n- plugin: snake\n- plugin: greedy\n\
    - plugin: scripted\n  params: {misdeed: illegal-move, on_move: 20}\n";

/// A folder with a run, and the server of that folder.
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

    pub(crate) fn pid(&self) -> u32 {
        self.server.pid()
    }

    /// Opens a view without remembered settings.
    pub(crate) fn open(&self, browser: &Browser, view: &str) {
        open_view(browser, &self.server.address, view);
    }
}

pub(crate) fn open_view(browser: &Browser, address: &str, view: &str) {
    browser.set_width(1280);
    // A blank page has no storage.
    browser.run("try { sessionStorage.clear(); } catch { return; }");
    browser.open_address(&format!("{address}#{view}"));
    // A view is ready when it shows its controls or its list.
    browser.wait_for(
        "document.querySelector('#run, .home .tile, .own .tile, .replay .tile, .edited .tile, .runs a, [data-key^=ranking] td')",
    );
}

/// A figure of one of the games.
#[track_caller]
pub(crate) fn stat(browser: &Browser, game: usize, name: &str) -> u64 {
    browser.number(&format!(
        "Number(document.querySelectorAll('.game')[{game}].querySelector('[data-stat=\"{name}\"]').dataset.value)"
    ))
}

/// The text of one of the boards.
pub(crate) fn board(browser: &Browser, game: usize) -> String {
    let label = browser.run(&format!(
        "return document.querySelectorAll('.board')[{game}].getAttribute('aria-label');"
    ));
    label.as_str().expect("a board has a label").to_owned()
}

pub(crate) fn wait_for_state(browser: &Browser, state: &str) {
    browser.wait_for(&format!(
        "document.getElementById('boards').dataset.state === '{state}'"
    ));
}

/// All checks of a view in one test, because opening the views takes longest.
fn every_served_view_fits_is_legible_labelled_and_self_contained(
    browser: &Browser,
    served: &Served,
) {
    browser.log_entries();
    let mut titles = BTreeSet::new();
    for view in VIEWS {
        served.open(browser, view);
        check_labels(browser, view);
        titles.insert(browser.run("return document.title;").to_string());
        // The document is not among its resources; streams stay open and are.
        let n_requests = browser.number("performance.getEntriesByType('resource').length") + 1;
        assert!(n_requests <= 15, "{view}: {n_requests} requests");
        let requested = browser.run(
            "return performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith(location.origin + '/'));",
        );
        assert_eq!(requested, json!([]), "{view}");
        assert_eq!(browser.log_entries(), Vec::<String>::new(), "{view}");
        check_accessibility(browser, view);
        check_widths(browser, view);
        check_contrast(browser, view);
    }
    // One title per kind of view.
    assert_eq!(titles.len(), 8, "{titles:?}");
    // The content security policy blocks scripts that are added later.
    browser.run("const script = document.createElement('script'); script.textContent = 'window.executed = 1'; document.body.append(script);");
    assert_eq!(browser.number("window.executed === undefined ? 0 : 1"), 0);
    browser.log_entries();
}

/// Every control has a name, and identifiers are unique.
fn check_labels(browser: &Browser, view: &str) {
    let nameless = browser.run(
        "const named = control => control.getAttribute('aria-label') || control.textContent.trim() || [...(control.labels ?? [])].some(label => label.textContent.trim());\
         return [...document.querySelectorAll('button, input, select, textarea, a, progress')].filter(control => !named(control)).map(control => control.outerHTML);",
    );
    assert_eq!(nameless, json!([]), "{view}");
    let twice = "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i).length";
    assert_eq!(browser.number(twice), 0, "{view}");
    assert_eq!(browser.count("h1"), 1, "{view}");
}

/// The rules of axe-core, in both colour schemes. npm installs it; see `tests/page`.
pub(crate) fn check_accessibility(browser: &Browser, view: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/page/node_modules");
    let Ok(axe) = fs::read_to_string(folder.join("axe-core/axe.min.js")) else {
        let hint = "not checked with axe-core; run `npm ci --prefix tests/page`";
        let _ = writeln!(io::stderr(), "{view}: {hint}");
        return;
    };
    browser.run(&axe);
    for scheme in ["dark", "light"] {
        browser.prefer("prefers-color-scheme", scheme);
        let violations = browser.run(
            "return axe.run().then(({violations}) => violations.map(({id, nodes}) => id + ': ' + nodes.map(node => node.html).slice(0, 3).join(' ')));",
        );
        assert_eq!(violations, json!([]), "{view}, {scheme}");
    }
}

fn check_widths(browser: &Browser, view: &str) {
    browser
        .run("document.querySelectorAll('details').forEach(details => { details.open = true; });");
    if view == "compare" {
        browser.click("#add-agent");
        browser.click("#add-agent");
        assert_eq!(browser.count(".game"), 4);
    }
    for width in [320, 360, 740, 1000] {
        browser.set_width(width);
        let widest = browser.number("document.documentElement.scrollWidth");
        assert!(
            widest <= u64::from(width),
            "{view}: {widest} at {width} pixels"
        );
        assert_eq!(crowded_stats(browser), json!([]), "{view} at {width}");
        assert_eq!(broken_names(browser), json!([]), "{view} at {width}");
    }
    // The longest names do not make the page wider than a phone.
    browser.run("for (const name of document.querySelectorAll('.name')) name.textContent = 'n'.repeat(100);");
    browser.set_width(360);
    let widest = browser.number("document.documentElement.scrollWidth");
    assert!(widest <= 360, "{view}: {widest} with long names");
}

/// The names of agents above their boards that take more than one line.
fn broken_names(browser: &Browser) -> Value {
    browser.run(
        "return [...document.querySelectorAll('.game h2')].filter(name => {\
           const range = document.createRange(); range.selectNodeContents(name.firstChild);\
           return new Set([...range.getClientRects()].map(line => line.top)).size > 1;\
         }).map(name => name.textContent);",
    )
}

/// The figures of long games that overflow their column or overlap.
fn crowded_stats(browser: &Browser) -> Value {
    browser.run(
        "for (const [name, figure] of [['Score', '1,234,567'], ['Move', '99,999'], ['Highest', '131,072']])\
           for (const place of document.querySelectorAll(`[data-stat=${name}]`)) place.firstChild.textContent = figure;\
         const extent = element => { const range = document.createRange(); range.selectNodeContents(element); return range.getBoundingClientRect(); };\
         const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom - 2 && other.top < one.bottom - 2;\
         return [...document.querySelectorAll('.game')].flatMap(game => {\
           const figures = [...game.querySelectorAll('.stats dd')];\
           const right = game.getBoundingClientRect().right + 0.5;\
           return figures.filter((figure, place) => extent(figure).right > right || figures.slice(0, place).some(other => meet(extent(figure), extent(other))));\
         }).map(figure => figure.textContent);",
    )
}

/// The contrast that WCAG requires, in both colour schemes.
fn check_contrast(browser: &Browser, view: &str) {
    let faint = "const channel = value => { const share = value / 255; return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; };\
        const light = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);\
        const parts = color => color.match(/[\\d.]+/g).map(Number);\
        const ground = element => { for (let at = element; at; at = at.parentElement) { const color = parts(getComputedStyle(at).backgroundColor); if (color.length < 4 || color[3] === 1) return color; } return [255, 255, 255]; };\
        const own = element => [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim() !== '');\
        return [...document.querySelectorAll('body *')].filter(own).filter(element => element.checkVisibility() && !element.closest(':disabled, [aria-disabled=true], .visually-hidden, .skip, option')).map(element => {\
          const pair = [light(parts(getComputedStyle(element).color)), light(ground(element))].sort((one, other) => other - one);\
          return [(pair[0] + 0.05) / (pair[1] + 0.05), element.className + ': ' + element.textContent];\
        }).filter(([ratio]) => ratio < 4.5);";
    // One tile of each colour.
    browser.run("const board = document.querySelector('.board'); if (board) for (let exponent = 1; exponent < 19; exponent++) { const tile = document.createElement('span'); tile.className = 'tile e' + exponent; tile.textContent = 2 ** exponent; board.append(tile); }");
    for scheme in ["dark", "light"] {
        browser.prefer("prefers-color-scheme", scheme);
        assert_eq!(browser.run(faint), json!([]), "{view}, {scheme}");
    }
}

fn markup_in_texts_is_shown_as_text_in_every_served_view(browser: &Browser, served: &Served) {
    let evil = "<script>window.executed=1</script><img src=x onerror=window.executed=1>\"'><svg onload=window.executed=1>";
    // The host rejects agents with such names, but not such messages.
    let folder = served.test.path("runs/evil");
    fs::create_dir_all(&folder).expect("a folder");
    let mut plan = RunPlan::read(&served.test.path("runs/t")).expect("a plan");
    plan.tournament.name = "evil".into();
    plan.write(&folder).expect("a plan");
    let mut records = served.records.clone();
    for record in &mut records {
        record.fault = record.fault.as_ref().map(|_| evil.into());
    }
    write_records(&folder.join("games.jsonl"), &records);

    browser.log_entries();
    for view in ["follow", "follow/evil", "replay/evil/2", "replay/evil/2/0"] {
        served.open(browser, view);
        browser.set_width(360);
        if view.starts_with("replay") {
            // A replay shows how the game ended after its last move.
            browser.click("#last");
            browser.wait_for("[...document.querySelectorAll('[data-replay-end]')].every(end => end.textContent !== '')");
        }
        let text = browser.text("main");
        // The list of runs shows no messages.
        assert!(view == "follow" || text.contains(evil), "{view}: {text}");
        let markup =
            "main img, main script, main [onload], main svg:not(.run-ranking svg, .course svg)";
        assert_eq!(browser.count(markup), 0);
        let widest = browser.number("document.documentElement.scrollWidth");
        assert!(widest <= 360, "{view}: {widest}");
    }
    assert_eq!(browser.number("window.executed === undefined ? 0 : 1"), 0);
    assert_eq!(browser.log_entries(), Vec::<String>::new());
    fs::remove_dir_all(&folder).expect("the folder is still there");
}

fn a_lost_connection_is_shown_and_restored(browser: &Browser, served: &Served) {
    let folder = served.test.folder.path();
    let lost = ServingHost::start(folder, 0, &[]);
    let (address, port) = (lost.address.clone(), lost.port());
    open_view(browser, &address, "follow/t");
    let is_hidden = "document.getElementById('banner').hidden";
    browser.wait_for(is_hidden);
    drop(lost);
    browser.wait_for(&format!("!{is_hidden}"));
    assert!(browser.text("#banner").starts_with("Connection"));
    let _again = ServingHost::start(folder, port, &[]);
    browser.wait_for(is_hidden);
    assert_eq!(browser.count("[data-key^=ranking] tbody tr"), 3);
    // The browser itself logs the lost connection.
    browser.log_entries();
}

/// Every test ends with a check for uncaught errors; this one shows that the check can fail.
fn uncaught_errors_of_the_served_page_are_found(browser: &Browser, served: &Served) {
    served.open(browser, "you");
    browser.run("setTimeout(() => { throw new Error('thrown'); });");
    browser.run("setTimeout(() => { Promise.reject(new Error('rejected')); });");
    browser.run("return new Promise(done => setTimeout(done, 200));");
    // The log is kept when the page is left.
    served.open(browser, "follow");
    let errors = browser.take_uncaught_errors();
    let has = |text: &str| errors.iter().any(|error| error.contains(text));
    assert!(has("thrown") && has("rejected"), "{errors:?}");
}
