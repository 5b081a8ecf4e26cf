//! A table that drops columns instead of wrapping.
//!
//! Every column has an importance; on a narrow terminal the least important columns are dropped.
//! The terminal, Markdown, LaTeX and the page show the same table.

use maud::{Markup, html};
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

use text::escape;

use crate::layout::{Layout, Style};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A column with its texts.
#[derive(Clone, Debug)]
pub(crate) struct TextColumn {
    header: String,
    pub(crate) cells: Vec<String>,
    align: Align,
    /// The least important column is dropped first; `KEEP` never is.
    importance: u8,
    /// A sentence about the column, which the page shows over the heading; may be empty.
    help: &'static str,
}

/// The importance of columns that the table cannot do without.
pub(crate) const KEEP: u8 = u8::MAX;

impl TextColumn {
    /// For words.
    pub(crate) fn left(
        header: impl Into<String>,
        importance: u8,
        cells: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            header: header.into(),
            cells: cells.into_iter().collect(),
            align: Align::Left,
            importance,
            help: "",
        }
    }

    /// For numbers.
    pub(crate) fn right(
        header: impl Into<String>,
        importance: u8,
        cells: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            align: Align::Right,
            ..Self::left(header, importance, cells)
        }
    }

    pub(crate) fn with_header(self, header: String) -> Self {
        Self { header, ..self }
    }

    pub(crate) fn with_help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) columns: Vec<TextColumn>,
    /// Rows in bold where there is colour.
    pub(crate) bold_rows: Vec<usize>,
}

impl Grid {
    pub(crate) fn new(columns: Vec<TextColumn>) -> Self {
        Self {
            columns,
            bold_rows: Vec::new(),
        }
    }

    /// Whether the whole table fits.
    pub(crate) fn fits(&self, width: Option<usize>) -> bool {
        width.is_none_or(|width| self.table().total_width() <= width)
    }

    pub(crate) fn to_text(&self, layout: Layout) -> String {
        let fitted = self.fitted(layout.width);
        let mut table = fitted.table();
        if let Some(width) = layout.width {
            // The remaining columns are cut, the widest first.
            let cut = Width::truncate(width)
                .suffix("…")
                .priority(Priority::max(true));
            table.with(cut);
        }
        if layout.style == Style::Coloured {
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

    pub(crate) fn to_markdown(&self) -> String {
        let mut escaped = self.clone();
        for column in &mut escaped.columns {
            for text in column.cells.iter_mut().chain([&mut column.header]) {
                *text = escape::markdown(text);
            }
        }
        let mut table = escaped.builder().build();
        escaped.align(&mut table);
        format!("{}\n", table.with(Lines::markdown()))
    }

    /// The whole table with the rules of the package `booktabs`.
    pub(crate) fn to_latex(&self) -> String {
        let alignment: String = self
            .columns
            .iter()
            .map(|column| match column.align {
                Align::Left => 'l',
                Align::Right => 'r',
            })
            .collect();
        let row_of = |text: &dyn Fn(&TextColumn) -> String| {
            let cells: Vec<String> = self
                .columns
                .iter()
                .map(|c| escape::latex(&text(c)))
                .collect();
            format!("  {} \\\\\n", cells.join(" & "))
        };
        let rows: String = (0..self.n_rows())
            .map(|row| row_of(&|column| without_padding(&column.cells[row])))
            .collect();
        let header = row_of(&|column| column.header.clone());
        format!(
            "\\begin{{tabular}}{{{alignment}}}\n  \\toprule\n{header}  \\midrule\n{rows}  \
             \\bottomrule\n\\end{{tabular}}\n"
        )
    }

    /// The whole table; columns of numbers are aligned to the right by the style sheet.
    pub(crate) fn to_html(&self) -> Markup {
        let class = |column: &TextColumn| {
            let is_figure = column.align == Align::Right || column.header.contains('[');
            is_figure.then_some("n")
        };
        let help = |column: &TextColumn| (!column.help.is_empty()).then_some(column.help);
        html! {
            table {
                thead {
                    tr {
                        @for column in &self.columns {
                            th scope="col" class=[class(column)] title=[help(column)] {
                                (column.header)
                            }
                        }
                    }
                }
                tbody {
                    @for row in 0..self.n_rows() {
                        tr {
                            @for column in &self.columns {
                                td class=[class(column)] { (without_padding(&column.cells[row])) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The same table with its rows as columns. The cells of the first column become headings, all
    /// others numbers; `corner` is the heading of the headings.
    pub(crate) fn transposed(&self, corner: &str) -> Self {
        let (first, others) = self.columns.split_first().expect("a column of names");
        let headings = others.iter().map(|column| column.header.clone());
        let mut columns = vec![TextColumn::left(corner, KEEP, headings)];
        columns.extend(first.cells.iter().enumerate().map(|(row, name)| {
            let importance = KEEP.saturating_sub(u8::try_from(row + 1).unwrap_or(KEEP));
            let cells = others.iter().map(|column| column.cells[row].clone());
            TextColumn::right(name.clone(), importance, cells)
        }));
        Self::new(columns)
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// Without the least important columns that do not fit.
    pub(crate) fn fitted(&self, width: Option<usize>) -> Self {
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

/// Padding aligns digits in a terminal only.
fn without_padding(cell: &str) -> String {
    let words: Vec<&str> = cell.split_whitespace().collect();
    words.join(" ").replace("[ ", "[").replace("( ", "(")
}
