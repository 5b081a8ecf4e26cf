//! The report as LaTeX tables, for a paper.

use super::report_table::{Content, ReportTable};
use text::{escape, number_text::percent_with_digits};

use crate::{
    Report,
    budget_report::BudgetReport,
    tables::{agent_tables::ranked_table, grid::Grid},
};

/// The tables of a paper, if nothing is selected. The matrix repeats the pairs.
pub const USUAL: [ReportTable; 7] = [
    ReportTable::Ranking,
    ReportTable::Tiles,
    ReportTable::Steps,
    ReportTable::Ends,
    ReportTable::Pairs,
    ReportTable::Detectable,
    ReportTable::Times,
];

/// About the letters that fit between the margins of an article in small print; less important
/// columns of wider tables are left out.
const WIDTH: usize = 74;

/// The chosen tables, each in a `table`.
#[must_use]
pub fn latex(report: &Report, tables: &[ReportTable]) -> String {
    let mut text = format!(
        "% {}: needs \\usepackage{{booktabs}}; docs/for-a-paper.md names the sources of the methods.\n\
         % Columns that do not fit on a page are left out; `--format markdown` has all of them.\n",
        report.name
    );
    if let Some(sentence) = report.incompleteness() {
        text += &["% ", &sentence, ".\n"].concat();
    }
    for part in &report.budgets {
        for chosen in tables {
            let (title, grid) = match chosen.content(part, Some(WIDTH)) {
                Content::Table { title, grid } => (title, grid),
                Content::Other if *chosen == ReportTable::Ranking => {
                    (String::new(), ranked_table(part, report.goal))
                }
                Content::Other => continue,
                Content::Instead(sentence) => {
                    text += &["% ", &sentence, ".\n"].concat();
                    continue;
                }
            };
            if grid.n_rows() > 0 {
                let caption = caption(report, part, *chosen, title);
                text += &table(&caption, &grid.fitted(Some(WIDTH)));
            }
        }
    }
    text
}

/// A caption that explains the table to readers who have only the paper.
fn caption(report: &Report, part: &BudgetReport, table: ReportTable, title: String) -> String {
    let level = percent_with_digits(part.confidence.level);
    let what = match table {
        ReportTable::Ranking => format!(
            "Ranking of {} with {level} intervals of the mean score",
            report.name
        ),
        ReportTable::Tiles => {
            format!("Tiles reached: share of games, with {level} intervals where there is room")
        }
        ReportTable::Pairs => format!(
            "{} on common seeds. The intervals of differences hold simultaneously with {level}, and \
             p-values are corrected for all pairs",
            if part.has_many_agents() {
                "Neighbours in the ranking"
            } else {
                "Pairs"
            }
        ),
        _ => title,
    };
    match &part.label {
        Some(label) => format!("{what}. Budget: {label}."),
        None => format!("{what}."),
    }
}

fn table(caption: &str, grid: &Grid) -> String {
    format!(
        "\n\\begin{{table}}\n\\centering\\small\\setlength{{\\tabcolsep}}{{4pt}}\n\\caption{{{}}}\n{}\\end{{table}}\n",
        escape::latex(caption),
        grid.to_latex()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{plan, report_of, three_seeds};

    #[test]
    fn tables_have_as_many_columns_as_they_say() {
        let report = report_of(&plan(&["left", "right"]), three_seeds());
        let text = latex(&report, &USUAL);
        assert_eq!(text.matches("\\begin{table}").count(), USUAL.len());
        for tabular in text.split("\\begin{tabular}").skip(1) {
            let alignment = tabular.split(['{', '}']).nth(1).unwrap();
            let rows: Vec<&str> = tabular
                .lines()
                .filter(|line| line.ends_with("\\\\"))
                .collect();
            assert!(rows.len() > 1, "{tabular}");
            for row in rows {
                assert_eq!(row.matches(" & ").count() + 1, alignment.len(), "{row}");
            }
        }
        assert!(text.contains("left $=$ right"), "{text}");
    }
}
