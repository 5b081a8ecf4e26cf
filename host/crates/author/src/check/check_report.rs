//! The result of a check for people and programs: claim by claim for one plugin, one
//! row per plugin for several.

use serde_json::{Value, json};
use tabled::{
    builder::Builder,
    settings::{
        Padding, Style, object::Columns, peaker::Priority, style::HorizontalLine, width::Width,
    },
};
use textwrap::core::display_width;

use super::{ClaimOutcome, PluginCheck};
use run::agent::LeftOut;
use text::{
    csv_table::csv_text,
    escape::markdown,
    number_text::counted,
    plugin_words::{PluginWords, name_as_code},
    printable::printable,
    wrap::block,
};

/// The checks of all given plugins, and the other files of the folders that were given.
#[derive(Debug)]
pub struct CheckReport<'a> {
    pub checks: &'a [PluginCheck],
    pub left_out: &'a [LeftOut],
}

impl CheckReport<'_> {
    /// As text for a terminal of this width; without a width nothing is wrapped. Of a single
    /// plugin, the claims that failed or warn, or all of them.
    #[must_use]
    pub fn to_text(&self, width: Option<usize>, shows_all: bool) -> String {
        if let Some(check) = self.only_check() {
            return one_plugin(check, width, shows_all);
        }
        let mut rows = self.rows();
        for row in rows.iter_mut().skip(1) {
            // The name begins a line of the table, so it must not look like text of the host.
            row[0] = name_as_code(&row[0]);
        }
        let mut builder = Builder::default();
        for row in &rows {
            builder.push_record(row.iter().map(|cell| plain(cell)));
        }
        let table = laid_out(builder, None);
        let fits = |width| table.lines().all(|line| display_width(line) <= width);
        match width {
            Some(width) if !fits(width) => rows
                .iter()
                .skip(1)
                .map(|row| file_block(row, width))
                .collect(),
            _ => table,
        }
    }

    /// One plugin is shown claim by claim.
    fn only_check(&self) -> Option<&PluginCheck> {
        match (self.checks, self.left_out) {
            ([check], []) => Some(check),
            _ => None,
        }
    }

    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut builder = Builder::default();
        match self.only_check() {
            Some(check) => {
                builder.push_record(["Claim", "Outcome", "Detail"]);
                for finding in &check.findings {
                    builder.push_record([
                        escaped(finding.sentence),
                        finding.verdict.outcome.name().to_owned(),
                        escaped(&finding.verdict.detail),
                    ]);
                }
            }
            None => {
                for row in self.rows() {
                    builder.push_record(row.iter().map(|cell| escaped(cell)));
                }
            }
        }
        format!("{}\n", builder.build().with(Style::markdown()))
    }

    #[must_use]
    pub fn to_json(&self) -> Value {
        let plugins: Vec<Value> = self.checks.iter().map(plugin_json).collect();
        json!({ "plugins": plugins, "left_out": self.left_out })
    }

    /// As CSV, one row per plugin and claim; a file that cannot be a plugin has one row.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let header = ["plugin", "path", "claim", "outcome", "detail"];
        let left_out = self.left_out.iter().map(|left_out| {
            [
                left_out.name.clone(),
                plain(&left_out.file),
                String::new(),
                NO_PLUGIN.to_owned(),
                plain(&left_out.reason),
            ]
        });
        let records = self.checks.iter().flat_map(|check| {
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
        csv_text(header.map(str::to_owned), records.chain(left_out))
    }

    /// The header and one row per file.
    fn rows(&self) -> Vec<[String; 6]> {
        let header = ["File", "Plugin", "Version", "Author", "Verdict", "Problems"];
        let mut rows = vec![header.map(str::to_owned)];
        rows.extend(self.checks.iter().map(|check| {
            let described = |part: fn(&plugin_api::PluginInfo) -> &String| {
                let description = check.description.as_ref();
                description.map_or_else(String::new, |(info, _)| part(info).clone())
            };
            [
                check.file.clone(),
                described(|info| &info.name),
                described(|info| &info.version),
                described(|info| &info.author),
                conclusion(check),
                problems(check),
            ]
        }));
        rows.extend(self.left_out.iter().map(|left_out| {
            let LeftOut { file, reason, .. } = left_out;
            let none = String::new;
            let verdict = NO_PLUGIN.to_owned();
            [
                file.clone(),
                none(),
                none(),
                none(),
                verdict,
                reason.clone(),
            ]
        }));
        rows
    }
}

/// The verdict on a file that cannot be a plugin.
const NO_PLUGIN: &str = "no plugin";

