//! Text that is safe wherever it stands in the page.
//!
//! Names, parameters and the sentences of faults come from strangers: each goes
//! through here, in text and in attributes alike.

use std::fmt::{self, Write};

use crate::report::{budget_report::BudgetReport, number_text::percent_with_digits};

/// Prints a text so that a browser shows it and obeys nothing in it.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Escaped<'t>(pub(in crate::report) &'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(letter)?,
                // A document may not hold them, and nobody can read them.
                _ if letter.is_control() => f.write_char('\u{fffd}')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

/// What intervals of this part hold with: `95 %`.
pub(super) fn confidence(part: &BudgetReport) -> String {
    percent_with_digits(part.confidence.together()).replace('%', " %")
}

/// Writes markup piece by piece.
pub(in crate::report) trait Append {
    fn append(&mut self, piece: fmt::Arguments<'_>);
}

impl Append for String {
    fn append(&mut self, piece: fmt::Arguments<'_>) {
        self.write_fmt(piece)
            .expect("a text takes every piece, and no piece of the page fails to print");
    }
}

/// A figure of the page: heading, what it shows, the drawing, the numbers behind it.
pub(super) struct Figure<'f> {
    /// Unique in the page.
    pub(super) id: &'f str,
    pub(super) title: &'f str,
    /// Markup.
    pub(super) caption: &'f str,
    /// Markup.
    pub(super) chart: &'f str,
    /// Markup of a table, folded away; empty where the chart says it all.
    pub(super) table: &'f str,
}

impl fmt::Display for Figure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            id,
            title,
            caption,
            chart,
            table,
        } = self;
        write!(
            f,
            "<figure id=\"{id}\">\n<figcaption><h3>{}</h3><p>{caption}</p></figcaption>\n{chart}\n",
            Escaped(title)
        )?;
        if !table.is_empty() {
            writeln!(
                f,
                "<details><summary>The numbers</summary><div class=\"scroll\" tabindex=\"0\">{table}</div></details>"
            )?;
        }
        f.write_str("</figure>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_obeyed() {
        let hostile = "<script>alert('1')</script>\" onload=\"x & y\u{0}\u{1b}[2J";
        assert_eq!(
            Escaped(hostile).to_string(),
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onload=&quot;x &amp; y\u{fffd}\u{fffd}[2J"
        );
        assert_eq!(Escaped("größer → 2").to_string(), "größer → 2");
    }
}
