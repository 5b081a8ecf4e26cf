//! The sources of the methods, as a list and as BibTeX.

use std::fmt::Write;

use crate::text::{word_list::list, wrap::wrapped};

/// A paper or a book. Sources are sorted by their key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    key: &'static str,
    kind: SourceKind,
    /// Joined with `and`.
    authors: &'static str,
    title: &'static str,
    /// The journal, the proceedings or the publisher.
    place: &'static str,
    /// Empty for a book.
    volume: &'static str,
    pages: &'static str,
    year: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SourceKind {
    Article,
    Book,
    Proceedings,
}

impl Reference {
    pub(super) const BARTROFF: Self = Self {
        key: "bartroff2014",
        kind: SourceKind::Article,
        authors: "Jay Bartroff and Jinlin Song",
        title: "Sequential Tests of Multiple Hypotheses Controlling Type I and II Familywise Error Rates",
        place: "Journal of Statistical Planning and Inference",
        volume: "153",
        pages: "100-114",
        year: 2014,
    };
    pub(super) const DAVISON: Self = Self {
        key: "davison1997",
        kind: SourceKind::Book,
        authors: "A. C. Davison and D. V. Hinkley",
        title: "Bootstrap Methods and Their Application",
        place: "Cambridge University Press",
        volume: "",
        pages: "",
        year: 1997,
    };
    pub(super) const DE_LA_PENA: Self = Self {
        key: "delapena1999",
        kind: SourceKind::Article,
        authors: "Victor H. de la Pena",
        title: "A General Class of Exponential Inequalities for Martingales and Ratios",
        place: "The Annals of Probability",
        volume: "27",
        pages: "537-564",
        year: 1999,
    };
    pub(super) const EFRON: Self = Self {
        key: "efron1981",
        kind: SourceKind::Article,
        authors: "Bradley Efron",
        title: "Nonparametric Standard Errors and Confidence Intervals",
        place: "The Canadian Journal of Statistics",
        volume: "9",
        pages: "139-158",
        year: 1981,
    };
    pub(super) const FISHER: Self = Self {
        key: "fisher1935",
        kind: SourceKind::Book,
        authors: "Ronald A. Fisher",
        title: "The Design of Experiments",
        place: "Oliver and Boyd",
        volume: "",
        pages: "",
        year: 1935,
    };
    pub(super) const HALL: Self = Self {
        key: "hall1992",
        kind: SourceKind::Article,
        authors: "Peter Hall",
        title: "On the Removal of Skewness by Transformation",
        place: "Journal of the Royal Statistical Society, Series B",
        volume: "54",
        pages: "221-228",
        year: 1992,
    };
    pub(super) const HOWARD: Self = Self {
        key: "howard2021",
        kind: SourceKind::Article,
        authors: "Steven R. Howard and Aaditya Ramdas and Jon McAuliffe and Jasjeet Sekhon",
        title: "Time-Uniform, Nonparametric, Nonasymptotic Confidence Sequences",
        place: "The Annals of Statistics",
        volume: "49",
        pages: "1055-1080",
        year: 2021,
    };
    pub(super) const MARON: Self = Self {
        key: "maron1994",
        kind: SourceKind::Proceedings,
        authors: "Oded Maron and Andrew W. Moore",
        title: "Hoeffding Races: Accelerating Model Selection Search for Classification and Function Approximation",
        place: "Advances in Neural Information Processing Systems",
        volume: "6",
        pages: "59-66",
        year: 1994,
    };
    pub(super) const MOGSTAD: Self = Self {
        key: "mogstad2024",
        kind: SourceKind::Article,
        authors: "Magne Mogstad and Joseph P. Romano and Azeem M. Shaikh and Daniel Wilhelm",
        title: "Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic Achievement across Countries",
        place: "The Review of Economic Studies",
        volume: "91",
        pages: "476-518",
        year: 2024,
    };
    pub(super) const ROMANO: Self = Self {
        key: "romano2005",
        kind: SourceKind::Article,
        authors: "Joseph P. Romano and Michael Wolf",
        title: "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing",
        place: "Journal of the American Statistical Association",
        volume: "100",
        pages: "94-108",
        year: 2005,
    };
    pub(super) const SCHUIRMANN: Self = Self {
        key: "schuirmann1987",
        kind: SourceKind::Article,
        authors: "Donald J. Schuirmann",
        title: "A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing the Equivalence of Average Bioavailability",
        place: "Journal of Pharmacokinetics and Biopharmaceutics",
        volume: "15",
        pages: "657-680",
        year: 1987,
    };
    pub(super) const WESTFALL: Self = Self {
        key: "westfall1993",
        kind: SourceKind::Book,
        authors: "Peter H. Westfall and S. Stanley Young",
        title: "Resampling-Based Multiple Testing",
        place: "Wiley",
        volume: "",
        pages: "",
        year: 1993,
    };
    pub(super) const WILSON: Self = Self {
        key: "wilson1927",
        kind: SourceKind::Article,
        authors: "Edwin B. Wilson",
        title: "Probable Inference, the Law of Succession, and Statistical Inference",
        place: "Journal of the American Statistical Association",
        volume: "22",
        pages: "209-212",
        year: 1927,
    };
}

