//! The charts of the report as files of their own.

use std::{fs, process::Command};

use arena2048::text::number_text::amount;
use serde_json::{Value, json};

use crate::{
    report_page::{Run, Test, open_at},
    served_page::check_accessibility,
    support::host,
    web_driver::Browser,
};

pub(crate) const TESTS: &[(&str, Test)] = &[(
    "every_chart_is_a_figure_that_stands_alone",
    every_chart_is_a_figure_that_stands_alone,
)];

/// The figures of the page are the files of `host report --figures`, and their numbers those
/// of the JSON report.
fn every_chart_is_a_figure_that_stands_alone(browser: &Browser, run: &Run) {
    open_at(browser, &run.page, 1280);
    check_accessibility(browser, "report");
    run.test
        .host(&["report", "runs/t", "--figures", "figures"])
        .expect_code(0);
    let names = browser.run(
        "return [...document.querySelectorAll('button.save:not([hidden])')].map(button => button.dataset.name);",
    );
    let names: Vec<String> = serde_json::from_value(names).expect("names");
    assert_eq!(names.len(), 6, "{names:?}");
    let captions = fs::read_to_string(run.test.path("figures/captions.md")).expect("captions");
    for name in &names {
        let file = run.test.path(&format!("figures/{name}.svg"));
        let svg = fs::read_to_string(&file).expect("a figure");
        assert!(
            captions.contains(&format!("**{name}.svg**: ")),
            "{captions}"
        );
        assert!(!svg.contains("var(") && svg.contains("viewBox"), "{svg}");
        // The file is well-formed, and has as many marks as the chart on the page.
        let counts = browser.run(&format!(
            "const file = new DOMParser().parseFromString({}, 'image/svg+xml');\
             const count = root => ['circle.mark', 'rect.mark', 'path.curve', '.whisker'].map(kind => root.querySelectorAll(kind).length);\
             const figure = document.getElementById('{name}');\
             return [file.querySelectorAll('parsererror').length, count(file), count(figure), count(figure.querySelector('template').content)];",
            json!(svg)
        ));
        assert_eq!(counts[0], 0, "{name}");
        assert_eq!(counts[1], counts[2], "{name}");
        assert_eq!(counts[1], counts[3], "{name}");
        // Other programs draw it as well.
        let drawn = Command::new("rsvg-convert").arg(&file).output();
        assert!(drawn.is_err() || drawn.is_ok_and(|drawn| drawn.status.success()));
    }
    let without_converter = host()
        .current_dir(run.test.folder.path())
        .env("PATH", "")
        .args([
            "report",
            "runs/t",
            "--figures",
            "pdf",
            "--figure-format",
            "pdf",
        ])
        .output()
        .expect("the host starts");
    let message = String::from_utf8_lossy(&without_converter.stderr);
    assert_eq!(without_converter.status.code(), Some(1), "{message}");
    assert!(
        message.contains("apt-get install librsvg2-bin"),
        "{message}"
    );
    let ranking = fs::read_to_string(run.test.path("figures/ranking-0.svg")).expect("a figure");
    let report = run.test.host(&["report", "runs/t", "--format", "json"]);
    let report: Value = serde_json::from_str(&report.stdout).expect("JSON");
    for agent in report["agents"].as_array().expect("agents") {
        for key in ["mean", "mean_low", "mean_high"] {
            let text = amount(agent[key].as_f64().expect("a number"));
            assert!(ranking.contains(&text), "{key} {text}: {ranking}");
        }
    }
}
