//! How agents search, explained on the page; deterministic 2048, played by hand and solved.

use serde_json::json;

use crate::{
    served_page::{Served, Test, board, check_accessibility, stat},
    web_driver::Browser,
};

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "deterministic_2048_is_played_by_hand_and_solved",
        deterministic_2048_is_played_by_hand_and_solved,
    ),
    (
        "an_explained_board_is_typed_walked_and_stepped_through",
        an_explained_board_is_typed_walked_and_stepped_through,
    ),
    (
        "every_board_leads_to_its_explanation",
        every_board_leads_to_its_explanation,
    ),
];

fn deterministic_2048_is_played_by_hand_and_solved(browser: &Browser, served: &Served) {
    served.open(browser, "solve/2/4");
    browser.wait_for("document.querySelectorAll('.tile').length === 2");
    let order =
        "return [...document.querySelectorAll('.order span')].map(mark => mark.textContent);";
    assert_eq!(browser.run(order), json!(["", "", "3", "4"]));
    let next = "return [...document.querySelectorAll('.arrow-buttons button')].map(button => button.textContent);";
    assert_eq!(
        browser.run(next),
        json!(["↑up ", "←left 2 at b1", "↓down 2 at a1", "→right 2 at a1"])
    );
    // By key, by button, and back.
    browser.click(".board");
    browser.press(".board", 's');
    browser.wait_for("document.querySelector('[data-stat=Move]').dataset.value === '1'");
    assert_eq!(board(browser, 0), "2 . / 2 2");
    browser.click(".hand-buttons button");
    browser.wait_for("document.querySelector('[data-stat=Move]').dataset.value === '0'");

    browser.click("#solve");
    browser.wait_for(
        "document.getElementById('solve-state').textContent === 'The search is complete.'",
    );
    let moves =
        "return [...document.querySelectorAll('.solution-moves')].map(one => one.textContent);";
    assert_eq!(
        browser.run(moves),
        json!(["←", "↓ ↑", "↓ ←", "↓ ↓", "↓ →", "→"])
    );
    assert_eq!(browser.text("[data-figure=Solutions] dd"), "6");
    check_accessibility(browser, "solutions");
    // A solution is played on the board, to the goal.
    browser.click(".solutions li:nth-child(2) button");
    browser.wait_for("document.querySelector('.ending')?.textContent.includes('goal')");
    assert_eq!(
        (board(browser, 0), stat(browser, 0, "Highest")),
        ("4 2 / 2 .".to_owned(), 4)
    );
    // A mistake is said at its field.
    browser.fill("[data-field=goal] input", "6");
    browser.run("document.querySelector('[data-field=goal] input').dispatchEvent(new Event('change', {bubbles: true}));");
    browser.wait_for("document.querySelector('[data-field=goal] .error:not([hidden])')");
}

/// The node of the tree that has the focus, as its path.
fn path(browser: &Browser) -> String {
    browser.text(".path")
}

