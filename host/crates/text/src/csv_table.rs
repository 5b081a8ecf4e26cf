//! A table as CSV (RFC 4180): the only place that writes cells of a CSV file.
//!
//! Cells may contain text from plugins. A spreadsheet would evaluate a cell that begins like a
//! formula, and a terminal would obey control characters.

use std::{borrow::Cow, io};

use super::printable::{is_harmful, printable_lines};

/// A header line and records with the same number of cells.
#[derive(Debug)]
pub struct CsvTable<W: io::Write>(csv::Writer<W>);

impl<W: io::Write> CsvTable<W> {
    /// Starts a table with its header line.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn new<C: AsRef<str>>(out: W, header: impl IntoIterator<Item = C>) -> io::Result<Self> {
        let mut table = Self(csv::Writer::from_writer(out));
        table.push(header)?;
        Ok(table)
    }

    /// Adds one record. Cells are quoted where they need it; an apostrophe, which
    /// spreadsheets do not show, goes before text that begins like a formula.
    ///
    /// # Errors
    /// When `out` cannot be written, or the number of cells is not that of the header.
    pub fn push<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> io::Result<()> {
        for cell in cells {
            self.0.write_field(inert(cell.as_ref()).as_ref())?;
        }
        self.0.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Writes what is still buffered, so that readers see every record pushed so far.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The text of a cell that no program obeys.
fn inert(cell: &str) -> Cow<'_, str> {
    const FORMULA_STARTS: [char; 11] =
        ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let is_number = || {
        let is_part = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
        cell.bytes().all(is_part) && cell.parse::<f64>().is_ok()
    };
    let shown = || printable_lines(cell);
    if cell.starts_with(FORMULA_STARTS) && !is_number() {
        Cow::Owned(format!("'{}", shown()))
    } else if cell.contains(is_harmful) {
        Cow::Owned(shown())
    } else {
        Cow::Borrowed(cell)
    }
}

/// A whole table as a string.
///
/// # Panics
/// When a record does not have as many cells as the header.
pub fn csv_text<C: AsRef<str>, R: IntoIterator<Item = C>>(
    header: impl IntoIterator<Item = C>,
    records: impl IntoIterator<Item = R>,
) -> String {
    let mut text = Vec::new();
    let mut table = CsvTable::new(&mut text, header).expect("memory takes every record");
    for record in records {
        table
            .push(record)
            .expect("every record has the cells of the header");
    }
    table.flush().expect("memory takes every record");
    drop(table);
    String::from_utf8(text).expect("cells are UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_need_it() {
        let text = csv_text(
            ["agent", "note"],
            [["plain", ""], ["depth 4, \"fast\"", "two\nlines"]],
        );
        assert_eq!(
            text,
            "agent,note\nplain,\n\"depth 4, \"\"fast\"\"\",\"two\nlines\"\n"
        );
    }

    #[test]
    fn no_cell_begins_like_a_formula_and_numbers_stay_numbers() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("+1|cmd", "'+1|cmd"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "' =1"),
            ("\r=1", "' =1"),
            ("-12.5", "-12.5"),
            ("+1e-3", "+1e-3"),
            ("a=1", "a=1"),
            ("\u{1b}[2J", " [2J"),
        ] {
            assert_eq!(csv_text(["x"], [[cell]]), format!("x\n{written}\n"));
        }
    }

    #[test]
    fn a_record_of_the_wrong_length_is_an_error() {
        let mut table = CsvTable::new(Vec::new(), ["a", "b"]).unwrap();
        assert!(table.push(["1"]).is_err());
    }
}
