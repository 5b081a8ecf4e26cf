//! The page writes numbers as the host does. The examples are also those of the page's own
//! tests, in tests/page/numbers.test.js.

use std::fs;

use serde_json::Value;
use text::number_text::{amount, count, microseconds, percent, percent_with_digits};

use crate::support::repository;

#[test]
fn the_host_writes_the_numbers_of_the_shared_examples() {
    let file = repository().join("tests/fixtures/number-texts.json");
    let examples = fs::read_to_string(file).expect("the shared examples");
    let examples: Value = serde_json::from_str(&examples).expect("JSON");
    for (name, list) in examples.as_object().expect("lists of examples") {
        for example in list.as_array().expect("examples") {
            let number = example[0].as_f64().expect("a number");
            let text = match name.as_str() {
                "count" => count(example[0].as_u64().expect("a whole number")),
                "amount" => amount(number),
                "percent" => percent(number),
                "percent_with_digits" => percent_with_digits(number),
                "microseconds" => microseconds(number),
                unknown => panic!("no function for `{unknown}`"),
            };
            assert_eq!(example[1], text, "{name}({number})");
        }
    }
}
