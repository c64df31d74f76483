//! The page of a run, from plain values: a large number, facts, plots and a table.
//!
//! The page stands alone: its style is in it, it has no script, and its Content-Security-Policy
//! forbids everything else, so that nothing a run is named or a file says can make it act. It is
//! well-formed XML too.

use super::markup::{MADE_HERE, escaped};
use super::plot::{Axis, Bar, Bars, Plot, Quantity, STYLE};
use crate::quantity::grouped;
use crate::quantity::short;
use crate::tally::Tally;

/// A page about a run. All texts are plain.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// The subject of the page.
    pub title: String,
    /// The number, with all its digits.
    pub number: String,
    /// The quantity that the number counts.
    pub counts: String,
    /// Sentences below.
    pub notes: Vec<String>,
    /// Names and values.
    pub facts: Vec<(String, String)>,
    /// Plots, each with a heading and what there is to say of it.
    pub figures: Vec<Figure>,
    /// The events of the run, with their times.
    pub table: Option<Table>,
    /// The command that repeats the count.
    pub command: String,
}

/// A plot on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its heading.
    pub heading: String,
    /// The plot, where there is one.
    pub plot: Option<Plot>,
    /// The text about the map, or the reason why there is none.
    pub text: String,
}

/// A table on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its heading.
    pub heading: String,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<Vec<String>>,
    /// A sentence below, or nothing.
    pub note: String,
}

const PAGE_STYLE: &str = "\
*{box-sizing:border-box}\
body{margin:0;background:var(--surface);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\
main{max-width:66rem;margin:0 auto;padding:1.5rem 1rem 3rem}\
h1{font-size:1.15rem;margin:0;color:var(--soft);font-weight:600}\
h2{font-size:1.05rem;margin:0 0 .5rem}\
.number{font-size:clamp(1.9rem,8vw,4.2rem);line-height:1.1;font-weight:700;margin:.4rem 0;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\
.counts{font-size:1.1rem;margin:0 0 .75rem}\
.note,figcaption{color:var(--soft);margin:.35rem 0}\
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1.25rem;margin:1.5rem 0}\
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1.25rem;margin:1.5rem 0;align-items:start}\
figure,section{margin:0;padding:1rem;border:1px solid var(--grid);border-radius:.5rem;min-width:0}\
figure svg{display:block;width:100%;height:auto}\
figcaption{font-size:.875rem;margin-bottom:0}\
section{margin-top:1.25rem}\
.scroll{overflow-x:auto}\
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\
th,td{text-align:right;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--grid);white-space:nowrap}\
th{color:var(--soft);font-weight:600}\
th:nth-child(-n+2),td:nth-child(-n+2){text-align:left}\
pre{margin:0;padding:.75rem;white-space:pre-wrap;overflow-wrap:anywhere;background:color-mix(in srgb,var(--grid) 35%,transparent);border-radius:.35rem}\
code{font:14px ui-monospace,monospace}\
@media (max-width:40rem){main{padding:1rem .6rem}figure,section{padding:.75rem .6rem}thead{display:none}\
tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--grid)}\
td:nth-child(n){display:flex;justify-content:space-between;gap:1rem;padding:.1rem 0;border:0;text-align:right;white-space:normal;overflow-wrap:anywhere}\
td:nth-child(1){justify-content:start;font-weight:600}td:empty{display:none}\
td::before{content:attr(data-column);color:var(--soft);white-space:nowrap}}\
@media print{.figures{display:block}figure,section{break-inside:avoid;margin:0 0 1rem}h2{break-after:avoid}}";

impl Page {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let facts = self.facts.iter().map(|(name, value)| {
            format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value))
        });
        let notes =
            self.notes.iter().map(|note| format!("<p class=\"note\">{}</p>\n", escaped(note)));
        format!(
            "<!DOCTYPE html>\n{MADE_HERE}\
             <html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\"/>\n<style>{STYLE}{PAGE_STYLE}</style>\n</head>\n<body>\n<main>\n\
             <h1>{title}</h1>\n<p class=\"number\">{}</p>\n<p class=\"counts\">{}</p>\n{}<dl>\n{}</dl>\n\
             <div class=\"figures\">\n{}</div>\n{}\
             <section>\n<h2>The same again</h2>\n<pre><code class=\"command\">{}</code></pre>\n</section>\n\
             </main>\n</body>\n</html>\n",
            // A place where a long number may be broken.
            escaped(&self.number).replace(',', ",<wbr/>"),
            escaped(&self.counts),
            notes.collect::<String>(),
            facts.collect::<String>(),
            self.figures.iter().map(Figure::html).collect::<String>(),
            self.table.as_ref().map_or(String::new(), Table::html),
            escaped(&self.command),
        )
    }
}

