//! The repository itself: its documents and its files.

/// A whole contest, as its page says.
mod class_of_thirty;

/// The documents: their code is compiled, their commands are run.
pub(crate) mod documentation;

/// Tournament files, fields of records, manifests, versions.
mod repository_is_tidy;
