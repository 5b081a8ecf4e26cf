//! `host report`: the tables of a run, from its log alone.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::anyhow;
use arena2048::{
    exit_code,
    game_log::{self, LogLine},
    game_record::GameRecord,
    report::{
        Report, csv,
        html::Page,
        json, markdown, methods,
        terminal_text::{Look, Style, terminal_text},
    },
    run_plan::RunPlan,
    statistics::agent_summary::Luck,
};

use super::{CommandError, CommandResult};
use crate::command_line::{Format, ReportArguments};

pub(crate) fn report(arguments: &ReportArguments) -> CommandResult {
    let plan = RunPlan::read(&arguments.run)
        .map_err(|error| CommandError::new(exit_code::USAGE, error))?;
    let (report, records) = report_of(&arguments.run, &plan)?;
    if let Some(file) = &arguments.html {
        let page = page_of(&arguments.run, &plan, &report, &records)?;
        if file == Path::new("-") {
            print(&page)?;
        } else {
            write_page(file, &page)?;
        }
    } else if arguments.methods {
        print(&methods::methods(&plan, &report))?;
    } else {
        print(&in_format(&report, arguments.format.format)?)?;
    }
    Ok(exit_code::OK)
}

/// Prints after a run what `host report` prints later and leaves the page in the
/// run's folder; returns the number of faults.
pub(super) fn print_report(
    folder: &Path,
    plan: &RunPlan,
    format: Format,
) -> Result<u64, CommandError> {
    let (report, records) = report_of(folder, plan)?;
    print(&in_format(&report, format)?)?;
    let page = page_of(folder, plan, &report, &records)?;
    write_page(&folder.join("report.html"), &page)?;
    let agents = report.budgets.iter().flat_map(|part| &part.agents);
    Ok(agents.map(|agent| agent.summary.n_faults()).sum())
}

/// The records are kept without their moves, so those of the few games that the page
/// replays are read once more.
fn page_of(
    folder: &Path,
    plan: &RunPlan,
    report: &Report,
    records: &[GameRecord],
) -> Result<String, CommandError> {
    let page = Page::new(report, plan, records);
    let wanted = page.games_to_replay();
    let replayed = if wanted.is_empty() {
        Vec::new()
    } else {
        game_log::read_games(&folder.join("games.jsonl"), |game| wanted.contains(&game))?
    };
    Ok(page.html(&replayed))
}

/// In one step: either the old page is there or the whole new one.
fn write_page(file: &Path, page: &str) -> Result<(), CommandError> {
    let mut new = file.as_os_str().to_owned();
    new.push(".new");
    let written = fs::write(&new, page).and_then(|()| fs::rename(&new, file));
    written.map_err(|error| {
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!("the page `{}` cannot be written: {error}", file.display()),
        )
    })
}

fn report_of(folder: &Path, plan: &RunPlan) -> Result<(Report, Vec<GameRecord>), CommandError> {
    let input = plan.report_input();
    let mut records: Vec<GameRecord> = Vec::new();
    let mut unreadable = Vec::new();
    game_log::read(&folder.join("games.jsonl"), |number, line| match line {
        LogLine::Record(record) => records.push(figures_of(*record, input.luck)),
        LogLine::Malformed { .. } | LogLine::CutOff { .. } => unreadable.push(number),
    })?;
    if !unreadable.is_empty() {
        let lines: Vec<String> = unreadable.iter().map(u64::to_string).collect();
        // Nobody is left to be warned when the standard error output is closed.
        let _ = writeln!(
            io::stderr(),
            "warning: line {} of the game log holds no record and is left out; `host verify` says more",
            lines.join(", ")
        );
    }
    let report = Report::new(&input, &records).with_evidence_of(folder);
    Ok((report, records))
}

/// A record without what no table shows, so that a hundred thousand fit into memory.
/// Without luck the moves tell which games are the same; a fault is shown with its board.
fn figures_of(mut record: GameRecord, luck: Luck) -> GameRecord {
    if luck == Luck::Random {
        record.moves = String::new();
    }
    if !record.ending.is_fault() {
        record.board = Vec::new();
        record.fingerprint = String::new();
    }
    record
}

fn in_format(report: &Report, format: Format) -> io::Result<String> {
    Ok(match format {
        Format::Table => terminal_text(report, look()),
        Format::Json => json::json(report)?,
        Format::Csv => csv::csv(report),
        Format::Markdown => markdown::markdown(report),
    })
}

fn print(text: &str) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        // Whoever read it has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// A terminal is fitted to its width and may have colours; a file or pipe has neither.
fn look() -> Look {
    if !io::stdout().is_terminal() {
        return Look::default();
    }
    let (_, columns) = console::Term::stdout().size();
    let style = if std::env::var_os("NO_COLOR").is_some() {
        Style::Plain
    } else {
        Style::Coloured
    };
    Look {
        width: Some(usize::from(columns)),
        style,
    }
}