/// What to do with a plugin: let it play, read the warnings first, or return it.
fn conclusion(check: &PluginCheck) -> String {
    let count = |outcome| check.with_outcome(outcome).count() as u64;
    match (count(ClaimOutcome::Failed), count(ClaimOutcome::Warned)) {
        (0, 0) => "ready".to_owned(),
        (0, n_warned) => format!("ready, {}", counted(n_warned, "warning")),
        _ if check.description.is_none() => "cannot be loaded".to_owned(),
        (n_failed, _) => {
            let n_claims = check.findings.len() as u64;
            format!("fails {n_failed} of {}", counted(n_claims, "claim"))
        }
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
        "file": check.file,
        "path": check.path,
        "verdict": conclusion(check),
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

fn one_plugin(check: &PluginCheck, width: Option<usize>, shows_all: bool) -> String {
    let mut builder = Builder::default();
    builder.push_record(["", "Claim", "Detail"]);
    let is_shown =
        |outcome| shows_all || matches!(outcome, ClaimOutcome::Failed | ClaimOutcome::Warned);
    let mut shown = (check.findings.iter())
        .filter(|finding| is_shown(finding.verdict.outcome))
        .peekable();
    let is_empty = shown.peek().is_none();
    for finding in shown {
        builder.push_record([
            finding.verdict.outcome.name().to_owned(),
            finding.sentence.to_owned(),
            plain(&finding.verdict.detail),
        ]);
    }
    let table = if is_empty {
        String::new()
    } else {
        laid_out(builder, width) + "\n"
    };
    let rest = if shows_all { "" } else { "; -v lists all" };
    format!(
        "{} ({})\n\n{table}{}{rest}\n",
        name_as_code(&check.name),
        name_as_code(&check.path.to_string_lossy()),
        summary(check)
    )
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

/// Text from a plugin for a cell of a Markdown table.
fn escaped(text: &str) -> String {
    markdown(&plain(text))
}

/// How many characters of a text from a plugin are shown.
const MOST_CHARACTERS: usize = 400;

/// Text from a plugin may be long and malicious.
fn plain(text: &str) -> String {
    printable(text, MOST_CHARACTERS)
}

/// A row of a table that does not fit: the file and, indented, what is known of it.
fn file_block(row: &[String; 6], width: usize) -> String {
    let [file, name, version, author, verdict, problems] = row;
    let said = |what: &str, words: &String| match words.as_str() {
        "" => String::new(),
        words => format!("{what}: {}", PluginWords::cut(words, MOST_CHARACTERS)),
    };
    let details = [
        said("plugin", name),
        said("version", version),
        said("author", author),
        plain(problems),
    ];
    let details = details.iter().filter(|detail| !detail.is_empty());
    block(&format!("{file}: {verdict}"), details, Some(width))
}

/// The character of the line below the header.
const RULE: char = '─';
/// The longest such line in a file or pipe.
const LONGEST_RULE: usize = 100;

/// The first characters of a text.
fn shortened(text: &str, n_characters: usize) -> &str {
    let end = text.char_indices().nth(n_characters);
    end.map_or(text, |(end, _)| &text[..end])
}

fn laid_out(builder: Builder, width: Option<usize>) -> String {
    let mut table = builder.build();
    table.with(Style::empty().horizontals([(1, HorizontalLine::new(RULE))]));
    table.modify(Columns::new(..), Padding::new(0, 2, 0, 0));
    if let Some(width) = width {
        table.with(
            Width::wrap(width)
                .keep_words(true)
                .priority(Priority::max(true)),
        );
    }
    table
        .to_string()
        .lines()
        .map(|line| {
            // In a file or pipe, rows may be very long.
            let is_rule = line.chars().all(|character| character == RULE);
            let limit = if is_rule {
                width.unwrap_or(LONGEST_RULE)
            } else {
                usize::MAX
            };
            shortened(line, limit).trim_end()
        })
        .fold(String::new(), |text, line| text + line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{ClaimVerdict, Finding};

    fn check(name: &str, verdicts: &[ClaimVerdict]) -> PluginCheck {
        let finding = |verdict: &ClaimVerdict| Finding {
            id: "plays",
            sentence: "it plays",
            verdict: verdict.clone(),
        };
        PluginCheck {
            name: name.to_owned(),
            path: format!("lib{name}.so").into(),
            file: format!("lib{name}.so"),
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
        let left_out = [LeftOut {
            file: "carl|.zip".into(),
            name: "carl".into(),
            reason: "is an archive".into(),
        }];
        let report = CheckReport {
            checks: &checks,
            left_out: &left_out,
        };
        insta::assert_snapshot!(report.to_markdown(), @r"
        | File       | Plugin | Version | Author | Verdict          | Problems               |
        |------------|--------|---------|--------|------------------|------------------------|
        | libanna.so |        |         |        | ready            |                        |
        | libbert.so |        |         |        | cannot be loaded | plays: crashed: a \| b |
        | carl\|.zip |        |         |        | no plugin        | is an archive          |
        ");
        assert!(
            report
                .to_csv()
                .contains("carl,carl|.zip,,no plugin,is an archive")
        );
        let json = report.to_json();
        assert_eq!(json["left_out"][0]["file"], "carl|.zip");
        assert_eq!(json["plugins"][1]["failed"], 1);
        assert_eq!(json["plugins"][1]["claims"][1]["outcome"], "warned");
    }

    #[test]
    fn text_from_a_plugin_cannot_change_the_page() {
        assert_eq!(escaped("a|b\n<b>"), "a\\|b \\<b>");
        assert_eq!(plain("\u{1b}[2Jgone"), " [2Jgone");
    }

    #[test]
    fn one_plugin_shows_what_failed_or_warns_or_all() {
        let checks = [check(
            "anna",
            &[ClaimVerdict::passed(""), ClaimVerdict::warned("hums")],
        )];
        let report = CheckReport {
            checks: &checks,
            left_out: &[],
        };
        insta::assert_snapshot!(report.to_text(None, false), @r"
        `anna` (`libanna.so`)

                Claim     Detail
        ──────────────────────────
        warned  it plays  hums

        1 passed, 1 warned; -v lists all
        ");
        insta::assert_snapshot!(report.to_text(None, true), @r"
        `anna` (`libanna.so`)

                Claim     Detail
        ──────────────────────────
        passed  it plays
        warned  it plays  hums

        1 passed, 1 warned
        ");
        let long = [check("anna", &[ClaimVerdict::warned("hums ".repeat(60))])];
        let report = CheckReport {
            checks: &long,
            left_out: &[],
        };
        let text = report.to_text(None, false);
        let rule = text.lines().find(|line| line.starts_with(RULE)).unwrap();
        assert_eq!(rule.chars().count(), LONGEST_RULE);
    }
}
