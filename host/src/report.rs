//! The report of a tournament: numbers ready to print; no formatting.

#[cfg(test)]
pub(crate) mod example;
