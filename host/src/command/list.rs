//! `host list`: the plugins found, with their descriptions of themselves.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    agents::{
        inspection::{Inspection, inspect},
        plugin_finder::PluginFinder,
    },
    command::{
        command_line::{Format, ListArguments},
        exit_code,
    },
    text::{
        csv_table::CsvTable,
        escape,
        json_text::json_text,
        number_text::counted,
        plugin_words::{PluginWords, name_as_code},
        printable::{PrintableWriter, printable, printable_lines},
        wrap::wrapped,
    },
    tournament::Sandbox,
    worker::Abi,
};
use plugin_api::Limits;
use serde_json::{Value, json};
use tabled::{builder::Builder, settings::Style};

use super::CommandResult;

/// Of more parameters only the number is shown.
const MOST_PARAMETERS: usize = 100;

/// A plugin by name and file, with its description or why it is unusable.
type Listed = (String, PathBuf, Result<Inspection, String>);

pub(crate) fn list(arguments: &ListArguments) -> CommandResult {
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    let listed: Vec<Listed> = finder
        .all()
        .into_iter()
        .map(|(name, path)| {
            let inspection = inspect(&path, Sandbox::On).map_err(|error| error.to_string());
            // A line feed in the name of a file would begin a line that looks like ours.
            (printable(&name, usize::MAX), path, inspection)
        })
        .collect();
    let mut out = PrintableWriter(io::stdout().lock());
    if arguments.format.format == Format::Json {
        let plugins: Vec<Value> = listed.iter().map(as_json).collect();
        let text = json_text(&json!({ "plugins": plugins })).map_err(io::Error::from)?;
        writeln!(out, "{text}")?;
        return Ok(exit_code::OK);
    }
    let mut builder = Builder::default();
    builder.push_record([
        "plugin",
        "version",
        "author",
        "boards",
        "budgets",
        "ABI",
        "parameters",
    ]);
    for (name, path, inspection) in &listed {
        let row = match inspection {
            Ok(inspection) => row(name, inspection, in_cell),
            Err(error) => unusable_row(name, in_cell(&[unusable(path, error)])),
        };
        builder.push_record(row.iter().map(|cell| match arguments.format.format {
            Format::Markdown => escape::markdown(cell),
            _ => printable_lines(cell),
        }));
    }
    let mut table = builder.build();
    match arguments.format.format {
        Format::Table => {
            table.with(Style::sharp());
            writeln!(out, "{table}")?;
            for (_, path, _) in &listed {
                writeln!(out, "{}", name_as_code(&path.to_string_lossy()))?;
            }
            if listed.is_empty() {
                writeln!(
                    out,
                    "no plugins found; `host --help` lists the folders that are searched"
                )?;
            }
        }
        Format::Markdown => writeln!(out, "{}", table.with(Style::markdown()))?,
        Format::Csv => write_csv(&mut out, &listed)?,
        Format::Json => {}
    }
    Ok(exit_code::OK)
}

fn row(name: &str, inspection: &Inspection, in_cell: fn(&[String]) -> String) -> Vec<String> {
    let info = &inspection.info;
    vec![
        cell_text(name),
        cell_text(&info.version),
        cell_text(&info.author),
        info.boards.to_string(),
        budgets(inspection),
        abi(inspection).to_owned(),
        in_cell(&parameters(inspection)),
    ]
}

fn unusable(path: &Path, error: &str) -> String {
    format!(
        "unusable: {} {error}",
        name_as_code(&path.to_string_lossy())
    )
}

fn unusable_row(name: &str, sentence: String) -> Vec<String> {
    vec![
        cell_text(name),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        sentence,
    ]
}

fn budgets(inspection: &Inspection) -> String {
    let names: Vec<&str> = inspection
        .info
        .honours
        .iter()
        .map(|limits| match limits {
            Limits::Time => "time",
            Limits::Nodes => "nodes",
        })
        .collect();
    names.join(", ")
}

fn abi(inspection: &Inspection) -> &'static str {
    match inspection.abi {
        Abi::Rust => "Rust",
        Abi::C => "C",
        Abi::Text => "text",
    }
}

/// One line per parameter: name, default and help.
fn parameters(inspection: &Inspection) -> Vec<String> {
    let Some(properties) = inspection.info.params["properties"].as_object() else {
        return Vec::new();
    };
    let lines = properties
        .iter()
        .take(MOST_PARAMETERS)
        .map(|(name, property)| {
            let default = match &property["default"] {
                Value::Null => String::new(),
                default => format!(" = {default}"),
            };
            let line = name_as_code(&format!("{name}{default}"));
            match property["description"].as_str() {
                None | Some("") => line,
                Some(help) => format!("{line}: {}", PluginWords::new(help)),
            }
        });
    let n_more = properties.len().saturating_sub(MOST_PARAMETERS);
    let more = (n_more > 0).then(|| format!("… and {}", counted(n_more as u64, "more parameter")));
    lines.chain(more).collect()
}

/// What a plugin says of itself in a cell that is not quoted: short, and without the lines that
/// tables are drawn with, which would make cells of its own.
fn cell_text(text: &str) -> String {
    const LONGEST: usize = 60;
    let is_line = |c: char| matches!(c, '\u{2500}'..='\u{257f}');
    printable(text, LONGEST).replace(is_line, "|")
}

/// Wraps each line; continuation lines are indented.
fn in_cell(lines: &[String]) -> String {
    const WIDTH: usize = 64;
    let wrapped = lines.iter().map(|line| wrapped(line, "    ", Some(WIDTH)));
    wrapped.collect::<String>().trim_end().to_owned()
}

fn as_json((name, path, inspection): &Listed) -> Value {
    match inspection {
        Ok(inspection) => json!({
            "plugin": name,
            "path": path,
            "abi": inspection.abi,
            "info": inspection.info,
        }),
        Err(error) => json!({ "plugin": name, "path": path, "error": error }),
    }
}

fn write_csv(out: &mut impl Write, listed: &[Listed]) -> io::Result<()> {
    let mut table = CsvTable::new(
        out,
        [
            "plugin",
            "version",
            "author",
            "boards",
            "budgets",
            "abi",
            "parameters",
            "path",
        ],
    )?;
    for (name, path, inspection) in listed {
        let mut row = match inspection {
            Ok(inspection) => row(name, inspection, |lines| lines.join("; ")),
            Err(error) => unusable_row(name, unusable(path, error)),
        };
        row.push(path.display().to_string());
        table.push(row.iter().map(|cell| cell.replace('\n', " ")))?;
    }
    table.flush()
}
