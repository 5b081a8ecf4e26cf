//! The result of a check for people and programs: claim by claim for one plugin, one
//! row per plugin for several.

use serde_json::{Value, json};
use tabled::{
    builder::Builder,
    settings::{Padding, Style, object::Columns, style::HorizontalLine, width::Width},
};

use super::{ClaimOutcome, PluginCheck};
use crate::text::{csv_table::csv_text, escape::markdown, printable::printable};

/// The checks of all given plugins.
#[derive(Debug)]
pub struct CheckReport<'a>(pub &'a [PluginCheck]);

impl CheckReport<'_> {
    /// As text for a terminal of this width; without a width nothing is wrapped.
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

    /// As CSV, one row per plugin and claim.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let header = ["plugin", "path", "claim", "outcome", "detail"];
        let records = self.0.iter().flat_map(|check| {
            check.findings.iter().map(|finding| {
                [
                    plain(&check.name),
                    plain(&check.path.display().to_string()),
                    finding.id.to_owned(),
                    finding.verdict.outcome.name().to_owned(),
                    plain(&finding.verdict.detail),
                ]
            })
        });
        csv_text(header.map(str::to_owned), records)
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
    let count = |outcome| check.with_outcome(outcome).count();
    json!({
        "plugin": check.name,
        "path": check.path,
        "version": check.description.as_ref().map(|(info, _)| &info.version),
        "author": check.description.as_ref().map(|(info, _)| &info.author),
        "abi": check.description.as_ref().map(|(_, abi)| abi),
        "passed": count(ClaimOutcome::Passed),
        "failed": count(ClaimOutcome::Failed),
        "warned": count(ClaimOutcome::Warned),
        "skipped": count(ClaimOutcome::Skipped),
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

/// The header and one row per plugin.
fn rows(checks: &[PluginCheck]) -> Vec<Vec<String>> {
    let header = [
        "Plugin", "Version", "Author", "Passed", "Warned", "Failed", "Problems",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(checks.iter().map(|check| {
        let described = |part: fn(&plugin_api::PluginInfo) -> &String| {
            check
                .description
                .as_ref()
                .map_or_else(String::new, |(info, _)| part(info).clone())
        };
        let count = |outcome| check.with_outcome(outcome).count().to_string();
        vec![
            check.name.clone(),
            described(|info| &info.version),
            described(|info| &info.author),
            count(ClaimOutcome::Passed),
            count(ClaimOutcome::Warned),
            count(ClaimOutcome::Failed),
            problems(check),
        ]
    }));
    rows
}

/// The failures; without failures, the warnings.
fn problems(check: &PluginCheck) -> String {
    let with_outcome = |outcome| {
        check
            .with_outcome(outcome)
            .map(|finding| format!("{}: {}", finding.id, finding.verdict.detail))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let failures = with_outcome(ClaimOutcome::Failed);
    if failures.is_empty() {
        return with_outcome(ClaimOutcome::Warned);
    }
    failures
}

fn summary(check: &PluginCheck) -> String {
    let parts: Vec<String> = [
        ClaimOutcome::Passed,
        ClaimOutcome::Warned,
        ClaimOutcome::Failed,
        ClaimOutcome::Skipped,
    ]
    .into_iter()
    .map(|outcome| (outcome, check.with_outcome(outcome).count()))
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

/// Text from a plugin for a cell of a Markdown table.
fn escaped(text: &str) -> String {
    markdown(&plain(text))
}

/// Text from a plugin may be long and malicious.
fn plain(text: &str) -> String {
    const LONGEST: usize = 400;
    printable(text, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::check::{ClaimVerdict, Finding};

    fn check(name: &str, verdicts: &[ClaimVerdict]) -> PluginCheck {
        let finding = |verdict: &ClaimVerdict| Finding {
            id: "plays",
            sentence: "it plays",
            verdict: verdict.clone(),
        };
        PluginCheck {
            name: name.to_owned(),
            path: format!("lib{name}.so").into(),
            description: None,
            findings: verdicts.iter().map(finding).collect(),
        }
    }

    #[test]
    fn several_plugins_have_one_row_each_with_their_problems() {
        let checks = [
            check("anna", &[ClaimVerdict::passed("")]),
            check(
                "bert",
                &[
                    ClaimVerdict::failed("crashed: a | b"),
                    ClaimVerdict::warned("hums"),
                ],
            ),
        ];
        insta::assert_snapshot!(CheckReport(&checks).to_markdown(), @r"
        | Plugin | Version | Author | Passed | Warned | Failed | Problems               |
        |--------|---------|--------|--------|--------|--------|------------------------|
        | anna   |         |        | 1      | 0      | 0      |                        |
        | bert   |         |        | 0      | 1      | 1      | plays: crashed: a \| b |
        ");
        let json = CheckReport(&checks).to_json();
        assert_eq!(json["plugins"][1]["failed"], 1);
        assert_eq!(json["plugins"][1]["claims"][1]["outcome"], "warned");
    }

    #[test]
    fn text_from_a_plugin_cannot_change_the_page() {
        assert_eq!(escaped("a|b\n<b>"), "a\\|b \\<b>");
        assert_eq!(plain("\u{1b}[2Jgone"), " [2Jgone");
    }

    #[test]
    fn one_plugin_is_listed_claim_by_claim() {
        let checks = [check(
            "anna",
            &[ClaimVerdict::passed(""), ClaimVerdict::warned("hums")],
        )];
        insta::assert_snapshot!(CheckReport(&checks).to_text(None), @r"
        anna (libanna.so)

                Claim     Detail
        ──────────────────────────
        passed  it plays
        warned  it plays  hums

        1 passed, 1 warned
        ");
    }
}
