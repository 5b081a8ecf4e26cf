//! The report for a terminal, fitted to its width; and its summary on one screen, with which
//! `host run` ends.

use super::report_table::{Content, ReportTable};
use text::{number_text::counted, plugin_words::name_as_code, program, wrap::wrapped};

use crate::{
    Report,
    budget_report::BudgetReport,
    layout::{Layout, Style},
    tables::agent_tables::ranked_table,
    verdict::verdicts,
};

const INDENT: &str = "  ";
const FAULTS: &str = "Faults (the first of each kind)";

/// The lines that a ranking with its notes should not exceed. There is an empty line before and
/// after it, then the line that says where the rest is.
const SCREEN: usize = 27;

/// There is room for this many lines of notes, however long the ranking is.
const LEAST_ROOM: usize = 6;

/// The most lines of one note: a panic message can be long.
const MOST_LINES: usize = 2;

/// The chosen parts, each budget by itself; faults and notes are at the end.
#[must_use]
pub fn terminal_text(report: &Report, tables: &[ReportTable], layout: Layout) -> String {
    let mut text = String::new();
    for part in &report.budgets {
        for table in tables {
            match table.content(part, layout.width) {
                Content::Table { title, grid } => {
                    text += &heading(&of_budget(&title, part), layout);
                    text += &grid.to_text(layout);
                    text += "\n";
                }
                Content::Instead(sentence) => {
                    text += &paragraphs(&[of_budget(&sentence, part)], layout);
                }
                Content::Other if *table == ReportTable::Ranking => {
                    text += &ranking(report, part, layout);
                }
                Content::Other => (),
            }
        }
    }
    if tables.contains(&ReportTable::Faults) {
        text += &faults(report, layout);
    }
    if tables.contains(&ReportTable::Notes) {
        text += &paragraphs(&notes(report), layout);
    }
    if tables.contains(&ReportTable::Methods) {
        let methods = report.methods.iter().map(ToString::to_string);
        text += &paragraphs(&methods.collect::<Vec<_>>(), layout);
    }
    text
}

/// The first fault of each kind with its board, the stderr tail and how to reproduce it.
fn faults(report: &Report, layout: Layout) -> String {
    let mut examples = report.faults().peekable();
    if examples.peek().is_none() {
        return String::new();
    }
    let mut text = heading(FAULTS, layout);
    for fault in examples {
        text += &wrapped(&fault.headline(), INDENT, layout.width);
        let width = layout.width.map(|width| width.saturating_sub(INDENT.len()));
        for line in fault.evidence_lines(&program::as_called(), width) {
            text += INDENT;
            text += &line;
            text += "\n";
        }
        text += "\n";
    }
    text
}

fn ranking(report: &Report, part: &BudgetReport, layout: Layout) -> String {
    let mut text = heading(&of_budget(&report.name, part), layout);
    text += &ranked_table(part, report.goal).to_text(layout);
    text += "\n";
    text + &paragraphs(&verdicts(part), layout) + &left_out(report, part, layout)
}

/// The submissions that do not play, under the last ranking.
fn left_out(report: &Report, part: &BudgetReport, layout: Layout) -> String {
    let is_last = report.budgets.last().is_some_and(|last| last == part);
    let sentences: Vec<String> = (report.left_out_files().filter(|_| is_last))
        .map(|(file, reason)| format!("left out: {} {reason}", name_as_code(&file)))
        .collect();
    paragraphs(&sentences, layout)
}

/// A title with the budget, where there are several.
fn of_budget(title: &str, part: &BudgetReport) -> String {
    match &part.label {
        Some(label) => format!("{title}, budget {label}"),
        None => title.to_owned(),
    }
}

fn heading(title: &str, layout: Layout) -> String {
    let lines = wrapped(title, "", layout.width);
    match layout.style {
        Style::Plain => format!("{lines}\n"),
        Style::Coloured => format!("\u{1b}[1m{}\u{1b}[0m\n\n", lines.trim_end()),
    }
}

