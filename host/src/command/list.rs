//! `host list`: which plugins there are and what they say of themselves.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use arena2048::{
    exit_code,
    plugin_finder::PluginFinder,
    plugin_inspection::{Inspection, inspect},
    tournament::Sandbox,
    worker::Abi,
};
use plugin_api::Limits;
use serde_json::{Value, json};
use tabled::{builder::Builder, settings::Style};

use super::CommandResult;
use crate::command_line::{Format, ListArguments};

type Listed = (String, PathBuf, Result<Inspection, String>);

pub(crate) fn list(arguments: &ListArguments) -> CommandResult {
    let finder = PluginFinder::new(&arguments.plugins.folders, None);
    let listed: Vec<Listed> = finder
        .all()
        .into_iter()
        .map(|(name, path)| {
            let inspection = inspect(&path, Sandbox::On).map_err(|error| error.to_string());
            (name, path, inspection)
        })
        .collect();
    let mut out = io::stdout().lock();
    if arguments.format.format == Format::Json {
        let plugins: Vec<Value> = listed.iter().map(as_json).collect();
        let text = serde_json::to_string_pretty(&json!({ "plugins": plugins }))
            .map_err(io::Error::from)?;
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
        builder.push_record(match inspection {
            Ok(inspection) => row(name, inspection),
            Err(error) => unusable_row(name, path, error),
        });
    }
    let mut table = builder.build();
    match arguments.format.format {
        Format::Table => {
            table.with(Style::sharp());
            writeln!(out, "{table}")?;
            for (_, path, _) in &listed {
                writeln!(out, "{}", path.display())?;
            }
            if listed.is_empty() {
                writeln!(
                    out,
                    "no plugins found; see `host --help` for where they are looked for"
                )?;
            }
        }
        Format::Markdown => writeln!(out, "{}", table.with(Style::markdown()))?,
        Format::Csv => write_csv(&mut out, &listed)?,
        Format::Json => {}
    }
    Ok(exit_code::OK)
}

fn row(name: &str, inspection: &Inspection) -> Vec<String> {
    let info = &inspection.info;
    vec![
        name.to_owned(),
        info.version.clone(),
        info.author.clone(),
        info.boards.to_string(),
        budgets(inspection),
        abi(inspection).to_owned(),
        wrapped(&parameters(inspection)),
    ]
}

fn unusable_row(name: &str, path: &Path, error: &str) -> Vec<String> {
    let sentence = wrapped(&[format!("unusable: `{}` {error}", path.display())]);
    vec![
        name.to_owned(),
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
    }
}

/// One line a parameter: name, default, help.
fn parameters(inspection: &Inspection) -> Vec<String> {
    let Some(properties) = inspection.info.params["properties"].as_object() else {
        return Vec::new();
    };
    properties
        .iter()
        .map(|(name, property)| {
            let default = match &property["default"] {
                Value::Null => String::new(),
                default => format!(" = {default}"),
            };
            let help = property["description"].as_str().unwrap_or_default();
            let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
            if help.is_empty() {
                format!("{name}{default}")
            } else {
                format!("{name}{default}: {help}")
            }
        })
        .collect()
}

/// Breaks lines between words; what goes on is indented.
fn wrapped(lines: &[String]) -> String {
    const WIDTH: usize = 64;
    let mut text: Vec<String> = Vec::new();
    for line in lines {
        let mut current = String::new();
        for word in line.split_whitespace() {
            let length = current.chars().count() + 1 + word.chars().count();
            if length > WIDTH && !current.trim().is_empty() {
                text.push(std::mem::replace(&mut current, "   ".to_owned()));
            }
            if !current.is_empty() {
                current.push(' ');
            }
            current.push_str(word);
        }
        text.push(current);
    }
    text.join("\n")
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
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\"").replace('\n', " "));
    writeln!(
        out,
        "plugin,version,author,boards,budgets,abi,parameters,path"
    )?;
    for (name, path, inspection) in listed {
        let row = match inspection {
            Ok(inspection) => row(name, inspection),
            Err(error) => unusable_row(name, path, error),
        };
        let mut cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        cells.push(quoted(&path.display().to_string()));
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}
