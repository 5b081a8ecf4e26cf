//! A column: a fact of an agent or a pair, with its key and value for programs, and its heading
//! and text for people.

use serde::{Serialize, Serializer, ser::SerializeMap};

use statistics::game_outcome::Measure;
use text::number_text::{NONE, count};

use super::grid::TextColumn;
use crate::estimate_text::{Estimate, aligned_intervals};

/// A column of a table with one row per `T`. JSON and CSV take its key and value, tables its
/// heading and text. Many columns are for only one of them.
pub(crate) struct Column<T: 'static> {
    /// The key in JSON and the header in CSV.
    pub(crate) key: &'static str,
    pub(crate) value: fn(&T) -> Value<'_>,
    heading: &'static str,
    text: Text<T>,
    /// A sentence about the column, which the page shows over the heading.
    help: &'static str,
}

/// A value as programs read it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value<'r> {
    Missing,
    Integer(u64),
    Number(f64),
    Flag(bool),
    Words(&'r str),
}

/// How people read a cell.
pub(crate) enum Text<T: 'static> {
    /// Words, aligned to the left.
    Words(fn(&T) -> String),
    /// Text with numbers, aligned to the right.
    Numbers(fn(&T) -> String),
    /// The value as a whole number.
    Count,
    /// The value, written by this function.
    Number(fn(f64) -> String),
    /// A number with its interval. The heading names the confidence.
    Estimate(fn(&T) -> (Measure, Estimate)),
}

impl<T> Column<T> {
    /// A column for programs.
    pub(crate) const fn data(key: &'static str, value: fn(&T) -> Value<'_>) -> Self {
        Self {
            key,
            value,
            heading: key,
            text: Text::Words(|_| String::new()),
            help: "",
        }
    }

    /// A column for people.
    pub(crate) const fn text(heading: &'static str, text: Text<T>, help: &'static str) -> Self {
        Self::data("", |_| Value::Missing).shown(heading, text, help)
    }

    /// The same column, in tables too.
    pub(crate) const fn shown(
        self,
        heading: &'static str,
        text: Text<T>,
        help: &'static str,
    ) -> Self {
        Self {
            heading,
            text,
            help,
            ..self
        }
    }

    /// The same column under another key.
    pub(crate) const fn keyed(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// The same column under another heading.
    pub(crate) const fn headed(self, heading: &'static str) -> Self {
        Self { heading, ..self }
    }

    /// The column of a table with these rows. `level` is the confidence of intervals, where
    /// there are any.
    pub(crate) fn of(&self, rows: &[&T], importance: u8, level: Option<&str>) -> TextColumn {
        let cells = || rows.iter().map(|row| self.cell(row));
        let column = match &self.text {
            Text::Words(_) => TextColumn::left(self.heading, importance, cells()),
            Text::Numbers(_) | Text::Count | Text::Number(_) => {
                TextColumn::right(self.heading, importance, cells())
            }
            Text::Estimate(estimate) => {
                let level = level.map(|level| format!(" [{level}]"));
                let heading = format!("{}{}", self.heading, level.unwrap_or_default());
                let estimates: Vec<_> = rows.iter().map(|row| estimate(row)).collect();
                TextColumn::left(heading, importance, aligned_intervals(&estimates))
            }
        };
        column.with_help(self.help)
    }

    /// The text of one cell by itself.
    pub(crate) fn cell(&self, row: &T) -> String {
        match (&self.text, (self.value)(row)) {
            (Text::Words(text) | Text::Numbers(text), _) => text(row),
            (Text::Count, Value::Integer(number)) => count(number),
            (Text::Number(text), Value::Number(number)) => text(number),
            (Text::Count | Text::Number(_), _) => NONE.to_owned(),
            (Text::Estimate(estimate), _) => aligned_intervals(&[estimate(row)]).concat(),
        }
    }
}

/// The columns of a row as a JSON object.
pub(crate) struct Keys<'r, T: 'static>(pub(crate) &'r T, pub(crate) &'static [Column<T>]);

impl<T> Serialize for Keys<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(row, columns) = self;
        let mut object = serializer.serialize_map(Some(columns.len()))?;
        for column in *columns {
            object.serialize_entry(column.key, &(column.value)(row))?;
        }
        object.end()
    }
}

impl Value<'_> {
    /// As a cell of a CSV file.
    pub(crate) fn csv_cell(self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Words(words) => words.to_owned(),
        }
    }
}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        Self::Integer(number)
    }
}

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        Self::Integer(number as u64)
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<'r> From<&'r str> for Value<'r> {
    fn from(words: &'r str) -> Self {
        Self::Words(words)
    }
}

impl<'r, V: Into<Value<'r>>> From<Option<V>> for Value<'r> {
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::number_text::amount;

    type Row = (Option<f64>, u64);

    const MEAN: Column<Row> = Column::<Row>::data("mean", |row| row.0.into()).shown(
        "Mean score",
        Text::Number(amount),
        "The mean score.",
    );
    const GAMES: Column<Row> =
        Column::<Row>::data("games", |row| row.1.into()).shown("Games", Text::Count, "");

    #[test]
    fn a_column_has_one_value_for_programs_and_one_text_for_people() {
        let json = |row| serde_json::to_string(&Keys(row, &[MEAN, GAMES])).unwrap();
        let csv = |row| [MEAN, GAMES].map(|column| (column.value)(row).csv_cell());
        let text = |row| [MEAN, GAMES].map(|column| column.cell(row));
        let row = (Some(1234.5), 5000);
        assert_eq!(json(&row), r#"{"mean":1234.5,"games":5000}"#);
        assert_eq!(csv(&row), ["1234.5", "5000"]);
        assert_eq!(text(&row), ["1,234", "5,000"]);
        let unknown = (None, 0);
        assert_eq!(json(&unknown), r#"{"mean":null,"games":0}"#);
        assert_eq!(csv(&unknown), ["", "0"]);
        assert_eq!(text(&unknown), [NONE, "0"]);
    }

    #[test]
    fn the_page_explains_a_heading() {
        let column = MEAN.of(&[&(Some(2.0), 1)], 1, None);
        let html = crate::tables::grid::Grid::new(vec![column]).to_html();
        let heading = r#"title="The mean score.">Mean score</th>"#;
        assert!(html.0.contains(heading), "{}", html.0);
    }
}
