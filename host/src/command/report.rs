//! `host report`: the tables of a run, from its log alone.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::anyhow;
use arena2048::{
    exit_code,
    report::{
        Report, csv, json, markdown, methods,
        terminal_text::{Look, Style, terminal_text},
    },
    run_plan::RunPlan,
    run_report::{RunReport, Unfit},
};

use super::{CommandError, CommandResult};
use crate::command_line::{Format, ReportArguments};

/// How many lines of a log a warning names.
const MOST_LINES: usize = 20;

pub(crate) fn report(arguments: &ReportArguments) -> CommandResult {
    let plan = RunPlan::read(&arguments.run)
        .map_err(|error| CommandError::new(exit_code::USAGE, error))?;
    let run = report_of(&arguments.run, &plan)?;
    if let Some(file) = &arguments.html {
        let page = run.page(&arguments.run, &plan)?;
        if file == Path::new("-") {
            print(&page)?;
        } else {
            write_page(file, &page)?;
        }
    } else if arguments.methods {
        print(&methods::methods(&plan, &run.report))?;
    } else {
        print(&in_format(&run.report, arguments.format.format)?)?;
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
    let run = report_of(folder, plan)?;
    print_run(&run, folder, plan, format)
}

/// The same for a report that was made already.
pub(super) fn print_run(
    run: &RunReport,
    folder: &Path,
    plan: &RunPlan,
    format: Format,
) -> Result<u64, CommandError> {
    print(&in_format(&run.report, format)?)?;
    write_page(&folder.join("report.html"), &run.page(folder, plan)?)?;
    let agents = run.report.budgets.iter().flat_map(|part| &part.agents);
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
        // Nobody is left to be warned when the standard error output is closed.
        let _ = writeln!(
            io::stderr(),
            "warning: line {}{more} of the game log {} and is left out; `host verify` says more",
            shown.join(", "),
            unfit.sentence()
        );
    }
    Ok(run)
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
