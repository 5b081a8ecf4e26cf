//! Agents as they enter a tournament: plugins found, inspected in a worker and hashed.
//!
//! Input is a valid tournament. Output is one `Agent` per entry, or all
//! errors with their position in the tournament file.
//!
//! Imports `text`, `tournament`, `worker`.

pub mod companion_files;
pub mod entering;
pub mod extension_call;
pub mod folder_listing;
pub mod inspection;
mod name_of_file;
pub mod plugin_finder;
mod plugin_source;
pub mod tournament_entries;