fn notes(report: &Report) -> Vec<String> {
    let notes = report.notes.iter();
    notes.map(|note| format!("note: {note}")).collect()
}

/// Each sentence on its own line, then an empty one.
fn paragraphs(sentences: &[String], layout: Layout) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let lines: String = sentences
        .iter()
        .map(|sentence| wrapped(sentence, "  ", layout.width))
        .collect();
    lines + "\n"
}

/// What `host run` prints at its end, on one screen: the rankings of all budgets, their verdicts and
/// as many notes as fit.
#[must_use]
pub fn summary_text(report: &Report, layout: Layout) -> String {
    let parts = report.budgets.iter();
    let rankings: String = parts.map(|part| ranking(report, part, layout)).collect();
    let n_lines = rankings.lines().count();
    let room = match layout.width {
        Some(_) => SCREEN.saturating_sub(n_lines).max(LEAST_ROOM),
        // A file or a pipe has no screen.
        None => usize::MAX,
    };
    // Lines about the progress of the run are above.
    let space = if layout.width.is_some() { "\n" } else { "" };
    format!("{space}{rankings}") + &fitted_notes(&notes(report), room, layout)
}

/// The notes that fit, then the number of those that do not, and an empty line.
fn fitted_notes(notes: &[String], room: usize, layout: Layout) -> String {
    let short: Vec<Vec<String>> = notes.iter().map(|note| short_note(note, layout)).collect();
    let n_all: usize = short.iter().map(Vec::len).sum();
    // The last line is for the number of further notes.
    let room = if n_all > room { room - 1 } else { room };
    let (mut text, mut n_lines, mut n_shown) = (String::new(), 0, 0);
    for note in &short {
        n_lines += note.len();
        if n_lines > room {
            break;
        }
        n_shown += 1;
        text.extend(note.iter().map(|line| format!("{line}\n")));
    }
    let n_more = notes.len() - n_shown;
    if n_more > 0 {
        text = format!("{text}… and {}\n", counted(n_more as u64, "more note"));
    }
    if text.is_empty() { text } else { text + "\n" }
}

