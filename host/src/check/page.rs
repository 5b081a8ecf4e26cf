//! What was found, as a page: claim by claim for one plugin, a row each for several.

use serde_json::{Value, json};
use tabled::{
    builder::Builder,
    settings::{Padding, Style, object::Columns, style::HorizontalLine, width::Width},
};

use super::{Finding, Outcome, PluginCheck};
use crate::printable::printable;

/// The checks of all plugins that were asked for.
#[derive(Debug)]
pub struct Page<'a>(pub &'a [PluginCheck]);

impl Page<'_> {
    /// For a terminal of this width; without one nothing is wrapped.
    #[must_use]
    pub fn to_text(&self, width: Option<usize>) -> String {
        match self.0 {
            [check] => one_plugin(check, width),
            checks => several_plugins(checks, width),
        }
    }

    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut builder = Builder::default();
        match self.0 {
            [check] => {
                builder.push_record(["Claim", "Outcome", "Detail"]);
                for finding in &check.findings {
                    builder.push_record([
                        escaped(finding.sentence),
                        finding.verdict.outcome.name().to_owned(),
                        escaped(&finding.verdict.detail),
                    ]);
                }
            }
            checks => {
                for row in rows(checks) {
                    builder.push_record(row.iter().map(|cell| escaped(cell)));
                }
            }
        }
        format!("{}\n", builder.build().with(Style::markdown()))
    }

    #[must_use]
    pub fn to_json(&self) -> Value {
        let plugins: Vec<Value> = self.0.iter().map(plugin_json).collect();
        json!({ "plugins": plugins })
    }

    /// One line a claim and plugin.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", plain(text).replace('"', "\"\""));
        let mut text = "plugin,path,claim,outcome,detail\n".to_owned();
        for check in self.0 {
            for finding in &check.findings {
                let cells = [
                    quoted(&check.name),
                    quoted(&check.path.display().to_string()),
                    finding.id.to_owned(),
                    finding.verdict.outcome.name().to_owned(),
                    quoted(&finding.verdict.detail),
                ];
                text.push_str(&cells.join(","));
                text.push('\n');
            }
        }
        text
    }
}

fn plugin_json(check: &PluginCheck) -> Value {
    let claims: Vec<Value> = check
        .findings
        .iter()
        .map(|finding| {
            json!({
                "id": finding.id,
                "sentence": finding.sentence,
                "outcome": finding.verdict.outcome,
                "detail": finding.verdict.detail,
            })
        })
        .collect();
    let count = |outcome| check.with(outcome).count();
    json!({
        "plugin": check.name,
        "path": check.path,
        "version": check.said.as_ref().map(|(info, _)| &info.version),
        "author": check.said.as_ref().map(|(info, _)| &info.author),
        "abi": check.said.as_ref().map(|(_, abi)| abi),
        "passed": count(Outcome::Passed),
        "failed": count(Outcome::Failed),
        "warned": count(Outcome::Warned),
        "skipped": count(Outcome::Skipped),
        "claims": claims,
    })
}

fn one_plugin(check: &PluginCheck, width: Option<usize>) -> String {
    let mut builder = Builder::default();
    builder.push_record(["", "Claim", "Detail"]);
    for finding in &check.findings {
        builder.push_record([
            finding.verdict.outcome.name().to_owned(),
            finding.sentence.to_owned(),
            plain(&finding.verdict.detail),
        ]);
    }
    let table = laid_out(builder, width);
    format!(
        "{} ({})\n\n{table}\n{}\n",
        check.name,
        check.path.display(),
        summary(check)
    )
}

fn several_plugins(checks: &[PluginCheck], width: Option<usize>) -> String {
    let mut builder = Builder::default();
    for row in rows(checks) {
        builder.push_record(row.iter().map(|cell| plain(cell)));
    }
    laid_out(builder, width)
}

