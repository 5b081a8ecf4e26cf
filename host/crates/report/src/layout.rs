//! The layout of text for a terminal: its width and whether it has colours.

/// How text is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the terminal; `None` for a file or a pipe.
    pub width: Option<usize>,
    pub style: Style,
}

/// Colours only repeat what the words say, so nothing is lost without them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    #[default]
    Plain,
    Coloured,
}
