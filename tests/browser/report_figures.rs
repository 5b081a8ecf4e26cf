//! The charts of the report as files of their own.

use std::{fs, process::Command};

use serde_json::{Value, json};
use text::number_text::{amount, microseconds};

use crate::{
    report_page::{Run, Test, open_at},
    served_page::check_accessibility,
    support::{TournamentTest, host},
    web_driver::Browser,
};

pub(crate) const TESTS: &[(&str, Test)] = &[
    (
        "the_median_is_not_beyond_the_slowest_move",
        the_median_is_not_beyond_the_slowest_move,
    ),
    (
        "every_chart_is_a_figure_that_stands_alone",
        every_chart_is_a_figure_that_stands_alone,
    ),
    (
        "other_programs_draw_the_same_figures",
        other_programs_draw_the_same_figures,
    ),
    (IN_LATEX, tables_and_figures_compile_in_latex),
    (ON_PAPER, every_section_is_printed_with_its_numbers),
];

const IN_LATEX: &str = "tables_and_figures_compile_in_latex";
const ON_PAPER: &str = "every_section_is_printed_with_its_numbers";

/// The program that a test needs and this machine does not have.
pub(crate) fn missing_for(test: &str) -> Option<String> {
    let needed: &[(&str, &str)] = match test {
        "other_programs_draw_the_same_figures" => &[("rsvg-convert", "librsvg2-bin")],
        IN_LATEX => &[
            ("rsvg-convert", "librsvg2-bin"),
            ("pdflatex", "texlive-latex-recommended"),
        ],
        ON_PAPER => &[("pdftotext", "poppler-utils")],
        _ => &[],
    };
    let is_missing = |program: &str| Command::new(program).arg("--version").output().is_err();
    let missing = needed.iter().find(|(program, _)| is_missing(program))?;
    let (program, package) = missing;
    Some(format!("{program} is missing; `apt-get install {package}`"))
}

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
    assert_eq!(names.len(), 9, "{names:?}");
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
             const count = root => ['circle.mark', 'rect.mark', 'path.curve', '.whisker', 'circle.spot', 'circle.seed.won'].map(kind => root.querySelectorAll(kind).length);\
             const figure = document.getElementById('{name}');\
             return [file.querySelectorAll('parsererror').length, count(file), count(figure), count(figure.querySelector('template').content)];",
            json!(svg)
        ));
        assert_eq!(counts[0], 0, "{name}");
        assert_eq!(counts[1], counts[2], "{name}");
        assert_eq!(counts[1], counts[3], "{name}");
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
    let ranking = fs::read_to_string(run.test.path("figures/ranking.svg")).expect("a figure");
    let report = run.test.host(&["report", "runs/t", "--format", "json"]);
    let report: Value = serde_json::from_str(&report.stdout).expect("JSON");
    let survival = fs::read_to_string(run.test.path("figures/survival.svg")).expect("a figure");
    assert_points(&report, &survival);
    for agent in report["agents"].as_array().expect("agents") {
        for key in ["mean", "mean_low", "mean_high"] {
            let text = amount(agent[key].as_f64().expect("a number"));
            assert!(ranking.contains(&text), "{key} {text}: {ranking}");
        }
    }
}

