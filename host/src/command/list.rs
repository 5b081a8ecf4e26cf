//! `host list`: the plugins found, with their descriptions of themselves.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use play::agents::{
    inspection::inspect,
    plugin_finder::{PluginFinder, plugin_name},
};
use run::agent::Inspection;
use text::{
    csv_table::CsvTable,
    escape::{self, json_text},
    number_text::counted,
    plugin_words::{name_as_code, word_or_quotation},
    printable::{PrintableWriter, printable},
    program,
    shell_word::quoted,
    wrap::{block, wrapped},
};
use tournament::Sandbox;
use worker::Abi;

use crate::command::{
    command_line::{Format, ListArguments},
    exit_code,
};
use console::measure_text_width;
use plugin_api::{BoardRange, Limits};
use serde_json::{Value, json};
use tabled::{Table, builder::Builder, settings::Style};

use super::{CommandError, CommandResult, StandardOutput, stdout_width};

/// A plugin with more parameters shows only their number.
const MOST_PARAMETERS: usize = 100;

/// The most characters of a sentence of a plugin.
const MOST_CHARACTERS: usize = 400;

/// A plugin by name and file, with its description or why it is unusable.
type Listed = (String, PathBuf, Result<Inspection, String>);

pub(crate) fn list(arguments: &ListArguments) -> CommandResult {
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    let found: Vec<(String, PathBuf)> = if arguments.plugin.is_empty() {
        finder.all().into_iter().collect()
    } else {
        let named = arguments.plugin.iter();
        named
            .map(|plugin| named_plugin(&finder, plugin))
            .collect::<Result<_, _>>()?
    };
    let listed: Vec<Listed> = found
        .into_iter()
        .map(|(name, path)| {
            let inspection = inspect(&path, Sandbox::On).map_err(|error| error.to_string());
            // After a line feed in a file name, the rest would look like a line of the host.
            (printable(&name, usize::MAX), path, inspection)
        })
        .collect();
    let mut out = PrintableWriter(StandardOutput::default());
    match arguments.format.format {
        Format::Table if listed.is_empty() => writeln!(
            out,
            "no plugins found; `host --help` lists the folders that are searched"
        )?,
        Format::Table if arguments.plugin.is_empty() => {
            write!(out, "{}", overview(&listed, stdout_width()))?;
        }
        Format::Table => {
            let width = stdout_width();
            let blocks: Vec<String> = listed
                .iter()
                .map(|listed| plugin_block(listed, width))
                .collect();
            write!(out, "{}", blocks.join("\n"))?;
        }
        Format::Markdown => writeln!(out, "{}", markdown_table(&listed))?,
        Format::Csv => write_csv(&mut out, &listed)?,
        Format::Json => {
            let plugins: Vec<Value> = listed.iter().map(as_json).collect();
            let text = json_text(&json!({ "plugins": plugins })).map_err(io::Error::from)?;
            writeln!(out, "{text}")?;
        }
    }
    Ok(exit_code::OK)
}

/// A plugin given by its name or its path.
fn named_plugin(finder: &PluginFinder, plugin: &str) -> Result<(String, PathBuf), CommandError> {
    let path = PathBuf::from(plugin);
    let path = if path.is_file() {
        path
    } else {
        finder
            .find(plugin, None)
            .map_err(|error| CommandError::new(exit_code::PLUGIN, error))?
    };
    let name = plugin_name(&path).unwrap_or_else(|| plugin.to_owned());
    Ok((name, path))
}

/// One row per plugin. The last column is wrapped; on a narrow terminal it stands below the others.
fn overview(listed: &[Listed], width: Option<usize>) -> String {
    const GAP: &str = "  ";
    const NARROWEST: usize = 30;
    let heading = ["NAME", "BOARDS", "BUDGETS", "WHAT IT DOES"].map(str::to_owned);
    let rows: Vec<[String; 4]> = [heading]
        .into_iter()
        .chain(listed.iter().map(overview_row))
        .collect();
    let columns = [0, 1, 2].map(|column| {
        let cells = rows.iter().map(|row| measure_text_width(&row[column]));
        cells.max().unwrap_or(0)
    });
    let beside: usize = columns.iter().map(|column| column + GAP.len()).sum();
    let is_below = width.is_some_and(|width| width < beside + NARROWEST);
    let indent = " ".repeat(if is_below { 4 } else { beside });
    let mut text = String::new();
    for row in &rows {
        for (cell, column) in row.iter().zip(columns) {
            text += cell;
            text += &" ".repeat(column - measure_text_width(cell) + GAP.len());
        }
        if is_below {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text += &indent;
        }
        let room = width.map(|width| width.saturating_sub(indent.len()));
        text += wrapped(&row[3], "", room)
            .trim_end()
            .replace('\n', &format!("\n{indent}"))
            .as_str();
        text.truncate(text.trim_end().len());
        text += "\n";
    }
    let example = listed.iter().find(|(.., inspection)| inspection.is_ok());
    let example = example.or(listed.first()).map_or("", |(name, ..)| name);
    let hint = format!(
        "`{} list {}` shows its parameters, author and file",
        program::as_called(),
        quoted(example)
    );
    text + "\n" + &wrapped(&hint, "  ", width)
}