impl Figure {
    /// A figure of these parts.
    pub fn new(heading: impl Into<String>, plot: Option<Plot>, text: impl Into<String>) -> Self {
        Self { heading: heading.into(), plot, text: text.into() }
    }

    fn html(&self) -> String {
        format!(
            "<figure>\n<h2>{}</h2>\n{}<figcaption>{}</figcaption>\n</figure>\n",
            escaped(&self.heading),
            self.plot.as_ref().map_or(String::new(), Plot::inline),
            escaped(&self.text)
        )
    }
}

impl Table {
    fn html(&self) -> String {
        let name = |column: &&str| format!("<th>{}</th>", escaped(column));
        let head: String = self.columns.iter().map(name).collect();
        // A phone has no room for the columns: there every cell says its own.
        let cell = |(column, cell): (&&str, &String)| {
            let (column, cell) = (escaped(column), escaped(cell));
            format!("<td data-column=\"{column}\">{cell}</td>")
        };
        let row = |row: &Vec<String>| {
            let cells = self.columns.iter().zip(row).map(cell);
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        format!(
            "<section>\n<h2>{}</h2>\n<div class=\"scroll\">\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n\
             <p class=\"note\">{}</p>\n</section>\n",
            escaped(&self.heading),
            self.rows.iter().map(row).collect::<String>(),
            escaped(&self.note)
        )
    }
}

/// The numbers of counts by size: one bar from 1 to 2, from 2 to 5, from 5 to 10 and so on. Counts
/// of 0 have a bar of their own.
pub fn distribution(title: &str, x_label: &str, counts: &[Tally]) -> Option<Plot> {
    let sizes = sizes(counts)?;
    let bar = |bin: &[Tally]| {
        let number = counts.iter().filter(|&count| (&bin[0]..&bin[1]).contains(&count)).count();
        let last = bin[1].saturating_sub(&Tally::from(1_u32));
        let bin = if bin[0] == last {
            last.grouped()
        } else {
            format!("{} to {}", bin[0].grouped(), last.grouped())
        };
        Bar { says: format!("{bin}: {}", grouped(number)), value: number as f64 }
    };
    let bars = Bars {
        title,
        x_label,
        x_ticks: &ticks(&sizes),
        y: Axis::from_zero("units", Quantity::Whole),
        bars: &sizes.windows(2).map(bar).collect::<Vec<_>>(),
    };
    Some(bars.plot())
}

/// The sizes between which the bars lie, of 1, 2, 5, 10, 20 ...: from the last one up to the least
/// count to the first one past the most.
fn sizes(counts: &[Tally]) -> Option<Vec<Tally>> {
    let most = counts.iter().max()?;
    let least = counts.iter().filter(|count| **count > Tally::ZERO).min()?;
    let next = |power: &Tally| Some(power.clone() * 10);
    let powers = std::iter::successors(Some(Tally::from(1_u32)), next);
    let mut all = powers.flat_map(|power| [1, 2, 5].map(|digit| power.clone() * digit));
    let mut sizes: Vec<Tally> = Vec::new();
    while sizes.last() <= Some(most) {
        sizes.extend(all.next());
    }
    let smaller = sizes.partition_point(|size| size <= least) - 1;
    Some(sizes.split_off(smaller))
}

/// Labels at all sizes where they are few, else at the powers of ten, or some of those.
fn ticks(sizes: &[Tally]) -> Vec<(f64, String)> {
    const FEW: usize = 8;
    const MOST: usize = 9;
    let is_shown =
        |size: &Tally| sizes.len() <= FEW || size.to_string().trim_end_matches('0') == "1";
    let shown: Vec<_> = sizes.iter().enumerate().filter(|(_, size)| is_shown(size)).collect();
    let every = shown.len().div_ceil(MOST).max(1);
    let labels = shown.into_iter().step_by(every);
    labels.map(|(place, size)| (place as f64, short(size.to_f64()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::draw::heat::heat_map;
    use crate::draw::plot::{Lines, Series};
    use proptest::prelude::*;
    use roxmltree::{Document, Node, ParsingOptions};

    const HOSTILE: &str = "</title><script>alert('1')</script>\"><img src=x>&\0";

    fn elements<'a>(document: &'a Document, name: &str) -> Vec<Node<'a, 'a>> {
        let all = document.descendants();
        all.filter(|node| node.tag_name().name() == name).collect()
    }

    #[test]
    fn whatever_the_texts_say_the_page_has_no_script_and_no_image() {
        let text = || HOSTILE.to_owned();
        let axis = Axis::from_zero(HOSTILE, Quantity::Count);
        let series = ["one", HOSTILE]
            .map(|name| Series { name: name.to_owned(), points: vec![(0.0, 1.0), (1.0, 2.0)] });
        let lines =
            Lines { title: HOSTILE, x: axis, y: axis, series: &series, cuts: &[(0.5, text())] };
        let figure = |plot| Figure::new(HOSTILE, plot, HOSTILE);
        let page = Page {
            title: text(),
            number: text(),
            counts: text(),
            notes: vec![text()],
            facts: vec![(text(), text())],
            figures: vec![
                figure(Some(lines.plot())),
                figure(distribution(HOSTILE, HOSTILE, &[1_u32, 70].map(Tally::from))),
                figure(None),
            ],
            table: Some(Table {
                heading: text(),
                columns: vec![HOSTILE],
                rows: vec![vec![text()]],
                note: text(),
            }),
            command: text(),
        };
        let html = page.html();
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(&html, options).expect("well formed");
        for name in ["script", "img"] {
            assert_eq!(elements(&document, name), []);
        }
        assert!(!html.contains("<script") && !html.contains("<img"));
        assert_eq!(elements(&document, "polyline").len(), 2);
        let says = elements(&document, "h1")[0].text().map(str::to_owned);
        assert_eq!(says, Some(HOSTILE.replace('\0', "")));
    }

    proptest! {
        #[test]
        fn every_count_but_0_lies_in_one_bar(counts in prop::collection::vec(
            (any::<u128>(), 0..=128u32).prop_map(|(count, shift)| Tally::from(count.checked_shr(shift).unwrap_or(0)) * count), 0..80)
        ) {
            let plot = distribution("units", "tours", &counts);
            prop_assert_eq!(plot.is_none(), counts.iter().all(|count| *count == Tally::ZERO));
            if let Some(plot) = plot {
                let sizes = sizes(&counts).expect("there are counts");
                for count in counts.iter().filter(|count| **count > Tally::ZERO) {
                    prop_assert!(sizes[0] <= *count && *count < sizes[sizes.len() - 1]);
                }
                prop_assert!(sizes.is_sorted_by(|one, other| one < other));
                prop_assert!((1..10).contains(&ticks(&sizes).len()));
                let plot = plot.document();
                let document = Document::parse(&plot).expect("well formed");
                let bars = elements(&document, "rect").into_iter();
                let bars = bars.filter(|bar| bar.attribute("class") == Some("bar"));
                prop_assert_eq!(bars.count(), sizes.len() - 1);
            }
        }

        #[test]
        fn a_plot_of_any_numbers_is_well_formed_and_finite(
            points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..50),
            (logarithmic, from_zero) in any::<(bool, bool)>(),
            quantity in prop::sample::select(vec![Quantity::Count, Quantity::Seconds, Quantity::Whole]),
        ) {
            let axis = Axis { label: "numbers", quantity, is_logarithmic: logarithmic, is_from_zero: from_zero };
            let series = [Series { name: "all".to_owned(), points }];
            let lines = Lines { title: "numbers", x: axis, y: axis, series: &series, cuts: &[] };
            let plot = lines.plot().document();
            prop_assert!(Document::parse(&plot).is_ok());
            prop_assert!(!plot.contains("NaN") && !plot.contains("inf"), "{}", plot);
        }
    }

    #[test]
    fn the_squares_of_a_heat_map_lie_on_the_board_with_a1_bottom_left() {
        for (rows, cols) in [(1, 1), (3, 4), (8, 8), (3, 30), (30, 3), (32, 32)] {
            let board = Board::new(rows, cols).expect("in range");
            let tours: Vec<_> =
                (0..board.squares()).map(|index| Tally::from(index as u64)).collect();
            let map = heat_map("map", &board, &tours).expect("no graph").document();
            let document = Document::parse(&map).expect("well formed");
            let number = |node: &Node, name: &str| -> f64 {
                node.attribute(name).and_then(|text| text.parse().ok()).expect("a number")
            };
            let squares: Vec<_> = elements(&document, "rect")
                .into_iter()
                .filter(|square| matches!(square.attribute("class"), Some("heat" | "cell")))
                .collect();
            assert_eq!(squares.len(), board.squares());
            let first = squares[0];
            for (square, place) in squares.iter().zip(board.all_squares()) {
                let cell = number(square, "width");
                let across = (number(square, "x") - number(&first, "x")) / cell;
                let up = (number(&first, "y") - number(square, "y")) / cell;
                assert!((across - f64::from(board.col(place))).abs() < 0.1);
                assert!((up - f64::from(board.row(place))).abs() < 0.1);
                assert!(number(square, "x") >= 0.0 && number(square, "x") + cell <= 420.0);
                let says = square.first_element_child().and_then(|title| title.text());
                assert!(
                    says.is_some_and(|says| says.starts_with(&format!("{}: ", board.name(place))))
                );
            }
        }
    }
}
