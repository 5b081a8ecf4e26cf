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
        Report, csv, html, json, markdown,
        terminal_text::{Look, Style, long_text, short_text},
    },
    run_plan::RunPlan,
};

use super::{CommandError, CommandResult};
use crate::command_line::{Format, ReportArguments};

pub(crate) fn report(arguments: &ReportArguments) -> CommandResult {
    let plan = RunPlan::read(&arguments.run)
        .map_err(|error| CommandError::new(exit_code::USAGE, error))?;
    let records = records_of(&arguments.run)?;
    let report = Report::new(&plan.report_input(), &records);
    match arguments.html.as_deref() {
        Some(file) if file == Path::new("-") => print_text(&html::html(&report, &plan, &records))?,
        Some(file) => write_page(file, &html::html(&report, &plan, &records))?,
        None => print(&report, arguments.format.format, long_text)?,
    }
    Ok(exit_code::OK)
}

/// Prints what a person wants to see after a run and leaves the page in its folder;
/// returns the number of faults.
pub(super) fn print_report(
    folder: &Path,
    plan: &RunPlan,
    format: Format,
) -> Result<u64, CommandError> {
    let records = records_of(folder)?;
    let report = Report::new(&plan.report_input(), &records);
    print(&report, format, short_text)?;
    write_page(
        &folder.join("report.html"),
        &html::html(&report, plan, &records),
    )?;
    let agents = report.budgets.iter().flat_map(|part| &part.agents);
    Ok(agents.map(|agent| agent.summary.n_faults()).sum())
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

fn records_of(folder: &Path) -> Result<Vec<GameRecord>, CommandError> {
    let mut records: Vec<GameRecord> = Vec::new();
    let mut unreadable = Vec::new();
    game_log::read(&folder.join("games.jsonl"), |number, line| match line {
        LogLine::Record(record) => records.push(*record),
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
    Ok(records)
}

fn print(
    report: &Report,
    format: Format,
    text: impl Fn(&Report, Look) -> String,
) -> Result<(), CommandError> {
    let text = match format {
        Format::Table => text(report, look()),
        Format::Json => json::json(report).map_err(io::Error::from)? + "\n",
        Format::Csv => csv::csv(report),
        Format::Markdown => markdown::markdown(report),
    };
    print_text(&text)
}

fn print_text(text: &str) -> Result<(), CommandError> {
    match io::stdout().write_all(text.as_bytes()) {
        // Whoever read it has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
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