/// The bucket of an agent that keeps to 200 µs ends at 208 µs.
fn the_median_is_not_beyond_the_slowest_move(browser: &Browser, _: &Run) {
    let test = TournamentTest::new("seeds: 1..1\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let log = fs::read_to_string(test.path("runs/t/games.jsonl")).expect("a log");
    let mut record: Value = serde_json::from_str(log.trim_end()).expect("one record");
    let fields = record.as_object_mut().expect("an object");
    // Without its last two fields, one of them a checksum, it is a record of version 1.0.
    for field in ["host", "check"] {
        fields.remove(field);
    }
    let n_moves = fields["n_moves"].clone();
    fields.insert("cpu_us_histogram".to_owned(), json!({"208": n_moves}));
    let times = json!({"p50": 200.3, "p99": 200.7, "max": 200.8});
    fields.insert("move_us".to_owned(), times);
    test.write("runs/t/games.jsonl", &format!("{record}\n"));
    test.host(&["report", "runs/t", "--html", "median.html"])
        .expect_code(0);
    open_at(browser, &test.path("median.html"), 1280);
    let centre = |mark: &str| {
        browser.number(&format!(
            "(box => Math.round(100 * (box.left + box.right)))(document.querySelector('#times circle.{mark}').getBoundingClientRect())"
        ))
    };
    let [median, slowest] = ["mark", "slowest"].map(centre);
    assert!(median <= slowest, "{median} {slowest}");
}

/// A point of the chart of tiles is as high as the JSON report says.
fn assert_points(report: &Value, svg: &str) {
    let agents = report["agents"].as_array().expect("agents");
    let rates = agents.iter().flat_map(|agent| {
        let rates = agent["ends"]["next_tile"].as_object().expect("rates");
        rates
            .values()
            .map(|rate| rate["rate"].as_f64().expect("a rate"))
    });
    let mut n_points = 0;
    for rate in rates {
        // From 224 pixels for 0 to 24 pixels for 1.
        let y = format!("{:.2}", 224.0 - 200.0 * rate);
        let y = y.trim_end_matches('0').trim_end_matches('.');
        assert!(svg.contains(&format!("cy=\"{y}\"")), "{rate} {y}: {svg}");
        n_points += 1;
    }
    assert!(n_points >= 5, "{n_points}");
}

/// `rsvg-convert` draws each figure as the browser does: the pictures, made coarse, differ little.
fn other_programs_draw_the_same_figures(browser: &Browser, run: &Run) {
    let report = |options: &[&str]| {
        let arguments = [&["report", "runs/t", "--figures"], options].concat();
        run.test.host(&arguments).expect_code(0);
    };
    report(&["svg-figures"]);
    report(&["png-figures", "--figure-format", "png"]);
    run.test
        .write("blank.html", "<!doctype html><title>blank</title>");
    open_at(browser, &run.test.path("blank.html"), 1280);
    for name in [
        "ranking",
        "distribution",
        "survival",
        "ends",
        "seeds",
        "pairs",
    ] {
        let svg = fs::read_to_string(run.test.path(&format!("svg-figures/{name}.svg")));
        let png = fs::read(run.test.path(&format!("png-figures/{name}.png"))).expect("a picture");
        let difference = browser.run(&format!(
            "const [columns, rows, block] = [72, 40, 10];\
             const load = source => new Promise((done, fail) => {{\
               const image = new Image(); image.onload = () => done(image); image.onerror = fail; image.src = source; }});\
             const colour = image => {{\
               const canvas = document.createElement('canvas');\
               [canvas.width, canvas.height] = [columns * block, rows * block];\
               const context = canvas.getContext('2d'); context.imageSmoothingQuality = 'high';\
               context.drawImage(image, 0, 0, canvas.width, canvas.height);\
               const data = context.getImageData(0, 0, canvas.width, canvas.height).data;\
               const sums = new Float64Array(columns * rows);\
               for (let i = 0; i < data.length; i += 4) {{\
                 const [x, y] = [i / 4 % canvas.width, Math.floor(i / 4 / canvas.width)];\
                 const [red, green, blue] = [data[i], data[i + 1], data[i + 2]];\
                 sums[Math.floor(y / block) * columns + Math.floor(x / block)]\
                   += Math.max(red, green, blue) - Math.min(red, green, blue); }}\
               return sums; }};\
             const svg = URL.createObjectURL(new Blob([{}], {{type: 'image/svg+xml'}}));\
             const png = URL.createObjectURL(new Blob([new Uint8Array({})], {{type: 'image/png'}}));\
             return Promise.all([load(svg), load(png)]).then(([a, b]) => {{\
               const [ours, theirs] = [colour(a), colour(b)];\
               const ink = ours.reduce((sum, value) => sum + value, 0);\
               const all = ours.reduce((sum, value, i) => sum + Math.abs(value - theirs[i]), 0);\
               return [Math.round(1000 * all / Math.max(ink, 1)), Math.round(a.width * 300 / 96) - b.width]; }});",
            json!(svg.expect("a figure")),
            json!(png)
        ));
        // Marks are coloured; letters, which have another font, are not. A picture without its
        // marks would differ by all of its colour.
        let per_mille = difference[0].as_u64().expect("a number");
        assert!(
            per_mille < 350,
            "{name}: {per_mille} per mille of the colour"
        );
        assert_eq!(difference[1], 0, "{name}: 300 pixels per inch");
    }
    // In a column of print: text of 8 points, and a size on paper.
    report(&["column", "--figure-width", "88mm"]);
    let ranking = fs::read_to_string(run.test.path("column/ranking.svg")).expect("a figure");
    assert!(ranking.contains("width=\"88mm\""), "{ranking}");
    report(&["column", "--figure-width", "88mm", "--figure-format", "png"]);
    let png = fs::read(run.test.path("column/ranking.png")).expect("a picture");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(&png[37..41], b"pHYs");
    assert_eq!(number(41), 11_811);
    let millimetres = f64::from(number(16)) / 11.811;
    assert!((millimetres - 88.0).abs() < 0.2, "{millimetres}");
}

fn tables_and_figures_compile_in_latex(_: &Browser, run: &Run) {
    let test = &run.test;
    test.host(&[
        "report",
        "runs/t",
        "--figures",
        "tex",
        "--figure-format",
        "pdf",
    ])
    .expect_code(0);
    let tables = test.host(&["report", "runs/t", "--format", "latex"]);
    test.write("tex/tables.tex", &tables.expect_code(0).stdout);
    let captions = fs::read_to_string(test.path("tex/captions.md")).expect("captions");
    let files = captions
        .lines()
        .filter_map(|line| line.strip_prefix("**")?.split("**").next());
    let figures: Vec<String> = files
        .map(|file| format!("\\noindent\\includegraphics[width=\\linewidth]{{{file}}}\n"))
        .collect();
    let figures = figures.join("\n");
    assert_eq!(figures.matches("includegraphics").count(), 9, "{captions}");
    let document = format!(
        "\\documentclass{{article}}\\usepackage{{booktabs,graphicx}}\n\
         \\begin{{document}}\n\\input{{tables}}\n{figures}\\end{{document}}\n"
    );
    test.write("tex/paper.tex", &document);
    let compiled = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "paper"])
        .current_dir(test.path("tex"))
        .output()
        .expect("pdflatex starts");
    let log = String::from_utf8_lossy(&compiled.stdout);
    assert!(compiled.status.success(), "{log}");
    assert!(
        !log.contains("Overfull"),
        "a table is wider than the page: {log}"
    );
}

