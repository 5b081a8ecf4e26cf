//! The formats that commands can print or write their results in.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct FormatArgument {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Table,
    Json,
    Csv,
    Markdown,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    #[default]
    Table,
    Json,
    Csv,
    Markdown,
    Latex,
}

/// The format of the charts of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureFormat {
    Svg,
    Pdf,
    Png,
}

impl FigureFormat {
    /// The extension of files of this format, which is also the converter's name for it.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Png => "png",
        }
    }
}
