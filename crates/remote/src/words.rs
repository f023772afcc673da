//! Words of a server that are shown as its words: a name, an error, how far it is.

/// The most of them, in characters.
const MOST: usize = 300;

/// The same on one line, cut where it goes on and on, without what would turn the text around it (Unicode's
/// directional marks and overrides).
pub fn plain(words: &str) -> String {
    let turning = ['\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    let turns = |symbol: char| turning.iter().any(|range| range.contains(&symbol));
    let is_blank = |symbol: char| symbol.is_whitespace() || symbol.is_control() || turns(symbol);
    let inner = words.trim_matches(is_blank);
    let mut symbols = inner.chars().map(|symbol| if is_blank(symbol) { ' ' } else { symbol });
    let mut plain: String = symbols.by_ref().take(MOST).collect();
    if symbols.next().is_some() {
        plain.push('…');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{MOST, plain};

    #[test]
    fn words_are_one_short_line() {
        let rows = [
            ("Not found", "Not found"),
            (" a\nb\tc\u{1b} ", "a b c"),
            ("abc\u{202e}txt", "abc txt"),
            ("日本語 ünï", "日本語 ünï"),
            ("", ""),
        ];
        for (words, expected) in rows {
            assert_eq!(plain(words), expected, "{words:?}");
        }
        assert_eq!(plain(&"ü".repeat(MOST)), "ü".repeat(MOST));
        assert_eq!(plain(&"ü".repeat(MOST + 1)), format!("{}…", "ü".repeat(MOST)));
    }
}