/// The ranking is on the first page, every section starts a page, and what is folded on the
/// screen is there.
fn every_section_is_printed_with_its_numbers(browser: &Browser, run: &Run) {
    open_at(browser, &run.page, 1280);
    run.test.write("printed.txt", &browser.print());
    let text = Command::new("sh")
        .args(["-c", "base64 -d printed.txt | pdftotext -layout - -"])
        .current_dir(run.test.folder.path())
        .output()
        .expect("pdftotext starts");
    let text = String::from_utf8(text.stdout).expect("a text");
    let pages: Vec<&str> = text.split('\u{c}').collect();
    let report = run.test.host(&["report", "runs/t", "--format", "json"]);
    let report: Value = serde_json::from_str(&report.stdout).expect("JSON");
    for agent in report["agents"].as_array().expect("agents") {
        let mean = amount(agent["mean"].as_f64().expect("a number"));
        assert!(pages[0].contains(&mean), "{mean}: {}", pages[0]);
        // These are in tables that the screen shows on request.
        for key in ["move_us_p99", "move_us_max"] {
            let time = microseconds(agent[key].as_f64().expect("a number"));
            assert!(text.contains(&time), "{key} {time}: {text}");
        }
    }
    let headings = browser.run("return [...document.querySelectorAll('body > section, main > section')].slice(1).map(section => section.querySelector('h2').textContent);");
    let headings: Vec<String> = serde_json::from_value(headings).expect("headings");
    assert!(headings.len() >= 3, "{headings:?}");
    for heading in headings {
        let mut starts = pages.iter().map(|page| page.trim_start());
        let is_first = starts.any(|start| start.starts_with(&heading));
        assert!(is_first, "{heading}: {text}");
    }
}
