//! A table that gives up columns rather than wrap.
//!
//! A column has an importance; where the terminal is narrow, the least
//! important go first. A table is the same in the terminal, in Markdown and in the page.

use tabled::{
    Table,
    builder::Builder,
    settings::{
        Alignment, Color, Padding, Style as Lines,
        object::{Columns, Rows},
        peaker::Priority,
        style::HorizontalLine,
        width::Width,
    },
};

use super::{
    html::markup::{Append, Escaped},
    terminal_text::{Look, Style},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

#[derive(Clone, Debug)]
pub(super) struct Column {
    header: String,
    pub(super) cells: Vec<String>,
    align: Align,
    /// The least important column is dropped first; `KEEP` never is.
    importance: u8,
}

/// The importance of columns without which the table says nothing.
pub(super) const KEEP: u8 = u8::MAX;

impl Column {
    /// For words.
    pub(super) fn left(
        header: impl Into<String>,
        importance: u8,
        cells: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            header: header.into(),
            cells: cells.into_iter().collect(),
            align: Align::Left,
            importance,
        }
    }

    /// For numbers.
    pub(super) fn right(
        header: impl Into<String>,
        importance: u8,
        cells: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            align: Align::Right,
            ..Self::left(header, importance, cells)
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) columns: Vec<Column>,
    /// Rows that are shown bold where there is colour.
    pub(super) bold_rows: Vec<usize>,
}

impl Grid {
    pub(super) fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            bold_rows: Vec::new(),
        }
    }

    /// Whether the whole table fits.
    pub(super) fn fits(&self, width: Option<usize>) -> bool {
        width.is_none_or(|width| self.table().total_width() <= width)
    }

    pub(super) fn to_text(&self, look: Look) -> String {
        let fitted = self.fitted(look.width);
        let mut table = fitted.table();
        if let Some(width) = look.width {
            // What no column can be given up for is cut, widest column first.
            let cut = Width::truncate(width)
                .suffix("…")
                .priority(Priority::max(true));
            table.with(cut);
        }
        if look.style == Style::Coloured {
            table.modify(Rows::first(), Color::FG_CYAN);
            for &row in &self.bold_rows {
                table.modify(Rows::one(row + 1), Color::BOLD);
            }
        }
        let text = table.to_string();
        text.lines()
            .map(str::trim_end)
            .fold(String::new(), |text, line| text + line + "\n")
    }

    pub(super) fn to_markdown(&self) -> String {
        let mut escaped = self.clone();
        for column in &mut escaped.columns {
            for text in column.cells.iter_mut().chain([&mut column.header]) {
                *text = text.replace('|', "\\|");
            }
        }
        let mut table = escaped.builder().build();
        escaped.align(&mut table);
        format!("{}\n", table.with(Lines::markdown()))
    }

    /// Markup of the whole table; what follows the name of an agent or a pair is numbers.
    pub(super) fn to_html(&self) -> String {
        let class = |column: &Column| {
            let is_figure = column.align == Align::Right || column.header.contains('[');
            if is_figure { " class=\"n\"" } else { "" }
        };
        let mut html = "<table><thead><tr>".to_owned();
        for column in &self.columns {
            let header = Escaped(&column.header);
            html.append(format_args!(
                "<th scope=\"col\"{}>{header}</th>",
                class(column)
            ));
        }
        html += "</tr></thead><tbody>\n";
        let n_rows = self.columns.first().map_or(0, |column| column.cells.len());
        for row in 0..n_rows {
            html += "<tr>";
            for column in &self.columns {
                // Padding is for terminals: here digits are aligned by the style sheet.
                let words: Vec<&str> = column.cells[row].split_whitespace().collect();
                let text = words.join(" ").replace("[ ", "[");
                html.append(format_args!("<td{}>{}</td>", class(column), Escaped(&text)));
            }
            html += "</tr>\n";
        }
        html + "</tbody></table>"
    }

    fn fitted(&self, width: Option<usize>) -> Self {
        let mut grid = self.clone();
        while !grid.fits(width) {
            let droppable = grid.columns.iter().enumerate();
            let Some((index, _)) = droppable
                .filter(|(_, column)| column.importance < KEEP)
                .min_by_key(|(_, column)| column.importance)
            else {
                break;
            };
            grid.columns.remove(index);
        }
        grid
    }

    fn builder(&self) -> Builder {
        let mut builder = Builder::new();
        for column in &self.columns {
            builder.push_column(std::iter::once(&column.header).chain(&column.cells));
        }
        builder
    }

    fn align(&self, table: &mut Table) {
        for (index, column) in self.columns.iter().enumerate() {
            let alignment = match column.align {
                Align::Left => Alignment::left(),
                Align::Right => Alignment::right(),
            };
            table.modify(Columns::one(index), alignment);
        }
    }

    fn table(&self) -> Table {
        let mut table = self.builder().build();
        let line = HorizontalLine::new('─');
        table.with(Lines::empty().horizontals([(1, line)]));
        let last = self.columns.len().saturating_sub(1);
        table.modify(Columns::new(..last), Padding::new(0, 2, 0, 0));
        table.modify(Columns::one(last), Padding::zero());
        self.align(&mut table);
        table
    }
}
