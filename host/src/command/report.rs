//! `host report`: the tables or the page of a run, computed from its log.

mod contest_report;
mod figure_files;
mod pseudonym_file;

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use crate::{
    command::{
        command_line::{Format, ReportArguments, ReportFormat},
        exit_code,
    },
    report::{
        Report,
        formats::{
            csv, json, latex,
            layout::{Layout, Style},
            markdown, methods,
            terminal_text::terminal_text,
        },
        run_report::{RunReport, Unfit},
    },
    run::{atomic_file, run_files, run_plan::RunPlan},
};
use anyhow::anyhow;

use super::{CommandError, CommandResult};
use contest_report::{disguised, print_history, write_participants};
use figure_files::write_figures;

/// How many line numbers a warning lists.
const MOST_LINES: usize = 20;

pub(crate) fn report(arguments: &ReportArguments) -> CommandResult {
    let contest = &arguments.contest;
    if !contest.history.is_empty() {
        return print_history(contest, &arguments.run, arguments.format);
    }
    let plan = RunPlan::read(&arguments.run)
        .map_err(|error| CommandError::new(exit_code::USAGE, error))?;
    if let Some(folder) = &contest.participants {
        return write_participants(contest, folder, &arguments.run, &plan);
    }
    let disguised = disguised(contest, &arguments.run, &plan)?;
    let (folder, plan) = match &disguised {
        Some(hidden) => (hidden.path.as_path(), &hidden.plan),
        None => (arguments.run.as_path(), &plan),
    };
    let run = report_of(folder, plan)?;
    if let Some(file) = &arguments.html {
        let page = run.page(folder, plan)?;
        if file == Path::new("-") {
            print(&page)?;
        } else {
            write_page(file, &page)?;
        }
    } else if let Some(folder) = &arguments.figures {
        write_figures(folder, &run.figures(plan), arguments.figure_format)?;
    } else if arguments.methods {
        print(&methods::methods(plan, &run.report))?;
    } else {
        let report = &run.report;
        let format = match arguments.format {
            ReportFormat::Table => Format::Table,
            ReportFormat::Json => Format::Json,
            ReportFormat::Csv => Format::Csv,
            ReportFormat::Markdown => Format::Markdown,
            ReportFormat::Latex => {
                print(&latex::latex(report))?;
                return Ok(exit_code::OK);
            }
            ReportFormat::Bibtex => {
                let references = methods::references(plan, report);
                print(&methods::bibtex(&references))?;
                return Ok(exit_code::OK);
            }
        };
        print(&in_format(report, format)?)?;
    }
    Ok(exit_code::OK)
}

/// Prints the report after a run and writes the page into its folder; returns the number
/// of faults.
pub(super) fn print_report(
    folder: &Path,
    plan: &RunPlan,
    format: Format,
) -> Result<u64, CommandError> {
    let run = report_of(folder, plan)?;
    print_run(&run, folder, plan, format)
}

/// The same for a report that was already computed.
pub(super) fn print_run(
    run: &RunReport,
    folder: &Path,
    plan: &RunPlan,
    format: Format,
) -> Result<u64, CommandError> {
    print(&in_format(&run.report, format)?)?;
    write_page(&run_files::report_page(folder), &run.page(folder, plan)?)?;
    let agents = run.report.budgets.iter().flat_map(|part| &part.agents);
    Ok(agents.map(|agent| agent.summary.n_faults()).sum())
}

fn write_page(file: &Path, page: &str) -> Result<(), CommandError> {
    atomic_file::replace(file, page).map_err(|error| {
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!("cannot write the page `{}`: {error}", file.display()),
        )
    })
}

fn report_of(folder: &Path, plan: &RunPlan) -> io::Result<RunReport> {
    let run = RunReport::read(folder, plan)?;
    for unfit in [Unfit::NoRecord, Unfit::Repeated, Unfit::Foreign] {
        let Some(lines) = run.left_out.get(&unfit) else {
            continue;
        };
        let shown: Vec<String> = lines.iter().take(MOST_LINES).map(u64::to_string).collect();
        let more = match lines.len().checked_sub(MOST_LINES) {
            Some(n_more @ 1..) => format!(" and {n_more} more"),
            _ => String::new(),
        };
        let (noun, subject) = match lines.len() {
            1 => ("line", "it"),
            _ => ("lines", "each"),
        };
        // If stderr is closed, nobody reads the warning.
        let _ = writeln!(
            io::stderr(),
            "warning: ignored {noun} {}{more} of the game log: {subject} {}; run `host verify` for details",
            shown.join(", "),
            unfit.sentence()
        );
    }
    Ok(run)
}

fn in_format(report: &Report, format: Format) -> io::Result<String> {
    Ok(match format {
        Format::Table => terminal_text(report, layout()),
        Format::Json => json::json(report)?,
        Format::Csv => csv::csv(report),
        Format::Markdown => markdown::markdown(report),
    })
}

fn print(text: &str) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        // The reader of the pipe has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Text for a terminal has its width and may have colours; text for a file or pipe does not.
fn layout() -> Layout {
    if !io::stdout().is_terminal() {
        return Layout::default();
    }
    let (_, columns) = console::Term::stdout().size();
    let style = if std::env::var_os("NO_COLOR").is_some() {
        Style::Plain
    } else {
        Style::Coloured
    };
    Layout {
        width: Some(usize::from(columns)),
        style,
    }
}
