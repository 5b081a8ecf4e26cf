//! Text: numbers, durations and sizes as people write them, and escaping for each output format.
//!
//! Values and strings of unknown origin enter; strings that are safe to print leave. Parsers do the
//! opposite. No I/O.
//!
//! Start with [`number_text`] (how numbers are rounded) and [`plugin_words`] (how the words of a
//! plugin are quoted).

pub mod byte_size;
pub mod csv_table;
pub mod duration_text;
pub mod escape;
pub mod hex;
pub mod label;
pub mod listing;
pub mod names;
pub mod number_text;
pub mod plugin_words;
pub mod printable;
pub mod program;
mod quantity;
pub mod shell_word;
pub mod strangers_words;
pub mod timestamp;
pub mod wrap;