fn overview_row((name, path, inspection): &Listed) -> [String; 4] {
    // The name begins a line, so it must not look like words of the host.
    let name = word_or_quotation(name);
    match inspection {
        Ok(inspection) => [
            name,
            sides(inspection.info.boards),
            match budgets(inspection) {
                budgets if budgets.is_empty() => "–".to_owned(),
                budgets => budgets,
            },
            printable(&inspection.info.description, MOST_CHARACTERS),
        ],
        Err(error) => [name, String::new(), String::new(), unusable(path, error)],
    }
}

/// The sides of the boards that a plugin plays on: `2–8`, or `4`.
fn sides(boards: BoardRange) -> String {
    if boards.min == boards.max {
        boards.min.to_string()
    } else {
        format!("{}–{}", boards.min, boards.max)
    }
}

/// For a terminal: a line with the name of a plugin and, indented, what else is known of it.
fn plugin_block((name, path, inspection): &Listed, width: Option<usize>) -> String {
    let (title, details): (_, Vec<String>) = match inspection {
        Ok(inspection) => {
            let info = &inspection.info;
            let version = cell_text(&info.version);
            let said = |what: &str, words: &str| match words {
                "" => None,
                words => Some(format!("{what}{}", printable(words, MOST_CHARACTERS))),
            };
            let budgets = match budgets(inspection) {
                budgets if budgets.is_empty() => "none".to_owned(),
                budgets => budgets,
            };
            let known = [
                said("", &info.description),
                Some(format!("boards: {}", info.boards)),
                Some(format!("budgets: {budgets}")),
                said("author: ", &info.author),
                Some(format!("ABI: {}", abi(inspection))),
                Some(format!("file: {}", name_as_code(&path.to_string_lossy()))),
            ];
            let parameters = parameters(inspection);
            let heading = match parameters.len() {
                0 => None,
                _ => Some("parameters, set with `params` in a tournament file:".to_owned()),
            };
            let known = known.into_iter().flatten();
            (
                name_as_code(format!("{name} {version}").trim_end()),
                known.chain(heading).chain(parameters).collect(),
            )
        }
        Err(error) => (name_as_code(name), vec![unusable(path, error)]),
    };
    block(&title, &details, width)
}

fn markdown_table(listed: &[Listed]) -> Table {
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
    for listed in listed {
        builder.push_record(row(listed).iter().map(|cell| escape::markdown(cell)));
    }
    let mut table = builder.build();
    table.with(Style::markdown());
    table
}

/// The cells of a plugin's row in a table.
fn row((name, path, inspection): &Listed) -> [String; 7] {
    match inspection {
        Ok(inspection) => {
            let info = &inspection.info;
            [
                cell_text(name),
                cell_text(&info.version),
                cell_text(&info.author),
                info.boards.to_string(),
                budgets(inspection),
                abi(inspection).to_owned(),
                parameters(inspection).join("; "),
            ]
        }
        Err(error) => {
            let mut cells = [const { String::new() }; 7];
            cells[0] = cell_text(name);
            cells[6] = unusable(path, error);
            cells
        }
    }
}

fn unusable(path: &Path, error: &str) -> String {
    format!(
        "unusable: {} {error}",
        name_as_code(&path.to_string_lossy())
    )
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
                Some(help) => format!("{line}: {}", printable(help, MOST_CHARACTERS)),
            }
        });
    let n_more = properties.len().saturating_sub(MOST_PARAMETERS);
    let more = (n_more > 0).then(|| format!("… and {}", counted(n_more as u64, "more parameter")));
    lines.chain(more).collect()
}

/// What a plugin says of itself, for a cell that is not quoted: short, and without characters that
/// draw tables, with which it could add cells.
fn cell_text(text: &str) -> String {
    const MOST_CHARACTERS: usize = 60;
    let is_line = |c: char| matches!(c, '\u{2500}'..='\u{257f}');
    printable(text, MOST_CHARACTERS).replace(is_line, "|")
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
    for listed in listed {
        let path = listed.1.display().to_string();
        let cells = row(listed).into_iter().chain([path]);
        table.push(cells.map(|cell| cell.replace('\n', " ")))?;
    }
    table.flush()
}