/// The first lines of a note.
fn short_note(note: &str, layout: Layout) -> Vec<String> {
    let text = wrapped(note, "  ", layout.width);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        if let Some(last) = lines.last_mut() {
            // The ellipsis may not make the line wider than the terminal.
            while layout
                .width
                .is_some_and(|width| last.chars().count() + 2 > width)
            {
                last.truncate(last.rfind(' ').unwrap_or(0));
            }
            last.push_str(" …");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::Salt;

    use crate::{Note, example::*};

    fn layout(width: usize) -> Layout {
        Layout {
            width: Some(width),
            style: Style::Plain,
        }
    }

    /// Without the tables that follow the ranking.
    fn short_text(report: &Report, layout: Layout) -> String {
        terminal_text(report, &[ReportTable::Ranking, ReportTable::Notes], layout)
    }

    #[test]
    fn a_narrow_terminal_has_fewer_columns() {
        insta::assert_snapshot!(short_text(&report_of_five_agents(), layout(60)), @"
        example

        #  Agent       Games  Score [95%]               2048  Faults
        ────────────────────────────────────────────────────────────
        1  expectimax     40  72,686 [60,127, 88,579]  95.0%       0
        2  mcts           40  27,457 [22,387, 35,254]  57.5%       2
        3  minimax        38  21,268 [17,766, 24,641]  47.4%       0
        4  snake          40   8,684 [ 7,530, 10,038]     0%       1
        5  random         40   1,101 [   969,  1,274]     0%       0

        expectimax beats mcts by 45,228 [23,727, 66,802], corrected
          p < 0.001
        mcts beats minimax by 6,416 [>0, 14,821] on 38 seeds,
          corrected p = 0.017
        minimax beats snake by 12,751 [7,758, 17,728] on 38 seeds,
          corrected p < 0.001
        snake beats random by 7,582 [5,687, 9,487], corrected p <
          0.001

        note: the run is incomplete: 2 of 200 games are missing;
          `host run` with its tournament file plays them
        note: not all agents played all 40 seeds (minimax 38); pairs
          are compared on the seeds that both played
        note: mcts ended 2 of 40 games with a fault (overrun 2),
          which count with the score at that point; the first was on
          seed 6: the bank was empty after 1,214 µs on move 307
        note: snake ended 1 of 40 games with a fault (panic 1),
          which count with the score at that point; the first was on
          seed 18: the agent panicked: index out of bounds: the len
          is 16 but the index is 16
        note: games under a time budget do not repeat: another run
          of the same seeds on the same machine plays other games
          (of 90 games played three times, no two were alike)
        ");
    }

    #[test]
    fn the_long_report_has_all_tables() {
        insta::assert_snapshot!(terminal_text(&report_of_five_agents(), &ReportTable::usual(), layout(130)), @"
        example

        #  Agent       Games  Score [95%]              Median            IQR     Best   2048   4096   8192  Moves  CPU/move  Faults
        ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        1  expectimax     40  72,686 [60,127, 88,579]  63,762  41,439–75,436  166,244  95.0%  72.5%  22.5%  3,634    820 µs       0
        2  mcts           40  27,457 [22,387, 35,254]  27,860  15,226–31,310   76,412  57.5%  12.5%     0%  1,373    966 µs       2
        3  minimax        38  21,268 [17,766, 24,641]  18,608  13,162–31,763   37,176  47.4%     0%     0%  1,063    550 µs       0
        4  snake          40   8,684 [ 7,530, 10,038]   7,774   6,222–10,985   16,984     0%     0%     0%    458    210 µs       1
        5  random         40   1,101 [   969,  1,274]     996      780–1,324    2,476     0%     0%     0%    122   1.19 µs       0

        expectimax beats mcts by 45,228 [23,727, 66,802], corrected p < 0.001
        mcts beats minimax by 6,416 [>0, 14,821] on 38 seeds, corrected p = 0.017
        minimax beats snake by 12,751 [7,758, 17,728] on 38 seeds, corrected p < 0.001
        snake beats random by 7,582 [5,687, 9,487], corrected p < 0.001

        Tiles reached (* differs from the agent above, corrected for the table)

        Agent         128     256    512    1024    2048    4096   8192
        ───────────────────────────────────────────────────────────────
        expectimax   100%    100%   100%    100%   95.0%   72.5%  22.5%
        mcts         100%    100%   100%   82.5%  *57.5%  *12.5%     0%
        minimax      100%    100%   100%   81.6%   47.4%      0%     0%
        snake        100%   97.5%  87.5%  *30.0%     *0%      0%     0%
        random      90.0%  *32.5%    *0%     *0%      0%      0%     0%

        From tile to tile (of the games that made a tile, the share that made the next one)

        Agent       64 → 128  128 → 256  256 → 512  512 → 1024  1024 → 2048  2048 → 4096  4096 → 8192
        ─────────────────────────────────────────────────────────────────────────────────────────────
        expectimax      100%       100%       100%        100%        95.0%        76.3%        31.0%
        mcts            100%       100%       100%       82.5%        69.7%        21.7%           0%
        minimax         100%       100%       100%       81.6%        58.1%           0%            –
        snake           100%      97.5%      89.7%       34.3%           0%            –            –
        random         90.0%      36.1%         0%           –            –            –            –

        How games end (medians; crowded: moves with fewer than a quarter of the cells empty; lost ≤ N: share of losses within N moves of a
        new highest tile)

        Agent       Games  Most often at  Moves          IQR  Faults
        ────────────────────────────────────────────────────────────
        expectimax     40   4096 (50.0%)  3,188  2,072–3,772       0
        mcts           40   2048 (45.0%)  1,393    761–1,566       2
        minimax        38   2048 (47.4%)    930    658–1,588       0
        snake          40    512 (57.5%)    405      330–549       1
        random         40    128 (57.5%)    110     87.0–147       0

        Who beats whom (row against column: > better, < worse, = cannot be distinguished)

                    expectimax           mcts                 minimax              snake                random
        ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        expectimax                       > +45,228 (< 0.001)  > +49,221 (< 0.001)  > +64,002 (< 0.001)  > +71,584 (< 0.001)
        mcts        < -45,228 (< 0.001)                       > +6,416 (0.017)     > +18,774 (< 0.001)  > +26,356 (< 0.001)
        minimax     < -49,221 (< 0.001)  < -6,416 (0.017)                          > +12,751 (< 0.001)  > +20,198 (< 0.001)
        snake       < -64,002 (< 0.001)  < -18,774 (< 0.001)  < -12,751 (< 0.001)                       > +7,582 (< 0.001)
        random      < -71,584 (< 0.001)  < -26,356 (< 0.001)  < -20,198 (< 0.001)  < -7,582 (< 0.001)

        Pairs on common seeds (intervals of differences hold simultaneously; p-values are corrected for all pairs)

        Pair                  Difference [95%]         p corrected  Seeds  Won–tied–lost  Does better [95%]
        ──────────────────────────────────────────────────────────────────────────────────────────────────────
        expectimax > mcts     45,228 [23,727, 66,802]      < 0.001     40         36–0–4  90.0% [76.9%, 96.0%]
        expectimax > minimax  49,221 [28,355, 70,197]      < 0.001     38         36–0–2  94.7% [82.7%, 98.5%]
        expectimax > snake    64,002 [42,630, 85,460]      < 0.001     40         40–0–0   100% [91.2%,  100%]
        expectimax > random   71,584 [49,435, 93,798]      < 0.001     40         40–0–0   100% [91.2%,  100%]
        mcts > minimax         6,416 [    >0, 14,821]        0.017     38        24–0–14  63.2% [47.3%, 76.6%]
        mcts > snake          18,774 [ 9,599, 28,017]      < 0.001     40         37–0–3  92.5% [80.1%, 97.4%]
        mcts > random         26,356 [17,020, 35,750]      < 0.001     40         40–0–0   100% [91.2%,  100%]
        minimax > snake       12,751 [ 7,758, 17,728]      < 0.001     38         36–0–2  94.7% [82.7%, 98.5%]
        minimax > random      20,198 [14,783, 25,604]      < 0.001     38         38–0–0   100% [90.8%,  100%]
        snake > random         7,582 [ 5,687,  9,487]      < 0.001     40         40–0–0   100% [91.2%,  100%]

        Time per move

        Agent        Budget   Used     Median        p99      Max  CPU/move  Wall/move  Overruns  Overdrawn  Threads  Nodes/CPU-ms
        ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        expectimax  1.00 ms  82.0%   ≈ 982 µs  ≈ 1.11 ms  1.11 ms    820 µs     851 µs         0       0 µs        1        61,000
        mcts        1.00 ms  96.6%   ≈ 982 µs  ≈ 1.29 ms  1.29 ms    966 µs    1.01 ms         2     428 µs        4        24,000
        minimax     1.00 ms  55.0%   ≈ 982 µs  ≈ 1.01 ms  1.01 ms    550 µs     569 µs         0       0 µs        1        55,000
        snake       1.00 ms  21.0%   ≈ 245 µs   ≈ 489 µs   702 µs    210 µs     217 µs         0       0 µs        1        48,000
        random      1.00 ms   0.1%  ≈ 1.35 µs  ≈ 3.11 µs  9.90 µs   1.19 µs    1.24 µs         0       0 µs        1             –

        Faults (the first of each kind)

        mcts on seed 6, after 307 moves: the bank was empty after 1,214 µs on move 307

        snake on seed 18, after 139 moves: the agent panicked: index out of bounds: the len is 16 but the index is 16

        note: the run is incomplete: 2 of 200 games are missing; `host run` with its tournament file plays them
        note: not all agents played all 40 seeds (minimax 38); pairs are compared on the seeds that both played
        note: mcts ended 2 of 40 games with a fault (overrun 2), which count with the score at that point; the first was on seed 6: the
          bank was empty after 1,214 µs on move 307
        note: snake ended 1 of 40 games with a fault (panic 1), which count with the score at that point; the first was on seed 18: the
          agent panicked: index out of bounds: the len is 16 but the index is 16
        note: games under a time budget do not repeat: another run of the same seeds on the same machine plays other games (of 90 games
          played three times, no two were alike)
        ");
    }

    #[test]
    fn open_pairs_and_small_samples_are_noted() {
        let mut plan = plan(&["left", "right"]);
        plan.salt = Salt::NONE;
        plan.tournament.seeds = "1..3".parse().expect("three seeds");
        let report = report_of(&plan, three_seeds());
        insta::assert_snapshot!(short_text(&report, layout(100)), @"
        example

        #  Agent       Games  Score [95%]            Median   Best    512   1024  Moves  CPU/move  Faults
        ─────────────────────────────────────────────────────────────────────────────────────────────────
        1  left   3 (n < 30)  6,000 [1,032, 10,968]   6,000  8,000  66.7%     0%    600    500 µs       0
        1  right  3 (n < 30)  5,000 [  0.0, 13,605]   3,000  9,000  33.3%  33.3%    500    250 µs       0

        left and right cannot be distinguished (1,000, corrected p = 0.750)

        note: n < 30: left and right played fewer than 30 games, so intervals may miss the true value more
          often than stated
        note: 3 seeds cannot prove a difference, however large: no p-value can be below 0.25; it takes at
          least 6 seeds
        note: games under a time budget do not repeat: another run of the same seeds on the same machine
          plays other games (of 90 games played three times, no two were alike)
        note: predictable tiles: the run has no salt, so agents could compute the tiles in advance
        ");
    }

    #[test]
    fn with_a_goal_its_rate_comes_first() {
        let mut plan = plan(&FIVE_AGENTS);
        plan.tournament.goal = Some(2048);
        let report = report_of(&plan, five_agents_forty_seeds());
        insta::assert_snapshot!(short_text(&report, layout(100)), @"
        example

        #  Agent       Games  Reached 2048 [95%]    in moves [95%]         1024   4096   8192  Faults
        ─────────────────────────────────────────────────────────────────────────────────────────────
        1  expectimax     40  95.0% [83.5%, 98.6%]  3,784 [3,150, 4,587]   100%  72.5%  22.5%       0
        2  mcts           40  57.5% [42.2%, 71.5%]  1,927 [1,640, 2,434]  82.5%  12.5%     0%       2
        2  minimax        38  47.4% [32.5%, 62.7%]  1,566 [1,484, 1,643]  81.6%     0%     0%       0
        4  snake          40     0% [   0%,  8.8%]      –                 30.0%     0%     0%       1
        4  random         40     0% [   0%,  8.8%]      –                    0%     0%     0%       0

        expectimax reaches the goal more often than mcts, by 37.5 [11.1, 60.4] percentage points, corrected
          p < 0.001
        mcts and minimax cannot be distinguished on 38 seeds (10.5 [-18.2, 38.2] percentage points,
          corrected p = 0.388); 38 seeds would show a difference of 28.9 percentage points in about 4 of 5
          runs
        minimax reaches the goal more often than snake, by 47.4 [18.8, 71.2] percentage points on 38 seeds,
          corrected p < 0.001
        snake and random cannot be distinguished (0.0 [-7.6, 7.6] percentage points, corrected p = 1.000)

        note: the run is incomplete: 2 of 200 games are missing; `host run` with its tournament file plays
          them
        note: not all agents played all 40 seeds (minimax 38); pairs are compared on the seeds that both
          played
        note: mcts ended 2 of 40 games with a fault (overrun 2), which count with the score at that point;
          the first was on seed 6: the bank was empty after 1,214 µs on move 307
        note: snake ended 1 of 40 games with a fault (panic 1), which count with the score at that point;
          the first was on seed 18: the agent panicked: index out of bounds: the len is 16 but the index is
          16
        note: games under a time budget do not repeat: another run of the same seeds on the same machine
          plays other games (of 90 games played three times, no two were alike)
        ");
    }

    #[test]
    fn long_names_are_cut_where_they_do_not_fit() {
        let names = ["left", "right"].map(|name| format!("{name}-{}", "x".repeat(40)));
        let report = report_of(&plan(&names.each_ref().map(String::as_str)), three_seeds());
        let text = short_text(&report, layout(60));
        let ranking: Vec<&str> = text.lines().skip(2).take(4).collect();
        assert!(
            ranking.iter().all(|line| line.chars().count() <= 60),
            "{text}"
        );
        assert!(
            ranking[2].contains("left-xxx") && ranking[2].contains('…'),
            "{text}"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_colour_takes_no_room() {
        let report = report_of_five_agents();
        for width in [60, 80, 100, 160] {
            let plain = terminal_text(&report, ReportTable::all(), layout(width));
            let widest = plain.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{widest:?} > {width}");
            let coloured = Layout {
                style: Style::Coloured,
                ..layout(width)
            };
            let coloured = terminal_text(&report, ReportTable::all(), coloured);
            assert!(coloured.contains('\u{1b}') && !plain.contains('\u{1b}'));
        }
    }

    #[test]
    fn five_agents_fit_on_one_screen_however_many_notes_there_are() {
        let mut report = report_of_five_agents();
        let notes = report.notes.clone();
        assert_eq!(notes.len(), 5);
        for _ in 0..5 {
            report.notes.extend(notes.clone());
        }
        let text = summary_text(&report, layout(100));
        // With the line that says where the rest is: at most 30.
        assert!(text.lines().count() <= 29, "{text}");
        assert!(text.ends_with("\n… and 25 more notes\n\n"), "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
    }

    #[test]
    fn a_run_ends_with_ranking_verdicts_and_notes() {
        insta::assert_snapshot!(summary_text(&report_of_five_agents(), layout(100)), @"
        example

        #  Agent       Games  Score [95%]              Median   2048   4096   8192  CPU/move  Faults
        ────────────────────────────────────────────────────────────────────────────────────────────
        1  expectimax     40  72,686 [60,127, 88,579]  63,762  95.0%  72.5%  22.5%    820 µs       0
        2  mcts           40  27,457 [22,387, 35,254]  27,860  57.5%  12.5%     0%    966 µs       2
        3  minimax        38  21,268 [17,766, 24,641]  18,608  47.4%     0%     0%    550 µs       0
        4  snake          40   8,684 [ 7,530, 10,038]   7,774     0%     0%     0%    210 µs       1
        5  random         40   1,101 [   969,  1,274]     996     0%     0%     0%   1.19 µs       0

        expectimax beats mcts by 45,228 [23,727, 66,802], corrected p < 0.001
        mcts beats minimax by 6,416 [>0, 14,821] on 38 seeds, corrected p = 0.017
        minimax beats snake by 12,751 [7,758, 17,728] on 38 seeds, corrected p < 0.001
        snake beats random by 7,582 [5,687, 9,487], corrected p < 0.001

        note: the run is incomplete: 2 of 200 games are missing; `host run` with its tournament file plays
          them
        note: not all agents played all 40 seeds (minimax 38); pairs are compared on the seeds that both
          played
        note: mcts ended 2 of 40 games with a fault (overrun 2), which count with the score at that point;
          the first was on seed 6: the bank was empty after 1,214 µs on move 307
        note: snake ended 1 of 40 games with a fault (panic 1), which count with the score at that point;
          the first was on seed 18: the agent panicked: index out of bounds: the len is 16 but the index …
        note: games under a time budget do not repeat: another run of the same seeds on the same machine
          plays other games (of 90 games played three times, no two were alike)
        ");
    }

    #[test]
    fn a_long_ranking_leaves_room_for_notes() {
        let mut report = report_of_five_agents();
        let part = report.budgets[0].clone();
        report.budgets.extend([part.clone(), part]);
        report.notes.truncate(1);
        report.notes.push(Note::new("the last note"));
        let text = summary_text(&report, layout(100));
        assert!(text.ends_with("the last note\n\n"), "{text}");
    }
}
