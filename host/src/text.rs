//! Text: numbers, durations and sizes as people write them, and escaping per output format.
//!
//! Input is values and output is strings, or the other way round. No I/O.
//!
//! Imports no other folder.

pub mod byte_size;
pub mod csv_table;
pub mod duration_text;
pub mod escape;
pub mod hex;
pub mod json_text;
pub mod nearest_name;
pub mod number_text;
pub mod plugin_words;
pub mod printable;
mod quantity;
pub mod shell_word;
pub mod strangers_words;
pub mod timestamp;
pub mod word_list;
pub mod wrap;
