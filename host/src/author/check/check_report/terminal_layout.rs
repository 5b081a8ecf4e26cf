//! The result of a check in a terminal: a table or, where it does not fit, a block for each file.

use tabled::{
    builder::Builder,
    settings::{Padding, Style, object::Columns, style::HorizontalLine, width::Width},
};

use super::{LONGEST, plain};
use crate::text::{plugin_words::PluginWords, wrap::block};

/// A row of a table that does not fit: the file and, indented, what is known of it.
pub(super) fn file_block(row: &[String; 6], width: usize) -> String {
    let [file, name, version, author, verdict, problems] = row;
    let said = |what: &str, words: &String| match words.as_str() {
        "" => String::new(),
        words => format!("{what}: {}", PluginWords::cut(words, LONGEST)),
    };
    let details = [
        said("plugin", name),
        said("version", version),
        said("author", author),
        plain(problems),
    ];
    let details = details.iter().filter(|detail| !detail.is_empty());
    block(&format!("{file}: {verdict}"), details, Some(width))
}

/// What the line below the header is made of.
pub(super) const RULE: char = '─';
/// Its length where no width is known.
pub(super) const LONGEST_RULE: usize = 100;

/// The first characters of a text.
fn shortened(text: &str, n_characters: usize) -> &str {
    let end = text.char_indices().nth(n_characters);
    end.map_or(text, |(end, _)| &text[..end])
}

pub(super) fn laid_out(builder: Builder, width: Option<usize>) -> String {
    let mut table = builder.build();
    table.with(Style::empty().horizontals([(1, HorizontalLine::new(RULE))]));
    table.modify(Columns::new(..), Padding::new(0, 2, 0, 0));
    if let Some(width) = width {
        table.with(
            Width::wrap(width)
                .keep_words(true)
                .priority(tabled::settings::peaker::Priority::max(true)),
        );
    }
    table
        .to_string()
        .lines()
        .map(|line| {
            // In a file or pipe, rows may be very long.
            let is_rule = line.chars().all(|character| character == RULE);
            let limit = if is_rule {
                width.unwrap_or(LONGEST_RULE)
            } else {
                usize::MAX
            };
            shortened(line, limit).trim_end()
        })
        .fold(String::new(), |text, line| text + line + "\n")
}