/// A heading and one entry per source; empty without sources.
pub(super) fn reference_list(references: &[Reference], width: usize) -> String {
    if references.is_empty() {
        return String::new();
    }
    let entries = references.iter().map(|reference| {
        let Reference {
            authors,
            title,
            place,
            year,
            ..
        } = reference;
        let place = match reference.kind {
            SourceKind::Book => (*place).to_owned(),
            SourceKind::Article | SourceKind::Proceedings => {
                format!("{place} {}, {}", reference.volume, reference.pages)
            }
        };
        let authors: Vec<String> = authors.split(" and ").map(str::to_owned).collect();
        let authors = list(&authors);
        wrapped(
            &format!("{authors} ({year}). {title}. {place}."),
            "  ",
            Some(width),
        )
    });
    format!("\nReferences\n\n{}", entries.collect::<String>())
}

/// The sources for a bibliography file.
#[must_use]
pub fn bibtex(references: &[Reference]) -> String {
    let mut text = String::new();
    for reference in references {
        let (kind, place) = match reference.kind {
            SourceKind::Article => ("article", "journal"),
            SourceKind::Book => ("book", "publisher"),
            SourceKind::Proceedings => ("inproceedings", "booktitle"),
        };
        let year = reference.year.to_string();
        let pages = reference.pages.replace('-', "--");
        let fields = [
            ("author", reference.authors),
            ("title", reference.title),
            (place, reference.place),
            ("volume", reference.volume),
            ("pages", &pages),
            ("year", &year),
        ];
        writeln!(text, "@{kind}{{{},", reference.key).expect("a string takes what is written");
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            // Braces keep capitals.
            let value = if *name == "title" {
                format!("{{{value}}}")
            } else {
                (*value).to_owned()
            };
            writeln!(text, "  {name} = {{{value}}},").expect("a string takes what is written");
        }
        text.push_str("}\n\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_listed_and_written_as_bibtex() {
        let list = reference_list(&[Reference::ROMANO, Reference::FISHER], 200);
        assert_eq!(
            list,
            "\nReferences\n\nJoseph P. Romano and Michael Wolf (2005). Exact and Approximate Stepdown \
             Methods for Multiple Hypothesis Testing. Journal of the American Statistical Association \
             100, 94-108.\nRonald A. Fisher (1935). The Design of Experiments. Oliver and Boyd.\n"
        );
        let text = bibtex(&[Reference::WILSON]);
        assert!(text.starts_with("@article{wilson1927,\n  author = {Edwin B. Wilson},\n"));
        assert!(text.contains("  title = {{Probable Inference"));
        assert!(text.contains("  pages = {209--212},\n  year = {1927},\n}"));
        assert_eq!(reference_list(&[], 80), "");
    }
}
