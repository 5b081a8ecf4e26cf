//! The repository itself: its documents, its layers, its house rules.

/// The script that checks a change leaves no process behind.
mod ci_run;

/// A whole contest, as its page says.
mod class_of_thirty;

/// The documents: their code is compiled, their commands are run.
pub(crate) mod documentation;

/// The limits of files and folders, and the names of types.
mod house_rules;

/// The order of the folders of `host/src`.
mod layers;

/// The repository itself: documents, tournaments, module docs.
mod repository_is_tidy;

/// What the documents state about the repository is compared with it.
mod stated_facts;
