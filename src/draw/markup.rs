//! The common part of HTML and SVG: escaping, so that text stays text.

/// The comment at the beginning of every page and picture, by which a later command knows that it
/// may replace the file.
pub(super) const MADE_HERE: &str = "<!-- made by kt-enum -->\n";

/// True if a file with these first bytes is a page or picture of this program.
///
/// ```
/// use kt_enum::internals::draw::is_made_here;
/// assert!(!is_made_here(b"<svg xmlns='http://www.w3.org/2000/svg'/>"));
/// ```
pub fn is_made_here(head: &[u8]) -> bool {
    let is_markup = head.starts_with(b"<svg ") || head.starts_with(b"<!DOCTYPE html>");
    is_markup && head.windows(MADE_HERE.len()).any(|part| part == MADE_HERE.as_bytes())
}

/// A text as it may stand between tags or in a quoted attribute, whatever it says. Characters that
/// XML does not know are left out.
///
/// ```
/// use kt_enum::internals::draw::escaped;
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
        '\u{fffe}' | '\u{ffff}' => false,
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
