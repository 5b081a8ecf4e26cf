//! Agents as they enter a tournament: plugins found, inspected in a worker and hashed.
//!
//! A tournament with plugin names enters; one `Agent` per entry leaves, or all errors with their
//! position in the tournament file.

pub mod companion_files;
pub mod entering;
pub mod extension_call;
pub mod folder_listing;
pub mod inspection;
mod parameter_lists;
pub mod plugin_finder;
pub mod solved;