fn an_explained_board_is_typed_walked_and_stepped_through(browser: &Browser, served: &Served) {
    served.open(browser, "explain");
    browser.wait_for("document.querySelector('[data-field=\"asked.0.plugin\"]')");
    // A board as text, then a tile by key, and one from the palette.
    browser.fill("[data-field=board] input", "2 3/0 0\u{e007}");
    browser.wait_for(
        "document.querySelector('[data-field=board] .error').textContent.includes('not a tile')",
    );
    browser.fill("[data-field=board] input", "4 2/0 0\u{e007}");
    browser.wait_for("document.querySelectorAll('.board.edited .tile').length === 2");
    for key in ['\u{e015}', '\u{e014}', '1', '6'] {
        browser.press(".board.edited", key);
    }
    assert_eq!(board(browser, 0), "4 2 / . 16");
    browser.click("[data-exponent='1']");
    assert_eq!(board(browser, 0), "4 2 / . 2");
    browser.run("document.querySelector('.rules').open = true;");
    browser.choose("[data-field=tiles] select", "deterministic");
    browser.fill("[data-field=goal] input", "8");
    browser.choose("[data-field='asked.0.plugin'] select", "backtracking");
    browser.click("#explain");
    browser.wait_for("document.querySelector('[data-state=explained]')");
    // The address leads to the same explanation.
    let address = browser.run("return location.hash;");
    assert!(
        address.as_str().is_some_and(
            |hash| hash.starts_with("#explain/4,2/0,2/tiles=deterministic/goal=8/agents=")
        ),
        "{address}"
    );
    check_accessibility(browser, "a search tree");

    // The state-space tree of the paper's figure: every node has its board.
    browser
        .run("location.hash = 'explain/2,2/0,0/tiles=deterministic/goal=4/agents=backtracking';");
    browser.wait_for("document.querySelector('.method .meta')?.textContent === '9 nodes listed · 2 expanded · 6 solutions · 1 killed'");
    browser.wait_for("document.querySelectorAll('.node').length === 9");
    assert_eq!(browser.count(".node.goal"), 6);
    assert_eq!(browser.count(".node.dead"), 1);
    // By key: into the tree, down its children, fold and back.
    browser.run("document.querySelector('.tree').focus();");
    for key in ['\u{e014}', '\u{e015}', '\u{e015}', '\u{e014}'] {
        browser.press_key(key);
    }
    assert_eq!(path(browser), "start › ↓ down, 2 at a1 › ↑ up, 2 at a2");
    // The second board is that of the card at the pointer.
    assert_eq!(board(browser, 2), "4 2 / 2 .");
    browser.press_key('\u{e012}');
    browser.press_key('\u{e012}');
    browser.wait_for("document.querySelectorAll('.node').length === 5");
    // Step by step: what the search has not reached yet has no value.
    browser.run("const slider = document.querySelector('.steps input'); slider.value = 4; slider.dispatchEvent(new Event('input'));");
    browser.wait_for("document.querySelectorAll('.node.later').length === 4");
    assert_eq!(
        browser.text(".step-sentence"),
        "try ↑ up, 2 at a2: solution"
    );

    // A large tree: only what the window shows has elements.
    let large = "256,128,32,8/16,64,16,4/4,8,2,2/2,4,8,0";
    browser.run(&format!(
        "location.hash = 'explain/{large}/agents=expectimax,snake';"
    ));
    browser.wait_for("document.querySelectorAll('[data-state=explained]').length === 2");
    browser.run("document.querySelector('.tree-tools button:nth-child(5)').click();");
    browser.wait_for("document.querySelector('.tree').dataset.nodes === '2000'");
    assert!((3..400).contains(&browser.count(".node")));
    // The terms of the evaluation, and the weights of the cells.
    browser.run("const slider = document.querySelectorAll('.steps input')[1]; slider.value = 6; slider.dispatchEvent(new Event('input'));");
    browser.wait_for("document.querySelectorAll('.heat td').length === 16");
    assert!(browser.text(".terms").contains("Σ weight × tile"));
    // Up is illegal here, which is not the same as cut off.
    browser.wait_for("document.querySelectorAll('.asked-values').length === 2");
    let values = browser.run("return [...document.querySelector('.asked-values').querySelectorAll('.value')].map(value => value.textContent);");
    assert_eq!(values[0], "illegal", "{values}");
    check_accessibility(browser, "large trees");
    // A drawing is the host's.
    let kind = browser.run("return fetch(document.querySelector('.save-links a').href).then(response => response.headers.get('content-type'));");
    assert_eq!(kind, "image/svg+xml");
}

fn every_board_leads_to_its_explanation(browser: &Browser, served: &Served) {
    let record = &served.records[0];
    served.open(browser, &format!("replay/t/{}@7", record.game));
    browser.wait_for("document.getElementById('boards').dataset.move === '7'");
    let shown = board(browser, 0);
    browser.click(".explain-link");
    browser.wait_for("document.querySelector('[data-state=explained]')");
    assert_eq!(board(browser, 0), shown);
    served.open(browser, "you");
    browser.wait_for("document.querySelector('.explain-link:not([hidden])')");
    let shown = board(browser, 0);
    browser.click(".explain-link");
    browser.wait_for("document.querySelector('.explained-agent .tree')");
    assert_eq!(board(browser, 0), shown);
}
