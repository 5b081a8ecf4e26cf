//! The report as LaTeX tables, for a paper.

use crate::{
    report::{
        Report,
        tables::{
            grid::Grid,
            pair_tables::{detectable_list, pair_list},
            ranked_table::ranked_table,
        },
    },
    text::{escape, number_text::percent_with_digits},
};

/// The ranking, the pairs and what the run could have seen, each in a `table`.
#[must_use]
pub fn latex(report: &Report) -> String {
    let mut text = format!(
        "% {}: needs \\usepackage{{booktabs}}; `host report RUN --format bibtex` prints the sources \
         of the methods.\n",
        report.name
    );
    for part in &report.budgets {
        let budget = part
            .budget
            .label
            .as_ref()
            .map_or_else(String::new, |label| format!(" Budget: {label}."));
        let level = percent_with_digits(part.confidence.level);
        let ranking = format!(
            "Ranking of {} with {level} intervals of the mean score.{budget}",
            report.name
        );
        text += &table(&ranking, &ranked_table(part, report.goal));
        if !part.pairs.is_empty() {
            let pairs = format!(
                "Pairs on common seeds. The intervals of differences hold together with {level}, p-values \
                 are corrected for all pairs, and a round bracket excludes 0.{budget}"
            );
            text += &table(&pairs, &pair_list(part));
        }
        if let Some(detectable) = detectable_list(part) {
            let caption = format!(
                "Differences that so many seeds would show in 4 of 5 runs, for neighbours that cannot \
                 be distinguished.{budget}"
            );
            text += &table(&caption, &detectable);
        }
    }
    text
}

fn table(caption: &str, grid: &Grid) -> String {
    format!(
        "\n\\begin{{table}}\n\\centering\n\\caption{{{}}}\n{}\\end{{table}}\n",
        escape::latex(caption),
        grid.to_latex()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example::{input, three_seeds};

    #[test]
    fn tables_have_as_many_columns_as_they_say() {
        let report = Report::new(&input(&["left", "right"]), &three_seeds());
        let text = latex(&report);
        assert_eq!(text.matches("\\begin{table}").count(), 3);
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
