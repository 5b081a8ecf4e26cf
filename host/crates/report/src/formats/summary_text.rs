//! What `host run` prints at its end: the ranking, its verdicts and the notes on one screen.
//!
//! `host report` prints the other tables and every note in full.

use super::terminal_text::{notes, ranking};
use text::{number_text::counted, wrap::wrapped};

use crate::{Report, layout::Layout};

/// The lines that a ranking with its notes should not exceed. There is an empty line before and
/// after it, then the line that says where the rest is.
const SCREEN: usize = 27;

/// There is room for this many lines of notes, however long the ranking is.
const LEAST_ROOM: usize = 6;

/// The most lines of one note: a panic message can be long.
const MOST_LINES: usize = 2;

/// The rankings of all budgets, then as many notes as fit.
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
    use crate::{Note, example::report_of_five_agents, layout::Style};

    const AT_100: Layout = Layout {
        width: Some(100),
        style: Style::Plain,
    };

    #[test]
    fn five_agents_fit_on_one_screen_however_many_notes_there_are() {
        let mut report = report_of_five_agents();
        let notes = report.notes.clone();
        assert_eq!(notes.len(), 3);
        for _ in 0..5 {
            report.notes.extend(notes.clone());
        }
        let text = summary_text(&report, AT_100);
        // With the line that says where the rest is: at most 30.
        assert!(text.lines().count() <= 29, "{text}");
        assert!(text.ends_with("\n… and 13 more notes\n\n"), "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
    }

    #[test]
    fn a_run_ends_with_ranking_verdicts_and_notes() {
        insta::assert_snapshot!(summary_text(&report_of_five_agents(), AT_100), @"
        example

        #  Agent       Games  Score [95%]              Median   2048   4096   8192  CPU/move  Faults
        ────────────────────────────────────────────────────────────────────────────────────────────
        1  expectimax     40  72,686 [60,127, 88,579]  63,762  95.0%  72.5%  22.5%    820 µs       0
        2  mcts           40  27,457 [22,387, 35,254]  27,860  57.5%  12.5%     0%    966 µs       2
        3  minimax        38  21,268 [17,766, 24,641]  18,608  47.4%     0%     0%    550 µs       0
        4  snake          40   8,684 [ 7,530, 10,038]   7,774     0%     0%     0%    210 µs       1
        5  random         40   1,101 [   969,  1,274]     996     0%     0%     0%   1.19 µs       0

        expectimax beats mcts by 45,228 [23,727, 66,802], corrected p < 0.001
        mcts beats minimax by 6,416 (0, 14,821] on 38 seeds, corrected p = 0.017
        minimax beats snake by 12,751 [7,758, 17,728] on 38 seeds, corrected p < 0.001
        snake beats random by 7,582 [5,687, 9,487], corrected p < 0.001

        note: not all agents played all 40 seeds (minimax 38); pairs are compared on the seeds that both
          played
        note: mcts ended 2 of 40 games with a fault (overrun 2), which count with the score at that point;
          the first was on seed 6: the bank was empty after 1,214 µs on move 307
        note: snake ended 1 of 40 games with a fault (panic 1), which count with the score at that point;
          the first was on seed 18: the agent panicked: index out of bounds: the len is 16 but the index …
        ");
    }

    #[test]
    fn a_long_ranking_leaves_room_for_notes() {
        let mut report = report_of_five_agents();
        let part = report.budgets[0].clone();
        report.budgets.extend([part.clone(), part]);
        report.notes.truncate(1);
        report.notes.push(Note::new("the last note"));
        let text = summary_text(&report, AT_100);
        assert!(text.ends_with("the last note\n\n"), "{text}");
    }
}
