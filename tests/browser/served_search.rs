//! Deterministic 2048 on the page: played by hand and solved.

use serde_json::json;

use crate::{
    served_page::{Served, Test, board, check_accessibility, stat},
    web_driver::Browser,
};

pub(crate) const TESTS: &[(&str, Test)] = &[(
    "deterministic_2048_is_played_by_hand_and_solved",
    deterministic_2048_is_played_by_hand_and_solved,
)];

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
