//! The differences between two layouts of the plugin module, in a few lines.
//!
//! `abi_stable` prints about a thousand lines for one wrong field; an author needs only
//! the field and what is wrong with it.

use std::fmt;

use abi_stable::{
    abi_stability::abi_checking::{
        AbiInstability, AbiInstabilityError, AbiInstabilityErrors, check_layout_compatibility,
    },
    type_layout::{TLFieldOrFunction, TypeLayout},
};

/// The largest number of differences shown; the remaining ones follow from them.
const MOST_SHOWN: usize = 4;

/// The differences, one per line, each starting with a line feed.
#[derive(Debug)]
pub(super) struct Differences(Vec<String>);

/// Accepts layouts that are compatible in one direction or the other: a single check
/// accepts only plugins that are at least as new as the host.
pub(super) fn check(
    ours: &'static TypeLayout,
    theirs: &'static TypeLayout,
) -> Result<(), Differences> {
    let Err(errors) = check_layout_compatibility(ours, theirs) else {
        return Ok(());
    };
    check_layout_compatibility(theirs, ours).map_err(|_| Differences(lines(&errors)))
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.0.iter().take(MOST_SHOWN) {
            write!(f, "\n  {line}")?;
        }
        match self.0.len().checked_sub(MOST_SHOWN) {
            None | Some(0) => Ok(()),
            Some(n_more) => write!(f, " (and {n_more} more)"),
        }
    }
}

fn lines(errors: &AbiInstabilityErrors) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for error in &errors.errors {
        for difference in &error.errs {
            let line = format!("{}: {}", place(error), describe(difference));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// The path to the field, as in `choose.board.cells`.
fn place(error: &AbiInstabilityError) -> String {
    let names: Vec<String> = error
        .stack_trace
        .iter()
        .map(|step| match &step.found {
            TLFieldOrFunction::Field(field) => field.name().to_owned(),
            TLFieldOrFunction::Function(function) => function.name.to_string(),
        })
        .filter(|name| !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit()))
        .collect();
    if names.is_empty() {
        "the module".to_owned()
    } else {
        names.join(".")
    }
}

fn describe(difference: &AbiInstability) -> String {
    use AbiInstability as Difference;
    match difference {
        Difference::Size(it) => format!("size, expected {}, found {}", it.expected, it.found),
        Difference::Alignment(it) => {
            format!("alignment, expected {}, found {}", it.expected, it.found)
        }
        Difference::Name(it) => shortened(&format!(
            "type, expected {}, found {}",
            it.expected, it.found
        )),
        Difference::FieldCountMismatch(it) => {
            format!(
                "number of fields, expected {}, found {}",
                it.expected, it.found
            )
        }
        Difference::MismatchedPrefixSize(it) => {
            format!(
                "number of fixed fields, expected {}, found {}",
                it.expected, it.found
            )
        }
        Difference::UnexpectedField(it) => {
            format!(
                "field, expected `{}`, found `{}`",
                it.expected.name(),
                it.found.name()
            )
        }
        Difference::MismatchedPrimitive(it) => {
            format!("type, expected {:?}, found {:?}", it.expected, it.found)
        }
        Difference::MismatchedConstParam(it) => shortened(&format!(
            "length, expected {:?}, found {:?}",
            it.expected, it.found
        )),
        other => shortened(&format!("{other:?}")),
    }
}

fn shortened(text: &str) -> String {
    const MOST_CHARACTERS: usize = 120;
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}
