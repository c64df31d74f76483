//! The common part of HTML and SVG: escaping, so that text stays text, and pages from templates.

use sha2::{Digest, Sha256};

/// The style and the beginning of the script of every page that is made from a template.
const PAGE_STYLE: &str = include_str!("page.css");
const PAGE_SCRIPT: &str = include_str!("page.js");

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The comment at the beginning of every page and picture, by which a later command knows that it
/// may replace the file.
pub(super) const MADE_HERE: &str = "<!-- made by kt-enum -->\n";

/// True if a file with these first bytes is a page or picture of this program.
///
/// ```
/// use kt_enum_pictures::draw::markup::is_made_here;
/// assert!(!is_made_here(b"<svg xmlns='http://www.w3.org/2000/svg'/>"));
/// ```
pub fn is_made_here(head: &[u8]) -> bool {
    let is_markup = head.starts_with(b"<svg ") || head.starts_with(b"<!DOCTYPE html>");
    is_markup && head.windows(MADE_HERE.len()).any(|part| part == MADE_HERE.as_bytes())
}

/// A page from a template, with a value for each `{{name}}`. All is put in in one pass, so that
/// nothing put in is looked into.
///
/// The template says `{{policy}}`, `{{made_here}}`, `{{title}}`, `{{board}}` and `{{style}}`, whose
/// values are those of the page: a policy (a `meta` element) that allows no network and no script
/// or style but those of the page, by their SHA-256.
pub(super) fn filled(page: &Template, value: impl Fn(&str) -> String) -> String {
    let digests = [&page.board, &page.style].map(|style| digest(style)).join(" ");
    let script = page.script.as_deref().map_or("'none'".to_owned(), digest);
    let value = |name: &str| match name {
        "policy" => format!(
            "default-src 'none'; style-src {digests}; script-src {script}; base-uri 'none'; form-action 'none'"
        ),
        "made_here" => MADE_HERE.to_owned(),
        "title" => escaped(&page.title),
        "board" => page.board.clone(),
        "style" => page.style.clone(),
        "script" => page.script.clone().unwrap_or_default(),
        name => value(name),
    };
    let mut parts = page.text.split("{{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts
        .filter_map(|part| part.split_once("}}"))
        .fold(first, |html, (name, rest)| html + &value(name) + rest)
}

/// The parts of a page that its policy names, and its title.
pub(super) struct Template<'a> {
    pub text: &'a str,
    pub title: String,
    /// The style of boards.
    pub board: String,
    /// The style of the page.
    pub style: String,
    pub script: Option<String>,
}

/// The style of a page with controls.
pub(super) fn page_style(own: &str) -> String {
    PAGE_STYLE.to_owned() + own
}

/// The script of a page with controls.
pub(super) fn page_script(own: &str) -> String {
    format!("'use strict';\n(() => {{\n{PAGE_SCRIPT}\n{own}}})();\n")
}

/// Appends a number with this many digits of base 64.
pub(super) fn push_digits(value: usize, digits: u32, text: &mut String) {
    for place in (0..digits).rev() {
        text.push(char::from(DIGITS[value >> (6 * place) & 63]));
    }
}

/// The name of a text in a content security policy.
fn digest(text: &str) -> String {
    let mut name = "'sha256-".to_owned();
    // 32 bytes are ten threes and a two, which a byte more makes a three.
    let bytes = [&Sha256::digest(text)[..], &[0]].concat();
    for three in bytes.chunks(3) {
        let joined = |value, &byte: &u8| value << 8 | usize::from(byte);
        push_digits(three.iter().fold(0, joined), 4, &mut name);
    }
    name.pop();
    name + "='"
}

/// A text as it may stand between tags or in a quoted attribute, whatever it says. Characters that
/// XML does not know, and those that make what follows run backwards, are left out.
///
/// ```
/// use kt_enum_pictures::draw::markup::escaped;
/// assert_eq!(escaped("<b title='x'>&"), "&lt;b title=&#39;x&#39;&gt;&amp;");
/// ```
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            known if is_known(known) => safe.push(known),
            _ => {}
        }
    }
    safe
}

fn is_known(character: char) -> bool {
    match character {
        '\t' | '\n' => true,
        '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        _ => !character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The result of an XML parser: the text and the attribute.
    fn read_back(text: &str) -> (String, String) {
        let markup = format!("<p t=\"{0}\" u='{0}'>{0}</p>", escaped(text));
        let document = roxmltree::Document::parse(&markup).expect("well formed");
        let element = document.root_element();
        assert_eq!(element.children().filter(|node| node.is_element()).count(), 0);
        assert_eq!(element.attribute("t"), element.attribute("u"));
        let attribute = element.attribute("t").unwrap_or_default();
        let said = element.text().unwrap_or_default();
        (said.to_owned(), attribute.to_owned())
    }

    #[test]
    fn hostile_names_stay_text() {
        for hostile in [
            "<script>alert(1)</script>",
            "\"><img src=x onerror=alert(1)>",
            "' onload='alert(1)",
            "</style></title><script>",
            "]]><!-- &lt;script&gt; -->",
            "&#60;script&#62;",
        ] {
            assert_eq!(read_back(hostile), (hostile.to_owned(), hostile.to_owned()));
        }
        assert_eq!(escaped("a\0b\u{1b}c"), "abc");
    }

    proptest! {
        #[test]
        fn any_text_is_read_back_as_text(text in any::<String>()) {
            let shown: String = text.chars().filter(|&c| is_known(c)).collect();
            prop_assert_eq!(read_back(&text).0, shown);
        }
    }
}
