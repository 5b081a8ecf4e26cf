//! `host list`: the plugins found, with their descriptions of themselves.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use play::agents::{inspection::inspect, plugin_finder::PluginFinder};
use run::agent::Inspection;
use text::{
    csv_table::CsvTable,
    escape::{self, json_text},
    number_text::counted,
    plugin_words::{PluginWords, name_as_code},
    printable::{PrintableWriter, printable},
    wrap::block,
};
use tournament::Sandbox;
use worker::Abi;

use crate::command::{
    command_line::{Format, ListArguments},
    exit_code,
};
use plugin_api::Limits;
use serde_json::{Value, json};
use tabled::{Table, builder::Builder, settings::Style};

use super::{CommandResult, StandardOutput, stdout_width};

/// A plugin with more parameters shows only their number.
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

/// For a terminal: a line with the name of a plugin and, indented, what else is known of it.
fn plugin_block((name, path, inspection): &Listed, width: Option<usize>) -> String {
    let (title, details): (_, Vec<String>) = match inspection {
        Ok(inspection) => {
            let info = &inspection.info;
            let author = match info.author.as_str() {
                "" => String::new(),
                author => format!(" by {}", PluginWords::new(author)),
            };
            let description = match info.description.as_str() {
                "" => None,
                description => Some(PluginWords::new(description).to_string()),
            };
            let known = [
                format!("boards: {}", info.boards),
                match budgets(inspection).as_str() {
                    "" => "budgets: none".to_owned(),
                    budgets => format!("budgets: {budgets}"),
                },
                format!("ABI: {}", abi(inspection)),
                format!("file: {}", name_as_code(&path.to_string_lossy())),
            ];
            let version = cell_text(&info.version);
            let title = name_as_code(format!("{name} {version}").trim_end()) + &author;
            let details = description.into_iter().chain(known);
            (title, details.chain(parameters(inspection)).collect())
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
                Some(help) => format!("{line}: {}", PluginWords::new(help)),
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
