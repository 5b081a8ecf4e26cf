//! Reads `seeds`: a number, a range, or a list of both.

use super::{
    diagnostic::Diagnostic, mapping_reader::MappingReader, node::Node, value::LocatedValue,
};
use crate::{SeedError, SeedRange, SeedSet};

pub(super) const DEFAULT_SEEDS: &str = "1..20";

/// The seeds; an error in a list item is shown at that item.
pub(super) fn read_seeds(reader: &mut MappingReader) -> SeedSet {
    let default: SeedSet = DEFAULT_SEEDS.parse().expect("the default seeds are valid");
    let Some(value) = reader.get("seeds") else {
        return default;
    };
    let Node::List(items) = value.node else {
        let read = |value: &LocatedValue| {
            let text = value.text()?;
            text.parse().map_err(|error: SeedError| error.to_string())
        };
        return reader.read("seeds", default, read);
    };
    let mut ranges: Vec<SeedRange> = Vec::new();
    for (index, node) in items.iter().enumerate() {
        let item = LocatedValue {
            node,
            path: value.path.index(index),
            source: value.source,
        };
        let range = item
            .text()
            .and_then(|text| text.parse().map_err(|error: SeedError| error.to_string()));
        match range {
            Ok(range) => ranges.push(range),
            Err(message) => reader
                .diagnostics()
                .push(Diagnostic::at_value(&item.path, message)),
        }
    }
    if ranges.len() < items.len() {
        return default;
    }
    SeedSet::new(ranges).unwrap_or_else(|error| {
        let path = match error {
            SeedError::Twice { other_index, .. } => value.path.index(other_index),
            _ => value.path,
        };
        reader
            .diagnostics()
            .push(Diagnostic::at_value(&path, error.to_string()));
        default
    })
}