/// The header and a row for every plugin.
fn rows(checks: &[PluginCheck]) -> Vec<Vec<String>> {
    let header = [
        "Plugin",
        "Version",
        "Author",
        "Passed",
        "Warned",
        "Failed",
        "What is wrong",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(checks.iter().map(|check| {
        let said = |part: fn(&plugin_api::PluginInfo) -> &String| {
            check
                .said
                .as_ref()
                .map_or_else(String::new, |(info, _)| part(info).clone())
        };
        let count = |outcome| check.with(outcome).count().to_string();
        vec![
            check.name.clone(),
            said(|info| &info.version),
            said(|info| &info.author),
            count(Outcome::Passed),
            count(Outcome::Warned),
            count(Outcome::Failed),
            complaints(check),
        ]
    }));
    rows
}

/// The failures, or else the warnings.
fn complaints(check: &PluginCheck) -> String {
    let about = |finding: &Finding| {
        format!(
            "not true that {}: {}",
            finding.sentence, finding.verdict.detail
        )
    };
    let failed: Vec<String> = check.with(Outcome::Failed).map(about).collect();
    if failed.is_empty() {
        let warned = check.with(Outcome::Warned);
        let warnings: Vec<&str> = warned
            .map(|finding| finding.verdict.detail.as_str())
            .collect();
        return warnings.join("; ");
    }
    failed.join("; ")
}

fn summary(check: &PluginCheck) -> String {
    let parts: Vec<String> = [
        Outcome::Passed,
        Outcome::Warned,
        Outcome::Failed,
        Outcome::Skipped,
    ]
    .into_iter()
    .map(|outcome| (outcome, check.with(outcome).count()))
    .filter(|&(_, count)| count > 0)
    .map(|(outcome, count)| format!("{count} {}", outcome.name()))
    .collect();
    parts.join(", ")
}

fn laid_out(builder: Builder, width: Option<usize>) -> String {
    let mut table = builder.build();
    table.with(Style::empty().horizontals([(1, HorizontalLine::new('─'))]));
    table.modify(Columns::new(..), Padding::new(0, 2, 0, 0));
    if let Some(width) = width {
        table.with(
            Width::wrap(width)
                .keep_words(true)
                .priority(tabled::settings::peaker::Priority::max(true)),
        );
    }
    table
        .to_string()
        .lines()
        .map(str::trim_end)
        .fold(String::new(), |text, line| text + line + "\n")
}

/// For a cell of a Markdown table: nothing that a plugin says changes the page.
fn escaped(text: &str) -> String {
    plain(text).replace('|', "\\|").replace('<', "&lt;")
}

/// What a plugin says may be long and hostile.
fn plain(text: &str) -> String {
    const LONGEST: usize = 400;
    printable(text, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Verdict;

    fn check(name: &str, verdicts: &[Verdict]) -> PluginCheck {
        let finding = |verdict: &Verdict| Finding {
            id: "x",
            sentence: "it plays",
            verdict: verdict.clone(),
        };
        PluginCheck {
            name: name.to_owned(),
            path: format!("lib{name}.so").into(),
            said: None,
            findings: verdicts.iter().map(finding).collect(),
        }
    }

    #[test]
    fn several_plugins_have_a_row_each_with_what_is_wrong() {
        let checks = [
            check("anna", &[Verdict::passed("")]),
            check(
                "bert",
                &[Verdict::failed("crashed: a | b"), Verdict::warned("hums")],
            ),
        ];
        insta::assert_snapshot!(Page(&checks).to_markdown(), @r"
        | Plugin | Version | Author | Passed | Warned | Failed | What is wrong                           |
        |--------|---------|--------|--------|--------|--------|-----------------------------------------|
        | anna   |         |        | 1      | 0      | 0      |                                         |
        | bert   |         |        | 0      | 1      | 1      | not true that it plays: crashed: a \| b |
        ");
        let json = Page(&checks).to_json();
        assert_eq!(json["plugins"][1]["failed"], 1);
        assert_eq!(json["plugins"][1]["claims"][1]["outcome"], "warned");
    }

    #[test]
    fn what_a_plugin_says_cannot_change_the_page() {
        assert_eq!(escaped("a|b\n<b>"), "a\\|b &lt;b>");
        assert_eq!(plain("\u{1b}[2Jgone"), " [2Jgone");
    }

    #[test]
    fn one_plugin_is_shown_claim_by_claim() {
        let checks = [check(
            "anna",
            &[Verdict::passed(""), Verdict::warned("hums")],
        )];
        insta::assert_snapshot!(Page(&checks).to_text(None), @r"
        anna (libanna.so)

                Claim     Detail
        ──────────────────────────
        passed  it plays
        warned  it plays  hums

        1 passed, 1 warned
        ");
    }
}
