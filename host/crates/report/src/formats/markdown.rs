//! The report as Markdown, for a README or a course page.

use super::report_table::{Content, ReportTable};
use text::{escape, plugin_words::name_as_code, program};

use crate::{Report, tables::agent_tables::ranked_table, verdict::verdicts};

/// The chosen tables, the verdicts and the notes.
#[must_use]
pub fn markdown(report: &Report, tables: &[ReportTable]) -> String {
    let title = format!("# {}\n", escape::markdown(&report.name));
    let mut blocks = vec![title];
    for part in &report.budgets {
        if let Some(label) = &part.label {
            blocks.push(format!("## Budget {label}\n"));
        }
        for table in tables {
            match table.content(part, None) {
                Content::Table { title, grid } => {
                    blocks.push(format!("### {title}\n"));
                    blocks.push(grid.to_markdown());
                }
                // The commands in it are code.
                Content::Instead(sentence) => blocks.push(format!("{sentence}.\n")),
                Content::Other if *table == ReportTable::Ranking => {
                    blocks.push(ranked_table(part, report.goal).to_markdown());
                    blocks.push(bullets(&verdicts(part)));
                }
                Content::Other => (),
            }
        }
    }
    blocks.extend(left_out(report));
    if tables.contains(&ReportTable::Faults) {
        blocks.extend(faults(report));
    }
    if tables.contains(&ReportTable::Notes) {
        let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
        blocks.push(bullets(&notes));
    }
    if tables.contains(&ReportTable::Methods) {
        let methods = report.methods.iter();
        blocks.extend(methods.map(|methods| escape::markdown(&methods.to_string()) + "\n"));
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

/// The submissions that do not play.
fn left_out(report: &Report) -> Vec<String> {
    let sentences: Vec<String> = (report.left_out_files())
        .map(|(file, reason)| format!("{} {reason}", name_as_code(&file)))
        .collect();
    if sentences.is_empty() {
        return Vec::new();
    }
    vec!["### Left out\n".to_owned(), bullets(&sentences)]
}

fn faults(report: &Report) -> Vec<String> {
    let examples = report.faults().map(|fault| {
        let evidence = fault.evidence_lines(program::name(), None);
        let code = evidence.iter().fold(String::new(), |code, line| {
            code + "  " + &line.replace("```", "~~~") + "\n"
        });
        let headline = escape::markdown(&fault.headline());
        format!("- {headline}\n\n  ```text\n{code}  ```\n")
    });
    let mut blocks: Vec<String> = examples.collect();
    if !blocks.is_empty() {
        blocks.insert(0, "### Faults\n".to_owned());
    }
    blocks
}

fn bullets(sentences: &[String]) -> String {
    let item = |list: String, sentence: &String| list + "- " + &escape::markdown(sentence) + "\n";
    sentences.iter().fold(String::new(), item)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{plan, report_of, three_seeds};

    #[test]
    fn all_tables_are_there() {
        let report = report_of(&plan(&["left", "right"]), three_seeds());
        insta::assert_snapshot!(markdown(&report, &ReportTable::usual()), @"
        # example

        | # | Agent |      Games | Score [95%]           | Median |         IQR |  Best |   512 |  1024 | Moves | CPU/move | Faults |
        |---|-------|------------|-----------------------|--------|-------------|-------|-------|-------|-------|----------|--------|
        | 1 | left  | 3 (n < 30) | 6,000 [1,032, 10,968] |  6,000 | 5,000–7,000 | 8,000 | 66.7% |    0% |   600 |   500 µs |      0 |
        | 1 | right | 3 (n < 30) | 5,000 [  0.0, 13,605] |  3,000 | 3,000–6,000 | 9,000 | 33.3% | 33.3% |   500 |   250 µs |      0 |

        - left and right cannot be distinguished (1,000, corrected p = 0.750)

        ### Tiles reached

        | Agent |                512 |              1024 |
        |-------|--------------------|-------------------|
        | left  | 66.7% [20.8, 93.9] |    0% [0.0, 56.1] |
        | right |  33.3% [6.1, 79.2] | 33.3% [6.1, 79.2] |

        ### From tile to tile (of the games that made a tile, the share that made the next one)

        | Agent |      256 → 512 |    512 → 1024 |
        |-------|----------------|---------------|
        | left  | 66.7% (2 of 3) |   0% (0 of 2) |
        | right | 33.3% (1 of 3) | 100% (1 of 1) |

        ### How games end (medians; crowded: moves with fewer than a quarter of the cells empty; lost ≤ N: share of losses within N moves of a new highest tile)

        | Agent | Games | Most often at | Moves |     IQR | Faults |
        |-------|-------|---------------|-------|---------|--------|
        | left  |     3 |   512 (66.7%) |   600 | 500–700 |      0 |
        | right |     3 |   256 (66.7%) |   300 | 300–600 |      0 |

        ### Who beats whom (row against column: > better, < worse, = cannot be distinguished)

        |       | left             | right            |
        |-------|------------------|------------------|
        | left  |                  | = +1,000 (0.750) |
        | right | = -1,000 (0.750) |                  |

        ### Pairs on common seeds (intervals of differences hold simultaneously; p-values are corrected for all pairs)

        | Pair         | Difference [95%] | p corrected | Seeds | Won–tied–lost | Does better [95%]    |
        |--------------|------------------|-------------|-------|---------------|----------------------|
        | left = right | 1,000            |       0.750 |     3 |         2–0–1 | 66.7% [20.8%, 93.9%] |

        ### Differences that so many seeds would show in about 4 of 5 runs, for neighbours that cannot be distinguished

        | Pair         | Measured | 3 seeds | 6 seeds | 12 seeds | 30 seeds |
        |--------------|----------|---------|---------|----------|----------|
        | left = right |   +1,000 |       ∞ |       ∞ |    1,776 |    1,059 |

        ### Time per move

        | Agent |  Budget |  Used |   Median |      p99 |    Max | CPU/move | Wall/move | Overruns | Overdrawn | Threads | Nodes/CPU-ms |
        |-------|---------|-------|----------|----------|--------|----------|-----------|----------|-----------|---------|--------------|
        | left  | 1.00 ms | 50.0% | ≈ 496 µs | ≈ 512 µs | 512 µs |   500 µs |    600 µs |        0 |      0 µs |       1 |          200 |
        | right | 1.00 ms | 25.0% | ≈ 248 µs | ≈ 256 µs | 256 µs |   250 µs |    300 µs |        0 |      0 µs |       1 |          400 |

        - the run is incomplete: 74 of 80 games are missing; \\`host run\\` with its tournament file plays them
        - not all agents played all 40 seeds (left 3 and right 3); pairs are compared on the seeds that both played
        - n < 30: left and right played fewer than 30 games, so intervals may miss the true value more often than stated
        - 3 seeds cannot prove a difference, however large: no p-value can be below 0.25; it takes at least 6 seeds
        - games under a time budget do not repeat: another run of the same seeds on the same machine plays other games (of 90 games played three times, no two were alike)
        ");
    }
}
